"""The gateway as an operator runs it: approved actions only, where asked for, and a stop switch."""

from __future__ import annotations

from collections.abc import Mapping

from lab.gateway.actions import Action
from lab.gateway.dispatch import Outcome, attempt, execute
from lab.gateway.ledger import Ledger, Row
from lab.gateway.provider import Provider
from lab.gateway.states import PREPARED
from lab.operations.approvals import approval, check_scope
from lab.operations.errors import DispatchStopped, NotApproved
from lab.operations.ledger import OperatorLedger


class Gateway:
    """Does actions with one provider, and asks before each attempt whether it may begin.

    ``scopes`` opens it in approval mode: for each kind of action the one permission it needs,
    ``{"welcome_email": "messages:create"}``. Every attempt, the first and each further one, then
    needs an approval that holds when it begins. Readback sends nothing, and needs none.

    Raises:
        WrongScope: see `check_scope`.
    """

    def __init__(
        self,
        ledger: OperatorLedger,
        provider: Provider,
        scopes: Mapping[str, str] | None = None,
    ) -> None:
        self.ledger = ledger
        self.provider = provider
        self.scopes = None if scopes is None else dict(scopes)
        for scope in (scopes or {}).values():
            check_scope(scope)

    def execute(self, action: Action) -> Outcome:
        """Do one action at most once, as `lab.gateway.execute` does, if it may be done now.

        While dispatch is stopped the action is prepared, so that it is listed, and the outcome is
        ``refused``. What is UNKNOWN or in REVIEW is reconciled all the same.

        Raises:
            NotApproved: no approval covers it now. Nothing was sent.
            KeyReused, WrongProvider, StoreError: see `lab.gateway.execute`.
        """
        with self.ledger.guarded(self._check):
            return execute(action, self.ledger, self.provider, self._attempt)

    def _check(self, action: Action, at: int) -> None:
        if self.scopes is None:
            return
        if action.kind not in self.scopes:
            raise NotApproved(action.key, f"this gateway has no scope for the kind {action.kind}")
        approval(self.ledger, action, self.scopes[action.kind], at)

    def _attempt(
        self, action: Action, row: Row | None, ledger: Ledger, provider: Provider
    ) -> Outcome | None:
        try:
            return attempt(action, row, ledger, provider)
        except DispatchStopped:
            self._check(action, ledger.now(row))  # what is not approved is not listed either
            row = ledger.prepare(action)
            return Outcome.of(row, "refused") if row.state == PREPARED else None
