"""Answers to the first exercise of lesson 10."""

from lab.gateway import (
    PREPARED,
    REVIEW,
    UNKNOWN,
    Action,
    NotExecuted,
    Outcome,
    Verdict,
    VersionConflict,
    attempt,
    on_absent,
    on_doubt,
    on_found,
)
from tests.exercises.answering import right, unforeseen, wrong


@right("as if it were absent, with an else")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt == row.attempts:
        ledger.change(row, PREPARED, f"attempt {row.attempts} was rejected", send_by=None)
        return None
    else:
        return on_absent(action, row, readback, ledger, provider)


@right("other names, a print, extra reads")
def on_proved_not_executed(a, r, rb, book, outside):
    before = book.get(r.key)
    print("asked about", a.key, "attempt", r.attempts, "of", r.attempts_allowed)
    if rb.attempt is None or rb.attempt < r.attempts:
        return on_absent(a, r, rb._replace(verdict=Verdict.ABSENT), book, outside)
    if before == r and outside.contract.keeps_reference:
        book.change(r, "PREPARED", "rejected", send_by=None)


@right("answers in the next call")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt != row.attempts:
        return on_absent(action, row, readback, ledger, provider)
    row = ledger.change(row, PREPARED, "proved not executed", send_by=None)
    return Outcome.of(row, "refused")


@right("calls attempt by itself")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt != row.attempts:
        return on_absent(action, row, readback, ledger, provider)
    row = ledger.change(row, PREPARED, "rejected", send_by=None)
    return attempt(action, row, ledger, provider)


def is_over(row, readback, provider):
    late = row.send_by + (provider.contract.in_flight_ms or 0)
    return readback.attempt == row.attempts or readback.asked_at > late


@right("the rule for absent written out, with a helper")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if not is_over(row, readback, provider):
        return Outcome.of(row, "hold")
    ledger.change(row, PREPARED, "nothing of it can arrive any more", send_by=None)


@right("looks whether the row moved, and catches that it did")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if ledger.get(row.key) != row:
        return None
    if readback.attempt != row.attempts:
        return on_absent(action, row, readback, ledger, provider)
    try:
        ledger.change(row, PREPARED, "rejected", send_by=None)
    except VersionConflict:
        pass
    return None


right("a lambda")(
    lambda action, row, readback, ledger, provider: (
        on_absent(action, row, readback, ledger, provider)
        if readback.attempt != row.attempts
        else ledger.change(row, PREPARED, "rejected", send_by=None) and None
    )
)


@right("hands it to a person where no attempt is left")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt != row.attempts:
        return on_absent(action, row, readback, ledger, provider)
    row = ledger.change(row, PREPARED, "rejected", send_by=None)
    if row.attempts >= row.attempts_allowed:
        return Outcome.of(ledger.change(row, REVIEW, "three rejections"), "manual")
    return None


@wrong("a key of its own")
def on_proved_not_executed(action, row, readback, ledger, provider):
    fresh = Action(f"{action.key}:again", action.kind, action.payload)
    ledger.change(row, PREPARED, "rejected", send_by=None)
    return attempt(fresh, None, ledger, provider)


@wrong("sends by itself", "and settles with the receipt")
def on_proved_not_executed(action, row, readback, ledger, provider):
    receipt = provider.perform(action, row.attempts + 1)
    return Outcome.of(ledger.settle(row, receipt, "sent again"), "sent")


@wrong("sends by itself", "moves the row and sends")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt != row.attempts:
        return on_absent(action, row, readback, ledger, provider)
    ledger.change(row, PREPARED, "rejected", send_by=None)
    provider.perform(action, row.attempts + 1)


@wrong("sends by itself", "until it works")
def on_proved_not_executed(action, row, readback, ledger, provider):
    number = row.attempts
    while True:
        number += 1
        try:
            receipt = provider.perform(action, number)
            return Outcome.of(ledger.settle(row, receipt, "sent again"), "sent")
        except NotExecuted:
            continue


@wrong("sends by itself", "on and on")
def on_proved_not_executed(action, row, readback, ledger, provider):
    while ledger.get(action.key).state == UNKNOWN:
        provider.perform(action, row.attempts + 1)


@wrong("settles what was rejected")
def on_proved_not_executed(action, row, readback, ledger, provider):
    row = ledger.settle(row, f"rejected-{readback.attempt}", "readback")
    return Outcome.of(row, "reconciled")


@wrong("settles what was rejected", "an empty receipt")
def on_proved_not_executed(action, row, readback, ledger, provider):
    return on_found(action, row, readback, ledger, provider)


@wrong("the attempt left open")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt != row.attempts:
        return on_absent(action, row, readback, ledger, provider)
    ledger.change(row, PREPARED, "proved not executed")
    return None


@wrong("the attempt left open", "closed now, not opened")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt != row.attempts:
        return on_absent(action, row, readback, ledger, provider)
    ledger.change(row, PREPARED, "proved not executed", send_by=ledger.now(row))


@wrong("returns the row")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt != row.attempts:
        return on_absent(action, row, readback, ledger, provider)
    return ledger.change(row, PREPARED, "proved not executed", send_by=None)


@wrong("returns the row", "the name of the state")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt != row.attempts:
        return on_absent(action, row, readback, ledger, provider)
    ledger.change(row, PREPARED, "proved not executed", send_by=None)
    return "sent"


@wrong("nothing moves")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt != row.attempts:
        return on_absent(action, row, readback, ledger, provider)
    return None


@wrong("nothing moves", "asks until the answer is another")
def on_proved_not_executed(action, row, readback, ledger, provider):
    while readback.attempt == row.attempts:
        readback = provider.readback(action)
    return on_absent(action, row, readback, ledger, provider)


@wrong("left to a person")
def on_proved_not_executed(action, row, readback, ledger, provider):
    return Outcome.of(ledger.change(row, REVIEW, "the provider rejected it"), "manual")


@wrong("left to a person", "as a doubt")
def on_proved_not_executed(action, row, readback, ledger, provider):
    return on_doubt(action, row, readback, ledger, provider)


@wrong("left to a person", "refused for good")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt != row.attempts:
        return on_absent(action, row, readback, ledger, provider)
    ledger.change(row, PREPARED, "rejected", send_by=None, attempts_allowed=row.attempts)


@wrong("left to a person", "a receipt that is none")
def on_proved_not_executed(action, row, readback, ledger, provider):
    return Outcome.of(ledger.settle(row, readback.receipt, "readback"), "reconciled")


@wrong("waits for ever")
def on_proved_not_executed(action, row, readback, ledger, provider):
    return Outcome.of(row, "hold")


@wrong("waits for ever", "reported, not written")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt != row.attempts:
        return on_absent(action, row, readback, ledger, provider)
    return Outcome(row.key, PREPARED, row.attempts, "refused", None)


@wrong("waits in spite of the proof")
def on_proved_not_executed(action, row, readback, ledger, provider):
    return on_absent(action, row, readback._replace(verdict=Verdict.ABSENT), ledger, provider)


@wrong("nothing moves", "prepares it once more")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt != row.attempts:
        return on_absent(action, row, readback, ledger, provider)
    ledger.prepare(action)


@wrong("nothing moves", "stays UNKNOWN, with news")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt != row.attempts:
        return on_absent(action, row, readback, ledger, provider)
    ledger.change(row, UNKNOWN, "the provider rejected it")


@wrong("waits for ever", "always as if it were absent, and asks too early")
def on_proved_not_executed(action, row, readback, ledger, provider):
    return on_absent(action, row, readback._replace(asked_at=row.send_by), ledger, provider)


@wrong("the old refusal closes the new attempt")
def on_proved_not_executed(action, row, readback, ledger, provider):
    ledger.change(row, PREPARED, "proved not executed", send_by=None)
    return None


@wrong("the old refusal closes the new attempt", "turned around")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt > row.attempts:
        return on_absent(action, row, readback, ledger, provider)
    ledger.change(row, PREPARED, "proved not executed", send_by=None)


@wrong("too early")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt != row.attempts:
        if readback.asked_at < provider.contract.last_moment(row.send_by):
            return Outcome.of(row, "hold")
    ledger.change(row, PREPARED, "proved not executed", send_by=None)


@wrong("an old refusal goes to a person")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt != row.attempts:
        return on_doubt(action, row, readback, ledger, provider)
    ledger.change(row, PREPARED, "proved not executed", send_by=None)


@wrong("an old refusal waits for ever")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt != row.attempts:
        return Outcome.of(row, "hold")
    ledger.change(row, PREPARED, "proved not executed", send_by=None)


@wrong("nothing moves", "looks again for an old refusal, without end")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt == row.attempts:
        ledger.change(row, PREPARED, "proved not executed", send_by=None)
    return None


@wrong("closes what another began")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt != row.attempts:
        return on_absent(action, row, readback, ledger, provider)
    ledger.change(ledger.get(row.key), PREPARED, "proved not executed", send_by=None)


@wrong("closes what another began", "insists")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt != row.attempts:
        return on_absent(action, row, readback, ledger, provider)
    while True:
        try:
            ledger.change(row, PREPARED, "proved not executed", send_by=None)
            return None
        except VersionConflict:
            row = ledger.get(row.key)


@wrong("more attempts than allowed")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt != row.attempts:
        return on_absent(action, row, readback, ledger, provider)
    allowed = row.attempts + 1
    ledger.change(row, PREPARED, "one more", send_by=None, attempts_allowed=allowed)


@wrong("more attempts than allowed", "and one more each time")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt != row.attempts:
        return on_absent(action, row, readback, ledger, provider)
    allowed = row.attempts_allowed + 1
    ledger.change(row, PREPARED, "one more", send_by=None, attempts_allowed=allowed)


@wrong("the day begins anew")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt != row.attempts:
        return on_absent(action, row, readback, ledger, provider)
    ledger.change(row, PREPARED, "rejected", send_by=None, retry_since=None)


@wrong("says sent")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt != row.attempts:
        return on_absent(action, row, readback, ledger, provider)
    return Outcome.of(ledger.change(row, PREPARED, "rejected", send_by=None), "sent")


@wrong("counts the attempts", "counts them anew")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt != row.attempts:
        return on_absent(action, row, readback, ledger, provider)
    ledger.change(row, PREPARED, "rejected", send_by=None, attempts=0)


@unforeseen("raises what the call would have raised")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt != row.attempts:
        return on_absent(action, row, readback, ledger, provider)
    raise NotExecuted("the provider rejected it")


@unforeseen("a name that is not there, in the branch that is seldom reached")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt != row.attempts:
        return on_absnt(action, row, readback, ledger, provider)  # noqa: F821
    ledger.change(row, PREPARED, "rejected", send_by=None)


@unforeseen("says that it is settled")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt != row.attempts:
        return on_absent(action, row, readback, ledger, provider)
    ledger.change(row, PREPARED, "rejected", send_by=None)
    return Outcome(row.key, "SETTLED", row.attempts, "reconciled", "keyed-1")
