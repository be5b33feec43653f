"""What an exercise is: what it asks, how it is judged, and how it answers."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from lab.exercises import progress, telling
from lab.exercises.judge import judge
from lab.exercises.stage import Facts, Plug, Stage, alone
from lab.exercises.verdict import COULD_NOT_RUN, PASSED, Verdict
from lab.gateway import Ledger
from lab.guest.written import Asked

Seen = Callable[[str, str], Any]
"""``seen("lost", "messages at the provider")``: one fact of one scenario, or None."""


class Scenario(NamedTuple):
    """Something that happens to the world: a name for mistakes to refer to, and a sentence.

    ``play`` returns facts. ``live``: in it something has to be achieved; while it fails, nothing
    else earns a point, for doing nothing is safe and is no answer.
    """

    name: str
    title: str
    play: Callable[[Stage], Facts]
    live: bool = False


class Mistake(NamedTuple):
    """A wrong answer that is known: recognised by what it did to the world.

    ``says``, three sentences at most: what happened, whom it hurts, where to look. ``when`` tells
    from the facts of the learner's run; the first mistake that says yes is told.
    """

    name: str
    says: str
    when: Callable[[Seen], bool]


def told(scenario: str, label: str, *answers: str) -> Callable[[Seen], bool]:
    """Recognise a mistake by what one fact says."""
    return lambda seen: seen(scenario, label) in answers


@dataclass(frozen=True)
class Exercise:
    """One exercise. ``exercise.check(yours)``, ``exercise.hint()`` and ``exercise.solution()``.

    ``defines`` is what the learner writes (``attempt``, or ``Ledger.prepare``), ``takes`` the names
    of its arguments. ``solved`` are the solution's definitions, one for each name, and ``why``
    says why it is one. ``in_any_order``: what is asked for is a judge, which must not know whose
    turn it is. ``imports``: what may be imported for it besides, where the grader runs it.
    """

    name: str
    lesson: str
    title: str
    defines: tuple[str, ...]
    takes: tuple[str, ...]
    scenarios: tuple[Scenario, ...]
    mistakes: tuple[Mistake, ...]
    hints: tuple[str, str, str]
    solved: tuple[Any, ...]
    why: str
    plug: Plug = alone
    points: int = 10
    in_any_order: bool = False
    imports: tuple[str, ...] = ()

    @property
    def asked(self) -> Asked:
        """What has to be written, as the learner's side knows it."""
        return Asked(self.defines, self.takes)

    @property
    def mark(self) -> str:
        """The name of its cell, as nbgrader keeps it: ``07-on_found``."""
        return f"{self.lesson}-{self.name}"

    @property
    def owners(self) -> tuple[str, ...]:
        """What is given to `check`: functions, or the classes whose methods are asked for."""
        return self.asked.owners

    def unplayed(self, status: str, says: str) -> Verdict:
        """Return a verdict on what could not be let into the world, or was not there."""
        return Verdict(self.name, status, self.points, says=says)

    def check(self, *given: Any) -> None:
        """Judge what was written, and say what happened in the world because of it."""
        verdict = self.judged(*given)
        telling.tell(verdict, self)
        if verdict.status == PASSED:
            progress.record(self.name)

    def passes(self, *given: Any) -> bool:
        """Tell whether what was written passes, and print nothing."""
        return self.judged(*given).status == PASSED

    def judged(self, *given: Any, seed: int | None = None) -> Verdict:
        """Judge what was written: a function, or the class that it is a method of."""
        try:
            return judge(self, given, seed)
        except KeyboardInterrupt:
            return self.unplayed(COULD_NOT_RUN, telling.INTERRUPTED)

    def hint(self, number: int | None = None) -> None:
        """Print the next hint; ``hint(2)`` prints that one."""
        telling.hint(self, number)

    def solution(self) -> None:
        """Print the solution, and why it is one."""
        print(self.solved_text())
        telling.paragraph(self.why)

    def solved_text(self) -> str:
        """Return the solution as text."""
        return "\n".join(textwrap.dedent(inspect.getsource(part)) for part in self.solved)

    def reference(self) -> Mapping[str, Any]:
        """Return lab's own pieces, by the names that the learner's have."""
        pairs = zip(self.defines, self.solved, strict=True)
        return dict(("Ledger", Ledger) if "." in name else (name, part) for name, part in pairs)
