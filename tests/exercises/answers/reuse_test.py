"""Answers to the second exercise of lesson 10: tests of a learner's own."""

import contextlib
import dataclasses
import unittest

import pytest

from lab.gateway import Action, KeyReused
from tests.exercises.answering import right, wrong


def other(action, template="cold-hello"):
    return Action(action.key, action.kind, {**action.payload, "template": template})


@right("pytest, twice, and a comparison")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    row, arrived = ledger.get(action.key), provider.requests()
    for _ in range(2):
        with pytest.raises(ValueError):
            execute(other(action), ledger, provider)
    assert ledger.get(action.key) == row
    assert provider.requests() == arrived


@wrong("sent under another key", "unittest, and the requests of one key")
def reuse_test(execute, action, ledger, provider):
    case = unittest.TestCase()
    execute(action, ledger, provider)
    before = ledger.get(action.key)
    count = len(provider.requests(action.key))
    with case.assertRaises(ValueError):
        execute(other(action), ledger, provider)
    case.assertRaises(ValueError, execute, other(action), ledger, provider)
    case.assertEqual(ledger.get(action.key), before)
    case.assertEqual(len(provider.requests(action.key)), count)


@right("try, except, else; events and readback; another template each time")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    before = len(ledger.events(action.key)), provider.readback(action), len(provider.requests())
    for template in ("v2", "v3", "v2", "v3"):
        try:
            execute(other(action, template), ledger, provider)
        except ValueError as refusal:
            print("refused:", refusal)
        else:
            raise AssertionError(f"{template} was let through")
    after = len(ledger.events(action.key)), provider.readback(action), len(provider.requests())
    if before != after:
        raise AssertionError("something happened after all")


@right("contextlib, other names, nested functions, effects")
def reuse_test(gateway, welcome, book, outside):
    def brought(what):
        with contextlib.suppress(ValueError):
            gateway(what, book, outside)
            return True
        return False

    def world():
        return book.rows(), book.counts(), outside.effects(), outside.requests()

    gateway(welcome, book, outside)
    before = world()
    changed = dataclasses.replace(welcome, payload={**welcome.payload, "template": "x"})
    assert not brought(changed)
    assert not brought(changed)
    assert world() == before, (world(), before)


@wrong("a part of the row", "returns True, and compares the state")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    execute(action, ledger, provider)
    before = ledger.get(action.key).state, len(provider.effects()), len(provider.requests())
    refused = 0
    for _ in range(3):
        try:
            execute(action=other(action), ledger=ledger, provider=provider)
        except ValueError:
            refused += 1
    after = ledger.get(action.key).state, len(provider.effects()), len(provider.requests())
    assert refused == 3, f"refused {refused} times of 3"
    assert before == after
    return True


class NotKept(AssertionError):
    """A promise that was not kept."""


@right("an error of its own, and the template the other way round")
def reuse_test(execute, action, ledger, provider):
    execute(other(action), ledger, provider)
    before = ledger.get(action.key), provider.requests()
    for _ in range(2):
        try:
            execute(action, ledger, provider)
        except ValueError:
            pass
        else:
            raise NotKept
    if before != (ledger.get(action.key), provider.requests()):
        raise NotKept


@right("asserts that it refuses other errors as well")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    before = ledger.get(action.key), provider.requests()
    for _ in "ab":
        try:
            execute(other(action), ledger, provider)
            error = None
        except Exception as found:
            error = found
        assert isinstance(error, ValueError), error
    assert before == (ledger.get(action.key), provider.requests())


@right("two other templates, one after the other")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    before = ledger.get(action.key), provider.requests()
    for template in ("v2", "v3"):
        with pytest.raises(ValueError):
            execute(other(action, template), ledger, provider)
    assert before == (ledger.get(action.key), provider.requests())


@wrong("the first action is never sent")
def reuse_test(execute, action, ledger, provider):
    with pytest.raises(ValueError):
        execute(other(action), ledger, provider)


@wrong("the first action is never sent", "two new ones")
def reuse_test(execute, action, ledger, provider):
    execute(other(action, "one"), ledger, provider)
    execute(other(action, "two"), ledger, provider)


@wrong("the key changes, too")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    changed = Action(f"{action.key}:b", action.kind, {**action.payload, "template": "b"})
    try:
        execute(changed, ledger, provider)
    except ValueError:
        return
    raise AssertionError("not refused")


@wrong("nothing changes")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    try:
        execute(action, ledger, provider)
    except ValueError:
        return
    raise AssertionError("not refused")


@wrong("nothing changes", "the template that it had")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    with pytest.raises(ValueError):
        execute(other(action, action.payload["template"]), ledger, provider)


@wrong("the refusal ends the test")
def reuse_test(execute, action, ledger, provider):
    first = execute(action, ledger, provider)
    second = execute(other(action), ledger, provider)
    assert first != second


@wrong("the refusal ends the test", "waits for an outcome")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    outcome = execute(other(action), ledger, provider)
    assert outcome.path == "refused"


@wrong("settled at once")
def reuse_test(execute, action, ledger, provider):
    first = execute(action, ledger, provider)
    assert first.state == "SETTLED"
    for _ in range(2):
        with pytest.raises(ValueError):
            execute(other(action), ledger, provider)
    assert len(provider.requests()) == 1


@wrong("settled at once", "one message at the end")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    with pytest.raises(ValueError):
        execute(other(action), ledger, provider)
    assert len(provider.effects(action.key)) == 1


@wrong("its words")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    with pytest.raises(ValueError, match="different data"):
        execute(other(action), ledger, provider)


@wrong("its words", "its class")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    before = ledger.get(action.key), provider.requests()
    for _ in range(2):
        with pytest.raises(KeyReused):
            execute(other(action), ledger, provider)
    assert before == (ledger.get(action.key), provider.requests())


@wrong("its words", "type(error) is")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    try:
        execute(other(action), ledger, provider)
    except ValueError as error:
        assert str(error)
    else:
        raise AssertionError


@wrong("the changed one is never brought", "asks the ledger, not the gateway")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    with pytest.raises(ValueError):
        ledger.find(other(action))


@wrong("an answer instead of an error")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    try:
        execute(other(action), ledger, provider)
    except ValueError:
        return True
    return False


@wrong("an answer instead of an error", "in words")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    try:
        execute(other(action), ledger, provider)
        return "FAIL: not refused"
    except ValueError:
        return "PASS"


@wrong("another error")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    try:
        execute(other(action), ledger, provider)
    except ValueError:
        return
    raise RuntimeError("the key was reused")
