"""What the random, crash and process tests share: five numbers, and how to wait for quiet."""

from collections.abc import Callable, Iterator

from lab.faults import crashes
from lab.faults.clock import ManualClock
from lab.faults.numbers import Numbers, boundaries_of, count, is_true, past_all, review_is_due
from lab.faults.world import A_DAY_MS
from lab.gateway import REVIEW, SETTLED, Action, Fault, ProviderContract, Row

__all__ = ["Numbers", "boundaries_of", "count", "is_true", "past_all", "review_is_due"]

FAULTS = [Fault[name] for name in crashes.FAULTS]
LONG_MS = A_DAY_MS
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
