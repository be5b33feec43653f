"""Unsafe edits: gateways with one mistake each, of the kind that a learner can make.

Each stands beside a sentence that says what is wrong and whom it hurts. What breaks the gateway
must catch every one of them, or it proves nothing about the gateway that passes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from lab.gateway import (
    PREPARED,
    REVIEW,
    SETTLED,
    UNKNOWN,
    VERDICTS,
    Action,
    Handler,
    KeyReused,
    Ledger,
    NotExecuted,
    Outcome,
    Provider,
    Readback,
    ResponseLost,
    Row,
    Verdict,
    attempt,
    execute,
    payload_hash,
)

Attempt = Callable[[Action, Row | None, Ledger, Provider], Outcome | None]
Execute = Callable[..., Outcome]


class Gateway(NamedTuple):
    """A gateway to be broken: the real one, or one with a single mistake (``wrong``)."""

    name: str
    wrong: str
    ledger: type[Ledger] = Ledger
    attempt: Attempt = attempt
    verdicts: Mapping[Verdict, Handler] = VERDICTS
    dispatch: Execute = execute

    def execute(self, action: Action, ledger: Ledger, provider: Provider) -> Outcome:
        """Do the action as this gateway would."""
        return self.dispatch(action, ledger, provider, self.attempt, self.verdicts)


class NoHashCheck(Ledger):
    """Looks at the key alone."""

    def find(self, action: Action) -> Row | None:
        """Return the row of the key, whatever the action is now said to be."""
        return self.get(action.key)


class KindForgotten(Ledger):
    """Compares the payload, and takes another kind of action for the same one."""

    def find(self, action: Action) -> Row | None:
        """Return the row of the key, if the payload fits under the kind it had."""
        row = self.get(action.key)
        if row and row.payload_hash != payload_hash(row.kind, action.payload):
            raise KeyReused(action.key)
        return row


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


def fresh_key(
    action: Action, row: Row | None, ledger: Ledger, provider: Provider
) -> Outcome | None:
    """Send every attempt under a key of its own."""
    return attempt(action, row, ledger, _Renamed(provider))


class _Renamed:
    def __init__(self, provider: Provider) -> None:
        self.contract = provider.contract
        self._provider = provider

    def perform(self, action: Action, number: int) -> str:
        renamed = Action(f"{action.key}:try-{number}", action.kind, action.payload)
        return self._provider.perform(renamed, number)

    def readback(self, action: Action) -> Readback:
        return self._provider.readback(action)


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


def send_again(
    action: Action, row: Row, readback: Readback, ledger: Ledger, provider: Provider
) -> Outcome | None:
    """Whatever the provider says, or does not say: send again."""
    ledger.change(row, PREPARED, "sent again", send_by=None)
    return None


def resend(state: object) -> Execute:
    """Make an `execute` that sends again what is in one state, before it looks anywhere."""

    def execute_again(
        action: Action, ledger: Ledger, provider: Provider, *collaborators: Any
    ) -> Outcome:
        row = ledger.find(action)
        if row is not None and row.state == state:
            provider.perform(action, row.attempts + 1)
        return execute(action, ledger, provider, *collaborators)

    return execute_again


SAFE = Gateway("none", "nothing: this is the gateway the course builds")

EDITS = {
    edit.name: edit
    for edit in (
        Gateway(
            "no_hash_check",
            "The key alone is compared. A second invoice under a used key counts as sent: the "
            "customer never gets it.",
            ledger=NoHashCheck,
        ),
        Gateway(
            "hash_ignores_kind",
            "The kind is left out of the comparison. A refund under the key of an e-mail counts "
            "as done: the customer waits for money.",
            ledger=KindForgotten,
        ),
        Gateway(
            "fresh_key_per_attempt",
            "Every attempt has a key of its own. Neither provider nor readback can connect them: "
            "the customer gets two messages.",
            attempt=fresh_key,
        ),
        Gateway(
            "nothing_before_the_call",
            "Nothing is written before the call. After silence nobody knows that it was made: "
            "the next run sends again.",
            attempt=call_first,
        ),
        Gateway(
            "silence_is_failure",
            "No response is read as not sent. The next run sends again what may have arrived.",
            attempt=silence_is_failure,
        ),
        Gateway(
            "resend_before_readback",
            "An unknown action is sent again before the provider is asked: two messages wherever "
            "the first arrived.",
            dispatch=resend(UNKNOWN),
        ),
        Gateway(
            "absence_is_proof_at_once",
            "'Not there' is taken as proof at once. A record that the search does not show yet is "
            "made a second time.",
            verdicts={**VERDICTS, Verdict.ABSENT: send_again},
        ),
        Gateway(
            "blind_retry",
            "A provider that cannot be asked is sent the action again: a second charge that "
            "nobody decided.",
            verdicts={**VERDICTS, Verdict.UNAVAILABLE: send_again},
        ),
        Gateway(
            "review_resent",
            "What waits for a person is sent again by the next run, before the person looked.",
            dispatch=resend(REVIEW),
        ),
        Gateway(
            "settled_resent",
            "What has a receipt is sent again by the next run: every restart is a second message.",
            dispatch=resend(SETTLED),
        ),
    )
}
"""The unsafe edits by name."""
