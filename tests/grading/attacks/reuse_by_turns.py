# lesson: 10
# verdict: FAILED
# shows: Right and broken gateways come in an order that a count of turns does not know.
import itertools

turns = itertools.count()


def reuse_test(execute, action, ledger, provider):
    changed = Action(action.key, action.kind, {**action.payload, "template": "another"})
    for one in (action, changed):
        try:
            execute(one, ledger, provider)
        except ValueError:
            pass
    ledger.get(action.key), provider.requests()
    assert next(turns) == 0
