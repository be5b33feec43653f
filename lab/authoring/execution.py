"""Runs a notebook from top to bottom, and leaves nothing in it that varies from run to run."""

from __future__ import annotations

import copy
import json
import os
import tempfile
from pathlib import Path

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

from lab.authoring.notebooks import code_cells
from lab.saving import without_panels

SECONDS_A_CELL = 60  # the slowest cell needs a few; a cell that hangs should not hang the release


class LessonFailed(Exception):
    """A lesson cannot be run from top to bottom; each argument is a sentence that says why."""


def executed(notebook: NotebookNode, name: str) -> NotebookNode:
    """Return the notebook as it is after all its cells ran, with nothing in it that varies.

    Raises:
        LessonFailed: a cell raised an error that it does not expect, or took too long.
    """
    notebook = cleared(notebook)
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            notebook,
            timeout=SECONDS_A_CELL,
            kernel_name="python3",
            record_timing=False,
            store_widget_state=False,
            resources={"metadata": {"path": folder}},
        )
        try:
            client.execute(env=_environment(folder))
        except CellExecutionError as error:
            where = f"{name}, cell {_stopped(notebook)}"
            why = f"{error.ename}: {error.evalue}".removesuffix(": ")
            raise LessonFailed(f"{where}: {why}") from error
        except Exception as error:
            raise LessonFailed(f"{name}: {type(error).__name__}: {error}") from error
    return tidied(notebook)


def _stopped(notebook: NotebookNode) -> str:
    """Return the cell that ended a run: the last one that shows an error."""
    return str([c.id for c in code_cells(notebook) if _ends_in_an_error(c)][-1])


def _ends_in_an_error(cell: NotebookNode) -> bool:
    return any(output.output_type == "error" for output in cell.outputs)


def _environment(folder: str) -> dict[str, str]:
    """Keep out the IPython settings of whoever runs this, and what kernels warn about."""
    profile = Path(folder, ".ipython", "profile_default")
    profile.mkdir(parents=True)
    settings = {"IPKernelApp": {"log_level": "ERROR"}}
    (profile / "ipython_kernel_config.json").write_text(json.dumps(settings))
    own = {"IPYTHONDIR": str(profile.parent), "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
    theirs = dict(os.environ)
    theirs.pop("LAB_PROGRESS", None)  # a run of ours is nobody's progress
    return {**theirs, **own}


def cleared(notebook: NotebookNode) -> NotebookNode:
    """Return a copy without outputs and counts, with the metadata that every notebook has."""
    notebook = copy.deepcopy(notebook)
    notebook.metadata = NotebookNode(
        kernelspec=NotebookNode(display_name="Python 3", language="python", name="python3"),
        language_info=NotebookNode(name="python"),
    )
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []
            cell.execution_count = None
    return notebook


def tidied(notebook: NotebookNode) -> NotebookNode:
    """Take out what the kernel adds and what lives with it, and join what it printed in pieces."""
    notebook.metadata["language_info"] = NotebookNode(name="python")
    without_panels(notebook)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = _joined(cell.outputs)
    return notebook


def _joined(outputs: list[NotebookNode]) -> list[NotebookNode]:
    joined: list[NotebookNode] = []
    for output in outputs:
        last = joined[-1] if joined else None
        same = last is not None and last.output_type == output.output_type == "stream"
        if same and last is not None and last.name == output.name:
            last.text += output.text
        else:
            joined.append(output)
    return joined
