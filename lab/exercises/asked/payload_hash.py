"""Lesson 03: one content has one hash, whatever has no single written form has none."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from lab.exercises.asked.payload_hash_mistakes import (
    BOTH,
    BY,
    CAPITAL,
    COMPOSED,
    DECOMPOSED,
    ELSE,
    MISTAKES,
    OF,
    ONE,
    REFUSALS,
    SHA,
    TWO,
)
from lab.exercises.exercise import Exercise, Scenario
from lab.exercises.stage import RAISES, Facts, Stage
from lab.gateway import payload_hash
from lab.guest import wire

ALGORITHMS = {
    "sha256": SHA,
    "sha1": "SHA-1",
    "md5": "MD5",
    "sha224": "SHA-224",
    "sha384": "SHA-384",
    "sha512": "SHA-512",
    "sha3_256": "SHA3-256",
    "blake2b": "BLAKE2b",
    "blake2s": "BLAKE2s",
}


def compact(value: Any, **other: Any) -> str:
    """Write a value as the lesson's canonical JSON does, but for what ``other`` says."""
    style = {"sort_keys": True, "separators": (",", ":"), "ensure_ascii": False}
    return json.dumps(value, **{**style, **other})


def forms(kind: str, payload: Any) -> dict[str, str]:
    """Return what a learner may hash, by what it is called; the first is what is asked for."""
    both = {"kind": kind, "payload": payload}
    return {
        BOTH: compact(both),
        "the payload alone": compact(payload),
        "Python's own writing of both": str(both),
        "Python's own writing of both, sorted": str(json.loads(compact(both))),
        "Python's own writing of the payload": str(payload),
        "the payload alone, with blanks": compact(payload, separators=(", ", ": ")),
        "JSON of both, with blanks between the parts": compact(both, separators=(", ", ": ")),
        "JSON of both, with other signs for letters": compact(both, ensure_ascii=True),
        "json.dumps of both, as it comes": json.dumps(both),
        "json.dumps of both, sorted": json.dumps(both, sort_keys=True),
        "kind and payload, one behind the other": kind + compact(payload),
        "kind and payload, joined by a sign": f"{kind}:{compact(payload)}",
        "payload and kind, one behind the other": compact(payload) + kind,
        "kind and a text that holds the payload": compact(
            {"kind": kind, "payload": compact(payload)}
        ),
        "a list of kind and payload": compact([kind, payload]),
        "kind and payload in one object, mixed": compact({**payload, "kind": kind}),
        "an object that has the kind for a name": compact({kind: payload}),
        "kind and payload, each in the other's place": compact({"kind": payload, "payload": kind}),
    }


def named(answer: Any, kind: str, payload: Any) -> Facts:
    """Say which text a hash is the hash of, and how it was made, if one can find out."""
    if answer is None:
        return {BY: "nothing"}
    if not isinstance(answer, str):
        return {OF: ELSE, BY: f"no text: {wire.shown(answer).text[:60]}"}
    if answer.startswith(RAISES):
        return {BY: answer}
    for called, text in forms(kind, payload).items():
        for algorithm, name in ALGORITHMS.items():
            digest = hashlib.new(algorithm, text.encode(), usedforsecurity=False).hexdigest()
            if answer == digest:
                return {OF: called, BY: name}
            if answer and digest.startswith(answer.lower()):
                cut = "in capitals" if len(answer) == len(digest) else f"cut to {len(answer)}"
                return {OF: called, BY: f"{name}, {cut}"}
    return {OF: ELSE, BY: f"{len(answer)} characters: {answer[:12]}..."}


def plain(stage: Stage) -> Facts:
    """Hash the welcome of one lead, twice."""
    lead = f"lead-{stage.number(202)}"
    payload = {"template": "warm-hello", "lead": lead}
    first, again = (stage.answer("payload_hash", "welcome_email", payload) for _ in range(2))
    return {**named(first, "welcome_email", payload), "a second time": related(first, again)}


def related(one: Any, other: Any) -> str:
    """Say whether two answers are one hash; where one of them is none, say what it is."""
    for answer in (one, other):
        if answer is None:
            return "nothing"
        if isinstance(answer, str) and answer.startswith(RAISES):
            return answer
    return ONE if one == other else TWO


def pairs(name: str, title: str, *compared: tuple[str, Any, Any]) -> Scenario:
    """Return a scenario that compares the hashes of two payloads, each under a label."""

    def play(stage: Stage) -> Facts:
        with stage.life():
            return {
                what: related(
                    stage.answer("payload_hash", "welcome_email", one),
                    stage.answer("payload_hash", "welcome_email", other),
                )
                for what, one, other in compared
            }

    return Scenario(name, title, play)


def kinds(stage: Stage) -> Facts:
    """Hash one payload under three kinds."""
    payload = {"lead": f"lead-{stage.number(202)}"}
    named = ("welcome_email", "invoice", "Invoice")
    welcome, invoice, capital = (stage.answer("payload_hash", kind, payload) for kind in named)
    return {
        "a welcome and an invoice": related(welcome, invoice),
        CAPITAL: related(invoice, capital),
    }


def exactly(stage: Stage) -> Facts:
    """Hash a payload with all that JSON has: letters, numbers, lists, true, null."""
    payload = {
        "name": COMPOSED,
        "lines": [{"price": 1999, "item": f"book-{stage.number(7)}"}, [], {}],
        "gift": True,
        "note": None,
    }
    return named(stage.answer("payload_hash", "invoice", payload), "invoice", payload)


def drawn(stage: Stage) -> Facts:
    """Hash a payload that no lesson shows."""
    draw = stage.draw
    names = draw.sample(["order", "lead", "total", "text", "Zoë", "note"], 4)
    payload = {name: draw.choice([draw.randint(-9, 10**12), [name, None], {"b": 1, "a": name}])
               for name in names}  # fmt: skip
    return named(stage.answer("payload_hash", "ticket", payload), "ticket", payload)


def refused(name: str, title: str) -> Scenario:
    """Return a scenario with payloads that have no single written form."""

    def play(stage: Stage) -> Facts:
        return {what: found(stage, value) for what, value in REFUSALS[name]}

    def found(stage: Stage, value: Any) -> str:
        answer = stage.answer("payload_hash", "invoice", value)
        if answer is None or (isinstance(answer, str) and answer.startswith(RAISES)):
            return answer or "nothing"
        return "a hash" if answer else "no hash, and no error"

    return Scenario(name, title, play)


exercise = Exercise(
    name="payload_hash",
    lesson="03",
    title="One content, one hash",
    defines=("payload_hash",),
    takes=("kind", "payload"),
    scenarios=(
        Scenario("plain", "The welcome of lead-202 is hashed, twice.", plain, live=True),
        pairs("order", "The names come in another order, outside and inside.",
              ("outside", {"lead": "l", "template": "t"}, {"template": "t", "lead": "l"}),
              ("inside", {"line": {"a": 1, "b": 2}}, {"line": {"b": 2, "a": 1}})),
        Scenario("kinds", "Actions of different kinds have the same payload.", kinds),
        pairs("unicode", "The name Zoë is stored in two ways that look the same.",
              ("as a value", {"name": COMPOSED}, {"name": DECOMPOSED}),
              ("as a name", {COMPOSED: 1}, {DECOMPOSED: 1}),
              ("in a list", {"names": [COMPOSED]}, {"names": [DECOMPOSED]})),
        pairs("others", "Contents that look alike, and are not.",
              ("another template", {"template": "v1"}, {"template": "v2"}),
              ("another order of a list", {"lines": [1, 2]}, {"lines": [2, 1]}),
              ("1 and the text 1", {"count": 1}, {"count": "1"}),
              ("1 and true", {"count": 1}, {"count": True}),
              ("null and not there", {"note": None}, {}),
              ("a capital letter", {"text": "Hello"}, {"text": "hello"}),
              ("a blank", {"text": "hello "}, {"text": "hello"}),
              ("m² and m2", {"text": "12 m²"}, {"text": "12 m2"}),
              ("an object, and a text that shows it", {"x": {"a": 1}}, {"x": '{"a":1}'})),
        refused("numbers", "An amount is no whole number, or too large."),
        refused("values", "A value has no place in JSON."),
        refused("names", "A name is no text, or two names are one."),
        Scenario("exactly", "An invoice with all that JSON has: Zoë, lists, true, null.", exactly),
        Scenario("drawn", "A ticket with four values that were drawn.", drawn),
    ),
    mistakes=MISTAKES,
    hints=(
        "What belongs to the meaning of a key: the payload alone? And in which form does every "
        "program write it?",
        "Put kind and payload into one object, write that object with `canonical_json`, and hash "
        "the text. A text has to become bytes before it is hashed: `text.encode()`.",
        "One object, one text, one hash:\n"
        "    text = canonical_json({\"kind\": ..., \"payload\": ...})\n"
        "    return hashlib.sha256(text.encode())...",
    ),
    solved=(payload_hash,),
    why="Kind and payload stand in one object, so that nobody can mistake where one of them ends. "
    "The object is written in the one form that every program writes, and what has no such form "
    "never gets a hash: canonical_json refuses it, and its error passes through.",
)  # fmt: skip
