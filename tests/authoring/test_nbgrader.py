"""Real nbgrader takes the solved edition, makes our stubs of it, and gives it all points."""

import pytest
from nbformat import NotebookNode

from lab.authoring.editions import learners_edition
from lab.authoring.notebooks import learners, lessons, read
from tests.authoring.small import ASKED, solved
from tests.nbgrader.course import SCORED, Course, needed, points

pytestmark = needed

METHODS = "class Twice:\n" + "\n".join(f"    {line}" for line in f"{ASKED}\n\n{ASKED}".split("\n"))


def small() -> NotebookNode:
    """Return a lesson whose regions stand in unusual places."""
    notebook = solved()
    notebook.cells[1].source = f"{METHODS}\n\n    last = 1\n\n\n{ASKED}\n# the end"
    return notebook


SOURCES = {**{path.stem: read(path) for path in lessons()}, "99_small": small()}
CHOSEN = {name: source for name, source in SOURCES.items() if name[:2] in (*SCORED, "99")}


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return Course(tmp_path_factory.mktemp("course"), SOURCES)


@pytest.fixture(scope="module")
def released(course: Course) -> dict[str, NotebookNode]:
    return course.released()


@pytest.fixture(scope="module")
def scores(course: Course) -> dict[str, list[float]]:
    return course.scores("solved", CHOSEN)


def shipped(name: str) -> NotebookNode:
    """Return the learner's edition of a lesson, as it is stored."""
    for path in lessons():
        if path.stem == name:
            return read(learners(path))
    return learners_edition(SOURCES[name])


@pytest.mark.parametrize("name", SOURCES)
def test_what_nbgrader_releases_is_the_learners_edition(
    name: str, released: dict[str, NotebookNode]
) -> None:
    theirs, ours = released[name].cells, shipped(name).cells
    assert [cell.id for cell in theirs] == [cell.id for cell in ours]
    assert [text(cell) for cell in theirs] == [cell.source for cell in ours]
    assert [metadata(cell) for cell in theirs] == [cell.metadata for cell in ours]


def text(cell: NotebookNode) -> str:
    """Return a released text, its links as they are one folder higher, which only we do."""
    return cell.source.replace("](../", "](") if cell.cell_type == "markdown" else cell.source


def metadata(cell: NotebookNode) -> NotebookNode:
    """Return a released cell's metadata without what nbgrader adds.

    That is a checksum of its own text, by which it warns of a changed cell, and two words that
    keep a learner from deleting the cell in JupyterLab.
    """
    kept = NotebookNode(cell.metadata)
    kept.pop("deletable", None)
    kept.pop("editable", None)
    if "nbgrader" in kept:
        kept.nbgrader = NotebookNode(kept.nbgrader)
        kept.nbgrader.pop("checksum")
    return kept


@pytest.mark.parametrize("name", CHOSEN)
def test_the_solved_edition_is_given_all_points(name: str, scores: dict[str, list[float]]) -> None:
    all_of_them = points(CHOSEN[name])
    assert scores[name] == [all_of_them, all_of_them]


def test_every_lesson_but_the_first_has_points() -> None:
    assert [name for name, source in SOURCES.items() if not points(source)] == ["00_start_here"]
