"""What must never stand in a stored output is found there."""

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook, new_output

from lab.authoring.hygiene import flaws


def notebook(text: str, name: str = "stdout", count: int | None = 1) -> NotebookNode:
    output = new_output("stream", name=name, text=text)
    cell = new_code_cell("print()", execution_count=count, outputs=[output], id="cell")
    return new_notebook(cells=[cell])


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("saved in /home/anna/work/x", "a path"),
        ("saved in /tmp/pytest-1/x", "a path"),
        (r"saved in C:\\Users\\anna", "a path"),
        ("done on 2026-11-29", "a date"),
        ("done at 18:11:41", "a date or a time"),
        ("at 1764439901123", "a clock"),
        ("at 1764439901.52", "a clock"),
        ("<object at 0x7f83e6121cd0>", "an address"),
        ("id 6fa459ea-ee8a-3ca4-894e-db77e160355e", "a random id"),
        ("killed pid 4711", "a process id"),
        ("took 0.0132 s", "a duration"),
        ("open http://127.0.0.1:8888/lab", "a name of a host"),
    ],
)
def test_what_varies_is_found(text: str, what: str) -> None:
    [found] = flaws(notebook(text), "07.ipynb")
    assert found.startswith("07.ipynb, cell cell: its output holds")
    assert what in found


@pytest.mark.parametrize(
    "text",
    [
        "welcome:lead-202:v1  UNKNOWN, 1 attempt",
        "  61 s  worker  UNKNOWN -> SETTLED",
        '{"review_cost_usd":"2.00","review_minutes":4}',
        "and/or, 3/4, 10:30",
        "sent by 30000",
    ],
)
def test_what_does_not_vary_passes(text: str) -> None:
    assert flaws(notebook(text), "07.ipynb") == []


def test_a_cell_without_a_count_is_found() -> None:
    [found] = flaws(notebook("fine", count=None), "07.ipynb")
    assert "no execution count" in found


def test_stored_stderr_is_found() -> None:
    [found] = flaws(notebook("a warning", name="stderr"), "07.ipynb")
    assert "stderr" in found


def test_an_error_is_found_unless_the_cell_expects_it() -> None:
    error = new_output("error", ename="KeyError", evalue="x", traceback=[])
    cell = new_code_cell("x", execution_count=1, outputs=[error])
    assert "stopped with KeyError" in flaws(new_notebook(cells=[cell]), "07")[0]
    cell.metadata["tags"] = ["raises-exception"]
    assert flaws(new_notebook(cells=[cell]), "07") == []


def test_outputs_of_every_kind_are_searched() -> None:
    data = {"text/html": "<p>/home/anna</p>", "text/plain": "x"}
    shown = new_output("display_data", data=data)
    cell = new_code_cell("x", execution_count=1, outputs=[shown])
    assert len(flaws(nbformat.from_dict(new_notebook(cells=[cell])), "07")) == 1
