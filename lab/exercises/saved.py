"""The answers in a saved notebook: which cell answers which exercise.

The file may come from anybody. Nothing in it is run here, and what is too large to be a lesson is
not looked at. A definition counts where it begins at the left edge of its cell, for only such
statements are run later; one inside of ``if`` or ``try`` is found all the same, and a note says so.
"""

from __future__ import annotations

import ast
import json
import re
import stat
import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from lab import exercises
from lab.exercises.exercise import Exercise
from lab.exercises.slicing import BOUND, Broken, Cell, parsed

# A lesson has some thirty cells and 50 kB. These leave room for all that a learner may add, and
# keep the time for one file at about a second, and its memory below 1 GB.
LARGEST_BYTES = 100_000_000
MOST_PARTS = 5_000_000  # lists, objects and strings in lists
MOST_CELLS = 2_000
MOST_CODE = 500_000  # characters in all code cells
MOST_MAGIC = 250_000  # characters read by IPython, which reads a cell once for each magic
READ_OF_PROSE = 100_000  # characters of a text cell in which an answer is looked for

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
}
"""The lessons, and the heading that each begins with."""
CLEAR = "In JupyterLab: Edit, Clear Outputs of All Cells; then save it again."
SAVE = "Open it in JupyterLab and save it again."
LOST_MARK = "The cell has lost its mark; it was found by what it defines."
INSIDE = (
    "It is defined inside of another statement, such as if or try. Only what begins at the left "
    "edge of a cell is run: move it there."
)

_IN_A_NAME = re.compile(r"(?<!\d)(\d\d)_(?=[^\W\d_])")
_ASKED = re.compile(r"^[ \t]*from lab\.exercises import (\w+) as exercise", re.MULTILINE)
_LOOKS_DEFINED = re.compile(
    r"^[ \t]*(?:(?:async[ \t]+)?def[ \t]+(\w+)|(\w+)[ \t]*=[ \t]*lambda\b)", re.MULTILINE
)
_HALF_A_CHARACTER = re.compile(r"[\ud800-\udfff]")  # nothing can print or save one


class Unreadable(Exception):
    """The file is no notebook; the message says what is wrong."""


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


class Seen(NamedTuple):
    """One cell: nbgrader's name for it, and the names that it defines.

    ``inside`` are names defined within other statements, ``stubs`` those of which nothing was
    written yet, ``guessed`` those that stand in a text that is not Python.
    """

    cell: Cell
    is_code: bool
    mark: str
    is_python: bool = False
    names: frozenset[str] = frozenset()
    inside: frozenset[str] = frozenset()
    stubs: frozenset[str] = frozenset()
    guessed: frozenset[str] = frozenset()

    def defines(self, exercise: Exercise) -> bool:
        """Tell whether the cell defines all that an exercise asks for, as far as one can see."""
        plain = {name.rpartition(".")[2] for name in exercise.defines}
        return self.names.issuperset(exercise.defines) or self.guessed >= plain

    def written(self, exercise: Exercise) -> bool:
        """Tell whether it defines it, and something was written there."""
        return self.defines(exercise) and not self.stubs.issuperset(exercise.defines)

    def has_within(self, exercise: Exercise) -> bool:
        """Tell whether it defines it in a place where it is not run."""
        return self.names | self.inside >= {*exercise.defines} and not self.defines(exercise)


def answers_in(path: Path) -> list[Answered]:
    """Return the exercises of a saved notebook, in the order of the lessons, with their cells.

    Raises:
        Unreadable: the file cannot be read, or is no notebook.
        NotRecognised: nothing in the notebook tells of which lesson it is.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python's, about the learner's text
        cells = _seen(_cells(_loaded(path)))
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
    marked = [one for one in code if one.mark == _mark(exercise)]
    whole = [one for one in code if one.defines(exercise)]
    mine = marked or whole
    if marked:  # and what was written between it and the check below it
        checks = [one.cell.number for one in code if one.mark == f"{_mark(exercise)}-check"]
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
    marked = _numbers(one for one in code if one.mark == _mark(exercise))
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
        if not one.is_code and (one.mark == _mark(exercise) or one.defines(exercise))
    ]
    return tuple(notes[-1:])


def _mark(exercise: Exercise) -> str:
    return f"{exercise.lesson}-{exercise.name}"


def _numbers(cells: Iterable[Seen]) -> tuple[int, ...]:
    return tuple(one.cell.number for one in cells)


def _named(numbers: Sequence[int]) -> str:
    more = f" and {len(numbers) - 10} more" if len(numbers) > 10 else ""
    return f"cells {', '.join(map(str, numbers[:10]))}{more}"


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


# What is in the file


def _loaded(path: Path) -> Any:
    """Return the data of a JSON file."""
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):
            raise Unreadable("it cannot be read: it is no file.")
        if about.st_size > LARGEST_BYTES:
            raise Unreadable(f"it is larger than {LARGEST_BYTES // 1_000_000} MB. {CLEAR}")
        content = path.read_bytes()
    except (OSError, ValueError) as error:
        raise Unreadable(f"it cannot be read: {getattr(error, 'strerror', error)}.") from None
    if not content.strip():
        raise Unreadable(f"it is no notebook: it is empty. {SAVE}")
    if sum(map(content.count, (b"[", b"{", b'",'))) > MOST_PARTS:
        raise Unreadable(f"it is no notebook that can be read: it has too many parts. {CLEAR}")
    try:
        return json.loads(content)  # in UTF-8, UTF-16 or UTF-32, with or without a first mark
    except UnicodeDecodeError:
        reason = "its characters are not UTF-8"
    except ValueError as error:
        reason = f"it is not JSON ({error})"
    except (RecursionError, MemoryError):
        reason = "it is nested too deeply, or too large"
    raise Unreadable(f"it is no notebook: {reason}. {SAVE}")


def _cells(data: Any) -> list[Any]:
    """Return the cells of a notebook, without outputs, as the fourth format has them."""
    import nbformat

    if not isinstance(data, dict):
        raise Unreadable(f"it is no notebook: it is JSON of another kind. {SAVE}")
    sheets = data.get("worksheets")  # the third format had them
    holders = (data, *(sheets if isinstance(sheets, list) else ()))
    lists = [one.get("cells") for one in holders if isinstance(one, dict)]
    cells = [cell for one in lists if isinstance(one, list) for cell in one]
    if len(cells) > MOST_CELLS:
        raise Unreadable(f"it is no lesson: it has more than {MOST_CELLS} cells.")
    for cell in cells:
        if isinstance(cell, dict):
            cell["outputs"] = []
    version = data.get("nbformat", 4 if "cells" in data else None)
    try:
        data = nbformat.reads(json.dumps(data), as_version=4) if version in (1, 2, 3) else data
    except Exception as error:  # it was never made for files that are wrong
        reason = f"it is no notebook of format {version} that can be read"
        raise Unreadable(f"{reason} ({type(error).__name__}). {SAVE}") from None
    if version not in (1, 2, 3, 4):
        said = "is newer than 4" if type(version) is int and version > 4 else "is not said"
        raise Unreadable(f"it is no notebook that can be read: its format {said}. {SAVE}")
    if not isinstance(data.get("cells"), list):
        raise Unreadable(f"it is no notebook: it has no list of cells. {SAVE}")
    return list(data["cells"])


def _seen(cells: list[Any]) -> list[Seen]:
    """Read every cell; what is no cell is passed over, and keeps its number."""
    read, code, magic = [], 0, 0
    for number, cell in enumerate(cells, 1):
        if not isinstance(cell, dict):
            continue
        text, mark = _text(cell.get("source")), _marked(cell)
        if cell.get("cell_type") != "code":
            guessed = _guessed(text[:READ_OF_PROSE])
            read.append(Seen(Cell(number, text), False, mark, guessed=guessed))
            continue
        code += len(text)
        if code > MOST_CODE:
            raise Unreadable(f"it is no lesson: it has more than {MOST_CODE} characters of code.")
        body = _body(Cell(number, text))
        if body is None:
            magic += len(text) * (1 + sum(map(text.count, "%!?")))
            text = _without_magics(text) if magic < MOST_MAGIC else text
            body = _body(Cell(number, text))
        read.append(_code(Cell(number, text), mark, body))
    return read


def _text(source: Any) -> str:
    parts = source if isinstance(source, list) else [source]
    text = "".join(part for part in parts if isinstance(part, str))
    return _HALF_A_CHARACTER.sub("\N{REPLACEMENT CHARACTER}", text)


def _marked(cell: dict[str, Any]) -> str:
    mark: Any = cell
    for key in ("metadata", "nbgrader", "grade_id"):
        mark = mark.get(key) if isinstance(mark, dict) else None
    return mark if isinstance(mark, str) else ""


def _guessed(text: str) -> frozenset[str]:
    return frozenset(one or two for one, two in _LOOKS_DEFINED.findall(text))


def _without_magics(text: str) -> str:
    """Return the Python that IPython makes of a cell, or the cell as it is."""
    from IPython.core.inputtransformer2 import TransformerManager

    try:
        return str(TransformerManager().transform_cell(text))
    except Exception:  # it is said when the cell is used that it is not Python
        return text


def _body(cell: Cell) -> list[ast.stmt] | None:
    """Return the statements of a cell; None where Python cannot read it."""
    try:
        return parsed(cell)
    except (Broken, RecursionError, MemoryError):
        return None


def _code(cell: Cell, mark: str, body: list[ast.stmt] | None) -> Seen:
    if body is None:
        return Seen(cell, True, mark, guessed=_guessed(cell.text))
    defined = dict(_defined(body))
    stubs = frozenset(name for name, one in defined.items() if _is_stub(one))
    compound = [one for one in body if hasattr(one, "body") and not isinstance(one, BOUND)]
    nested = (node for one in compound for node in ast.walk(one) if isinstance(node, ast.stmt))
    inside = frozenset(name for name, _ in _defined(nested))
    return Seen(cell, True, mark, True, frozenset(defined), inside, stubs)


def _defined(body: Iterable[ast.stmt], owner: str = "") -> Iterator[tuple[str, ast.stmt]]:
    """Yield the names that statements define, methods as ``Ledger.prepare``."""
    for one in body:
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield owner + one.name, one
        elif isinstance(one, ast.ClassDef):
            yield from _defined(one.body, f"{one.name}.")
        elif isinstance(one, (ast.Assign, ast.AnnAssign)) and one.value is not None:
            for target in one.targets if isinstance(one, ast.Assign) else [one.target]:
                if isinstance(target, ast.Name):
                    yield owner + target.id, one
                elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
                    yield f"{target.value.id}.{target.attr}", one


def _is_stub(one: ast.stmt) -> bool:
    """Tell whether a function does nothing but raise NotImplementedError."""
    if not isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    last = one.body[-1]
    raised = getattr(last.exc, "func", last.exc) if isinstance(last, ast.Raise) else None
    before = one.body[:-1] if ast.get_docstring(one) is None else one.body[1:-1]
    return not before and isinstance(raised, ast.Name) and raised.id == "NotImplementedError"
