"""What a cheating student tries: each file of ``attacks`` is one answer, and says what it comes to.

Most of them try one thing. Those that have to pass are right besides, and raise an error if what
they try is let through.
"""

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from lab.exercises.verdict import PASSED
from lab.grading.graded import Graded
from lab.grading.grader import Grader, Settings
from lab.guest.walls import Rules
from tests.grading.containing import contained
from tests.grading.papers import asked_for, lesson, save, shipped, with_before

ATTACKS = Path(__file__).resolve().parent / "attacks"
ROOT = ATTACKS.parent.parent.parent
FILES = sorted(ATTACKS.glob("*.py"))
KEPT = [file for file in FILES if file.stem.startswith("kept_")]
RIGHT = ATTACKS / "right_recursive.py"
FIRST_LINES = re.compile(
    r"# lesson: (?P<lesson>\d\d)\n# verdict: (?P<verdict>[A-Z ]+)\n# shows: (?P<shows>\S.*\.)\n"
)
NOT_TOLD = ("lab-grade", str(Path.home()), str(ROOT), tempfile.gettempdir())


pytestmark = contained


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    """Give one grader to all of them: what one leaves behind, the next would meet."""
    grader = Grader(Settings(seed=5, rules=Rules(cpu_s=2)))
    yield grader
    grader.close()


@pytest.fixture
def canary(tmp_path: Path) -> Iterator[Path]:
    """Give a file that no answer may read or change; an answer knows its place as ``CANARY``."""
    canary = tmp_path / "not yours" / "canary"
    canary.parent.mkdir()
    canary.write_text("untouched")
    yield canary
    assert canary.read_text() == "untouched"
    assert list(canary.parent.iterdir()) == [canary]


def head(file: Path) -> dict[str, str]:
    """Return what the first lines of an attack say: its lesson, verdict, and what it shows."""
    said = FIRST_LINES.match(file.read_text("utf-8"))
    assert said, f"{file.name} has to begin with # lesson:, # verdict: and # shows:"
    return said.groupdict()


def graded(grader: Grader, file: Path, canary: Path) -> Graded:
    """Grade an attack as a student would hand it in."""
    number, answer = head(file)["lesson"], file.read_text("utf-8")
    exercise = asked_for(number, answer)
    known = f"CANARY = {str(canary)!r}"
    book = with_before(lesson(number, answer, exercise.mark), known, mark=exercise.mark)
    paper = grader.paper(save(canary.parent.parent, book, shipped(number)[0]))
    return next(one for one in paper.graded if one.exercise == exercise.name)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_attack_comes_to_what_it_should(grader: Grader, file: Path, canary: Path) -> None:
    one = graded(grader, file, canary)
    assert one.status == head(file)["verdict"], one.told
    assert (one.earned == one.points) == (one.status == PASSED)
    assert [place for place in NOT_TOLD if place in one.told + one.says] == []


@pytest.mark.parametrize("file", KEPT, ids=lambda file: file.stem)
def test_what_one_student_leaves_the_next_does_not_find(
    grader: Grader, file: Path, canary: Path
) -> None:
    for _ in range(2):
        one = graded(grader, file, canary)
        assert one.status == PASSED, one.told


def test_after_all_of_them_a_right_answer_passes(grader: Grader, canary: Path) -> None:
    assert graded(grader, RIGHT, canary).status == PASSED
