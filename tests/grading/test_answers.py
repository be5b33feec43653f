"""The grader and the notebook agree: the answers that the exercises are tried with, handed in."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from lab import exercises
from lab.exercises.verdict import FAILED, PASSED
from lab.grading.grader import Grader, Settings
from tests.exercises.answering import FOLDER
from tests.grading.containing import contained
from tests.grading.papers import lesson, save, with_before

MARKS = ("right", "wrong", "unforeseen")
OURS = ("tests.", "lab.exercises.")
EVERY = 30  # of the wrong answers; all of them would take minutes

pytestmark = contained


class Text(NamedTuple):
    """An answer as a text, with what stands beside it in its file, and the mistake it makes."""

    exercise: str
    what: str
    mistake: str
    text: str
    beside: str


def texts(name: str) -> Iterator[Text]:
    """Return the answers to one exercise that are written out as a definition."""
    for path in (FOLDER / f"{name}.py", *sorted(FOLDER.glob(f"{name}_[0-9].py"))):
        nodes = ast.parse(path.read_text("utf-8")).body
        shared = FOLDER / f"{name}_shared.py"
        first = ast.parse(shared.read_text("utf-8")).body if shared.exists() else []
        beside = "\n\n".join(ast.unparse(one) for one in (*first, *nodes) if is_the_learners(one))
        for node in nodes:
            if marks := marked(node):
                mark, what = marks
                node.decorator_list = [one for one in node.decorator_list if not mark_of(one)]
                mistake = {"right": "", "unforeseen": "unforeseen"}.get(mark, what)
                yield Text(name, what, mistake, ast.unparse(node), beside)


def is_the_learners(node: ast.stmt) -> bool:
    """Tell whether a statement beside the answers would stand in a notebook as well."""
    from_ours = isinstance(node, ast.ImportFrom) and str(node.module).startswith(OURS)
    return not from_ours and not marked(node)


def marked(node: ast.stmt) -> tuple[str, str] | None:
    """Return which kind of answer a definition is, and its name; None: it is none."""
    marks = (mark_of(one) for one in getattr(node, "decorator_list", ()))
    return next((mark for mark in marks if mark), None)


def mark_of(decorator: ast.expr) -> tuple[str, str] | None:
    match decorator:
        case ast.Call(func=ast.Name(id=mark), args=[ast.Constant(value=what), *_]) if mark in MARKS:
            return mark, what
    return None


def chosen() -> list[Text]:
    """Return every other right answer, and some of the wrong ones."""
    every = [one for name in exercises.NAMES for one in texts(name)]
    wrong = [one for one in every if one.mistake]
    return [one for one in every if not one.mistake][::2] + wrong[::EVERY]


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    grader = Grader(Settings(seed=11))
    yield grader
    grader.close()


@pytest.mark.parametrize("one", chosen(), ids=lambda one: f"{one.exercise}: {one.what}")
def test_an_answer_gets_the_verdict_that_the_notebook_gives(
    grader: Grader, one: Text, tmp_path: Path
) -> None:
    exercise = getattr(exercises, one.exercise)
    book = lesson(exercise.lesson, one.text, exercise.mark)
    sheet = save(tmp_path, with_before(book, one.beside, mark=exercise.mark))
    [graded] = [each for each in grader.paper(sheet).graded if each.exercise == one.exercise]
    assert graded.status == (FAILED if one.mistake else PASSED), graded.told
    assert graded.mistake == one.mistake.replace("unforeseen", ""), graded.told
    assert (graded.earned == graded.points) == (not one.mistake)
