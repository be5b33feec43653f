"""Answers to the exercise of lesson 11: close the window, the rest."""

from lab.exercises.asked.attempt_in_time import write_down
from lab.gateway import REVIEW, NotExecuted, Outcome, check_receipt, no_attempt_left
from tests.exercises.answering import right, unforeseen, wrong


@right("looks at the clock, as in lesson 06")
def attempt(action, row, ledger, provider):
    if row and (reason := no_attempt_left(row, provider.contract, ledger.now(row))):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.begin(action, row, provider.contract.name)
    try:
        if ledger.now(row) > row.send_by:
            raise NotExecuted("overslept", retryable=True)
        answer = check_receipt(provider.perform(action, row.attempts))
    except Exception as error:
        answer = error
    return write_down(answer, row, ledger)


@right("prepares first, then begins")
def attempt(action, row, ledger, provider):
    if row is not None and (reason := no_attempt_left(row, provider.contract, ledger.now(row))):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = row or ledger.prepare(action)
    row = ledger.begin(action, row, provider.contract.name)
    try:
        answer = check_receipt(provider.perform(action, row.attempts))
    except Exception as error:
        answer = error
    return write_down(answer, row, ledger)


@wrong("begun only where it is new")
def attempt(action, row, ledger, provider):
    if row is None:
        row = ledger.begin(action, row, provider.contract.name)
    elif reason := no_attempt_left(row, provider.contract, ledger.now(row)):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    try:
        answer = check_receipt(provider.perform(action, row.attempts))
    except Exception as error:
        answer = error
    return write_down(answer, row, ledger)


@wrong("the row from before is sent", "a new action is prepared first")
def attempt(action, row, ledger, provider):
    if row is not None and (reason := no_attempt_left(row, provider.contract, ledger.now(row))):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = row or ledger.prepare(action)
    ledger.begin(action, row, provider.contract.name)
    try:
        answer = check_receipt(provider.perform(action, row.attempts))
    except Exception as error:
        answer = error
    return write_down(answer, row, ledger)


@unforeseen("what begin gives back is not kept, where nothing was prepared")
def attempt(action, row, ledger, provider):
    if row is not None and (reason := no_attempt_left(row, provider.contract, ledger.now(row))):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    ledger.begin(action, row, provider.contract.name)
    try:
        answer = check_receipt(provider.perform(action, row.attempts))
    except Exception as error:
        answer = error
    return write_down(answer, row, ledger)


@wrong("begun, and not called")
def attempt(action, row, ledger, provider):
    if row is not None and (reason := no_attempt_left(row, provider.contract, ledger.now(row))):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.begin(action, row, provider.contract.name)
    return Outcome.of(row, "hold")


@wrong("begun, and not called", "takes the window for too short")
def attempt(action, row, ledger, provider):
    if row is not None and (reason := no_attempt_left(row, provider.contract, ledger.now(row))):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.begin(action, row, provider.contract.name)
    if ledger.now(row) >= row.send_by - 30000:
        return Outcome.of(row, "hold")
    try:
        answer = check_receipt(provider.perform(action, row.attempts))
    except Exception as error:
        answer = error
    return write_down(answer, row, ledger)


@wrong("an error's text kept as a receipt")
def attempt(action, row, ledger, provider):
    if row is not None and (reason := no_attempt_left(row, provider.contract, ledger.now(row))):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.begin(action, row, provider.contract.name)
    try:
        answer = check_receipt(provider.perform(action, row.attempts))
    except Exception as error:
        answer = str(error)
    return write_down(answer, row, ledger)


@wrong("reported, not written", "a reason, and the row stays")
def attempt(action, row, ledger, provider):
    if row is not None and no_attempt_left(row, provider.contract, ledger.now(row)):
        return Outcome.of(row, "manual")
    row = ledger.begin(action, row, provider.contract.name)
    try:
        answer = check_receipt(provider.perform(action, row.attempts))
    except Exception as error:
        answer = error
    return write_down(answer, row, ledger)


@wrong("looked at again for nothing")
def attempt(action, row, ledger, provider):
    if row is not None and no_attempt_left(row, provider.contract, ledger.now(row)):
        return None
    row = ledger.begin(action, row, provider.contract.name)
    try:
        answer = check_receipt(provider.perform(action, row.attempts))
    except Exception as error:
        answer = error
    return write_down(answer, row, ledger)


@wrong("another provider's name")
def attempt(action, row, ledger, provider):
    if row is not None and (reason := no_attempt_left(row, provider.contract, ledger.now(row))):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.begin(action, row, "readable")
    try:
        answer = check_receipt(provider.perform(action, row.attempts))
    except Exception as error:
        answer = error
    return write_down(answer, row, ledger)


@wrong("nothing is sent", "written down, and left there")
def attempt(action, row, ledger, provider):
    return Outcome.of(row or ledger.prepare(action), "hold")


@wrong("an error of one's own taken for silence", "the receipt is a text already")
def attempt(action, row, ledger, provider):
    if row is not None and (reason := no_attempt_left(row, provider.contract, ledger.now(row))):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.begin(action, row, provider.contract.name)
    try:
        answer = check_receipt(provider.perform(action, row.attempts).receipt)
    except Exception as error:
        answer = error
    return write_down(answer, row, ledger)
