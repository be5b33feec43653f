"""What passes between bench and learner is plain text, and comes out as it went in."""

import json
import math
from decimal import Decimal
from enum import Enum
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab import gateway
from lab.exercises.judge import same
from lab.gateway import (
    CONTRACTS,
    Action,
    KeyReused,
    NotExecuted,
    Outcome,
    Readback,
    Reading,
    Row,
    Verdict,
    VersionConflict,
)
from lab.guest import wire

ROW = Row(1, "a:b", "k", "hash", "UNKNOWN", 1, 3, 2, "keyed", 5, 5, None, 0, 0, 5, "w", "e", 1)
VALUES = [
    None, True, 0, -(2**80), 1.5, math.inf, "", "Zoë", "\ud800", b"\x00\xff", Decimal("2.00"),
    (1, (2,)), [1, [2]], {"a": {"b": []}}, {1: "x", (1, 2): "y"}, {"$": "row"}, frozenset({1, 2}),
    ValueError, KeyReused, ROW, Readback(Verdict.AMBIGUOUS, candidates=("r-1", "r-2")),
    Outcome("a:b", "SETTLED", 1, "sent", "r-1"), Verdict.FOUND, Reading.NONE, *CONTRACTS.values(),
    Action("a:b", "k", {"lines": [1, {"n": None}]}), wire.Ref("ledger"), wire.Other("set", "{1}"),
    wire.Raised(("KeyError", "Exception"), "'x'", ("x",), {"retryable": False}, 3, "y"),
]  # fmt: skip
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary()
    | st.decimals(allow_nan=False) | st.sampled_from(list(Verdict)),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(
        st.text() | st.integers() | st.tuples(st.text()), inner
    ),
    max_leaves=12,
)  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_comes_out_as_it_went_in(value: Any) -> None:
    assert same(wire.read(wire.write(value)), value)


def test_not_a_number_stays_what_it_is() -> None:
    assert math.isnan(wire.read(wire.write(math.nan)))


@given(PLAIN)
def test_any_nest_of_plain_values_comes_out_as_it_went_in(value: Any) -> None:
    text = wire.write(value)
    assert wire.write(wire.read(text)) == text
    assert repr(wire.read(text)) == repr(value)


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_the_text_is_plain_json(value: Any) -> None:
    text = wire.write(value)
    assert "\n" not in text
    json.loads(text, parse_constant=lambda constant: pytest.fail(f"{constant} is no JSON"))


def test_what_a_lesson_builds_itself_passes_as_labs() -> None:
    class Readback(NamedTuple):
        verdict: Any
        receipt: str | None = None
        attempt: int | None = None
        candidates: tuple[str, ...] = ()
        note: str = ""
        asked_at: int = 0

    verdict = Enum("Verdict", [("FOUND", "found")])
    passed = wire.read(wire.write(Readback(verdict.FOUND, "r-1")))
    assert passed == gateway.Readback(gateway.Verdict.FOUND, "r-1")


class Equal:
    """Claims to be equal to everything."""

    def __eq__(self, other: object) -> bool:
        return True

    def __repr__(self) -> str:
        return "5"


class Text(str):
    """A text that is more than a text."""


class Sulky:
    """Cannot be shown."""

    def __repr__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    "value",
    [Equal(), Text("x"), Sulky(), print, (n for n in ())],
    ids=lambda value: type(value).__name__,
)
def test_what_cannot_pass_is_told_and_equals_nothing(value: Any) -> None:
    passed = wire.read(wire.write(value))
    assert type(passed) is wire.Other
    assert passed.type == type(value).__name__
    assert not same(passed, 5)
    assert not same(passed, "x")


def test_a_class_that_only_has_the_name_of_an_error_does_not_pass_as_it() -> None:
    imposter = type("KeyReused", (Exception,), {})
    assert type(wire.read(wire.write(imposter))) is wire.Other


def test_what_holds_itself_cannot_pass() -> None:
    holds_itself: list[Any] = []
    holds_itself.append(holds_itself)
    with pytest.raises(wire.CannotPass, match="inside"):
        wire.write(holds_itself)


def test_what_is_too_long_cannot_pass_either_way() -> None:
    with pytest.raises(wire.CannotPass, match="longer"):
        wire.write("x" * wire.LONGEST)
    with pytest.raises(wire.CannotPass, match="longer"):
        wire.read(" " * (wire.LONGEST + 1))


@pytest.mark.parametrize(
    "text",
    ["", "{", '{"$":"unheard of","is":1}', '{"$":"row","is":[1]}', '{"$":"verdict","is":"MAYBE"}',
     '{"$":"decimal","is":"x"}', '{"$":[],"is":1}', '{"$":"dict","is":[1]}', '{"$":"row"}',
     '{"$":"class","is":"os.system"}', '{"$":"action","is":["a b","k",{}]}', "[" * 100_000],
)  # fmt: skip
def test_what_is_no_message_is_refused_by_one_error(text: str) -> None:
    with pytest.raises(wire.CannotPass):
        wire.read(text)


@pytest.mark.parametrize(
    "told",
    [(["ValueError"], "x", ("x",), {}, 1, ""), (("ValueError",), 1, ("x",), {}, 1, ""),
     ((1,), "x", ("x",), {}, 1, ""), (("ValueError",), "x", "x", {}, 1, ""),
     (("ValueError",), "x", ("x",), {}, True, ""), (("ValueError",), "x", ("x",), {}, 1, None),
     (("ValueError",), "x", ("x",), {"told": "forged"}, 1, "")],
    ids=repr,
)  # fmt: skip
def test_what_is_told_of_an_error_has_one_form(told: tuple[Any, ...]) -> None:
    text = wire.write(wire.Raised(*told))
    with pytest.raises(wire.CannotPass):
        wire.read(text)


@pytest.mark.parametrize(
    "error",
    [KeyReused("a:b"), VersionConflict("a:b"), NotExecuted("too many", retryable=False),
     ValueError("x"), KeyError("x"), UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad")],
    ids=repr,
)  # fmt: skip
def test_an_error_that_is_known_is_raised_again_as_itself(error: Exception) -> None:
    again = wire.rebuilt(wire.read(wire.write(wire.raised(error))))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert getattr(again, "retryable", None) == getattr(error, "retryable", None)


def test_an_error_of_a_class_of_ones_own_is_raised_as_the_nearest_known() -> None:
    class Mine(KeyReused):
        pass

    again = wire.rebuilt(wire.read(wire.write(wire.raised(Mine("a:b")))))
    assert type(again) is KeyReused


def test_a_key_that_is_no_text_is_kept_apart_from_one_that_is() -> None:
    assert wire.read(wire.write({1: "a", "1": "b"})) == {1: "a", "1": "b"}


def test_a_frozen_payload_passes_as_plain_data() -> None:
    frozen = MappingProxyType({"a": (1, MappingProxyType({"b": 2}))})
    assert wire.thawed(frozen) == {"a": [1, {"b": 2}]}
