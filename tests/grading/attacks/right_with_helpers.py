# lesson: 06
# verdict: PASSED
# shows: Helpers, a log and a line that is printed change nothing.
import logging

log = logging.getLogger(__name__)


def call(action, row, ledger, provider):
    if ledger.now(row) > (row.send_by or 0):
        raise NotExecuted("too late")
    return check_receipt(provider.perform(action, row.attempts))


def attempt(action, row, ledger, provider):
    if row is not None:
        if reason := no_attempt_left(row, provider.contract, ledger.now(row)):
            return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    begun = ledger.begin(action, row, provider.contract.name)
    try:
        receipt = call(action, begun, ledger, provider)
    except NotExecuted as refusal:
        log.warning("refused")
        if refusal.retryable:
            refused = ledger.change(begun, PREPARED, str(refusal), send_by=None)
            return Outcome.of(refused, "refused")
        allowed = begun.attempts
        ledger.change(begun, PREPARED, str(refusal), send_by=None, attempts_allowed=allowed)
        return None
    except Exception as silence:
        print("silence")
        now, why = ledger.now(begun), f"no answer: {type(silence).__name__}"
        return Outcome.of(ledger.change(begun, UNKNOWN, why, send_by=now), "hold")
    return Outcome.of(ledger.settle(begun, receipt, evidence="response"), "sent")
