"""What the doctor finds, on this machine and on ones that lack something."""

import os
import socket
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from lab import doctor, jupyter
from lab.doctor import MISSING, OK, WARNING, Finding

MARKS = (OK, WARNING, MISSING)


def test_each_check_prints_a_mark_in_words(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = doctor.main(checkout)
    report, _, closing = capsys.readouterr().out.strip().rpartition("\n\n")
    marked = [line.split()[0] for line in report.splitlines() if not line.startswith(" ")]
    assert len(marked) == len(doctor.CHECKS)
    assert set(marked) <= set(MARKS)
    assert code == (MISSING in marked)
    assert closing.startswith("Missing" if code else "Nothing is missing")


def test_a_machine_with_nothing_installed_is_told_what_to_install(checkout: Path) -> None:
    command = [sys.executable, "-S", "-E", "-m", "lab", "doctor"]
    report = subprocess.run(command, cwd=checkout, capture_output=True, text=True)
    assert report.returncode == 1
    assert "not installed: jupyterlab, " in report.stdout
    assert "pip install -r requirements.txt -e ." in report.stdout
    assert report.stderr == ""


def test_it_leaves_nothing_behind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    doctor.main(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_every_finding_that_is_not_ok_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "work").write_text("a file where a folder belongs")
    (tmp_path / "requirements.txt").write_text("pytest>=9999  # no\nno-such-package-here>=1\n")
    monkeypatch.setattr(doctor, "NEEDED_PYTHON", (99, 0))
    monkeypatch.setattr(doctor, "NEEDED_DISK_MB", 10**12)
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 36, 9))
    found = {check.__name__: check(tmp_path) for check in doctor.CHECKS}
    for name in ("python_version", "sqlite_version", "work_folder", "packages", "this_checkout"):
        assert found[name].mark == MISSING
    assert found["disk_space"].mark == WARNING
    assert all(finding.do for finding in found.values() if finding.mark != OK)
    assert "pytest" in found["packages"].what
    assert "not installed: no-such-package-here" in found["packages"].what
    assert "3.37.0 or newer" in found["sqlite_version"].do


def test_a_folder_where_sqlite_fails_is_named_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert doctor.try_sqlite(tmp_path / "trial.sqlite3") is None
    assert doctor.try_sqlite(tmp_path / "absent" / "trial.sqlite3") is not None
    monkeypatch.setattr(doctor, "try_sqlite", lambda _: "locking protocol")
    assert doctor.sqlite_here(tmp_path).mark == MISSING
    assert "own disk" in doctor.sqlite_here(tmp_path).do


def test_a_memory_without_a_write_ahead_log_is_seen() -> None:
    trouble = doctor.try_sqlite(Path(":memory:"))
    assert trouble is not None
    assert "no write-ahead log" in trouble


def test_a_python_without_sqlite_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sqlite3", None)
    assert doctor.sqlite_version(tmp_path).mark == MISSING


def test_a_folder_that_cannot_be_written_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    finding = doctor.work_folder(tmp_path)
    assert finding.mark == MISSING
    assert "Permission denied" in finding.what


def test_a_closed_jupyter_folder_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert doctor.jupyter_folder(tmp_path).mark == MISSING


def test_a_machine_that_cannot_reach_itself_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> socket.socket:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(socket, "create_connection", refuse)
    assert doctor.loopback(tmp_path).mark == MISSING


def test_a_machine_that_forbids_processes_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    finding = doctor.processes(tmp_path)
    assert finding.mark == MISSING
    assert "Lesson 07" in finding.do


def test_the_system_python_is_sent_to_the_course_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    assert "make course" in doctor.environment(tmp_path).do
    made = tmp_path / ".venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    made.parent.mkdir(parents=True)
    made.touch()
    assert f"{made} -m lab doctor" in doctor.environment(tmp_path).do


def test_a_check_that_breaks_is_a_warning_not_a_traceback(tmp_path: Path) -> None:
    def some_check(root: Path) -> Finding:
        raise RuntimeError("no luck")

    finding = doctor.examine(some_check, tmp_path)
    assert finding == Finding(WARNING, "some check: could not be examined (no luck)")


@pytest.mark.parametrize(
    ("version", "bounds", "kept"),
    [
        ("4.4", ">=4.4,<5", True),
        ("4.4.0", ">=4.4,<5", True),
        ("4.3.9", ">=4.4,<5", False),
        ("4.10.1", ">=4.4,<5", True),
        ("5", ">=4.4,<5", False),
        ("5.0.0", ">=4.4,<5", False),
        ("2.0rc1", ">=2,<3", True),
        ("7", "", True),
    ],
)
def test_versions_are_compared_as_numbers(version: str, bounds: str, kept: bool) -> None:
    assert doctor.within(version, bounds) is kept


def test_every_line_of_our_requirements_is_understood(checkout: Path) -> None:
    text = (checkout / "requirements.txt").read_text("utf-8")
    written = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert [name + bounds for name, bounds in doctor.requirements(text)] == written


def test_a_screen_is_told_from_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jupyter, "headless", lambda: True)
    assert "print an address" in doctor.screen(tmp_path).what
    monkeypatch.setattr(jupyter, "headless", lambda: False)
    assert "open your browser" in doctor.screen(tmp_path).what
