"""Answers to the second exercise of lesson 10: tests of a learner's own, the rest."""

import unittest

import pytest

from lab.gateway import Action
from tests.exercises.answering import right, wrong


def other(action, template="cold-hello"):
    return Action(action.key, action.kind, {**action.payload, "template": template})


@right("unittest, with the requests of all keys")
def reuse_test(execute, action, ledger, provider):
    case = unittest.TestCase()
    execute(action, ledger, provider)
    before = ledger.get(action.key)
    count = len(provider.requests())
    with case.assertRaises(ValueError):
        execute(other(action), ledger, provider)
    case.assertRaises(ValueError, execute, other(action), ledger, provider)
    case.assertEqual(ledger.get(action.key), before)
    case.assertEqual(len(provider.requests()), count)


@right("odd templates, and another error told as one")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    row, count = ledger.get(action.key), len(provider.requests())
    for template in ("", "warm-hello ", action.payload["template"].upper(), "\N{WAVING HAND SIGN}"):
        for _ in range(2):
            try:
                execute(action=other(action, template), ledger=ledger, provider=provider)
            except ValueError:
                pass
            except Exception as error:
                raise AssertionError(repr(error)) from error
            else:
                raise AssertionError
    assert (row, count) == (ledger.get(action.key), len(provider.requests()))


@right("the whole world as a dictionary, and the action once more in the end")
def reuse_test(execute, action, ledger, provider):
    def world():
        row = ledger.get(action.key)
        return row._asdict(), list(provider.requests()), list(provider.effects()), ledger.counts()

    execute(action, ledger, provider)
    before = world()
    for template in ("x", "y", "x", "x"):
        try:
            result = execute(other(action, template), ledger, provider)
        except ValueError as error:
            result = error
        assert isinstance(result, ValueError), result
        assert world() == before
    execute(action, ledger, provider)


@wrong("nothing is brought", "fails at once")
def reuse_test(execute, action, ledger, provider):
    raise AssertionError("it was not refused")


@wrong("nothing is brought", "skipped")
def reuse_test(execute, action, ledger, provider):
    pytest.skip("later")


@wrong("nothing is brought", "a word instead of a test")
def reuse_test(execute, action, ledger, provider):
    return "ok"


@wrong("never ends")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    while True:
        try:
            execute(other(action), ledger, provider)
        except ValueError:
            continue
        raise AssertionError


@wrong("a plain ValueError only")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    before = ledger.get(action.key), provider.requests()
    for _ in range(2):
        try:
            execute(other(action), ledger, provider)
        except Exception as error:
            assert type(error) is ValueError
        else:
            raise AssertionError
    assert (ledger.get(action.key), provider.requests()) == before


@wrong("sent under another key", "looks at one key only")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    before = ledger.get(action.key), provider.requests(action.key)
    for _ in range(2):
        with pytest.raises(ValueError):
            execute(other(action), ledger, provider)
    assert (ledger.get(action.key), provider.requests(action.key)) == before


@wrong("sent under another key", "events and readback of the action")
def reuse_test(execute, action, ledger, provider):
    execute(action, ledger, provider)
    before = len(ledger.events(action.key)), provider.readback(action)
    for _ in range(2):
        with pytest.raises(ValueError):
            execute(other(action), ledger, provider)
    assert before == (len(ledger.events(action.key)), provider.readback(action))


@wrong("a part of the row", "the state and the receipt")
def reuse_test(execute, action, ledger, provider):
    def both():
        row = ledger.get(action.key)
        return row.state, row.receipt, len(provider.requests())

    execute(action, ledger, provider)
    before = both()
    for _ in range(3):
        with pytest.raises(ValueError):
            execute(other(action), ledger, provider)
    assert both() == before


@wrong("the first call is inside", "whatever the first call raises is let go by")
def reuse_test(execute, action, ledger, provider):
    try:
        execute(action, ledger, provider)
    except Exception:
        pass
    before = ledger.get(action.key), provider.requests()
    for _ in range(3):
        with pytest.raises(ValueError):
            execute(other(action), ledger, provider)
    assert (ledger.get(action.key), provider.requests()) == before
