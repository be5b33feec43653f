"""Where the two editions are, and how notebooks are read and written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = ROOT / "notebooks"
SOLVED = "solutions"  # the folder of the solved edition, inside the learner's


def lessons() -> list[Path]:
    """Return the sources of the lessons, which are the solved edition, in their order."""
    return sorted((NOTEBOOKS / SOLVED).glob("[0-9][0-9]_*.ipynb"))


def learners(source: Path) -> Path:
    """Return where the learner's edition of a solved lesson is."""
    return source.parent.parent / source.name


def leftovers() -> list[str]:
    """Return what lies among the lessons and is made from no source, a line each."""
    kept = {path.name for path in lessons()}
    strange = [path for path in sorted(NOTEBOOKS.glob("*.ipynb")) if path.name not in kept]
    return [f"{called(path)}: there is no {SOLVED}/{path.name}; delete it" for path in strange]


def called(path: Path) -> str:
    """Return what a notebook is called in a message: its name, with the folder if it is solved."""
    return f"{SOLVED}/{path.name}" if path.parent.name == SOLVED else path.name


def read(path: Path) -> NotebookNode:
    """Read and validate a notebook."""
    notebook: NotebookNode = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    return notebook


def text_of(notebook: NotebookNode) -> str:
    """Return a notebook as the text that its file holds."""
    return str(nbformat.writes(notebook, version=4)) + "\n"


def write(notebook: NotebookNode, path: Path) -> bool:
    """Write a notebook where it differs from what is there; return whether it did."""
    text = text_of(notebook)
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
