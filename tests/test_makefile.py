"""What ``make`` says to a stranger whose machine is not ready."""

import os
import shutil
import subprocess
import sys
import tomllib
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


def environment_that_notes(folder: Path) -> tuple[Path, Path]:
    """Return an environment whose Python only notes what it is told, and the notes."""
    notes, binaries = folder / "notes", folder / "venv" / "bin"
    binaries.mkdir(parents=True)
    fake_python(binaries, f'echo "$@" >> "{notes}"').rename(binaries / "python")
    return binaries.parent, notes


def test_make_alone_lists_what_can_be_done(checkout: Path) -> None:
    listed = make(checkout).stdout
    for target in (
        "help",
        "course",
        "wheels",
        "reset",
        "test",
        "release",
        "bench",
        "lint",
        "clean",
    ):
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


def test_from_a_folder_of_wheels_nothing_is_asked_of_a_network(
    checkout: Path, tmp_path: Path
) -> None:
    venv, notes = environment_that_notes(tmp_path)
    wheels = tmp_path / "a stick" / "wheels"
    wheels.mkdir(parents=True)
    settings = (f"VENV={venv}", f"PYTHON={sys.executable}", f"WHEELS={wheels}")
    assert make(checkout, "course", *settings).returncode == 0
    [install] = [line for line in notes.read_text().splitlines() if " install " in line]
    assert f"--no-index --find-links {wheels} -r requirements.txt -e ." in install
    assert notes.read_text().endswith("-m lab course\n")


def test_without_a_folder_of_wheels_the_network_is_asked(checkout: Path, tmp_path: Path) -> None:
    venv, notes = environment_that_notes(tmp_path)
    assert make(checkout, "course", f"VENV={venv}", f"PYTHON={sys.executable}").returncode == 0
    assert "-r requirements.txt -e ." in notes.read_text()
    assert "--no-index" not in notes.read_text()


def test_a_folder_of_wheels_that_is_not_there_is_told(checkout: Path, tmp_path: Path) -> None:
    venv, notes = environment_that_notes(tmp_path)
    settings = (f"VENV={venv}", f"PYTHON={sys.executable}", f"WHEELS={tmp_path}/none")
    refused = make(checkout, "course", *settings)
    assert refused.returncode == 2
    assert f"no folder '{tmp_path}/none' here" in refused.stdout
    assert "make wheels" in refused.stdout
    assert not notes.exists()


def test_a_folder_of_wheels_that_does_not_fit_is_told_why(checkout: Path, tmp_path: Path) -> None:
    venv, _ = environment_that_notes(tmp_path)
    (venv / "bin" / "python").write_text('#!/bin/sh\ntest "$3" != install\n')
    settings = (f"VENV={venv}", f"PYTHON={sys.executable}", f"WHEELS={tmp_path}")
    refused = make(checkout, "course", *settings)
    assert refused.returncode == 2
    assert "fits one system and one Python" in refused.stdout
    assert "network" not in refused.stdout
    assert not (venv / ".ready").exists()


def test_a_folder_of_wheels_holds_what_installs_and_what_builds(
    checkout: Path, tmp_path: Path
) -> None:
    venv, notes = environment_that_notes(tmp_path)
    (venv / ".ready").touch()
    made = make(checkout, "wheels", f"VENV={venv}")
    assert made.returncode == 0
    [collected] = [line for line in notes.read_text().splitlines() if " wheel " in line]
    asked = f" {collected.partition('--wheel-dir wheels ')[2]} "
    project = tomllib.loads((checkout / "pyproject.toml").read_text("utf-8"))
    for needed in ("-r requirements.txt", *project["build-system"]["requires"], "pip"):
        assert f" {needed} " in asked
