"""What is known of a submission once it is graded: plain data, from the workers to the report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Self

PUBLISHED = "Its text is the published solution."
"""A note; the verdict is on what the answer does, all the same."""


class Run(NamedTuple):
    """One scenario as it went. ``hidden``: the instructor's own, and not for the learner's eyes."""

    title: str
    passed: bool
    hidden: bool = False


class Graded(NamedTuple):
    """One exercise of one notebook, and its verdict.

    ``status`` is one of the four of `lab.exercises.verdict`. ``says`` is the sentence that is told
    first, ``mistake`` the name of the known mistake or empty. ``told`` is the page that the learner
    may read, in the words of ``exercise.check``, without what is hidden. ``notes`` say how the
    answer was found, where that was not plain.
    """

    exercise: str
    lesson: str
    title: str
    status: str
    points: int
    earned: int = 0
    says: str = ""
    mistake: str = ""
    runs: tuple[Run, ...] = ()
    told: str = ""
    notes: tuple[str, ...] = ()


class Paper(NamedTuple):
    """One file of one student. ``file`` is its place among the submissions, with slashes.

    ``digest`` is the SHA-256 of its bytes. ``problem`` says why nothing in it could be graded:
    it is no notebook, or holds no exercise; empty, where it could.
    """

    student: str
    file: str
    digest: str
    problem: str = ""
    graded: tuple[Graded, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """Return it as what `json` can write."""
        listed = [
            {**one._asdict(), "runs": [run._asdict() for run in one.runs]} for one in self.graded
        ]
        return {**self._asdict(), "graded": listed}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Self:
        """Return the paper that `as_data` wrote.

        Raises:
            KeyError, TypeError: it is no such data.
        """
        graded = tuple(
            Graded(
                **{
                    **one,
                    "runs": tuple(Run(**run) for run in one["runs"]),
                    "notes": tuple(one["notes"]),
                }
            )
            for one in data["graded"]
        )
        return cls(**{**data, "graded": graded})
