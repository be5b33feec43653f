"""Measures the grader beside nbgrader's ``autograde``, and what many and endless submissions cost.

Both grade the same notebooks on one core, in turn, so that a slow spell hits both. Seconds of a
submission leave out what a grader needs to start: it is measured apart, and counted once.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from lab import exercises
from lab.authoring.notebooks import lessons, read, text_of
from lab.exercises.verdict import COULD_NOT_RUN, PASSED
from lab.grading import pool
from lab.grading.find import find
from lab.grading.grader import Settings
from lab.grading.main import containment
from lab.guest.walls import Rules
from tests.conftest import FOLDERS
from tests.grading import papers
from tests.nbgrader.course import ASSIGNMENT, HOME, SCORES, Course

LESSONS = ("01", "07")  # a pure function, and a piece of the gateway
CHEAP = "01"
WARM = 20  # submissions before the first that count, where ours is compared with itself
WORKERS = 2  # where some submissions are endless
EVERY = 10  # the one of so many that is
LIMIT_S = Rules().cpu_s
STUDENT = "a-student"  # in a text, what stands for the name
SEED = 1
MB = 1 << 20


class Sizes(NamedTuple):
    """How many submissions are graded, and in how many turns.

    ``ours`` and ``theirs`` by each grader where they are compared; ``many`` by ours, of which the
    first and the last ``part`` are compared; ``looping`` where some are endless.
    """

    ours: int = 200
    theirs: int = 20
    turns: int = 4
    many: int = 2_000
    part: int = 200
    looping: int = 100


QUICK = Sizes(20, 2, 2, 120, 20, 20)
Grade = Callable[[int], float]
"""Grades the next so many submissions; returns the seconds of each, the mean."""


class Lesson:
    """A lesson with one exercise, as learners hand it in."""

    def __init__(self, number: str) -> None:
        self.source = next(path for path in lessons() if path.stem.startswith(number))
        names = (getattr(exercises, name) for name in exercises.NAMES)
        self.exercise = next(one for one in names if one.lesson == number)
        self.solved = papers.solution(self.exercise.mark)

    @property
    def endless(self) -> str:
        """An answer that never comes to its end."""
        takes = ", ".join(self.exercise.takes)
        return f"def {self.exercise.defines[0]}({takes}):\n    while True:\n        pass"

    def hand_in(self, folder: Path, students: list[str], answer: str) -> None:
        """Write a notebook for each student; the answers differ by a comment."""
        text = text_of(papers.lesson(self.exercise.lesson, f"# by {STUDENT}\n{answer}"))
        for student in students:
            place = folder / student / ASSIGNMENT / self.source.name
            place.parent.mkdir(parents=True)
            place.write_text(text.replace(STUDENT, student), "utf-8")


def named(number: int, turn: int = 0) -> list[str]:
    """Return the names of so many students."""
    return [f"turn{turn}-{n:04}" for n in range(number)]


class Ours:
    """Our grader at work on a folder, with one worker; between two calls it waits."""

    def __init__(self, folder: Path, contained: bool) -> None:
        others = set(multiprocessing.active_children())
        self.papers = pool.graded(find(folder)[0], Settings(SEED, contained), 1)
        self.start_s = self.grade(1)
        self.workers = set(multiprocessing.active_children()) - others

    def grade(self, number: int) -> float:
        """See `Grade`; stop where a right answer does not pass."""
        before = time.perf_counter()
        papers = list(islice(self.papers, number))
        seconds = time.perf_counter() - before
        assert len(papers) == number
        assert {one.status for paper in papers for one in paper.graded} == {PASSED}, papers
        return seconds / number

    def memory_mb(self) -> dict[str, float]:
        """Return what this process, and what the worker with all that it began, have in memory."""
        below = [pid for worker in self.workers for pid in (worker.pid, *begun_by(worker.pid))]
        return {"pool": resident_mb([os.getpid()]), "worker": resident_mb(below)}

    def close(self) -> None:
        """End the worker."""
        self.papers.close()


class Theirs:
    """nbgrader's ``autograde``, called once a turn, each time with other students."""

    def __init__(self, folder: Path, lesson: Lesson, sizes: Sizes) -> None:
        self.course = Course(folder, {lesson.source.stem: read(lesson.source)})
        self.turn = 0
        for turn in range(sizes.turns + 1):
            number = sizes.theirs // sizes.turns if turn else 1
            lesson.hand_in(folder / "submitted", named(number, turn), lesson.solved)
        self._autograde()  # the database is made, and caches fill
        self.starts: list[float] = []

    def grade(self, number: int) -> float:
        """See `Grade`; the time of the same command with nothing left to grade is taken off."""
        self.starts.append(self._autograde())
        self.turn += 1
        seconds = self._autograde()
        url = f"sqlite:///{self.course.folder / 'gradebook.db'}"
        last = named(number, self.turn)[-1]
        told = json.loads(self.course.run("-c", SCORES, url, ASSIGNMENT, last))
        assert all(score == most > 0 for score, most in told.values()), told
        return (seconds - self.starts[-1]) / number

    def _autograde(self) -> float:
        before = time.perf_counter()
        self.course.nbgrader("autograde", "--create", f"--student=turn{self.turn}-*")
        return time.perf_counter() - before


def in_turn(graders: Mapping[str, tuple[Grade, int]], turns: int) -> dict[str, list[float]]:
    """Let every grader grade its number, in turn and back again; return the seconds of each."""
    times: dict[str, list[float]] = {name: [] for name in graders}
    order = list(graders)
    for _ in range(turns):
        for name in order:
            grade, number = graders[name]
            times[name].append(grade(number))
        order.reverse()
    return times


def ratio(upper: list[float], lower: list[float]) -> float:
    """Compare the times of two graders, turn by turn."""
    return statistics.median(a / b for a, b in zip(upper, lower, strict=True))


def beside(folder: Path, number: str, sizes: Sizes, contained: bool) -> dict[str, float]:
    """Compare our grader with nbgrader, on one lesson."""
    lesson = Lesson(number)
    lesson.hand_in(folder / "ours", named(sizes.ours + 1), lesson.solved)
    theirs = Theirs(folder / "theirs", lesson, sizes)
    with closing(Ours(folder / "ours", contained)) as ours:
        graders = {
            "ours": (ours.grade, sizes.ours // sizes.turns),
            "theirs": (theirs.grade, sizes.theirs // sizes.turns),
        }
        times = in_turn(graders, sizes.turns)
    each = {name: statistics.mean(seconds) for name, seconds in times.items()}
    start = {"ours": ours.start_s, "theirs": statistics.median(theirs.starts)}
    whole = {name: start[name] + sizes.ours * each[name] for name in each}
    return {
        "ours_s": each["ours"], "nbgrader_s": each["theirs"],
        "ours_start_s": start["ours"], "nbgrader_start_s": start["theirs"],
        "turns": ratio(times["theirs"], times["ours"]),
        "overall": whole["theirs"] / whole["ours"],
    }  # fmt: skip


def growth(folder: Path, sizes: Sizes, contained: bool) -> dict[str, Any]:
    """Compare the last of many submissions with the first of others in turn, and with its own."""
    lesson = Lesson(CHEAP)
    lesson.hand_in(folder / "many", named(sizes.many), lesson.solved)
    lesson.hand_in(folder / "few", named(WARM + sizes.part), lesson.solved)
    with closing(Ours(folder / "many", contained)) as old:
        old.grade(WARM - 1)
        first, memory = old.grade(sizes.part), [old.memory_mb()]
        old.grade(sizes.many - WARM - 2 * sizes.part)
        with closing(Ours(folder / "few", contained)) as new:
            new.grade(WARM - 1)
            block = sizes.part // sizes.turns
            times = in_turn({"last": (old.grade, block), "new": (new.grade, block)}, sizes.turns)
        memory.append(old.memory_mb())
    return {
        "turns": ratio(times["last"], times["new"]),
        "overall": statistics.mean(times["last"]) / first,
        "memory_mb": {name: [then[name] for then in memory] for name in memory[0]},
    }


def with_loops(folder: Path, sizes: Sizes, contained: bool) -> dict[str, float]:
    """Time a batch in which some answers are endless, and one of as many without."""
    lesson, students, workers = Lesson(CHEAP), named(sizes.looping), min(WORKERS, pool.cores())
    ill = students[EVERY - 1 :: EVERY]
    lesson.hand_in(folder / "well", students, lesson.solved)
    lesson.hand_in(folder / "ill", [one for one in students if one not in ill], lesson.solved)
    lesson.hand_in(folder / "ill", ill, lesson.endless)
    seconds = {}
    for batch, stopped in (("well", 0), ("ill", len(ill))):
        before = time.perf_counter()
        papers = list(pool.graded(find(folder / batch)[0], Settings(SEED, contained), workers))
        seconds[batch] = time.perf_counter() - before
        statuses = [one.status for paper in papers for one in paper.graded]
        assert statuses.count(COULD_NOT_RUN) == stopped, papers
        assert statuses.count(PASSED) == len(students) - stopped, papers
    stopped_s = len(ill) * LIMIT_S / workers
    return {
        "submissions": len(students), "endless": len(ill), "limit_s": LIMIT_S, "workers": workers,
        "ordinary_s": seconds["well"], "stopped_s": stopped_s, "took_s": seconds["ill"],
        "ratio": seconds["ill"] / (stopped_s + seconds["well"]),
    }  # fmt: skip


def begun_by(pid: int) -> list[int]:
    """Return the processes below one, where the machine tells."""
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    own = [int(one) for one in listed.read_text().split()] if listed.exists() else []
    return [below for one in own for below in (one, *begun_by(one))]


def resident_mb(pids: list[int]) -> float:
    """Return how much of some processes is in memory; 0 where the machine does not tell."""
    told = [Path(f"/proc/{pid}/statm") for pid in pids]
    pages = sum(int(one.read_text().split()[1]) for one in told if one.exists())
    return pages * os.sysconf("SC_PAGE_SIZE") / MB if pages else 0.0


@contextmanager
def on_one_core() -> Iterator[bool]:
    """Keep to one core, and so does all that is begun meanwhile; yield whether it is so."""
    if not hasattr(os, "sched_setaffinity"):
        yield False
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield True
    finally:
        os.sched_setaffinity(0, before)


def set_up(folder: Path) -> None:
    """Give Jupyter folders of its own, and let both graders start from compiled files."""
    os.environ.update({name: str(folder / name.lower()) for name in FOLDERS})
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"
    for name in ("LAB_PROGRESS", "PYTHONDONTWRITEBYTECODE"):
        os.environ.pop(name, None)


def bench(folder: Path, sizes: Sizes, numbers: tuple[str, ...]) -> dict[str, Any]:
    """Measure everything, and return it as plain data."""
    contained = containment(allow_weak=True)
    with on_one_core() as pinned:
        compared = {}
        for number in numbers:
            tell(f"lesson {number}: {sizes.ours} by ours, {sizes.theirs} by nbgrader, in turn ...")
            compared[number] = beside(folder / number, number, sizes, contained)
        tell(f"{sizes.many:,} by ours ...")
        grown = growth(folder / "growth", sizes, contained)
    tell(f"{sizes.looping} by ours, some of them endless ...")
    loops = with_loops(folder / "loops", sizes, contained)
    return {
        "lessons": compared, "growth": grown, "loops": loops, "sizes": sizes._asdict(),
        "one_core": pinned, "contained": contained, "cores": os.cpu_count(),
        "python": platform.python_version(),
    }  # fmt: skip


def tell(what: str) -> None:
    """Say what is measured now."""
    print(what, file=sys.stderr, flush=True)


def show(results: dict[str, Any]) -> None:
    """Print the results: what does not depend on the machine first."""
    sizes, grown, loops = results["sizes"], results["growth"], results["loops"]
    few, many = sizes["part"], f"{sizes['many']:,}"
    print(f"{sizes['ours']} submissions, and a sample of {sizes['theirs']} by nbgrader's autograde")
    print(f"{'':8}{'times as fast':>20}{'seconds of each':>20}{'seconds to start':>20}")
    print(f"{'lesson':8}{'turns':>10}{'overall':>10}" + f"{'ours':>10}{'nbgrader':>10}" * 2)
    for number, of in results["lessons"].items():
        each = f"{of['ours_s']:10.3f}{of['nbgrader_s']:10.2f}"
        start = f"{of['ours_start_s']:10.1f}{of['nbgrader_start_s']:10.1f}"
        print(f"{number:8}{of['turns']:10.1f}{of['overall']:10.1f}{each}{start}")
    print(f"{'wanted':8}{'20.0':>10}{'20.0':>10}\n")
    print(f"Time of the last {few} of {many} submissions, to the time of the first {few}")
    print(f"{'turns':>18}{'overall':>10}\n{'':8}{grown['turns']:10.2f}{grown['overall']:10.2f}")
    print(f"{'wanted':8}{'< 1.20':>10}{'< 1.20':>10}\n")
    print(f"MB in memory{f'after {few}':>17}{f'after {many}':>17}")
    for name, (then, last) in grown["memory_mb"].items():
        print(f"{name:12}{then:17.1f}{last:17.1f}")
    print(f"\n{loops['submissions']} submissions with {loops['workers']} workers, in seconds")
    stopped = f"{loops['endless']} endless x {loops['limit_s']} s / {loops['workers']}"
    print(f"{'all of them right':32}{loops['ordinary_s']:8.1f}")
    print(f"{stopped:32}{loops['stopped_s']:8.1f}")
    print(f"{'with the endless among them':32}{loops['took_s']:8.1f}")
    print(f"{'that, to the sum of the others':32}{loops['ratio']:8.2f}   wanted < 1.20\n")
    place = "one core" if results["one_core"] else "NO core of their own"
    walls = "contained" if results["contained"] else "NOT contained"
    print(
        f"All but the last on {place} of {results['cores']}; answers {walls}; "
        f"Python {results['python']}."
    )


def main() -> int:
    """Read the command line, measure, print; without nbgrader say so."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a few of each: to try it")
    parser.add_argument("--lessons", default=",".join(LESSONS), help="compared with nbgrader")
    parser.add_argument("--json", type=Path, help="write the results here, too")
    options = parser.parse_args()
    if not (HOME / ".ready").exists():
        print(f"not measured: nbgrader is not here; `make bench` installs it, into {HOME.name}")
        return 1
    with tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as folder:
        set_up(Path(folder))
        sizes = QUICK if options.quick else Sizes()
        results = bench(Path(folder), sizes, tuple(options.lessons.split(",")))
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n")
    show(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
