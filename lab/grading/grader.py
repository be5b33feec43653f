"""Grades papers, one after the other: finds the answers, and lets them play."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import closing, redirect_stdout
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from lab.exercises import telling
from lab.exercises.bench import Player
from lab.exercises.cells import Unreadable
from lab.exercises.exercise import Exercise
from lab.exercises.judge import played_out, refused
from lab.exercises.saved import Answered, answers_in
from lab.exercises.slicing import Broken as NotPython
from lab.exercises.slicing import needed
from lab.exercises.verdict import COULD_NOT_RUN, NOT_ATTEMPTED, Verdict
from lab.grading import hidden
from lab.grading.find import Found
from lab.grading.graded import PUBLISHED, Graded, Paper, Run
from lab.grading.hidden import Hidden
from lab.grading.lives import Answer, Broken, Ended, Nursery
from lab.grading.ours import imports, is_published
from lab.guest.walls import Rules
from lab.guest.written import Unusable

NOTHING_ELSE = (
    " (While it is graded, only the standard library and lab.gateway can be imported, and pytest "
    "where a test is asked for.)"
)
OWN_RUNS = "It did not come out as it should in a run that is your instructor's own."
NOT_OURS = (
    "The grader could not run it: its own process ended. Grade it by hand, or grade it again."
)


class Settings(NamedTuple):
    """How a class is graded. ``scenarios`` is the folder of an instructor's own, if any.

    ``room``: a folder for what is needed meanwhile; whoever made it empties it.
    """

    seed: int
    contained: bool = True
    rules: Rules = Rules()
    scenarios: Path | None = None
    room: Path | None = None


class Grader:
    """Grades papers in this process, with nurseries that are begun again when they break."""

    def __init__(self, settings: Settings) -> None:
        """Begin the nursery that most exercises need.

        Raises:
            Broken, NotPlayable.
        """
        self.settings = settings
        self.hidden: Mapping[str, tuple[Hidden, ...]] = hidden.load(
            settings.scenarios, settings.seed
        )
        self.nurseries: dict[tuple[str, ...], Nursery] = {}
        self.nursery(())

    def nursery(self, also: tuple[str, ...]) -> Nursery:
        """Return the nursery whose lives may import these modules as well."""
        if also not in self.nurseries:
            rules = self.settings.rules._replace(also=also)
            self.nurseries[also] = Nursery(self.settings.contained, rules, self.settings.room)
        return self.nurseries[also]

    def close(self) -> None:
        """End the nurseries."""
        while self.nurseries:
            self.nurseries.popitem()[1].close()

    def paper(self, found: Found) -> Paper:
        """Grade all that is in one file."""
        try:
            digest = hashlib.sha256(found.path.read_bytes()).hexdigest()
            answers = answers_in(found.path)
        except Unreadable as unreadable:
            return Paper(found.student, found.file, digest, problem=_sentence(str(unreadable)))
        except OSError as error:
            reason = f"It cannot be read: {error.strerror}."
            return Paper(found.student, found.file, "", problem=reason)
        graded = tuple(map(self.graded, answers))
        none = "" if graded else "There is no exercise in it."
        return Paper(found.student, found.file, digest, none, graded)

    def graded(self, answered: Answered) -> Graded:
        """Grade one exercise of a paper."""
        exercise, own = answered.exercise, self.hidden.get(answered.exercise.name, ())
        verdict = self.verdict(answered, own)
        notes = answered.notes if answered.cell else ()
        if answered.cell and is_published(exercise, answered.cell):
            notes = (*notes, PUBLISHED)
        secret = {one.scenario.name for one in own if not one.shown}
        verdict = without(verdict, secret)
        return Graded(
            exercise.name, exercise.lesson, exercise.title, verdict.status, verdict.points,
            verdict.earned, told_first(verdict), verdict.mistake,
            tuple(Run(one.title, one.passed, one.name in secret) for one in verdict.played),
            page(verdict, exercise, secret), notes,
        )  # fmt: skip

    def verdict(self, answered: Answered, own: tuple[Hidden, ...] = ()) -> Verdict:
        """Let an answer play, and say what it comes to; one more time where the nursery broke."""
        exercise = answered.exercise
        if answered.cell is None:
            none = f"There is no cell for it in this notebook: {' and '.join(exercise.defines)}."
            return exercise.unplayed(NOT_ATTEMPTED, " ".join(answered.notes) or none)
        extended = replace(
            exercise, scenarios=(*exercise.scenarios, *(one.scenario for one in own))
        )
        for _ in range(2):
            try:
                return self._played(extended, answered)
            except Broken:
                self.close()
        return exercise.unplayed(COULD_NOT_RUN, NOT_OURS)

    def _played(self, exercise: Exercise, answered: Answered) -> Verdict:
        assert answered.cell is not None
        try:
            sources = needed([imports(answered.exercise), *answered.before], answered.cell)
            nursery = self.nursery(exercise.imports)
            answer = Answer(nursery, exercise.asked, sources, self.settings.seed)
            with closing(answer):
                answer.tried()
                return played_out(exercise, Player(answer), self.settings.seed)
        except NotPython as broken:
            return exercise.unplayed(COULD_NOT_RUN, str(broken))
        except Ended as ended:
            return exercise.unplayed(COULD_NOT_RUN, str(ended))
        except Unusable as unusable:
            verdict = refused(exercise, unusable)
            if unusable.untouched:
                says = f"Nothing is written there yet (cell {answered.cell.number})."
                return replace(verdict, says=says)
            return replace(verdict, says=verdict.says + _imports_explained(verdict.says))


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _imports_explained(says: str) -> str:
    return NOTHING_ELSE if "ModuleNotFoundError" in says else ""


def without(verdict: Verdict, secret: set[str]) -> Verdict:
    """Return a verdict that says nothing of a hidden scenario, where one showed what is wrong."""
    if verdict.about not in secret:
        return verdict
    return replace(verdict, says=OWN_RUNS, mistake="", about="")


def told_first(verdict: Verdict) -> str:
    """Return what a verdict says; where that is nothing, which scenario went wrong."""
    shown = (telling.wrong(one) for one in verdict.played if one.name == verdict.about)
    return verdict.says or next(shown, "")


def page(verdict: Verdict, exercise: Exercise, secret: set[str]) -> str:
    """Return what ``exercise.check`` would say, without what is hidden."""
    seen = tuple(one for one in verdict.played if one.name not in secret)
    told = StringIO()
    with redirect_stdout(told):
        telling.tell(replace(verdict, played=seen), exercise)
    return told.getvalue()
