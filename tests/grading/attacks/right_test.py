# lesson: 10
# verdict: PASSED
# shows: A test with a context manager of its own finds every gateway that is broken.
from contextlib import contextmanager


@contextmanager
def refused():
    try:
        yield
    except ValueError:
        return
    raise AssertionError("not refused")


def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    row, asked = ledger.get(action.key), provider.requests()
    changed = Action(action.key, action.kind, dict(action.payload) | {"template": "another"})
    for _ in range(2):
        with refused():
            execute(changed, ledger, provider)
    assert ledger.get(action.key) == row
    assert provider.requests() == asked
