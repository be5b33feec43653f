"""What is missing on this machine, in plain words: ``python -m lab doctor``.

Standard library only, and no syntax newer than Python 3.8, so that it can say
"this Python is too old" instead of failing on itself.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from lab import NEEDED_PYTHON, course, jupyter

OK, WARNING, MISSING = "ok", "warning", "missing"

# STRICT tables came with SQLite 3.37.
NEEDED_SQLITE = (3, 37, 0)
# The environment takes about 400 MB, and a lesson's databases a few more.
NEEDED_DISK_MB = 500
# A process that is asked to end and has not after this long cannot be ended.
KILL_SECONDS = 20

INSTALL = f"Install what the course uses:\n{jupyter.INSTALL_HINT}"


@dataclass(frozen=True)
class Finding:
    """What one check found: a mark, what was looked at, and what to do about it."""

    mark: str
    what: str
    do: str = ""

    def __str__(self) -> str:
        """Return the finding as it is printed."""
        lines = [f"{self.mark:8} {self.what}"]
        lines += [f"{'':8} {line}" for line in self.do.splitlines()]
        return "\n".join(lines)


def main(root: Path = course.ROOT) -> int:
    """Print what each check finds; return 0 when nothing is missing, else 1."""
    marks = []
    for check in CHECKS:
        finding = examine(check, root)
        marks.append(finding.mark)
        print(finding, flush=True)
    print()
    print(summary(marks))
    return 1 if MISSING in marks else 0


def examine(check: Callable[[Path], Finding], root: Path) -> Finding:
    """Run one check; one that cannot be run is a finding too, never a traceback."""
    try:
        return check(root)
    except Exception as error:  # A doctor that faints helps nobody.
        name = check.__name__.replace("_", " ")
        return Finding(WARNING, f"{name}: could not be examined ({error})")


def summary(marks: list[str]) -> str:
    """Return the closing sentence."""
    missing, warnings = marks.count(MISSING), marks.count(WARNING)
    if missing:
        return f"Missing: {missing}, warnings: {warnings}. Mend what is missing, from the top."
    return "Nothing is missing" + (f", warnings: {warnings}." if warnings else ". You can start.")


def dotted(version: tuple[int, ...]) -> str:
    """Return a version as it is written: 3.37.0."""
    return ".".join(map(str, version))


def python_version(root: Path) -> Finding:
    """Look whether this Python is new enough."""
    what = f"Python {dotted(sys.version_info[:3])}, {sys.executable}"
    if sys.version_info[:2] >= NEEDED_PYTHON:
        return Finding(OK, what)
    do = (
        f"The course needs Python {dotted(NEEDED_PYTHON)} or newer, from python.org or your system."
    )
    return Finding(
        MISSING, what, do + "\nIf a newer one is here, name it: make course PYTHON=python3.12"
    )


def sqlite_version(root: Path) -> Finding:
    """Look whether Python's SQLite knows STRICT tables."""
    try:
        import sqlite3  # Here, not above: a Python without it is one of the findings.
    except ImportError:
        do = "Install Python from python.org or your system's packages; both bring SQLite along."
        return Finding(MISSING, "this Python was built without SQLite", do)
    what = f"SQLite {sqlite3.sqlite_version}"
    if sqlite3.sqlite_version_info >= NEEDED_SQLITE:
        return Finding(OK, what)
    do = (
        f"The ledger uses STRICT tables, which need SQLite {dotted(NEEDED_SQLITE)} or newer.\n"
        "SQLite comes with Python: install a newer Python, from python.org or your system."
    )
    return Finding(MISSING, what, do)


def sqlite_here(root: Path) -> Finding:
    """Try a ledger's way of storing in a file of this folder, which may be a network drive."""
    with tempfile.TemporaryDirectory(dir=nearest_folder(root / "work")) as folder:
        trouble = try_sqlite(Path(folder) / "trial.sqlite3")
    if trouble is None:
        return Finding(OK, "SQLite keeps STRICT tables and a write-ahead log in this folder")
    do = (
        "Move the course to a folder on this machine's own disk. Network drives and some\n"
        "shared folders cannot lock files the way a database needs."
    )
    return Finding(MISSING, f"SQLite in this folder: {trouble}", do)


def try_sqlite(path: Path) -> str | None:
    """Write through one connection and read through another; return what went wrong."""
    import sqlite3

    with contextlib.ExitStack() as stack:
        try:
            writer, reader = (
                stack.enter_context(contextlib.closing(sqlite3.connect(path, timeout=1)))
                for _ in range(2)
            )
            (mode,) = writer.execute("PRAGMA journal_mode=WAL").fetchone()
            if mode != "wal":
                return f"no write-ahead log (it stays in mode {mode})"
            writer.execute("PRAGMA synchronous=FULL")
            writer.execute("CREATE TABLE trial (n INTEGER NOT NULL) STRICT")
            with writer:
                writer.execute("INSERT INTO trial VALUES (1)")
            (rows,) = reader.execute("SELECT count(*) FROM trial").fetchone()
        except sqlite3.Error as error:
            return str(error)
    return None if rows == 1 else "what one program writes, another does not see"


def nearest_folder(path: Path) -> Path:
    """Return the path, or the closest folder above it that exists."""
    return path if path.is_dir() or path == path.parent else nearest_folder(path.parent)


def work_folder(root: Path) -> Finding:
    """Look whether the learner's copies can be written."""
    work = root / "work"
    if work.exists() and not work.is_dir():
        return Finding(MISSING, f"{work} is a file", "Rename it: the lessons go in a folder here.")
    try:
        with tempfile.TemporaryFile(dir=nearest_folder(work)) as file:
            file.write(b"trial")
    except OSError as error:
        do = "Make the folder your own, or put the course in a folder of yours."
        return Finding(MISSING, f"{work} cannot be written: {error.strerror}", do)
    return Finding(OK, f"{work} can be written")


def disk_space(root: Path) -> Finding:
    """Look whether there is room for the environment and the lessons."""
    free = shutil.disk_usage(nearest_folder(root)).free // 1_000_000
    if free >= NEEDED_DISK_MB:
        return Finding(OK, f"{free:,} MB of disk are free")
    do = f"Free some: the environment and the lessons take up to {NEEDED_DISK_MB} MB."
    return Finding(WARNING, f"{free:,} MB of disk are free", do)


def environment(root: Path) -> Finding:
    """Look whether this is the course's own environment."""
    if sys.prefix != sys.base_prefix:
        return Finding(OK, f"an environment of its own: {sys.prefix}")
    made = root / ".venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    if made.exists() or made.with_suffix(".exe").exists():
        do = f"The course has one. Ask it instead: {made} -m lab doctor"
    else:
        do = INSTALL
    return Finding(WARNING, "this Python is the system's, not the course's environment", do)


def packages(root: Path) -> Finding:
    """Compare what is installed with requirements.txt."""
    wanted = list(requirements((root / "requirements.txt").read_text("utf-8")))
    found = {name: installed(name) for name, _ in wanted}
    absent = [name for name, _ in wanted if found[name] is None]
    others = [
        f"{name} {found[name]} where {bounds} is needed"
        for name, bounds in wanted
        if not within(found[name] or "", bounds) and name not in absent
    ]
    if absent:
        others.append("not installed: " + ", ".join(absent))
    if others:
        return Finding(MISSING, "packages: " + "; ".join(others), INSTALL)
    return Finding(OK, f"{len(wanted)} packages, as requirements.txt asks")


def requirements(text: str) -> Iterator[tuple[str, str]]:
    """Yield name and bounds of each line of a requirements file: ``nbval``, ``>=0.11,<1``."""
    for line in text.splitlines():
        line = line.partition("#")[0].partition(";")[0].replace(" ", "")
        if match := re.match(r"([A-Za-z0-9._-]+)(.*)", line):
            yield match[1], match[2]


def installed(name: str) -> str | None:
    """Return the version of a package, or None where it is not installed."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def within(version: str, bounds: str) -> bool:
    """Say whether a version keeps bounds such as ``>=4.4,<5``; other signs are not judged."""
    for bound in filter(None, bounds.split(",")):
        match = re.match(r"(>=|<)(.*)", bound)
        if match and (match[1] == ">=") != (numbers(version) >= numbers(match[2])):
            return False
    return True


def numbers(version: str) -> tuple[int, ...]:
    """Return a version's numbers without closing zeros: 4.10.0rc1 is (4, 10)."""
    found = re.match(r"\d+(\.\d+)*", version)
    parts = [int(part) for part in found[0].split(".")] if found else [0]
    while len(parts) > 1 and parts[-1] == 0:
        parts.pop()
    return tuple(parts)


def this_checkout(root: Path) -> Finding:
    """Look which ``lab`` a lesson would import, seen from outside this folder."""
    script = "import lab; print(lab.__file__)"
    found = subprocess.run(
        [sys.executable, "-c", script], cwd=tempfile.gettempdir(), capture_output=True, text=True
    )
    if found.returncode:
        return Finding(MISSING, "lessons cannot import lab", INSTALL)
    if Path(found.stdout.strip()).resolve() == (root / "lab" / "__init__.py").resolve():
        return Finding(OK, "lessons import lab from this folder")
    what = f"lessons import lab from another place: {found.stdout.strip()}"
    do = f"In {root}: {sys.executable} -m pip install -e ."
    return Finding(MISSING, what, do)


def jupyter_folder(root: Path) -> Finding:
    """Look whether Jupyter can write its own settings."""
    folders = {
        Path(os.environ.get("JUPYTER_CONFIG_DIR") or Path.home() / ".jupyter"),
        Path(os.environ.get("JUPYTER_DATA_DIR") or Path.home()),
    }
    closed = [str(one) for one in sorted(folders) if not os.access(nearest_folder(one), os.W_OK)]
    if not closed:
        return Finding(OK, "Jupyter can write its settings")
    do = (
        "Make them your own, or name other folders in the variables JUPYTER_CONFIG_DIR and\n"
        "JUPYTER_DATA_DIR."
    )
    return Finding(MISSING, "Jupyter cannot write to " + " and ".join(closed), do)


def loopback(root: Path) -> Finding:
    """Look whether a program here can reach another one over this machine's own address."""
    try:
        port = jupyter.free_port()
        with socket.create_server((jupyter.LOOPBACK, port)):
            socket.create_connection((jupyter.LOOPBACK, port), timeout=5).close()
    except (OSError, jupyter.Problem) as error:
        do = (
            f"JupyterLab listens on {jupyter.LOOPBACK}. Allow Python to use it in your firewall\n"
            "or security program; nothing from outside needs to come in."
        )
        return Finding(MISSING, f"this machine cannot be reached from itself: {error}", do)
    return Finding(OK, f"port {port} of {jupyter.LOOPBACK} is free for JupyterLab")


def processes(root: Path) -> Finding:
    """Start a process and kill it, as lesson 07 does."""
    sleeper = [sys.executable, "-c", "import time; time.sleep(600)"]
    do = "Lesson 07 needs this. Run the course outside the sandbox or program that forbids it."
    try:
        with subprocess.Popen(sleeper) as child:
            child.kill()
            child.wait(KILL_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Finding(MISSING, f"processes cannot be started and killed: {error}", do)
    return Finding(OK, "processes can be started and killed")


def screen(root: Path) -> Finding:
    """Look whether a browser can open here."""
    if jupyter.headless():
        return Finding(OK, "no screen here: `course` will print an address instead of opening it")
    return Finding(OK, "a screen: `course` will open your browser")


CHECKS: tuple[Callable[[Path], Finding], ...] = (
    python_version,
    environment,
    sqlite_version,
    sqlite_here,
    work_folder,
    disk_space,
    packages,
    this_checkout,
    jupyter_folder,
    loopback,
    processes,
    screen,
)
