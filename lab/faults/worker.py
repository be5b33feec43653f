"""A real worker process, and how to stop it dead at a step of our choice.

``run_until`` starts a worker on the files of a folder, waits until it has reached a step, and
kills it there (SIGKILL; ``TerminateProcess`` on Windows): nothing of it is flushed or cleaned up.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from lab.faults.clock import ManualClock
from lab.faults.steps import Stepped
from lab.gateway import CONTRACTS, Action, DemoProvider, Fault, Ledger, execute

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


def run(errand: Errand) -> dict[str, Any]:
    """Let a real process do the errand to its end; return its outcome as a dictionary.

    Raises:
        RuntimeError: the worker failed; the message is its own.
    """
    lines = _start(errand, "").communicate()
    if not lines[0].strip():
        raise RuntimeError(f"the worker failed: {lines[1].strip().splitlines()[-1:]}")
    outcome: dict[str, Any] = json.loads(lines[0])
    return outcome


def run_until(errand: Errand, when: str, step: str, nth: int = 1) -> bool:
    """Kill a real process ``when`` ("before", "after") its nth ``step`` ("ledger.begin").

    Returns False where the worker came to its end without reaching that step.
    """
    process = _start(errand, f"{when} {step} {nth}")
    assert process.stdout is not None
    reached = process.stdout.readline().strip() == _REACHED
    process.kill()
    process.communicate()
    return reached


def _start(errand: Errand, stop_at: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "lab.faults.worker", json.dumps(asdict(errand)), stop_at],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )


def _work(errand: Errand, stop_at: str) -> None:
    counts: dict[str, int] = {}

    def hook(when: str, step: str) -> None:
        counts[f"{when} {step}"] = counts.get(f"{when} {step}", 0) + 1
        if f"{when} {step} {counts[f'{when} {step}']}" == stop_at:
            print(_REACHED, flush=True)
            time.sleep(3600)  # killed long before

    clock = ManualClock(errand.at)
    folder = Path(errand.folder)
    action = Action(errand.key, errand.kind, errand.payload)
    faults = {errand.key: [Fault[name] for name in errand.faults]}
    unreadable = () if errand.readable else (errand.key,)
    contract = CONTRACTS[errand.contract]
    with (
        Ledger(folder / LEDGER_FILE, clock, errand.actor) as ledger,
        DemoProvider(folder / PROVIDER_FILE, contract, clock, faults, unreadable) as provider,
    ):
        stepped: tuple[Any, Any] = (
            Stepped(ledger, "ledger", hook),
            Stepped(provider, "provider", hook),
        )
        print(json.dumps(execute(action, *stepped)._asdict()))


if __name__ == "__main__":
    _work(Errand(**json.loads(sys.argv[1])), sys.argv[2])
