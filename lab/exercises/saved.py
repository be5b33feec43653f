"""The answers in a saved notebook: which cell answers which exercise.

A definition counts where it begins at the left edge of its cell, for only such
statements are run later; one inside of ``if`` or ``try`` is found all the same, and a note says so.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from lab import exercises
from lab.exercises.cells import Seen, Unreadable, cells_of, loaded, seen
from lab.exercises.exercise import Exercise
from lab.exercises.slicing import Cell

TITLES = {
    "00": "Start here",
    "01": "Silence is not failure",
    "02": "One intention, one key",
    "03": "Same key, same payload",
    "04": "Write it down first",
    "05": "A provider we can break",
    "06": "UNKNOWN is a state",
    "07": "Restart",
    "08": "When nobody can say",
    "09": "The hostile test",
    "10": "Your turn",
    "11": "Every crash point",
    "12": "Two workers, one key",
    "13": "A real provider",
    "14": "A person decides",
    "15": "What it costs",
}
"""The lessons, and the heading that each begins with."""
LOST_MARK = "The cell has lost its mark; it was found by what it defines."
INSIDE = (
    "It is defined inside of another statement, such as if or try. Only what begins at the left "
    "edge of a cell is run: move it there."
)

_IN_A_NAME = re.compile(r"(?<!\d)(\d\d)_(?=[^\W\d_])")
_ASKED = re.compile(r"^[ \t]*from lab\.exercises import (\w+) as exercise", re.MULTILINE)


class NotRecognised(Unreadable):
    """It is a notebook, and nothing in it tells of which lesson."""


class Answered(NamedTuple):
    """One exercise of a notebook: its cell, and those before it; None where there is no cell.

    ``others`` are the numbers of earlier cells that answer the same exercise: the last one counts.
    ``notes`` say how the cell was found, a sentence each, or why it cannot be used.
    """

    exercise: Exercise
    cell: Cell | None
    before: list[Cell]
    others: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()


def answers_in(path: Path) -> list[Answered]:
    """Return the exercises of a saved notebook, in the order of the lessons, with their cells.

    Raises:
        Unreadable: the file cannot be read, or is no notebook.
        NotRecognised: nothing in the notebook tells of which lesson it is.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python's, about the learner's text
        cells = seen(cells_of(loaded(path)))
    lessons = _lessons(cells, path.name)
    return [_answered(one, cells) for one in _all() if one.lesson in lessons]


def _all() -> list[Exercise]:
    return [getattr(exercises, name) for name in exercises.NAMES]


# Which cell it is


def _answered(exercise: Exercise, cells: list[Seen]) -> Answered:
    code = [one for one in cells if one.is_code]
    if not (candidates := _candidates(exercise, code)):
        return Answered(exercise, None, [], notes=_moved(exercise, cells))
    *earlier, last = candidates
    others = _numbers(earlier)
    before = [one.cell for one in code if one.cell.number < last.cell.number and one.is_python]
    return Answered(exercise, last.cell, before, others, _notes(exercise, code, last, others))


def _candidates(exercise: Exercise, code: list[Seen]) -> list[Seen]:
    """Return the cells that may be the answer; the last one is."""
    marked = [one for one in code if one.mark == exercise.mark]
    whole = [one for one in code if one.defines(exercise)]
    mine = marked or whole
    if marked:  # and what was written between it and the check below it
        checks = [one.cell.number for one in code if one.mark == f"{exercise.mark}-check"]
        span = range(marked[0].cell.number, max(checks, default=0))
        between = {one.cell.number for one in whole if one.cell.number in span}
        chosen = between.union(_numbers(marked))
        mine = [one for one in code if one.cell.number in chosen]
    for some in (mine, whole):
        if written := [one for one in some if one.written(exercise)]:
            return written
    return mine or _in_parts(exercise, code) or [one for one in code if one.has_within(exercise)]


def _in_parts(exercise: Exercise, code: list[Seen]) -> list[Seen]:
    """Return the last of several cells that define together what is asked for."""
    wanted = set(exercise.defines)
    parts = [one for one in code if wanted & one.names]
    together = wanted <= {name for one in parts for name in one.names}
    return parts[-1:] if together else []


def _notes(
    exercise: Exercise, code: list[Seen], last: Seen, others: tuple[int, ...]
) -> tuple[str, ...]:
    number = last.cell.number
    marked = _numbers(one for one in code if one.mark == exercise.mark)
    again = _numbers(one for one in code if one.cell.number > number and one.defines(exercise))
    found = f"It was found by what cell {number} defines, and not in the lesson's {_named(marked)}."
    told = {
        LOST_MARK: not marked,
        found: marked and number not in marked,
        f"The last of several answers counts; the others: {_named(others)}.": others,
        f"It is defined again later ({_named(again)}): that does not count.": marked and again,
        INSIDE: last.has_within(exercise),
    }
    return tuple(note for note, applies in told.items() if applies)


def _moved(exercise: Exercise, cells: list[Seen]) -> tuple[str, ...]:
    """Say where the answer is, if it is in a cell that is no code."""
    notes = [
        f"Cell {one.cell.number} holds it, but it is a text cell, which cannot be run. Make it a "
        "code cell: in JupyterLab, click beside it and press Y. Then save it again."
        for one in cells
        if not one.is_code and (one.mark == exercise.mark or one.defines(exercise))
    ]
    return tuple(notes[-1:])


def _numbers(cells: Iterable[Seen]) -> tuple[int, ...]:
    return tuple(one.cell.number for one in cells)


def _named(numbers: Sequence[int]) -> str:
    more = f" and {len(numbers) - 10} more" if len(numbers) > 10 else ""
    cells = "cells" if len(numbers) > 1 else "cell"
    return f"{cells} {', '.join(map(str, numbers[:10]))}{more}"


# Which lesson it is


def _lessons(cells: list[Seen], name: str) -> set[str]:
    """Return the numbers of the lessons in a notebook: its marks and heading come first."""
    code = [one for one in cells if one.is_code]
    marks = {one.mark.partition("-")[0] for one in cells} & set(TITLES)
    asked = {word for one in code for word in _ASKED.findall(one.cell.text)}
    for found in (
        marks | _headed(cells),
        set(_IN_A_NAME.findall(name)[-1:]) & set(TITLES),
        {one.lesson for one in _all() if one.name in asked},
    ):
        if found:
            return found
    return _by_what_is_defined(code)


def _headed(cells: list[Seen]) -> set[str]:
    """Return the number of the lesson whose heading a cell begins with."""
    starts = (one.cell.text[:100].strip().partition("\n")[0] for one in cells if not one.is_code)
    heads = {line[2:].strip().casefold() for line in starts if line.startswith("# ")}
    return {number for number, title in TITLES.items() if title.casefold() in heads}


def _by_what_is_defined(code: list[Seen]) -> set[str]:
    found = [one for one in _all() if _candidates(one, code)]
    asks = [one.defines for one in _all()]
    if sure := {one.lesson for one in found if asks.count(one.defines) == 1}:
        return sure
    maybe = " or ".join(one.lesson for one in found)
    which = f"whether it is lesson {maybe}" if maybe else "which lesson it is"
    raise NotRecognised(
        f"it is not recognised: its name, its heading and its cells do not tell {which}. "
        "Put the lesson's number first in its name, as in 07_restart.ipynb."
    )
