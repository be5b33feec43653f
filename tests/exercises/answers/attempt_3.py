"""Answers to lesson 06's exercise, continued."""

from lab.gateway import (
    PREPARED,
    REVIEW,
    SETTLED,
    UNKNOWN,
    NotExecuted,
    Outcome,
    ResponseLost,
    check_receipt,
    no_attempt_left,
)
from tests.exercises.answering import right, unforeseen, wrong
from tests.exercises.answers.attempt_shared import begun, end, held, refused, variant

# Right, in other styles.


def settled(row, ledger, receipt):
    return Outcome.of(ledger.settle(row, receipt, "response"), "sent")


right("put together from three ends")(variant(refused, held, settled))


def made(name, what="", **parts):
    ends = {"refusal_end": refused, "silence_end": held, "receipt_end": settled}
    (unforeseen(what) if name is None else wrong(name, what))(variant(**{**ends, **parts}))


made(
    "a receipt of one's own",
    receipt_end=lambda row, ledger, receipt: settled(row, ledger, f"receipt-{row.key}"),
)
made(
    "reported, not written",
    "a receipt that is only said",
    receipt_end=lambda row, ledger, receipt: Outcome(
        row.key, SETTLED, row.attempts, "sent", receipt
    ),
)
made(
    "the old row reported",
    "after a receipt",
    receipt_end=lambda row, ledger, receipt: (
        ledger.settle(row, receipt, "ok") and Outcome.of(row, "sent")
    ),
)
made(
    "the old row reported",
    "after a refusal",
    refusal_end=lambda row, ledger, refusal: (
        refused(row, ledger, refusal) and Outcome.of(row, "refused")
    ),
)
made("receipt not written down", "None at the end", receipt_end=lambda *ends: None)
made("no return", receipt_end=lambda row, ledger, receipt: settled(row, ledger, receipt) and None)
made(
    "another path",
    "done",
    receipt_end=lambda row, ledger, receipt: Outcome.of(ledger.settle(row, receipt, "ok"), "done"),
)
made(
    "receipt not written down",
    "another path: reconciled",
    receipt_end=lambda row, ledger, receipt: settled(row, ledger, receipt)._replace(
        path="reconciled"
    ),
)
made(
    "late receipt dropped",
    "changed instead of settled",
    receipt_end=lambda row, ledger, receipt: Outcome.of(
        ledger.change(row, SETTLED, "response", receipt=receipt, send_by=None), "sent"
    ),
)


def as_refusal(row, ledger, silence):
    return Outcome.of(ledger.change(row, PREPARED, "failed", send_by=None), "refused")


made("silence read as not sent", silence_end=as_refusal)
made(
    "a surprise read as not sent",
    silence_end=lambda row, ledger, silence: (
        held(row, ledger, silence)
        if isinstance(silence, ResponseLost)
        else as_refusal(row, ledger, silence)
    ),
)
made("silence ends the program", caught=ValueError)
made("only the expected caught", caught=ResponseLost)
made("only the expected caught", "two of them", caught=(ResponseLost, TimeoutError, OSError))
made("empty receipt kept", check=lambda receipt: receipt)


def full(receipt):
    if not receipt:
        raise NotExecuted("no receipt")
    return receipt


made("empty receipt read as not sent", check=full)
made(
    "empty receipt ends the program",
    check=lambda receipt: receipt,
    receipt_end=lambda row, ledger, receipt: settled(row, ledger, check_receipt(receipt)),
)
made(
    "an open attempt without an end",
    silence_end=lambda row, ledger, silence: Outcome.of(
        ledger.change(row, UNKNOWN, "?", send_by=None), "hold"
    ),
)
made(
    "send_by left as it was",
    "a note, and no more",
    silence_end=lambda row, ledger, silence: Outcome.of(ledger.change(row, UNKNOWN, "?"), "hold"),
)
made(
    "send_by left as it was",
    "nothing written",
    silence_end=lambda row, ledger, silence: Outcome.of(row, "hold"),
)
made(
    "send_by left as it was",
    "the moment it began",
    silence_end=lambda row, ledger, silence: Outcome.of(
        ledger.change(row, UNKNOWN, "?", send_by=row.updated_at), "hold"
    ),
)
made(
    "an attempt left open",
    refusal_end=lambda row, ledger, refusal: Outcome.of(
        ledger.change(row, PREPARED, "refused"), "refused"
    ),
)
made("refusal read as silence", refusal_end=held)
made("asked again at once", refusal_end=lambda *ends: refused(*ends) and None)
made(
    "one refusal is the last",
    refusal_end=lambda row, ledger, refusal: Outcome.of(
        ledger.change(row, PREPARED, "no", send_by=None, attempts_allowed=row.attempts), "refused"
    ),
)
made(
    "refused for good, and sent again",
    "as if it might pass",
    refusal_end=lambda row, ledger, refusal: Outcome.of(
        ledger.change(row, PREPARED, "no", send_by=None), "refused"
    ),
)
made(
    "refused for good, and sent again",
    "at once",
    refusal_end=lambda row, ledger, refusal: (
        refused(row, ledger, refusal)
        if refusal.retryable
        else ledger.change(row, PREPARED, "no", send_by=None) and None
    ),
)
made(
    "refused for good, and nobody is told",
    refusal_end=lambda row, ledger, refusal: (
        refused(row, ledger, refusal) or Outcome.of(ledger.get(row.key), "refused")
    ),
)


def forced(row, ledger, refusal):
    now = ledger.get(row.key)  # whatever version it has
    return refused(now, ledger, refusal)


made("an old refusal closes the new attempt", refusal_end=forced)
made(
    "an old silence shortens the new attempt",
    silence_end=lambda row, ledger, silence: held(ledger.get(row.key), ledger, silence),
)


@wrong("refusal ends the program", "only silence is caught")
def attempt(action, row, ledger, provider):
    outcome, row = begun(action, row, ledger, provider)
    if outcome:
        return outcome
    if ledger.now(row) > row.send_by:
        return Outcome.of(ledger.change(row, PREPARED, "late", send_by=None), "refused")
    try:
        receipt = check_receipt(provider.perform(action, row.attempts))
    except ResponseLost as silence:
        return held(row, ledger, silence)
    return settled(row, ledger, receipt)


@wrong("refusal read as silence", "the wide clause first")
def attempt(action, row, ledger, provider):
    outcome, row = begun(action, row, ledger, provider)
    if outcome:
        return outcome
    try:
        if ledger.now(row) > row.send_by:
            raise NotExecuted("late")
        receipt = check_receipt(provider.perform(action, row.attempts))
    except Exception as silence:
        return held(row, ledger, silence)
    except NotExecuted as refusal:
        return refused(row, ledger, refusal)
    return settled(row, ledger, receipt)


# Wrong in ways that nobody describes.

made(
    "another number of attempts",
    "a refusal for good goes to a person, who finds attempts left",
    refusal_end=lambda row, ledger, refusal: (
        refused(row, ledger, refusal)
        if refusal.retryable
        else Outcome.of(ledger.change(row, REVIEW, "refused for good", send_by=None), "manual")
    ),
)
made(
    "silence handed over at once",
    "silence goes to a person",
    silence_end=lambda row, ledger, silence: Outcome.of(
        ledger.change(row, REVIEW, "no answer"), "manual"
    ),
)
made(None, "another word for hold", silence_end=lambda *ends: held(*ends)._replace(path="unknown"))
made(
    "asked in the same moment", "None after silence", silence_end=lambda *ends: held(*ends) and None
)
made(
    "settled by hand",
    "an open attempt left",
    receipt_end=lambda row, ledger, receipt: Outcome.of(
        ledger.change(row, SETTLED, "response", receipt=receipt), "sent"
    ),
)
made(
    None,
    "the error itself as evidence",
    refusal_end=lambda row, ledger, refusal: Outcome.of(
        ledger.change(row, PREPARED, refusal, send_by=None), "refused"
    ),
)
made(
    None,
    "a misspelled state where it was refused for good",
    refusal_end=lambda row, ledger, refusal: (
        refused(row, ledger, refusal)
        if refusal.retryable
        else ledger.change(row, PREPARD, "never", send_by=None)  # noqa: F821
    ),
)
made(
    "no legal move",
    "a state that there is not",
    refusal_end=lambda row, ledger, refusal: Outcome.of(
        ledger.change(row, "FAILED", "refused", send_by=None), "refused"
    ),
)
made(
    "no outcome",
    "a word instead of an outcome",
    receipt_end=lambda *ends: settled(*ends) and "sent",
)
made(
    "no outcome",
    "returns the row",
    receipt_end=lambda row, ledger, receipt: ledger.settle(row, receipt, ""),
)


@wrong("begun twice")
def attempt(action, row, ledger, provider):
    outcome, row = begun(action, row, ledger, provider)
    if outcome:
        return outcome
    row = ledger.begin(action, row, provider.contract.name)
    return end(action, row, ledger, provider)


@unforeseen("asks about a row that is not there")
def attempt(action, row, ledger, provider):
    if reason := no_attempt_left(row, provider.contract, ledger.now(row)):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.begin(action, row, provider.contract.name)
    return end(action, row, ledger, provider)


@unforeseen("half of it still to be written")
def attempt(action, row, ledger, provider):
    outcome, row = begun(action, row, ledger, provider)
    if outcome:
        return outcome
    raise NotImplementedError
