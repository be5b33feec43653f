"""Where the notebooks are, and how they are read and written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = ROOT / "notebooks"


def lessons() -> list[Path]:
    """Return the lessons in their order."""
    return sorted(NOTEBOOKS.glob("[0-9][0-9]_*.ipynb"))


def read(path: Path) -> NotebookNode:
    """Read and validate a notebook."""
    notebook: NotebookNode = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    return notebook


def write(notebook: NotebookNode, path: Path) -> bool:
    """Write a notebook where it differs from what is there; return whether it did."""
    text = nbformat.writes(notebook, version=4) + "\n"
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return False
    path.write_text(text, encoding="utf-8", newline="\n")
    return True


def code_cells(notebook: NotebookNode) -> Iterator[NotebookNode]:
    """Yield the cells that hold code."""
    return (cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip())


def tags(cell: NotebookNode) -> list[str]:
    """Return the tags of a cell."""
    return list(cell.metadata.get("tags", []))
