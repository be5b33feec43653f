"""Answers to the first exercise of lesson 10: the handler of a proved rejection, continued."""

from lab.gateway import PREPARED, on_absent
from tests.exercises.answering import right, unforeseen, wrong


class Rejected:
    def __call__(self, action, row, readback, ledger, provider):
        match readback.attempt - row.attempts:
            case 0:
                ledger.change(row, PREPARED, "proved not executed", send_by=None)
                return None
            case _:
                return on_absent(action, row, readback, ledger, provider)


on_proved_not_executed = right("a class that can be called, and a match")(Rejected())


def older_waits(handler):
    def inner(*five):
        _, row, readback, _, _ = five
        return handler(*five) if readback.attempt >= row.attempts else on_absent(*five)

    return inner


@right("a decorator asks which attempt it is")
@older_waits
def on_proved_not_executed(action, row, readback, ledger, provider):
    print("rejected, so it will be sent again")
    ledger.change(row, PREPARED, f"rejected: {readback!r}", send_by=None)


@wrong("counts the attempts", "this one does not count")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt == row.attempts:
        number = row.attempts - 1
        ledger.change(row, PREPARED, "proved", send_by=None, attempts=number)
        return None
    return on_absent(action, row, readback, ledger, provider)


@wrong("counts the attempts", "the next one")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt == row.attempts:
        number = row.attempts + 1
        ledger.change(row, PREPARED, "proved", send_by=None, attempts=number)
        return None
    return on_absent(action, row, readback, ledger, provider)


@unforeseen("a column that is not there")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt == row.attempts:
        ledger.change(row, PREPARED, "proved", sendby=None)
        return None
    return on_absent(action, row, readback, ledger, provider)


@wrong("waits for ever", "one attempt off")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt + 1 == row.attempts:
        ledger.change(row, PREPARED, "proved", send_by=None)
        return None
    return on_absent(action, row, readback, ledger, provider)


@wrong("left to a person", "settles with the receipt that is not there")
def on_proved_not_executed(action, row, readback, ledger, provider):
    if readback.attempt == row.attempts:
        ledger.settle(row, readback.receipt, "rejected")
        return None
    return on_absent(action, row, readback, ledger, provider)
