"""A clock that stands still until it is told to move, so that every run is exact."""

from __future__ import annotations

SECOND_MS = 1_000
MINUTE_MS = 60 * SECOND_MS


class ManualClock:
    """A clock in milliseconds. Call it for the time; ``advance`` lets time pass."""

    def __init__(self, start: int = 0) -> None:
        self.time = start

    def __call__(self) -> int:
        """Return the time."""
        return self.time

    def advance(self, milliseconds: int) -> int:
        """Let time pass, and return the new time; a negative number sets the clock back."""
        self.time += milliseconds
        return self.time
