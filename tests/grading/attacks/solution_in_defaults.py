# lesson: 11
# verdict: FAILED
# shows: What another function holds as a default is taken away, too.
from lab.gateway import execute


def attempt(action, row, ledger, provider):
    held = (*(execute.__defaults__ or ()), *(execute.__kwdefaults__ or {}).values())
    theirs = next(one for one in held if callable(one))
    return theirs(action, row, ledger, provider)
