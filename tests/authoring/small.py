"""A small lesson with an exercise, in its solved edition."""

from collections.abc import Callable

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

TEXT = "# Small\n\nSee [words](../GLOSSARY.md#key) and [next](02_x.ipynb)."
ASKED = '''def twice(number):
    """Return a number twice as large."""
    ### BEGIN SOLUTION
    return number + number
    ### END SOLUTION'''
STUB = '''def twice(number):
    """Return a number twice as large."""
    # YOUR CODE HERE
    raise NotImplementedError()'''
CHECK = """try:
    print("PASSED" if twice(4) == 8 else "FAILED")
except NotImplementedError:
    print("NOT ATTEMPTED")
### BEGIN HIDDEN TESTS
assert twice(4) == 8
### END HIDDEN TESTS"""
SHOWN = CHECK.partition("\n### BEGIN")[0]
SHARED = {"schema_version": 3, "task": False, "cell_type": "code"}
ASKS = {**SHARED, "grade_id": "01-twice", "solution": True, "grade": False, "locked": False}
SCORES = {
    **SHARED,
    "grade_id": "01-twice-check",
    "solution": False,
    "grade": True,
    "locked": True,
    "points": 10,
}


def solved() -> NotebookNode:
    """Return the lesson: a text, the exercise, its check, and a cell that goes on."""
    cells = [
        new_markdown_cell(TEXT, id="head"),
        new_code_cell(
            ASKED, id="exercise", metadata={"tags": ["exercise"], "nbgrader": dict(ASKS)}
        ),
        new_code_cell(CHECK, id="check", metadata={"nbgrader": dict(SCORES)}),
        new_code_cell("print('line 1')", id="after"),
    ]
    return new_notebook(cells=cells, metadata={"signed_by": "somebody"})


def changed(change: Callable[[list[NotebookNode]], object]) -> NotebookNode:
    """Return the lesson after ``change`` was given its cells."""
    notebook = solved()
    change(notebook.cells)
    return notebook
