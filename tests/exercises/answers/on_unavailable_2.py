"""Answers to lesson 08's exercise, continued."""

from lab.gateway import REVIEW, UNKNOWN, Outcome, VersionConflict, on_doubt, read_back
from tests.exercises.answering import right, wrong


@right("None where the row moved")
def on_unavailable(action, row, readback, ledger, provider):
    if readback.asked_at <= row.send_by:
        return Outcome.of(row, "hold")
    try:
        return on_doubt(action, row, readback, ledger, provider)
    except VersionConflict:
        return None


@wrong("the row from before")
def on_unavailable(action, row, readback, ledger, provider):
    if readback.asked_at <= row.send_by:
        return Outcome.of(row, "hold")
    ledger.change(row, REVIEW, "nobody answers")
    return Outcome.of(row, "manual")


@wrong("the wrong way round")
def on_unavailable(action, row, readback, ledger, provider):
    if readback.asked_at >= row.send_by:
        return Outcome.of(row, "hold")
    return on_doubt(action, row, readback, ledger, provider)


@wrong("a note while waiting")
def on_unavailable(action, row, readback, ledger, provider):
    if readback.asked_at <= row.send_by:
        return Outcome.of(ledger.change(row, UNKNOWN, "asked, no answer"), "hold")
    return on_doubt(action, row, readback, ledger, provider)


@wrong("a note while waiting", "and the attempt is closed with it")
def on_unavailable(action, row, readback, ledger, provider):
    if readback.asked_at <= row.send_by:
        now = ledger.now(row)
        return Outcome.of(ledger.change(row, UNKNOWN, "asked", send_by=now), "hold")
    return on_doubt(action, row, readback, ledger, provider)


@wrong("the open attempt prolonged", "until now")
def on_unavailable(action, row, readback, ledger, provider):
    if readback.asked_at <= row.send_by:
        return Outcome.of(row, "hold")
    row = ledger.change(row, REVIEW, "nobody answers", send_by=ledger.now(row))
    return Outcome.of(row, "manual")


@wrong("the open attempt prolonged", "until the question")
def on_unavailable(action, row, readback, ledger, provider):
    if readback.asked_at <= row.send_by:
        return Outcome.of(row, "hold")
    row = ledger.change(row, REVIEW, "nobody answers", send_by=readback.asked_at)
    return Outcome.of(row, "manual")


@wrong("the clock instead of the question", "a second question")
def on_unavailable(action, row, readback, ledger, provider):
    again = read_back(action, row, ledger, provider)
    if again.asked_at <= row.send_by:
        return Outcome.of(row, "hold")
    return on_doubt(action, row, again, ledger, provider)
