"""What people reported of graders of notebooks, and what this one does instead: one paper each.

Forged passes, hidden scenarios and whole classes are in ``test_cases_2.py``.
"""

import re
import textwrap
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat
import pytest

from lab import exercises
from lab.exercises import telling
from lab.exercises.saved import LOST_MARK, answers_in
from lab.exercises.verdict import COULD_NOT_RUN, FAILED, NOT_ATTEMPTED, PASSED
from lab.grading import lives
from lab.grading.graded import Graded, Paper
from lab.grading.grader import Grader, Settings
from lab.guest.walls import Rules
from tests.grading.containing import CAN_CONTAIN, contained
from tests.grading.papers import Book, lesson, place, save, with_before

ROOT = Path(__file__).resolve().parents[2]
RULES = Rules(cpu_s=2)
COUNT = "def count_duplicates(keys_of_effects, approved):\n"
RIGHT = "return len(keys_of_effects) - len({*keys_of_effects} & {*approved})"
COST = (
    "def review_cost(reviews, minutes, usd_per_hour):\n"
    "    exact = reviews * minutes * usd_per_hour / 60\n"
    '    return exact.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)\n'
)
LOOP = "while True:\n    pass"


def counting(*lines: str) -> str:
    """Return the answer to lesson 01 that does some things, line by line."""
    return COUNT + textwrap.indent("\n".join(lines), "    ") + "\n"


def both(count: str, cost: str) -> Book:
    """Return lesson 01 with the cell of lesson 09's exercise at its end: two exercises."""
    book, other = lesson("01", count), lesson("09", cost)
    book.cells.append(other.cells[place(other)])
    return book


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    grader = Grader(Settings(5, CAN_CONTAIN, RULES))
    yield grader
    grader.close()


@pytest.fixture
def weak() -> Iterator[Grader]:
    grader = Grader(Settings(5, False, RULES))
    yield grader
    grader.close()


def one(grader: Grader, folder: Path, book: Book | str, **more: Any) -> Graded:
    """Grade a notebook with one exercise; a text is the answer in lesson 01."""
    written = lesson("01", book) if isinstance(book, str) else book
    [graded] = paper(grader, folder, written, **more).graded
    return graded


def paper(grader: Grader, folder: Path, book: Book, **more: Any) -> Paper:
    return grader.paper(save(folder, book, **more))


def test_a_loop_that_eats_memory_passes_nothing(grader: Grader, tmp_path: Path) -> None:
    """jupyter/nbgrader#427."""
    graded = one(grader, tmp_path, counting("held = []", "while True: held.append('x' * 10**6)"))
    assert (graded.status, graded.earned, graded.says) == (COULD_NOT_RUN, 0, telling.MEMORY)
    assert graded.told.startswith(f"{graded.title}: {COULD_NOT_RUN}")
    assert not any(run.passed for run in graded.runs)


def test_of_a_duplicated_cell_the_last_one_counts(grader: Grader, tmp_path: Path) -> None:
    """jupyter/nbgrader#1083 and #1933."""
    book = lesson("01", counting("return 0"))
    again = deepcopy(book.cells[place(book)])
    again.source = counting(RIGHT)
    book.cells.insert(place(book) + 1, again)
    graded = one(grader, tmp_path, book)
    assert graded.status == PASSED
    assert [note for note in graded.notes if "The last of several answers counts" in note]


def test_two_cells_may_share_an_id(grader: Grader, tmp_path: Path) -> None:
    """jupyter/nbgrader#1331."""
    book = with_before(lesson("01", counting(RIGHT)), "seen = 1", "seen = 2")
    for cell in book.cells:
        cell["id"] = "same"
    assert one(grader, tmp_path, book).status == PASSED


def test_a_deleted_check_changes_nothing(grader: Grader, tmp_path: Path) -> None:
    """jupyter/nbgrader#1682."""
    book = lesson("01", counting(RIGHT))
    del book.cells[place(book) + 1]
    graded = one(grader, tmp_path, book)
    assert (graded.status, graded.earned) == (PASSED, 10)


def test_an_answer_without_its_mark_is_found_by_what_it_defines(
    grader: Grader, tmp_path: Path
) -> None:
    """jupyter/nbgrader#424."""
    book = lesson("01", counting(RIGHT))
    for cell in book.cells:
        cell.metadata.clear()
    graded = one(grader, tmp_path, book)
    assert (graded.status, graded.notes[0]) == (PASSED, LOST_MARK)


@pytest.mark.parametrize(("line", "status"), [(RIGHT, PASSED), ("return 0", FAILED)])
def test_an_exercise_may_be_worth_nothing(
    grader: Grader, tmp_path: Path, line: str, status: str
) -> None:
    """jupyter/nbgrader#1353."""
    [answered] = answers_in(save(tmp_path, lesson("01", counting(line))).path)
    free = replace(answered.exercise, points=0)
    graded = grader.graded(answered._replace(exercise=free))
    assert (graded.status, graded.earned, graded.points) == (status, 0, 0)


TWICE = "return sum(keys_of_effects.count(k) > 1 or k not in approved for k in {*keys_of_effects})"


def test_there_are_points_and_a_message(grader: Grader, tmp_path: Path) -> None:
    """jupyter/nbgrader#1399."""
    graded = one(grader, tmp_path, counting(TWICE))
    assert graded.status == FAILED
    assert 0 < graded.earned < graded.points
    assert f"{graded.earned} of {graded.points} points" in graded.told
    assert graded.says.split()[:3] == graded.told.split("\n\n")[1].split()[:3]


def test_the_first_failure_hides_no_other(grader: Grader, tmp_path: Path) -> None:
    """jupyter/nbgrader#1445."""
    graded = one(grader, tmp_path, counting(TWICE))
    scenarios = exercises.count_duplicates.scenarios
    assert [run.title for run in graded.runs] == [scenario.title for scenario in scenarios]
    for run in graded.runs:
        mark = telling.MARKS[run.passed].strip()
        assert re.search(rf"^{mark} +{re.escape(run.title[:40])}", graded.told, re.MULTILINE)


def looks_for(path: Path) -> str:
    """Return a right answer that says so where it finds a file."""
    return counting("import os", f"if os.path.exists({str(path)!r}): raise ValueError", RIGHT)


@contained
@pytest.mark.parametrize("what", ["sibling", "lab", "notebooks/solutions", "tests"])
def test_nothing_of_others_and_no_solution_is_there_to_read(
    grader: Grader, weak: Grader, tmp_path: Path, what: str
) -> None:
    """jupyter/nbgrader#483 and #978; two graders were made to read solutions here."""
    path = tmp_path / "sibling" if what == "sibling" else ROOT / what
    (tmp_path / "sibling").write_text("def count_duplicates(): ...")
    answer = looks_for(path)
    assert one(weak, tmp_path, answer).status == FAILED  # where nothing is in its way, it looks
    assert one(grader, tmp_path, answer).status == PASSED


@contained
def test_no_file_of_the_course_is_anywhere(grader: Grader, tmp_path: Path) -> None:
    answer = counting(
        "import os",
        "for folder, _, files in os.walk('/'):",
        "    for file in files:",
        "        if file.endswith(('.ipynb', '.sqlite3')) or 'lab' in folder.split('/'):",
        "            raise ValueError(file)",
        RIGHT,
    )
    assert one(grader, tmp_path, answer).status == PASSED


def test_values_are_others_with_another_seed(
    grader: Grader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Values that were written down in one run are of no use in another."""
    answer = counting("raise ValueError(keys_of_effects)")
    first, same = (set(leads(one(grader, tmp_path, answer))) for _ in range(2))
    monkeypatch.setattr(grader, "settings", grader.settings._replace(seed=6))
    other = set(leads(one(grader, tmp_path, answer)))
    assert first == same
    assert first
    assert not first & other


def leads(graded: Graded) -> list[str]:
    return re.findall(r"lead-\d+", graded.says)


def test_one_hog_leaves_the_next_exercise_its_memory(grader: Grader, tmp_path: Path) -> None:
    """jupyter/nbgrader#1429."""
    hog = counting("held = []", "while True: held.append(bytearray(1 << 24))")
    first, second = paper(grader, tmp_path, both(hog, COST)).graded
    assert (first.exercise, first.status) == ("count_duplicates", COULD_NOT_RUN)
    assert (second.exercise, second.status) == ("review_cost", PASSED)


ENDLESS = {
    "under a bare except": [
        "while True:",
        "    try:",
        "        while True: pass",
        "    except: pass",
    ],
    "deaf to signals": ["import signal", "for n in (2, 15, 24): signal.signal(n, 1)", LOOP],
    "in C": ["import re", "re.match('(a+)+$', 'a' * 60 + 'b')"],
    "asleep": ["import time", "time.sleep(1e6)"],
}


@pytest.mark.parametrize("how", ENDLESS)
def test_what_never_ends_is_stopped_at_the_limit_and_named(
    grader: Grader, tmp_path: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """jupyter/nbgrader#1004 and #923, ucbds-infra/otter-grader#469."""
    monkeypatch.setattr(lives, "WALL_S", 2 if how == "asleep" else lives.WALL_S)
    endless, other = paper(grader, tmp_path, both(counting(*ENDLESS[how]), COST)).graded
    assert (endless.status, endless.says) == (COULD_NOT_RUN, telling.TOO_LONG)
    assert endless.told.startswith(f"{endless.title}: {COULD_NOT_RUN}")
    assert other.status == PASSED


def test_who_asks_for_input_hears_that_grading_has_no_keyboard(
    grader: Grader, tmp_path: Path
) -> None:
    """jupyter/nbgrader#1844 and #1210."""
    inside = one(grader, tmp_path, counting("input('how many? ')", RIGHT))
    assert (inside.status, inside.says) == (COULD_NOT_RUN, telling.KEYBOARD)
    above = with_before(lesson("01", counting("limit", RIGHT)), "limit = input()")
    graded = one(grader, tmp_path, above)
    assert graded.status == COULD_NOT_RUN
    assert "grading has no keyboard" in graded.says
    unused = with_before(lesson("01", counting(RIGHT)), "name = input()")
    assert one(grader, tmp_path, unused).status == PASSED


def test_a_renamed_notebook_is_recognised(grader: Grader, tmp_path: Path) -> None:
    """jupyter/nbgrader#1219 and #1302."""
    graded = one(grader, tmp_path, lesson("01", counting(RIGHT)), name="my homework.ipynb")
    assert (graded.exercise, graded.status) == ("count_duplicates", PASSED)


def test_a_notebook_that_nothing_tells_of_is_listed_as_such(grader: Grader, tmp_path: Path) -> None:
    """jupyter/nbgrader#1302."""
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("x = 1")])
    unknown = paper(grader, tmp_path, book, name="scratch.ipynb")
    assert unknown.problem.startswith("It is not recognised")
    assert unknown.graded == ()


def test_a_left_over_line_is_pointed_at(grader: Grader, tmp_path: Path) -> None:
    """jupyter/nbgrader#1154."""
    left = "raise NotImplementedError()"
    graded = one(grader, tmp_path, counting("too_many = 1", left, RIGHT))
    assert graded.says.startswith("A line that stands for what is to be written is still there")
    assert f"in line 3 of its cell: {left}" in graded.says


def test_an_untouched_exercise_is_not_attempted(grader: Grader, tmp_path: Path) -> None:
    assert one(grader, tmp_path, lesson("01")).status == NOT_ATTEMPTED


def test_warnings_change_nothing(
    grader: Grader, tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    """sagemathinc/cocalc#5028."""
    answer = counting(
        "import sys, warnings",
        "warnings.warn('deprecated', DeprecationWarning)",
        "print('warning: deprecated', file=sys.stderr)",
        "pattern = '\\d'",
        RIGHT,
    )
    assert one(grader, tmp_path, answer).status == PASSED
    assert list(recwarn) == []  # nor do they reach the instructor


def test_a_name_that_is_used_again_later_spoils_nothing(grader: Grader, tmp_path: Path) -> None:
    """ucbds-infra/otter-grader#793 and #30."""
    book = lesson("01", "overlap = len\n" + counting(RIGHT.replace("len(", "overlap(")))
    for text in ("overlap = None", "def overlap(x):\n    return 7"):
        book.cells.append(nbformat.v4.new_code_cell(text))
    assert one(grader, tmp_path, book).status == PASSED


def test_a_value_above_of_which_only_the_name_is_used_is_not_run(
    grader: Grader, tmp_path: Path
) -> None:
    answer = counting("doubled = len(keys_of_effects)", RIGHT)
    book = with_before(lesson("01", answer), "approved = 1 / 0", "doubled = 1 / 0")
    assert one(grader, tmp_path, book).status == PASSED


def test_a_sentence_comes_first_and_nothing_of_ours(grader: Grader, tmp_path: Path) -> None:
    """ucbds-infra/otter-grader#419 and #429."""
    graded = one(grader, tmp_path, counting("found = {}", "return found['lead-1']"))
    assert graded.told.splitlines()[0] == f"{graded.title}: {FAILED}, 0 of 10 points"
    assert "line 3 of its cell: return found['lead-1']" in graded.says
    for word in ("Traceback", "File ", "assert", ".py", "lab/", "site-packages"):
        assert word not in graded.told


def test_what_no_known_mistake_describes_has_a_reason_all_the_same(
    grader: Grader, tmp_path: Path
) -> None:
    graded = one(grader, tmp_path, counting("return 0"))
    assert (graded.status, graded.mistake) == (FAILED, "")
    assert graded.says.startswith("Here it went wrong: ")
    assert graded.says in graded.told


@pytest.mark.parametrize(
    "answer", [counting("return tally(keys_of_effects)"), f"limit = tally\n{counting(RIGHT)}"]
)
def test_a_name_that_only_the_kernel_knows_is_named(
    grader: Grader, tmp_path: Path, answer: str
) -> None:
    """ucbds-infra/otter-grader#244."""
    graded = one(grader, tmp_path, answer)
    assert graded.status in (FAILED, COULD_NOT_RUN)
    assert graded.earned == 0
    assert "tally" in graded.says
    assert "is not defined" in graded.says


def test_start_up_is_paid_once(grader: Grader, tmp_path: Path) -> None:
    """ucbds-infra/otter-grader#951 and #413; ``make bench`` measures what it comes to."""
    first = one(grader, tmp_path, counting(RIGHT))
    nursery = grader.nursery(())
    assert one(grader, tmp_path, counting(RIGHT)) == first
    assert grader.nursery(()) is nursery
    assert nursery.process.poll() is None


def test_a_nursery_that_ended_is_begun_again_for_the_same_answer(
    grader: Grader, tmp_path: Path
) -> None:
    grader.nursery(()).process.kill()
    assert one(grader, tmp_path, counting(RIGHT)).status == PASSED


def test_a_grader_that_ends_leaves_no_nursery() -> None:
    grader = Grader(Settings(5, CAN_CONTAIN, RULES))
    nurseries = [grader.nursery(()), grader.nursery(("pytest",))]
    assert nurseries[0] is not nurseries[1]
    grader.close()
    assert None not in [one.process.poll() for one in nurseries]


@pytest.mark.parametrize("module", ["tally", pytest.param("pytest", marks=contained)])
def test_what_may_be_imported_is_said_to_who_imports_something_else(
    grader: Grader, tmp_path: Path, module: str
) -> None:
    graded = one(grader, tmp_path, f"import {module}\n\n" + counting(f"{module}.x", RIGHT))
    assert graded.status == COULD_NOT_RUN
    assert "only the standard library" in graded.says
