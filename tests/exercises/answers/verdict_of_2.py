"""Answers to lesson 05's exercise, continued."""

from lab.gateway import Readback, Verdict
from tests.exercises.answering import right, unforeseen, wrong


def solved(action, held, rejected, same=None, several=None):
    """Judge as asked, with another comparison or another list of candidates."""
    receipts = tuple(receipt for receipt, _ in held)
    if len(held) > 1:
        return Readback(Verdict.AMBIGUOUS, candidates=several(held) if several else receipts)
    if held:
        (receipt, content), ours = held[0], action.hash
        fits = same(content, ours) if same else content == ours
        if fits:
            return Readback(Verdict.FOUND, receipt)
        return Readback(Verdict.MISMATCH, candidates=receipts)
    if rejected is not None:
        return Readback(Verdict.PROVED_NOT_EXECUTED, attempt=rejected)
    return Readback(Verdict.ABSENT)


@right("one entry is unpacked, or it cannot be")
def verdict_of(action, held, rejected=None):
    try:
        [(receipt, content)] = held
    except ValueError:
        if held:
            return Readback(Verdict.AMBIGUOUS, candidates=[name for name, _ in held])
        if isinstance(rejected, int):
            return Readback(Verdict.PROVED_NOT_EXECUTED, attempt=rejected)
        return Readback(Verdict.ABSENT, receipt=None, attempt=None, candidates=())
    if content != action.hash:
        return Readback(Verdict.MISMATCH, candidates=(receipt,), note="other content")
    return Readback(Verdict.FOUND, receipt=receipt)


@right("zip, and one Readback that is changed")
def verdict_of(action, held, rejected=None):
    receipts, contents = zip(*held, strict=True) if held else ((), ())
    said = Readback(Verdict.ABSENT, candidates=receipts)
    if len(receipts) > 1:
        return said._replace(verdict=Verdict.AMBIGUOUS)
    if contents == (action.hash,):
        return said._replace(verdict=Verdict.FOUND, receipt=receipts[0], candidates=())
    if receipts:
        return said._replace(verdict=Verdict.MISMATCH)
    if rejected is None:
        return said
    return said._replace(verdict=Verdict.PROVED_NOT_EXECUTED, attempt=rejected)


@wrong("another order", "sorted")
def verdict_of(action, held, rejected=None):
    return solved(action, held, rejected, several=lambda held: sorted(r for r, _ in held))


@wrong("not all named", "the first two")
def verdict_of(action, held, rejected=None):
    return solved(action, held, rejected, several=lambda held: (held[0][0], held[1][0]))


@wrong("not all named", "those with our content")
def verdict_of(action, held, rejected=None):
    def ours(held):
        return tuple(receipt for receipt, content in held if content == action.hash)

    return solved(action, held, rejected, several=ours)


@wrong("not all named", "each receipt once")
def verdict_of(action, held, rejected=None):
    return solved(action, held, rejected, several=lambda held: tuple(dict(held)))


@wrong("compared in part", "the first eight characters")
def verdict_of(action, held, rejected=None):
    return solved(action, held, rejected, lambda content, ours: content[:8] == ours[:8])


@wrong("compared in part", "a piece of ours will do")
def verdict_of(action, held, rejected=None):
    return solved(action, held, rejected, lambda content, ours: content in ours)


@wrong("other content is nothing")
def verdict_of(action, held, rejected=None):
    said = solved(action, held, rejected)
    return Readback(Verdict.ABSENT) if said.verdict is Verdict.MISMATCH else said


@wrong("beside its line", "what was found is a candidate too")
def verdict_of(action, held, rejected=None):
    said = solved(action, held, rejected)
    return said._replace(candidates=(said.receipt,)) if said.receipt is not None else said


@wrong("beside its line", "the rejected attempt, wherever there is one")
def verdict_of(action, held, rejected=None):
    return solved(action, held, rejected)._replace(attempt=rejected)


@wrong("no Readback", "a dictionary where nothing is there")
def verdict_of(action, held, rejected=None):
    said = solved(action, held, rejected)
    return {"verdict": said.verdict} if said.verdict is Verdict.ABSENT else said


@wrong("no Readback", "the name of the verdict")
def verdict_of(action, held, rejected=None):
    return solved(action, held, rejected).verdict.name


@wrong("a text for a verdict", "where nothing is there")
def verdict_of(action, held, rejected=None):
    said = solved(action, held, rejected)
    return Readback("ABSENT") if said.verdict is Verdict.ABSENT else said


@unforeseen("None for no candidates")
def verdict_of(action, held, rejected=None):
    said = solved(action, held, rejected)
    return said if said.candidates else said._replace(candidates=None)
