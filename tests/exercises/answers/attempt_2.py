"""Answers to lesson 06's exercise, continued."""

from lab.gateway import (
    REVIEW,
    UNKNOWN,
    NotExecuted,
    Outcome,
    VersionConflict,
    check_receipt,
    no_attempt_left,
)
from tests.exercises.answering import wrong
from tests.exercises.answers.attempt_shared import begun, end, refused

tries = {}


@wrong("the wrong number", "counted in a dictionary")
def attempt(action, row, ledger, provider):
    outcome, row = begun(action, row, ledger, provider)
    if outcome:
        return outcome
    tries[action.key] = tries.get(action.key, 0) + 1
    try:
        if ledger.now(row) > row.send_by:
            raise NotExecuted("woke up too late to send")
        receipt = check_receipt(provider.perform(action, tries[action.key]))
    except NotExecuted as refusal:
        return refused(row, ledger, refusal)
    except Exception:
        return Outcome.of(ledger.change(row, UNKNOWN, "no", send_by=ledger.now(row)), "hold")
    return Outcome.of(ledger.settle(row, receipt, "response"), "sent")


@wrong("the wrong number", "the number of the row before")
def attempt(action, row, ledger, provider):
    number = row.attempts if row else 1
    outcome, row = begun(action, row, ledger, provider)
    if outcome:
        return outcome
    try:
        if ledger.now(row) > row.send_by:
            raise NotExecuted("woke up too late to send")
        receipt = check_receipt(provider.perform(action, number))
    except NotExecuted as refusal:
        return refused(row, ledger, refusal)
    except Exception:
        return Outcome.of(ledger.change(row, UNKNOWN, "no", send_by=ledger.now(row)), "hold")
    return Outcome.of(ledger.settle(row, receipt, "response"), "sent")


@wrong("the wrong number", "one more than begun")
def attempt(action, row, ledger, provider):
    outcome, row = begun(action, row, ledger, provider)
    if outcome:
        return outcome
    try:
        receipt = check_receipt(provider.perform(action, row.attempts + 1))
    except NotExecuted as refusal:
        return refused(row, ledger, refusal)
    except Exception:
        return Outcome.of(ledger.change(row, UNKNOWN, "no", send_by=ledger.now(row)), "hold")
    return Outcome.of(ledger.settle(row, receipt, "response"), "sent")


@wrong("one attempt too many")
def attempt(action, row, ledger, provider):
    row = ledger.begin(action, row, provider.contract.name)
    return end(action, row, ledger, provider)


@wrong("one attempt too few", "asked after it began")
def attempt(action, row, ledger, provider):
    row = ledger.begin(action, row, provider.contract.name)
    if reason := no_attempt_left(row, provider.contract, ledger.now(row)):
        return Outcome.of(ledger.change(row, REVIEW, reason, send_by=None), "manual")
    return end(action, row, ledger, provider)


@wrong("a day later", "counts by itself")
def attempt(action, row, ledger, provider):
    if row is not None and row.attempts >= row.attempts_allowed:
        return Outcome.of(ledger.change(row, REVIEW, "used up"), "manual")
    row = ledger.begin(action, row, provider.contract.name)
    return end(action, row, ledger, provider)


@wrong("a day later", "the time of the last change")
def attempt(action, row, ledger, provider):
    if row is not None and (reason := no_attempt_left(row, provider.contract, row.updated_at)):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.begin(action, row, provider.contract.name)
    return end(action, row, ledger, provider)


@wrong("reported, not written", "review that is only said")
def attempt(action, row, ledger, provider):
    if row is not None and no_attempt_left(row, provider.contract, ledger.now(row)):
        return Outcome(action.key, REVIEW, row.attempts, "manual", None)
    row = ledger.begin(action, row, provider.contract.name)
    return end(action, row, ledger, provider)


@wrong("reported, not written", "manual, and the row as it was")
def attempt(action, row, ledger, provider):
    if row is not None and no_attempt_left(row, provider.contract, ledger.now(row)):
        return Outcome.of(row, "manual")
    row = ledger.begin(action, row, provider.contract.name)
    return end(action, row, ledger, provider)


@wrong("the faster one ignored")
def attempt(action, row, ledger, provider):
    if row is not None and (reason := no_attempt_left(row, provider.contract, ledger.now(row))):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    try:
        row = ledger.begin(action, row, provider.contract.name)
    except VersionConflict:
        row = ledger.get(action.key)
    return end(action, row, ledger, provider)


@wrong("nothing is sent", "always to a person")
def attempt(action, row, ledger, provider):
    row = row or ledger.prepare(action)
    return Outcome.of(ledger.change(row, REVIEW, "better safe"), "manual")


@wrong("nothing is sent", "written down, and left there")
def attempt(action, row, ledger, provider):
    return Outcome.of(row or ledger.prepare(action), "hold")


@wrong("nothing is sent", "the question turned round")
def attempt(action, row, ledger, provider):
    row = row or ledger.prepare(action)
    if not no_attempt_left(row, provider.contract, ledger.now(row)):
        return Outcome.of(ledger.change(row, REVIEW, "no attempt left"), "manual")
    row = ledger.begin(action, row, provider.contract.name)
    return end(action, row, ledger, provider)


# Wrong: the call.


@wrong("sent twice", "once to be sure")
def attempt(action, row, ledger, provider):
    outcome, row = begun(action, row, ledger, provider)
    if outcome:
        return outcome
    if ledger.now(row) <= row.send_by:
        try:
            provider.perform(action, row.attempts)
        except Exception as error:
            print("try once more", error)
    return end(action, row, ledger, provider)


@wrong("sent again after silence", "three times")
def attempt(action, row, ledger, provider):
    outcome, row = begun(action, row, ledger, provider)
    if outcome:
        return outcome
    for _ in range(3):
        if ledger.now(row) > row.send_by:
            break
        try:
            receipt = check_receipt(provider.perform(action, row.attempts))
            return Outcome.of(ledger.settle(row, receipt, "response"), "sent")
        except NotExecuted as refusal:
            return refused(row, ledger, refusal)
        except Exception:
            continue
    return Outcome.of(ledger.change(row, UNKNOWN, "no", send_by=ledger.now(row)), "hold")


@wrong("sent again after silence", "until it works")
def attempt(action, row, ledger, provider):
    outcome, row = begun(action, row, ledger, provider)
    if outcome:
        return outcome
    while True:
        try:
            receipt = check_receipt(provider.perform(action, row.attempts))
            return Outcome.of(ledger.settle(row, receipt, "response"), "sent")
        except NotExecuted as refusal:
            return refused(row, ledger, refusal)
        except Exception:
            continue


@wrong("an error of one's own taken for silence", "a misspelled helper")
def attempt(action, row, ledger, provider):
    outcome, row = begun(action, row, ledger, provider)
    if outcome:
        return outcome
    try:
        if ledger.now(row) > row.send_by:
            raise NotExecuted("woke up too late to send")
        receipt = check_reciept(provider.perform(action, row.attempts))  # noqa: F821
    except NotExecuted as refusal:
        return refused(row, ledger, refusal)
    except Exception:
        return Outcome.of(ledger.change(row, UNKNOWN, "no", send_by=ledger.now(row)), "hold")
    return Outcome.of(ledger.settle(row, receipt, "response"), "sent")


@wrong("an error of one's own taken for silence", "the clock compared with nothing")
def attempt(action, row, ledger, provider):
    outcome, begun_row = begun(action, row, ledger, provider)
    if outcome:
        return outcome
    try:
        if ledger.now(begun_row) > row.send_by:
            raise NotExecuted("woke up too late to send")
        receipt = check_receipt(provider.perform(action, begun_row.attempts))
    except NotExecuted as refusal:
        return refused(begun_row, ledger, refusal)
    except Exception:
        now = ledger.now(begun_row)
        return Outcome.of(ledger.change(begun_row, UNKNOWN, "no", send_by=now), "hold")
    return Outcome.of(ledger.settle(begun_row, receipt, "response"), "sent")


@wrong("however late", "no look at the clock")
def attempt(action, row, ledger, provider):
    outcome, row = begun(action, row, ledger, provider)
    if outcome:
        return outcome
    try:
        receipt = check_receipt(provider.perform(action, row.attempts))
    except NotExecuted as refusal:
        return refused(row, ledger, refusal)
    except Exception:
        return Outcome.of(ledger.change(row, UNKNOWN, "no", send_by=ledger.now(row)), "hold")
    return Outcome.of(ledger.settle(row, receipt, "response"), "sent")


@wrong("however late", "looked before it began")
def attempt(action, row, ledger, provider):
    started = ledger.now()
    outcome, row = begun(action, row, ledger, provider)
    if outcome:
        return outcome
    try:
        if started > row.send_by:
            raise NotExecuted("late")
        receipt = check_receipt(provider.perform(action, row.attempts))
    except NotExecuted as refusal:
        return refused(row, ledger, refusal)
    except Exception:
        return Outcome.of(ledger.change(row, UNKNOWN, "no", send_by=ledger.now(row)), "hold")
    return Outcome.of(ledger.settle(row, receipt, "response"), "sent")


@wrong("too late, and nobody catches it")
def attempt(action, row, ledger, provider):
    outcome, row = begun(action, row, ledger, provider)
    if outcome:
        return outcome
    if ledger.now(row) > row.send_by:
        raise NotExecuted("woke up too late to send")
    return end(action, row, ledger, provider)


@wrong("too late, and no word of it", "reported as silence")
def attempt(action, row, ledger, provider):
    outcome, row = begun(action, row, ledger, provider)
    if outcome:
        return outcome
    if ledger.now(row) > row.send_by:
        return Outcome.of(row, "hold")
    return end(action, row, ledger, provider)


@wrong("too late, and no word of it", "None")
def attempt(action, row, ledger, provider):
    outcome, row = begun(action, row, ledger, provider)
    if outcome:
        return outcome
    if ledger.now(row) > row.send_by:
        return None
    return end(action, row, ledger, provider)


@wrong("a moment too early")
def attempt(action, row, ledger, provider):
    outcome, row = begun(action, row, ledger, provider)
    if outcome:
        return outcome
    try:
        if ledger.now(row) >= row.send_by:
            raise NotExecuted("woke up too late to send")
        receipt = check_receipt(provider.perform(action, row.attempts))
    except NotExecuted as refusal:
        return refused(row, ledger, refusal)
    except Exception:
        return Outcome.of(ledger.change(row, UNKNOWN, "no", send_by=ledger.now(row)), "hold")
    return Outcome.of(ledger.settle(row, receipt, "response"), "sent")


# Wrong: what is written down of it.
