"""The cells of a saved notebook, and what each of them defines.

The file may come from anybody. Nothing in it is run here, and what is too large to be a lesson is
not looked at.
"""

from __future__ import annotations

import ast
import json
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

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
CLEAR = "In JupyterLab: Edit, Clear Outputs of All Cells; then save it again."
SAVE = "Open it in JupyterLab and save it again."
_LOOKS_DEFINED = re.compile(
    r"^[ \t]*(?:(?:async[ \t]+)?def[ \t]+(\w+)|(\w+)[ \t]*=[ \t]*lambda\b)", re.MULTILINE
)
_HALF_A_CHARACTER = re.compile(r"[\ud800-\udfff]")  # nothing can print or save one


class Unreadable(Exception):
    """The file is no notebook; the message says what is wrong."""


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


def loaded(path: Path) -> Any:
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


def cells_of(data: Any) -> list[Any]:
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


def seen(cells: list[Any]) -> list[Seen]:
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
    except Broken:
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
