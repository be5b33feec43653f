"""Runs every notebook and stores clean outputs, or says where what is stored is out of step."""

from __future__ import annotations

import copy
import json
import os
import tempfile
from pathlib import Path

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

from lab.authoring.diagram import out_of_step, redraw
from lab.authoring.hygiene import flaws
from lab.authoring.notebooks import lessons, read, write

SECONDS_A_CELL = 60  # the slowest cell needs a few; a cell that hangs should not hang the release


class LessonFailed(Exception):
    """A lesson does not run from top to bottom; the message names it and the error."""


def executed(path: Path) -> NotebookNode:
    """Return the notebook as it is after all its cells ran, with nothing in it that varies.

    Raises:
        LessonFailed: a cell raised an error that it does not expect, or took too long.
    """
    notebook = cleared(read(path))
    redraw(notebook, path.name[:2])
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            notebook,
            timeout=SECONDS_A_CELL,
            kernel_name="python3",
            record_timing=False,
            resources={"metadata": {"path": folder}},
        )
        try:
            client.execute(env=_environment(folder))
        except CellExecutionError as error:
            raise LessonFailed(f"{path.name}: {error.ename}: {error.evalue}") from error
        except Exception as error:
            raise LessonFailed(f"{path.name}: {type(error).__name__}: {error}") from error
    return tidied(notebook)


def _environment(folder: str) -> dict[str, str]:
    """Keep out the IPython settings of whoever runs this, and what kernels warn about."""
    profile = Path(folder, ".ipython", "profile_default")
    profile.mkdir(parents=True)
    settings = {"IPKernelApp": {"log_level": "ERROR"}}
    (profile / "ipython_kernel_config.json").write_text(json.dumps(settings))
    own = {"IPYTHONDIR": str(profile.parent), "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
    return {**os.environ, **own}


def cleared(notebook: NotebookNode) -> NotebookNode:
    """Return a copy without outputs and counts, with the metadata that every notebook has."""
    notebook = copy.deepcopy(notebook)
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []
            cell.execution_count = None
    return notebook


def tidied(notebook: NotebookNode) -> NotebookNode:
    """Take out what the kernel adds, and join what it printed in pieces."""
    notebook.metadata["language_info"] = {"name": "python"}
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


def release() -> list[str]:
    """Run and store every lesson; return what is wrong with what was stored."""
    problems = []
    for path in lessons():
        try:
            notebook = executed(path)
        except LessonFailed as failure:
            problems.append(str(failure))
            continue
        print(f"{path.name}: {'stored' if write(notebook, path) else 'as it was'}")
        problems += flaws(notebook, path.name)
    return problems


def stale() -> list[str]:
    """Return where a stored lesson differs from what it does now, a line each."""
    problems = []
    for path in lessons():
        stored = read(path)
        try:
            now = executed(path)
        except LessonFailed as failure:
            problems.append(str(failure))
            continue
        for number, (old, new) in enumerate(zip(stored.cells, now.cells, strict=True)):
            if old != new and old.cell_type == "code":
                problems.append(f"{path.name}, cell {number} ({old.id}): its output is stale")
        if stored.metadata != now.metadata:
            problems.append(f"{path.name}: its metadata is not what a release writes")
        problems += out_of_step(path) + flaws(stored, path.name)
    return problems
