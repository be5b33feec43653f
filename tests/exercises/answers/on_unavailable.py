"""Answers to lesson 08's exercise."""

import time
from contextlib import suppress

from lab.gateway import (
    PREPARED,
    REVIEW,
    UNKNOWN,
    BrokenContract,
    Outcome,
    ReadbackUnavailable,
    Reading,
    Verdict,
    VersionConflict,
    on_absent,
    on_doubt,
)
from tests.exercises.answering import right, unforeseen, wrong


@right("the other way round")
def on_unavailable(action, row, readback, ledger, provider):
    if readback.asked_at > row.send_by:
        return on_doubt(action, row, readback, ledger, provider)
    return Outcome.of(row, "hold")


@right("writes the review itself, and lets the gateway look again")
def on_unavailable(action, row, readback, ledger, provider):
    still_open = row.send_by is not None and readback.asked_at <= row.send_by
    if still_open:
        return Outcome(row.key, row.state, row.attempts, "hold", row.receipt)
    ledger.change(row, REVIEW, f"nobody answers: {readback.note}")


def may_still_be_sent(row, moment):
    return moment <= row.send_by


@right("a helper, a print, and an extra read")
def on_unavailable(intention, seen, answer, book, outside):
    print(intention.key, answer.asked_at, seen.send_by, outside.contract.name)
    held = book.get(seen.key)
    if held.version != seen.version:
        return None
    if may_still_be_sent(held, answer.asked_at):
        return Outcome.of(held, "hold")
    return on_doubt(intention, held, answer, book, outside)


@right("asks once more, and sends nothing")
def on_unavailable(action, row, readback, ledger, provider):
    with suppress(ReadbackUnavailable):
        provider.readback(action)
    over = readback.asked_at >= (row.send_by or 0) + 1
    return Outcome.of(ledger.change(row, REVIEW, "asked twice") if over else row, "hold")


@right("an exception for the second moment")
def on_unavailable(action, row, readback, ledger, provider):
    try:
        if row.send_by < readback.asked_at:
            raise TimeoutError("nobody sends any more")
    except TimeoutError as late:
        return Outcome.of(ledger.change(row, REVIEW, str(late)), "manual")
    else:
        return Outcome.of(row, "hold")


@right("refuses what moved, by itself")
def on_unavailable(action, row, readback, ledger, provider):
    if readback.asked_at <= row.send_by:
        return Outcome.of(row, "hold")
    try:
        return on_doubt(action, row, readback, ledger, provider)
    except VersionConflict:
        return None


right("a lambda")(
    lambda a, r, b, ld, p: Outcome.of(r, "hold") if b.asked_at <= r.send_by
    else on_doubt(a, r, b, ld, p)
)  # fmt: skip


def solved(action, row, readback, ledger, provider, *, until=None):
    """Do it rightly, but for the moment until which it waits."""
    if readback.asked_at <= (row.send_by if until is None else until):
        return Outcome.of(row, "hold")
    return on_doubt(action, row, readback, ledger, provider)


def send_again(row, ledger):
    ledger.change(row, PREPARED, "once more", send_by=None)


@wrong("round in circles")
def on_unavailable(action, row, readback, ledger, provider):
    if readback.asked_at <= row.send_by:
        return None
    return on_doubt(action, row, readback, ledger, provider)


@wrong("round in circles", "asks until somebody answers")
def on_unavailable(action, row, readback, ledger, provider):
    while True:
        with suppress(ReadbackUnavailable):
            return provider.readback(action)


@wrong("round in circles", "waits for the clock")
def on_unavailable(action, row, readback, ledger, provider):
    while ledger.now(row) <= row.send_by:
        pass
    return on_doubt(action, row, readback, ledger, provider)


@wrong("silence read as absence")
def on_unavailable(action, row, readback, ledger, provider):
    return on_absent(action, row, readback, ledger, provider)


@wrong("silence read as absence", "after the flight")
def on_unavailable(action, row, readback, ledger, provider):
    if readback.asked_at <= provider.contract.last_moment(row.send_by):
        return Outcome.of(row, "hold")
    send_again(row, ledger)


@wrong("blind retry", "at once")
def on_unavailable(action, row, readback, ledger, provider):
    send_again(row, ledger)


@wrong("blind retry", "after the last moment")
def on_unavailable(action, row, readback, ledger, provider):
    if readback.asked_at <= row.send_by:
        return Outcome.of(row, "hold")
    send_again(row, ledger)


@wrong("blind retry", "past the ledger")
def on_unavailable(action, row, readback, ledger, provider):
    receipt = provider.perform(action, row.attempts)
    return Outcome.of(ledger.settle(row, receipt, "sent again"), "sent")


@wrong("blind retry", "reports that it waits, and makes it ready to be sent")
def on_unavailable(action, row, readback, ledger, provider):
    return Outcome.of(ledger.change(row, PREPARED, "try later", send_by=None), "hold")


@wrong("trust in the second wall")
def on_unavailable(action, row, readback, ledger, provider):
    if provider.contract.deduplicates:
        return send_again(row, ledger)
    return solved(action, row, readback, ledger, provider)


@wrong("sent again elsewhere", "by plain e-mail")
def on_unavailable(action, row, readback, ledger, provider):
    if provider.contract.readback is Reading.NONE:
        return send_again(row, ledger)
    return solved(action, row, readback, ledger, provider)


@wrong("sent again elsewhere", "where nothing was promised about the way")
def on_unavailable(action, row, readback, ledger, provider):
    if readback.asked_at <= row.send_by:
        return Outcome.of(row, "hold")
    if provider.contract.in_flight_ms is None:
        return send_again(row, ledger)
    return on_doubt(action, row, readback, ledger, provider)


@wrong("sent again elsewhere", "where search is slow")
def on_unavailable(action, row, readback, ledger, provider):
    if provider.contract.readback is Reading.EVENTUAL and readback.asked_at > row.send_by:
        return send_again(row, ledger)
    return solved(action, row, readback, ledger, provider)


@wrong("settled without evidence")
def on_unavailable(action, row, readback, ledger, provider):
    if readback.asked_at <= row.send_by:
        return Outcome.of(row, "hold")
    return Outcome.of(ledger.settle(row, "assumed", "no complaint"), "reconciled")


@wrong("settled without evidence", "as if it were found")
def on_unavailable(action, row, readback, ledger, provider):
    return Outcome.of(ledger.settle(row, readback.receipt or "", "readback"), "reconciled")


@wrong("settled without evidence", "where the provider compares keys")
def on_unavailable(action, row, readback, ledger, provider):
    if provider.contract.deduplicates:
        return Outcome.of(ledger.settle(row, "once is enough", "its key"), "reconciled")
    return solved(action, row, readback, ledger, provider)


@wrong("an error escapes", "asks again")
def on_unavailable(action, row, readback, ledger, provider):
    readback = provider.readback(action)
    if readback.verdict is Verdict.FOUND:
        return Outcome.of(ledger.settle(row, readback.receipt, "readback"), "reconciled")
    return on_doubt(action, row, readback, ledger, provider)


@wrong("an error escapes", "raises")
def on_unavailable(action, row, readback, ledger, provider):
    raise BrokenContract("the provider should answer")


@wrong("reported, not written")
def on_unavailable(action, row, readback, ledger, provider):
    if readback.asked_at <= row.send_by:
        return Outcome.of(row, "hold")
    return Outcome.of(row, "manual")


@wrong("reported, not written", "an outcome of its own")
def on_unavailable(action, row, readback, ledger, provider):
    return Outcome(row.key, REVIEW, row.attempts, "manual", None)


@wrong("waits for ever")
def on_unavailable(action, row, readback, ledger, provider):
    return Outcome.of(row, "hold")


@wrong("waits for ever", "gives itself more time")
def on_unavailable(action, row, readback, ledger, provider):
    later = ledger.now(row) + 30_000
    return Outcome.of(ledger.change(row, UNKNOWN, "asked", send_by=later), "hold")


@wrong("waits for ever", "stops only where nobody can be asked")
def on_unavailable(action, row, readback, ledger, provider):
    if provider.contract.readback is Reading.NONE:
        return solved(action, row, readback, ledger, provider)
    return Outcome.of(row, "hold")


@wrong("waits for ever", "where search is slow")
def on_unavailable(action, row, readback, ledger, provider):
    if provider.contract.readback is Reading.EVENTUAL:
        return Outcome.of(row, "hold")
    return solved(action, row, readback, ledger, provider)


@wrong("waits for ever", "in both cases")
def on_unavailable(action, row, readback, ledger, provider):
    if readback.asked_at > row.send_by:
        return Outcome.of(row, "hold")
    return Outcome.of(row, "hold")


@wrong("review at once")
def on_unavailable(action, row, readback, ledger, provider):
    return on_doubt(action, row, readback, ledger, provider)


@wrong("review at once", "the machine's clock")
def on_unavailable(action, row, readback, ledger, provider):
    if time.time() * 1000 <= row.send_by:
        return Outcome.of(row, "hold")
    return on_doubt(action, row, readback, ledger, provider)


@wrong("review at once", "turned round")
def on_unavailable(action, row, readback, ledger, provider):
    if readback.asked_at > row.send_by:
        return Outcome.of(row, "hold")
    return on_doubt(action, row, readback, ledger, provider)


@wrong("review at once", "the last change for the last moment")
def on_unavailable(action, row, readback, ledger, provider):
    return solved(action, row, readback, ledger, provider, until=row.updated_at)


@wrong("waits out the flight")
def on_unavailable(action, row, readback, ledger, provider):
    last = provider.contract.last_moment(row.send_by)
    return solved(action, row, readback, ledger, provider, until=last)


@wrong("waits out the flight", "a minute of its own")
def on_unavailable(action, row, readback, ledger, provider):
    return solved(action, row, readback, ledger, provider, until=row.send_by + 60_000)


@wrong("one moment early")
def on_unavailable(action, row, readback, ledger, provider):
    if readback.asked_at < row.send_by:
        return Outcome.of(row, "hold")
    return on_doubt(action, row, readback, ledger, provider)


@wrong("one moment late")
def on_unavailable(action, row, readback, ledger, provider):
    return solved(action, row, readback, ledger, provider, until=row.send_by + 1)


@wrong("one moment late", "in whole seconds")
def on_unavailable(action, row, readback, ledger, provider):
    if readback.asked_at // 1000 <= row.send_by // 1000:
        return Outcome.of(row, "hold")
    return on_doubt(action, row, readback, ledger, provider)


@wrong("the clock instead of the question")
def on_unavailable(action, row, readback, ledger, provider):
    if ledger.now(row) <= row.send_by:
        return Outcome.of(row, "hold")
    return on_doubt(action, row, readback, ledger, provider)


@wrong("the clock instead of the question", "the clock itself")
def on_unavailable(action, row, readback, ledger, provider):
    if ledger.clock() > row.send_by:
        return on_doubt(action, row, readback, ledger, provider)
    return Outcome.of(row, "hold")


@wrong("the open attempt forgotten")
def on_unavailable(action, row, readback, ledger, provider):
    if readback.asked_at <= row.send_by:
        return Outcome.of(row, "hold")
    return Outcome.of(ledger.change(row, REVIEW, "nobody answers", send_by=None), "manual")


@wrong("an old row reported")
def on_unavailable(action, row, readback, ledger, provider):
    try:
        return solved(action, row, readback, ledger, provider)
    except VersionConflict:
        return Outcome.of(row, "hold")


@wrong("an old row reported", "whatever stands there now is moved")
def on_unavailable(action, row, readback, ledger, provider):
    if readback.asked_at <= row.send_by:
        return Outcome.of(row, "hold")
    return Outcome.of(ledger.change(ledger.get(row.key), REVIEW, "nobody answers"), "manual")


@wrong("another path", "wait")
def on_unavailable(action, row, readback, ledger, provider):
    if readback.asked_at <= row.send_by:
        return Outcome.of(row, "wait")
    return on_doubt(action, row, readback, ledger, provider)


@wrong("another path", "review")
def on_unavailable(action, row, readback, ledger, provider):
    outcome = solved(action, row, readback, ledger, provider)
    return outcome._replace(path="hold")


@unforeseen("ten seconds are enough")
def on_unavailable(action, row, readback, ledger, provider):
    return solved(action, row, readback, ledger, provider, until=row.send_by - 10_000)


@wrong("no outcome", "a text")
def on_unavailable(action, row, readback, ledger, provider):
    return "hold" if readback.asked_at <= row.send_by else "manual"


@wrong("no outcome", "the row")
def on_unavailable(action, row, readback, ledger, provider):
    return row


@unforeseen("a name that was not brought")
def on_unavailable(action, row, readback, ledger, provider):
    if readback.asked_at <= row.send_by:
        return Outcome.of(row, HOLD)  # noqa: F821
    return on_doubt(action, row, readback, ledger, provider)


@unforeseen("forgets who is handed over")
def on_unavailable(action, row, readback, ledger, provider):
    if readback.asked_at <= row.send_by:
        return Outcome.of(row, "hold")
    return on_doubt(row, readback)


asked = []


@wrong("waits for ever", "counts how often it was asked")
def on_unavailable(action, row, readback, ledger, provider):
    asked.append(readback.asked_at)
    if len(asked) == 1:
        return Outcome.of(row, "hold")
    return on_doubt(action, row, readback, ledger, provider)
