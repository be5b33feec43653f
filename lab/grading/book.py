"""The class as a whole, made of graded papers: each student's answers, each exercise's mistakes."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import PurePosixPath
from typing import NamedTuple

from lab import exercises
from lab.exercises.exercise import Exercise
from lab.exercises.verdict import COULD_NOT_RUN, FAILED, NOT_ATTEMPTED, PASSED
from lab.grading.graded import PUBLISHED, Graded, Paper

STATUSES = (PASSED, FAILED, NOT_ATTEMPTED, COULD_NOT_RUN)
WORST_FIRST = (NOT_ATTEMPTED, COULD_NOT_RUN, FAILED, PASSED)
READABLE_LETTERS = 40  # of a page's file name: what stands before and after it fits anywhere

_PLACES = {name: place for place, name in enumerate(exercises.NAMES)}


class RunFacts(NamedTuple):
    """What is to be known of one run of the grader.

    ``containment`` is a sentence: what kept the submissions in. ``scenarios`` are the names of the
    files with the instructor's own scenarios. ``unrecognised`` are pairs of a file that is no
    submission, and the reason.
    """

    seed: int
    containment: str
    scenarios: tuple[str, ...] = ()
    unrecognised: tuple[tuple[str, str], ...] = ()


class Answer(NamedTuple):
    """One graded exercise, and the file it is in.

    A file in which nothing could be graded is one, too: its exercise has no name.
    """

    graded: Graded
    file: str

    @property
    def file_name(self) -> str:
        """The last part of the file's place: all that a student is shown of it."""
        return PurePosixPath(self.file).name

    @property
    def hidden(self) -> list[bool]:
        """How the instructor's own runs came out, without what they are."""
        return [run.passed for run in self.graded.runs if run.hidden]


class Student:
    """One student: ``name``, all ``papers``, and the ``answers`` that count, by exercise."""

    def __init__(self, name: str, papers: Iterable[Paper]) -> None:
        self.name = name
        self.papers = sorted(papers, key=lambda paper: (paper.file, paper.digest))
        self.every = [answer for paper in self.papers for answer in answers_of(paper)]
        self.answers = sorted(best_of(self.every), key=lambda answer: _place(answer.graded))

    @cached_property
    def page(self) -> str:
        """The name of the student's page: safe on every file system, and nobody else's.

        The same name has the same page in every run, whoever else is in the class.
        """
        plain = unicodedata.normalize("NFKD", self.name).encode("ascii", "ignore").decode()
        readable = re.sub(r"[^a-z0-9]+", "-", plain.lower())[:READABLE_LETTERS].strip("-")
        digest = hashlib.sha256(self.name.encode("utf-8", "surrogatepass")).hexdigest()
        return f"{readable or 'student'}-{digest[:12]}.html"

    @property
    def earned(self) -> int:
        """Points of the answers that count."""
        return sum(answer.graded.earned for answer in self.answers)

    @property
    def points(self) -> int:
        """Points that the exercises found could earn."""
        return sum(answer.graded.points for answer in self.answers)

    @property
    def counts(self) -> dict[str, int]:
        """How many answers have each status, in the order of `STATUSES`."""
        return counted(self.answers)

    @property
    def unclear(self) -> list[Answer]:
        """Every answer that could not run, also where another one counts."""
        return [answer for answer in self.every if answer.graded.status == COULD_NOT_RUN]

    @cached_property
    def by_exercise(self) -> Mapping[str, Answer]:
        """The answers that count, by the name of the exercise."""
        return {answer.graded.exercise: answer for answer in self.answers}


class Named(NamedTuple):
    """A mistake that is known by a name: its own sentences, and the students who made it."""

    name: str
    says: str
    who: tuple[str, ...]


class Column(NamedTuple):
    """One exercise over the whole class. ``published``: how many texts are the solution's."""

    exercise: str
    lesson: str
    title: str
    counts: Mapping[str, int]
    published: int
    mistakes: tuple[Named, ...]


def students_of(papers: Iterable[Paper]) -> list[Student]:
    """Return the students, by name, whatever the order of the papers."""
    grouped: dict[str, list[Paper]] = defaultdict(list)
    for paper in papers:
        grouped[paper.student].append(paper)
    return [
        Student(name, grouped[name]) for name in sorted(grouped, key=lambda n: (n.casefold(), n))
    ]


def answers_of(paper: Paper) -> list[Answer]:
    """Return all that a paper answers; a paper with a problem is one that could not run."""
    found = list(paper.graded)
    if paper.problem:
        found.append(
            Graded("", "", "", COULD_NOT_RUN, 0, says=paper.problem, told=paper.problem),
        )
    return [Answer(graded, paper.file) for graded in found]


def best_of(answers: Iterable[Answer]) -> list[Answer]:
    """Return one answer to each exercise: the better one, and among equals the later file's.

    It says so in its notes. Files in which nothing could be graded stay, every one of them.
    """
    grouped: dict[str, list[Answer]] = defaultdict(list)
    for number, answer in enumerate(answers):
        grouped[answer.graded.exercise or f"a file, {number}"].append(answer)
    return [_best(same) for same in grouped.values()]


def _best(same: Sequence[Answer]) -> Answer:
    best = max(same, key=_rank)
    if len(same) == 1:
        return best
    note = f"It is in {len(same)} files; the best answer counts, here the one in {best.file_name}."
    return best._replace(graded=best.graded._replace(notes=(*best.graded.notes, note)))


def _rank(answer: Answer) -> tuple[int, int, str]:
    return answer.graded.earned, WORST_FIRST.index(answer.graded.status), answer.file


def _place(graded: Graded) -> tuple[bool, int, str]:
    """Order exercises as the lessons do; what is none comes last."""
    place = _PLACES.get(graded.exercise, len(_PLACES))
    return not graded.exercise, place, graded.exercise


def counted(answers: Iterable[Answer]) -> dict[str, int]:
    """Count the answers of each status, in the order of `STATUSES`."""
    found = Counter(answer.graded.status for answer in answers)
    return {status: found[status] for status in STATUSES}


def columns_of(students: Iterable[Student]) -> list[Column]:
    """Return every exercise that was found, in the order of the lessons.

    The files in which nothing could be graded come last, as one without a name.
    """
    grouped: dict[str, list[tuple[str, Answer]]] = defaultdict(list)
    for student in students:
        for answer in student.answers:
            grouped[answer.graded.exercise].append((student.name, answer))
    columns = sorted(grouped.values(), key=lambda found: _place(found[0][1].graded))
    return [_column(found) for found in columns]


def _column(found: Sequence[tuple[str, Answer]]) -> Column:
    answers = [answer for _, answer in found]
    first = answers[0].graded
    who: dict[str, list[str]] = defaultdict(list)
    for student, answer in found:
        if answer.graded.status == FAILED and answer.graded.mistake:
            who[answer.graded.mistake].append(student)
    often = sorted(who.items(), key=lambda item: (-len(item[1]), item[0]))
    return Column(
        first.exercise,
        first.lesson,
        first.title,
        counted(answers),
        sum(PUBLISHED in one.graded.notes for one in answers),
        tuple(Named(name, said(first.exercise, name), tuple(by)) for name, by in often),
    )


def said(exercise: str, mistake: str) -> str:
    """Return what the course says of a mistake; empty where it does not know it."""
    if exercise not in exercises.NAMES:
        return ""
    asked: Exercise = getattr(exercises, exercise)
    return next((one.says for one in asked.mistakes if one.name == mistake), "")
