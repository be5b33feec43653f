"""A process of its own for one saved answer: defines it, judges it, and says the verdict as JSON.

Run as `COMMAND`; the answer comes on standard input. It must not be the main module itself: that is
what the learner's code is.
"""

from __future__ import annotations

import ast
import io
import json
import linecache
import sys
from contextlib import redirect_stdout
from typing import Any

from lab import exercises
from lab.exercises.exercise import Exercise
from lab.exercises.guest import place
from lab.exercises.slicing import Broken, Cell, Piece, needed
from lab.exercises.verdict import COULD_NOT_RUN, Verdict

COMMAND = [sys.executable, "-c", "from lab.exercises.child import main; main()"]


def judged(name: str, answer: Cell, before: list[Cell]) -> Verdict:
    """Define a saved answer, and judge it."""
    exercise: Exercise = getattr(exercises, name)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    try:
        for piece in needed(before, answer):
            if wrong := _defined(piece, namespace):
                return exercise.unplayed(COULD_NOT_RUN, wrong)
    except Broken as broken:
        return exercise.unplayed(COULD_NOT_RUN, str(broken))
    for owner in exercise.owners:
        if owner not in namespace:
            says = f"Cell {answer.number} does not define {owner}. Write it, with that very name."
            return exercise.unplayed(COULD_NOT_RUN, says)
    return exercise.judged(*(namespace[owner] for owner in exercise.owners))


def _defined(piece: Piece, namespace: dict[str, Any]) -> str:
    """Run the statements of one cell; return what went wrong, as a sentence."""
    file = f"cell {piece.cell.number}"
    lines = piece.cell.text.splitlines(keepends=True)
    linecache.cache[file] = (len(piece.cell.text), None, lines, file)
    try:
        exec(compile(ast.Module(piece.statements, []), file, "exec"), namespace)
    except NameError as error:
        line, code = place(error)
        return (
            f"{error.name or 'a name'} is not defined in any cell above (line {line} of {file}: "
            f"{code}). If it works in JupyterLab, it is there from a cell that was changed or "
            "deleted since: restart the kernel and run all cells."
        )
    except (Exception, SystemExit) as error:
        line, code = place(error)
        return f"{type(error).__name__} ({error}) in line {line} of {file}: {code}."
    return ""


def main() -> None:
    """Read one answer from standard input, and write its verdict to standard output."""
    asked = json.load(sys.stdin)
    before = [Cell(*cell) for cell in asked["before"]]
    with redirect_stdout(io.StringIO()):
        verdict = judged(asked["exercise"], Cell(*asked["answer"]), before)
    json.dump(verdict.as_data(), sys.stdout, default=str)
