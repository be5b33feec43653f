"""How the boundary panel opens in each lesson, and what a learner may choose there."""

from __future__ import annotations

from typing import NamedTuple

from lab.faults.clock import MINUTE_MS, SECOND_MS
from lab.gateway import Fault

FAULTS = {
    "nothing": Fault.NONE,
    "the response is lost": Fault.RESPONSE_LOST,
    "the request is lost": Fault.REQUEST_LOST,
    "the request is late": Fault.LATE,
    "refused before anything is sent": Fault.REFUSED,
    "rejected": Fault.REJECTED,
    "rejected, and the answer is lost": Fault.REJECTION_LOST,
    "an answer that nobody can read": Fault.UNFORESEEN,
    "an effect without a receipt": Fault.EMPTY_RECEIPT,
}
WAITS = {
    "1 s": SECOND_MS,
    "31 s": 31 * SECOND_MS,
    "61 s": MINUTE_MS + SECOND_MS,
    "361 s": 6 * MINUTE_MS + SECOND_MS,
    "a day": 24 * 60 * MINUTE_MS,
}


class Opening(NamedTuple):
    """How the panel opens in a lesson: what crosses the boundary, and what goes wrong with it."""

    crosses: str  # a method of `Boundary`
    label: str
    tip: str
    contract: str
    fault: Fault
    answers: bool
    try_first: str
    later: tuple[Fault, ...] = ()  # what goes wrong after it, as long as the first is not changed


OPENINGS = {
    "send": Opening(
        "send", "Send", "Call the provider; the ledger is told nothing", "readable",
        Fault.RESPONSE_LOST, True,
        "press Send, and no answer comes. Press Read back. Then choose 'the request is late', "
        "send, read back, let 61 s pass, and read back once more.",
    ),
    "attempt": Opening(
        "attempt", "Attempt", "Write UNKNOWN, call, and write down what is known", "readable",
        Fault.UNFORESEEN, True,
        "press Attempt, and compare the two sides. Then choose another line in Attempt 1 "
        "meets, and attempt again. Where may one press Attempt a second time?",
    ),
    "execute": Opening(
        "execute", "Execute", "Do the action at most once, whatever is known so far", "readable",
        Fault.REQUEST_LOST, False,
        "press Execute, let 1 s pass, press Execute again: nobody can say, and the desk opens. "
        "Write your name and your grounds, and approve one attempt: it is too early. Choose 61 s, "
        "let it pass, approve again, and press Execute.",
    ),
    "rejected": Opening(
        "execute", "Execute", "Do the action at most once, whatever is known so far", "readable",
        Fault.REJECTION_LOST, True,
        "press Execute: the provider rejects it, and nobody hears. Press Execute again: attempt 2 "
        "is late. And again: the rejection closes attempt 1 alone. Let 61 s pass, and execute.",
        (Fault.LATE,),
    ),
}  # fmt: skip
