"""What ``make`` says to a stranger whose machine is not ready."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="there is no make here")


def make(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run ``make`` as from a shell, though these tests may run inside ``make test``."""
    environ = {name: value for name, value in os.environ.items() if "MAKE" not in name}
    command = ["make", *arguments]
    return subprocess.run(command, cwd=checkout, env=environ, capture_output=True, text=True)


def fake_python(folder: Path, body: str) -> Path:
    """Return a program that stands in for Python."""
    program = folder / "python-here"
    program.write_text(f"#!/bin/sh\n{body}\n")
    program.chmod(0o755)
    return program


def test_make_alone_lists_what_can_be_done(checkout: Path) -> None:
    listed = make(checkout).stdout
    for target in ("help", "course", "reset", "test", "release", "bench", "lint", "clean"):
        assert f"make {target} " in listed


def test_reset_without_a_lesson_says_how(checkout: Path, tmp_path: Path) -> None:
    (tmp_path / ".ready").touch()
    refused = make(checkout, "reset", f"VENV={tmp_path}")
    assert refused.returncode == 2
    assert "make reset LESSON=07" in refused.stdout


def test_a_machine_without_python_is_told_so(checkout: Path, tmp_path: Path) -> None:
    refused = make(checkout, "course", f"VENV={tmp_path}/venv", "PYTHON=no-such-python")
    assert refused.returncode == 2
    assert "no 'no-such-python' on this machine" in refused.stdout


def test_an_old_python_is_named_with_its_version(checkout: Path, tmp_path: Path) -> None:
    old = fake_python(tmp_path, 'test "$1" = --version && echo Python 3.9.2 && exit\nexit 1')
    refused = make(checkout, "course", f"VENV={tmp_path}/venv", f"PYTHON={old}")
    assert refused.returncode == 2
    assert "Python 3.9.2" in refused.stdout
    assert "Python 3.11 or newer" in refused.stdout


def test_a_python_that_can_make_no_environment_is_told_the_remedy(
    checkout: Path, tmp_path: Path
) -> None:
    bare = fake_python(tmp_path, f'test "$1" = -m && exit 1\nexec {sys.executable} -S -I "$@"')
    refused = make(checkout, "course", f"VENV={tmp_path}/venv", f"PYTHON={bare}")
    assert refused.returncode == 2
    assert "sudo apt install python3-venv" in refused.stdout
    assert not (tmp_path / "venv" / ".ready").exists()
