"""What several answers to one exercise are made of: `attempt_in_time`."""

from lab.gateway import (
    PREPARED,
    REVIEW,
    UNKNOWN,
    NotExecuted,
    Outcome,
    check_receipt,
    no_attempt_left,
)


def with_answers(turned):
    """Return an attempt that makes something else of the answer."""

    def attempt(action, row, ledger, provider):
        if reason := asked(row, ledger, provider):
            return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
        row = ledger.begin(action, row, provider.contract.name)
        return write_down(turned(called(action, row, provider)), row, ledger)

    return attempt


def catching(*kinds):
    """Return an attempt that catches these errors alone."""

    def attempt(action, row, ledger, provider):
        if reason := asked(row, ledger, provider):
            return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
        row = ledger.begin(action, row, provider.contract.name)
        try:
            answer = check_receipt(provider.perform(action, row.attempts))
        except kinds as error:
            answer = error
        return write_down(answer, row, ledger)

    return attempt


def write_down(answer, row, ledger):
    """Note on the row of an open attempt how it ended."""
    if isinstance(answer, NotExecuted):
        last = {} if answer.retryable else {"attempts_allowed": row.attempts}
        row = ledger.change(row, PREPARED, str(answer), send_by=None, **last)
        return Outcome.of(row, "refused")
    if isinstance(answer, Exception):
        heard = f"no answer: {type(answer).__name__}"
        return Outcome.of(ledger.change(row, UNKNOWN, heard, send_by=ledger.now(row)), "hold")
    return Outcome.of(ledger.settle(row, answer, "response"), "sent")


def called(action, row, provider):
    """Call once; the answer is a receipt or an error."""
    try:
        return check_receipt(provider.perform(action, row.attempts))
    except Exception as error:
        return error


def asked(row, ledger, provider):
    """Say why no attempt may begin, or nothing."""
    return no_attempt_left(row, provider.contract, ledger.now(row)) if row is not None else ""
