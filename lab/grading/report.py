"""Writes what an instructor gets: tables, data, a summary, and a page for each student.

``grades.csv`` has a row for each exercise of each student (`GRADES`), ``totals.csv`` a row for each
student (`TOTALS`), ``grades.json`` everything. ``summary.html`` is for the instructor; a page in
``feedback/`` is for one student, and holds nobody else's data and nothing hidden. The same papers
give the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from rich.cells import set_cell_size

from lab.exercises.verdict import COULD_NOT_RUN, FAILED, NOT_ATTEMPTED, PASSED
from lab.grading.book import STATUSES, Answer, RunFacts, Student, columns_of, students_of
from lab.grading.graded import Graded, Paper
from lab.operations.tables import CONTROLS, csv_table, put

SCHEMA = 1
GRADES = ("student", "lesson", "exercise", "title", "status", "earned", "points", "mistake",
          "reason", "notes", "file")  # fmt: skip
"""Columns of ``grades.csv``. A file in which nothing could be graded has no lesson, exercise and
title; ``reason`` says what happened, ``mistake`` is the name of a known one."""
TOTALS = ("student", "earned", "points", *(status.lower() for status in STATUSES))
"""Columns of ``totals.csv``. ``points`` are those of the exercises found, ``earned`` of these."""
LETTERS = {PASSED: "P", FAILED: "F", NOT_ATTEMPTED: "–", COULD_NOT_RUN: "!"}
MOST_FREQUENT = 5  # mistakes of one exercise: more than are talked about in a class
NAME_CELLS = 24  # of a terminal's line

_templates = Environment(
    loader=PackageLoader("lab.grading", "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_templates.globals["letters"] = LETTERS
_templates.globals["style"] = (
    files("lab.grading").joinpath("templates/report.css").read_text("utf-8")
)


def write(out: Path, papers: Sequence[Paper], run: RunFacts) -> None:
    """Write the whole report into a folder, which is made where it is not there.

    Every file is written beside its place and put there when it is complete. Pages of students
    who are no longer among the papers stay.

    Raises:
        Unwritable: a file cannot be written.
    """
    students = students_of(papers)
    run = run._replace(unrecognised=tuple(sorted(run.unrecognised)))
    rows = (row(student, answer) for student in students for answer in student.answers)
    put(out / "grades.csv", csv_table(GRADES, rows))
    put(out / "totals.csv", csv_table(TOTALS, map(total, students)))
    put(out / "grades.json", json.dumps(as_data(students, run), indent=1, ensure_ascii=False))
    put(out / "summary.html", summary(students, run))
    for student in students:
        put(out / "feedback" / student.page, feedback(student))


def line(student: Student) -> str:
    """Return the line that a terminal shows of a student, without the end of a line.

    A name is cut or filled to `NAME_CELLS` columns, whatever letters it has.
    """
    seen = "".join(letter if letter.isprintable() else " " for letter in student.name)
    name = set_cell_size(" ".join(seen.split()), NAME_CELLS)
    points = f"{student.earned} of {student.points}"
    counts = ", ".join(f"{number} {status}" for status, number in student.counts.items() if number)
    return f"{name}  {points:10}  {counts}".rstrip()


def row(student: Student, answer: Answer) -> dict[str, Any]:
    """Return one row of ``grades.csv``."""
    one = answer.graded._asdict()
    others = {"student": student.name, "reason": one["says"], "file": answer.file}
    return {**{name: one.get(name) for name in GRADES}, **others, "notes": " ".join(one["notes"])}


def total(student: Student) -> dict[str, Any]:
    """Return one row of ``totals.csv``."""
    counts = {status.lower(): number for status, number in student.counts.items()}
    return {"student": student.name, "earned": student.earned, "points": student.points, **counts}


def as_data(students: Sequence[Student], run: RunFacts) -> dict[str, Any]:
    """Return everything as `json` can write it."""
    listed = [
        {
            **total(student),
            "page": f"feedback/{student.page}",
            "counting": [row(student, answer) for answer in student.answers],
            "papers": [paper.as_data() for paper in student.papers],
        }
        for student in students
    ]
    unclear = [row(student, answer) for student in students for answer in student.unclear]
    strangers = [{"file": file, "reason": reason} for file, reason in run.unrecognised]
    return {
        "schema": SCHEMA,
        "seed": run.seed,
        "containment": run.containment,
        "scenarios": run.scenarios,
        "totals": {"students": len(students), **sums(students)},
        "for_a_person": {"could_not_run": unclear, "unrecognised": strangers},
        "students": listed,
    }


def sums(students: Sequence[Student]) -> dict[str, int]:
    """Return how many answers of the class have each status, in small letters."""
    totals = list(map(total, students))
    return {status.lower(): sum(one[status.lower()] for one in totals) for status in STATUSES}


def summary(students: Sequence[Student], run: RunFacts) -> str:
    """Return the instructor's page."""
    return _page(
        "summary.jinja",
        students=students,
        columns=columns_of(students),
        run=run,
        sums=sums(students),
        most=MOST_FREQUENT,
    )


def feedback(student: Student) -> str:
    """Return one student's page."""
    return _page("feedback.jinja", student=student, told=told)


def told(graded: Graded) -> str:
    """Return what `check` says, without its first line where that is the heading already."""
    heading = f"{graded.title}: {graded.status}"
    first, _, rest = graded.told.partition("\n")
    return rest.strip("\n") if first.startswith(heading) else graded.told


def _page(template: str, **values: Any) -> str:
    """Fill a template; every value is escaped, and no page holds signs that HTML forbids."""
    return _templates.get_template(template).render(values).translate(CONTROLS)
