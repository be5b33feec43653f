"""Which cell of a saved notebook answers which exercise, whoever saved it and however."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lab import exercises
from lab.exercises import saved
from lab.exercises.check import main
from lab.exercises.saved import INSIDE, LOST_MARK, Answered, NotRecognised, answers_in
from tests.exercises.books import (
    ANSWER,
    CHECK,
    MARK,
    NOTEBOOKS,
    ON_FOUND,
    STUB,
    answer,
    answers,
    book,
    code,
    number,
    text,
)

# Which cell it is


def test_the_marked_cell_is_the_answer_and_needs_no_note(tmp_path: Path) -> None:
    found = answer(tmp_path, "x = 1", code(ANSWER, MARK), code(CHECK, f"{MARK}-check"))
    assert (number(found), found.others, found.notes) == (2, (), ())
    assert [cell.number for cell in found.before] == [1]


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("[01]*.ipynb")), ids=lambda one: one.stem)
def test_every_exercise_is_found_with_its_mark_and_without(tmp_path: Path, path: Path) -> None:
    data = json.loads(path.read_text("utf-8"))
    marked = [(one.exercise.name, number(one)) for one in answers_in(path)]
    lesson = path.name[:2]
    asked = [getattr(exercises, name) for name in exercises.NAMES]
    assert [name for name, _ in marked] == [one.name for one in asked if one.lesson == lesson]
    for cell in data["cells"]:
        cell["metadata"] = {}
    bare = answers(tmp_path, data, "mine.ipynb")
    assert [(one.exercise.name, number(one)) for one in bare] == marked
    assert all(one.notes == (LOST_MARK,) for one in bare)


@pytest.mark.parametrize(
    "definition",
    [ANSWER, "async " + ANSWER, "%time x = 1\n" + ANSWER, "on_found: object = print",
     "on_found = lambda action, row, readback, ledger, provider: None",
     "other = on_found = print", ">>> on_found = print", "    on_found = print"],
)  # fmt: skip
def test_a_cell_without_a_mark_is_found_by_what_it_defines(tmp_path: Path, definition: str) -> None:
    found = answer(tmp_path, "x = 1", definition)
    assert (number(found), found.notes) == (2, (LOST_MARK,))


@pytest.mark.parametrize(
    "definition",
    ["class Ledger(Ledger):\n    def prepare(self, action): return 1",
     "class Ledger(Ledger):\n    prepare = lambda self, action: 1",
     "def prepare(self, action): return 1\nLedger.prepare = prepare"],
)  # fmt: skip
def test_a_method_is_found_in_its_class(tmp_path: Path, definition: str) -> None:
    [found] = answers(tmp_path, book("x = 1", definition), "04_write.ipynb")
    assert number(found) == 2


def test_two_methods_may_stand_in_two_cells(tmp_path: Path) -> None:
    cells = [
        f"class Ledger(Ledger):\n    def {name}(self): pass" for name in ("begin", "_begin_next")
    ]
    [found] = answers(tmp_path, book(*cells), "12_two.ipynb")
    assert number(found) == 2
    assert [cell.number for cell in found.before] == [1]


def test_the_last_of_several_counts_and_the_others_are_named(tmp_path: Path) -> None:
    found = answer(tmp_path, code(ANSWER, MARK), "x = 1", code(ANSWER, MARK), code(ANSWER, MARK))
    assert (number(found), found.others) == (4, (1, 3))
    assert found.notes == ("The last of several answers counts; the others: cells 1, 3.",)


def test_of_many_others_ten_are_named(tmp_path: Path) -> None:
    found = answer(tmp_path, *[code(ANSWER, MARK)] * 1000)
    assert found.notes[0].endswith("8, 9, 10 and 989 more.")


def test_doubled_ids_are_no_matter(tmp_path: Path) -> None:
    twice = [code(ANSWER) | {"id": "same"}, code(ANSWER) | {"id": "same"}]
    assert number(answer(tmp_path, *twice)) == 2


def test_an_untouched_cell_does_not_hide_what_was_written_elsewhere(tmp_path: Path) -> None:
    found = answer(tmp_path, ANSWER, code(STUB, MARK))
    assert number(found) == 1
    assert "found by what cell 1 defines" in found.notes[0]


def test_an_untouched_cell_is_the_answer_where_nothing_was_written(tmp_path: Path) -> None:
    found = answer(tmp_path, code(STUB, MARK))
    assert (number(found), found.notes) == (1, ())


def test_what_is_written_between_the_cell_and_its_check_counts(tmp_path: Path) -> None:
    cells = (code(ANSWER, MARK), ON_FOUND.format(2), code(CHECK, f"{MARK}-check"))
    found = answer(tmp_path, *cells)
    assert (number(found), found.others) == (2, (1,))


def test_a_name_that_is_used_again_later_changes_nothing(tmp_path: Path) -> None:
    cells = (code(ANSWER, MARK), code(CHECK, f"{MARK}-check"), "on_found = None")
    found = answer(tmp_path, *cells)
    assert number(found) == 1
    assert found.notes == ("It is defined again later (cell 3): that does not count.",)


def test_an_answer_that_is_not_python_is_still_the_answer(tmp_path: Path) -> None:
    assert number(answer(tmp_path, "x = 1", ANSWER + "    return (")) == 2


@pytest.mark.parametrize("start", ["if True:\n", "try:\n", "with x:\n", "for _ in x:\n"])
def test_a_definition_inside_of_something_is_said_not_to_run(tmp_path: Path, start: str) -> None:
    inner = "".join(f"    {line}\n" for line in ANSWER.splitlines())
    end = "finally:\n    pass" if start == "try:\n" else ""
    found = answer(tmp_path, start + inner + end)
    assert (number(found), found.notes) == (1, (LOST_MARK, INSIDE))


@pytest.mark.parametrize("kind", ["markdown", "raw"])
@pytest.mark.parametrize("mark", ["", MARK])
def test_an_answer_in_a_text_cell_is_told(tmp_path: Path, kind: str, mark: str) -> None:
    found = answer(tmp_path, "x = 1", code(ANSWER, mark, kind))
    assert found.cell is None
    [note] = found.notes
    assert "Cell 2 holds it, but it is a text cell" in note
    assert "press Y" in note


def test_a_notebook_without_the_answer_has_no_note(tmp_path: Path) -> None:
    assert answer(tmp_path, "x = 1") == Answered(exercises.on_found, None, [])


# Which lesson it is


def test_the_titles_are_those_of_the_lessons() -> None:
    for path in NOTEBOOKS.glob("[01]*.ipynb"):
        first = json.loads(path.read_text("utf-8"))["cells"][0]["source"]
        assert "".join(first).splitlines()[0] == f"# {saved.TITLES[path.name[:2]]}"


def lesson(folder: Path, name: str, *cells: Any) -> list[str]:
    return [one.exercise.lesson for one in answers(folder, book(*cells), name)]


@pytest.mark.parametrize(
    "cell", [code("x = 1", MARK), code(CHECK, f"{MARK}-check"), text("# Restart\n\nI wrote this.")]
)
def test_a_renamed_lesson_is_known_by_a_mark_or_its_heading(tmp_path: Path, cell: Any) -> None:
    assert lesson(tmp_path, "01_mine.ipynb", cell) == ["07"]


@pytest.mark.parametrize("cell", [ANSWER, CHECK])
def test_a_renamed_lesson_is_known_by_what_it_defines_or_checks(tmp_path: Path, cell: str) -> None:
    assert lesson(tmp_path, "mine.ipynb", cell) == ["07"]


def test_numbers_that_a_platform_puts_before_the_name_are_no_lesson(tmp_path: Path) -> None:
    for name in ("hw1_s1_attempt_2024-05-01-10-00-05_07_restart.ipynb", "ba_1_01_07_restart.ipynb"):
        assert lesson(tmp_path, name, "x = 1") == ["07"]


def test_a_page_without_exercises_is_recognised(tmp_path: Path) -> None:
    assert lesson(tmp_path, "mine.ipynb", text("# Start here")) == []


@pytest.mark.parametrize("name", ["mine.ipynb", "77_mine.ipynb", "2024_05_01.ipynb"])
def test_what_is_no_lesson_is_not_recognised(tmp_path: Path, name: str) -> None:
    with pytest.raises(NotRecognised, match="do not tell which lesson"):
        lesson(tmp_path, name, "x = 1", text("# My page"))


def test_what_may_be_of_two_lessons_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotRecognised, match="whether it is lesson 06 or 11"):
        lesson(tmp_path, "mine.ipynb", "def attempt(action, row, ledger, provider): pass")


# What `check` says of it

Say = Callable[..., str]


@pytest.fixture
def say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Say:
    """Check a notebook of some cells, and return what is printed."""

    def told(*cells: Any, name: str = "07_restart.ipynb") -> str:
        path = tmp_path / name
        path.write_text(json.dumps(book(*cells)))
        assert main([str(path)]) == 1
        return " ".join(capsys.readouterr().out.split())

    return told


def test_check_says_that_a_text_cell_cannot_be_run(say: Say) -> None:
    told = say(text(ANSWER, MARK))
    assert "NOT ATTEMPTED" in told
    assert "Cell 1 holds it, but it is a text cell" in told
    assert "There is no cell" not in told


def test_check_says_why_a_definition_inside_of_something_does_not_run(say: Say) -> None:
    told = say("if True:\n    " + ANSWER.replace("\n", "\n    "))
    assert "COULD NOT RUN" in told
    assert f"({INSIDE})" in told
    assert LOST_MARK not in told


def test_check_names_a_page_that_is_no_lesson(say: Say) -> None:
    assert "mine.ipynb: it is not recognised" in say("x = 1", name="mine.ipynb")
