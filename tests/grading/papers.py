"""Notebooks as students hand them in: a lesson, with an answer in the cell of an exercise."""

import json
import re
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import nbformat

from lab import exercises
from lab.authoring.editions import without_markers
from lab.authoring.notebooks import read
from lab.exercises.exercise import Exercise
from lab.grading.find import Found

LESSONS = Path(__file__).resolve().parents[2] / "notebooks"
Book = Any


@cache
def shipped(number: str) -> tuple[str, Book]:
    """Return the learner's edition of a lesson, and its file's name."""
    [path] = LESSONS.glob(f"{number}_*.ipynb")
    return path.name, read(path)


def lesson(number: str, answer: str | None = None, mark: str = "") -> Book:
    """Return a lesson with an answer in the cell of an exercise: of the first, or the marked one.

    Without an answer nothing is written there yet.
    """
    book = deepcopy(shipped(number)[1])
    if answer is not None:
        book.cells[place(book, mark)].source = answer
    return book


def solution(mark: str) -> str:
    """Return the published solution of the exercise with a mark, as it stands in its cell."""
    [path] = (LESSONS / "solutions").glob(f"{mark[:2]}_*.ipynb")
    book = read(path)
    return without_markers(book.cells[place(book, mark)].source)


def place(book: Book, mark: str = "") -> int:
    """Return where the cell of an exercise is, from 0: the first one, or the one with a mark."""
    marks = [cell.metadata.get("nbgrader", {}).get("grade_id", "") for cell in book.cells]
    return next(at for at, one in enumerate(marks) if one and mark in ("", one))


def with_before(book: Book, *texts: str, mark: str = "") -> Book:
    """Put code cells before the answer."""
    at = place(book, mark)
    book.cells[at:at] = [nbformat.v4.new_code_cell(text) for text in texts]
    return book


def asked_for(number: str, answer: str) -> Exercise:
    """Return the exercise of a lesson whose names an answer defines at the left edge."""
    listed = [getattr(exercises, name) for name in exercises.NAMES]
    [found] = [
        one
        for one in listed
        if one.lesson == number
        and all(re.search(rf"^(def |class )?{name}\b", answer, re.M) for name in one.owners)
    ]
    return found


def save(folder: Path, book: Book, name: str = "01_silence_is_not_failure.ipynb") -> Found:
    """Save a notebook as any program may, and return it as one that was found."""
    path = folder / name
    path.write_text(json.dumps(book), "utf-8")
    return Found("anna", name, path)
