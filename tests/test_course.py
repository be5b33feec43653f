"""The learner's copies are never lost, and a fresh one is one command away."""

import io
from pathlib import Path
from typing import IO, Any

import nbformat
import pytest
from nbformat import NotebookNode

from lab import course


def files(folder: Path) -> list[str]:
    """Return the names in a folder, hidden ones left out."""
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))


def test_lessons_and_pages_are_copied_and_solutions_are_not(root: Path) -> None:
    assert course.main(copy_only=True, root=root) == 0
    assert files(root / "work") == ["00_start_here.ipynb", "07_restart.ipynb", "TEACHING.md"]


def test_a_copy_is_never_overwritten(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    course.main(copy_only=True, root=root)
    (root / "work" / "07_restart.ipynb").write_text("my answer")
    (root / "work" / "00_start_here.ipynb").unlink()
    course.main(copy_only=True, root=root)
    assert (root / "work" / "07_restart.ipynb").read_text() == "my answer"
    assert (root / "work" / "00_start_here.ipynb").exists()
    assert "newer edition" not in capsys.readouterr().out


def test_a_newer_edition_is_told_and_not_forced(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    course.main(copy_only=True, root=root)
    (root / "notebooks" / "07_restart.ipynb").write_text("newer")
    course.main(copy_only=True, root=root)
    printed = capsys.readouterr().out
    assert "newer edition of 07_restart.ipynb" in printed
    assert "07" in printed.partition("reset")[2]
    assert (root / "work" / "07_restart.ipynb").read_text() != "newer"
    course.reset("07", root)
    capsys.readouterr()
    course.main(copy_only=True, root=root)
    assert "newer edition" not in capsys.readouterr().out


def test_a_broken_record_is_no_obstacle(root: Path) -> None:
    course.main(copy_only=True, root=root)
    (root / "work" / course.RECORD).write_text("[")
    assert course.main(copy_only=True, root=root) == 0


class FullDisk(io.BytesIO):
    """A file on a disk that takes nothing more."""

    def write(self, *_: object) -> int:
        """Refuse, as a full disk does."""
        raise OSError(28, "No space left on device")


def test_a_lesson_half_copied_is_removed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = root / "copy.ipynb"
    real = Path.open

    def open_full(path: Path, mode: str = "r", **more: Any) -> IO[Any]:
        opened = real(path, mode, **more)
        if mode != "xb":
            return opened
        opened.close()
        return FullDisk()

    monkeypatch.setattr(Path, "open", open_full)
    with pytest.raises(OSError, match="No space"):
        course.copy_new(root / "notebooks" / "07_restart.ipynb", target)
    assert not target.exists()


def test_a_checkout_without_lessons_is_told_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert course.main(copy_only=True, root=tmp_path) == 1
    assert "There are no lessons" in capsys.readouterr().err
    assert not (tmp_path / "work").exists()


def test_a_work_folder_that_is_a_file_is_a_sentence_not_a_traceback(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / "work").write_text("")
    assert course.main(copy_only=True, root=root) == 1
    assert "could not be used" in capsys.readouterr().err


@pytest.mark.parametrize("wanted", ["7", "07", "07_restart", "07_restart.ipynb", " 07 "])
def test_reset_gives_a_fresh_copy_and_keeps_the_old_one(root: Path, wanted: str) -> None:
    course.main(copy_only=True, root=root)
    lesson = root / "work" / "07_restart.ipynb"
    fresh = lesson.read_text()
    lesson.write_text("my answer")
    assert course.reset(wanted, root) == 0
    assert lesson.read_text() == fresh
    assert (root / "work" / "07_restart.kept-1.ipynb").read_text() == "my answer"


def test_a_second_reset_keeps_both(root: Path) -> None:
    course.main(copy_only=True, root=root)
    for answer in ("first", "second"):
        (root / "work" / "07_restart.ipynb").write_text(answer)
        course.reset("07", root)
    kept = [root / "work" / f"07_restart.kept-{number}.ipynb" for number in (1, 2)]
    assert [path.read_text() for path in kept] == ["first", "second"]


def test_reset_of_an_untouched_lesson_keeps_nothing(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    course.main(copy_only=True, root=root)
    before = files(root / "work")
    assert course.reset("07", root) == 0
    assert files(root / "work") == before
    assert "nothing to reset" in capsys.readouterr().out


def test_reset_before_the_first_copy_makes_one(root: Path) -> None:
    assert course.reset("07", root) == 0
    assert files(root / "work") == ["07_restart.ipynb"]


@pytest.mark.parametrize("wanted", ["99", "restart", "", "../07_restart", "²"])
def test_an_unknown_lesson_is_answered_with_the_known_ones(
    root: Path, wanted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert course.reset(wanted, root) == 1
    assert "07  07_restart" in capsys.readouterr().err


def test_a_copy_keeps_outputs_but_not_the_answer_to_a_prediction(root: Path) -> None:
    def cell(source: str) -> NotebookNode:
        printed = nbformat.v4.new_output("stream", text=f"{source} printed")
        return nbformat.v4.new_code_cell(source, execution_count=1, outputs=[printed])

    cells = [cell("a"), cell("predict('x', answer=None)"), cell("b"), cell("c")]
    cells += [nbformat.v4.new_markdown_cell("So."), cell("d")]
    shipped = root / "notebooks" / "07_restart.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), shipped)
    assert course.main(copy_only=True, root=root) == 0
    copied = nbformat.read(root / "work" / "07_restart.ipynb", as_version=4)
    nbformat.validate(copied)
    shown = [bool(c.outputs) for c in copied.cells if c.cell_type == "code"]
    assert shown == [True, True, False, False, True]
    assert [c.source for c in copied.cells] == [c.source for c in cells]


def test_a_copy_has_no_picture_before_its_cell_was_run(root: Path) -> None:
    """JupyterLab does not trust a picture that was made elsewhere: it shows its words in a heap."""
    picture = nbformat.v4.new_output("display_data", {"text/html": "<svg/>", "text/plain": "x"})
    printed = nbformat.v4.new_output("stream", text="said\n")
    cells = [
        nbformat.v4.new_code_cell("draw()", execution_count=1, outputs=[picture, printed]),
        nbformat.v4.new_code_cell("say()", execution_count=2, outputs=[printed]),
    ]
    shipped = root / "notebooks" / "07_restart.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), shipped)
    assert course.main(copy_only=True, root=root) == 0
    copied = nbformat.read(root / "work" / "07_restart.ipynb", as_version=4)
    assert [bool(cell.outputs) for cell in copied.cells] == [False, True]
