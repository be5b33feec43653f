"""Draws the state diagram of a lesson from the table of transitions: mermaid, with its new edges.

A lesson shows the moves that it and earlier lessons built; its own are marked by a thick arrow
and by the word *new*, never by colour alone.
"""

from __future__ import annotations

import copy
import re
from pathlib import Path

from nbformat import NotebookNode

from lab.authoring.notebooks import called, read
from lab.gateway import STATES, TRANSITIONS

# Which moves a lesson adds, by what they are called in the table.
NEW_IN: dict[str, tuple[str, ...]] = {
    "04": ("prepare",),
    "06": ("attempt begins", "receipt", "proved not executed", "no attempt left"),
    "07": ("receipt",),  # from readback, where 06 had it from the response
    "08": (
        "cannot be proved",
        "receipt after all",
        "operator records a receipt",
        "operator approves one attempt",
    ),
    "10": ("proved not executed",),  # by the provider's record, where 06 had it from its answer
}
_FENCE = re.compile(r"```mermaid\n(.*?)```", re.DOTALL)
Move = tuple[str | None, str, str]
_START = "start"


def diagram(lesson: str) -> str:
    """Return the mermaid text of a lesson ("07"): a flowchart, for it can mark an arrow."""
    shown = [move for number, moves in NEW_IN.items() if number <= lesson for move in moves]
    new = NEW_IN.get(lesson, ())
    rows: list[Move] = [row for row in TRANSITIONS if row[1] in shown]
    states = dict.fromkeys(state for row in rows for state in (row[0], row[2]) if state)
    lines = [
        f"flowchart {'LR' if len(states) < len(STATES) else 'TB'}",  # side by side, text gets small
        f"  accTitle: State diagram after lesson {lesson}",
        f"  accDescr: {_described(rows, new)}",
        f"  {_START}((start))",
        *(f"  {state}([{state}])" for state in states),
    ]
    for (source, target), moves in _arrows(rows).items():
        labels = [f"new: {on}" if on in new else on for on in moves]
        arrow = "==>" if any(on in new for on in moves) else "-->"
        lines.append(f"  {source or _START} {arrow}|{'<br>or '.join(labels)}| {target}")
    return "\n".join(lines) + "\n"


def _arrows(rows: list[Move]) -> dict[tuple[str | None, str], list[str]]:
    """Gather the moves between the same two states: one arrow, or their labels would overlap."""
    arrows: dict[tuple[str | None, str], list[str]] = {}
    for source, on, target in rows:
        arrows.setdefault((source, target), []).append(on)
    return arrows


def _described(rows: list[Move], new: tuple[str, ...]) -> str:
    moves = [
        f"{source or 'start'} to {target} on {on}{' (new)' if on in new else ''}"
        for source, on, target in rows
    ]
    return "; ".join(moves) + "."


def redraw(notebook: NotebookNode, lesson: str) -> bool:
    """Put the diagram of the lesson where it shows one; return whether it shows one."""
    found = False
    for cell in notebook.cells:
        for fence in _FENCE.findall(cell.source) if cell.cell_type == "markdown" else ():
            if "State diagram after lesson" in fence:
                found = True
                cell.source = cell.source.replace(fence, diagram(lesson))
    return found


def out_of_step(path: Path) -> list[str]:
    """Return what is wrong with the state diagram of a lesson, a line each."""
    notebook, lesson = read(path), path.name[:2]
    stored = copy.deepcopy(notebook.cells)
    if not redraw(notebook, lesson) and lesson in NEW_IN:
        return [f"{called(path)}: it adds moves to the state diagram and does not show it"]
    if notebook.cells != stored:
        return [f"{called(path)}: its state diagram is not the table's; run `make release`"]
    return []
