"""Answers to lesson 07's exercise."""

from lab.gateway import (
    PREPARED,
    REVIEW,
    SETTLED,
    UNKNOWN,
    BrokenContract,
    Outcome,
    Reading,
    on_doubt,
    read_back,
)
from tests.exercises.answering import right, unforeseen, wrong


@right("the doubt last")
def on_found(action, row, readback, ledger, provider):
    certain = provider.contract.keeps_reference or not ledger.has_twin(row)
    if certain:
        settled = ledger.settle(row, readback.receipt, evidence="the provider said so")
        return Outcome.of(settled, "reconciled")
    return on_doubt(action, row, readback, ledger, provider)


def could_be_anothers(ledger, provider, row):
    return ledger.has_twin(row) and not provider.contract.keeps_reference


@right("a helper, a print, other names, and extra reads")
def on_found(intention, seen, answer, book, outside):
    print("found", answer.receipt, "for", intention.key, len(book.events(seen.key)))
    assert book.get(seen.key) is not None
    if could_be_anothers(book, outside, seen):
        return on_doubt(intention, seen, answer, book, outside)
    now = book.settle(seen, answer.receipt, "readback")
    return Outcome(now.key, now.state, now.attempts, path_of(now), now.receipt)


def path_of(row):
    return "reconciled" if row.state == SETTLED else "manual"


@right("writes its own review, and lets the gateway look again")
def on_found(action, row, readback, ledger, provider):
    if not provider.contract.keeps_reference and ledger.has_twin(row):
        if row.state != REVIEW:
            ledger.change(row, REVIEW, f"it may be a twin's: {readback.receipt}")
            return None
        return Outcome.of(row, "manual")
    return Outcome.of(ledger.settle(row, readback.receipt, "readback"), "reconciled")


class Doubt(Exception):
    pass


@right("an exception for the doubt")
def on_found(action, row, readback, ledger, provider):
    try:
        if not provider.contract.keeps_reference and ledger.has_twin(row):
            raise Doubt
    except Doubt:
        return on_doubt(action, row, readback, ledger, provider)
    return Outcome.of(ledger.settle(row, readback.receipt, "readback"), "reconciled")


@right("asks the provider once more")
def on_found(action, row, readback, ledger, provider):
    again = provider.readback(action)
    if not provider.contract.keeps_reference and ledger.has_twin(row):
        return on_doubt(action, row, readback, ledger, provider)
    row = ledger.settle(row, again.receipt, again.note or "readback")
    return Outcome.of(row, "reconciled")


right("a lambda")(
    lambda a, r, b, ld, p: on_doubt(a, r, b, ld, p)
    if ld.has_twin(r) and not p.contract.keeps_reference
    else Outcome.of(ld.settle(r, b.receipt, "readback"), "reconciled")
)  # fmt: skip


def solved(action, row, readback, ledger, provider, *, doubt=None, path="reconciled"):
    """Do it rightly, but for what is passed by name."""
    doubtful = not provider.contract.keeps_reference and ledger.has_twin(row)
    if doubtful if doubt is None else doubt:
        return on_doubt(action, row, readback, ledger, provider)
    return Outcome.of(ledger.settle(row, readback.receipt, "readback"), path)


@wrong("round in circles", "does nothing")
def on_found(action, row, readback, ledger, provider):
    return None


@wrong("round in circles", "looks until it is settled")
def on_found(action, row, readback, ledger, provider):
    while ledger.get(row.key).state != SETTLED:
        read_back(action, row, ledger, provider)
    return Outcome.of(row, "reconciled")


@wrong("sends again", "by the ledger")
def on_found(action, row, readback, ledger, provider):
    ledger.change(row, PREPARED, "once more", send_by=None)


@wrong("sends again", "to get a receipt")
def on_found(action, row, readback, ledger, provider):
    receipt = provider.perform(action, row.attempts)
    return Outcome.of(ledger.settle(row, receipt, "sent again"), "reconciled")


@wrong("sends again", "after it settled")
def on_found(action, row, readback, ledger, provider):
    outcome = solved(action, row, readback, ledger, provider)
    provider.perform(action, row.attempts + 1)
    return outcome


@wrong("a receipt of one's own", "the key")
def on_found(action, row, readback, ledger, provider):
    return Outcome.of(ledger.settle(row, action.key, "readback"), "reconciled")


@wrong("a receipt of one's own", "the arguments the wrong way round")
def on_found(action, row, readback, ledger, provider):
    return Outcome.of(ledger.settle(row, "readback", readback.receipt), "reconciled")


@wrong("a receipt of one's own", "the note")
def on_found(action, row, readback, ledger, provider):
    return Outcome.of(ledger.settle(row, readback.note, "readback"), "reconciled")


@wrong("reported, not written")
def on_found(action, row, readback, ledger, provider):
    return Outcome(row.key, SETTLED, row.attempts, "reconciled", readback.receipt)


@wrong("reported, not written", "a row of its own")
def on_found(action, row, readback, ledger, provider):
    row = row._replace(state=SETTLED, receipt=readback.receipt)
    return Outcome.of(row, "reconciled")


@wrong("doubt without need")
def on_found(action, row, readback, ledger, provider):
    return on_doubt(action, row, readback, ledger, provider)


@wrong("an error escapes")
def on_found(action, row, readback, ledger, provider):
    if row.receipt is None:
        raise BrokenContract("there is no receipt")
    return Outcome.of(row, "reconciled")


@wrong("left open", "holds")
def on_found(action, row, readback, ledger, provider):
    return Outcome.of(row, "hold")


@wrong("left open", "the evidence alone")
def on_found(action, row, readback, ledger, provider):
    return Outcome.of(ledger.change(row, row.state, f"found {readback.receipt}"), "reconciled")


@wrong("no return")
def on_found(action, row, readback, ledger, provider):
    if not provider.contract.keeps_reference and ledger.has_twin(row):
        return on_doubt(action, row, readback, ledger, provider)
    ledger.settle(row, readback.receipt, "readback")


@wrong("another path", "settled")
def on_found(action, row, readback, ledger, provider):
    return solved(action, row, readback, ledger, provider, path="settled")


@wrong("another path", "sent")
def on_found(action, row, readback, ledger, provider):
    return solved(action, row, readback, ledger, provider, path="sent")


@wrong("waits though it is there")
def on_found(action, row, readback, ledger, provider):
    if readback.asked_at <= (row.send_by or 0):
        return Outcome.of(row, "hold")
    return solved(action, row, readback, ledger, provider)


@wrong("waits though it is there", "until nothing can arrive any more")
def on_found(action, row, readback, ledger, provider):
    last = provider.contract.last_moment(row.send_by or 0)
    if row.send_by and ledger.now(row) < last - 60_000:
        return Outcome.of(row, "hold")
    return solved(action, row, readback, ledger, provider)


@wrong("twin settled")
def on_found(action, row, readback, ledger, provider):
    return Outcome.of(ledger.settle(row, readback.receipt or "", "readback"), "reconciled")


@wrong("twin settled", "the wrong way round")
def on_found(action, row, readback, ledger, provider):
    if provider.contract.keeps_reference and ledger.has_twin(row):
        return on_doubt(action, row, readback, ledger, provider)
    return Outcome.of(ledger.settle(row, readback.receipt, "readback"), "reconciled")


@wrong("twin settled", "at the second look")
def on_found(action, row, readback, ledger, provider):
    if row.state == UNKNOWN and not provider.contract.keeps_reference and ledger.has_twin(row):
        return on_doubt(action, row, readback, ledger, provider)
    return Outcome.of(ledger.settle(row, readback.receipt, "readback"), "reconciled")


@wrong("another promise", "how it can be asked")
def on_found(action, row, readback, ledger, provider):
    doubt = provider.contract.readback is Reading.EVENTUAL and ledger.has_twin(row)
    return solved(action, row, readback, ledger, provider, doubt=doubt)


@wrong("another promise", "whether absence is a proof")
def on_found(action, row, readback, ledger, provider):
    doubt = not provider.contract.absence_is_proof and ledger.has_twin(row)
    return solved(action, row, readback, ledger, provider, doubt=doubt)


@wrong("a doubt that nobody hears of")
def on_found(action, row, readback, ledger, provider):
    if not provider.contract.keeps_reference and ledger.has_twin(row):
        return Outcome.of(row, "hold")
    return Outcome.of(ledger.settle(row, readback.receipt, "readback"), "reconciled")


@wrong("a doubt that nobody hears of", "said, and not written")
def on_found(action, row, readback, ledger, provider):
    if not provider.contract.keeps_reference and ledger.has_twin(row):
        return Outcome(row.key, REVIEW, row.attempts, "manual", None)
    return Outcome.of(ledger.settle(row, readback.receipt, "readback"), "reconciled")


@wrong("always a doubt")
def on_found(action, row, readback, ledger, provider):
    doubt = not provider.contract.keeps_reference
    return solved(action, row, readback, ledger, provider, doubt=doubt)


@wrong("doubt in spite of the key")
def on_found(action, row, readback, ledger, provider):
    return solved(action, row, readback, ledger, provider, doubt=ledger.has_twin(row))


@wrong("doubt in spite of the key", "the second wall for the key")
def on_found(action, row, readback, ledger, provider):
    doubt = not provider.contract.deduplicates and ledger.has_twin(row)
    return solved(action, row, readback, ledger, provider, doubt=doubt)


@wrong("review has no exit")
def on_found(action, row, readback, ledger, provider):
    if row.state == REVIEW:
        return Outcome.of(row, "manual")
    return solved(action, row, readback, ledger, provider)


@wrong("reports what it hoped for")
def on_found(action, row, readback, ledger, provider):
    if not provider.contract.keeps_reference and ledger.has_twin(row):
        return on_doubt(action, row, readback, ledger, provider)
    ledger.settle(row, readback.receipt, "readback")
    return Outcome(row.key, SETTLED, row.attempts, "reconciled", readback.receipt)


@wrong("change instead of settle")
def on_found(action, row, readback, ledger, provider):
    if not provider.contract.keeps_reference and ledger.has_twin(row):
        return on_doubt(action, row, readback, ledger, provider)
    new = {"receipt": readback.receipt, "send_by": None}
    return Outcome.of(ledger.change(row, SETTLED, "readback", **new), "reconciled")


@wrong("no outcome", "the row")
def on_found(action, row, readback, ledger, provider):
    return ledger.settle(row, readback.receipt, "readback")


@unforeseen("settle without the row")
def on_found(action, row, readback, ledger, provider):
    return Outcome.of(ledger.settle(readback.receipt, "readback"), "reconciled")


@unforeseen("a name that was not brought")
def on_found(action, row, readback, ledger, provider):
    if not provider.contract.keeps_reference and ledger.has_twin(row):
        return on_dout(action, row, readback, ledger, provider)  # noqa: F821
    return Outcome.of(ledger.settle(row, readback.receipt, "readback"), "reconciled")


settled_before = set()


@wrong("left open", "remembers in a set whom it has seen")
def on_found(action, row, readback, ledger, provider):
    if action.key not in settled_before:
        settled_before.add(action.key)
        return Outcome.of(row, "hold")
    return solved(action, row, readback, ledger, provider)


@right("looks the row up once more")
def on_found(action, row, readback, ledger, provider):
    row = ledger.find(action)
    if not provider.contract.keeps_reference and ledger.has_twin(row):
        return on_doubt(action, row, readback, ledger, provider)
    return Outcome.of(ledger.settle(row, readback.receipt, "readback"), "reconciled")


def doubtful(ledger, provider, row):
    return not provider.contract.keeps_reference and ledger.has_twin(row)


@wrong("the old row reported")
def on_found(action, row, readback, ledger, provider):
    if doubtful(ledger, provider, row):
        return on_doubt(action, row, readback, ledger, provider)
    ledger.settle(row, readback.receipt, "readback")
    return Outcome.of(row, "reconciled")


@wrong("no return", "another path: cached")
def on_found(action, row, readback, ledger, provider):
    if doubtful(ledger, provider, row):
        return on_doubt(action, row, readback, ledger, provider)
    return Outcome.of(ledger.settle(row, readback.receipt, "readback"), "cached")


@wrong("the doubt is not passed on")
def on_found(action, row, readback, ledger, provider):
    if doubtful(ledger, provider, row):
        on_doubt(action, row, readback, ledger, provider)
        return None
    return Outcome.of(ledger.settle(row, readback.receipt, "readback"), "reconciled")


@wrong("refused by the ledger")
def on_found(action, row, readback, ledger, provider):
    if doubtful(ledger, provider, row):
        return on_doubt(action, row, readback, ledger, provider)
    return Outcome.of(ledger.change(row, SETTLED, "readback"), "reconciled")


@wrong("doubt without need", "the receipt of the row, which has none")
def on_found(action, row, readback, ledger, provider):
    if doubtful(ledger, provider, row):
        return on_doubt(action, row, readback, ledger, provider)
    return Outcome.of(ledger.settle(row, row.receipt, "readback"), "reconciled")


@wrong("reports what it hoped for", "hold, where the receipt is another's")
def on_found(action, row, readback, ledger, provider):
    if doubtful(ledger, provider, row):
        return on_doubt(action, row, readback, ledger, provider)
    after = ledger.settle(row, readback.receipt, "readback")
    return Outcome.of(*((after, "reconciled") if after.state == SETTLED else (row, "hold")))


@wrong("an old doubt reported", "every error is a reason to wait")
def on_found(action, row, readback, ledger, provider):
    try:
        if doubtful(ledger, provider, row):
            return on_doubt(action, row, readback, ledger, provider)
        return Outcome.of(ledger.settle(row, readback.receipt, "readback"), "reconciled")
    except Exception:
        return Outcome.of(row, "hold")
