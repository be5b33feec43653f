"""Lesson 13: what happened on the wire, and what may be concluded from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lab.exercises.asked.meaning_mistakes import MISTAKES
from lab.exercises.exercise import Exercise, Scenario
from lab.exercises.stage import Facts, Stage
from lab.guest.wire import shown

BEFORE, SENDING, WAITING, READING = "before", "sending", "waiting", "reading"
ANSWERED = "answered"
VALIDATES, RATE, BUSY = PROMISES = "validates_first", "rate_limit_first", "busy_first"
REFUSALS = (400, 401, 403, 404, 422)
ODD = ((203, 205, 206), (300, 304, 305), (406, 410, 411, 413, 414, 415), (506, 507, 508, 511))
Call = tuple[str, str, int | None, str | None, tuple[str, ...]]
"""One question: its label, and the four arguments."""


def meaning(phase: str, status: int | None, receipt: str | None, promises: tuple[str, ...]) -> str:
    """Say what may be concluded: "accepted", "retryable", "final" or "indefinite"."""
    if phase == "before":
        return "retryable"  # nothing was sent, so nothing can have happened
    if phase != "answered":
        return "indefinite"  # half an answer is none: the rest may differ
    if status == 200 and receipt is not None:
        return "accepted"
    if status in (400, 401, 403, 404, 422) and "validates_first" in promises:
        return "final"
    needs = {429: "rate_limit_first", 503: "busy_first"}.get(status or 0)
    return "retryable" if needs in promises else "indefinite"


def said(answer: Any) -> str:
    """Return an answer as a fact: the word, or what came instead of one."""
    if answer is None:
        return "nothing"
    return answer if isinstance(answer, str) else f"no word: {shown(answer).text[:60]}"


def asked(calls: Sequence[Call]) -> Callable[[Stage], Facts]:
    """Return what asks some questions, in one process."""

    def play(stage: Stage) -> Facts:
        with stage.life():
            return {label: said(stage.answer("meaning", *values)) for label, *values in calls}

    return play


def statuses(*given: int, promises: tuple[str, ...] = PROMISES) -> list[Call]:
    """Return a question for each status of an answer that was read whole."""
    return [(f"{status}", ANSWERED, status, None, promises) for status in given]


def others(promise: str) -> tuple[str, ...]:
    """Return the promises but for one."""
    return tuple(one for one in PROMISES if one != promise)


def drawn(stage: Stage) -> Facts:
    """Ask questions that no lesson asks."""
    draw = stage.draw
    refusals = draw.sample(REFUSALS, len(REFUSALS))
    odd = [draw.choice(some) for some in ODD]
    calls = [
        ("while it was sent", SENDING, None, None, PROMISES),
        ("no answer", WAITING, None, None, PROMISES),
        ("broken off", READING, draw.choice(REFUSALS), None, PROMISES),
        ("200 and a receipt", ANSWERED, 200, f"mail-{draw.randint(10, 9_999)}", ()),
        *statuses(*refusals, promises=(VALIDATES,)),
        *statuses(*odd),
    ]
    return asked(calls)(stage)


NOBODY: list[Call] = [
    ("nothing promised", BEFORE, None, None, ()),
    ("all promised", BEFORE, None, None, PROMISES),
]
WHOLE: list[Call] = [("200 and a receipt", ANSWERED, 200, "mail-7", ())]
SILENCE: list[Call] = [
    ("while it was sent", SENDING, None, None, PROMISES),
    ("no answer", WAITING, None, None, PROMISES),
    ("no answer, nothing promised", WAITING, None, None, ()),
]
HALF: list[Call] = [
    ("200 and a receipt", READING, 200, "mail-7", PROMISES),
    ("400", READING, 400, None, PROMISES),
    ("429", READING, 429, None, PROMISES),
]
NO_RECEIPT: list[Call] = [("200", ANSWERED, 200, None, PROMISES)]
NOT_200: list[Call] = [
    ("201 and a receipt", ANSWERED, 201, "mail-7", PROMISES),
    ("202 and a receipt", ANSWERED, 202, "mail-7", PROMISES),
    ("409 and a receipt", ANSWERED, 409, "mail-7", PROMISES),
    ("500 and a receipt", ANSWERED, 500, "mail-7", PROMISES),
]
TURNED_AWAY: list[Call] = [
    ("429", ANSWERED, 429, None, (RATE,)),
    ("503", ANSWERED, 503, None, (BUSY,)),
]
NO_WORD: list[Call] = [("429", ANSWERED, 429, None, ()), ("503", ANSWERED, 503, None, ())]
OTHER_WORD: list[Call] = [
    ("429", ANSWERED, 429, None, others(RATE)),
    ("503", ANSWERED, 503, None, others(BUSY)),
    ("400", ANSWERED, 400, None, others(VALIDATES)),
]

exercise = Exercise(
    name="meaning",
    lesson="13",
    title="Say what an answer means",
    defines=("meaning",),
    takes=("phase", "status", "receipt", "promises"),
    scenarios=(
        Scenario("nobody", "Nobody was there, so nothing was handed over.", asked(NOBODY),
                 live=True),
        Scenario("whole", "The answer is 200, and names a receipt.", asked(WHOLE), live=True),
        Scenario("silence", "The cable was pulled while it was sent, or nothing came back.",
                 asked(SILENCE)),
        Scenario("half", "A status came, and the answer broke off behind it.", asked(HALF)),
        Scenario("no receipt", "The answer is 200, and names no receipt.", asked(NO_RECEIPT)),
        Scenario("not 200", "A receipt stands beside another status.", asked(NOT_200)),
        Scenario("refused", "It is refused, and the provider validates first.",
                 asked(statuses(*REFUSALS, promises=(VALIDATES,)))),
        Scenario("refused, no word", "It is refused, and nothing is promised.",
                 asked(statuses(*REFUSALS, promises=()))),
        Scenario("turned away", "It is turned away, and the promise for that is there.",
                 asked(TURNED_AWAY)),
        Scenario("turned away, no word", "It is turned away, and nothing is promised.",
                 asked(NO_WORD)),
        Scenario("other word", "The promise for this status is missing, and others are there.",
                 asked(OTHER_WORD)),
        Scenario("in progress", "A request with this key is still being worked on.",
                 asked(statuses(409))),
        Scenario("broke", "It broke at the provider, or on the way.",
                 asked(statuses(500, 502, 504))),
        Scenario("elsewhere", "The answer says: ask somewhere else.",
                 asked(statuses(301, 302, 303, 307, 308))),
        Scenario("other", "A status that no contract speaks of.",
                 asked(statuses(100, 204, 402, 405, 418, 428, 501, 505))),
        Scenario("drawn", "Answers that were drawn.", drawn),
    ),
    mistakes=MISTAKES,
    hints=(
        "Of which answers do you know that the provider did nothing, and who says so: the phase, "
        "the status, or a promise?",
        "Begin with \"before\". Then send away every phase that is not \"answered\": its status "
        "and its receipt do not count. Of the whole answers, name the few that prove something; "
        "the rest is \"indefinite\".",
        "Three steps, and a last line for all the rest:\n"
        "    if phase == \"before\": return ...\n"
        "    if phase != \"answered\": return ...\n"
        "    if status == 200 and receipt is not None: return ...\n"
        "    if status in (400, 401, 403, 404, 422) and \"validates_first\" in promises: ...\n"
        "    return \"indefinite\"",
    ),
    solved=(meaning,),
    why="Only two things are a proof: that nothing was sent, and a whole answer that the contract "
    "speaks of. Whatever is not on that short list is indefinite, also a status that nobody has "
    "thought of yet.",
)  # fmt: skip
