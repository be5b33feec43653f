"""Before an action may cross: one person proposes it, another approves exactly that, for a time."""

from __future__ import annotations

import re

from lab.gateway.actions import Action
from lab.gateway.errors import DecisionRefused
from lab.operations.errors import NotApproved, WrongScope
from lab.operations.ledger import (
    APPROVED,
    DECLINED,
    OperatorLedger,
    Proposal,
    check_actor,
    check_words,
    person,
)

_SCOPE = re.compile(r"[a-z0-9._-]{1,100}:[a-z0-9._-]{1,100}")
LAST_MS = 2**53 - 1  # the largest number that every program reads alike


def check_scope(scope: str) -> str:
    """Return the scope, if it is the narrowest there is: one verb for one type of resource.

    Raises:
        WrongScope: not ``resource:verb`` in small letters; a ``*`` or a list is no scope.
    """
    if not isinstance(scope, str) or not _SCOPE.fullmatch(scope):
        raise WrongScope(
            f"{scope!r} is no scope: name one verb for one type of resource, messages:create; "
            "an action that needs two permissions is two actions"
        )
    return scope


class Approvals:
    """What one person, ``actor``, proposes and decides.

    The name comes from whoever signed in, never from a payload. A proposal binds key, kind,
    payload hash, scope and expiry; to change one of them is another proposal. Nobody decides on
    his own, however he spells his name.

    Raises:
        DecisionRefused: no name.
    """

    def __init__(self, ledger: OperatorLedger, actor: str) -> None:
        self.ledger = ledger
        self.actor = check_actor(actor)

    def propose(self, action: Action, scope: str, expires_at: int) -> Proposal:
        """Ask for one action to be done under one permission, before ``expires_at`` (ms).

        Raises:
            WrongScope: see `check_scope`.
            KeyReused: the ledger holds the key with another kind or payload.
            DecisionRefused: it would expire at once, or is no time in whole milliseconds.
        """
        check_scope(scope)
        with self.ledger.transaction():
            now = self.ledger.now(self.ledger.find(action))
            if not isinstance(expires_at, int) or not now < expires_at <= LAST_MS:
                raise DecisionRefused(
                    f"{expires_at!r} is no time to come: give whole milliseconds, after {now}"
                )
            return self.ledger.add_proposal(action, scope, expires_at, self.actor, now)

    def approve(self, number: int, seen: Action, reason: str = "") -> Proposal:
        """Approve a proposal of somebody else; ``seen`` is the action this person looked at.

        Raises:
            DecisionRefused: it is not about what was seen, it is one's own, it has expired, or it
                was decided before.
            KeyReused: the ledger holds the key with another kind or payload.
        """
        self.ledger.find(seen)
        return self._decide(number, APPROVED, reason, seen)

    def decline(self, number: int, reason: str) -> Proposal:
        """Decline a proposal of somebody else, for ever; another proposal may follow.

        Raises:
            DecisionRefused: no reason, it is one's own, it has expired, or it was decided before.
        """
        return self._decide(number, DECLINED, check_words(reason))

    def _decide(
        self, number: int, verdict: str, reason: str, seen: Action | None = None
    ) -> Proposal:
        with self.ledger.transaction():
            held = self.ledger.proposal(number)
            at = max(self.ledger.now(self.ledger.get(held.key)), held.at)
            for refused, why in (
                (held.verdict, f"was {held.verdict} by {held.decided_by}; propose it again"),
                (person(self.actor) == person(held.actor), "is your own; somebody else decides"),
                (at >= held.expires_at, f"expired at {held.expires_at} ms; propose it again"),
                (
                    seen and not is_about(held, seen),
                    "is about something else than what you looked at",
                ),
            ):
                if refused:
                    raise DecisionRefused(f"proposal {number} {why}")
            return self.ledger.add_decision(number, verdict, self.actor, at, reason)


def approval(ledger: OperatorLedger, action: Action, scope: str, at: int | None = None) -> Proposal:
    """Return the approved proposal that covers this action at this time (ms; None: now).

    It covers one key, kind, payload and scope, until it expires. Where the same was decided more
    than once, the last decision holds.

    Raises:
        NotApproved: none does; the message says why.
    """
    held = ledger.proposals(action.key)
    same = [proposal for proposal in held if is_about(proposal, action)]
    fitting = [proposal for proposal in same if proposal.scope == scope]
    if not held:
        why = "it was never proposed"
    elif not same:
        was = held[-1].verdict or "proposed"
        why = f"what was {was} under this key is not this: its kind or its payload differs"
    elif not fitting:
        why = f"it was {same[-1].verdict or 'proposed'} for {same[-1].scope}, not for {scope}"
    else:
        now = ledger.now(ledger.get(action.key)) if at is None else at
        why = why_not(fitting[-1], now)
    if why:
        raise NotApproved(action.key, why)
    return fitting[-1]


def is_about(proposal: Proposal, action: Action) -> bool:
    """Tell whether a proposal is about this very action: its key, its kind and its content."""
    bound = (proposal.key, proposal.kind, proposal.payload_hash)
    return bound == (action.key, action.kind, action.hash)


def why_not(proposal: Proposal, now: int) -> str:
    """Say why a proposal, the right one, is no approval now, or return an empty text."""
    if proposal.verdict == DECLINED:
        return f"{proposal.decided_by} declined it: {proposal.reason}"
    if now >= proposal.expires_at:
        what = "the approval" if proposal.verdict else "undecided, the proposal"
        return f"{what} expired at {proposal.expires_at} ms"
    return "" if proposal.verdict else f"proposal {proposal.number} waits for a decision"
