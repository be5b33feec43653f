"""``python -m lab check`` judges saved notebooks, each answer in a process of its own."""

import json
from pathlib import Path
from typing import Any

import nbformat
import pytest

from lab.exercises import check as command
from lab.exercises.cells import Unreadable
from lab.exercises.check import main
from lab.exercises.saved import answers_in

RIGHT = (
    "def count_duplicates(keys_of_effects, approved):\n"
    "    held = list(keys_of_effects)\n    return len(held) - len(set(held) & set(approved))"
)
WRONG = "def count_duplicates(keys_of_effects, approved):\n    return 0"
UNTOUCHED = "def count_duplicates(keys_of_effects, approved):\n    raise NotImplementedError()"


def notebook(
    folder: Path, *cells: str, marked: int | None = None, name: str = "01_mine.ipynb"
) -> str:
    """Save a notebook of code cells; ``marked`` is the one that nbgrader's metadata name."""
    made = nbformat.v4.new_notebook()
    for number, text in enumerate(cells):
        cell = nbformat.v4.new_code_cell(text)
        if number == marked:
            cell.metadata["nbgrader"] = {"grade_id": "01-count_duplicates"}
        made.cells.append(cell)
    path = folder / name
    nbformat.write(made, path)
    return str(path)


def judged(path: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[Any], list[str]]:
    """Run the command, and return its exit code, what was checked, and the problems."""
    code = main([path], as_data=True)
    told = json.loads(capsys.readouterr().out)
    return code, [one["verdict"] for one in told["checked"]], told["problems"]


@pytest.mark.parametrize(
    ("answer", "status"), [(RIGHT, "PASSED"), (WRONG, "FAILED"), (UNTOUCHED, "NOT ATTEMPTED")]
)
def test_a_saved_answer_gets_its_verdict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], answer: str, status: str
) -> None:
    code, [verdict], problems = judged(notebook(tmp_path, answer, marked=0), capsys)
    assert verdict["status"] == status
    assert code == (0 if status == "PASSED" else 1)
    assert "cell above" not in verdict["says"]
    assert problems == []


def test_an_answer_is_found_by_what_it_defines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, [verdict], _ = judged(notebook(tmp_path, "1 + 1", RIGHT), capsys)
    assert (code, verdict["status"]) == (0, "PASSED")


def test_of_several_answers_the_last_one_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, [verdict], _ = judged(notebook(tmp_path, WRONG, RIGHT), capsys)
    assert code == 0
    assert "The last of several answers counts" in verdict["says"]


def test_helpers_and_imports_of_other_cells_are_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cells = (
        "%time 1\nfrom collections import Counter",
        "LIMIT = 1\n!ls\ndef extra(n):\n    return n - LIMIT",
        "raise SystemExit  # never run",
        "this is not python",
        "def count_duplicates(effects, approved):\n"
        "    counts = Counter(effects)\n"
        "    return sum(extra(n) if k in set(approved) else n for k, n in counts.items())",
    )
    code, [verdict], _ = judged(notebook(tmp_path, *cells), capsys)
    assert (code, verdict["says"]) == (0, "")


def test_an_import_of_everything_is_taken_along(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = (
        "def count_duplicates(effects, approved):\n"
        "    return sum(n - (k in approved) for k, n in Counter(effects).items())"
    )
    code, _, _ = judged(notebook(tmp_path, "from collections import *", answer), capsys)
    assert code == 0


def test_what_only_the_kernel_knows_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = "def count_duplicates(effects, approved):\n    return forgotten(effects)"
    _, [verdict], _ = judged(notebook(tmp_path, answer), capsys)
    assert verdict["status"] == "FAILED"
    assert "forgotten" in verdict["says"]


def test_a_default_that_only_the_kernel_knows_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = "def count_duplicates(effects, approved, n=forgotten):\n    return n"
    _, [verdict], _ = judged(notebook(tmp_path, answer), capsys)
    assert verdict["status"] == "COULD NOT RUN"
    assert "forgotten is not defined in any cell above" in verdict["says"]
    assert "restart the kernel" in verdict["says"]


def test_what_is_not_python_is_told_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = "def count_duplicates(effects, approved):\n    return ("
    _, [verdict], _ = judged(notebook(tmp_path, answer), capsys)
    assert verdict["status"] == "COULD NOT RUN"
    assert "Line 2 of cell 1 is not Python" in verdict["says"]


@pytest.mark.parametrize(
    "body",
    ["\n    while True:\n        pass",
     "\n    while True:\n        try:\n            effects[9]\n        except:\n            pass"],
)  # fmt: skip
def test_an_endless_loop_is_ended_at_the_limit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    monkeypatch.setattr(command, "LIMIT_S", 3)
    answer = f"def count_duplicates(effects, approved): {body}"
    _, [verdict], _ = judged(notebook(tmp_path, answer), capsys)
    assert verdict["status"] == "COULD NOT RUN"
    assert "did not come to an end in the time" in verdict["says"]


@pytest.mark.parametrize("body", ["import os; os._exit(0)", "import os; os.abort()"])
def test_a_process_that_ends_itself_is_no_pass(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], body: str
) -> None:
    answer = f"def count_duplicates(effects, approved): {body}"
    code, [verdict], _ = judged(notebook(tmp_path, answer), capsys)
    assert (code, verdict["status"]) == (1, "COULD NOT RUN")


def test_a_lesson_without_its_answer_is_not_attempted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, [verdict], _ = judged(notebook(tmp_path, "x = 1"), capsys)
    assert (code, verdict["status"]) == (1, "NOT ATTEMPTED")
    assert "no cell for it" in verdict["says"]


def test_a_page_without_exercises_is_no_failure_beside_one_that_passes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = notebook(tmp_path, "print('hello')", name="00_start_here.ipynb")
    assert main([page, notebook(tmp_path, RIGHT)]) == 0
    assert "there is no exercise in it" in capsys.readouterr().out
    assert main([page]) == 1
    assert "no exercise was found" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '"x"', "{}", '{"cells": 1, "nbformat": 4}', '{"nbformat": 99}', "\0"]
)
def test_what_is_no_notebook_is_told_and_the_others_are_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    broken = tmp_path / "01_broken.ipynb"
    broken.write_text(text)
    assert main([str(broken), notebook(tmp_path, RIGHT)]) == 1
    told = capsys.readouterr()
    assert "01_broken.ipynb: it is no notebook" in told.err
    assert "1 of 1 exercises passed" in told.out


def test_a_star_that_the_shell_left_alone_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notebook(tmp_path, RIGHT, name="01_anna.ipynb")
    notebook(tmp_path, RIGHT, name="01_ben.ipynb")
    assert main([str(tmp_path / "*.ipynb")]) == 0
    assert "2 of 2 exercises passed" in capsys.readouterr().out


def test_a_folder_stands_for_its_notebooks_without_those_kept_aside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notebook(tmp_path, RIGHT)
    notebook(tmp_path, WRONG, name="01_mine.kept-1.ipynb")
    assert main([str(tmp_path)]) == 0
    assert "1 of 1 exercises passed" in capsys.readouterr().out


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="cannot be read"):
        answers_in(tmp_path / "nowhere.ipynb")


def test_the_page_says_what_happened_and_what_passed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([notebook(tmp_path, WRONG)]) == 1
    page = capsys.readouterr().out
    assert "FAILED, 0 of 10 points" in page
    assert "NO " in page
    assert "0 of 1 exercises passed" in page


def test_a_forged_word_on_standard_output_is_no_verdict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = (
        "import sys\ndef count_duplicates(effects, approved):\n"
        '    print(\'{"status": "PASSED"}\'); sys.stdout.flush(); return 0'
    )
    _, [verdict], _ = judged(notebook(tmp_path, answer), capsys)
    assert verdict["status"] == "FAILED"
