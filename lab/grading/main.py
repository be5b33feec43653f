"""``python -m lab grade SUBMISSIONS --out OUT``: every exercise of a class, and what to tell it."""

from __future__ import annotations

import hashlib
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from lab.grading import pool, report
from lab.grading.book import RunFacts, students_of
from lab.grading.find import Found, NoSubmissions, find
from lab.grading.graded import Paper
from lab.grading.grader import Settings
from lab.grading.hidden import NotPlayable, load
from lab.grading.lives import Broken, Nursery
from lab.grading.log import CannotGoOn, Log
from lab.guest.walls import Rules
from lab.operations.tables import Unwritable

FULL = (
    "Contained: no network, no file but the standard library, limits on time, "
    "memory, processes and files."
)
WEAK = (
    "NOT contained: submissions ran as ordinary programs of this machine's user, with limits on "
    "time and memory alone. They could read and write what that user can."
)
REFUSED = """\
This machine cannot contain what it is to run ({why}).
On Linux, user namespaces have to be allowed, or bubblewrap be there (apt install bubblewrap).
macOS has nothing of that kind.
Grade on a Linux machine, or in a container or virtual machine that holds nothing else. If you
trust every submission as you trust your own programs: --allow-weak-sandbox"""


NO_FORK = """\
Grading begins processes in a way that Windows does not know.
Grade in WSL, the Linux that Windows brings: wsl --install"""


class Refused(Exception):
    """It cannot be graded here; the message says why and what to do."""


def main(
    submissions: str, out: str, seed: int | None = None, scenarios: str | None = None,
    workers: int | None = None, allow_weak_sandbox: bool = False,
) -> int:  # fmt: skip
    """Grade; return 0 when every file was graded, also where answers failed, else 1."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C
    try:
        return run(
            Path(submissions), Path(out), seed, Path(scenarios) if scenarios else None,
            pool.cores() if workers is None else workers, allow_weak_sandbox,
        )  # fmt: skip
    except (
        Refused, NoSubmissions, NotPlayable, CannotGoOn, pool.CannotStart, Unwritable
    ) as error:  # fmt: skip
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nStopped. The same command goes on where it was.", file=sys.stderr)
        return 130


def run(
    submissions: Path, out: Path, seed: int | None, scenarios: Path | None, workers: int,
    allow_weak_sandbox: bool,
) -> int:  # fmt: skip
    """Grade a class; see `main`."""
    if workers < 1:
        raise Refused("--workers: at least 1")
    if out.resolve().is_relative_to(submissions.resolve()):
        raise Refused(
            f"{out} lies in {submissions}: reports are no submissions. Name another --out"
        )
    load(scenarios, seed or 0)  # what is wrong with one is said before anything is written
    contained = containment(allow_weak_sandbox)
    print(FULL if contained else WEAK)
    with tempfile.TemporaryDirectory(prefix="lab-grade-") as room:
        found, unrecognised = find(submissions, Path(room))
        log = Log(out, seed, digest(scenarios))
        try:
            settings = Settings(log.seed, contained, scenarios=scenarios, room=Path(room))
            papers = graded(found, log, settings, workers)
        finally:
            log.close()
    facts = RunFacts(
        log.seed, FULL if contained else WEAK, names(scenarios),
        tuple((one.file, one.reason) for one in unrecognised),
    )  # fmt: skip
    report.write(out, papers, facts)
    students = students_of(papers)
    for student in students:
        print(report.line(student))
    for one in unrecognised:
        print(f"not graded: {one.file}: {one.reason}")
    print(f"Written to {out}: summary.html, feedback/, grades.csv, totals.csv, grades.json")
    return 1 if unrecognised or any(student.unclear for student in students) else 0


def containment(allow_weak: bool) -> bool:
    """Tell whether lives can be contained here.

    Raises:
        Refused: they cannot, and nobody allowed that.
    """
    if not hasattr(os, "fork"):
        raise Refused(NO_FORK)
    try:
        Nursery(contained=True, rules=Rules()).close()
        return True
    except (Broken, OSError, AttributeError) as error:
        if allow_weak:
            return False
        raise Refused(REFUSED.format(why=error)) from None


def names(scenarios: Path | None) -> tuple[str, ...]:
    """Return the names of the files in a folder of scenarios."""
    return tuple(sorted(file.name for file in scenarios.glob("*.py"))) if scenarios else ()


def digest(scenarios: Path | None) -> str:
    """Return what tells one folder of scenarios from another, or an empty text."""
    if scenarios is None:
        return ""
    whole = hashlib.sha256()
    for file in sorted(scenarios.glob("*.py")):
        whole.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return whole.hexdigest()


def graded(found: Sequence[Found], log: Log, settings: Settings, workers: int) -> list[Paper]:
    """Grade what was not graded yet, and show how far it is; return all papers, in order."""
    known = {one.file: log.papers.get(one.file) for one in found}
    left = [one for one in found if not is_graded(one, known[one.file])]
    if len(left) < len(found):
        print(f"{len(found) - len(left)} of {len(found)} files are graded already.")
    if left:
        papers = pool.graded(left, settings, min(workers, len(left)))
        with_progress(papers, len(left), log.add)
    return [log.papers[one.file] for one in found]


def is_graded(found: Found, paper: Paper | None) -> bool:
    """Tell whether a file is the one that was graded: another content is another answer."""
    if paper is None or paper.student != found.student:
        return False
    try:
        return hashlib.sha256(found.path.read_bytes()).hexdigest() == paper.digest
    except OSError:
        return False


def with_progress(papers: Iterable[Paper], total: int, add: Callable[[Paper], None]) -> None:
    """Take papers as they come, and show how many, how fast, and how long it will take."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    columns = (
        TextColumn("Grading"), BarColumn(), MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"), Remaining(), TextColumn("left"),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True)) as shown:
        task = shown.add_task("", total=total, rate="")
        for paper in papers:
            add(paper)
            speed = shown.tasks[0].speed
            shown.update(task, advance=1, rate=f"{speed:.1f} a second" if speed else "")
