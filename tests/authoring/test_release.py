"""A release stores both editions of a lesson; a check says where what is stored is not that."""

import shutil
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_output

from lab.authoring import notebooks, release, step
from lab.authoring.__main__ import main
from lab.authoring.execution import cleared, executed
from tests.authoring.small import SHOWN, STUB, solved

SOLVED, LEARNERS = "solutions/01_small.ipynb", "01_small.ipynb"
RUNS: dict[str, NotebookNode] = {}


def remembered(notebook: NotebookNode, name: str) -> NotebookNode:
    """Run a notebook, unless one with these cells was run before."""
    text = notebooks.text_of(cleared(notebook))
    if text not in RUNS:
        RUNS[text] = executed(notebook, name)
    return nbformat.from_dict(RUNS[text])


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of lessons that holds the solved edition of one."""
    (tmp_path / "solutions").mkdir()
    notebooks.write(solved(), tmp_path / SOLVED)
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "1")  # which the command sets
    monkeypatch.setattr(notebooks, "NOTEBOOKS", tmp_path)
    monkeypatch.setattr(release, "executed", remembered)
    return tmp_path


@pytest.fixture
def released(course: Path) -> Path:
    """Return a folder of lessons after a release."""
    assert release.release() == []
    return course


def edit(path: Path, change: Callable[[NotebookNode], object]) -> None:
    """Change a notebook as a person would, by hand."""
    notebook = notebooks.read(path)
    change(notebook)
    notebooks.write(notebook, path)


def test_a_release_stores_both_editions_with_their_outputs(released: Path) -> None:
    theirs, ours = (notebooks.read(released / name).cells for name in (LEARNERS, SOLVED))
    assert [cell.source for cell in theirs[1:3]] == [STUB, SHOWN]
    assert theirs[2].outputs[0].text == "NOT ATTEMPTED\n"
    assert ours[2].outputs[0].text == "PASSED\n"
    assert [cell.execution_count for cell in theirs[1:]] == [1, 2, 3]


def test_the_source_keeps_its_text(released: Path) -> None:
    ours = notebooks.read(released / SOLVED).cells
    assert [cell.source for cell in ours] == [cell.source for cell in solved().cells]


def test_a_second_release_changes_no_byte(
    released: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = [(released / name).read_bytes() for name in (SOLVED, LEARNERS)]
    capsys.readouterr()
    assert release.release() == []
    assert [(released / name).read_bytes() for name in (SOLVED, LEARNERS)] == first
    assert capsys.readouterr().out == f"{SOLVED}: as it was\n{LEARNERS}: as it was\n"


def test_what_was_released_is_not_stale(released: Path) -> None:
    assert release.stale() == []


OUTPUT = [new_output("stream", name="stdout", text="by hand\n")]
TEXT = "its text is not what a release writes; edit the solved edition, then `make release`"
METADATA = "its metadata is not what a release writes"
STALE = "its output is stale"
COUNT = "its execution count is not what a release writes"
KIND = "its type is not its source's; run `make release`"
ORDER = "its cells are not those of the solved edition, in their order"
LINE = "print('line 2')"
# A change by hand in one edition: which, what, and what a check says of which cell.
CHANGES: dict[str, tuple[str, Callable[[NotebookNode], object], list[str]]] = {
    "a solved cell, and so what both print": (
        SOLVED,
        lambda n: n.cells[3].update(source=LINE),
        [
            f"{SOLVED}, cell after: {STALE}",
            f"{LEARNERS}, cell after: {TEXT}",
            f"{LEARNERS}, cell after: {STALE}",
        ],
    ),
    "a solved cell, and nothing that is printed": (
        SOLVED,
        lambda n: n.cells[3].update(source=n.cells[3].source + "  # so"),
        [f"{LEARNERS}, cell after: {TEXT}"],
    ),
    "the solution": (
        SOLVED,
        lambda n: n.cells[1].update(source=n.cells[1].source.replace("+ number", "* 3")),
        [f"{SOLVED}, cell check: AssertionError"],
    ),
    "a solved text": (
        SOLVED,
        lambda n: n.cells[0].update(source="# Smaller"),
        [f"{LEARNERS}, cell head: {TEXT}"],
    ),
    "a solved cell's points": (
        SOLVED,
        lambda n: n.cells[2].metadata.nbgrader.update(points=11),
        [f"{LEARNERS}, cell check: {METADATA}"],
    ),
    "a solved cell's output": (
        SOLVED,
        lambda n: n.cells[2].update(outputs=OUTPUT),
        [f"{SOLVED}, cell check: {STALE}"],
    ),
    "a solved cell more": (
        SOLVED,
        lambda n: n.cells.append(new_markdown_cell("More", id="more")),
        [f"{LEARNERS}: {ORDER}"],
    ),
    "the stub": (
        LEARNERS,
        lambda n: n.cells[1].update(source=STUB.replace("YOUR CODE", "CODE")),
        [f"{LEARNERS}, cell exercise: {TEXT}"],
    ),
    "a learner's text": (
        LEARNERS,
        lambda n: n.cells[0].update(source="# Smaller"),
        [f"{LEARNERS}, cell head: {TEXT}"],
    ),
    "a learner's output": (
        LEARNERS,
        lambda n: n.cells[2].update(outputs=OUTPUT),
        [f"{LEARNERS}, cell check: {STALE}"],
    ),
    "a learner's count": (
        LEARNERS,
        lambda n: n.cells[2].update(execution_count=7),
        [f"{LEARNERS}, cell check: {COUNT}"],
    ),
    "a learner's tags": (
        LEARNERS,
        lambda n: n.cells[1].metadata.update(tags=[]),
        [f"{LEARNERS}, cell exercise: {METADATA}"],
    ),
    "a learner's code made text": (
        LEARNERS,
        lambda n: n.cells.__setitem__(3, new_markdown_cell(n.cells[3].source, id="after")),
        [f"{LEARNERS}, cell after: {problem}" for problem in (KIND, STALE, COUNT)],
    ),
    "a learner's cell less": (
        LEARNERS,
        lambda n: n.cells.pop(),
        [f"{LEARNERS}: {ORDER}"],
    ),
    "a learner's notebook metadata": (
        LEARNERS,
        lambda n: n.metadata.update(signed_by="somebody"),
        [f"{LEARNERS}: {METADATA}"],
    ),
    "a learner's version of the format": (
        LEARNERS,
        lambda n: n.update(nbformat_minor=5 if n.nbformat_minor != 5 else 6),
        [f"{LEARNERS}: its file is not written as a release writes it"],
    ),
}


@pytest.mark.parametrize("case", CHANGES)
def test_a_change_in_one_edition_is_named_with_its_file_and_cell(case: str, released: Path) -> None:
    name, change, problems = CHANGES[case]
    edit(released / name, change)
    assert release.stale() == problems


@pytest.mark.parametrize("case", [case for case in CHANGES if case != "the solution"])
def test_without_a_run_all_is_named_that_does_not_come_of_running(
    case: str, released: Path
) -> None:
    name, change, problems = CHANGES[case]
    edit(released / name, change)
    of_runs = (STALE, "its execution count is not what", "its file is not written as")
    expected = [one for one in problems if not any(word in one for word in of_runs)]
    assert release.stale(run=False) == expected


@pytest.mark.parametrize("case", [case for case in CHANGES if case != "the solution"])
def test_a_release_mends_it(case: str, released: Path) -> None:
    name, change, _ = CHANGES[case]
    edit(released / name, change)
    assert release.release() == []
    assert release.stale() == []


def test_a_learners_edition_that_is_missing_is_named(released: Path) -> None:
    (released / LEARNERS).unlink()
    assert release.stale() == [f"{LEARNERS}: it is missing; run `make release`"]


def test_a_notebook_without_a_source_is_named(released: Path) -> None:
    shutil.copy(released / LEARNERS, released / "02_old.ipynb")
    expected = ["02_old.ipynb: there is no solutions/02_old.ipynb; delete it"]
    assert release.stale() == expected
    assert release.release() == expected


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("nobody", f"{SOLVED}, cell after: NameError: name 'nobody' is not defined"),
        ("twice(1)", f"{LEARNERS}, cell after: NotImplementedError"),  # stops at the stub only
    ],
)
def test_where_one_edition_does_not_run_neither_is_stored(
    source: str, problem: str, course: Path
) -> None:
    edit(course / SOLVED, lambda n: n.cells[3].update(source=source))
    before = (course / SOLVED).read_bytes()
    assert release.release() == [problem]
    assert (course / SOLVED).read_bytes() == before
    assert not (course / LEARNERS).exists()


def test_a_malformed_source_is_named_and_not_stored(course: Path) -> None:
    edit(course / SOLVED, lambda n: n.cells[2].metadata.nbgrader.pop("points"))
    expected = [f"{SOLVED}, cell check: its nbgrader metadata gives no points"]
    assert release.release() == expected
    assert release.stale() == expected
    assert not (course / LEARNERS).exists()


@pytest.mark.parametrize(
    ("command", "says"),
    [("check", f"{LEARNERS}, cell check: {STALE}\n"), ("check-texts", ""), ("release", "")],
)
def test_each_command_says_what_is_wrong_and_how_much(
    released: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    command: str, says: str,
) -> None:  # fmt: skip
    monkeypatch.setattr(step, "out_of_step", lambda: ["a step"])
    edit(released / LEARNERS, lambda n: n.cells[2].update(outputs=OUTPUT))
    capsys.readouterr()
    assert main([command]) == 1
    told = capsys.readouterr()
    assert told.err == f"{says}a step\n"
    assert told.out.endswith(f"{1 + bool(says)} things to mend\n")


def test_what_is_in_step_is_said(
    released: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(step, "out_of_step", list)
    assert main(["check-texts"]) == 0
    assert capsys.readouterr().out.endswith("notebooks and lab are in step\n")


@pytest.mark.parametrize("arguments", [[], ["chek"], ["check", "release"]])
def test_whoever_asks_for_no_command_is_told_them_all(
    course: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    commands = [f"python -m lab.authoring {name}" for name in ("release", "check", "check-texts")]
    assert capsys.readouterr().out.strip().split(" or: ") == commands
