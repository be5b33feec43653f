"""Answers to lesson 05's exercise."""

from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from lab.gateway import Readback, Verdict, payload_hash
from tests.exercises.answering import right, unforeseen, wrong


@right("counts first, then compares")
def verdict_of(action, held, rejected=None):
    match len(held):
        case 0 if rejected is None:
            return Readback(Verdict.ABSENT)
        case 0:
            return Readback(Verdict.PROVED_NOT_EXECUTED, attempt=rejected)
        case 1:
            receipt, content = held[0]
            if content == action.hash:
                return Readback(Verdict.FOUND, receipt)
            return Readback(Verdict.MISMATCH, candidates=(receipt,))
    return Readback(Verdict.AMBIGUOUS, candidates=tuple(r for r, _ in held))


@right("other names, a list of candidates, and a print")
def verdict_of(intention, effects, refused=None):
    names = [effect[0] for effect in effects]
    print("judging", intention.key, names)
    if not effects:
        if refused is None:
            return Readback(verdict=Verdict.ABSENT)
        return Readback(verdict=Verdict.PROVED_NOT_EXECUTED, attempt=refused)
    if len(effects) == 1 and effects[0][1] == intention.hash:
        return Readback(verdict=Verdict.FOUND, receipt=names[0])
    doubt = Verdict.MISMATCH if len(effects) == 1 else Verdict.AMBIGUOUS
    return Readback(verdict=doubt, candidates=names)


@right("unpacks, and lets Python complain")
def verdict_of(action, held, rejected=None):
    try:
        [(receipt, content)] = held
    except ValueError:
        if held:
            return Readback(Verdict.AMBIGUOUS, candidates=tuple(next(zip(*held, strict=True))))
        if isinstance(rejected, int):
            return Readback(Verdict.PROVED_NOT_EXECUTED, attempt=rejected)
        return Readback(Verdict.ABSENT, note="nothing there")
    if content != payload_hash(action.kind, action.payload):
        return Readback(Verdict.MISMATCH, candidates=(receipt,), note="other content")
    return Readback(Verdict.FOUND, receipt)


def of_nothing(rejected):
    verdict = Verdict.ABSENT if rejected is None else Verdict.PROVED_NOT_EXECUTED
    return Readback(verdict, attempt=rejected)


def of_one(action, receipt, content):
    if content == action.hash:
        return Readback(Verdict.FOUND, receipt=receipt)
    return Readback(Verdict.MISMATCH, None, None, (receipt,))


@right("a helper for each number")
def verdict_of(action, held: Sequence, rejected: int | None = None):
    if len(held) == 0:
        return of_nothing(rejected)
    if len(held) == 1:
        return of_one(action, *held[0])
    receipts = ()
    for receipt, _ in held:
        receipts += (receipt,)
    return Readback(Verdict.AMBIGUOUS, candidates=receipts)


class Readback(NamedTuple):
    verdict: Verdict
    receipt: str | None = None
    attempt: int | None = None
    candidates: tuple[str, ...] = ()
    note: str = ""
    asked_at: int = 0


@right("the Readback that the lesson builds")
def verdict_of(action, held, rejected=None):
    receipts = tuple([receipt for receipt, content in held])
    hashes = {content for receipt, content in held}
    if len(receipts) >= 2:
        return Readback(Verdict.AMBIGUOUS, candidates=receipts)
    if len(receipts) == 1 and action.hash in hashes:
        return Readback(Verdict.FOUND, receipts[0])
    if receipts:
        return Readback(Verdict.MISMATCH, candidates=receipts)
    if rejected is not None:
        return Readback(Verdict.PROVED_NOT_EXECUTED, attempt=rejected)
    return Readback(Verdict.ABSENT)


right("a lambda")(
    lambda action, held, rejected=None: (
        Readback(Verdict.AMBIGUOUS, candidates=tuple(r for r, _ in held)) if held[1:]
        else Readback(Verdict.FOUND, held[0][0]) if held and held[0][1] == action.hash
        else Readback(Verdict.MISMATCH, candidates=(held[0][0],)) if held
        else Readback(Verdict.ABSENT) if rejected is None
        else Readback(Verdict.PROVED_NOT_EXECUTED, None, rejected)
    )
)  # fmt: skip


def solved(
    action, held, rejected=None, *, first=False, named=None, doubt=None, known=None, found=None
):
    """Judge rightly, but for what is passed by name."""
    receipts = tuple(receipt for receipt, _ in held) if named is None else named(held)
    if len(held) > 1 and not first:
        return Readback(Verdict.AMBIGUOUS, doubt and held[0][0], candidates=receipts)
    if held and held[0][1] != action.hash:
        return Readback(Verdict.MISMATCH, doubt and held[0][0], candidates=receipts)
    if held:
        return Readback(Verdict.FOUND, receipt=held[0][0] if found is None else found(held))
    if rejected is not None and known is not False:
        return Readback(Verdict.PROVED_NOT_EXECUTED, attempt=known(rejected) if known else rejected)
    return Readback(Verdict.ABSENT)


@wrong("no return")
def verdict_of(action, held, rejected=None):
    Readback(Verdict.FOUND, held[0][0]) if held else Readback(Verdict.ABSENT)


wrong("a verdict alone")(lambda action, held, rejected=None: solved(action, held, rejected).verdict)
wrong("first of several")(
    lambda action, held, rejected=None: solved(action, held, rejected, first=True)
)
wrong("first of several", "the last")(
    lambda action, held, rejected=None: solved(action, held[-1:], rejected)
)


@wrong("first of several", "several only if their content differs")
def verdict_of(action, held, rejected=None):
    if len({content for _, content in held}) > 1:
        return solved(action, held, rejected)
    return solved(action, held[:1], rejected)


@wrong("first of several", "any that fits")
def verdict_of(action, held, rejected=None):
    for receipt, content in held:
        if content == action.hash:
            return Readback(Verdict.FOUND, receipt)
    return solved(action, held, rejected)


@wrong("the one that fits")
def verdict_of(action, held, rejected=None):
    fitting = [(receipt, content) for receipt, content in held if content == action.hash]
    return solved(action, fitting or held, rejected)


@wrong("never equal", "the key for the hash")
def verdict_of(action, held, rejected=None):
    if len(held) == 1 and held[0][1] != action.key:
        return Readback(Verdict.MISMATCH, candidates=(held[0][0],))
    return solved(action, held, rejected)


@wrong("never equal", "turned round")
def verdict_of(action, held, rejected=None):
    if len(held) == 1 and held[0][1] == action.hash:
        return Readback(Verdict.MISMATCH, candidates=(held[0][0],))
    if len(held) == 1:
        return Readback(Verdict.FOUND, held[0][0])
    return solved(action, held, rejected)


@wrong("never equal", "identity")
def verdict_of(action, held, rejected=None):
    if len(held) == 1 and held[0][1] is not action.hash:
        return Readback(Verdict.MISMATCH, candidates=(held[0][0],))
    return solved(action, held, rejected)


@wrong("content not compared")
def verdict_of(action, held, rejected=None):
    if len(held) == 1:
        return Readback(Verdict.FOUND, receipt=held[0][0])
    return solved(action, held, rejected)


@wrong("rejection before effects")
def verdict_of(action, held, rejected=None):
    if rejected is not None:
        return Readback(Verdict.PROVED_NOT_EXECUTED, attempt=rejected)
    return solved(action, held)


@wrong("rejection before effects", "before several")
def verdict_of(action, held, rejected=None):
    if len(held) == 1 or rejected is None:
        return solved(action, held, rejected)
    return Readback(Verdict.PROVED_NOT_EXECUTED, attempt=rejected)


@wrong("rejection before effects", "before other content")
def verdict_of(action, held, rejected=None):
    if len(held) == 1 and held[0][1] == action.hash:
        return Readback(Verdict.FOUND, held[0][0])
    if rejected is not None:
        return Readback(Verdict.PROVED_NOT_EXECUTED, attempt=rejected)
    return solved(action, held, rejected)


@wrong("absence as proof")
def verdict_of(action, held, rejected=None):
    if not held:
        return Readback(Verdict.PROVED_NOT_EXECUTED, attempt=rejected)
    return solved(action, held, rejected)


wrong("nought is nothing")(
    lambda action, held, rejected=None: solved(action, held, rejected or None)
)
wrong("rejection ignored")(lambda action, held, rejected=None: solved(action, held, None))


@wrong("which attempt")
def verdict_of(action, held, rejected=None):
    if not held and rejected is not None:
        return Readback(Verdict.PROVED_NOT_EXECUTED)
    return solved(action, held, rejected)


@wrong("found without receipt")
def verdict_of(action, held, rejected=None):
    answer = solved(action, held, rejected)
    return answer._replace(receipt=None)


wrong("more than a receipt", "the entry")(
    lambda action, held, rejected=None: solved(action, held, rejected, found=lambda held: held[0])
)


@wrong("more than a receipt", "all receipts")
def verdict_of(action, held, rejected=None):
    return solved(action, held, rejected, found=lambda held: tuple(r for r, _ in held))


wrong("blank is nothing")(
    lambda action, held, rejected=None: solved(action, [one for one in held if one[0]], rejected)
)


@wrong("counted by receipt", "a dictionary")
def verdict_of(action, held, rejected=None):
    by_receipt = dict(held)
    return solved(action, list(by_receipt.items()), rejected)


wrong("a receipt in doubt")(
    lambda action, held, rejected=None: solved(action, held, rejected, doubt=True)
)


@wrong("a text for a tuple")
def verdict_of(action, held, rejected=None):
    return solved(action, held, rejected, named=lambda held: held and held[0][0])


@wrong("a text for a tuple", "all in one text")
def verdict_of(action, held, rejected=None):
    return solved(action, held, rejected, named=lambda held: ", ".join(r for r, _ in held))


@wrong("used up")
def verdict_of(action, held, rejected=None):
    return solved(action, held, rejected, named=lambda held: (r for r, _ in held))


@wrong("used up", "a map")
def verdict_of(action, held, rejected=None):
    return solved(action, held, rejected, named=lambda held: map(itemgetter(0), held))


@wrong("used up", "a set")
def verdict_of(action, held, rejected=None):
    return solved(action, held, rejected, named=lambda held: {r for r, _ in held})


wrong("entries for receipts")(
    lambda action, held, rejected=None: solved(action, held, rejected, named=tuple)
)


@wrong("nobody named")
def verdict_of(action, held, rejected=None):
    if len(held) == 1 and held[0][1] != action.hash:
        return Readback(Verdict.MISMATCH)
    return solved(action, held, rejected)


@wrong("not all named")
def verdict_of(action, held, rejected=None):
    return solved(action, held, rejected, named=lambda held: (held[0][0],) if held else ())


@wrong("not all named", "none of several")
def verdict_of(action, held, rejected=None):
    if len(held) > 1:
        return Readback(Verdict.AMBIGUOUS)
    return solved(action, held, rejected)


@wrong("several are no mismatch")
def verdict_of(action, held, rejected=None):
    if any(content != action.hash for _, content in held):
        return Readback(Verdict.MISMATCH, candidates=tuple(r for r, _ in held))
    return solved(action, held, rejected)


answers = {}


@wrong("remembers")
def verdict_of(action, held, rejected=None):
    if action.key not in answers:
        answers[action.key] = solved(action, held, rejected)
    return answers[action.key]


@unforeseen("always in doubt")
def verdict_of(action, held, rejected=None):
    return Readback(Verdict.AMBIGUOUS, candidates=tuple(r for r, _ in held))


@unforeseen("always absent")
def verdict_of(action, held, rejected=None):
    return Readback(Verdict.ABSENT)


@wrong("a text for a verdict")
def verdict_of(action, held, rejected=None):
    answer = solved(action, held, rejected)
    return answer._replace(verdict=answer.verdict.value)


@wrong("no Readback", "a tuple of its own")
def verdict_of(action, held, rejected=None):
    return tuple(solved(action, held, rejected))


@unforeseen("unavailable for absent")
def verdict_of(action, held, rejected=None):
    if not held and rejected is None:
        return Readback(Verdict.UNAVAILABLE)
    return solved(action, held, rejected)


@wrong("another order", "the wrong way round")
def verdict_of(action, held, rejected=None):
    return solved(action, held, rejected, named=lambda held: tuple(r for r, _ in reversed(held)))


@wrong("a case without an answer")
def verdict_of(action, held, rejected=None):
    if held:
        return solved(action, held, rejected)


@unforeseen("looks into an empty record")
def verdict_of(action, held, rejected=None):
    receipt, content = held[0]
    print(receipt, content)
    return solved(action, held, rejected)


@unforeseen("a name that an action does not have")
def verdict_of(action, held, rejected=None):
    if held and held[0][1] != action.payload_hash:
        return Readback(Verdict.MISMATCH)
    return solved(action, held, rejected)


@unforeseen("stumbles over three")
def verdict_of(action, held, rejected=None):
    if len(held) == 3:
        [one, other] = held
        print(one, other)
    return solved(action, held, rejected)


@unforeseen("refuses everything")
def verdict_of(action, held, rejected=None):
    raise ValueError("not today")
