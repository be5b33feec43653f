"""Lesson 05: what a provider's records say about one action, and never the first of several."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lab.exercises.exercise import Exercise, Mistake, Scenario, Seen
from lab.exercises.stage import Facts, Stage
from lab.exercises.wire import Other, shown
from lab.gateway import Readback, Verdict, verdict_of

RETURNS = "it returns"
VERDICT, RECEIPT, CANDIDATES, ATTEMPT = "verdict", "receipt", "candidates", "attempt"
BEFORE, AFTER = "verdict before it was there", "verdict once it is there"
READBACK, BARE, NOTHING = "a Readback", "a verdict alone", "nothing"
BLANK = "an empty text"

DOUBTFUL = ("other", "two", "ours first", "ours last", "two others")
When = Callable[[Seen], bool]

FOREIGN = {"sold": "cold-hello", "odd": "odd-hello"}
"""Content that is not ours, by a short name: the template of each."""


def judged(stage: Stage, held: str, rejected: int | None = None) -> Any:
    """Let the learner's function judge one record.

    ``held`` lists effects as ``receipt=whose content``: ``mail-1=ours mail-2=sold``.
    """
    action = stage.action()
    content = {"ours": action.hash}
    content |= {short: stage.action(template=template).hash for short, template in FOREIGN.items()}
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
           "mail-1=sold mail-2=odd mail-3=ours"),
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
)  # fmt: skip


def says(verdict: str, *records: str) -> When:
    """Recognise a mistake by one verdict on any of some records."""
    return lambda seen: any(seen(name, VERDICT) == verdict for name in records)


def everywhere(value: object) -> When:
    """Recognise a mistake by what is returned, whatever the record."""
    return lambda seen: all(seen(one.name, RETURNS) == value for one in RECORDS)


def carries(record: str, verdict: str, label: str, wrong: Callable[[Any], bool]) -> When:
    """Recognise a mistake by what stands beside a verdict that is right."""
    return lambda seen: seen(record, VERDICT) == verdict and wrong(seen(record, label))


def is_instead(*words: str) -> When:
    """Recognise a mistake by what stands where a tuple of candidates should be."""

    def when(seen: Seen) -> bool:
        found = [seen(name, CANDIDATES) for name in DOUBTFUL]
        return any(isinstance(one, str) and one.startswith(words) for one in found)

    return when


exercise = Exercise(
    name="verdict_of",
    lesson="05",
    title="Judge what the provider holds",
    defines=("verdict_of",),
    takes=("action", "held", "rejected"),
    returns="a Readback",
    scenarios=(
        *RECORDS,
        Scenario("twice", "It is asked twice: first it holds nothing, then our message.",
                 asked_twice),
    ),
    mistakes=(
        Mistake(
            "no return",
            "Your function returned nothing, so whoever asked the provider has no answer to act "
            "on. Each of the five cases ends in `return Readback(...)`.",
            everywhere(NOTHING),
        ),
        Mistake(
            "a verdict alone",
            "Your function returns the verdict and nothing with it. Whoever settles lead-202 needs "
            "the receipt, and whoever is in doubt needs the candidates. Put the verdict into a "
            "`Readback`, with what belongs to it.",
            everywhere(BARE),
        ),
        Mistake(
            "a text for a verdict",
            "Your verdict is a text, and what follows from a verdict stands in a table under "
            "`Verdict.FOUND` and its like. Nobody finds a text there, so lead-202 is left as it "
            "is. Write `Verdict.FOUND`, without quotes.",
            lambda seen: str(seen("found", VERDICT)).startswith("the str"),
        ),
        Mistake(
            "first of several",
            "Lead-202 got the same message twice, and your code says FOUND and takes one of the "
            "two receipts. The action counts as settled, and nobody will ever look at the second "
            "message. Look first at how many there are.",
            says("FOUND", "two"),
        ),
        Mistake(
            "the one that fits",
            "The provider holds more than one message for lead-202, and your code picked the one "
            "with our content and says FOUND. The others reached somebody too, and now nobody will "
            "look. Several are AMBIGUOUS, whatever is in them.",
            says("FOUND", "ours first", "ours last"),
        ),
        Mistake(
            "never equal",
            "The one message has exactly our content, and your code says MISMATCH. So no action "
            "ever settles by itself, and a person has to look at every one. An entry of `held` is "
            "(receipt, hash); compare its second part with `action.hash`, using `==` or `!=`.",
            says("MISMATCH", "found"),
        ),
        Mistake(
            "content not compared",
            "A message with other content stands under our key, and your code says FOUND. The "
            "ledger will say that lead-202 was welcomed, and what was sent is something else. "
            "Compare the hash in `held` with `action.hash`.",
            says("FOUND", "other"),
        ),
        Mistake(
            "rejection before effects",
            "The provider rejected an attempt, and it holds a message all the same: another "
            "attempt arrived. Your code says PROVED_NOT_EXECUTED, so the gateway sends once more, "
            "and lead-202 has two. What is held comes first; a rejection counts only if nothing "
            "is.",
            says("PROVED_NOT_EXECUTED", "sent after all", "other after all", "two after all"),
        ),
        Mistake(
            "absence as proof",
            "Nothing is there, and nothing was rejected, and your code calls that a proof. The "
            "request may still be on its way: the gateway sends again, and lead-202 gets two. "
            "Without a rejection on record it is ABSENT.",
            says("PROVED_NOT_EXECUTED", "nothing"),
        ),
        Mistake(
            "nought is nothing",
            "The provider rejected an attempt and calls it attempt 0, and your code says ABSENT. "
            "The proof is lost, and lead-202 waits for a message that could be sent. In Python `if "
            "rejected` is not true for 0; ask whether `rejected is not None`.",
            lambda seen: seen("nought", VERDICT) == "ABSENT"
            and seen("rejected", VERDICT) == "PROVED_NOT_EXECUTED",
        ),
        Mistake(
            "rejection ignored",
            "The provider has it on record that it rejected attempt 2, and your code says ABSENT. "
            "That is a proof thrown away: lead-202 waits, though the message could be sent at "
            "once. Where nothing is held, look at `rejected`.",
            lambda seen: seen("rejected", VERDICT) == "ABSENT" != seen("found", VERDICT),
        ),
        Mistake(
            "which attempt",
            "Your code says PROVED_NOT_EXECUTED, but not of attempt 2, which the provider "
            "rejected. A rejection of an older attempt proves nothing about a newer one, so the "
            "gateway has to know which it was. Put `rejected` into the field `attempt`.",
            carries("rejected", "PROVED_NOT_EXECUTED", ATTEMPT, lambda attempt: attempt != 2),
        ),
        Mistake(
            "found without receipt",
            "Your code says FOUND and names no receipt. The ledger cannot settle without one, so "
            "lead-202's message stays something that nobody can account for. The receipt is the "
            "first part of the entry in `held`.",
            carries("found", "FOUND", RECEIPT, lambda receipt: receipt is None),
        ),
        Mistake(
            "more than a receipt",
            "In the field `receipt` stands a whole entry or a list of receipts, and not the one "
            "text. A ledger that is given this cannot store it, and the action is not settled. "
            "Take the text out: the first part of the first entry.",
            carries("found", "FOUND", RECEIPT, lambda receipt: str(receipt).startswith("the ")),
        ),
        Mistake(
            "blank is nothing",
            "The provider did send the message and gave an empty text for a receipt, and your code "
            "counts it as no message. The gateway may send again, and lead-202 has two. Every "
            "entry of `held` is an effect, whatever its receipt looks like.",
            lambda seen: seen("found", VERDICT) == "FOUND"
            and "ABSENT" in (seen("blank", VERDICT), seen("blanks", VERDICT)),
        ),
        Mistake(
            "counted by receipt",
            "Two messages went out, both with an empty receipt, and your code counts one. A set or "
            "a dictionary keeps one entry for two equal receipts, so the second message "
            "disappears. Count the entries of `held` themselves.",
            says("FOUND", "blanks"),
        ),
        Mistake(
            "a receipt in doubt",
            "The verdict says that a person must look, and beside it stands a receipt. Whoever "
            "reads that field settles lead-202 with it, and the doubt is gone without anybody "
            "having looked. In doubt `receipt` stays None; the names go into `candidates`.",
            lambda seen: any(seen(name, RECEIPT) for name in DOUBTFUL),
        ),
        Mistake(
            "a text for a tuple",
            "In `candidates` stands one text, and whoever lists the candidates gets its letters: "
            "m, a, i, l. The person who has to look cannot find such receipts. One entry needs its "
            "comma to be a tuple: `(receipt,)`.",
            is_instead("the str"),
        ),
        Mistake(
            "used up",
            "In `candidates` stands something that has no order, or can be read only once, and no "
            "tuple. The second who reads it may find nothing, and has nobody to ask about. Round "
            "brackets around a `for` do not make a tuple: write `tuple(... for ...)`.",
            is_instead("a ", "the set", "the frozenset", "the dict"),
        ),
        Mistake(
            "entries for receipts",
            "The candidates are whole entries, each with its hash. The person who has to look "
            "needs names that the provider knows, and these are the receipts alone. Take the first "
            "part of each entry.",
            carries("two", "AMBIGUOUS", CANDIDATES,
                    lambda many: any(isinstance(one, (list, tuple)) for one in many or ())),
        ),
        Mistake(
            "nobody named",
            "Your code rightly says MISMATCH, and does not say which message it means. A person "
            "has to look at it, and begins with nothing. Its receipt belongs into `candidates`, "
            "also if it is the only one.",
            carries("other", "MISMATCH", CANDIDATES, lambda many: not many),
        ),
        Mistake(
            "not all named",
            "Two messages are there, and your code does not name both. The person who has to look "
            "finds one and takes it for the whole story. Every receipt belongs into `candidates`, "
            "in the order in which they are held.",
            carries("two", "AMBIGUOUS", CANDIDATES, lambda many: len(many or ()) < 2),
        ),
        Mistake(
            "several are no mismatch",
            "The provider holds more than one message, and your code says MISMATCH. Whoever reads "
            "that looks for one message with other content, and does not expect a second. Ask how "
            "many there are before you compare any.",
            says("MISMATCH", "ours first", "ours last", "two others"),
        ),
        Mistake(
            "remembers",
            "First nothing was there, and later the message was. Your code gives the old answer "
            "again, and lead-202's message is never found. Judge what is handed in, every time, "
            "and keep nothing between two calls.",
            lambda seen: seen("twice", AFTER) == "ABSENT" and seen("found", VERDICT) == "FOUND",
        ),
    ),
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
