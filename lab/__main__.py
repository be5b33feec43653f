"""What ``python -m lab`` can do: one row of ``COMMANDS`` for each command.

A command's module is imported only when the command is used, so that
``python3 -m lab run out`` works where nothing is installed.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lab import NEEDED_PYTHON, __version__

INTERRUPTED = 130  # as shells count it: 128, and the number of SIGINT


TOO_OLD = "The course needs Python {}.{} or newer. `python -m lab doctor` says what this one is."
NOT_INSTALLED = """\
{name} is not installed for this Python. `make course` makes an environment that has it:
use .venv/bin/python (Windows: .venv\\Scripts\\python) in the place of python."""


class Argument:
    """One argument of a command, in the words of ``argparse``."""

    def __init__(self, *names: str, **settings: Any) -> None:
        """Keep what ``ArgumentParser.add_argument`` will be given."""
        self.names = names
        self.settings = settings


@dataclass(frozen=True)
class Command:
    """A command: its name, what it does in one line, and the function that does it.

    ``function`` is written ``package.module:name``. It is called with the
    command's arguments by name and returns the exit code.
    """

    name: str
    does: str
    function: str
    arguments: tuple[Argument, ...] = ()


LEDGER = Argument("database", metavar="DB", help="the ledger, operator.sqlite3")
BY_WHOM = (
    Argument("--actor", metavar="NAME", help="who decides"),
    Argument("--because", metavar="TEXT", help="the grounds, so that somebody can check them"),
)

COMMANDS = (
    Command(
        "run",
        "run the hostile test: a lost response, a restart, a provider nobody can read",
        "lab.faults.hostile:main",
        (
            Argument(
                "directory", metavar="DIR", help="a folder for the two databases; made if absent"
            ),
            Argument(
                "--edit",
                metavar="NAME",
                help="run it on a gateway with this unsafe edit, and watch it fail",
            ),
        ),
    ),
    Command(
        "explore",
        "break the gateway at every step and in every order, and count what that does",
        "lab.faults.explore:main",
        (
            Argument(
                "--edit",
                metavar="NAME",
                help="tell the shortest run that shows what this unsafe edit does",
            ),
            Argument("--replay", metavar="LINE", help="tell one run, from its line"),
            Argument(
                "--kill",
                action="store_true",
                help="kill real processes on files of this disk, too; takes a minute",
            ),
            Argument(
                "--json", dest="as_data", action="store_true", help="print the results as JSON"
            ),
        ),
    ),
    Command(
        "check",
        "check the exercises of saved lessons, and say what went wrong",
        "lab.exercises.check:main",
        (
            Argument("notebooks", metavar="NOTEBOOK", nargs="+", help="a saved copy of a lesson"),
            Argument(
                "--json", dest="as_data", action="store_true", help="print the verdicts as JSON"
            ),
        ),
    ),
    Command(
        "grade",
        "grade the exercises of a class, and write what to tell it",
        "lab.grading.main:main",
        (
            Argument("submissions", metavar="SUBMISSIONS", help="a folder, a zip or a notebook"),
            Argument("--out", required=True, metavar="OUT", help="a folder for what is written"),
            Argument("--seed", type=int, metavar="N", help="repeat the run that had this one"),
            Argument(
                "--scenarios", metavar="DIR", help="a folder of scenarios of your own, in Python"
            ),
            Argument(
                "--workers", type=int, metavar="N", help="how many at once; one for each core"
            ),
            Argument(
                "--allow-weak-sandbox",
                action="store_true",
                help="grade where submissions cannot be contained, as if each were your own",
            ),
        ),
    ),
    Command(
        "review",
        "list what waits for a person; show one action, or decide about it",
        "lab.operations.commands:review",
        (
            LEDGER,
            Argument("key", metavar="KEY", nargs="?", help="one action, by its key or number"),
            Argument(
                "--recheck", metavar="ACTION.json", help="ask the provider again; send nothing"
            ),
            Argument("--receipt", metavar="R", help="settle it with a receipt that was found"),
            Argument("--approve", action="store_true", help="allow one more attempt, on proof"),
            Argument("--close", action="store_true", help="take it off the desk"),
            Argument("--note", metavar="TEXT", help="write down what others should know"),
            Argument("--minutes", metavar="M", help="how long you looked, as measured"),
            Argument("--incident", action="store_true", help="the minutes are an incident's"),
            *BY_WHOM,
            Argument(
                "--provider", metavar="PATH_OR_URL", help="its file, or http://127.0.0.1:PORT"
            ),
            Argument(
                "--contract", metavar="NAME", help="what it promises; the ledger's if not given"
            ),
            Argument("--seen-at", metavar="TIME", help="when you saw the proof: now, or ISO 8601"),
            Argument("--accept-risk", action="store_true", help="allow it where nothing can prove"),
        ),
    ),
    Command(
        "export",
        "write what may be shown of a ledger as CSV and JSON",
        "lab.operations.commands:export",
        (
            LEDGER,
            Argument("out", metavar="OUT", help="a folder for the two files; made if absent"),
            Argument(
                "--open-only", action="store_true", help="leave out what is settled or closed"
            ),
            Argument("--digest-key", metavar="FILE", help="add a digest of each payload's hash"),
        ),
    ),
    Command(
        "dispatch",
        "say whether attempts may begin, or stop them, or allow them again",
        "lab.operations.commands:dispatch",
        (
            LEDGER,
            Argument("--stop", action="store_true", help="let no attempt begin; readback goes on"),
            Argument("--allow", action="store_true", help="let attempts begin again"),
            *BY_WHOM,
        ),
    ),
    Command(
        "course",
        "copy the lessons to work/ and open the first one in JupyterLab",
        "lab.course:main",
        (
            Argument(
                "--no-browser", action="store_true", help="print the address, open no browser"
            ),
            Argument(
                "--port", type=int, metavar="N", help="the port to use; a free one if not given"
            ),
            Argument(
                "--copy-only", action="store_true", help="copy the lessons and do not open them"
            ),
        ),
    ),
    Command(
        "reset",
        "give a fresh copy of one lesson; the old one is kept beside it",
        "lab.course:reset",
        (Argument("lesson", metavar="LESSON", help="its number, for example 07"),),
    ),
    Command(
        "doctor",
        "say in plain words what is missing on this machine and what to do",
        "lab.doctor:main",
    ),
)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line, made from ``COMMANDS``."""
    top = argparse.ArgumentParser(
        prog="python -m lab",
        description="A course in retry-safe actions, and the gateway that it builds.",
        epilog="Each command explains itself: python -m lab run --help",
    )
    top.add_argument("--version", action="version", version=f"lab {__version__}")
    rooms = top.add_subparsers(title="commands", dest="command", metavar="COMMAND")
    for command in COMMANDS:
        sub = rooms.add_parser(command.name, help=command.does, description=sentence(command.does))
        sub.set_defaults(function=command.function)
        for argument in command.arguments:
            sub.add_argument(*argument.names, **argument.settings)
    return top


def sentence(words: str) -> str:
    """Return ``words`` with a capital at the start and a full stop at the end."""
    return words[:1].upper() + words[1:] + "."


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that ``argv`` names and return its exit code."""
    top = parser()
    given = vars(top.parse_args(argv))
    if given.pop("command") is None:
        top.print_help()
        return 2
    module, _, name = given.pop("function").partition(":")
    if sys.version_info < NEEDED_PYTHON and module != "lab.doctor":
        print(TOO_OLD.format(*NEEDED_PYTHON), file=sys.stderr)
        return 1
    try:
        code: int = getattr(importlib.import_module(module), name)(**given)
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        return INTERRUPTED
    except ModuleNotFoundError as missing:
        if (missing.name or "lab").partition(".")[0] == "lab":
            raise
        print(NOT_INSTALLED.format(name=missing.name), file=sys.stderr)
        return 1
    return code


if __name__ == "__main__":
    sys.exit(main())
