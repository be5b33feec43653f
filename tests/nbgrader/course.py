"""A course that real nbgrader keeps, in the environment that ``make suite`` makes for it."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

HOME = Path(f"{sys.prefix}-nbgrader")
PROGRAMS = HOME / ("Scripts" if os.name == "nt" else "bin")
needed = pytest.mark.skipif(
    not (HOME / ".ready").exists(),
    reason=f"nbgrader is not here: `make suite` installs it, into {HOME.name}",
)
ASSIGNMENT = "lessons"
SCORED = ("01", "04", "10", "14")
"""Lessons that are scored, one of each kind: a function, a method in a class, two exercises of
which one is a test, and a function on texts. nbval runs the hidden tests of all lessons."""
SCORES = """
import json, sys
from nbgrader.api import Gradebook

_, url, assignment, student = sys.argv
with Gradebook(url) as gradebook:
    notebooks = gradebook.find_submission(assignment, student).notebooks
    print(json.dumps({one.name: [one.score, one.max_score] for one in notebooks}))
"""


class Course:
    """An instructor's folder, with one assignment that holds the given notebooks."""

    def __init__(self, folder: Path, sources: Mapping[str, NotebookNode]) -> None:
        self.folder = folder
        put(sources, folder / "source" / ASSIGNMENT)
        self.nbgrader("generate_assignment")

    def nbgrader(self, command: str, *arguments: str) -> None:
        """Run one of nbgrader's commands; fail with what it says where it refuses."""
        self.run("-m", "nbgrader", command, ASSIGNMENT, *arguments)

    def run(self, *arguments: str) -> str:
        """Run Python as it is where nbgrader is; return what it prints."""
        # nbgrader starts a program beside its own by name. The folders of Jupyter and IPython
        # are those that the tests have for themselves.
        path = os.pathsep.join([str(PROGRAMS), os.environ.get("PATH", "")])
        done = subprocess.run(
            [str(PROGRAMS / "python"), *arguments],
            cwd=self.folder,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def released(self) -> dict[str, NotebookNode]:
        """Return the notebooks as nbgrader would hand them to learners, by their names."""
        found = (self.folder / "release" / ASSIGNMENT).glob("*.ipynb")
        return {path.stem: nbformat.read(path, as_version=4) for path in found}

    def scores(self, student: str, notebooks: Mapping[str, NotebookNode]) -> dict[str, list[float]]:
        """Hand in notebooks, have them scored, return points and possible points of each."""
        put(notebooks, self.folder / "submitted" / student / ASSIGNMENT)
        self.nbgrader("autograde", "--create", f"--student={student}")
        url = f"sqlite:///{self.folder / 'gradebook.db'}"
        scores: dict[str, list[float]] = json.loads(
            self.run("-c", SCORES, url, ASSIGNMENT, student)
        )
        return scores


def points(notebook: NotebookNode) -> float:
    """Return the points that a notebook's checks give."""
    return sum(cell.metadata.get("nbgrader", {}).get("points", 0) for cell in notebook.cells)


def put(notebooks: Mapping[str, NotebookNode], folder: Path) -> None:
    """Write notebooks into a folder, each under its name."""
    folder.mkdir(parents=True)
    for name, notebook in notebooks.items():
        nbformat.write(notebook, folder / f"{name}.ipynb")
