"""What the course itself brings to an answer: the imports of its lesson, and its solution."""

from __future__ import annotations

import ast
import json
from functools import cache

from lab.course import ROOT
from lab.exercises.exercise import Exercise
from lab.exercises.slicing import Broken, Cell, parsed


@cache
def imports(exercise: Exercise) -> Cell:
    """Return one cell with all that an exercise's lesson imports above it."""
    [lesson] = (ROOT / "notebooks").glob(f"{exercise.lesson}_*.ipynb")
    found: list[str] = []
    for cell in json.loads(lesson.read_text("utf-8"))["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == exercise.mark:
            break
        if cell["cell_type"] == "code":
            body = parsed(Cell(0, "".join(cell["source"])))
            found += [
                ast.unparse(one) for one in body if isinstance(one, (ast.Import, ast.ImportFrom))
            ]
    return Cell(0, "\n".join(found))


def is_published(exercise: Exercise, answer: Cell) -> bool:
    """Tell whether an answer says what the solution says, word for word but for its layout."""
    try:
        mine = functions(parsed(answer))
    except Broken:
        return False
    solved = functions(ast.parse(exercise.solved_text()).body)
    names = [name.rpartition(".")[2] for name in exercise.defines]
    return all(name in mine and mine[name] == solved.get(name) for name in names)


def functions(body: list[ast.stmt]) -> dict[str, str]:
    """Return the functions among some statements and their classes, each as its syntax tree."""
    return {
        one.name: ast.dump(one)
        for statement in body
        for one in ast.walk(statement)
        if isinstance(one, ast.FunctionDef)
    }
