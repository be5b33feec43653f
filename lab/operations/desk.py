"""The review desk: what waits, what is known of it, and what a person may do about it now.

The decisions themselves are those of `lab.gateway.ReviewDesk`.
"""

from __future__ import annotations

from typing import NamedTuple

from lab.gateway.actions import Action
from lab.gateway.dispatch import on_found, read_back
from lab.gateway.errors import DecisionRefused, WrongProvider
from lab.gateway.ledger import Ledger, Row
from lab.gateway.provider import CONTRACTS, Provider, Readback, Verdict
from lab.gateway.states import PREPARED, REVIEW, SETTLED, STATES, UNKNOWN
from lab.operations.tables import moment

OPEN = (UNKNOWN, REVIEW)


class Waiting(NamedTuple):
    """A row that waits, and since when. Times in ms of the ledger's clock."""

    row: Row
    since: int  # when it came into its state
    age: int  # how long that is ago


class Choice(NamedTuple):
    """One thing a person may do about a row, or may not."""

    name: str
    does: str
    legal: bool
    why: str  # why not; or, where it is legal, on what condition


DECISIONS = (
    ("recheck", "ask the provider again; nothing is sent", OPEN),
    ("receipt", "settle it with a receipt that was found at the provider", (REVIEW,)),
    ("approve", "allow one more attempt, on proof that no earlier one took effect", (REVIEW,)),
    ("close", "take it off the desk; it stays in REVIEW", (REVIEW,)),
    ("note", "write down what others should know", STATES),
)
"""(name, what it does, the states in which it is legal)."""

WHY_NOT = {
    PREPARED: "it is PREPARED: no attempt is open, and whoever runs it next sends it",
    UNKNOWN: "it is UNKNOWN: a recheck may find out, and only a row in REVIEW needs a person",
    SETTLED: "it is SETTLED: there is a receipt",
}


def waiting(ledger: Ledger, row: Row) -> Waiting:
    """Return a row with the time since which it is in its state."""
    moves = [one["at"] for one in ledger.events(row.key) if one["source"] != one["target"]]
    return Waiting(row, moves[-1], ledger.now(row) - moves[-1])


def open_rows(ledger: Ledger) -> list[Waiting]:
    """Return what is UNKNOWN or in REVIEW and not closed; what waits longest comes first.

    A row that is PREPARED waits for a worker, not for a person.
    """
    rows = (row for row in ledger.rows(open_only=True) if row.state in OPEN)
    return sorted((waiting(ledger, row) for row in rows), key=lambda one: one.since)


def choices(row: Row, now: int) -> list[Choice]:
    """Return what may be done about a row at a time (ms), and why the rest may not."""
    found = []
    for name, does, states in DECISIONS:
        legal, why = row.state in states, WHY_NOT.get(row.state, "")
        if legal:
            legal, why = may_approve(row, now) if name == "approve" else (True, "")
        found.append(Choice(name, does, legal, why))
    return found


def may_approve(row: Row, now: int) -> tuple[bool, str]:
    """Tell whether proof can be had at a time (ms) that no attempt took effect.

    It can where no attempt is open, and once the open one can no longer arrive. Where nobody
    promises when that is, a person may only accept the risk.
    """
    if row.send_by is None and not row.risks_accepted:
        return True, ""
    contract = CONTRACTS.get(row.provider or "")
    if contract is None:
        return False, f"no contract is known here for the provider {row.provider}"
    last = contract.last_moment(row.send_by or 0)
    if row.send_by is not None and now <= last:
        return False, f"the open attempt may arrive until {moment(last)}; look after that"
    if contract.in_flight_ms is None:
        return True, "nothing can prove that; only with the risk accepted"
    return True, ""


def recheck(action: Action, ledger: Ledger, provider: Provider) -> tuple[Readback, Row]:
    """Ask the provider once more, and settle the row where it is FOUND; this never sends.

    Any other verdict leaves the row as it is. FOUND under an effect that could be another
    action's is left to a person, as `lab.gateway.on_found` does.

    Returns:
        What the provider said, and the row as it is now.

    Raises:
        DecisionRefused: the action is not UNKNOWN or in REVIEW, or not in this ledger.
        KeyReused: the ledger holds other data under this key.
        WrongProvider: its attempts went to another provider.
    """
    row = ledger.find(action)
    if row is None:
        raise DecisionRefused(f"{action.key} is not in this ledger; check the key")
    if row.state not in OPEN:
        raise DecisionRefused(f"{row.key}: {WHY_NOT[row.state]}")
    if row.provider not in (None, provider.contract.name):
        raise WrongProvider(row.key, row.provider, provider.contract.name)
    readback = read_back(action, row, ledger, provider)
    if readback.verdict is Verdict.FOUND:
        on_found(action, row, readback, ledger, provider)
    return readback, ledger.get(row.key) or row
