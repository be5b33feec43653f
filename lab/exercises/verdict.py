"""A verdict on one answer: what it is, what it earns, and what is said of it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

PASSED = "PASSED"
FAILED = "FAILED"
NOT_ATTEMPTED = "NOT ATTEMPTED"
COULD_NOT_RUN = "COULD NOT RUN"


class Difference(NamedTuple):
    """One fact that is not as it should be."""

    label: str
    should_be: Any
    found: Any


@dataclass(frozen=True)
class Played:
    """One scenario as it went: its title, and where it differs from what should be.

    ``story`` tells what happened, a line each, where something differs; ``printed`` is what the
    learner's code printed meanwhile.
    """

    name: str
    title: str
    differences: tuple[Difference, ...] = ()
    story: tuple[str, ...] = ()
    printed: str = ""

    @property
    def passed(self) -> bool:
        """True if nothing differs."""
        return not self.differences


@dataclass(frozen=True)
class Verdict:
    """What is to be said of one answer to one exercise.

    ``says`` is for the learner: what happened, or why it could not run. ``mistake`` is the name of
    the known mistake that was recognised, or empty. ``stopped``: an error of a program that does
    not work yet ended it. ``about`` is the name of the run that shows best what is wrong.
    """

    exercise: str
    status: str
    points: int
    earned: int = 0
    says: str = ""
    mistake: str = ""
    stopped: bool = False
    about: str = ""
    played: tuple[Played, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """Return it as plain data; values that JSON does not know are written as text."""
        data = asdict(self)
        data["played"] = [{"title": one.title, "passed": one.passed} for one in self.played]
        return data
