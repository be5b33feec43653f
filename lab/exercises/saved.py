"""The answers in a saved notebook: which cell answers which exercise."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from lab import exercises
from lab.exercises.exercise import Exercise
from lab.exercises.slicing import Broken, Cell, parsed

_IN_A_NAME = re.compile(r"(?<!\d)(\d\d)_")


class Unreadable(Exception):
    """The file is no notebook; the message says what is wrong."""


class Answered(NamedTuple):
    """One exercise of a notebook: its cell, and those before it; None where there is no cell.

    ``others`` are the numbers of earlier cells that answer the same exercise: the last one counts.
    """

    exercise: Exercise
    cell: Cell | None
    before: list[Cell]
    others: tuple[int, ...] = ()


def answers_in(path: Path) -> list[Answered]:
    """Return the exercises of a saved notebook, in the order of the lessons, with their cells.

    Raises:
        Unreadable: the file cannot be read, or is no notebook.
    """
    cells, marks = _read(path)
    lessons = {mark.partition("-")[0] for mark in marks.values()}
    lessons |= set(_IN_A_NAME.findall(path.name))
    found = []
    for name in exercises.NAMES:
        exercise: Exercise = getattr(exercises, name)
        mine = [cell for cell in cells if _marked(marks.get(cell.number, ""), exercise)]
        if not mine and exercise.lesson in lessons:
            mine = [cell for cell in cells if _defines(cell, exercise)]
        if mine:
            *others, last = mine
            before = [cell for cell in cells if cell.number < last.number]
            numbers = tuple(cell.number for cell in others)
            found.append(Answered(exercise, last, before, numbers))
        elif exercise.lesson in lessons:
            found.append(Answered(exercise, None, []))
    return found


def _read(path: Path) -> tuple[list[Cell], dict[int, str]]:
    """Return the code cells of a notebook, and nbgrader's name for each that has one."""
    import nbformat
    from IPython.core.inputtransformer2 import TransformerManager

    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Unreadable(f"it cannot be read: {error}") from None
    try:
        notebook: Any = nbformat.reads(text, as_version=4)
        listed = list(enumerate(notebook.cells, 1))
    except Exception as error:
        raise Unreadable(
            f"it is no notebook ({type(error).__name__}). Open it in JupyterLab and save it again."
        ) from None
    cells, marks = [], {}
    for number, cell in listed:
        if cell.get("cell_type") != "code":
            continue
        source = "".join(cell.get("source", ""))
        with suppress(SyntaxError):  # that is said when the cell is used
            source = TransformerManager().transform_cell(source)
        cells.append(Cell(number, source))
        mark = cell.get("metadata", {}).get("nbgrader", {}).get("grade_id")
        if isinstance(mark, str):
            marks[number] = mark
    return cells, marks


def _marked(mark: str, exercise: Exercise) -> bool:
    return mark == f"{exercise.lesson}-{exercise.name}"


def _defines(cell: Cell, exercise: Exercise) -> bool:
    """Tell whether a cell defines all that an exercise asks for."""
    try:
        names = set(_defined(parsed(cell)))
    except Broken:
        # It may be the answer all the same; then it is said what is wrong with it.
        text = re.escape(exercise.defines[0].rpartition(".")[2])
        return bool(re.search(rf"^\s*def {text}\b", cell.text, re.MULTILINE))
    return set(exercise.defines) <= names


def _defined(body: list[ast.stmt], owner: str = "") -> Iterator[str]:
    for one in body:
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield owner + one.name
        elif isinstance(one, ast.ClassDef):
            yield from _defined(one.body, f"{one.name}.")
        elif isinstance(one, ast.Assign):
            yield from (owner + name.id for name in one.targets if isinstance(name, ast.Name))
