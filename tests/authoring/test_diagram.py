"""The state diagram of a lesson is made from the table of transitions."""

from pathlib import Path

import pytest
from nbformat.v4 import new_markdown_cell, new_notebook

from lab.authoring import notebooks
from lab.authoring.diagram import NEW_IN, diagram, out_of_step
from lab.gateway import TRANSITIONS


def test_every_move_is_new_in_some_lesson() -> None:
    shown = {move for moves in NEW_IN.values() for move in moves}
    assert shown == {on for _, on, _ in TRANSITIONS}


def test_a_new_move_is_marked_by_word_and_by_arrow_and_an_old_one_is_not() -> None:
    lines = diagram("06").splitlines()
    assert "  PREPARED ==>|new: attempt begins| UNKNOWN" in lines
    assert "  start -->|prepare| PREPARED" in lines


def test_the_last_diagram_shows_the_whole_table() -> None:
    lines = diagram("99").splitlines()
    for source, on, target in TRANSITIONS:
        [arrow] = [
            line
            for line in lines
            if line.startswith(f"  {source or 'start'} -->") and line.endswith(f"| {target}")
        ]
        assert on in arrow


@pytest.mark.parametrize("lesson", NEW_IN)
def test_a_diagram_has_a_title_and_a_description(lesson: str) -> None:
    text = diagram(lesson)
    assert f"accTitle: State diagram after lesson {lesson}" in text
    assert "accDescr: " in text


def test_a_diagram_that_was_changed_by_hand_shows(tmp_path: Path) -> None:
    path = tmp_path / "06_small.ipynb"
    drawn = diagram("06")
    for text, problems in ((drawn, 0), (drawn.replace("prepare|", "begin|"), 1)):
        cell = new_markdown_cell(f"```mermaid\n{text}```")
        notebooks.write(new_notebook(cells=[cell]), path)
        assert len(out_of_step(path)) == problems


def test_a_lesson_that_adds_moves_must_show_them(tmp_path: Path) -> None:
    path = tmp_path / "06_small.ipynb"
    notebooks.write(new_notebook(cells=[new_markdown_cell("# No diagram")]), path)
    assert "does not show it" in out_of_step(path)[0]
