"""Answers to lesson 11's exercise; `write_down` stands in the lesson's cell before, continued."""

from lab.gateway import (
    REVIEW,
    SETTLED,
    NotExecuted,
    Outcome,
    ResponseLost,
    VersionConflict,
    check_receipt,
)
from tests.exercises.answering import right, unforeseen, wrong
from tests.exercises.answers.attempt_in_time_shared import (
    asked,
    called,
    catching,
    with_answers,
    write_down,
)


@wrong("begun twice", "before the call and after it")
def attempt(action, row, ledger, provider):
    if reason := asked(row, ledger, provider):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.begin(action, row, provider.contract.name)
    answer = called(action, row, provider)
    row = ledger.begin(action, row, provider.contract.name)
    return write_down(answer, row, ledger)


@wrong("answer not written down", "begun again, and the first one not looked at")
def attempt(action, row, ledger, provider):
    if reason := asked(row, ledger, provider):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = row or ledger.prepare(action)
    begun = ledger.begin(action, row, provider.contract.name)
    answer = called(action, begun, provider)
    row = ledger.begin(action, row, provider.contract.name)
    return write_down(answer, row, ledger)


@wrong("answer not written down", "left out")
def attempt(action, row, ledger, provider):
    if reason := asked(row, ledger, provider):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.begin(action, row, provider.contract.name)
    called(action, row, provider)
    return None


@wrong("called twice", "the late call left in")
def attempt(action, row, ledger, provider):
    if reason := asked(row, ledger, provider):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.begin(action, row, provider.contract.name)
    provider.perform(action, row.attempts)
    return write_down(called(action, row, provider), row, ledger)


@wrong("sent again after silence")
def attempt(action, row, ledger, provider):
    if reason := asked(row, ledger, provider):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.begin(action, row, provider.contract.name)
    answer = called(action, row, provider)
    if isinstance(answer, Exception) and not isinstance(answer, NotExecuted):
        answer = called(action, row, provider)
    return write_down(answer, row, ledger)


@wrong("the row from before")
def attempt(action, row, ledger, provider):
    if reason := asked(row, ledger, provider):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = row or ledger.prepare(action)
    begun = ledger.begin(action, row, provider.contract.name)
    return write_down(called(action, begun, provider), row, ledger)


@wrong("the row from before is sent", "the number of the row before")
def attempt(action, row, ledger, provider):
    if reason := asked(row, ledger, provider):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    begun = ledger.begin(action, row, provider.contract.name)
    try:
        answer = check_receipt(provider.perform(action, row.attempts))  # of the row before
    except Exception as error:
        answer = error
    return write_down(answer, begun, ledger)


@wrong("a receipt of one's own")
def attempt(action, row, ledger, provider):
    if reason := asked(row, ledger, provider):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.begin(action, row, provider.contract.name)
    answer = called(action, row, provider)
    return write_down(f"sent-{row.attempts}" if isinstance(answer, str) else answer, row, ledger)


@wrong("no return")
def attempt(action, row, ledger, provider):
    if reason := asked(row, ledger, provider):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.begin(action, row, provider.contract.name)
    write_down(called(action, row, provider), row, ledger)
    return None


@wrong("nothing is sent", "begun, and left there")
def attempt(action, row, ledger, provider):
    if reason := asked(row, ledger, provider):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.begin(action, row, provider.contract.name)
    return write_down(NotExecuted("not today"), row, ledger)


@wrong("nothing is sent", "ask a person")
def attempt(action, row, ledger, provider):
    row = row or ledger.prepare(action)
    return Outcome.of(ledger.change(row, REVIEW, "somebody should look"), "manual")


right("the answer passed through a function")(with_answers(lambda answer: answer))


def refusal_of(answer):
    return NotExecuted(str(answer)) if isinstance(answer, Exception) else answer


wrong("silence read as not sent")(with_answers(refusal_of))
wrong("a surprise read as not sent")(
    with_answers(lambda answer: refusal_of(answer) if isinstance(answer, RuntimeError) else answer)
)
wrong("refusal read as silence")(
    with_answers(
        lambda answer: ResponseLost(str(answer)) if isinstance(answer, Exception) else answer
    )
)


wrong("silence ends the program")(catching(NotExecuted))
wrong("refusal ends the program")(catching(ResponseLost))
wrong("only the expected caught")(catching(ResponseLost, NotExecuted))


@wrong("empty receipt kept")
def attempt(action, row, ledger, provider):
    if reason := asked(row, ledger, provider):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.begin(action, row, provider.contract.name)
    try:
        answer = provider.perform(action, row.attempts)
    except Exception as error:
        answer = error
    return write_down(answer, row, ledger)


@wrong("one attempt too many")
def attempt(action, row, ledger, provider):
    row = ledger.begin(action, row, provider.contract.name)
    return write_down(called(action, row, provider), row, ledger)


@wrong("one attempt too few")
def attempt(action, row, ledger, provider):
    row = ledger.begin(action, row, provider.contract.name)
    if reason := asked(row, ledger, provider):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    return write_down(called(action, row, provider), row, ledger)


@wrong("the beginning inside the try")
def attempt(action, row, ledger, provider):
    if reason := asked(row, ledger, provider):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    try:
        row = ledger.begin(action, row, provider.contract.name)
        answer = check_receipt(provider.perform(action, row.attempts))
    except Exception as error:
        answer = error
    return write_down(answer, row, ledger)


@wrong("the faster one ignored")
def attempt(action, row, ledger, provider):
    if reason := asked(row, ledger, provider):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    try:
        row = ledger.begin(action, row, provider.contract.name)
    except VersionConflict:
        row = ledger.get(action.key)
    return write_down(called(action, row, provider), row, ledger)


@unforeseen("too_late with the row dropped: nothing to begin with")
def attempt(action, row, ledger, provider):
    if reason := asked(row, ledger, provider):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    ledger.begin(action, row, provider.contract.name)
    return write_down(called(action, row, provider), row, ledger)


@unforeseen("silence goes to a person")
def attempt(action, row, ledger, provider):
    if reason := asked(row, ledger, provider):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.begin(action, row, provider.contract.name)
    answer = called(action, row, provider)
    if isinstance(answer, Exception) and not isinstance(answer, NotExecuted):
        return Outcome.of(ledger.change(row, REVIEW, "no answer"), "manual")
    return write_down(answer, row, ledger)


@wrong("reported, not written", "the receipt is not kept for good")
def attempt(action, row, ledger, provider):
    if reason := asked(row, ledger, provider):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.begin(action, row, provider.contract.name)
    answer = called(action, row, provider)
    if isinstance(answer, str):
        return Outcome(row.key, SETTLED, row.attempts, "sent", answer)
    return write_down(answer, row, ledger)
