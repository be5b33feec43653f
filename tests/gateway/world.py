"""What the random, crash and process tests share: five numbers, and how to wait for quiet."""

from collections.abc import Callable, Iterator

from lab.faults.clock import ManualClock
from lab.faults.numbers import Numbers, boundaries_of, count, is_true, review_is_due
from lab.gateway import REVIEW, SETTLED, Action, Fault, ProviderContract, Row
from lab.gateway.ledger import SEND_WINDOW_MS

__all__ = ["Numbers", "boundaries_of", "count", "is_true", "review_is_due"]

# An adapter that sends twice by itself can be found, but not be mended by any gateway.
FAULTS = [fault for fault in Fault if fault is not Fault.SENT_TWICE]
LONG_MS = 24 * 3_600_000  # by then the latest effect has landed, whatever the contract
ROUNDS = 30  # more calls of `execute` than any history here needs to come to rest


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
