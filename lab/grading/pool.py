"""Several processes that grade at once. One that ends or hangs takes no more than its one paper."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

from lab.grading.find import Found
from lab.grading.graded import Paper
from lab.grading.grader import Grader, Settings
from lab.grading.lives import WALL_S

START_S = 60  # to begin a worker; on a machine that is very busy it takes long
PAPER_S = 60 + 4 * WALL_S  # after so long a paper is given up, and tried once more
STUCK = "The grader could not grade it: its process ended or hung, twice. Grade it by hand."


class CannotStart(Exception):
    """No worker can begin; the message says why."""


class Worker(NamedTuple):
    """One process that grades, and the talk with it."""

    process: Any
    talk: Connection


class Task(NamedTuple):
    """One file that is being graded, by when it has to be done, and how often it was begun."""

    found: Found
    until: float
    tries: int


def begun(settings: Settings) -> Worker:
    """Begin a worker, and do not wait until it is `ready`.

    Raises:
        CannotStart.
    """
    context = multiprocessing.get_context("spawn")
    try:
        ours, theirs = context.Pipe()
        process = context.Process(target=work, args=(theirs, settings), daemon=False)
        with _deaf():
            process.start()
    except OSError as error:
        raise CannotStart(f"So many workers cannot begin ({error}): give fewer --workers") from None
    theirs.close()
    return Worker(process, ours)


@contextmanager
def _deaf() -> Iterator[None]:
    """What begins meanwhile never hears of Ctrl-C: the one who began it says when to end."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def ready(worker: Worker) -> None:
    """Wait until a worker can grade.

    Raises:
        CannotStart.
    """
    try:
        said = worker.talk.recv() if worker.talk.poll(START_S) else "it does not answer"
    except EOFError:
        said = "it ended without a word"
    if said:
        raise CannotStart(said)


def work(talk: Connection, settings: Settings) -> None:
    """Grade what is asked for, in a process of its own, until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # also where it was begun by somebody else
    try:
        grader = Grader(settings)
    except Exception as error:
        talk.send(str(error) or type(error).__name__)
        return
    with suppress(EOFError, OSError):
        talk.send("")
        while True:
            talk.send(grader.paper(talk.recv()))
    grader.close()


def graded(files: Iterable[Found], settings: Settings, workers: int) -> Iterator[Paper]:
    """Yield the files' papers as they are done.

    Raises:
        CannotStart.
    """
    waiting = ((found, 0) for found in files)
    pool: dict[Worker, Task | None] = {}
    again: list[tuple[Found, int]] = []
    try:
        for _ in range(workers):
            pool[begun(settings)] = None
        for worker in pool:
            ready(worker)
        while True:
            for worker in [one for one, task in pool.items() if task is None]:
                following = again.pop() if again else next(waiting, None)
                if following is not None:
                    found, tries = following
                    pool[worker] = Task(found, time.monotonic() + PAPER_S, tries + 1)
                    with suppress(OSError):  # then it is found dead below
                        worker.talk.send(found)
            busy = {one.talk: one for one, task in pool.items() if task}
            if not busy:
                return
            wait(list(busy), timeout=1)
            yield from _heard(pool, again, settings)
    finally:
        for worker in pool:
            end(worker)


def _heard(
    pool: dict[Worker, Task | None], again: list[tuple[Found, int]], settings: Settings
) -> Iterator[Paper]:
    """Yield what workers have done; put others in the place of those that ended or hang."""
    for worker, task in list(pool.items()):
        if task is None:
            continue
        paper, lost = None, time.monotonic() > task.until
        try:
            paper = worker.talk.recv() if worker.talk.poll() else None
        except (EOFError, OSError):
            lost = True
        if paper is not None:
            pool[worker] = None
            yield paper
        elif lost:
            del pool[worker]
            end(worker)
            another = begun(settings)
            pool[another] = None
            ready(another)
            if task.tries == 1:
                again.append((task.found, 1))
            else:
                yield Paper(task.found.student, task.found.file, "", STUCK)


def end(worker: Worker) -> None:
    """End a worker, and the processes that it began."""
    worker.talk.close()
    worker.process.join(2)
    if worker.process.is_alive():
        worker.process.kill()
        worker.process.join()


def cores() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
