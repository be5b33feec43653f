"""Lesson 05: the mistakes that are known of judging what a provider holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lab.exercises.exercise import Mistake, Seen

RETURNS = "it returns"
VERDICT, RECEIPT, CANDIDATES, ATTEMPT = "verdict", "receipt", "candidates", "attempt"
BEFORE, AFTER = "verdict before it was there", "verdict once it is there"
READBACK, BARE, NOTHING = "a Readback", "a verdict alone", "nothing"
BLANK = "an empty text"
FAMILIAR = (READBACK, BARE, NOTHING, None)

DOUBTFUL = ("other", "two", "ours first", "ours last", "two others")
When = Callable[[Seen], bool]

SEVERAL = {
    "two": ["mail-1", "mail-2"],
    "ours first": ["mail-1", "mail-2"],
    "ours last": ["mail-3", "mail-1", "mail-2"],
    "two others": ["mail-1", "mail-2"],
    "two after all": ["mail-1", "mail-2"],
    "blanks": [BLANK, BLANK],
}
"""What is to be named, by the record in which there are several."""

RECORDS = (
    "found", "nothing", "rejected", "nought", "other", *SEVERAL, "sent after all",
    "other after all", "blank", "almost", "cut",
)  # fmt: skip


def says(verdict: str, *records: str) -> When:
    """Recognise a mistake by one verdict on any of some records."""
    return lambda seen: any(seen(name, VERDICT) == verdict for name in records)


def everywhere(value: object) -> When:
    """Recognise a mistake by what is returned, whatever the record."""
    return lambda seen: all(seen(name, RETURNS) == value for name in RECORDS)


def carries(record: str, verdict: str, label: str, wrong: Callable[[Any], bool]) -> When:
    """Recognise a mistake by what stands beside a verdict that is right."""
    return lambda seen: seen(record, VERDICT) == verdict and wrong(seen(record, label))


def is_instead(*words: str) -> When:
    """Recognise a mistake by what stands where a tuple of candidates should be."""

    def when(seen: Seen) -> bool:
        found = [seen(name, CANDIDATES) for name in DOUBTFUL]
        return any(isinstance(one, str) and one.startswith(words) for one in found)

    return when


def named(wrong: Callable[[list[Any], list[Any]], bool]) -> When:
    """Recognise a mistake by the candidates of any record that holds several."""

    def when(seen: Seen) -> bool:
        return any(
            seen(name, VERDICT) == "AMBIGUOUS"
            and isinstance(many := seen(name, CANDIDATES) or [], list)
            and wrong(many, right)
            for name, right in SEVERAL.items()
        )

    return when


def out_of_place(seen: Seen) -> bool:
    """Recognise a field that is filled beside a verdict to which it does not belong."""
    beside = (
        ("found", "FOUND", CANDIDATES),
        ("nothing", "ABSENT", ATTEMPT),
        ("sent after all", "FOUND", ATTEMPT),
        ("other after all", "MISMATCH", ATTEMPT),
        ("two after all", "AMBIGUOUS", ATTEMPT),
    )
    return any(
        seen(name, VERDICT) == verdict and isinstance(seen(name, label), (int, list))
        for name, verdict, label in beside
    )


MISTAKES = (
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
        lambda seen: any(str(seen(name, VERDICT)).startswith("the str") for name in RECORDS),
    ),
    Mistake(
        "no Readback",
        "Your function returns something that is no `Readback`. Whoever asked looks for its "
        "verdict there and finds none, so lead-202's message is never accounted for. Put what you "
        "return into `Readback(...)`, verdict first.",
        lambda seen: any(seen(name, RETURNS) not in FAMILIAR for name in RECORDS),
    ),
    Mistake(
        "a case without an answer",
        "For some records your function comes to its end without a `return`, so whoever asked "
        "the provider gets no answer, and lead-202 is left as it is. There are five cases, and "
        "the last one, in which nothing is there and nothing was rejected, is ABSENT.",
        lambda seen: any(seen(name, RETURNS) == NOTHING for name in RECORDS),
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
        "compared in part",
        "The message has other content, whose hash only begins as ours does or is a piece of it, "
        "and your code says FOUND. The ledger will say that lead-202 was welcomed, and nobody "
        "looks at what was sent. Two hashes are the same if they are equal: `==`.",
        says("FOUND", "almost", "cut"),
    ),
    Mistake(
        "other content is nothing",
        "A message with other content stands under our key, and your code says ABSENT. So the "
        "gateway may send, and lead-202 has two messages that say different things. What is held "
        "with another hash is a MISMATCH, and a person has to see it.",
        lambda seen: (
            seen("found", VERDICT) == "FOUND"
            and "ABSENT" in (seen("other", VERDICT), seen("other after all", VERDICT))
        ),
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
        lambda seen: (
            seen("nought", VERDICT) == "ABSENT"
            and seen("rejected", VERDICT) == "PROVED_NOT_EXECUTED"
        ),
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
        lambda seen: (
            seen("found", VERDICT) == "FOUND"
            and "ABSENT" in (seen("blank", VERDICT), seen("blanks", VERDICT))
        ),
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
        carries(
            "two",
            "AMBIGUOUS",
            CANDIDATES,
            lambda many: any(isinstance(one, (list, tuple)) for one in many or ()),
        ),
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
        "There are several messages, and your code does not name them all. The person who has to "
        "look takes those that are named for the whole story. Every receipt belongs into "
        "`candidates`, also an empty one and one of other content.",
        named(lambda many, right: len(many) < len(right)),
    ),
    Mistake(
        "another order",
        "The candidates are named in another order than the provider's. The person who has to "
        "look reads them as what came first and what came next, and takes back the wrong one. "
        "Leave them as they stand in `held`: `sorted` and a set do not.",
        named(lambda many, right: many != right and sorted(map(str, many)) == sorted(right)),
    ),
    Mistake(
        "several are no mismatch",
        "The provider holds more than one message, and your code says MISMATCH. Whoever reads "
        "that looks for one message with other content, and does not expect a second. Ask how "
        "many there are before you compare any.",
        says("MISMATCH", "ours first", "ours last", "two others"),
    ),
    Mistake(
        "beside its line",
        "The verdict is right, and a field is filled that its line of the table does not name. "
        "An `attempt` says that an attempt was rejected, and `candidates` that a person must look: "
        "whoever reads the field alone sends again, or asks for nothing. Leave it as it is by "
        "default.",
        out_of_place,
    ),
    Mistake(
        "remembers",
        "First nothing was there, and later the message was. Your code gives the old answer "
        "again, and lead-202's message is never found. Judge what is handed in, every time, "
        "and keep nothing between two calls.",
        lambda seen: seen("twice", AFTER) == "ABSENT" and seen("found", VERDICT) == "FOUND",
    ),
)
