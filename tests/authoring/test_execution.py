"""A run leaves what a lesson prints and nothing that varies, and says where it stopped."""

from pathlib import Path

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from lab.authoring.execution import LessonFailed, executed

PIECES = "import sys\nfor n in range(3):\n    print('line', n)\n    sys.stdout.flush()"


def notebook(*sources: str) -> NotebookNode:
    cells = [new_code_cell(source, id=f"cell-{n}") for n, source in enumerate(sources)]
    cells.insert(0, new_markdown_cell("# Small", id="head"))
    return new_notebook(cells=cells, metadata={"signed_by": "somebody"})


def test_outputs_are_kept_and_nothing_that_varies() -> None:
    done = executed(notebook(PIECES), "01.ipynb")
    code = done.cells[1]
    assert code.execution_count == 1
    assert [output.text for output in code.outputs] == ["line 0\nline 1\nline 2\n"]
    assert code.metadata == {}
    assert done.metadata.language_info == {"name": "python"}
    assert "signed_by" not in done.metadata


@pytest.mark.parametrize(
    ("last", "why"),
    [
        ("nothing", "NameError: name 'nothing' is not defined"),
        ("raise NotImplementedError()", "NotImplementedError"),
    ],
)
def test_a_lesson_that_fails_is_named_with_the_cell(last: str, why: str) -> None:
    with pytest.raises(LessonFailed) as failure:
        executed(notebook("print(1)", last, "print(2)"), "01.ipynb")
    assert str(failure.value) == f"01.ipynb, cell cell-1: {why}"


def test_a_run_is_nobodys_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAB_PROGRESS", str(tmp_path))
    asked = notebook("import os\nprint(os.environ.get('LAB_PROGRESS'))")
    assert executed(asked, "01.ipynb").cells[1].outputs[0].text == "None\n"
