"""Real processes that start at the same moment; what they run must be importable, so it is here."""

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from lab.faults.worker import LEDGER_FILE, PROVIDER_FILE, Errand, work
from lab.gateway import CONTRACTS, Action, DemoProvider, Ledger, Outcome

PATIENCE_S = 60  # nothing here takes a second; a process that takes a minute hangs
PROCESSES = multiprocessing.get_context("forkserver" if hasattr(os, "fork") else "spawn")
if hasattr(os, "fork"):
    PROCESSES.set_forkserver_preload([__name__])


def errand_for(action: Action, folder: Path, contract: str, **more: Any) -> Errand:
    """Return the errand of bringing this action to the files in this folder."""
    return Errand(str(folder), action.key, action.kind, dict(action.payload), contract, **more)


def open_files(errand: Errand) -> tuple[Ledger, DemoProvider]:
    """Open both files of an errand, at its time."""
    folder = Path(errand.folder)
    return (
        Ledger(folder / LEDGER_FILE, lambda: errand.at),
        DemoProvider(folder / PROVIDER_FILE, CONTRACTS[errand.contract], lambda: errand.at),
    )


def all_at_once(jobs: Sequence[Callable[[], Any]]) -> list[Any]:
    """Run each job in a process of its own, all released together; return what they return."""
    gate, answers = PROCESSES.Barrier(len(jobs)), PROCESSES.SimpleQueue()
    processes = [PROCESSES.Process(target=_released, args=(gate, job, answers)) for job in jobs]
    for process in processes:
        process.start()
    for process in processes:
        process.join(PATIENCE_S)
    assert [process.exitcode for process in processes] == [0] * len(jobs)
    return [answers.get() for _ in jobs]


def _released(gate: Any, job: Callable[[], Any], answers: Any) -> None:
    gate.wait(PATIENCE_S)
    answers.put(job())


def work_through(errands: Iterable[Errand]) -> list[Outcome]:
    """Do one errand after the other, each with files opened afresh."""
    return [work(errand) for errand in errands]


def open_and_close(errand: Errand) -> None:
    """Open both files, whether or not they exist, and close them again."""
    for store in open_files(errand):
        store.close()


class SlowCall:
    """A worker in a process of its own that waits inside its call until it may come back."""

    def __init__(self, errand: Errand) -> None:
        self._acted, self._answer = PROCESSES.Event(), PROCESSES.Event()
        self._outcome = PROCESSES.SimpleQueue()
        self._process = PROCESSES.Process(
            target=_call_slowly, args=(errand, self._acted, self._answer, self._outcome)
        )
        self._process.start()
        assert self._acted.wait(PATIENCE_S), "the worker never called"

    def come_back(self) -> Outcome:
        """Let the answer arrive at last; return what the worker makes of it."""
        self._answer.set()
        self._process.join(PATIENCE_S)
        assert self._process.exitcode == 0
        return self._outcome.get()


def _call_slowly(errand: Errand, acted: Any, answer: Any, outcome: Any) -> None:
    def wait(when: str, step: str) -> None:
        if (when, step) == ("after", "provider.perform"):  # done there, not yet known here
            acted.set()
            answer.wait(PATIENCE_S)

    outcome.put(work(errand, wait))


def killed_after(seconds: float, errands: Sequence[Errand]) -> list[str]:
    """Kill a process after this much of its work; return the keys that it reported by then."""
    reader, writer = PROCESSES.Pipe(duplex=False)
    process = PROCESSES.Process(target=_work_and_report, args=(errands, writer))
    process.start()
    writer.close()
    assert reader.recv() == "at work"  # the moment counts from here
    time.sleep(seconds)
    process.kill()
    process.join(PATIENCE_S)
    assert process.exitcode in (-signal.SIGKILL, 0)
    return list(_read_all(reader))


def _read_all(reader: Any) -> Iterator[str]:
    with suppress(EOFError):
        while True:
            yield reader.recv()


def _work_and_report(errands: Sequence[Errand], reports: Any) -> None:
    reports.send("at work")
    for errand in errands:
        reports.send(work(errand).key)
