"""From papers to a class: which answer counts, in which order, under which file name."""

import re
from typing import Any

import pytest

from lab import exercises
from lab.exercises.verdict import COULD_NOT_RUN, FAILED, NOT_ATTEMPTED, PASSED
from lab.grading.book import RunFacts, Student, columns_of, students_of
from lab.grading.graded import PUBLISHED, Graded, Paper, Run

RESERVED = {"con", "prn", "aux", "nul", "com1", "lpt1"}
HIDDEN = "A second worker wakes up (hidden)"
FACTS = RunFacts(7, "full", ("ours.py",), (("notes.txt", "it is no notebook"),))
FORMULAS = ("=1+1", "+1", "-1", "@x", "\tx", "\rx", "  =1", "\u200f=1", "＝1", "＋1", "－1", "＠x")
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "=HYPERLINK('x')",
    "x" * 500,
    "\u202eada\u200f",
    "half \udce9",
    "two\nlines\r\nhere",
    "../../etc/passwd",
    "CON",
    "con",
    "Con.",
    "",
    "..",
    "李雷",
    "nul\x00 and \x1b[31m",
    "{{ 7 * 7 }}",
)


def graded(exercise: str, status: str, earned: int = 0, **others: Any) -> Graded:
    """Return one verdict on an exercise of the course."""
    asked = getattr(exercises, exercise)
    line = f"{asked.title}: {status}, {earned} of {asked.points} points"
    page = {"points": asked.points, "told": f"{line}\n\nWhat was tried.", **others}
    return Graded(exercise, asked.lesson, asked.title, status, earned=earned, **page)


def paper(student: str, *answers: Graded, file: str = "", problem: str = "") -> Paper:
    """Return one file of a student."""
    return Paper(student, file or f"{student}/work.ipynb", "0" * 64, problem, answers)


def a_class() -> list[Paper]:
    """Return a small class with one answer of each status, hidden runs, and a broken file."""
    runs = (Run("The response is lost.", True), Run(HIDDEN, False, hidden=True))
    twin = {"mistake": "twin settled", "says": "Two leads were owed.", "runs": runs}
    copied = {"notes": (PUBLISHED,)}
    return [
        paper(
            "Ada Lovelace",
            graded("on_found", PASSED, 10, runs=runs, **copied),
            graded("attempt", FAILED, 3, mistake="sent twice", says="Twice."),
        ),
        paper("Grace Hopper", graded("on_found", FAILED, 4, **twin)),
        paper("Alan Turing", graded("on_found", FAILED, 4, **twin), graded("attempt", PASSED, 10)),
        paper(
            "Edsger Dijkstra",
            graded("on_found", NOT_ATTEMPTED),
            graded("attempt", COULD_NOT_RUN, says="It did not come to an end in 20 seconds."),
        ),
        paper("Barbara Liskov", problem="It is no notebook."),
    ]


def only(*papers: Paper) -> Student:
    """Return the one student of some papers."""
    (student,) = students_of(papers)
    return student


def test_students_stand_by_name_whatever_the_order_of_the_papers() -> None:
    names = [student.name for student in students_of(a_class())]
    assert names == sorted(names)
    assert names == [student.name for student in students_of(reversed(a_class()))]


def test_points_are_those_of_the_exercises_found() -> None:
    ada = students_of(a_class())[0]
    assert (ada.name, ada.earned, ada.points) == ("Ada Lovelace", 13, 20)
    assert ada.counts == {PASSED: 1, FAILED: 1, NOT_ATTEMPTED: 0, COULD_NOT_RUN: 0}


@pytest.mark.parametrize(
    ("first", "second", "counts"),
    [
        ((PASSED, 10), (FAILED, 4), "a.ipynb"),
        ((FAILED, 4), (PASSED, 10), "b.ipynb"),
        ((FAILED, 4), (FAILED, 4), "b.ipynb"),
        ((FAILED, 0), (NOT_ATTEMPTED, 0), "a.ipynb"),
        ((COULD_NOT_RUN, 0), (NOT_ATTEMPTED, 0), "a.ipynb"),
        ((COULD_NOT_RUN, 0), (FAILED, 0), "b.ipynb"),
        ((PASSED, 0), (FAILED, 0), "a.ipynb"),
    ],
)
def test_of_two_files_the_better_answer_counts(
    first: tuple[str, int], second: tuple[str, int], counts: str
) -> None:
    papers = [
        paper("Ada", graded("on_found", *first), file="Ada/a.ipynb"),
        paper("Ada", graded("on_found", *second), file="Ada/b.ipynb"),
    ]
    for given in (papers, papers[::-1]):
        (answer,) = only(*given).answers
        assert answer.file == f"Ada/{counts}"
        assert answer.graded.notes == (
            f"It is in 2 files; the best answer counts, here the one in {counts}.",
        )


def test_what_could_not_run_is_listed_also_where_another_file_counts() -> None:
    student = only(
        paper("Ada", graded("on_found", COULD_NOT_RUN), file="a.ipynb"),
        paper("Ada", graded("on_found", PASSED, 10), file="b.ipynb"),
    )
    assert student.counts[COULD_NOT_RUN] == 0
    assert [answer.file for answer in student.unclear] == ["a.ipynb"]


def test_a_file_that_could_not_be_graded_is_one_that_could_not_run() -> None:
    broken = [paper("Ada", file=name, problem="It is empty.") for name in ("a", "b")]
    student = only(*broken, paper("Ada", graded("attempt", PASSED, 10)))
    assert student.counts == {PASSED: 1, FAILED: 0, NOT_ATTEMPTED: 0, COULD_NOT_RUN: 2}
    assert (student.earned, student.points) == (10, 10)
    assert [answer.graded.exercise for answer in student.answers] == ["attempt", "", ""]


def test_an_exercise_worth_nothing_counts_with_no_points() -> None:
    student = only(paper("Ada", graded("attempt", PASSED, 0, points=0)))
    assert (student.earned, student.points, student.counts[PASSED]) == (0, 0, 1)


def test_exercises_stand_in_the_order_of_the_lessons() -> None:
    columns = columns_of(students_of(a_class()))
    assert [column.exercise for column in columns] == ["attempt", "on_found", ""]


def test_the_most_frequent_mistake_comes_first_with_the_words_of_the_course() -> None:
    column = columns_of(students_of(a_class()))[1]
    (twin,) = column.mistakes
    assert twin.who == ("Alan Turing", "Grace Hopper")
    assert twin.says.startswith("Two leads were owed the same message")
    assert column.published == 1


def test_a_mistake_or_an_exercise_that_the_course_does_not_know_has_no_words() -> None:
    for exercise in ("on_found", "predict", "importlib"):
        one = graded("on_found", FAILED, mistake="new")._replace(exercise=exercise)
        (column,) = columns_of(students_of([paper("Ada", one)]))
        assert column.mistakes == (("new", "", ("Ada",)),)


def test_a_page_has_a_safe_name_that_is_nobody_elses() -> None:
    names = [*HOSTILE, "Ada Lovelace", "ada lovelace", "ADA  LOVELACE", "Ada_Lovelace", "Adá"]
    pages = [Student(name, []).page for name in names]
    assert len({page.lower() for page in pages}) == len(names)
    for page in pages:
        assert re.fullmatch(r"[a-z0-9][a-z0-9-]*\.html", page)
        assert len(page) < 70
        assert page.removesuffix(".html") not in RESERVED


def test_a_page_can_be_told_by_its_name() -> None:
    assert Student("Ada Lovelace", []).page.startswith("ada-lovelace-")
    assert Student("Zoë Ångström", []).page.startswith("zoe-angstrom-")
    assert Student("李雷", []).page.startswith("student-")
