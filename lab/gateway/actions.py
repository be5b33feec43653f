"""Actions: one approved business intention each, with a stable key and a hash of its content."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from types import MappingProxyType
from typing import Any

from lab.gateway.errors import UncanonicalPayload, UnsafeKey

# 13 to 19 digits, in one run or in the groups printed on a card; overlapping finds are wanted.
_DIGITS = re.compile(
    r"(?<!\d)(?=(\d{13,19}(?!\d)|\d{4}([-._:])\d{4}\2\d{4}\2\d{1,7}(?!\d)|\d{4}([-._:])\d{6}\3\d{5}(?!\d)))"
)
# What the card networks' numbers begin with; clocks (1767…) and dates (2026…) do not.
_ISSUER = re.compile(r"2[2-7]|[3-6]")
# Larger integers change their value in programs that read JSON numbers as doubles (RFC 7493, 2.2).
LARGEST = 2**53 - 1


def action_key(*parts: str) -> str:
    """Join the parts that name one intention: ``action_key("welcome", "lead-202", "v1")``.

    A part is text of letters, digits, ``.``, ``_`` and ``-``. It never holds the ``:`` that joins
    them, so two different lists of parts never make the same key.

    Raises:
        UnsafeKey: no part, a part that is not such text, or a key that may not be stored.
    """
    for part in parts:
        if not isinstance(part, str) or not re.fullmatch(r"[A-Za-z0-9._-]+", part):
            raise UnsafeKey(f"{part!r} cannot be part of a key: use letters, digits and . _ -")
    return check_key(":".join(parts))


def check_key(key: str) -> str:
    """Return the key, if it may be stored and shown.

    Raises:
        UnsafeKey: not 1 to 200 of ``A-Z a-z 0-9 . _ : -``, or it holds a card number (a run of
            13 to 19 digits, or printed groups, that passes the Luhn check of ISO/IEC 7812-1).
    """
    if not isinstance(key, str) or not re.fullmatch(r"[A-Za-z0-9._:-]{1,200}", key):
        raise UnsafeKey(
            f"{key!r} cannot be a key: use 1 to 200 letters, digits and . _ : - and name the thing "
            "by its id (welcome:lead-202:v1), never by an address, a name or a text"
        )
    if holds_card_number(key):
        raise UnsafeKey(
            "this key holds what looks like a card number. Use the id of the payment or of the "
            "customer instead (refund:pay-8841:v1); keys are stored and shown in clear"
        )
    return key


def holds_card_number(text: str) -> bool:
    """Tell whether a text holds 13 to 19 digits that pass the check of ISO/IEC 7812-1 (Luhn)."""
    for found in _DIGITS.finditer(text):
        digits = [int(character) for character in found.group(1) if character.isdigit()]
        doubled = sum(sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
        if _ISSUER.match(found.group(1)) and (sum(digits[-1::-2]) + doubled) % 10 == 0:
            return True
    return False


def canonical(value: Any) -> Any:
    """Return the value as plain JSON data, in the one form it can have.

    Text is normalised to NFC, tuples become lists.

    Raises:
        UncanonicalPayload: floats and NaN, bytes, names that are not text, names that become the
            same, lone surrogates, integers beyond ±(2**53 - 1), or any other type.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int) and abs(value) <= LARGEST:
        return int(value)
    if isinstance(value, str) and not re.search("[\ud800-\udfff]", value):
        return unicodedata.normalize("NFC", value)
    if isinstance(value, (list, tuple)):
        return [canonical(item) for item in value]
    if isinstance(value, Mapping) and all(isinstance(name, str) for name in value):
        plain = {canonical(name): canonical(item) for name, item in value.items()}
        if len(plain) == len(value):
            return plain
    raise UncanonicalPayload(why_not_canonical(value))


def why_not_canonical(value: Any) -> str:
    """Say in one sentence why a value has no single written form, and what to write instead."""
    for kind, reason in _NOT_CANONICAL:
        if isinstance(value, kind):
            return f"{reason} (found: {type(value).__name__})"
    return f"{type(value).__name__} has no single written form: write it as text"


_NOT_CANONICAL: tuple[tuple[Any, str], ...] = (
    ((float, Decimal), "amounts are integers in minor units: 1999 for 19.99"),
    (int, "beyond 2**53 - 1 programs read JSON numbers differently: write it as text"),
    (str, "the text holds half of a character, a lone surrogate"),
    (Mapping, "names are texts, and no two of them are the same text written differently"),
)


def canonical_json(value: Any) -> str:
    """Write a value in the one way that every program will write it.

    Names are sorted by code point, and nothing is left between the parts.

    Raises:
        UncanonicalPayload: see `canonical`; also where the value is nested too deeply.
    """
    try:
        plain = canonical(value)
    except RecursionError:
        raise UncanonicalPayload("the payload is nested too deeply, or holds itself") from None
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def payload_hash(kind: str, payload: Any) -> str:
    """Return the SHA-256, in hex, of the canonical JSON of kind and payload together.

    Raises:
        UncanonicalPayload: see `canonical_json`.
    """
    text = canonical_json({"kind": kind, "payload": payload})
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Action:
    """One approved business intention: what to do, and the key that names it for ever.

    ``kind`` says what it does (``welcome_email``); ``payload`` is what the provider needs, as a
    JSON object. The payload is copied and frozen, so that what was hashed is what is sent.

    Raises:
        UnsafeKey: see `check_key`; the same holds for the kind.
        UncanonicalPayload: see `canonical_json`, or the payload is not an object.
    """

    key: str
    kind: str
    payload: Mapping[str, Any]
    hash: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_key(self.key)
        check_key(self.kind)
        if not isinstance(self.payload, Mapping):
            raise UncanonicalPayload("a payload is an object: names and values, {'template': 'v1'}")
        copy = json.loads(canonical_json(self.payload))  # read once, and ours from here on
        object.__setattr__(self, "hash", payload_hash(self.kind, copy))
        object.__setattr__(self, "payload", frozen(copy))


def frozen(value: Any) -> Any:
    """Return plain JSON data that nobody can change any more."""
    if isinstance(value, dict):
        return MappingProxyType({name: frozen(item) for name, item in value.items()})
    return tuple(map(frozen, value)) if isinstance(value, list) else value
