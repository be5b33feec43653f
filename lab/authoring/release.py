"""Runs both editions of every lesson and stores them, or says where what is stored is stale."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from nbformat import NotebookNode

from lab.authoring.diagram import out_of_step, redraw
from lab.authoring.editions import learners_edition, malformed
from lab.authoring.execution import LessonFailed, cleared, executed
from lab.authoring.hygiene import flaws
from lab.authoring.notebooks import called, learners, leftovers, lessons, read, text_of, write

# What a release writes of a cell, and what to say where something else is stored.
WRITTEN = {
    "cell_type": "its type is not its source's; run `make release`",
    "source": "its text is not what a release writes; edit the solved edition, then `make release`",
    "metadata": "its metadata is not what a release writes",
}
OF_A_RUN = {
    "outputs": "its output is stale",
    "execution_count": "its execution count is not what a release writes",
}
Editions = dict[Path, NotebookNode]


def editions(source: Path, run: bool = True) -> Editions:
    """Return both editions of a lesson under the paths where a release stores them.

    They are executed, or, without ``run``, as they are before that.

    Raises:
        LessonFailed: one of them does not run from top to bottom, or the second cannot be made.
    """
    solved = read(source)
    if problems := malformed(solved, called(source)):
        raise LessonFailed(*problems)
    redraw(solved, source.name[:2])
    made = {source: solved, learners(source): learners_edition(solved)}
    if not run:
        return {path: cleared(notebook) for path, notebook in made.items()}
    return {path: executed(notebook, called(path)) for path, notebook in made.items()}


def release() -> list[str]:
    """Run and store both editions of every lesson; return what is wrong with what was stored."""
    return leftovers() + _each_lesson(_store)


def stale(run: bool = True) -> list[str]:
    """Return where a stored lesson differs from what a release would write, a line each.

    Without ``run`` nothing is said of outputs: the tests, which run every lesson, compare them.
    """
    return leftovers() + _each_lesson(partial(_compare, run=run), run)


def _each_lesson(check: Callable[[Path, Editions], list[str]], run: bool = True) -> list[str]:
    """Make every lesson, several at once, and gather what ``check`` finds, in their order."""

    def problems(source: Path) -> list[str]:
        try:
            return check(source, editions(source, run))
        except LessonFailed as failure:
            return list(failure.args)

    # Kernels are processes of their own; the threads here only wait for them.
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        return [line for lines in pool.map(problems, lessons()) for line in lines]


def _store(source: Path, now: Editions) -> list[str]:
    found = []
    for path, notebook in now.items():
        print(f"{called(path)}: {'stored' if write(notebook, path) else 'as it was'}")
        found += flaws(notebook, called(path))
    return found


def _compare(source: Path, now: Editions, run: bool) -> list[str]:
    found = out_of_step(source)
    for path, notebook in now.items():
        if not path.exists():
            found.append(f"{called(path)}: it is missing; run `make release`")
            continue
        stored = read(path)
        differences = list(_differences(stored, notebook, run))
        if run and not differences and path.read_text(encoding="utf-8") != text_of(notebook):
            differences.append(": its file is not written as a release writes it")
        found += [f"{called(path)}{difference}" for difference in differences]
        found += flaws(stored, called(path))
    return found


def _differences(stored: NotebookNode, now: NotebookNode, run: bool) -> Iterator[str]:
    """Yield where a stored notebook is not what a release would write."""
    if stored.metadata != now.metadata:
        yield ": its metadata is not what a release writes"
    if [cell.id for cell in stored.cells] != [cell.id for cell in now.cells]:
        yield ": its cells are not those of the solved edition, in their order"
        return
    parts = WRITTEN | OF_A_RUN if run else WRITTEN
    for old, new in zip(stored.cells, now.cells, strict=True):
        for part, problem in parts.items():
            if old.get(part) != new.get(part):
                yield f", cell {old.id}: {problem}"
