"""A real worker process, and how to stop it dead at a step of our choice.

``run_until`` starts a worker on the files of a folder, waits until it has reached a step, and
kills it there (SIGKILL; ``TerminateProcess`` on Windows): nothing of it is flushed or cleaned up.
Who needs thousands of workers has a `Forker` make them.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

from lab.faults.clock import ManualClock
from lab.faults.edits import GATEWAYS, SAFE
from lab.faults.steps import Hook, Stepped
from lab.gateway import CONTRACTS, Action, DemoProvider, Fault, Ledger, Outcome

LEDGER_FILE = "operator.sqlite3"
PROVIDER_FILE = "provider.sqlite3"
_REACHED = "reached"


@dataclass(frozen=True)
class Errand:
    """What a worker is asked to do: one action, in a folder, at a time (ms)."""

    folder: str
    key: str
    kind: str
    payload: dict[str, Any]
    contract: str = "keyed"
    at: int = 0
    faults: list[str] = field(default_factory=list)  # names of `Fault`, one an attempt
    readable: bool = True
    actor: str = "worker"
    gateway: str = SAFE.name  # or an unsafe edit's


def run(errand: Errand) -> dict[str, Any]:
    """Let a real process do the errand to its end; return its outcome as a dictionary.

    Raises:
        RuntimeError: the worker failed; the message is its own.
    """
    return _outcome(*_start(_line(errand, "")).communicate())


def run_until(errand: Errand, when: str, step: str, nth: int = 1) -> bool:
    """Kill a real process ``when`` ("before", "after") its nth ``step`` ("ledger.begin").

    Returns False where the worker came to its end without reaching that step.

    Raises:
        RuntimeError: the worker failed before it got there; the message is its own.
    """
    process = _start(_line(errand, f"{when} {step} {nth}"))
    assert process.stdout is not None
    said = process.stdout.readline()
    process.kill()
    _, complaint = process.communicate()
    return said.strip() == _REACHED or not _outcome(said, complaint)


@contextmanager
def open_both(errand: Errand) -> Iterator[tuple[Ledger, DemoProvider]]:
    """Open ledger and provider of the errand's folder, at its time."""
    clock, folder = ManualClock(errand.at), Path(errand.folder)
    faults = {errand.key: [Fault[name] for name in errand.faults]}
    unreadable = () if errand.readable else (errand.key,)
    contract = CONTRACTS[errand.contract]
    with (
        GATEWAYS[errand.gateway].ledger(folder / LEDGER_FILE, clock, errand.actor) as ledger,
        DemoProvider(folder / PROVIDER_FILE, contract, clock, faults, unreadable) as provider,
    ):
        yield ledger, provider


def work(errand: Errand, hook: Hook = lambda when, step: None) -> Outcome:
    """Do the errand in this process, with a hook around every step."""
    action = Action(errand.key, errand.kind, errand.payload)
    with open_both(errand) as (ledger, provider):
        stepped: tuple[Any, Any] = (
            Stepped(ledger, "ledger", hook),
            Stepped(provider, "provider", hook),
        )
        return GATEWAYS[errand.gateway].execute(action, *stepped)


class Forker:
    """A process that has everything loaded and forks a real worker for each errand.

    Its ``run`` and ``run_until`` do what the functions do, some ten times as fast. It is no help
    on Windows, which cannot fork.
    """

    def __init__(self) -> None:
        self._process = _start(stderr=None)  # what its workers complain about is ours to see

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def run(self, errand: Errand) -> dict[str, Any]:
        """Let a forked process do the errand to its end; see `run`."""
        return _outcome(self._ask(errand, "")[0])

    def run_until(self, errand: Errand, when: str, step: str, nth: int = 1) -> bool:
        """Kill a forked process ``when`` its nth ``step``; see `run_until`."""
        said, ended_by = self._ask(errand, f"{when} {step} {nth}")
        return ended_by == signal.SIGKILL or not _outcome(said)

    def _ask(self, errand: Errand, stop_at: str) -> tuple[str, int]:
        lines, answers = self._process.stdin, self._process.stdout
        assert lines is not None
        assert answers is not None
        print(_line(errand, stop_at), file=lines, flush=True)
        said, ended_by = json.loads(answers.readline())
        return said, ended_by


def _start(*arguments: str, stderr: int | None = subprocess.PIPE) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "lab.faults.worker", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        cwd=Path(__file__).parents[2],
    )


def _line(errand: Errand, stop_at: str) -> str:
    return json.dumps([asdict(errand), stop_at])


def _outcome(said: str, complaint: str = "") -> dict[str, Any]:
    if not said.strip():
        raise RuntimeError(f"the worker failed: {complaint.strip().splitlines()[-1:]}")
    outcome: dict[str, Any] = json.loads(said)
    return outcome


def _work_and_tell(line: str) -> None:
    errand, stop_at = json.loads(line)
    counts: dict[str, int] = {}

    def stop(when: str, step: str) -> None:
        counts[f"{when} {step}"] = counts.get(f"{when} {step}", 0) + 1
        if f"{when} {step} {counts[f'{when} {step}']}" == stop_at:
            print(_REACHED, flush=True)
            time.sleep(3600)  # killed long before

    print(json.dumps(work(Errand(**errand), stop)._asdict()), flush=True)


def _fork_for_each_line() -> None:
    for line in sys.stdin:
        reader, writer = os.pipe()
        worker = os.fork()
        if worker == 0:
            _be_a_worker(line, writer)
        os.close(writer)
        with open(reader) as told:
            said = told.readline()
        if said.strip() == _REACHED:
            os.kill(worker, signal.SIGKILL)
        _, status = os.waitpid(worker, 0)
        print(json.dumps([said, os.WTERMSIG(status)]), flush=True)


def _be_a_worker(line: str, writer: int) -> None:
    """Work in a forked process and end there: what belongs to the parent is not cleaned up."""
    os.dup2(writer, sys.stdout.fileno())
    try:
        _work_and_tell(line)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


if __name__ == "__main__":
    if sys.argv[1:]:
        _work_and_tell(sys.argv[1])
    else:
        _fork_for_each_line()
