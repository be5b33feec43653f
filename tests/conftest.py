"""What every test shares: Jupyter and IPython never see the user's own settings."""

import json
import os
import shutil
import tempfile
from pathlib import Path

import nbformat
import pytest

FOLDERS = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")


LONG = (
    "tests/browser/test_lessons", "tests/faults/test_everything", "tests/browser/test_panels",
    "tests/exercises/test_four_ways_pieces", "tests/exercises/test_four_ways_attempt",
    "tests/exercises/test_four_ways_in_time", "tests/authoring/test_nbgrader.py",
    "tests/grading/test_answers", "tests/grading/test_class",
)  # fmt: skip
"""The files that take minutes. They begin first, for a file stays with one process to its end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests of long files before all others, in the order of `LONG`."""
    items.sort(key=lambda item: [not item.nodeid.startswith(file) for file in LONG])


def pytest_configure(config: pytest.Config) -> None:
    """Give the run its own folders, also for the kernels of notebooks outside ``tests``."""
    folder = Path(tempfile.mkdtemp(prefix="lab-tests-"))
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    for name in FOLDERS:
        os.environ[name] = str(folder / name.lower())
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"
    os.environ.pop("LAB_PROGRESS", None)  # what the lessons' checks find is nobody's progress
    # Kernels warn about their debugger and their transport, over the report.
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
    profile = folder / "ipythondir" / "profile_default"
    profile.mkdir(parents=True)
    settings = {"IPKernelApp": {"log_level": "ERROR"}}
    (profile / "ipython_kernel_config.json").write_text(json.dumps(settings))


@pytest.fixture(scope="session")
def checkout() -> Path:
    """Return the folder that holds ``lab``, ``tests`` and the rest."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a small checkout: two lessons, a page for teachers, and a solved edition."""
    shipped = tmp_path / "notebooks"
    (shipped / "solutions").mkdir(parents=True)
    for name in ("00_start_here", "07_restart", "solutions/07_restart"):
        cells = [nbformat.v4.new_markdown_cell(f"# {name}")]
        nbformat.write(nbformat.v4.new_notebook(cells=cells), shipped / f"{name}.ipynb")
    (shipped / "TEACHING.md").write_text("# Teaching\n")
    return tmp_path
