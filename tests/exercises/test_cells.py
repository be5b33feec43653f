"""What is read of a saved file that may hold anything."""

import json
import os
import time
from pathlib import Path
from typing import Any

import nbformat
import pytest

from lab.exercises import cells
from lab.exercises.cells import Unreadable
from lab.exercises.saved import answers_in
from tests.exercises.books import ANSWER, MARK, answer, answers, book, code, number


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "it is empty"), (b" \n", "it is empty"),
        (b"{", "it is not JSON"), (b"1" * 10_000, "it is not JSON"),
        (b"\x80\x81", "not UTF-8"), ("# Grüße".encode("latin-1"), "not UTF-8"),
        (b"[" * 100_000, "nested too deeply"), (b'{"a":' * 100_000, "nested too deeply"),
        (b"[]", "of another kind"), (b"null", "of another kind"),
        (b"{}", "its format is not said"),
        (b'{"nbformat": "4", "cells": []}', "its format is not said"),
        (b'{"nbformat": [[]], "cells": []}', "its format is not said"),
        (b'{"nbformat": 5, "cells": []}', "newer than 4"),
        (b'{"nbformat": 4}', "no list of cells"),
        (b'{"nbformat": 4, "cells": {}}', "no list of cells"),
        (b'{"nbformat": 3, "worksheets": [3]}', "can be read"),
        (b'{"nbformat": 1, "cells": [3]}', "can be read"),
    ],
)  # fmt: skip
def test_what_is_no_notebook_is_told(tmp_path: Path, content: bytes, says: str) -> None:
    with pytest.raises(Unreadable, match=says) as told:
        answers(tmp_path, content)
    assert str(told.value).endswith("Open it in JupyterLab and save it again.")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_notebook_in_another_unicode_encoding_is_read(tmp_path: Path, encoding: str) -> None:
    assert number(answers(tmp_path, json.dumps(book(ANSWER)).encode(encoding))[0]) == 1


def test_notebooks_of_old_formats_are_read(tmp_path: Path) -> None:
    third: Any = nbformat.v3
    cells = [third.new_code_cell(input="x = 1"), third.new_code_cell(input=ANSWER)]
    sheets = [third.new_worksheet(cells=cells)]
    second = [{"cells": [{"cell_type": "code", "input": one.input} for one in cells]}]
    first = [{"cell_type": "code", "code": one.input} for one in cells]
    for data in (
        third.new_notebook(worksheets=sheets),
        {"nbformat": 2, "metadata": {}, "worksheets": second},
        {"nbformat": 1, "cells": first},
    ):
        assert number(answers(tmp_path, data)[0]) == 2


@pytest.mark.parametrize(
    "cell",
    [
        3, None, [], {}, {"cell_type": "code"}, {"cell_type": ["code"], "source": ANSWER},
        {"cell_type": "code", "source": 5}, {"cell_type": "code", "source": {"a": 1}},
        {"cell_type": "code", "source": "x = 1", "metadata": []},
        {"cell_type": "code", "source": "x = 1", "metadata": {"nbgrader": 3}},
        {"cell_type": "code", "source": "x = 1", "metadata": {"nbgrader": {"grade_id": [MARK]}}},
    ],
)  # fmt: skip
def test_a_cell_of_another_shape_is_passed_over(tmp_path: Path, cell: Any) -> None:
    found = answer(tmp_path, cell, ANSWER)
    assert (number(found), found.others) == (2, ())


def test_the_lines_of_a_cell_may_be_a_list(tmp_path: Path) -> None:
    found = answer(tmp_path, code([ANSWER[:9], ANSWER[9:], 3]))
    assert found.cell is not None
    assert found.cell.text == ANSWER


def test_missing_metadata_and_another_kernel_are_no_matter(tmp_path: Path) -> None:
    for metadata in ({"kernelspec": {"name": "ir", "language": "R"}}, [], None):
        assert number(answers(tmp_path, book(ANSWER, metadata=metadata))[0]) == 1
    bare = {"cells": [{"cell_type": "code", "source": ANSWER}]}
    assert number(answers(tmp_path, bare)[0]) == 1


def test_half_a_character_can_be_printed_afterwards(tmp_path: Path) -> None:
    found = answer(tmp_path, ANSWER + "    # \ud800")
    assert found.cell is not None
    found.cell.text.encode("utf-8")


def test_large_outputs_are_dropped_in_little_time(tmp_path: Path) -> None:
    output = {"output_type": "stream", "name": "stdout", "text": ["a line of output\n"] * 2_500_000}
    cell = code(ANSWER) | {"outputs": [output]}
    path = tmp_path / "07_restart.ipynb"
    path.write_text(json.dumps(book(cell)))
    assert path.stat().st_size > 50_000_000
    begun = time.process_time()
    assert number(answers_in(path)[0]) == 1
    assert time.process_time() - begun < 5  # about one second, and more on a slow machine


def test_a_file_that_is_too_large_says_to_clear_the_outputs(tmp_path: Path) -> None:
    path = tmp_path / "07_restart.ipynb"
    with path.open("wb") as file:
        file.truncate(cells.LARGEST_BYTES + 1)
    with pytest.raises(Unreadable, match=r"larger than 100 MB.*Clear Outputs of All Cells"):
        answers_in(path)


@pytest.mark.parametrize("piece", [b"[],", b"{},", b'"ab",'])
def test_what_would_fill_the_memory_is_not_read(tmp_path: Path, piece: bytes) -> None:
    with pytest.raises(Unreadable, match="too many parts"):
        answers(tmp_path, b"[" + piece * 5_100_000 + b"1]")


def test_a_hundred_thousand_cells_are_no_lesson(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="more than 2000 cells"):
        answers(tmp_path, book(*[code("x = 1")] * 100_000))


def test_a_megabyte_of_code_is_no_lesson(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="characters of code"):
        answers(tmp_path, book("x" * 1_000_000, ANSWER))


@pytest.mark.parametrize(
    "source",
    ["(" * 100_000, "-" * 400_000 + "1", "a" + ".a" * 200_000, "f(" * 50_000 + ")" * 50_000,
     "not " * 100_000 + "1", "a?\n" * 100_000, "%a\n" * 1000, "x = !" + "ls" * 1000, "\0",
     "\n" * 400_000 + "(", " " * 400_000 + "(", ">>> " * 10_000, '"""' + "a" * 100_000,
     "a" + ".a" * 50_000 + " = 1", "lambda:" * 60_000 + "1", "{" * 199],
    ids=range(16),
)  # fmt: skip
def test_no_cell_can_stop_or_hang_the_reading(tmp_path: Path, source: str) -> None:
    begun = time.process_time()
    found = answer(tmp_path, source, code(ANSWER, MARK))
    assert (number(found), found.others) == (2, ())
    assert time.process_time() - begun < 10  # each takes less than two seconds


@pytest.mark.filterwarnings("error")
def test_what_python_warns_of_changes_nothing(tmp_path: Path) -> None:
    found = answer(tmp_path, code('x = "\\d" is 1\n' + ANSWER, MARK))
    assert (number(found), len(found.before)) == (1, 0)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "07_restart.ipynb")
    with pytest.raises(Unreadable, match="no file"):
        answers_in(tmp_path / "07_restart.ipynb")
