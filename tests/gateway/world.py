"""What the random, crash and process tests share: five numbers, and how to wait for quiet."""

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple

from lab.faults.clock import ManualClock
from lab.gateway import (
    PREPARED,
    REVIEW,
    SETTLED,
    UNKNOWN,
    Action,
    Fault,
    ProviderContract,
    Reading,
    Row,
    count_duplicates,
)
from lab.gateway.ledger import SEND_WINDOW_MS

# An adapter that sends twice by itself can be found, but not be mended by any gateway.
FAULTS = [fault for fault in Fault if fault is not Fault.SENT_TWICE]
LONG_MS = 24 * 3_600_000  # by then the latest effect has landed, whatever the contract
ROUNDS = 30  # more calls of `execute` than any history here needs to come to rest


class Numbers(NamedTuple):
    """The five numbers that are always read together. Safety alone is cheap: send nothing."""

    duplicates: int
    lost: int
    falsely_settled: int
    stuck: int
    in_review: int

    @property
    def harm(self) -> tuple[int, ...]:
        """Return the four that have to be nought, whatever happened."""
        return self[:4]


def count(rows: Iterable[Row], effects: Iterable[dict], accepted: Collection[str]) -> Numbers:
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


def is_true(row: Row, effects: Iterable[dict]) -> bool:
    """Tell whether a row that claims to be settled names an effect that was really done."""
    claimed = (row.key, row.receipt, row.payload_hash)
    done = [(effect["key"], effect["receipt"], effect["payload_hash"]) for effect in effects]
    return row.state != SETTLED or (bool(row.receipt) and claimed in done)


def review_is_due(
    row: Row,
    contract: ProviderContract,
    effects: Collection[dict],
    unreadable: bool = False,
    twin: bool = False,
) -> bool:
    """Tell from the truth whether code had to leave this row to a person.

    ``effects`` are those under the row's key, ``unreadable`` says that it could not be read back
    at some time, and ``twin`` that another action has the same content.
    """
    usable = [effect for effect in effects if effect["receipt"]]
    if twin and not contract.keeps_reference:
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


def pauses(
    contract: ProviderContract, clock: ManualClock, look: Callable[[], Row | None]
) -> Iterator[int]:
    """Say how long to wait between calls: to each boundary exactly, and to just after it."""
    yield from (0, 1)
    while True:
        row = look()
        boundaries = () if row is None or row.send_by is None else boundaries_of(row, contract)
        ahead = [moment - clock.time for moment in boundaries if moment > clock.time]
        yield min(ahead, default=past_all(contract))


def boundaries_of(row: Row, contract: ProviderContract) -> tuple[int, ...]:
    """Return the moments at which something changes for an open attempt, and those just after."""
    assert row.send_by is not None
    lands, shown = row.send_by + (contract.in_flight_ms or 0), contract.last_moment(row.send_by)
    return tuple(moment + after for moment in (row.send_by, lands, shown) for after in (0, 1))


def past_all(contract: ProviderContract) -> int:
    """Return a time (ms) after which nothing sent can still arrive, or still be hidden."""
    return SEND_WINDOW_MS + contract.last_moment(0) + 1


def until_quiet(once: Callable[[], str | None], waits: Iterator[int], clock: ManualClock) -> None:
    """Call ``once`` again and again, later and later, until nothing is left to wait for.

    ``once`` returns the state it left behind, or None where its worker died.
    """
    for _ in range(ROUNDS):
        if once() in (SETTLED, REVIEW):
            return
        clock.advance(next(waits))


def welcome(number: int = 0) -> Action:
    """Return an action whose content no other number shares."""
    return Action(f"welcome:lead-{number}:v1", "welcome_email", {"lead": number})
