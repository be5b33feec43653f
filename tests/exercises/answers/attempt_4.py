"""Answers to lesson 06's exercise, continued."""

from contextlib import suppress

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
from tests.exercises.answering import right, unforeseen, wrong


def sent(row, ledger, receipt):
    return Outcome.of(ledger.settle(row, receipt, "response"), "sent")


def held(row, ledger, silence):
    now = ledger.now(row)
    return Outcome.of(ledger.change(row, UNKNOWN, type(silence).__name__, send_by=now), "hold")


def refused(row, ledger, refusal):
    if refusal.retryable:
        return Outcome.of(ledger.change(row, PREPARED, str(refusal), send_by=None), "refused")
    ledger.change(row, PREPARED, str(refusal), send_by=None, attempts_allowed=row.attempts)
    return None


def handed_over(row, ledger, reason):
    return Outcome.of(ledger.change(row, REVIEW, reason), "manual")


def variant(stop=handed_over, no=refused, silent=held, late=None, proof=(NotExecuted,)):
    """Return an attempt of which some ends are given."""

    def attempt(action, row, ledger, provider):
        if row and (reason := no_attempt_left(row, provider.contract, ledger.now(row))):
            return stop(row, ledger, reason)
        row = ledger.begin(action, row, provider.contract.name)
        if ledger.now(row) > row.send_by:
            return (late or refused)(row, ledger, NotExecuted("slept too long"))
        try:
            receipt = check_receipt(provider.perform(action, row.attempts))
        except proof as refusal:
            return no(row, ledger, refusal)
        except Exception as error:
            return silent(row, ledger, error)
        return sent(row, ledger, receipt)

    return attempt


right("every end in a function of its own")(variant())


def as_refusal(row, ledger, error):
    if isinstance(error, NotExecuted):
        return refused(row, ledger, error)
    return Outcome.of(ledger.change(row, PREPARED, "failed", send_by=None), "refused")


for error in (TimeoutError, ConnectionError, OSError):
    wrong("a broken call read as not sent", error.__name__)(
        variant(no=as_refusal, proof=(NotExecuted, error))
    )


def held_or_not(row, ledger, silence):
    with suppress(VersionConflict):
        return held(row, ledger, silence)
    return Outcome.of(row, "hold")


wrong("an old row after silence")(variant(silent=held_or_not))


@wrong("the old row reported", "where no attempt is left")
@variant
def attempt(row, ledger, reason):
    ledger.change(row, REVIEW, reason)
    return Outcome.of(row, "manual")


def refused_as_it_was(row, ledger, refusal):
    return refused(row, ledger, refusal) or Outcome.of(row, "refused")


wrong("the old row reported", "after a rejection")(variant(no=refused_as_it_was))


@wrong("no attempt left, and nobody is told")
@variant
def attempt(row, ledger, reason):
    return Outcome.of(ledger.change(row, PREPARED, reason), "refused")


def none_allowed(row, ledger, refusal):
    if refusal.retryable:
        return refused(row, ledger, refusal)
    ledger.change(row, PREPARED, str(refusal), send_by=None, attempts_allowed=0)
    return None


wrong("another number of attempts", "none")(variant(no=none_allowed))


def left_open(row, ledger, refusal):
    if refusal.retryable:
        return refused(row, ledger, refusal)
    ledger.change(row, PREPARED, str(refusal), attempts_allowed=row.attempts)
    return None


wrong("an attempt left open", "after a rejection")(variant(no=left_open))


def called_hold(row, ledger, refusal):
    outcome = refused(row, ledger, refusal)
    return outcome and outcome._replace(path="hold")


wrong("a refusal under another path")(variant(no=called_hold))
wrong("too late, and handed over", "to a person")(
    variant(late=lambda *ends: handed_over(*ends[:2], "late"))
)
wrong("too late, and handed over", "as if rejected")(
    variant(late=lambda row, ledger, _: refused(row, ledger, NotExecuted("late", retryable=False)))
)


@wrong("no outcome", "a text, and nothing is sent")
def attempt(action, row, ledger, provider):
    return "sent"


@unforeseen("an error of its own")
def attempt(action, row, ledger, provider):
    raise RuntimeError("not yet")
