"""What several answers to one exercise are made of: `attempt`."""

from lab.gateway import (
    PREPARED,
    REVIEW,
    UNKNOWN,
    NotExecuted,
    Outcome,
    check_receipt,
    no_attempt_left,
)


def variant(refusal_end, silence_end, receipt_end, check=check_receipt, caught=Exception):
    """Return an attempt whose three ends are given; silence is whatever ``caught`` names."""

    def attempt(action, row, ledger, provider):
        outcome, row = begun(action, row, ledger, provider)
        if outcome:
            return outcome
        try:
            if ledger.now(row) > row.send_by:
                raise NotExecuted("woke up too late to send")
            receipt = check(provider.perform(action, row.attempts))
        except NotExecuted as refusal:
            return refusal_end(row, ledger, refusal)
        except caught as silence:
            return silence_end(row, ledger, silence)
        return receipt_end(row, ledger, receipt)

    return attempt


def held(row, ledger, silence):
    now = ledger.now(row)
    return Outcome.of(ledger.change(row, UNKNOWN, type(silence).__name__, send_by=now), "hold")


def refused(row, ledger, refusal):
    row = ledger.change(
        row,
        PREPARED,
        f"refused: {refusal}",
        send_by=None,
        attempts_allowed=row.attempts_allowed if refusal.retryable else row.attempts,
    )
    return Outcome.of(row, "refused") if refusal.retryable else None


def end(action, row, ledger, provider):
    """The second half, as it should be."""
    try:
        if ledger.now(row) > row.send_by:
            raise NotExecuted("woke up too late to send")
        receipt = check_receipt(provider.perform(action, row.attempts))
    except NotExecuted as refusal:
        return refused(row, ledger, refusal)
    except Exception:
        return Outcome.of(ledger.change(row, UNKNOWN, "no", send_by=ledger.now(row)), "hold")
    return Outcome.of(ledger.settle(row, receipt, "response"), "sent")


def begun(action, row, ledger, provider):
    """The first half, as it should be: an outcome, or the row that was begun."""
    if row is not None and (reason := no_attempt_left(row, provider.contract, ledger.now(row))):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual"), None
    return None, ledger.begin(action, row, provider.contract.name)
