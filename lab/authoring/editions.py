"""Makes the learner's edition of a lesson from the solved one, as nbgrader would.

In the solved edition, lines ``### BEGIN SOLUTION`` and ``### END SOLUTION`` enclose what the
learner writes, and ``### BEGIN HIDDEN TESTS`` and ``### END HIDDEN TESTS`` what nbgrader scores.
The learner's edition has a stub for the one and nothing for the other; the rest is the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nbformat import NotebookNode

from lab.authoring.execution import cleared

# What stands in place of a region: nbgrader's own defaults, so that its release is ours.
STUBS: dict[str, tuple[str, ...]] = {
    "SOLUTION": ("# YOUR CODE HERE", "raise NotImplementedError()"),
    "HIDDEN TESTS": (),
}
# Where a region of each kind may stand: in a cell whose nbgrader metadata says so.
PLACES = {"SOLUTION": "solution", "HIDDEN TESTS": "grade"}
SCHEMA = 3  # of nbgrader's metadata

_MARKER = re.compile(rf"^(\s*)### (BEGIN|END) ({'|'.join(STUBS)})$")
# nbgrader takes every line that holds these words for a marker, wherever they stand in it.
_LIKE_A_MARKER = re.compile(rf"(BEGIN|END) ({'|'.join(STUBS)})")
# The learner's edition lies one folder higher, so its links climb one step less.
_CLIMBS = re.compile(r"(\]\()\.\./")


def learners_edition(solved: NotebookNode) -> NotebookNode:
    """Return the learner's edition of a solved lesson, without outputs."""
    made = cleared(solved)
    for cell in made.cells:
        if cell.cell_type == "markdown":
            cell.source = _CLIMBS.sub(r"\1", cell.source)
        else:
            cell.source = "\n".join(_with_stubs(cell.source))
    return made


def without_markers(source: str) -> str:
    """Return what a cell holds, without the lines that enclose a region."""
    return "\n".join(line for line in source.split("\n") if not _MARKER.match(line))


def _with_stubs(source: str) -> Iterator[str]:
    inside = False
    for line in source.split("\n"):
        if marker := _MARKER.match(line):
            inside = marker[2] == "BEGIN"
            if inside:
                yield from (marker[1] + stub for stub in STUBS[marker[3]])
        elif not inside:
            yield line


def malformed(solved: NotebookNode, name: str) -> list[str]:
    """Return what keeps a learner's edition from being made of a solved lesson, a line each."""
    seen: set[str] = set()
    found = []
    for cell in solved.cells:
        problems = [*_regions(cell), *_metadata(cell, seen)]
        found += [f"{name}, cell {cell.id}: {problem}" for problem in problems]
    return found


def _regions(cell: NotebookNode) -> Iterator[str]:
    """Yield what is wrong with the regions of a cell: their lines, and where they stand."""
    opened, kinds = None, set()
    for line in cell.source.split("\n"):
        marker = _MARKER.match(line)
        if marker is None and (alike := _LIKE_A_MARKER.search(line)):
            yield f"nbgrader takes {line.strip()!r} for a marker; write ### {alike[0]}, alone"
        elif marker and marker[2] == "BEGIN":
            if opened:
                yield f"{marker[3]} begins inside a region of {opened}"
            opened = marker[3]
            kinds.add(opened)
        elif marker:
            if marker[3] != opened:
                yield f"{marker[3]} ends and was not begun"
            opened = None
    if opened:
        yield f"{opened} begins and does not end"
    for kind, place in PLACES.items():
        allowed = _says(cell, place)
        if kind in kinds and not allowed:
            yield f"it holds {kind}, and its nbgrader metadata does not say {place}: true"
        if allowed and kind not in kinds:
            yield f"its nbgrader metadata says {place}: true, and it holds no {kind}"


def _metadata(cell: NotebookNode, seen: set[str]) -> Iterator[str]:
    """Yield what is wrong with the nbgrader metadata of a cell; ``seen`` are ids before it."""
    if "nbgrader" not in cell.metadata:
        return
    if cell.cell_type != "code":
        yield "it has nbgrader metadata, and only code is asked for and scored"
    mark = cell.metadata["nbgrader"]
    if mark.get("schema_version") != SCHEMA:
        yield f"its nbgrader metadata is of schema {mark.get('schema_version')}, not {SCHEMA}"
    name = mark.get("grade_id")
    if not name:
        yield "its nbgrader metadata names no grade_id"
    elif name in seen:
        yield f"another cell has its grade_id, {name}"
    seen.add(name)
    if _says(cell, "grade") and not mark.get("points"):
        yield "its nbgrader metadata gives no points"


def _says(cell: NotebookNode, what: str) -> bool:
    return bool(cell.metadata.get("nbgrader", {}).get(what))
