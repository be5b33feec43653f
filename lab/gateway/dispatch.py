"""The safety boundary: one action in, at most one effect out, and what is known about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import NamedTuple, Self

from lab.gateway.actions import Action
from lab.gateway.errors import BrokenContract, NotExecuted, VersionConflict, WrongProvider
from lab.gateway.ledger import Ledger, Row, check_receipt
from lab.gateway.provider import Provider, ProviderContract, Readback, Verdict
from lab.gateway.states import PREPARED, REVIEW, SETTLED, UNKNOWN


class Outcome(NamedTuple):
    """What one call of `execute` reports.

    ``path`` says how it came about: sent, hold, cached, reconciled, manual or refused.
    """

    key: str
    state: str
    attempts: int
    path: str
    receipt: str | None

    @classmethod
    def of(cls, row: Row, path: str) -> Self:
        """Report a row as it is; what is in REVIEW waits for a person, whatever led there."""
        path = "manual" if row.state == REVIEW else path
        return cls(row.key, row.state, row.attempts, path, row.receipt)


def attempt(action: Action, row: Row | None, ledger: Ledger, provider: Provider) -> Outcome | None:
    """Cross the boundary once, and leave behind what is known about it.

    UNKNOWN is durable before the call. Only proof of non-execution leads back to PREPARED; any
    other end, foreseen or not, leaves the row UNKNOWN. None: the row moved, look at it again.
    """
    if row is not None and (reason := no_attempt_left(row, provider.contract, ledger.now(row))):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.begin(action, row, provider.contract.name)
    try:
        if ledger.now(row) > (row.send_by or 0):
            raise NotExecuted("woke up too late to send")
        receipt = check_receipt(provider.perform(action, row.attempts))
    except NotExecuted as refusal:
        allowed = row.attempts_allowed if refusal.retryable else row.attempts
        row = ledger.change(row, PREPARED, str(refusal), send_by=None, attempts_allowed=allowed)
        return Outcome.of(row, "refused") if refusal.retryable else None
    except Exception as silence:
        evidence = f"no answer: {type(silence).__name__}"
        return Outcome.of(ledger.change(row, UNKNOWN, evidence, send_by=ledger.now(row)), "hold")
    return Outcome.of(ledger.settle(row, receipt, "response"), "sent")


def no_attempt_left(row: Row, contract: ProviderContract, now: int) -> str:
    """Return why no further attempt may begin without a person, or an empty text."""
    if row.attempts >= row.attempts_allowed:
        return f"no attempt left: {row.evidence}"
    retention = contract.retention_ms
    if retention is not None and row.retry_since is not None and now - row.retry_since >= retention:
        return "the provider may have forgotten this key"
    return ""


Handler = Callable[[Action, Row, Readback, Ledger, Provider], Outcome | None]
"""Decides what one verdict means for one UNKNOWN row. None: the row moved, look at it again."""


def on_found(
    action: Action, row: Row, readback: Readback, ledger: Ledger, provider: Provider
) -> Outcome | None:
    """The provider holds it: settle, without a second write."""
    if not provider.contract.keeps_reference and ledger.has_twin(row):
        return on_doubt(action, row, readback, ledger, provider)  # whose effect is it?
    return Outcome.of(ledger.settle(row, readback.receipt or "", "readback"), "reconciled")


def on_proved_not_executed(
    action: Action, row: Row, readback: Readback, ledger: Ledger, provider: Provider
) -> Outcome | None:
    """The provider rejected this attempt; what it says of an older one proves nothing of this."""
    if readback.attempt != row.attempts:
        return on_absent(action, row, readback._replace(verdict=Verdict.ABSENT), ledger, provider)
    ledger.change(row, PREPARED, "proved not executed: the provider rejected it", send_by=None)
    return None


def on_absent(
    action: Action, row: Row, readback: Readback, ledger: Ledger, provider: Provider
) -> Outcome | None:
    """Not there now: a proof only where nothing sent can still arrive, and nothing is hidden."""
    if readback.asked_at <= provider.contract.last_moment(row.send_by or 0):
        return Outcome.of(row, "hold")
    if not provider.contract.absence_is_proof:
        return on_doubt(action, row, readback, ledger, provider)
    ledger.change(row, PREPARED, "proved not executed: not there, and too late", send_by=None)
    return None


def on_doubt(
    action: Action, row: Row, readback: Readback, ledger: Ledger, provider: Provider
) -> Outcome | None:
    """Code cannot tell: a person must. Every candidate is named, and none is picked."""
    if row.state == UNKNOWN:
        found = ", ".join(readback.candidates) or readback.receipt or readback.note
        row = ledger.change(row, REVIEW, f"{readback.verdict.value}: {found}")
    return Outcome.of(row, "manual")


def on_unavailable(
    action: Action, row: Row, readback: Readback, ledger: Ledger, provider: Provider
) -> Outcome | None:
    """Nobody answers: wait while the attempt may still be sent, then stop. Never send again."""
    if readback.asked_at <= (row.send_by or 0):
        return Outcome.of(row, "hold")
    return on_doubt(action, row, readback, ledger, provider)


VERDICTS: Mapping[Verdict, Handler] = {
    Verdict.FOUND: on_found,
    Verdict.ABSENT: on_absent,
    Verdict.AMBIGUOUS: on_doubt,
    Verdict.MISMATCH: on_doubt,
    Verdict.UNAVAILABLE: on_unavailable,
    Verdict.PROVED_NOT_EXECUTED: on_proved_not_executed,
}


def read_back(action: Action, row: Row, ledger: Ledger, provider: Provider) -> Readback:
    """Ask the provider what it holds; whatever goes wrong with the question is UNAVAILABLE."""
    asked_at = ledger.now(row)  # before the question: an answer may be on its way for long
    try:
        readback = provider.readback(action)
        if Verdict(readback.verdict) is Verdict.FOUND:
            check_receipt(readback.receipt)
    except BrokenContract:
        readback = Readback(Verdict.AMBIGUOUS, note="an effect without a receipt")
    except Exception as error:
        readback = Readback(Verdict.UNAVAILABLE, note=type(error).__name__)
    return readback._replace(asked_at=asked_at)


def execute(
    action: Action,
    ledger: Ledger,
    provider: Provider,
    attempt: Callable[[Action, Row | None, Ledger, Provider], Outcome | None] = attempt,
    verdicts: Mapping[Verdict, Handler] = VERDICTS,
) -> Outcome:
    """Do one approved action at most once, and report what is known of it.

    Raises:
        KeyReused: the key names another intention. Nothing was written or sent.
        WrongProvider: the action's attempts went to another provider.
        StoreError: the ledger cannot be used; the message says whether anything was sent.
    """
    while True:
        row = ledger.find(action)
        if row is not None and row.provider not in (None, provider.contract.name):
            raise WrongProvider(row.key, row.provider, provider.contract.name)
        if row is not None and row.state == SETTLED:
            return Outcome.of(row, "cached")
        with suppress(VersionConflict):  # somebody else moved the row: look again
            if row is None or row.state == PREPARED:
                outcome = attempt(action, row, ledger, provider)
            else:
                readback = read_back(action, row, ledger, provider)
                if row.state == REVIEW and readback.verdict is not Verdict.FOUND:
                    return Outcome.of(row, "manual")
                outcome = verdicts[readback.verdict](action, row, readback, ledger, provider)
            if outcome is not None:
                return outcome
