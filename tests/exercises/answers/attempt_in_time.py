"""Answers to lesson 11's exercise; `write_down` stands in the lesson's cell before."""

from lab.gateway import (
    PREPARED,
    REVIEW,
    UNKNOWN,
    NotExecuted,
    Outcome,
    VersionConflict,
    check_receipt,
    no_attempt_left,
)
from tests.exercises.answering import right, wrong
from tests.exercises.answers.attempt_in_time_shared import asked, called, write_down

# Right, in other styles.


@right("helpers of its own, other names")
def attempt(deed, known, book, shop):
    if why := asked(known, book, shop):
        return Outcome.of(book.change(known, REVIEW, why), "manual")
    mine = book.begin(deed, known, shop.contract.name)
    return write_down(called(deed, mine, shop), mine, book)


@right("with a look at the clock, as in lesson 06")
def attempt(action, row, ledger, provider):
    if row is not None and (reason := no_attempt_left(row, provider.contract, ledger.now(row))):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.begin(action, row, provider.contract.name)
    try:
        if ledger.now(row) > row.send_by:
            raise NotExecuted("woke up too late to send")
        answer = check_receipt(provider.perform(action, row.attempts))
    except Exception as error:
        answer = error
    return write_down(answer, row, ledger)


@right("prepared first, prints, the conflict answered with None")
def attempt(action, row, ledger, provider):
    row = row or ledger.prepare(action)
    print("before:", row)
    reason = no_attempt_left(row, provider.contract, ledger.now(row))
    if reason:
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    try:
        row = ledger.begin(action, row, provider.contract.name)
    except VersionConflict:
        return None
    answer = called(action, row, provider)
    print("the answer:", answer)
    return write_down(answer, row, ledger)


@right("all of it written out, without write_down")
def attempt(action, row, ledger, provider):
    if row is not None and (reason := no_attempt_left(row, provider.contract, ledger.now(row))):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.begin(action, row, provider.contract.name)
    try:
        receipt = check_receipt(provider.perform(action, row.attempts))
    except NotExecuted as refusal:
        allowed = row.attempts_allowed if refusal.retryable else row.attempts
        row = ledger.change(row, PREPARED, str(refusal), send_by=None, attempts_allowed=allowed)
        return Outcome.of(row, "refused") if refusal.retryable else None
    except Exception:
        return Outcome.of(ledger.change(row, UNKNOWN, "?", send_by=ledger.now(row)), "hold")
    return Outcome.of(ledger.settle(row, receipt, "response"), "sent")


def note(row, ledger):
    return lambda answer: write_down(answer, row, ledger)


@right("the note made ready before the call, an else")
def attempt(action, row, ledger, provider):
    if reason := asked(row, ledger, provider):
        row = ledger.change(row, REVIEW, reason)
        return Outcome(row.key, row.state, row.attempts, "manual", row.receipt)
    row = ledger.begin(action=action, row=row, provider=provider.contract.name)
    ledger.get(action.key)
    done = note(row, ledger)
    try:
        receipt = check_receipt(provider.perform(action=action, attempt=row.attempts))
    except Exception as error:
        return done(error)
    else:
        return done(receipt)


# Wrong.


@wrong("the window is open", "too_late, as it was given")
def attempt(action, row, ledger, provider):
    if row is not None and (reason := no_attempt_left(row, provider.contract, ledger.now(row))):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = row or ledger.prepare(action)
    try:
        answer = check_receipt(provider.perform(action, row.attempts + 1))
    except Exception as error:
        answer = error
    row = ledger.begin(action, row, provider.contract.name)
    return write_down(answer, row, ledger)


@wrong("the window is open", "begun when the call failed")
def attempt(action, row, ledger, provider):
    if reason := asked(row, ledger, provider):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = row or ledger.prepare(action)
    try:
        receipt = check_receipt(provider.perform(action, row.attempts + 1))
    except Exception as error:
        row = ledger.begin(action, row, provider.contract.name)
        return write_down(error, row, ledger)
    return Outcome.of(ledger.settle(row, receipt, "response"), "sent")


@wrong("the window is open", "begun in a finally")
def attempt(action, row, ledger, provider):
    if reason := asked(row, ledger, provider):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = row or ledger.prepare(action)
    try:
        answer = check_receipt(provider.perform(action, row.attempts + 1))
    except Exception as error:
        answer = error
    finally:
        row = ledger.begin(action, row, provider.contract.name)
    return write_down(answer, row, ledger)


@wrong("begun only where it is new", "begun only where there is no row")
def attempt(action, row, ledger, provider):
    if reason := asked(row, ledger, provider):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = row or ledger.begin(action, row, provider.contract.name)
    return write_down(called(action, row, provider), row, ledger)


@wrong("the window is open", "begun, and taken back to PREPARED before the call")
def attempt(action, row, ledger, provider):
    if reason := asked(row, ledger, provider):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.begin(action, row, provider.contract.name)
    row = ledger.change(row, PREPARED, "about to send", send_by=None)
    answer = called(action, row, provider)
    row = ledger.begin(action, row, provider.contract.name)
    return write_down(answer, row, ledger)


@wrong("no row at all")
def attempt(action, row, ledger, provider):
    if reason := asked(row, ledger, provider):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    try:
        answer = check_receipt(provider.perform(action, row.attempts + 1 if row else 1))
    except Exception as error:
        answer = error
    row = ledger.begin(action, row, provider.contract.name)
    return write_down(answer, row, ledger)


open_ones = {}


@wrong("no row at all", "what is open is kept in a dictionary")
def attempt(action, row, ledger, provider):
    if action.key in open_ones:
        return Outcome(action.key, UNKNOWN, open_ones[action.key], "hold", None)
    open_ones[action.key] = 1
    try:
        answer = check_receipt(provider.perform(action, 1))
    except Exception as error:
        answer = error
    del open_ones[action.key]
    row = ledger.begin(action, row, provider.contract.name)
    return write_down(answer, row, ledger)


@right("prepared first, and begun at the second look")
def attempt(action, row, ledger, provider):
    if reason := asked(row, ledger, provider):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    ledger.prepare(action)
    row = ledger.begin(action, row, provider.contract.name)
    return write_down(called(action, row, provider), row, ledger)


@wrong("begun as if it were new", "always None")
def attempt(action, row, ledger, provider):
    if reason := asked(row, ledger, provider):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.begin(action, None, provider.contract.name)
    return write_down(called(action, row, provider), row, ledger)


@wrong("UNKNOWN without a beginning")
def attempt(action, row, ledger, provider):
    if reason := asked(row, ledger, provider):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.change(row or ledger.prepare(action), UNKNOWN, "attempt begins")
    return write_down(called(action, row, provider), row, ledger)


@wrong("one too high")
def attempt(action, row, ledger, provider):
    if reason := asked(row, ledger, provider):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.begin(action, row, provider.contract.name)
    try:
        answer = check_receipt(provider.perform(action, row.attempts + 1))
    except Exception as error:
        answer = error
    return write_down(answer, row, ledger)


@wrong("the wrong number")
def attempt(action, row, ledger, provider):
    if reason := asked(row, ledger, provider):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.begin(action, row, provider.contract.name)
    try:
        answer = check_receipt(provider.perform(action, 1))
    except Exception as error:
        answer = error
    return write_down(answer, row, ledger)
