"""What people reported of graders of notebooks: forged passes, hidden scenarios, whole classes."""

import io
import json
import signal
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from lab.exercises import telling
from lab.exercises.verdict import COULD_NOT_RUN, FAILED, PASSED
from lab.grading import main as module
from lab.grading.book import Student
from lab.grading.graded import Graded
from lab.grading.grader import OWN_RUNS, Grader, Settings
from lab.grading.log import NAME
from lab.grading.main import main
from lab.grading.report import feedback
from tests.grading.containing import CAN_CONTAIN, contained
from tests.grading.papers import lesson, with_before
from tests.grading.test_cases import (
    LOOP,
    RIGHT,
    RULES,
    counting,
    one,
    paper,
)
from tests.grading.test_hidden import WHOLE

TITLE = "One approval is listed twice."
NEARLY = counting(  # takes two messages for wanted where an approval is listed twice
    "from collections import Counter",
    "return (Counter(keys_of_effects) - Counter(approved)).total()",
)
TWICE = "if len(approved) > len({*approved}): "  # an answer may see that it is in such a run


def hidden(folder: Path, more: str = "") -> Grader:
    """Return a grader with a scenario of an instructor's own."""
    (folder / "own").mkdir(exist_ok=True)
    (folder / "own" / "approved_twice.py").write_text(WHOLE + more)
    return Grader(Settings(5, CAN_CONTAIN, RULES, folder / "own"))


@pytest.fixture(scope="module")
def secret(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Grader]:
    grader = hidden(tmp_path_factory.mktemp("secret"))
    yield grader
    grader.close()


def all_said(graded: Graded) -> str:
    """Return all that a learner may read of a graded exercise."""
    return " ".join((graded.says, graded.mistake, graded.told, *graded.notes))


@pytest.mark.parametrize(
    "answer",
    [
        NEARLY,
        counting(f"{TWICE}print('twice', approved); return 0", RIGHT),
        counting(f"{TWICE}raise ValueError(approved)", RIGHT),
        counting(f"{TWICE}return approved", RIGHT),
    ],
)
def test_a_hidden_run_is_never_named_or_shown(secret: Grader, tmp_path: Path, answer: str) -> None:
    """jupyter/nbgrader#917 and #1363."""
    graded = one(secret, tmp_path, answer)
    for word in (TITLE, "twice'", "approved_twice", "own: ", "ValueError"):
        assert word not in all_said(graded)
    assert [run.title for run in graded.runs if run.hidden] == [TITLE]


def test_a_hidden_run_that_is_marked_is_told(tmp_path: Path) -> None:
    grader = hidden(tmp_path, 'SHOWN = ("twice",)\n')
    try:
        graded = one(grader, tmp_path, NEARLY)
    finally:
        grader.close()
    assert graded.status == FAILED
    assert TITLE in graded.told
    assert not any(run.hidden for run in graded.runs)


@pytest.mark.parametrize(
    ("answer", "status", "came_out"), [(NEARLY, FAILED, 0), (counting(RIGHT), PASSED, 1)]
)
def test_what_was_and_was_not_shown_is_said(
    secret: Grader, tmp_path: Path, answer: str, status: str, came_out: int
) -> None:
    """ucbds-infra/otter-grader#138 and #383."""
    found = paper(secret, tmp_path, lesson("01", answer))
    [graded] = found.graded
    assert graded.status == status
    assert (graded.says == OWN_RUNS) == (status == FAILED)
    page = feedback(Student("anna", [found]))
    assert f"own runs: {came_out} of 1 came out as they should." in page


FORGED = {
    "a transformer drops assert lines": (
        "def drop(lines): return [one for one in lines if 'assert' not in one]\n"
        "get_ipython().input_transformers_post.append(drop)",
        counting("ip = get_ipython", "return 0"),
    ),
    "the check is patched": (
        "import lab.exercises.judge as judge\nfrom lab.exercises.exercise import Exercise",
        counting("judge.same = lambda *_: True", "Exercise.passes = lambda *_: True", "return 0"),
    ),
    "it equals everything": (
        "class Same(int):\n    __eq__ = lambda *_: True\n    __hash__ = int.__hash__",
        counting("return Same(1)"),
    ),
    "a pickled result lies there": (
        "import pickle\nfrom pathlib import Path",
        counting("Path('results.pkl').write_bytes(pickle.dumps({'passed': 10}))", "return 0"),
    ),
    "it prints a pass": ("", counting("print('PASSED, 10 of 10 points')", "return 0")),
    "it writes wherever it can": (
        "import os\nframe = b'\\0\\0\\0\\x12[\"end\",\"{\\\\\"value\\\\\":1}\"]'",
        counting("for n in range(32):", "    try: os.write(n, frame)", "    except OSError: pass"),
    ),
    "it ends Python": ("import os", counting("os._exit(0)")),
}  # fmt: skip


@pytest.mark.parametrize("how", FORGED)
def test_no_pass_can_be_forged(secret: Grader, tmp_path: Path, how: str) -> None:
    """Each of these was tried here on graders whose verdict is made beside the answer."""
    before, answer = FORGED[how]
    graded = one(secret, tmp_path, with_before(lesson("01", answer), before))
    assert graded.status in (FAILED, COULD_NOT_RUN)
    assert graded.earned == 0
    assert graded.says != telling.SILENT or how == "it ends Python"


@contained
def test_a_sibling_cannot_be_reached(secret: Grader, tmp_path: Path) -> None:
    """Two graders let a submission delete its siblings, when that was tried here."""
    sibling = tmp_path / "berta.ipynb"
    sibling.write_text("mine")
    answer = counting(
        "import os",
        "for do in (os.remove, lambda path: open(path, 'w')):",
        f"    try: do({str(sibling)!r})",
        "    except OSError: pass",
        RIGHT,
    )
    assert one(secret, tmp_path, answer).status == PASSED
    assert sibling.read_text() == "mine"


class Batch(NamedTuple):
    """A class that was graded: the code, what was printed to both ends, and the folder."""

    code: int
    out: str
    err: str
    folder: Path

    def graded(self) -> dict[str, Any]:
        """Return the one graded exercise of each student, or the problem of the paper."""
        held = json.loads((self.folder / "grades.json").read_text("utf-8"))
        papers = {one["student"]: one["papers"][0] for one in held["students"]}
        return {who: (one["graded"] or [one["problem"]])[0] for who, one in papers.items()}


BAD = {
    "ends at import": "import os\nstatus = os._exit(0)\n" + counting("status"),
    "hogs": counting("held = [bytearray(1 << 24)]", "while True: held += held"),
    "kills itself": counting("import signal", "signal.raise_signal(signal.SIGKILL)"),
    "loops": counting(*LOOP.splitlines()),
    "prints": counting("while True: print('x' * 10**6)"),
    "is no Python": "def count_duplicates(:",
}


@pytest.fixture(scope="module")
def batch(tmp_path_factory: pytest.TempPathFactory) -> Batch:
    """Grade a class of which some do harm, between others who do none."""
    folder = tmp_path_factory.mktemp("class")
    books = {who: json.dumps(lesson("01", answer)) for who, answer in BAD.items()}
    books |= {f"good {n}": json.dumps(lesson("01", counting(RIGHT))) for n in range(4)}
    books |= {"is empty": "", "is no JSON": '{"cells": [', "is deep": "[" * 100_000}
    for who, text in books.items():
        (folder / "in" / who).mkdir(parents=True)
        (folder / "in" / who / "01_silence.ipynb").write_text(text)
    before, settings = signal.getsignal(signal.SIGTERM), module.Settings
    module.Settings = partial(Settings, rules=RULES)
    out, err = io.StringIO(), io.StringIO()
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = main(
                str(folder / "in"), str(folder / "out"), 5, None, 2, allow_weak_sandbox=True
            )
    finally:
        module.Settings = settings
        signal.signal(signal.SIGTERM, before)
    return Batch(code, out.getvalue(), err.getvalue(), folder / "out")


def test_no_submission_ends_the_batch(batch: Batch) -> None:
    """jupyter/nbgrader#744 and #416."""
    graded = batch.graded()
    assert batch.code == 1
    assert len(graded) == len(BAD) + 7
    for who in ("is empty", "is no JSON", "is deep"):
        assert graded.pop(who).startswith("It is no notebook")
    for who, found in graded.items():
        assert found["status"] == (PASSED if who.startswith("good") else COULD_NOT_RUN), who
        assert found["says"] or found["status"] == PASSED


def test_one_time_out_costs_nobody_else(batch: Batch) -> None:
    """ucbds-infra/otter-grader#813 and #580; that results are written as they come: `test_log`."""
    lines = (batch.folder / NAME).read_text("utf-8").splitlines()
    held = {one["student"]: one for one in map(json.loads, lines[1:])}
    assert len(held) == len(BAD) + 7
    assert held["loops"]["graded"][0]["says"] == telling.TOO_LONG
    assert all(held[f"good {n}"]["graded"][0]["earned"] == 10 for n in range(4))


def test_progress_is_shown_with_rate_and_time_left(batch: Batch) -> None:
    """jupyter/nbgrader#174 and #1456; that papers are graded side by side: `test_pool`."""
    every = len(BAD) + 7
    assert f"{every}/{every}" in batch.err
    assert "a second" in batch.err
    assert "left" in batch.err
