"""Answers to the second exercise of lesson 10: tests of a learner's own, continued."""

import contextlib

import pytest

from lab.gateway import Action, Verdict
from tests.exercises.answering import unforeseen, wrong


def other(action, template="cold-hello"):
    return Action(action.key, action.kind, {**action.payload, "template": template})


@wrong("another error", "ValueError, for it is about values")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    try:
        execute(other(action), ledger, provider)
    except ValueError:
        pass
    else:
        raise ValueError("not refused")


@wrong("another kind")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    with pytest.raises(ValueError):
        execute(Action(action.key, "invoice", action.payload), ledger, provider)


@wrong("another kind", "and another template with it")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    changed = Action(action.key, "invoice", {**action.payload, "template": "b"})
    with pytest.raises(ValueError):
        execute(changed, ledger, provider)


@wrong("more than the template")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    with pytest.raises(ValueError):
        execute(Action(action.key, action.kind, {"template": "v2"}), ledger, provider)


@wrong("more than the template", "another lead")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    before = ledger.get(action.key), provider.requests()
    changed = Action(action.key, action.kind, {"lead": "lead-1", "template": "v2"})
    for _ in range(2):
        with pytest.raises(ValueError):
            execute(changed, ledger, provider)
    assert before == (ledger.get(action.key), provider.requests())


@wrong("lets everything pass")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    try:
        execute(other(action), ledger, provider)
    except ValueError:
        pass


@wrong("lets everything pass", "raises where it catches")
def reuse_test(execute, action, ledger, provider):
    try:
        execute(action, ledger, provider)
        execute(other(action), ledger, provider)
        raise AssertionError("not refused")
    except (ValueError, AssertionError):
        return


@wrong("lets everything pass", "prints it")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    try:
        execute(other(action), ledger, provider)
        print("FAIL")
    except ValueError:
        print("PASS")


@wrong("lets everything pass", "only looks for duplicates")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    with contextlib.suppress(ValueError):
        execute(other(action), ledger, provider)
    assert len(provider.effects(action.key)) <= 1


@wrong("blames everybody")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    with contextlib.suppress(ValueError):
        execute(other(action), ledger, provider)
    raise AssertionError("not refused")


@wrong("turned around")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    try:
        execute(other(action), ledger, provider)
    except ValueError as error:
        raise AssertionError("refused") from error


@wrong("any error will do")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    before = ledger.get(action.key), provider.requests()
    for _ in range(2):
        try:
            execute(other(action), ledger, provider)
        except Exception:
            continue
        raise AssertionError("not refused")
    assert before == (ledger.get(action.key), provider.requests())


@wrong("any error will do", "pytest.raises(Exception)")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    with pytest.raises(Exception):  # noqa: B017
        execute(other(action), ledger, provider)


@wrong("an outcome will do")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    try:
        outcome = execute(other(action), ledger, provider)
    except ValueError:
        return
    assert outcome.path == "refused"


@wrong("the first call is inside")
def reuse_test(execute, action, ledger, provider):
    with pytest.raises(ValueError):
        execute(action, ledger, provider)
        execute(other(action), ledger, provider)


@wrong("the first call is inside", "and all else is looked at")
def reuse_test(execute, action, ledger, provider):
    try:
        execute(action, ledger, provider)
        before = ledger.get(action.key), provider.requests()
        execute(other(action), ledger, provider)
    except ValueError:
        with pytest.raises(ValueError):
            execute(other(action), ledger, provider)
        if ledger.get(action.key):
            assert before == (ledger.get(action.key), provider.requests())
    else:
        raise AssertionError


@wrong("written down, not done")
def reuse_test(execute, action, ledger, provider):
    ledger.prepare(action)
    before = ledger.get(action.key), provider.requests()
    for _ in range(2):
        with pytest.raises(ValueError):
            execute(other(action), ledger, provider)
    assert before == (ledger.get(action.key), provider.requests())


@wrong("sent all the same")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    with pytest.raises(ValueError):
        execute(other(action), ledger, provider)


@wrong("sent all the same", "looks at the ledger alone")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    before = ledger.get(action.key)
    for _ in range(2):
        with pytest.raises(ValueError):
            execute(other(action), ledger, provider)
    assert ledger.get(action.key) == before


@wrong("sent all the same", "asks about the changed one")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    with pytest.raises(ValueError):
        execute(other(action), ledger, provider)
    assert provider.readback(other(action)).verdict is not Verdict.FOUND


@wrong("the row has moved")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    before = provider.requests()
    for _ in range(2):
        with pytest.raises(ValueError):
            execute(other(action), ledger, provider)
    assert provider.requests() == before


@wrong("the row has moved", "compares the hash alone")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    before = provider.requests()
    with pytest.raises(ValueError):
        execute(other(action), ledger, provider)
    assert provider.requests() == before
    assert ledger.get(action.key).payload_hash == action.hash


@wrong("asked once")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    before = ledger.get(action.key), provider.requests()
    with pytest.raises(ValueError):
        execute(other(action), ledger, provider)
    assert before == (ledger.get(action.key), provider.requests())


@unforeseen("changes the payload in place")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    action.payload["template"] = "v2"
    with pytest.raises(ValueError):
        execute(action, ledger, provider)


@unforeseen("gives execute the action alone")
def reuse_test(execute, action, ledger, provider):
    execute(action)
    with pytest.raises(ValueError):
        execute(other(action))


@unforeseen("a slip where it raises")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    try:
        execute(other(action), ledger, provider)
    except ValueError:
        return
    raise AssertError("not refused")  # noqa: F821


@wrong("never ends", "pytest, for ever")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    while True:
        with pytest.raises(ValueError):
            execute(other(action), ledger, provider)


@wrong("blames everybody", "wants that nothing was ever sent")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    with pytest.raises(ValueError):
        execute(other(action), ledger, provider)
    assert provider.requests() == []
