"""``python -m lab check NOTEBOOK…``: the lessons' checks in a terminal, on saved notebooks."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from glob import glob
from pathlib import Path
from typing import Any, NamedTuple

from lab.exercises import telling
from lab.exercises.cells import Unreadable
from lab.exercises.child import COMMAND
from lab.exercises.saved import LOST_MARK, Answered, NotRecognised, answers_in
from lab.exercises.verdict import COULD_NOT_RUN, NOT_ATTEMPTED, PASSED

LIMIT_S = 20  # a check takes less than a second, and a slow machine some more


class Checked(NamedTuple):
    """One exercise of one notebook and its verdict, as `Verdict.as_data` writes it."""

    notebook: str
    exercise: str
    title: str
    verdict: dict[str, Any]


def main(notebooks: list[str], as_data: bool = False) -> int:
    """Check every exercise of some notebooks; return 0 only when all of them pass."""
    checked: list[Checked] = []
    problems: list[str] = []
    for name in (file for pattern in notebooks for file in files_of(pattern)):
        try:
            found = answers_in(Path(name))
        except NotRecognised as unknown:  # a page of the learner's own is no failure
            if not as_data:
                print(f"{name}: {unknown}")
            continue
        except Unreadable as unreadable:
            problems.append(f"{name}: {unreadable}")
            continue
        for answered in found:
            one = check(name, answered)
            checked.append(one)
            if not as_data:
                tell(one)
        if not found and not as_data:
            print(f"{name}: there is no exercise in it")
    if not checked and not problems:
        problems.append("no exercise was found: give the saved copy of a lesson")
    passed = sum(one.verdict["status"] == PASSED for one in checked)
    if as_data:
        print(json.dumps({"checked": [one._asdict() for one in checked], "problems": problems}))
    else:
        print(f"{passed} of {len(checked)} exercises passed")
    for problem in problems:
        print(problem, file=sys.stderr)
    return 0 if passed == len(checked) and not problems else 1


def files_of(pattern: str) -> list[str]:
    """Return the notebooks of a folder, or what a name with a star stands for, or the name itself.

    (Not every shell reads a star.) Copies that `reset` kept aside are left out of a folder.
    """
    if Path(pattern).is_dir():
        found = sorted(map(str, Path(pattern).glob("*.ipynb")))
        return [name for name in found if ".kept-" not in name] or [pattern]
    return sorted(glob(pattern)) or [pattern]


def check(notebook: str, answered: Answered) -> Checked:
    """Judge one saved answer in a process of its own, which is ended when it takes too long."""
    exercise = answered.exercise
    if answered.cell is None:
        none = f"There is no cell for it in this notebook: {' and '.join(exercise.defines)}."
        says = " ".join(answered.notes) or none
        verdict = exercise.unplayed(NOT_ATTEMPTED, says).as_data()
        return Checked(notebook, exercise.name, exercise.title, verdict)
    message = {"exercise": exercise.name, "answer": answered.cell, "before": answered.before}
    try:
        ran = subprocess.run(
            COMMAND, input=json.dumps(message), capture_output=True, text=True, timeout=LIMIT_S,
            check=False, encoding="utf-8",
        )  # fmt: skip
        verdict = json.loads(ran.stdout)
    except subprocess.TimeoutExpired:
        verdict = exercise.unplayed(COULD_NOT_RUN, telling.TOO_LONG).as_data()
    except ValueError:
        verdict = exercise.unplayed(COULD_NOT_RUN, telling.SILENT).as_data()
    if verdict["status"] == NOT_ATTEMPTED:
        verdict["says"] = f"Nothing is written there yet (cell {answered.cell.number})."
    for note in answered.notes:
        if note != LOST_MARK:  # which is no fault of the answer
            verdict["says"] += f" ({note})"
    return Checked(notebook, exercise.name, exercise.title, verdict)


def tell(one: Checked) -> None:
    """Print one verdict: what happened, and what was said of it."""
    verdict = one.verdict
    print(
        f"{one.notebook}\n  {one.title}: {verdict['status']}, "
        f"{verdict['earned']} of {verdict['points']} points"
    )
    for line in details(verdict):
        telling.paragraph(line, indent="       ")
    print()


def details(verdict: dict[str, Any]) -> Iterator[str]:
    """Yield what is told of a verdict below its first line."""
    if verdict["status"] != PASSED:
        for one in verdict["played"]:
            yield f"  {telling.MARKS[one['passed']]} {one['title']}"
        if verdict["says"]:
            yield f"  {verdict['says'].strip()}"
