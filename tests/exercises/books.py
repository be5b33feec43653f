"""Notebooks as somebody may save them, for tests of what is found in them."""

import json
from pathlib import Path
from typing import Any

from lab.exercises.saved import Answered, answers_in

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
MARK = "07-on_found"
ON_FOUND = "def on_found(action, row, readback, ledger, provider):\n    return {}\n"
ANSWER = ON_FOUND.format(1)
STUB = ON_FOUND.replace(
    "return {}", '"""Say."""\n    # YOUR CODE HERE\n    raise NotImplementedError()'
)
CHECK = "from lab.exercises import on_found as exercise\n\nexercise.check(on_found)"


def code(source: Any, mark: str = "", kind: str = "code") -> dict[str, Any]:
    metadata = {"nbgrader": {"grade_id": mark}} if mark else {}
    cell = {"cell_type": kind, "metadata": metadata, "source": source}
    return cell | ({"outputs": [], "execution_count": None} if kind == "code" else {})


def text(source: str, mark: str = "") -> dict[str, Any]:
    return code(source, mark, "markdown")


def book(*cells: Any, **more: Any) -> dict[str, Any]:
    listed = [code(one) if isinstance(one, str) else one for one in cells]
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": listed} | more


def answers(folder: Path, data: Any, name: str = "07_restart.ipynb") -> list[Answered]:
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    return answers_in(path)


def answer(folder: Path, *cells: Any, name: str = "07_restart.ipynb") -> Answered:
    [found] = answers(folder, book(*cells), name)
    assert found.exercise.name == "on_found"
    return found


def number(found: Answered) -> int | None:
    return found.cell.number if found.cell else None
