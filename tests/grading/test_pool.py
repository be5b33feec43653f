"""Several papers are graded at once; whoever dies or hangs takes no more than one of them along."""

import json
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

import pytest

from lab.exercises.verdict import PASSED
from lab.grading import pool
from lab.grading.find import Found
from lab.grading.graded import Paper
from lab.grading.grader import Settings
from lab.grading.pool import STUCK, CannotStart, Worker, cores, graded
from lab.guest.walls import Rules
from tests.exercises.books import book, code
from tests.grading.containing import WAYS

SETTINGS = Settings(5, False, Rules(cpu_s=2))


def files(*names: str, folder: Path = Path()) -> list[Found]:
    return [Found(f"student {name}", name, folder / name) for name in names]


def papers(*found: Found, workers: int = 2) -> dict[str, Paper]:
    return {paper.file: paper for paper in graded(found, SETTINGS, workers)}


# Workers that do what the file's name says. Each runs in a process of its own.


def by_name(talk: Connection, settings: Settings) -> None:
    """Stand for `pool.work`."""
    talk.send("")
    try:
        while True:
            found = talk.recv()
            DOES[found.file.partition(" ")[0]](found)
            talk.send(Paper(found.student, found.file, "digest"))
    except EOFError:
        pass


def die(found: Found) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_once(found: Found) -> None:
    if not found.path.exists():
        found.path.touch()
        die(found)


def hang(found: Found) -> None:
    time.sleep(600)


DOES = {"fine": lambda found: None, "dies": die, "once": die_once, "hangs": hang}


def refuses(talk: Connection, settings: Settings) -> None:
    talk.send("there is no room")


def mute(talk: Connection, settings: Settings) -> None:
    """End without a word."""


def never(talk: Connection, settings: Settings) -> None:
    time.sleep(600)


@pytest.fixture(autouse=True)
def nobody_is_left() -> Iterator[None]:
    yield
    for process in multiprocessing.active_children():
        process.join(10)
    assert multiprocessing.active_children() == []


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let workers do what a file's name says."""
    monkeypatch.setattr(pool, "work", by_name)


def test_every_file_has_its_paper(named: None) -> None:
    names = [f"fine {n}" for n in range(9)]
    done = papers(*files(*names))
    assert sorted(done) == names
    assert done["fine 3"] == Paper("student fine 3", "fine 3", "digest")


def test_no_file_is_no_paper(named: None) -> None:
    assert papers(workers=1) == {}


def test_a_worker_that_dies_takes_its_paper_with_it_and_no_other(named: None) -> None:
    done = papers(*files("fine 1", "dies", "fine 2", "fine 3"), workers=1)
    assert done.pop("dies") == Paper("student dies", "dies", "", STUCK)
    assert {paper.problem for paper in done.values()} == {""}
    assert sorted(done) == ["fine 1", "fine 2", "fine 3"]


def test_a_paper_is_tried_once_more(named: None, tmp_path: Path) -> None:
    done = papers(*files("once 1", "fine 1", "once 2", folder=tmp_path))
    assert [paper.problem for paper in done.values()] == ["", "", ""]


def test_a_paper_that_hangs_is_given_up(named: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "PAPER_S", 1)
    done = papers(*files("hangs", "fine 1", "fine 2"))
    assert {name: paper.problem for name, paper in done.items()} == {
        "hangs": STUCK, "fine 1": "", "fine 2": "",
    }  # fmt: skip


def test_who_stops_asking_stops_the_workers(named: None) -> None:
    going = graded(files("fine 1", "hangs", "fine 2"), SETTINGS, 2)
    next(going)
    going.close()


@pytest.mark.parametrize(
    ("work", "says"),
    [(refuses, "there is no room"), (mute, "it ended without a word"), (never, "it does not")],
)
def test_a_worker_that_cannot_start_says_why(
    monkeypatch: pytest.MonkeyPatch, work: Any, says: str
) -> None:
    monkeypatch.setattr(pool, "work", work)
    monkeypatch.setattr(pool, "START_S", 1 if work is never else 60)
    with pytest.raises(CannotStart, match=says):
        papers(*files("fine"), workers=1)


def test_more_workers_than_there_is_room_for_are_too_many(
    named: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin, left = SpawnProcess.start, [1]

    def start(process: SpawnProcess) -> None:
        if not left:
            raise OSError(24, "Too many open files")
        left.pop()
        begin(process)

    monkeypatch.setattr(SpawnProcess, "start", start)
    with pytest.raises(CannotStart, match=r"Too many open files.*give fewer --workers"):
        papers(*files("fine 1", "fine 2"))


RIGHT = (
    "def count_duplicates(keys_of_effects, approved):\n"
    "    return len(keys_of_effects) - len({*keys_of_effects} & {*approved})"
)


def below(process: int) -> list[int]:
    """Return the processes that one has begun, and those begun by these."""
    listed = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [found for one in map(int, listed) for found in (one, *below(one))]


def lives(process: int) -> bool:
    try:
        return ") Z" not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="only Linux lists processes so")
@pytest.mark.parametrize("contained", WAYS)
def test_a_real_worker_that_is_killed_takes_its_nursery_along_and_no_paper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, contained: bool
) -> None:
    killed: list[int] = []
    wait = pool.ready

    def ready(worker: Worker) -> None:
        wait(worker)
        if not killed:
            killed.extend(below(worker.process.pid))
            worker.process.kill()

    monkeypatch.setattr(pool, "ready", ready)
    (tmp_path / "01_a.ipynb").write_text(json.dumps(book(code(RIGHT, "01-count_duplicates"))))
    [found] = files("01_a.ipynb", folder=tmp_path)
    settings = SETTINGS._replace(contained=contained, room=tmp_path)
    [paper] = graded([found], settings, 1)
    assert [graded.status for graded in paper.graded] == [PASSED]
    assert killed
    while any(map(lives, killed)):  # the kernel needs a moment; a test that hangs is stopped
        time.sleep(0.01)


def test_two_papers_are_graded_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    together = threading.Barrier(2, timeout=30)

    def begun(settings: Settings) -> Worker:
        ours, theirs = multiprocessing.Pipe()

        def work() -> None:
            with theirs, suppress(threading.BrokenBarrierError):
                theirs.send("")
                for _ in range(2):
                    found = theirs.recv()
                    together.wait()  # nobody goes on before both are here
                    theirs.send(Paper(found.student, found.file, ""))

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        return Worker(thread, ours)

    monkeypatch.setattr(pool, "begun", begun)
    done = papers(*files("a", "b", "c", "d"))
    assert sorted(done) == ["a", "b", "c", "d"]
    assert {paper.problem for paper in done.values()} == {""}


class Slow:
    """Stands for a grader: its paper says that it was asked."""

    closed = False

    def __init__(self, settings: Settings) -> None:
        if settings.seed < 0:
            raise ValueError("no such seed")

    def paper(self, found: Found) -> Paper:
        return Paper(found.student, found.file, str(signal.getsignal(signal.SIGINT).name))

    def close(self) -> None:
        Slow.closed = True


@pytest.fixture
def talk(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Connection, Connection]]:
    """Return both ends of a talk with a worker that is in this process."""
    monkeypatch.setattr(pool, "Grader", Slow)
    monkeypatch.setattr(Slow, "closed", False)
    before = signal.getsignal(signal.SIGINT)
    ours, theirs = multiprocessing.Pipe()
    with ours, theirs:
        yield ours, theirs
    signal.signal(signal.SIGINT, before)


def test_a_worker_grades_until_nobody_asks_and_is_deaf_to_control_c(
    talk: tuple[Connection, Connection],
) -> None:
    ours, theirs = talk
    heard: list[Any] = []

    def ask() -> None:
        heard.append(ours.recv())
        for found in files("a", "b"):
            ours.send(found)
            heard.append(ours.recv())
        ours.close()

    asking = threading.Thread(target=ask)
    asking.start()
    pool.work(theirs, SETTINGS)
    asking.join()
    assert [heard[0], *(paper.file for paper in heard[1:])] == ["", "a", "b"]
    assert {paper.digest for paper in heard[1:]} == {"SIG_IGN"}
    assert Slow.closed


def test_a_worker_of_whom_nobody_asks_anything_ends_quietly(
    talk: tuple[Connection, Connection],
) -> None:
    ours, theirs = talk
    ours.close()
    pool.work(theirs, SETTINGS)
    assert Slow.closed


def test_a_worker_says_why_it_cannot_begin(talk: tuple[Connection, Connection]) -> None:
    ours, theirs = talk
    pool.work(theirs, SETTINGS._replace(seed=-1))
    assert ours.recv() == "no such seed"


def test_one_core_is_there() -> None:
    assert cores() >= 1


def test_who_begins_while_ctrl_c_is_pressed_does_not_hear_of_it(named: None) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    worker = pool.begun(SETTINGS)
    assert signal.signal(signal.SIGINT, before) is signal.default_int_handler
    assert worker.process.pid is not None
    os.kill(worker.process.pid, signal.SIGINT)  # it still imports what it needs
    pool.ready(worker)
    worker.talk.close()
    worker.process.join(9)
    assert worker.process.exitcode == 0
