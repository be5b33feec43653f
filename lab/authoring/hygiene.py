"""What must never stand in a stored output: it would differ elsewhere, or tell who made it."""

from __future__ import annotations

import json
import re

from nbformat import NotebookNode

from lab.authoring.notebooks import code_cells

FORBIDDEN = {
    "a path of a machine": re.compile(
        r"(?<![\w.])/(?:home|root|tmp|work|usr|var|Users|private|opt|mnt)/|[A-Za-z]:\\\\|~/"
    ),
    "a date or a time of day": re.compile(r"\b20\d\d-\d\d-\d\d\b|\b\d{1,2}:\d\d:\d\d\b"),
    "a clock's reading": re.compile(r"\b1[6-9]\d{8}(?:\.\d+|\d{3})?\b"),
    "an address in memory": re.compile(r"\b0x[0-9a-fA-F]{6,}\b"),
    "a random id": re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"),
    "a process id": re.compile(r"\bpid[ =:]+\d+", re.IGNORECASE),
    "a duration that was measured": re.compile(r"\b\d+\.\d{3,} ?(?:s|ms|seconds)\b"),
    "a name of a host": re.compile(r"\blocalhost:\d+|\b127\.0\.0\.1:\d+"),
}


def flaws(notebook: NotebookNode, name: str) -> list[str]:
    """Return what is wrong with the stored cells of a notebook, a line each."""
    found = []
    for cell in code_cells(notebook):
        where = f"{name}, cell {cell.id}"
        if cell.execution_count is None:
            found.append(f"{where}: no execution count; run `make release`")
        for output in cell.outputs:
            if output.output_type == "stream" and output.name == "stderr":
                found.append(f"{where}: something was printed to stderr: {output.text[:60]!r}")
            if output.output_type == "error" and "raises-exception" not in cell.metadata.get(
                "tags", []
            ):
                found.append(f"{where}: it stopped with {output.ename}")
            text = json.dumps({k: v for k, v in output.items() if k != "metadata"})
            for what, pattern in FORBIDDEN.items():
                if hit := pattern.search(text):
                    found.append(f"{where}: its output holds {what}: {hit.group(0)!r}")
    return found
