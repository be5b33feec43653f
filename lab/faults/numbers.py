"""Five numbers, always read together: safety alone is cheap, for sending nothing is safe."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from operator import add
from typing import Any, NamedTuple

from lab.gateway import (
    PREPARED,
    REVIEW,
    SETTLED,
    UNKNOWN,
    ProviderContract,
    Reading,
    Row,
    count_duplicates,
)
from lab.gateway.ledger import SEND_WINDOW_MS

Effect = Mapping[str, Any]
"""One effect, as `DemoProvider.effects` lists it."""


class Numbers(NamedTuple):
    """What a run, or many, did to the world. The first four have to be nought, whatever happened.

    duplicates: effects beyond one for each accepted action, at the provider. lost: accepted, and
    not listed by the ledger. falsely settled: SETTLED without an effect that the receipt names.
    stuck: no further move, though evidence is to be had. in review: left to a person.
    """

    duplicates: int = 0
    lost: int = 0
    falsely_settled: int = 0
    stuck: int = 0
    in_review: int = 0

    @property
    def harm(self) -> tuple[int, ...]:
        """Return the four that have to be nought."""
        return self[:4]

    def plus(self, other: Numbers) -> Numbers:
        """Add the numbers of other runs."""
        return Numbers._make(map(add, self, other))

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Return what the numbers are called, in their order."""
        return tuple(field.replace("_", " ") for field in cls._fields)


def count(rows: Iterable[Row], effects: Iterable[Effect], accepted: Collection[str]) -> Numbers:
    """Count from the ledger's rows and the provider's effects, for the accepted keys."""
    listed = {row.key: row for row in rows}
    effects = list(effects)
    states = [row.state for row in listed.values()]
    return Numbers(
        duplicates=count_duplicates([effect["key"] for effect in effects], accepted),
        lost=len(set(accepted) - listed.keys()),
        falsely_settled=sum(not is_true(row, effects) for row in listed.values()),
        stuck=states.count(PREPARED) + states.count(UNKNOWN),
        in_review=states.count(REVIEW),
    )


def is_true(row: Row, effects: Iterable[Effect]) -> bool:
    """Tell whether a row that claims to be settled names an effect that was really done."""
    claimed = (row.key, row.receipt, row.payload_hash)
    done = [(effect["key"], effect["receipt"], effect["payload_hash"]) for effect in effects]
    return row.state != SETTLED or (bool(row.receipt) and claimed in done)


def review_is_due(
    row: Row,
    contract: ProviderContract,
    effects: Collection[Effect],
    unreadable: bool = False,
    in_doubt: bool = False,
) -> bool:
    """Tell from the truth whether code had to leave this row to a person.

    ``effects`` are those of the row's action, ``unreadable`` says that it could not be read back
    at some time, and ``in_doubt`` that the provider shows other records that could be taken for
    this action's, or under its key.
    """
    usable = [effect for effect in effects if effect["receipt"]]
    if in_doubt:
        return True  # whose effect is it?
    if row.send_by is None:  # none is left, or none is safe; all are proved, or were a risk
        proved = not usable or row.risks_accepted > 0
        return proved and (is_used_up(row) or is_forgotten(row, contract))
    if contract.readback is Reading.NONE or unreadable:
        return True
    if contract.readback is Reading.EVENTUAL:
        return not usable
    return bool(effects) and not usable  # an effect is there, but nothing that names it


def is_used_up(row: Row) -> bool:
    """Tell whether no attempt is left, or the action was refused for good."""
    return row.attempts >= row.attempts_allowed


def is_forgotten(row: Row, contract: ProviderContract) -> bool:
    """Tell whether the provider may have forgotten the key by the time of the last change."""
    since, retention = row.retry_since, contract.retention_ms
    return retention is not None and since is not None and row.updated_at - since >= retention


def boundaries_of(row: Row, contract: ProviderContract) -> tuple[int, ...]:
    """Return the moments (ms) at which something changes for an open attempt, and those after."""
    assert row.send_by is not None
    lands, shown = row.send_by + (contract.in_flight_ms or 0), contract.last_moment(row.send_by)
    return tuple(moment + after for moment in (row.send_by, lands, shown) for after in (0, 1))


def past_all(contract: ProviderContract) -> int:
    """Return a time (ms) after which nothing sent can still arrive, or still be hidden."""
    return SEND_WINDOW_MS + contract.last_moment(0) + 1
