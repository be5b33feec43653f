"""Lesson 06: cross the boundary once, and leave behind what is known about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lab.exercises.asked.attempt_further import FURTHER
from lab.exercises.asked.attempt_mistakes import (
    AFTER,
    ALLOWED,
    ANSWERS,
    AT_ONCE,
    KNOWN,
    LEAVES,
    MESSAGES,
    MISTAKES,
    NAMED,
    OPEN,
    REPORTED,
    SAYS,
)
from lab.exercises.exercise import Exercise, Scenario
from lab.exercises.stage import STOPPED, Facts, Site, Stage, as_attempt
from lab.faults.clock import MINUTE_MS
from lab.faults.gateways import SAFE
from lab.faults.world import Scene
from lab.gateway import (
    BLIND,
    KEYED,
    PREPARED,
    READABLE,
    UNKNOWN,
    Fault,
    ProviderContract,
    attempt,
)
from lab.gateway.ledger import ATTEMPTS, SEND_WINDOW_MS
from lab.gateway.provider import DAY_MS

MANY = 6
A_CALL_MS = 10_000  # a call that gets no answer takes its time


def around(
    thing: Any, step: str, before: Callable[[], object] = str, after: Callable[[], object] = str
) -> None:
    """Let something happen right before, or right after, the first call of a method."""
    call = getattr(thing, step)

    def called(*values: Any, **named: Any) -> Any:
        vars(thing).pop(step)
        before()
        try:
            return call(*values, **named)
        finally:
            after()

    vars(thing)[step] = called


def noted(site: Site) -> Facts:
    """Return what both sides hold, and what the row says of its attempt."""
    row, key = site.row(), site.action.key
    send_by = row.send_by if row else None
    others = sorted({one["key"] for one in site.provider.requests()} - {key})
    return {
        **site.facts(),
        KNOWN: ", ".join(others) or "our key",
        NAMED: numbers([one["attempt"] for one in site.provider.requests(key)]),
        OPEN: "no attempt is open" if send_by is None else f"{send_by - site.clock():,} ms",
        ALLOWED: row.attempts_allowed if row else None,
    }


def numbers(attempts: Sequence[int]) -> str:
    """Write the numbers of attempts; what goes round in circles makes a great many."""
    more = f" and {len(attempts) - MANY} more" if len(attempts) > MANY else ""
    return (", ".join(map(str, attempts[:MANY])) or "none") + more


def answered(prepared: bool) -> Callable[[Stage], Facts]:
    """Let the provider answer with a receipt; the ledger knew the action before, or did not."""

    def play(stage: Stage) -> Facts:
        told: list[str] = []

        def look() -> None:
            row = site.row()
            told.append(f"{row.state}, attempt {row.attempts}" if row else "nothing")

        with stage.site(READABLE) as site:
            if prepared:
                site.ledger.prepare(site.action)
            around(site.provider, "perform", before=look)
            site.execute()
            site.execute()
            return {**noted(site), LEAVES: "".join(told) or "no message leaves"}

    return play


def times(
    contract: ProviderContract, faults: Sequence[Fault], *waits: int
) -> Callable[[Stage], Facts]:
    """Let the gateway do the action, again and again, each time after a wait (ms)."""

    def play(stage: Stage) -> Facts:
        with stage.site(contract, faults) as site:
            site.execute()
            first = len(site.provider.effects())
            for wait in waits:
                site.execute(wait=wait)
            return {AT_ONCE: first, **noted(site)}

    return play


def unanswered(fault: Fault) -> Callable[[Stage], Facts]:
    """Let the message arrive, and no answer that says so: the call takes its time."""

    def play(stage: Stage) -> Facts:
        with stage.site(READABLE, [fault]) as site:
            around(site.provider, "perform", before=lambda: site.clock.advance(A_CALL_MS))
            site.execute()
            then = noted(site)
            site.execute(wait=MINUTE_MS)
            at_once = {AFTER: then[SAYS], OPEN: then[OPEN], AT_ONCE: then[MESSAGES]}
            return {**noted(site), **at_once}

    return play


def broken_off(error: Exception) -> Callable[[Stage], Facts]:
    """Let the message arrive, and the call end in an error of Python's own."""

    def play(stage: Stage) -> Facts:
        with stage.site(READABLE) as site:

            def ends() -> None:
                site.clock.advance(A_CALL_MS)
                raise error

            around(site.provider, "perform", after=ends)
            site.execute()
            then = noted(site)
            site.execute(wait=MINUTE_MS)
            return {**noted(site), AFTER: then[SAYS], OPEN: then[OPEN]}

    return play


def settled_meanwhile(stage: Stage) -> Facts:
    """Let a call hang until another worker has found the message; then it gets no answer."""
    with stage.site(READABLE, [Fault.RESPONSE_LOST]) as site:

        def meanwhile() -> None:
            SAFE.execute(site.action, site.ledger, site.provider)

        around(site.provider, "perform", after=meanwhile)
        told = site.execute()
        facts = site.facts()
        del facts[ANSWERS]
        return {**facts, REPORTED: told.split(", ")[-1]}


def slept(milliseconds: int) -> Callable[[Stage], Facts]:
    """Let the worker fall asleep right after it began."""

    def play(stage: Stage) -> Facts:
        with stage.site(READABLE) as site:
            around(site.ledger, "begin", after=lambda: site.clock.advance(milliseconds))
            site.execute()
            return noted(site)

    return play


def another_is_faster(stage: Stage) -> Facts:
    """Let another worker begin a moment before, and send a moment after."""
    with stage.site(READABLE) as site:

        def begin() -> None:
            site.ledger.begin(site.action, site.row(), site.provider.contract.name)

        around(site.ledger, "begin", before=begin)
        site.execute()
        site.provider.perform(site.action, 1)
        return {ANSWERS: list(site.told), MESSAGES: len(site.provider.effects())}


def late_receipt(stage: Stage) -> Facts:
    """Let a call hang until another worker has handed the row to a person; then it is answered."""
    with stage.site(BLIND) as site:

        def meanwhile() -> None:
            site.clock.advance(SEND_WINDOW_MS + 1)
            SAFE.execute(site.action, site.ledger, site.provider)

        around(site.provider, "perform", before=meanwhile)
        site.execute()
        site.execute(wait=MINUTE_MS)
        return site.facts()


def overtaken(fault: Fault) -> Callable[[Stage], Facts]:
    """Let a call hang until another worker has begun the next attempt; then it ends badly."""

    def play(stage: Stage) -> Facts:
        with stage.site(READABLE, [fault]) as site:

            def meanwhile() -> None:
                site.clock.advance(2 * MINUTE_MS)
                row = site.row()
                if row is not None and row.state == UNKNOWN:
                    row = site.ledger.change(row, PREPARED, "proved not executed", send_by=None)
                    site.ledger.begin(site.action, row, site.provider.contract.name)

            around(site.provider, "perform", before=meanwhile)
            site.execute()
            then = noted(site)
            site.execute()
            site.provider.perform(site.action, 2)  # the other worker sends
            return {
                OPEN: then[OPEN],
                ANSWERS: list(site.told),
                MESSAGES: len(site.provider.effects()),
            }

    return play


ANSWERED = (
    "NONE", "RESPONSE_LOST", "REFUSED", "REJECTED", "UNFORESEEN", "EMPTY_RECEIPT", "LATE",
)  # fmt: skip
READABLE_SCENES = [Scene("readable", (fault,)) for fault in ANSWERED]
OTHER_SCENES = [
    *(Scene(contract, prepared=True) for contract in ("keyed", "searchable", "blind")),
    Scene("keyed", ("LATE",)),
    Scene("searchable", ("REFUSED",)),
    Scene("blind", ("EMPTY_RECEIPT",)),
]


def killed(scenes: Sequence[Scene], crashes: int = 1) -> Callable[[Stage], Facts]:
    """Let workers die at every step of every run, and add up the numbers of all scenes."""

    def play(stage: Stage) -> Facts:
        sums: Facts = {}
        for scene in scenes:
            found = stage.explored(scene, crashes)
            if STOPPED in found or stage.player.endless:
                return found
            sums = {label: sums.get(label, 0) + number for label, number in found.items()}
        return sums

    return play


exercise = Exercise(
    name="attempt",
    lesson="06",
    title="Cross the boundary once",
    defines=("attempt",),
    takes=("action", "row", "ledger", "provider"),
    plug=as_attempt,
    scenarios=(
        Scenario("sent", "Lead-202 is owed a message, and the provider answers with a receipt.",
                 answered(prepared=False), live=True),
        Scenario("prepared", "The same, and the ledger knew the action before.",
                 answered(prepared=True), live=True),
        Scenario("retry", "The provider refuses: too many requests. Later it is asked again.",
                 times(KEYED, [Fault.RATE_LIMITED], DAY_MS - 1)),
        Scenario("used up", "The provider refuses three times, and three attempts are allowed.",
                 times(READABLE, [Fault.RATE_LIMITED] * ATTEMPTS, *[MINUTE_MS] * ATTEMPTS)),
        Scenario("rejected", "The provider rejects the message for good.",
                 times(READABLE, [Fault.REJECTED], MINUTE_MS)),
        Scenario("forgotten", "It refuses once, and a day later it may have forgotten the key.",
                 times(KEYED, [Fault.RATE_LIMITED], DAY_MS)),
        Scenario("silence", "The message arrives, and the response is lost.",
                 unanswered(Fault.RESPONSE_LOST)),
        Scenario("unforeseen", "The message arrives; the answer is an error nobody foresaw.",
                 unanswered(Fault.UNFORESEEN)),
        Scenario("timed out", "The message arrives, and the call ends in a time-out.",
                 broken_off(TimeoutError("timed out"))),
        Scenario("cut off", "The message arrives, and the connection breaks.",
                 broken_off(ConnectionResetError("connection reset"))),
        Scenario("empty", "The message arrives, and the receipt is empty.",
                 unanswered(Fault.EMPTY_RECEIPT)),
        Scenario("on time", "The worker falls asleep, and wakes up at the last moment to send.",
                 slept(SEND_WINDOW_MS)),
        Scenario("asleep", "It wakes up one millisecond after the last moment.",
                 slept(SEND_WINDOW_MS + 1)),
        Scenario("faster", "Another worker begins the attempt a moment before.",
                 another_is_faster),
        Scenario("late", "The call hangs, a person is asked to look; then the receipt comes.",
                 late_receipt),
        Scenario("old refusal", "The call hangs, another is begun; then the first is refused.",
                 overtaken(Fault.RATE_LIMITED)),
        Scenario("old silence", "The call hangs, another is begun; the first gets no answer.",
                 overtaken(Fault.REQUEST_LOST)),
        Scenario("settled meanwhile", "While the call hangs, another worker finds the message; no "
                 "answer comes.", settled_meanwhile),
        Scenario("killed", "The worker dies at every step, whatever the provider answers.",
                 killed(READABLE_SCENES)),
        Scenario("elsewhere", "It dies at every step, at providers that promise other things.",
                 killed(OTHER_SCENES)),
    ),
    mistakes=(*MISTAKES, *FURTHER),
    hints=(
        "If the worker dies during the call, what will the next one find in the ledger? And which "
        "errors prove that the provider did nothing?",
        "Five moves, in this order: ask `no_attempt_left` where there is a row; begin; look at "
        "the clock; call; write down how it ended. The look at the clock and the call share one "
        "`try`. It has two `except` clauses: first the one error that is proof, then all others.",
        "The frame, with gaps:\n"
        "    row = ledger.begin(action, row, provider.contract.name)\n"
        "    try:\n"
        "        if ledger.now(row) > row.send_by:\n"
        '            raise NotExecuted("woke up too late to send")\n'
        "        receipt = check_receipt(provider.perform(action, ...))\n"
        "    except NotExecuted as refusal:\n"
        "        row = ledger.change(row, PREPARED, str(refusal), send_by=None, ...)\n"
        "        ...\n"
        "    except Exception as silence:\n"
        "        row = ledger.change(row, UNKNOWN, ..., send_by=...)\n"
        '        return Outcome.of(row, "hold")\n'
        '    return Outcome.of(ledger.settle(row, receipt, ...), "sent")',
    ),
    solved=(attempt,),
    why="UNKNOWN is on disk before the message leaves, so whoever dies leaves the truth behind. "
    "Only proof that nothing was done leads back to PREPARED. All else, foreseen or not, stays "
    "UNKNOWN until there is evidence.",
)  # fmt: skip
