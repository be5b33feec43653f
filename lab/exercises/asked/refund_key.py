"""Lesson 02: two refunds of one amount are two intentions, two retries of one refund are one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lab.exercises.exercise import Exercise, Mistake, Scenario, Seen, told
from lab.exercises.stage import RAISES, Facts, Stage
from lab.gateway import UnsafeKey, action_key, check_key
from lab.guest import wire

ONE, TWO = "one key", "two keys"
ATTEMPTS, REFUNDS = "two attempts at one refund have", "the two refunds have"
STORED, FIRST, PERSON = "the key may be stored", "its first part", "it names a person"
NAME = "lovelace"


def refund_key(refund: Mapping[str, Any]) -> str:
    """Return the key of a refund: the same in every attempt at it, and no other refund's."""
    return action_key("refund", refund["entry"])


def asked_for(stage: Stage, entry: int = 31, **other: Any) -> dict[str, Any]:
    """Return what is brought to one attempt at a refund; ``other`` says what is different."""
    return {
        "run": "run-8841",
        "step": "pay-back",
        "entry": f"entry-{stage.number(entry)}",
        "order": f"order-{stage.number(77)}",
        "customer": f"customer-{stage.number(12)}",
        "amount": 1999,
        "currency": "EUR",
        "asked_by": f"ada.{NAME}",
        "attempt": 1,
        "at": "2026-03-02T09:15:00Z",
        **other,
    }


SECOND: dict[str, Any] = {"attempt": 2, "at": "2026-03-02T09:15:40Z"}
NEXT_DAY: dict[str, Any] = {"run": "run-8850", "at": "2026-03-03T11:02:00Z"}
COLLEAGUE: dict[str, Any] = {**NEXT_DAY, "step": "pay-the-rest"}


def related(one: Any, other: Any) -> str:
    """Say whether two answers are one key; where one of them is no key, say what it is."""
    for answer in (one, other):
        if not isinstance(answer, str):
            return "nothing" if answer is None else f"no text: {wire.shown(answer).text}"
        if answer.startswith(RAISES):
            return answer
    return ONE if one == other else TWO


def keys(stage: Stage, *refunds: dict[str, Any]) -> list[Any]:
    """Return the key of each, made in a process of its own, and tell of them."""
    made = [stage.answer("refund_key", refund) for refund in refunds]
    before = stage.story()
    lines = [
        f"{refund['entry']}, {refund['run']}, attempt {refund['attempt']}: {as_told(key)}"
        for refund, key in zip(refunds, made, strict=True)
    ]
    stage.story = lambda: before + lines
    return made


def as_told(key: Any) -> str:
    """Return an answer as the story tells it: a key, an error, or what is no key."""
    if isinstance(key, str) and key.startswith(RAISES):
        return f"the error {key.removeprefix('raises ')}"
    return str(wire.shown(key).text)


def as_in_the_lesson(stage: Stage) -> Facts:
    """Two refunds of one amount, a day apart; the first is attempted twice by one process."""
    with stage.life():
        first, again = keys(stage, asked_for(stage), asked_for(stage, **SECOND))
    (other,) = keys(stage, asked_for(stage, entry=32, **NEXT_DAY))
    return {ATTEMPTS: related(first, again), REFUNDS: related(first, other)}


def in_one_run(stage: Stage) -> Facts:
    """Two refunds in one run, begun in the same second."""
    with stage.life():
        return {REFUNDS: related(*keys(stage, asked_for(stage), asked_for(stage, entry=32)))}


def named_alike(stage: Stage) -> Facts:
    """Two refunds whose entries end with the same signs."""
    return {REFUNDS: related(*keys(stage, asked_for(stage), asked_for(stage, entry=131)))}


def of_two_customers(stage: Stage) -> Facts:
    """Two customers, two orders, one amount."""
    elsewhere = {"order": f"order-{stage.number(78)}", "customer": f"customer-{stage.number(13)}"}
    other = asked_for(stage, entry=33, **elsewhere)
    return {REFUNDS: related(*keys(stage, asked_for(stage), other))}


def in_clear(stage: Stage) -> Facts:
    """The key as whoever reads the log sees it."""
    (key,) = keys(stage, asked_for(stage))
    if not isinstance(key, str) or key.startswith(RAISES):
        return {STORED: related(key, key)}
    try:
        stored = "yes" if check_key(key) else "no"
    except UnsafeKey:
        stored = "no"
    person = "yes" if NAME in key.lower() else "no"
    return {STORED: stored, FIRST: key.partition(":")[0], PERSON: person}


def attempted(name: str, title: str, **changed: Any) -> Scenario:
    """Return a scenario with two attempts at one refund, in two processes."""

    def play(stage: Stage) -> Facts:
        return {ATTEMPTS: related(*keys(stage, asked_for(stage), asked_for(stage, **changed)))}

    return Scenario(name, title, play)


def both(*tests: Callable[[Seen], bool]) -> Callable[[Seen], bool]:
    """Recognise by several facts at once."""
    return lambda seen: all(test(seen) for test in tests)


def first_part_missing(seen: Seen) -> bool:
    """Recognise a key that may be stored and does not begin with ``refund``."""
    return bool(seen("in clear", STORED) == "yes" and seen("in clear", FIRST) != "refund")


exercise = Exercise(
    name="refund_key",
    lesson="02",
    title="Name a refund",
    defines=("refund_key",),
    takes=("refund",),
    scenarios=(
        Scenario("lesson", "Order 77 is owed two refunds of 19.99, a day apart. The first is "
                 "attempted twice.", as_in_the_lesson, live=True),
        attempted("killed", "The process is killed before it sends, and a new one makes the key."),
        attempted("again", "A colleague starts the work on it again the next day.", **COLLEAGUE),
        Scenario("one run", "One run pays both refunds back, and begins both in the same second.",
                 in_one_run),
        Scenario("alike", "Two refunds are owed, and the names of their entries end alike.",
                 named_alike),
        Scenario("customers", "Two customers are owed 19.99 each.", of_two_customers),
        attempted("corrected", "Somebody corrects the amount before the second attempt.",
                  amount=1899, **SECOND),
        attempted("another asks", "Another person asks for the second attempt.",
                  asked_by="ben.abbot", **SECOND),
        Scenario("in clear", "Everybody who reads a log reads the key.", in_clear),
    ),
    mistakes=(
        Mistake(
            "no return",
            "Your function made no key: it returned nothing. Whoever asked for one pays without "
            "it, and no second attempt is ever recognised. Is a `return` missing at its end?",
            told("lesson", REFUNDS, "nothing"),
        ),
        Mistake(
            "no text",
            "What came out is not one text, and the gateway takes nothing else for a key: nobody "
            "is paid. `action_key` joins its parts into one text. Return what it returns.",
            lambda seen: str(seen("lesson", REFUNDS)).startswith("no text"),
        ),
        Mistake(
            "a fresh key each time",
            "The same attempt was described twice, word for word, and two keys came out. No "
            "provider can recognise the second attempt, and the customer is paid twice. Use what "
            "the refund brings with it, and nothing that is drawn or read off a clock.",
            both(told("lesson", ATTEMPTS, TWO), told("killed", ATTEMPTS, TWO)),
        ),
        Mistake(
            "dies with the process",
            "One process made the same key twice, and the next process made another for the same "
            "refund. What it was made of was gone with the first: a dictionary, a counter, the "
            "time of day, or Python's `hash()`, which differs from process to process. Then the "
            "customer is paid once by each of them.",
            told("killed", ATTEMPTS, TWO),
        ),
        Mistake(
            "names the attempt",
            "The first answer was lost, the second attempt got another key, and the customer is "
            "paid twice. Your key holds something that is not the same in every attempt: its "
            "number, its time, or all fields together. What stays when everything about the "
            "attempt is new?",
            told("lesson", ATTEMPTS, TWO),
        ),
        Mistake(
            "names the run",
            "One run pays two refunds back, and both have one key, so one of them is never paid. "
            "And when a colleague starts again, a refund that was paid gets a new key. The run is "
            "not the request here: what does it work on?",
            both(told("one run", REFUNDS, ONE), told("again", ATTEMPTS, TWO)),
        ),
        Mistake(
            "one key for all",
            "Every refund has the same key, whoever is owed it. The first customer is paid, and "
            "all others are told that it was done already. Something in the key has to say which "
            "refund it is.",
            both(told("customers", REFUNDS, ONE), told("corrected", ATTEMPTS, ONE)),
        ),
        Mistake(
            "made of the arguments",
            "Order 77 is owed two refunds of one amount, and both have one key. The second is "
            "taken for a retry of the first, and the customer waits for 19.99. Order, customer and "
            "amount are equal in both: what is not, and stays as it is from attempt to attempt?",
            told("lesson", REFUNDS, ONE),
        ),
        Mistake(
            "a piece of the entry",
            "The names of two entries end alike, and both refunds have one key. The second is "
            "taken for a retry of the first, and is never paid. Your key holds only a piece of the "
            "entry's name: take it whole.",
            told("alike", REFUNDS, ONE),
        ),
        Mistake(
            "the run stands in it",
            "A colleague started the work again the next day, and the same refund got another "
            "key: the customer is paid twice. Your key holds the run, its step or the day. A key "
            "that names the refund does not change with who works on it, or when.",
            told("again", ATTEMPTS, TWO),
        ),
        Mistake(
            "the amount stands in it",
            "Somebody corrected the amount, and the same refund got another key. The first attempt "
            "may have been paid, though its answer was lost, and now the customer is paid the "
            "corrected amount as well. What is paid back may change; which refund it is does not.",
            told("corrected", ATTEMPTS, TWO),
        ),
        Mistake(
            "who asked stands in it",
            "Another person asked for the second attempt, and the same refund got another key: "
            "the customer is paid once for each who asks. A key that names the refund does not "
            "change with the person at the keyboard.",
            told("another asks", ATTEMPTS, TWO),
        ),
        Mistake(
            "a person's name in the key",
            "The name of a person stands in the key. Keys are stored and shown in clear, by us and "
            "by the provider, in every log. Name things by their ids, and people not at all.",
            told("in clear", PERSON, "yes"),
        ),
        Mistake(
            "not fit to be stored",
            "`check_key` refuses the key, so the gateway will not take it, and nobody is paid. A "
            "key has 1 to 200 letters, digits and `.`, `_`, `:`, `-`. `action_key` makes such a "
            "key of its parts.",
            told("in clear", STORED, "no"),
        ),
        Mistake(
            "what is done is not said",
            "The first part of the key is not `refund`. The invoice that is booked under the same "
            "entry would get the same key, and whichever comes second is never done. Say first "
            "what is done, then to which thing.",
            first_part_missing,
        ),
    ),
    hints=(
        "Put two attempts at one refund side by side, then two refunds. Which field is the same "
        "in the first pair and differs in the second?",
        "When the answer to attempt 1 is lost, everything about the attempt may be new: its "
        "number, its time, its run, who asked, even the amount. The decision that money goes back "
        "was made once, and what was written down then has a name of its own.",
        "Say what is done, then which one it is:\n"
        "    return action_key(\"refund\", refund[...])",
    ),
    solved=(refund_key,),
    why="The entry in our books is written once for each decision to pay back. It is the same in "
    "every attempt, whoever makes it and when, and no other refund has it. The order may stand "
    "beside it in the key; it does no harm, and it is not needed.",
)  # fmt: skip
