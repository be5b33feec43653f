"""What a person may decide about a row that code cannot; every decision names the person."""

from __future__ import annotations

from lab.gateway.errors import DecisionRefused, WrongProvider
from lab.gateway.ledger import Ledger, Row, check_receipt
from lab.gateway.provider import ProviderContract
from lab.gateway.states import PREPARED, REVIEW, SETTLED


class ReviewDesk:
    """The decisions of one person, ``actor``, on rows in REVIEW.

    A decision is about the row as it was seen: if it changed since, that is a VersionConflict. A
    receipt alone is kept all the same: it is evidence.
    """

    def __init__(self, ledger: Ledger, actor: str) -> None:
        if not actor.strip():
            raise DecisionRefused("a decision needs the name of who takes it")
        self.ledger = ledger
        self.actor = actor

    def record_receipt(self, row: Row, receipt: str, evidence: str) -> Row:
        """Settle the row with a receipt that was found at the provider.

        ``evidence`` says where it was found.

        Raises:
            DecisionRefused: not in REVIEW, no evidence, or the receipt is another action's.
            BrokenContract: the receipt is empty.
        """
        self._check(row, evidence)
        row = self.ledger.settle(row, check_receipt(receipt), evidence, actor=self.actor)
        if row.state != SETTLED or row.receipt != receipt:
            raise DecisionRefused(f"{receipt} contradicts what the ledger knows of {row.key}")
        return row

    def approve_attempt(
        self,
        row: Row,
        contract: ProviderContract,
        proof: str,
        seen_at: int,
        accept_risk: bool = False,
    ) -> Row:
        """Allow exactly one more attempt, on proof that no earlier one took effect.

        ``seen_at`` (ms) is when the provider's records were looked at; before the open attempt can
        no longer arrive they prove nothing. Where nobody promises when that is, another attempt is
        a risk that has to be accepted in so many words; it is counted apart.

        Raises:
            DecisionRefused: not in REVIEW, no proof, looked too early, or a risk not accepted.
            WrongProvider: the contract is another provider's.
        """
        self._check(row, proof, contract)
        open_attempt = row.send_by is not None
        last = contract.last_moment(row.send_by or 0)
        if open_attempt and not last < seen_at <= self.ledger.now(row):
            raise DecisionRefused(f"the open attempt may arrive until {last} ms: look after that")
        risk = (open_attempt or row.risks_accepted > 0) and contract.in_flight_ms is None
        if risk and not accept_risk:
            raise DecisionRefused("nothing can prove this; accept the risk, or leave it")
        grounds = f"accepted risk: {proof}" if risk else f"proved not executed: {proof}"
        fresh = {"attempts_allowed": row.attempts + 1, "send_by": None, "retry_since": None}
        risks = {"risks_accepted": row.risks_accepted + risk, "closed": 0}
        return self.ledger.change(row, PREPARED, grounds, actor=self.actor, **fresh, **risks)

    def close(self, row: Row, reason: str) -> Row:
        """Take a row off the desk that should not be done at all; it stays in REVIEW.

        Raises:
            DecisionRefused: not in REVIEW, or no reason.
        """
        self._check(row, reason)
        return self.ledger.change(row, REVIEW, f"closed: {reason}", actor=self.actor, closed=1)

    def _check(self, row: Row, grounds: str, contract: ProviderContract | None = None) -> None:
        if row.state != REVIEW:
            raise DecisionRefused(f"{row.key} is {row.state}; only a row in REVIEW needs a person")
        if not grounds.strip():
            raise DecisionRefused("a decision needs grounds that somebody else can check")
        if contract is not None and row.provider not in (None, contract.name):
            raise WrongProvider(row.key, row.provider, contract.name)
