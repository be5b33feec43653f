"""The learner's edition is made from the solved one, and a source that cannot be is named."""

from collections.abc import Callable
from typing import Any

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_output

from lab.authoring.editions import learners_edition, malformed, without_markers
from tests.authoring.small import ASKED, ASKS, SCORES, SHOWN, STUB, changed, solved

NAME = "solutions/01_small.ipynb"


def test_a_solution_becomes_a_stub_and_hidden_tests_are_left_out() -> None:
    _, exercise, check, after = learners_edition(solved()).cells
    assert exercise.source == STUB
    assert check.source == SHOWN
    assert after.source == "print('line 1')"


def test_a_stub_stands_at_the_indentation_of_its_region() -> None:
    source = "class A:\n" + "\n".join(f"    {line}" for line in ASKED.split("\n"))
    made = learners_edition(changed(lambda cells: cells[1].update(source=source)))
    assert made.cells[1].source.endswith(
        "        # YOUR CODE HERE\n        raise NotImplementedError()"
    )


def test_a_cell_may_hold_two_regions() -> None:
    source = f"{ASKED}\n\n\n{ASKED}"
    made = learners_edition(changed(lambda cells: cells[1].update(source=source)))
    assert made.cells[1].source == f"{STUB}\n\n\n{STUB}"


def test_links_climb_one_step_less() -> None:
    text = learners_edition(solved()).cells[0].source
    assert "[words](GLOSSARY.md#key)" in text
    assert "[next](02_x.ipynb)" in text


def test_metadata_and_ids_stay_so_that_a_submission_is_recognised() -> None:
    made, source = learners_edition(solved()), solved()
    assert [cell.id for cell in made.cells] == [cell.id for cell in source.cells]
    assert [cell.metadata for cell in made.cells] == [cell.metadata for cell in source.cells]


def test_outputs_of_the_solved_edition_do_not_leak() -> None:
    source = solved()
    source.cells[2].outputs = [new_output("stream", name="stdout", text="PASSED\n")]
    source.cells[2].execution_count = 2
    made = learners_edition(source)
    assert [(cell.outputs, cell.execution_count) for cell in made.cells[1:]] == [([], None)] * 3
    assert source.cells[2].outputs, "the source was changed"


def test_the_lines_that_enclose_a_region_are_not_what_a_cell_holds() -> None:
    assert without_markers(ASKED).endswith('large."""\n    return number + number')


def test_a_sound_lesson_has_no_problem() -> None:
    assert malformed(solved(), NAME) == []


def text(number: int, old: str, new: str) -> Callable[[list[NotebookNode]], object]:
    """Return a change of the text of one cell."""
    return lambda cells: cells[number].update(source=cells[number].source.replace(old, new))


def mark(number: int, **changes: Any) -> Callable[[list[NotebookNode]], object]:
    """Return a change of the nbgrader metadata of one cell; None takes an entry away."""

    def change(cells: list[NotebookNode]) -> None:
        entries = {**cells[number].metadata["nbgrader"], **changes}
        cells[number].metadata["nbgrader"] = {k: v for k, v in entries.items() if v is not None}

    return change


BEGIN, END = "    ### BEGIN SOLUTION\n", "    ### END SOLUTION"
MALFORMED = {
    "begin without end": (
        text(1, END, ""),
        "cell exercise: SOLUTION begins and does not end",
    ),
    "end without begin": (
        text(1, BEGIN, BEGIN + END + "\n"),
        "cell exercise: SOLUTION ends and was not begun",
    ),
    "the end of another kind": (
        text(2, "### END HIDDEN TESTS", "### END SOLUTION"),
        "cell check: SOLUTION ends and was not begun",
    ),
    "nested": (
        text(1, BEGIN, BEGIN + BEGIN),
        "cell exercise: SOLUTION begins inside a region of SOLUTION",
    ),
    "a solution in hidden tests": (
        text(2, "### BEGIN HIDDEN TESTS", "### BEGIN HIDDEN TESTS\n### BEGIN SOLUTION"),
        "cell check: SOLUTION begins inside a region of HIDDEN TESTS",
    ),
    "a solution where nbgrader would find none": (
        lambda cells: cells.append(new_code_cell(ASKED, id="more")),
        "cell more: it holds SOLUTION, and its nbgrader metadata does not say solution: true",
    ),
    "hidden tests outside a cell that is scored": (
        text(1, END, END + "\n### BEGIN HIDDEN TESTS\n### END HIDDEN TESTS"),
        "cell exercise: it holds HIDDEN TESTS, and its nbgrader metadata does not say grade: true",
    ),
    "an exercise without a solution": (
        text(1, ASKED, STUB),
        "cell exercise: its nbgrader metadata says solution: true, and it holds no SOLUTION",
    ),
    "points for nothing": (
        lambda cells: cells[2].update(source=SHOWN),
        "cell check: its nbgrader metadata says grade: true, and it holds no HIDDEN TESTS",
    ),
    "a marker that only nbgrader sees": (
        text(1, BEGIN, "    # BEGIN SOLUTION follows\n" + BEGIN),
        "cell exercise: nbgrader takes '# BEGIN SOLUTION follows' for a marker; "
        "write ### BEGIN SOLUTION, alone",
    ),
    "a marker in the prose": (
        lambda cells: cells[0].update(source="It stands after BEGIN SOLUTION."),
        "cell head: nbgrader takes 'It stands after BEGIN SOLUTION.' for a marker; "
        "write ### BEGIN SOLUTION, alone",
    ),
    "metadata on a text": (
        lambda cells: cells[0].metadata.update(
            nbgrader={**ASKS, "solution": False, "grade_id": "t"}
        ),
        "cell head: it has nbgrader metadata, and only code is asked for and scored",
    ),
    "no grade_id": (
        mark(1, grade_id=None),
        "cell exercise: its nbgrader metadata names no grade_id",
    ),
    "one grade_id twice": (
        mark(2, grade_id=ASKS["grade_id"]),
        "cell check: another cell has its grade_id, 01-twice",
    ),
    "no points": (
        mark(2, points=None),
        "cell check: its nbgrader metadata gives no points",
    ),
    "another schema": (
        mark(2, schema_version=2),
        "cell check: its nbgrader metadata is of schema 2, not 3",
    ),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_what_is_malformed_is_named_with_its_file_and_cell(case: str) -> None:
    change, problem = MALFORMED[case]
    assert f"{NAME}, {problem}" in malformed(changed(change), NAME)


def test_a_cell_that_is_scored_by_other_points_is_sound() -> None:
    assert SCORES["points"] == 10
    assert malformed(changed(mark(2, points=4)), NAME) == []
