"""Lesson 03: the mistakes that are known of hashing a content."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

from lab.exercises.exercise import Mistake, Seen, told
from lab.exercises.stage import RAISES, UNFINISHED
from lab.gateway.actions import LARGEST

CAPITAL = "an invoice and an Invoice"
OF, BY = "it is the hash of", "made by"
BOTH, ELSE = "the canonical JSON of kind and payload", "something else"
SHA = "SHA-256, in hex"
ONE, TWO = "one hash", "two hashes"
REFUSED = f"{RAISES}UncanonicalPayload"
COMPOSED, DECOMPOSED = "Zo\u00eb", "Zoe\u0308"
REFUSALS: dict[str, tuple[tuple[str, Any], ...]] = {
    "numbers": (
        ("19.99", {"amount": 19.99}),
        ("19.99 deep inside", {"lines": [{"price": 19.99}]}),
        ("NaN, which is not a number", {"amount": float("nan")}),
        ("a Decimal", {"amount": Decimal("19.99")}),
        ("2**53, which is too large", {"amount": LARGEST + 1}),
    ),
    "values": (
        ("bytes", {"template": b"v1"}),
        ("a set", {"tags": {"new", "trial"}}),
        ("half of a character", {"name": "\ud800"}),
    ),
    "names": (
        ("a number as a name", {1: "one"}),
        ("nothing as a name", {None: "one"}),
        ("Zoë as a name, in both ways", {COMPOSED: 1, DECOMPOSED: 2}),
    ),
}


def hash_of(*called: str) -> Callable[[Seen], bool]:
    """Recognise by what was hashed, in the plain payload or in the one with all of JSON."""
    return lambda seen: seen("plain", OF) in called or seen("exactly", OF) in called


def refusals(seen: Seen) -> Iterator[str]:
    """Yield what became of each payload that has no single written form."""
    for name, values in REFUSALS.items():
        yield from (str(seen(name, what)) for what, _ in values)


def hashed(*labels: str) -> Callable[[Seen], bool]:
    """Recognise a hash for one of these payloads."""

    def when(seen: Seen) -> bool:
        return any(seen(name, label) == "a hash" for name in REFUSALS for label in labels)

    return when


def other_errors(seen: Seen) -> bool:
    """Recognise refusals by an error of another class, Python's own or the learner's."""
    names = {text.removeprefix(RAISES) for text in refusals(seen) if text.startswith(RAISES)}
    return bool(names - {"UncanonicalPayload"} - (UNFINISHED - {"TypeError"}))


def another_way(seen: Seen) -> bool:
    """Recognise a text in hex that was made by something else than SHA-256."""
    return seen("plain", OF) not in (None, ELSE) and seen("plain", BY) != SHA


LOOK_ALIKE = (
    "another template",
    "another order of a list",
    "1 and the text 1",
    "1 and true",
    "null and not there",
    "a capital letter",
    "a blank",
    "m² and m2",
    "an object, and a text that shows it",
)


def two_in_one(seen: Seen) -> bool:
    """Recognise one hash for two contents that look alike, or for two kinds that do."""
    alike = [seen("others", label) for label in LOOK_ALIKE]
    return ONE in (*alike, seen("kinds", CAPITAL))


MISTAKES = (
    Mistake(
        "no return",
        "Your function returned nothing, so every content has the same hash: none. A key that "
        "comes back with another text is not noticed. Is a `return` missing at its end?",
        told("plain", BY, "nothing"),
    ),
    Mistake(
        "no text",
        "What came out is no text of 64 characters, so it cannot stand in the ledger's column "
        "or be compared with what another program wrote. `hashlib.sha256(...)` is an object "
        "still, and `digest()` gives bytes. Which of its methods gives hex?",
        lambda seen: str(seen("plain", BY)).startswith("no text"),
    ),
    Mistake(
        "another hash each time",
        "The same content was hashed twice, and two hashes came out. Then every retry looks "
        "like another content: it is refused, and lead-202 never gets a welcome. Python's "
        "`hash()` differs from process to process; `hashlib.sha256` does not.",
        told("plain", "a second time", TWO),
    ),
    Mistake(
        "kind left out",
        "A welcome and an invoice with the same payload have one hash. So an invoice that "
        "comes under the key of a welcome counts as sent, and the customer never gets it. "
        "Put the kind into the hash, too.",
        told("kinds", "a welcome and an invoice", ONE),
    ),
    Mistake(
        "order of the names",
        "One program wrote `lead` first, the other `template`, and the same content got two "
        "hashes. The retry is refused as if it were another message, and a person has to look. "
        "`canonical_json` sorts the names, also the inner ones.",
        lambda seen: TWO in (seen("order", "outside"), seen("order", "inside")),
    ),
    Mistake(
        "Python's own writing",
        "What you hashed is Python's own writing of a dictionary, with its `'` and `None`. A "
        "program in another language writes the same content otherwise, gets another hash, and "
        "refuses a good retry. JSON in its canonical form is written alike everywhere: "
        "`canonical_json`.",
        hash_of(
            "Python's own writing of both",
            "Python's own writing of both, sorted",
            "Python's own writing of the payload",
        ),
    ),
    Mistake(
        "a text inside",
        "The payload was written as JSON, and then hashed as a text inside of JSON. So a "
        "payload and a text that shows it have one hash, and other programs get another. Give "
        "`canonical_json` one object that holds both, the payload as it came.",
        hash_of("kind and a text that holds the payload"),
    ),
    Mistake(
        "glued",
        "Kind and payload were put together in another way than was agreed: one behind the "
        "other, in a list, mixed, or one as the name of the other. Where nobody can tell which is "
        "which, two different pairs have one hash, and any other program gets another one. Put "
        "both into one object, with the names `kind` and `payload`.",
        hash_of(
            "kind and payload, one behind the other",
            "kind and payload, joined by a sign",
            "payload and kind, one behind the other",
            "a list of kind and payload",
            "kind and payload in one object, mixed",
            "an object that has the kind for a name",
        ),
    ),
    Mistake(
        "another algorithm",
        "The right text was hashed, and not as agreed. The programs that compare hashes with "
        "yours all find another content, and refuse good retries; for MD5 and SHA-1, moreover, "
        "two contents with one hash can be made on purpose. It is SHA-256, in hex, all 64 "
        "characters of it, in small letters.",
        another_way,
    ),
    Mistake(
        "not normalised",
        "The name Zoë is stored in two ways that look the same, and the same content got two "
        "hashes. Zoë typed her name on another machine, and her retry is refused. "
        "`canonical_json` brings texts into one form, wherever they stand.",
        lambda seen: any(
            seen("unicode", label) == TWO for label in ("as a value", "as a name", "in a list")
        ),
    ),
    Mistake(
        "refused without an error",
        "An amount of 19.99 has no single written form, and your function gave back something "
        "that is no hash instead of an error. All such payloads are then alike, and one passes "
        "for the other. Let `UncanonicalPayload` come out.",
        lambda seen: seen("numbers", "19.99") in ("nothing", "no hash, and no error"),
    ),
    Mistake(
        "floats hashed",
        "An amount of 19.99 got a hash. Programs write such numbers in different ways, 19.99 "
        "or 19.990000000000002, so one amount has two hashes, and a good retry is refused. "
        "`canonical_json` refuses them: amounts are whole numbers, in cents.",
        hashed("19.99", "19.99 deep inside"),
    ),
    Mistake(
        "half a character",
        "Half of a character was left out or replaced, and the rest was hashed. So two "
        "different texts have one hash, and the second one passes for the first. What cannot "
        "be written has to be refused: `canonical_json` does it.",
        hashed("half of a character"),
    ),
    Mistake(
        "names made into text",
        "A name that is no text was made into one, or one of two equal names was dropped. So "
        "the number 1 and the text 1, or two different objects, have one hash, and one passes "
        "for the other. `canonical_json` refuses such names.",
        hashed("a number as a name", "nothing as a name", "Zoë as a name, in both ways"),
    ),
    Mistake(
        "anything hashed",
        "Something that JSON has no word for got a hash: bytes, a set, a Decimal, or a number "
        "that other programs read differently. What another program would write for it, nobody "
        "knows, so the same content may be refused there. `canonical_json` refuses it here.",
        hashed(
            "bytes", "a set", "a Decimal", "2**53, which is too large", "NaN, which is not a number"
        ),
    ),
    Mistake(
        "another error",
        "A payload that has no single written form was refused with another error than "
        "`UncanonicalPayload`. Whoever wants to tell a bad payload from any other trouble "
        "waits for that one, so this one ends the whole run. `canonical_json` raises it.",
        other_errors,
    ),
    Mistake(
        "another spelling",
        "The hash is one of JSON that is written otherwise: with blanks between the parts, or "
        "with other signs in place of the letter ë. A program that writes the canonical form "
        "gets another hash, and refuses your retry. `canonical_json` writes it as it was "
        "agreed.",
        hash_of(
            "JSON of both, with blanks between the parts",
            "JSON of both, with other signs for letters",
            "json.dumps of both, sorted",
            "json.dumps of both, as it comes",
        ),
    ),
    Mistake(
        "two contents, one hash",
        "Two contents that are not the same have one hash. Whoever brings the second under the "
        "key of the first is told that it was sent, and nobody ever gets it. Change nothing in "
        "the payload before you hash it.",
        two_in_one,
    ),
    Mistake(
        "not every letter",
        "The welcome has the agreed hash, and the invoice of Zoë has another one. So a "
        "colleague's program refuses a good retry of hers. Change nothing in what `canonical_json` "
        "wrote, and make bytes of it with `text.encode()`, which loses no letter.",
        lambda seen: seen("plain", OF) == BOTH and seen("exactly", OF) == ELSE,
    ),
    Mistake(
        "another object",
        "Your hash is of something else than was agreed. A colleague's program gets another one "
        "for the same welcome, and refuses your good retry. Hash the canonical JSON of one object "
        "that has two names, `kind` and `payload`, with nothing else in it, before it or behind "
        "it.",
        lambda seen: seen("plain", OF) not in (None, BOTH),
    ),
)
