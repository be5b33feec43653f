"""Lesson 05: what a provider's records say about one action, and never the first of several."""

from __future__ import annotations

from typing import Any

from lab.exercises.asked.verdict_of_mistakes import (
    AFTER,
    ATTEMPT,
    BARE,
    BEFORE,
    BLANK,
    CANDIDATES,
    MISTAKES,
    NOTHING,
    READBACK,
    RECEIPT,
    RETURNS,
    VERDICT,
)
from lab.exercises.exercise import Exercise, Scenario
from lab.exercises.stage import Facts, Stage
from lab.gateway import Readback, Verdict, verdict_of
from lab.guest.wire import Other, shown

FOREIGN = {"sold": "cold-hello", "odd": "odd-hello"}
"""Content that is not ours, by a short name: the template of each."""


def judged(stage: Stage, held: str, rejected: int | None = None) -> Any:
    """Let the learner's function judge one record.

    ``held`` lists effects as ``receipt=whose content``: ``mail-1=ours mail-2=sold``.
    """
    action = stage.action()
    content = {"ours": action.hash}
    content |= {short: stage.action(template=template).hash for short, template in FOREIGN.items()}
    content |= {"almost": f"{action.hash[:-1]}{'0' if action.hash[-1] != '0' else '1'}"}
    content |= {"cut": action.hash[:12]}
    effects = [effect.split("=") for effect in held.split()]
    pairs = [(receipt, content[whose]) for receipt, whose in effects]
    return stage.call("verdict_of", action, pairs, rejected)


def told(answer: Any) -> Facts:
    """Return what an answer says, in the four things that are compared."""
    if isinstance(answer, Verdict):
        return {RETURNS: BARE, VERDICT: answer.name}
    if not isinstance(answer, Readback):
        return {RETURNS: NOTHING if answer is None else answer}
    verdict, receipt, attempt = answer.verdict, answer.receipt, answer.attempt
    return {
        RETURNS: READBACK,
        VERDICT: verdict.name if isinstance(verdict, Verdict) else odd(verdict),
        RECEIPT: receipt or BLANK if isinstance(receipt, str) else odd(receipt),
        CANDIDATES: listed(answer.candidates),
        ATTEMPT: attempt if isinstance(attempt, int) else odd(attempt),
    }


def odd(value: Any) -> str | None:
    """Return in words a value of a type that was not asked for; None is none."""
    return None if value is None else f"the {type(value).__name__} {shown(value).text}"


def listed(candidates: Any) -> Any:
    """Return the candidates as a list, None for none, or in words what they are instead."""
    if candidates is None:
        return "the value None"
    if type(candidates) in (list, tuple):
        return [BLANK if one == "" else one for one in candidates] or None
    return f"a {candidates.type}" if isinstance(candidates, Other) else odd(candidates)


def record(
    name: str, title: str, held: str = "", rejected: int | None = None, live: bool = False
) -> Scenario:
    """Return a scenario that judges one provider's record, written as for `judged`."""
    return Scenario(name, title, lambda stage: told(judged(stage, held, rejected)), live)


def asked_twice(stage: Stage) -> Facts:
    """Judge twice in one process: first nothing is there, then the message is."""
    with stage.life():
        first, then = judged(stage, ""), judged(stage, "mail-1=ours")
    return {BEFORE: told(first).get(VERDICT), AFTER: told(then).get(VERDICT)}


def drawn(stage: Stage) -> Facts:
    """Judge three records that no lesson shows."""

    def one() -> str:
        held = stage.draw.choices(["ours", "sold", "odd", "almost"], k=stage.draw.randint(0, 3))
        return " ".join(f"mail-{stage.draw.randint(10, 9_999)}={whose}" for whose in held)

    return {
        f"{label} ({place} of 3)": fact
        for place in (1, 2, 3)
        for label, fact in told(judged(stage, one(), stage.draw.choice([None, 1, 4]))).items()
    }


RECORDS = (
    record("found", "The provider holds one message, with our content.", "mail-1=ours", live=True),
    record("nothing", "It holds nothing, and rejected nothing."),
    record("rejected", "It holds nothing, and it rejected attempt 2.", rejected=2),
    record("nought", "It holds nothing, and it rejected an attempt. It counts from 0.", rejected=0),
    record("other", "It holds one message, with other content.", "mail-1=sold"),
    record("two", "It holds two messages, both with our content.", "mail-1=ours mail-2=ours"),
    record("ours first", "It holds two messages, and the first is ours.",
           "mail-1=ours mail-2=sold"),
    record("ours last", "It holds three messages, and the last is ours.",
           "mail-3=sold mail-1=odd mail-2=ours"),
    record("two others", "It holds two messages, both with the same other content.",
           "mail-1=sold mail-2=sold"),
    record("sent after all", "It rejected attempt 1, and it holds one message with our content.",
           "mail-1=ours", rejected=1),
    record("other after all", "It rejected attempt 1, and it holds one message with other content.",
           "mail-1=sold", rejected=1),
    record("two after all", "It rejected attempt 1, and it holds two messages.",
           "mail-1=ours mail-2=ours", rejected=1),
    record("blank", "It holds one message with our content, and its receipt is an empty text.",
           "=ours"),
    record("blanks", "It holds two messages with our content, and both receipts are empty.",
           "=ours =ours"),
    record("almost", "It holds one message. Its hash begins as ours does, and ends otherwise.",
           "mail-1=almost"),
    record("cut", "It holds one message, and of its hash no more than the first 12 characters, "
           "which are as ours.", "mail-1=cut"),
)  # fmt: skip


exercise = Exercise(
    name="verdict_of",
    lesson="05",
    title="Judge what the provider holds",
    defines=("verdict_of",),
    takes=("action", "held", "rejected"),
    scenarios=(
        *RECORDS,
        Scenario("drawn", "Three records that were drawn.", drawn),
        Scenario("twice", "It is asked twice: first it holds nothing, then our message.",
                 asked_twice),
    ),
    mistakes=MISTAKES,
    hints=(
        "Of all that may be in `held` and `rejected`: what can you say for certain, and in which "
        "order do you have to ask so that you never say more?",
        "Ask how many effects there are before you look into any. Several: AMBIGUOUS, with every "
        "receipt. One: its hash decides between MISMATCH and FOUND. Only if there is none does a "
        "rejection count, and attempt 0 is one, too.",
        "From the most doubtful to the least:\n"
        "    receipts = tuple(receipt for receipt, _ in held)\n"
        "    if len(held) > 1:\n"
        "        return Readback(Verdict.AMBIGUOUS, candidates=receipts)\n"
        "    if held and held[0][1] != ...:\n"
        "        return Readback(Verdict.MISMATCH, ...)\n"
        "    if held:\n"
        "        return Readback(Verdict.FOUND, ...)\n"
        "    if rejected is not None:\n"
        "        return ...\n"
        "    return ...",
    ),
    solved=(verdict_of,),
    why="How many there are is asked before what is in them, so two messages can never pass for "
    "one. A rejection counts only where nothing is held. And each verdict carries its evidence: "
    "the receipt, the candidates, or the attempt.",
)  # fmt: skip
