# lesson: 08
# verdict: FAILED
# shows: A module that is forgotten and imported again does not bring back what was taken away.
import sys


def on_unavailable(action, row, readback, ledger, provider):
    for name in [one for one in sys.modules if one.startswith("lab")]:
        del sys.modules[name]
    from lab.gateway import dispatch

    return dispatch.on_unavailable(action, row, readback, ledger, provider)
