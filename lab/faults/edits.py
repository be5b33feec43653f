"""Unsafe edits: gateways with one mistake each, of the kind that a learner can make.

Each mistake stands below a sentence that says what is wrong and whom it hurts, and below the
number that shows it. What breaks the gateway must catch every one of them, or it proves nothing
about the gateway that passes.
"""

from __future__ import annotations

from typing import Any

from lab.faults.gateways import EDITS, SAFE, Around, Gateway, resend, unsafe
from lab.gateway import (
    PREPARED,
    REVIEW,
    SETTLED,
    UNKNOWN,
    Action,
    KeyReused,
    Ledger,
    NotExecuted,
    Outcome,
    Provider,
    ProviderContract,
    Readback,
    ResponseLost,
    ReviewDesk,
    Row,
    Verdict,
    VersionConflict,
    attempt,
    on_absent,
    on_doubt,
    on_proved_not_executed,
    payload_hash,
)

__all__ = ["EDITS", "GATEWAYS", "SAFE", "Gateway"]


@unsafe(
    "no_hash_check",
    "lost",
    "The key alone is compared. A second invoice under a used key counts as sent: the customer "
    "never gets it.",
    part="ledger",
)
class NoHashCheck(Ledger):
    """Looks at the key alone."""

    def find(self, action: Action) -> Row | None:
        """Return the row of the key, whatever the action is now said to be."""
        return self.get(action.key)


@unsafe(
    "hash_ignores_kind",
    "lost",
    "The kind is left out of the comparison. A refund under the key of an e-mail counts as done: "
    "the customer waits for money.",
    part="ledger",
)
class KindForgotten(Ledger):
    """Compares the payload, and takes another kind of action for the same one."""

    def find(self, action: Action) -> Row | None:
        """Return the row of the key, if the payload fits under the kind it had."""
        row = self.get(action.key)
        if row and row.payload_hash != payload_hash(row.kind, action.payload):
            raise KeyReused(action.key)
        return row


@unsafe(
    "fresh_key_per_attempt",
    "duplicates",
    "Every attempt has a key of its own. Neither provider nor readback can connect them: the "
    "customer gets two messages.",
    part="attempt",
)
def fresh_key(
    action: Action, row: Row | None, ledger: Ledger, provider: Provider
) -> Outcome | None:
    """Send every attempt under a key of its own."""
    renamed: Any = Renamed(provider)
    return attempt(action, row, ledger, renamed)


class Renamed(Around):
    """Renames every attempt on its way out."""

    def perform(self, action: Action, number: int) -> Any:
        """Send the attempt under a key that names the attempt, not the intention."""
        renamed = Action(f"{action.key}:try-{number}", action.kind, action.payload)
        return self._inner.perform(renamed, number)


@unsafe(
    "nothing_before_the_call",
    "duplicates",
    "Nothing is written before the call. After silence nobody knows that it was made: the next "
    "run sends again.",
    part="attempt",
)
def call_first(
    action: Action, row: Row | None, ledger: Ledger, provider: Provider
) -> Outcome | None:
    """Call, and write down what happened only when an answer came."""
    number = row.attempts + 1 if row else 1
    try:
        receipt = provider.perform(action, number)
    except (ResponseLost, NotExecuted):
        return Outcome(action.key, UNKNOWN, number, "hold", None)
    row = ledger.begin(action, row, provider.contract.name)
    return Outcome.of(ledger.settle(row, receipt, "response"), "sent")


@unsafe(
    "unknown_after_failure",
    "duplicates",
    "UNKNOWN is written when the call has failed, and not before it. A process that dies during "
    "the call wakes up in PREPARED, and sends a second message.",
    part="attempt",
)
def unknown_too_late(
    action: Action, row: Row | None, ledger: Ledger, provider: Provider
) -> Outcome | None:
    """Prepare, call, and begin the attempt on paper when its end is known."""
    row = row or ledger.prepare(action)
    heard: Any = Heard(provider)
    heard.call(action, row.attempts + 1)
    return attempt(action, row, ledger, heard)


class Heard(Around):
    """Has called already, and gives the answer when it is asked for."""

    receipt: str | None = None
    error: Exception | None = None

    def call(self, action: Action, number: int) -> None:
        """Call, and keep the answer, whatever it is."""
        try:
            self.receipt = self._inner.perform(action, number)
        except Exception as error:
            self.error = error

    def perform(self, action: Action, number: int) -> Any:
        """Give the answer that came before."""
        if self.error is not None:
            raise self.error
        return self.receipt


@unsafe(
    "only_response_lost_caught",
    "duplicates",
    "Only ResponseLost counts as silence; any other error is taken for a refusal. After an answer "
    "that nobody can read the action is sent again, and the customer has it twice.",
    part="attempt",
)
def certain_of_the_rest(
    action: Action, row: Row | None, ledger: Ledger, provider: Provider
) -> Outcome | None:
    """Take every error but one for proof that nothing happened."""
    certain: Any = Certain(provider)
    return attempt(action, row, ledger, certain)


class Certain(Around):
    """Says "not executed" of every error that it does not know."""

    def perform(self, action: Action, number: int) -> Any:
        """Call, and turn what nobody foresaw into a refusal."""
        try:
            return self._inner.perform(action, number)
        except (ResponseLost, NotExecuted):
            raise
        except Exception as error:
            raise NotExecuted(f"failed: {error}") from error


@unsafe(
    "silence_is_failure",
    "duplicates",
    "No response is read as not sent. The next run sends again what may have arrived.",
    part="attempt",
)
def silence_is_failure(
    action: Action, row: Row | None, ledger: Ledger, provider: Provider
) -> Outcome | None:
    """Read "no response" as "not sent"."""
    row = ledger.begin(action, row, provider.contract.name)
    try:
        receipt = provider.perform(action, row.attempts)
    except (ResponseLost, NotExecuted) as failure:
        row = ledger.change(row, PREPARED, str(failure), send_by=None)
        return Outcome.of(row, "refused")
    return Outcome.of(ledger.settle(row, receipt, "response"), "sent")


unsafe(
    "resend_before_readback",
    "duplicates",
    "An unknown action is sent again before the provider is asked: two messages wherever the "
    "first arrived.",
    part="dispatch",
)(resend(UNKNOWN))
unsafe(
    "review_resent",
    "duplicates",
    "What waits for a person is sent again by the next run, before the person looked.",
    part="dispatch",
)(resend(REVIEW))
unsafe(
    "settled_resent",
    "duplicates",
    "What has a receipt is sent again by the next run: every restart is a second message.",
    part="dispatch",
)(resend(SETTLED))


@unsafe(
    "absence_is_proof_at_once",
    "duplicates",
    "'Not there' is taken as proof at once. A record that the search does not show yet is made a "
    "second time.",
    part=Verdict.ABSENT,
)
@unsafe(
    "blind_retry",
    "duplicates",
    "A provider that cannot be asked is sent the action again: a second charge that nobody "
    "decided.",
    part=Verdict.UNAVAILABLE,
)
def send_again(
    action: Action, row: Row, readback: Readback, ledger: Ledger, provider: Provider
) -> Outcome | None:
    """Whatever the provider says, or does not say: send again."""
    ledger.change(row, PREPARED, "sent again", send_by=None)
    return None


@unsafe(
    "in_flight_forgotten",
    "duplicates",
    "'Not there' is taken as proof as soon as nobody may send any more. A request that is still "
    "on its way arrives after the second one: the customer pays twice.",
    part=Verdict.ABSENT,
)
def in_flight_forgotten(
    action: Action, row: Row, readback: Readback, ledger: Ledger, provider: Provider
) -> Outcome | None:
    """Wait until `send_by`, and no longer."""
    if readback.asked_at > (row.send_by or 0):
        late = readback.asked_at + provider.contract.last_moment(0)
        readback = readback._replace(asked_at=late)
    return on_absent(action, row, readback, ledger, provider)


@unsafe(
    "proof_at_the_last_moment",
    "duplicates",
    "'Not there' is taken as proof at the last moment at which a request may arrive, not strictly "
    "after it. The one that arrives in that moment is made a second time.",
    part=Verdict.ABSENT,
)
def one_moment_early(
    action: Action, row: Row, readback: Readback, ledger: Ledger, provider: Provider
) -> Outcome | None:
    """Read "after" as "at or after"."""
    readback = readback._replace(asked_at=readback.asked_at + 1)
    return on_absent(action, row, readback, ledger, provider)


@unsafe(
    "send_by_ignored",
    "duplicates",
    "A worker that slept does not look at the clock before it sends. By then another has proved "
    "that nothing was sent, and sent: the customer gets both.",
    part="attempt",
)
def however_late(
    action: Action, row: Row | None, ledger: Ledger, provider: Provider
) -> Outcome | None:
    """Send whenever you wake up."""
    unhurried: Any = Unhurried(ledger)
    return attempt(action, row, unhurried, provider)


class Unhurried(Around):
    """A ledger whose clock never passes the row's `send_by`."""

    def now(self, row: Row | None = None) -> int:
        """Return the time, or `send_by` if that was before."""
        now: int = self._inner.now(row)
        return now if row is None or row.send_by is None else min(now, row.send_by)


@unsafe(
    "payload_unchecked",
    "falsely settled",
    "A record under our key settles the action, whatever is in it. The customer's invoice counts "
    "as sent, and what was sent is somebody else's.",
    part=Verdict.MISMATCH,
)
@unsafe(
    "first_candidate_picked",
    "falsely settled",
    "Of several records that fit, the first settles the action. It may be a colleague's: the "
    "customer never gets ours, and nobody looks.",
    part=Verdict.AMBIGUOUS,
)
def take_the_first(
    action: Action, row: Row, readback: Readback, ledger: Ledger, provider: Provider
) -> Outcome | None:
    """Settle with the first receipt that was named."""
    if not readback.candidates:
        return on_doubt(action, row, readback, ledger, provider)
    return Outcome.of(ledger.settle(row, readback.candidates[0], "readback"), "reconciled")


@unsafe(
    "old_refusal_closes_the_new",
    "duplicates",
    "The provider's record that it rejected attempt 1 is taken for the end of attempt 2. That one "
    "is still on its way, and attempt 3 makes a second charge.",
    part=Verdict.PROVED_NOT_EXECUTED,
)
def whichever_attempt(
    action: Action, row: Row, readback: Readback, ledger: Ledger, provider: Provider
) -> Outcome | None:
    """Do not look at which attempt was rejected."""
    readback = readback._replace(attempt=row.attempts)
    return on_proved_not_executed(action, row, readback, ledger, provider)


@unsafe(
    "change_without_version",
    "duplicates",
    "A change does not name the version it saw. Two workers begin the same attempt, and the "
    "customer gets one message from each.",
    part="ledger",
)
class Unversioned(Ledger):
    """Overwrites whatever stands there."""

    def change(self, row: Row, to: str, evidence: str, **columns: Any) -> Row:
        """Move the row on, also if somebody moved it in between."""
        held = self.get(row.key) or row
        return super().change(row._replace(version=held.version), to, evidence, **columns)


@unsafe(
    "late_receipt_dropped",
    "stuck",
    "A receipt that comes after somebody moved the row is dropped. The action waits for a person "
    "though it was done, and the customer is asked to wait, or served twice by hand.",
    part="ledger",
)
class Fenced(Ledger):
    """Keeps a receipt only where nobody was faster."""

    def settle(self, row: Row, receipt: str, evidence: str, **columns: Any) -> Row:
        """Settle, or say that the row moved."""
        if self.get(row.key) != row:
            raise VersionConflict(row.key)
        return super().settle(row, receipt, evidence, **columns)


@unsafe(
    "operator_does_not_wait",
    "duplicates",
    "A person who finds nothing approves another attempt at once. The first may still arrive, and "
    "the customer is charged twice on a person's word.",
    part="desk",
)
class Hasty(ReviewDesk):
    """Approves without a look at the clock."""

    def approve_attempt(
        self,
        row: Row,
        contract: ProviderContract,
        proof: str,
        seen_at: int,
        accept_risk: bool = False,
    ) -> Row:
        """Allow one more attempt, as if none were open."""
        return super().approve_attempt(
            row._replace(send_by=None), contract, proof, seen_at, accept_risk
        )


GATEWAYS = {SAFE.name: SAFE, **EDITS}
"""The gateway of the course, and every unsafe edit, by name."""
