"""The command line: each row of its table, and what it needs to run."""

import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from lab import __version__
from lab.__main__ import COMMANDS, Command, main


def run(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run ``python -m lab`` on an interpreter that sees no installed package."""
    command = [sys.executable, "-S", "-E", "-m", "lab", *arguments]
    return subprocess.run(command, cwd=checkout, capture_output=True, text=True)


def named(commands: tuple[Command, ...]) -> list[str]:
    """Return the commands' names."""
    return [command.name for command in commands]


@pytest.mark.parametrize("command", COMMANDS, ids=named(COMMANDS))
def test_each_command_names_a_function_that_takes_its_arguments(command: Command) -> None:
    module, _, name = command.function.partition(":")
    takes = inspect.signature(getattr(importlib.import_module(module), name))
    gives = [
        one.settings.get("dest", one.names[0].lstrip("-").replace("-", "_"))
        for one in command.arguments
    ]
    takes.bind(**dict.fromkeys(gives))


@pytest.mark.parametrize("command", COMMANDS, ids=named(COMMANDS))
def test_each_command_explains_itself(command: Command, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command.name, "--help"])
    assert ended.value.code == 0
    assert command.does[1:30] in " ".join(capsys.readouterr().out.split())


def test_without_a_command_the_commands_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    printed = capsys.readouterr().out
    assert all(f"\n    {name} " in printed for name in named(COMMANDS))


def test_it_starts_with_nothing_installed(checkout: Path) -> None:
    assert run(checkout, "--version").stdout.strip() == f"lab {__version__}"


def test_an_unknown_command_is_refused_without_a_traceback(checkout: Path) -> None:
    refused = run(checkout, "rnu")
    assert refused.returncode == 2
    assert "invalid choice: 'rnu'" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_who_stops_a_command_is_told_so_and_sees_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(**_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("lab.faults.explore.main", stopped)
    assert main(["explore"]) == 130
    assert capsys.readouterr().err == "\nStopped.\n"


def test_what_is_not_installed_is_named_with_what_to_do(checkout: Path) -> None:
    refused = run(checkout, "check", "notebooks/07_restart.ipynb")
    assert refused.returncode == 1
    assert "nbformat is not installed" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize("name", ["run", "course", "doctor"])
def test_an_old_python_is_named_by_every_command_and_examined_by_the_doctor(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    command = next(one for one in COMMANDS if one.name == name)
    module, _, function = command.function.partition(":")
    monkeypatch.setattr(importlib.import_module(module), function, lambda **_: 7)
    monkeypatch.setattr(sys, "version_info", (3, 10, 13))
    assert main([name, "out"] if name == "run" else [name]) == (7 if name == "doctor" else 1)
    assert ("Python 3.11 or newer" in capsys.readouterr().err) is (name != "doctor")
