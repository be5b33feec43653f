"""A real worker process, and how to stop it dead at a step of our choice.

``run_until`` starts a worker on the files of a folder, waits until it has reached a step, and
kills it there (SIGKILL; ``TerminateProcess`` on Windows): nothing of it is flushed or cleaned up.
Who needs thousands of workers has a `Forker` make them; where none can be started, `Simulated`
does the same in this process.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

from lab.faults.beats import Watched
from lab.faults.clock import ManualClock
from lab.faults.diary import Diary
from lab.faults.edits import GATEWAYS, SAFE
from lab.faults.steps import Crash, Hook, Stepped
from lab.gateway import CONTRACTS, Action, DemoProvider, Fault, Ledger, Outcome

LEDGER_FILE = "operator.sqlite3"
PROVIDER_FILE = "provider.sqlite3"
_REACHED = "reached"
_STDIN, _STDOUT = 0, 1  # the pipes, also where Python has put something else in their place


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
    diary: str = ""  # a file in the folder, for what the worker does; empty: it keeps none


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
    with open_both(errand) as both:
        execute = _with_a_diary if errand.diary else _execute
        return execute(errand, hook, *both)


def _execute(errand: Errand, hook: Hook, ledger: Any, provider: Any) -> Outcome:
    action = Action(errand.key, errand.kind, errand.payload)
    stepped: tuple[Any, Any] = (
        Stepped(ledger, "ledger", hook),
        Stepped(provider, "provider", hook),
    )
    return GATEWAYS[errand.gateway].execute(action, *stepped)


def _with_a_diary(errand: Errand, hook: Hook, ledger: Any, provider: Any) -> Outcome:
    """Do the errand, and write down each step before the hook hears that it is done."""
    diary = Diary(Path(errand.folder, errand.diary), ledger, provider, errand.key)

    def tell(answer: Any) -> None:
        diary.called(errand.actor, answer)

    watched = Watched(ledger, "ledger", tell), Watched(provider, "provider", tell)
    outcome = _execute(errand, hook, *watched)
    diary.ended(errand.actor, f"{outcome.state}, {outcome.path}")
    return outcome


class Workers:
    """Starts a worker for each errand: to its end, or to a step of it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Get ready, so that the first errand need not wait.

        Raises:
            OSError: no process can be started here.
        """

    def close(self) -> None:
        """Let go of what was started to get ready."""

    def run(self, errand: Errand) -> dict[str, Any]:
        """Let a worker do the errand to its end; return its outcome as a dictionary.

        Raises:
            RuntimeError: the worker failed; the message is its own.
            OSError: no process can be started here.
        """
        raise NotImplementedError

    def hold(self, errand: Errand, when: str, step: str, nth: int = 1) -> int | None:
        """Let a worker come to a place, and keep it there, alive, until it is killed.

        The place is ``when`` ("before", "after") its nth ``step`` ("ledger.begin"). Returns the
        id of its process, or None where it came to its end without reaching the place. It is gone
        as soon as whoever holds it is gone, however that ends.

        Raises:
            RuntimeError: the worker failed before it got there; the message is its own.
            OSError: no process can be started here.
        """
        raise NotImplementedError

    def kill(self, pid: int) -> bool:
        """Kill a worker that is held; return False where it was not alive any more."""
        raise NotImplementedError

    def run_until(self, errand: Errand, when: str, step: str, nth: int = 1) -> bool:
        """Kill a worker at a place; return False where it ended without reaching it; see `hold`."""
        pid = self.hold(errand, when, step, nth)
        return pid is not None and self.kill(pid)


class Fresh(Workers):
    """Starts a new Python for each errand: on every system, and slowly."""

    def __init__(self) -> None:
        self._held: dict[int, subprocess.Popen[str]] = {}

    def close(self) -> None:
        """Kill whoever is still held."""
        for pid in tuple(self._held):
            self.kill(pid)

    def run(self, errand: Errand) -> dict[str, Any]:
        """Let a new Python do the errand to its end; see `Workers.run`."""
        return _outcome(*_start(_line(errand, "")).communicate())

    def hold(self, errand: Errand, when: str, step: str, nth: int = 1) -> int | None:
        """Let a new Python come to a place, and keep it there; see `Workers.hold`."""
        process = _start(_line(errand, f"{when} {step} {nth}"))
        assert process.stdout is not None
        said = process.stdout.readline()
        if said.strip() == _REACHED:
            self._held[process.pid] = process
            return process.pid
        _outcome(said, process.communicate()[1])
        return None

    def kill(self, pid: int) -> bool:
        """Kill a worker that is held; see `Workers.kill`."""
        process = self._held.pop(pid, None)
        if process is None:
            return False
        alive = process.poll() is None
        process.kill()
        process.communicate()
        return alive


class Forker(Workers):
    """A process that has everything loaded and forks a real worker for each errand.

    It does what `Fresh` does, some ten times as fast. It is no help on Windows, which cannot fork.
    It is started when it is first needed, and again when it is gone.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start the process that forks, where it is not there; see `Workers.start`."""
        if self._process is not None and self._process.poll() is not None:
            self.close()
        if self._process is None:
            self._process = _start(stderr=None)  # what it complains about is ours to see

    def close(self) -> None:
        """End the process that forks, and with it whoever is still held."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def run(self, errand: Errand) -> dict[str, Any]:
        """Let a forked process do the errand to its end; see `Workers.run`."""
        return _outcome(self._ask(_line(errand, ""))[0])

    def hold(self, errand: Errand, when: str, step: str, nth: int = 1) -> int | None:
        """Let a forked process come to a place, and keep it there; see `Workers.hold`."""
        said, pid = self._ask(_line(errand, f"{when} {step} {nth}"))
        if said.strip() == _REACHED:
            return int(pid)
        _outcome(said)
        return None

    def kill(self, pid: int) -> bool:
        """Kill a worker that is held; see `Workers.kill`."""
        if self._process is None or self._process.poll() is not None:
            return False  # with the process that forks, whoever was held is gone
        return bool(self._ask(json.dumps(pid))[0])

    def _ask(self, line: str) -> tuple[Any, int]:
        self.start()
        assert self._process is not None
        lines, answers = self._process.stdin, self._process.stdout
        assert lines is not None
        assert answers is not None
        try:
            print(line, file=lines, flush=True)
            said, pid = json.loads(answers.readline())
        except (OSError, ValueError) as error:  # it hears nothing, or says nothing
            self.close()
            raise RuntimeError("the process that makes workers has ended") from error
        except BaseException:  # interrupted: its answer would be taken for the next one
            self.close()
            raise
        return said, pid


class Simulated(Workers):
    """Does errands in this process, where no other can be started: a kill is a `Crash`.

    What was committed to the files is there, and nothing else, as after a real kill.
    """

    def run(self, errand: Errand) -> dict[str, Any]:
        """Do the errand to its end; see `Workers.run`."""
        return self._work(errand, lambda when, step: None)

    def hold(self, errand: Errand, when: str, step: str, nth: int = 1) -> int | None:
        """Do the errand up to a place, and go no further; see `Workers.hold`."""
        try:
            self._work(errand, stop_at(f"{when} {step} {nth}", _crash))
        except Crash:
            return os.getpid()
        return None

    def kill(self, pid: int) -> bool:
        """Leave it at that: nothing is running."""
        return pid == os.getpid()

    def _work(self, errand: Errand, hook: Hook) -> dict[str, Any]:
        try:
            return work(errand, hook)._asdict()
        except Exception as error:
            raise RuntimeError(f"the worker failed: {type(error).__name__}: {error}") from error


def run(errand: Errand) -> dict[str, Any]:
    """Let a new Python do the errand to its end; see `Workers.run`."""
    return Fresh().run(errand)


def run_until(errand: Errand, when: str, step: str, nth: int = 1) -> bool:
    """Kill a new Python ``when`` ("before", "after") its nth ``step``; see `Workers.run_until`."""
    return Fresh().run_until(errand, when, step, nth)


def stop_at(place: str, stop: Callable[[], None]) -> Hook:
    """Make a hook that calls ``stop`` at a place: ``after provider.perform 1``, the first time."""
    passed: Counter[str] = Counter()

    def hook(when: str, step: str) -> None:
        passed[f"{when} {step}"] += 1
        if f"{when} {step} {passed[f'{when} {step}']}" == place:
            stop()

    return hook


def _start(*arguments: str, stderr: int | None = subprocess.PIPE) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "lab.faults.worker", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        cwd=Path(__file__).parents[2],
        start_new_session=True,  # an interrupt is meant for whoever started it
    )


def _line(errand: Errand, place: str) -> str:
    return json.dumps([asdict(errand), place])


def _outcome(said: str, complaint: str = "") -> dict[str, Any]:
    told: dict[str, Any] = json.loads(said) if said.strip() else {"failed": complaint.strip()}
    if "failed" in told:
        why = told["failed"].splitlines()[-1:] or ["it ended without a word"]
        raise RuntimeError(f"the worker failed: {why[0]}")
    return told


def _crash() -> None:
    raise Crash


def _wait_to_be_killed() -> None:
    print(_REACHED, flush=True)
    os.read(_STDIN, 1)  # nothing is ever written to it; it closes when whoever holds us is gone
    os._exit(1)


def _work_and_tell(line: str) -> None:
    errand, place = json.loads(line)
    try:
        told = work(Errand(**errand), stop_at(place, _wait_to_be_killed))._asdict()
    except Exception as error:
        told = {"failed": f"{type(error).__name__}: {error}"}
    print(json.dumps(told), flush=True)


def _fork_for_each_line() -> None:
    """Fork a worker for each errand that is read; a number that is read is whom to kill."""
    lifeline = os.pipe()  # nobody writes to it; it closes when this process is gone
    held: set[int] = set()
    for line in sys.stdin:
        asked = json.loads(line)
        to_kill = isinstance(asked, int)
        answer = (_kill(asked, held), asked) if to_kill else _fork(line, lifeline, held)
        print(json.dumps(answer), flush=True)


def _fork(line: str, lifeline: tuple[int, int], held: set[int]) -> tuple[str, int]:
    """Return what a forked worker says: its outcome, or that it is held."""
    reader, writer = os.pipe()
    worker = os.fork()
    if worker == 0:
        _be_a_worker(line, writer, *lifeline)
    os.close(writer)
    with open(reader) as told:
        said = told.readline()
    if said.strip() == _REACHED:
        held.add(worker)
    else:
        os.waitpid(worker, 0)
    return said, worker


def _be_a_worker(line: str, writer: int, lifeline: int, kept_open: int) -> None:
    """Work in a forked process and end there: what belongs to the parent is not cleaned up."""
    os.close(kept_open)
    os.dup2(lifeline, _STDIN)
    os.dup2(writer, _STDOUT)
    try:
        _work_and_tell(line)
    finally:
        os._exit(0)


def _kill(worker: int, held: set[int]) -> bool:
    """Kill a forked worker that is held; tell whether it was alive till then."""
    if worker not in held:
        return False
    held.remove(worker)
    gone, _ = os.waitpid(worker, os.WNOHANG)
    if not gone:
        os.kill(worker, signal.SIGKILL)
        os.waitpid(worker, 0)
    return not gone


if __name__ == "__main__":
    if sys.argv[1:]:
        _work_and_tell(sys.argv[1])
    else:
        _fork_for_each_line()
