"""What an exploration found: how many runs, what they came to, and the shortest that failed."""

from __future__ import annotations

from typing import NamedTuple

from lab.faults.numbers import Numbers

Moves = tuple[str, ...]
_NONE: tuple[Moves | None, ...] = (None,) * 4


class Findings(NamedTuple):
    """Of all runs that begin at one moment: how many, what they came to in all, how many failed.

    ``shortest`` holds, for each of the four numbers that have to be nought, the shortest run that
    shows it, as its moves from here on; None: no run does.
    """

    runs: int = 0
    numbers: Numbers = Numbers()
    failed: int = 0
    shortest: tuple[Moves | None, ...] = _NONE

    @classmethod
    def of(cls, numbers: Numbers) -> Findings:
        """Return what is found of one run, at its end."""
        if not any(numbers.harm):
            return cls(1, numbers)
        return cls(1, numbers, 1, tuple(() if shown else None for shown in numbers.harm))

    def plus(self, after: Findings, *moves: str) -> Findings:
        """Add all runs that go on with these moves."""
        shortest = self.shortest
        if after.failed:
            pairs = zip(shortest, after.shortest, strict=True)
            shortest = tuple(shorter(mine, its, moves) for mine, its in pairs)
        return Findings(
            self.runs + after.runs,
            self.numbers.plus(after.numbers),
            self.failed + after.failed,
            shortest,
        )


def shorter(known: Moves | None, after: Moves | None, moves: Moves) -> Moves | None:
    """Return the shorter of two runs, the second of which begins with some moves."""
    if after is None:
        return known
    longer = (*moves, *after)
    return longer if known is None else min(known, longer, key=len)
