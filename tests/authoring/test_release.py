"""A release stores what a lesson does now; a check says where what is stored is out of step."""

from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from lab.authoring import notebooks, release

SOURCE = "import sys\nfor n in range(3):\n    print('line', n)\n    sys.stdout.flush()"


@pytest.fixture
def lesson(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "01_small.ipynb"
    cells = [new_markdown_cell("# Small", id="head"), new_code_cell(SOURCE, id="code")]
    notebook = new_notebook(cells=cells, metadata={"signed_by": "somebody"})
    path.write_text(nbformat.writes(notebook) + "\n")
    monkeypatch.setattr(notebooks, "NOTEBOOKS", tmp_path)
    return path


def test_a_release_stores_outputs_and_nothing_that_varies(lesson: Path) -> None:
    assert release.release() == []
    stored = notebooks.read(lesson)
    code = stored.cells[1]
    assert code.execution_count == 1
    assert [output.text for output in code.outputs] == ["line 0\nline 1\nline 2\n"]
    assert code.metadata == {}
    assert stored.metadata.language_info == {"name": "python"}
    assert "signed_by" not in stored.metadata


def test_a_second_release_changes_no_byte(lesson: Path) -> None:
    release.release()
    first = lesson.read_bytes()
    release.release()
    assert lesson.read_bytes() == first


def test_what_was_released_is_not_stale_and_a_changed_output_is(lesson: Path) -> None:
    release.release()
    assert release.stale() == []
    lesson.write_text(lesson.read_text().replace("line 1", "line 7"))
    assert release.stale() == ["01_small.ipynb, cell 1 (code): its output is stale"]


def test_a_changed_cell_is_stale(lesson: Path) -> None:
    release.release()
    lesson.write_text(lesson.read_text().replace("range(3)", "range(4)"))
    assert release.stale() == ["01_small.ipynb, cell 1 (code): its output is stale"]


def test_a_lesson_that_fails_is_named_and_not_stored(lesson: Path) -> None:
    broken = lesson.read_text().replace("range(3)", "range(nothing)")
    lesson.write_text(broken)
    [problem] = release.release()
    assert problem == "01_small.ipynb: NameError: name 'nothing' is not defined"
    assert lesson.read_text() == broken
