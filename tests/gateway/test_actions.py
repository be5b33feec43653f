"""Actions: keys that are safe to store, and one hash for one content."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import FrozenInstanceError
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from lab.gateway import (
    Action,
    UncanonicalPayload,
    UnsafeKey,
    action_key,
    canonical_json,
    check_key,
    payload_hash,
)

LARGEST = 2**53 - 1
CARD = "4111111111111111"


def test_a_key_joins_the_parts_that_name_an_intention() -> None:
    assert action_key("welcome", "lead-202", "v1") == "welcome:lead-202:v1"


def test_two_lists_of_parts_never_share_a_key() -> None:
    assert action_key("a.b", "c") != action_key("a", "b.c")
    with pytest.raises(UnsafeKey):
        action_key("a:b", "c")


@pytest.mark.parametrize(
    "parts",
    [(), ("",), ("a", ""), ("a b",), ("ä",), ("a\n",), (1,), (None,), (b"a",), ("x" * 201,)],
    ids=repr,
)
def test_a_part_that_could_be_misread_makes_no_key(parts: tuple[Any, ...]) -> None:
    with pytest.raises(UnsafeKey):
        action_key(*parts)


@pytest.mark.parametrize(
    "key", ["x", "x" * 200, "A-Z.a_z:0-9", ":", "-"], ids=["one", "most"] + 3 * [""]
)
def test_a_key_may_be_one_to_two_hundred_safe_characters(key: str) -> None:
    assert check_key(key) == key


@pytest.mark.parametrize(
    "key",
    [
        "",
        "x" * 201,
        "a b",
        "a\n",
        "\na",
        "ada@example.org",
        "käy",
        "a/b",
        "a\x00",
        "٣",
        None,
        7,
        b"a",
    ],
    ids=lambda key: repr(key)[:12],
)
def test_any_other_key_is_refused_and_told_what_to_use(key: Any) -> None:
    with pytest.raises(UnsafeKey, match="welcome:lead-202:v1") as refused:
        Action(key, "welcome_email", {})
    assert isinstance(refused.value, ValueError)


@pytest.mark.parametrize(
    "key",
    [
        CARD,
        f"refund:{CARD}",
        f"refund{CARD}v1",
        "4111-1111-1111-1111",
        "4111:1111:1111:1111",
        "4111.1111.1111.1111",
        "378282246310005",
        "3782-822463-10005",
        "5555555555554444",
        "2223003122003222",
        "4222222222222",
        "a:1-4111-1111-1111-1111",
    ],
)
def test_a_key_or_kind_that_holds_a_card_number_is_refused(key: str) -> None:
    for what in ((key, "refund"), ("refund:pay-8841:v1", key)):
        with pytest.raises(UnsafeKey, match="refund:pay-8841:v1") as refused:
            Action(*what, {})
        assert "1111" not in str(refused.value)  # the message does not spread it


@pytest.mark.parametrize(
    "key",
    [
        "4111111111111112",  # the check digit is wrong
        "411111111111",  # twelve digits
        "41111111111111111111",  # twenty
        "order:1767225600000",  # a time
        "2026-01-01T00.00.00.000000",
        "0000000000000000",
    ],
)
def test_digits_that_are_no_card_number_may_be_in_a_key(key: str) -> None:
    assert check_key(key) == key


def test_the_hash_is_the_sha256_of_the_canonical_json_of_kind_and_payload() -> None:
    written = '{"kind":"invoice","payload":{"amount":1999,"to":["ä",null,true]}}'
    action = Action("invoice:7", "invoice", {"to": ("ä", None, True), "amount": 1999})
    assert action.hash == hashlib.sha256(written.encode()).hexdigest()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({"a": {"x": 1, "y": 2}}, {"a": {"y": 2, "x": 1}}),
        ({"a": [1, 2]}, {"a": (1, 2)}),
        ({"a": "\u00e9"}, {"a": "e\u0301"}),
        ({"\u00e9": 1}, {"e\u0301": 1}),
    ],
    ids=["order of names", "order inside", "tuple and list", "é twice", "é in a name"],
)
def test_one_content_has_one_hash(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert payload_hash("k", one) == payload_hash("k", other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": [1, 2]}, {"a": [2, 1]}),
        ({"a": 1}, {"a": "1"}),
        ({"a": 1}, {"a": True}),
        ({"a": 0}, {"a": False}),
        ({"a": None}, {"a": "null"}),
        ({"a": None}, {}),
        ({"a": ""}, {"a": None}),
        ({"a": []}, {"a": {}}),
        ({"a": "x "}, {"a": "x"}),
        ({"a": "X"}, {"a": "x"}),
        ({"a": "\ufb01"}, {"a": "fi"}),
    ],
    ids=lambda payload: ascii(payload),
)
def test_another_content_has_another_hash(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert payload_hash("k", one) != payload_hash("k", other)


def test_the_kind_is_hashed_with_the_payload_and_the_key_is_not() -> None:
    welcome = Action("a:1", "welcome_email", {"to": "lead-202"})
    assert Action("a:1", "farewell_email", {"to": "lead-202"}).hash != welcome.hash
    assert Action("a:2", "welcome_email", {"to": "lead-202"}).hash == welcome.hash


def test_a_payload_cannot_be_made_to_look_like_another_kind() -> None:
    assert payload_hash("a", {"kind": "b"}) != payload_hash("b", {"kind": "a"})


CIRCULAR: dict[str, Any] = {}
CIRCULAR["self"] = CIRCULAR
DEEP: Any = []
for _ in range(20_000):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    "value",
    [
        1.5,
        1.0,
        float("nan"),
        float("inf"),
        Decimal("1.50"),
        b"bytes",
        {1, 2},
        date(2026, 1, 1),
        object(),
        "\ud800",
        {"\udfff": 1},
        {1: "a"},
        {None: "a"},
        {"\u00e9": 1, "e\u0301": 2},
        LARGEST + 1,
        -LARGEST - 1,
        10**400,
        CIRCULAR,
        DEEP,
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_has_no_single_written_form_is_refused(value: Any) -> None:
    for payload in ({"a": value}, {"a": [{"b": value}]}):
        with pytest.raises(UncanonicalPayload) as refused:
            Action("k", "k", payload)
        assert isinstance(refused.value, ValueError)


def test_amounts_are_told_to_be_integers_in_minor_units() -> None:
    with pytest.raises(UncanonicalPayload, match="minor units"):
        Action("k", "k", {"amount": 19.99})


@pytest.mark.parametrize("number", [LARGEST, -LARGEST, 0])
def test_the_largest_integers_that_every_program_can_read_are_allowed(number: int) -> None:
    assert json.loads(canonical_json(number)) == number


@pytest.mark.parametrize("payload", [None, [], "text", 7, [("a", 1)]], ids=repr)
def test_a_payload_is_an_object(payload: Any) -> None:
    with pytest.raises(UncanonicalPayload, match="object"):
        Action("k", "k", payload)


def test_however_deep_a_payload_is_it_is_taken_or_refused_by_name() -> None:
    refused, value = [], 1
    for depth in range(560):
        value = {"a": [value]}
        if depth < 100 or depth % 7:
            continue
        try:
            Action("k", "k", value)
        except UncanonicalPayload:
            refused.append(depth)
    assert refused
    assert refused[0] > 100


def test_what_was_approved_cannot_be_changed_afterwards() -> None:
    lines = [{"sku": "book", "n": 1}]
    action = Action("order:1", "order", {"lines": lines})
    lines[0]["n"] = 100
    assert action.payload["lines"][0]["n"] == 1
    assert action.hash == payload_hash("order", action.payload)
    with pytest.raises(TypeError):
        action.payload["lines"] = ()  # type: ignore[index]
    with pytest.raises(TypeError):
        action.payload["lines"][0]["n"] = 100
    with pytest.raises(FrozenInstanceError):
        action.payload = {}  # type: ignore[misc]


class Moody(Mapping[str, Any]):
    """An object that says something else each time it is read."""

    def __init__(self) -> None:
        self.reads = 0

    def __getitem__(self, name: str) -> int:
        self.reads += 1
        return self.reads

    def __iter__(self) -> Iterator[str]:
        return iter(["amount"])

    def __len__(self) -> int:
        return 1


def test_what_was_hashed_is_what_is_sent_even_where_the_payload_changes_under_way() -> None:
    action = Action("k", "k", Moody())
    assert action.hash == payload_hash("k", action.payload)
