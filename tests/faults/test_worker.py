"""Workers that are real processes: they do an errand, or are killed at a step of it."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lab.faults import worker
from lab.faults.diary import read_diary
from lab.faults.kills import workers as workers_of_this_system
from lab.faults.worker import (
    LEDGER_FILE,
    PROVIDER_FILE,
    Errand,
    Forker,
    Fresh,
    Simulated,
    Workers,
    work,
)
from lab.gateway import KEYED, DemoProvider, Ledger

KEY = "welcome:lead-202:v1"
PATIENCE_S = 10  # a process that has to go is gone within milliseconds
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
REAL = [
    pytest.param(Fresh, id="a fresh Python"),
    pytest.param(Forker, id="a fork", marks=needs_fork),
]


@pytest.fixture
def errand(tmp_path: Path) -> Errand:
    return Errand(str(tmp_path), KEY, "welcome_email", {"lead": "lead-202"})


@pytest.fixture(params=[*REAL, pytest.param(Simulated, id="simulated")])
def workers(request: pytest.FixtureRequest) -> Iterator[Workers]:
    """Return what makes workers: every way must do the same."""
    with request.param() as workers:
        yield workers


@pytest.fixture(params=REAL)
def processes(request: pytest.FixtureRequest) -> Iterator[Workers]:
    """Return what makes workers that are processes of their own."""
    with request.param() as workers:
        yield workers


def states(errand: Errand) -> list[str]:
    with Ledger(Path(errand.folder) / LEDGER_FILE) as ledger:
        return [row.state for row in ledger.rows()]


def effects(errand: Errand) -> int:
    with DemoProvider(Path(errand.folder) / PROVIDER_FILE, KEYED) as provider:
        return len(provider.effects())


def test_a_worker_does_its_errand_and_tells_the_outcome(workers: Workers, errand: Errand) -> None:
    assert workers.run(errand) == {
        "key": KEY,
        "state": "SETTLED",
        "attempts": 1,
        "path": "sent",
        "receipt": "keyed-1",
    }
    assert (states(errand), effects(errand)) == (["SETTLED"], 1)


def test_a_worker_suffers_the_faults_of_its_errand(workers: Workers, errand: Errand) -> None:
    silent = replace(errand, faults=["RESPONSE_LOST"], readable=False)
    assert workers.run(silent)["path"] == "hold"
    assert workers.run(replace(silent, at=10**6))["path"] == "manual"
    assert workers.run(replace(errand, at=10**6))["path"] == "reconciled"


@pytest.mark.parametrize(
    ("when", "step", "left"),
    [
        ("before", "ledger.begin", ([], 0)),
        ("after", "ledger.begin", (["UNKNOWN"], 0)),
        ("before", "provider.perform", (["UNKNOWN"], 0)),
        ("after", "provider.perform", (["UNKNOWN"], 1)),
        ("after", "ledger.settle", (["SETTLED"], 1)),
    ],
)
def test_a_worker_killed_at_a_step_leaves_what_was_done_before_it(
    workers: Workers, errand: Errand, when: str, step: str, left: tuple[list[str], int]
) -> None:
    assert workers.run_until(errand, when, step)
    assert (states(errand), effects(errand)) == left


def test_the_second_time_a_worker_comes_to_a_step_can_be_meant(
    workers: Workers, errand: Errand
) -> None:
    refused = replace(errand, faults=["REJECTED"])
    assert workers.run_until(refused, "before", "ledger.find", nth=2)
    assert states(errand) == ["PREPARED"]


def test_a_worker_that_never_comes_to_the_step_finishes(workers: Workers, errand: Errand) -> None:
    assert not workers.run_until(errand, "before", "provider.readback")
    assert states(errand) == ["SETTLED"]


def test_a_worker_that_fails_is_no_outcome(workers: Workers, errand: Errand) -> None:
    nowhere = replace(errand, folder=errand.folder + "/nowhere")
    with pytest.raises(RuntimeError, match="the worker failed"):
        workers.run(nowhere)
    with pytest.raises(RuntimeError, match="the worker failed"):
        workers.run_until(nowhere, "before", "ledger.find")


def test_the_complaint_of_a_worker_that_fails_is_told(workers: Workers, errand: Errand) -> None:
    with pytest.raises(RuntimeError, match=r"StoreUnreachable.*cannot be opened"):
        workers.run(replace(errand, folder=errand.folder + "/nowhere"))


def test_a_process_that_ends_without_a_word_is_no_outcome(
    errand: Errand, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYTHONHOME", "/nowhere")
    with pytest.raises(RuntimeError, match="the worker failed: "):
        worker.run(errand)
    with Forker() as forker, pytest.raises(RuntimeError, match="makes workers has ended"):
        forker.run(errand)
    assert "PYTHONHOME" in capfd.readouterr().err


def test_a_fresh_python_can_be_had_without_ado(errand: Errand) -> None:
    assert worker.run_until(errand, "after", "ledger.begin")
    assert worker.run(errand)["path"] == "hold"


@needs_fork
def test_a_forker_goes_on_after_a_worker_that_failed(errand: Errand) -> None:
    with Forker() as forker:
        with pytest.raises(RuntimeError):
            forker.run(replace(errand, contract="unheard of"))
        assert forker.run(errand)["path"] == "sent"


def test_an_errand_can_be_done_in_this_process_with_a_hook(errand: Errand) -> None:
    passed: list[str] = []
    assert work(errand, lambda when, step: passed.append(step)).path == "sent"
    assert passed[::2] == ["ledger.find", "ledger.begin", "provider.perform", "ledger.settle"]


def test_a_worker_signs_with_its_name(errand: Errand) -> None:
    work(replace(errand, actor="night shift"))
    with Ledger(Path(errand.folder) / LEDGER_FILE) as ledger:
        assert {event["actor"] for event in ledger.events(KEY)} == {"night shift"}


@needs_fork
def test_a_worker_that_is_held_is_alive_at_its_step_until_it_is_killed(
    processes: Workers, errand: Errand
) -> None:
    pid = processes.hold(errand, "after", "provider.perform")
    assert pid not in (None, os.getpid())
    assert not is_gone(pid)
    assert (states(errand), effects(errand)) == (["UNKNOWN"], 1)
    assert processes.kill(pid)
    assert is_gone(pid)
    assert (states(errand), effects(errand)) == (["UNKNOWN"], 1)


@needs_fork
def test_who_is_dead_cannot_be_killed(processes: Workers, errand: Errand) -> None:
    pid = processes.hold(errand, "after", "ledger.find")
    assert pid is not None
    os.kill(pid, signal.SIGTERM)
    until_gone(pid)
    assert not processes.kill(pid)
    assert not processes.kill(pid)


def test_nobody_else_is_killed(processes: Workers, errand: Errand) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as stranger:
        assert not processes.kill(stranger.pid)
        processes.run(errand)
        assert not processes.kill(stranger.pid)
        assert stranger.poll() is None


@needs_fork
def test_while_one_worker_is_held_others_work_and_are_held(
    processes: Workers, errand: Errand
) -> None:
    first = processes.hold(errand, "after", "provider.perform")
    assert processes.run(errand)["path"] == "reconciled"
    other = replace(errand, key="welcome:lead-203:v1")
    second = processes.hold(other, "after", "ledger.begin")
    assert first is not None
    assert second is not None
    assert processes.kill(first)
    assert not is_gone(second)
    assert processes.kill(second)


@needs_fork
def test_who_is_held_goes_when_it_is_closed(processes: Workers, errand: Errand) -> None:
    pid = processes.hold(errand, "after", "ledger.begin")
    processes.close()
    until_gone(pid)


HOLDER = """
import json, sys
from lab.faults import worker
errand = worker.Errand(**json.loads(sys.argv[2]))
workers = getattr(worker, sys.argv[1])()
print(workers.hold(errand, "after", "ledger.begin"), flush=True)
sys.stdin.read()
"""


@needs_fork
@pytest.mark.parametrize("way", ["Fresh", "Forker"])
def test_who_is_held_does_not_outlive_its_parent(way: str, errand: Errand) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", HOLDER, way, json.dumps(vars(errand))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    assert not is_gone(pid)
    parent.kill()
    until_gone(pid)
    parent.communicate()


@needs_fork
def test_when_the_forker_is_killed_who_is_held_goes_and_the_next_errand_is_done(
    errand: Errand,
) -> None:
    with Forker() as forker:
        pid = forker.hold(errand, "after", "ledger.begin")
        assert pid is not None
        assert forker._process is not None
        forker._process.kill()
        until_gone(pid)
        forker._process.wait()
        assert not forker.kill(pid)
        assert forker.run(errand)["path"] == "hold"


class Interrupted:
    """A pipe; whoever reads a line of it for the first time is interrupted before it comes."""

    def __init__(self, pipe: Any) -> None:
        self.pipe, self.interrupts = pipe, 1

    def readline(self) -> str:
        self.interrupts -= 1
        if self.interrupts == 0:
            raise KeyboardInterrupt
        return self.pipe.readline()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.pipe, name)


@needs_fork
def test_after_an_interrupt_no_answer_is_taken_for_another_one(errand: Errand) -> None:
    other = replace(errand, key="welcome:lead-203:v1")
    with Forker() as forker:
        forker.start()
        assert forker._process is not None
        forker._process.stdout = Interrupted(forker._process.stdout)  # type: ignore[assignment]
        with pytest.raises(KeyboardInterrupt):
            forker.run(errand)
        assert forker.run(other)["key"] == other.key


@pytest.mark.skipif(os.name != "posix", reason="sessions are a thing of POSIX")
def test_an_interrupt_is_not_meant_for_a_worker(processes: Workers, errand: Errand) -> None:
    pid = processes.hold(errand, "after", "ledger.begin")
    assert pid is not None
    assert os.getsid(pid) != os.getsid(0)


def test_a_system_that_cannot_fork_starts_fresh_pythons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "fork", raising=False)
    assert isinstance(workers_of_this_system(), Fresh)


def test_a_diary_tells_what_a_killed_worker_had_done(workers: Workers, errand: Errand) -> None:
    errand = replace(errand, diary="diary", actor="A")
    assert workers.run_until(errand, "after", "provider.perform")
    assert diary(errand) == ["A ledger.find", "A ledger.begin", "A provider.perform"]
    assert workers.run_until(replace(errand, actor="B"), "before", "ledger.settle")
    workers.run(replace(errand, actor="C", at=5000))
    assert diary(errand)[3:] == [
        "B ledger.find",
        "B provider.readback",
        "C ledger.find",
        "C provider.readback",
        "C ledger.settle",
        "C ends",
    ]
    last = read_diary(Path(errand.folder, "diary"))[-1]
    assert (last.at, last.what, last.state, last.effects) == (
        5000, "ends: SETTLED, reconciled", "SETTLED", 1,
    )  # fmt: skip


def test_a_diary_is_only_kept_where_it_is_asked_for(errand: Errand) -> None:
    work(errand)
    assert sorted(path.suffix for path in Path(errand.folder).iterdir()) == [".sqlite3"] * 2


def test_a_line_that_was_cut_off_is_left_out(errand: Errand) -> None:
    work(replace(errand, diary="diary"))
    path = Path(errand.folder, "diary")
    whole = read_diary(path)
    path.write_text(path.read_text("utf-8")[:-3], "utf-8")
    assert read_diary(path) == whole[:-1]


def diary(errand: Errand) -> list[str]:
    beats = read_diary(Path(errand.folder, errand.diary))
    return [f"{beat.who} {beat.step}" for beat in beats]


def is_gone(pid: int | None) -> bool:
    """Tell whether a process has ended; one that nobody has buried yet has ended too."""
    assert pid is not None
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    told = Path(f"/proc/{pid}/stat")
    return told.exists() and told.read_text().rpartition(")")[2].split()[0] == "Z"


def until_gone(pid: int | None) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not is_gone(pid):
        assert time.monotonic() < deadline, "it is still there"
        time.sleep(0.005)
