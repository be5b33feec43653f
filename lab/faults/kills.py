"""The crash explorer once more, with real processes: killed at every step, on files of a disk."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from lab.faults.crashes import FAULTS
from lab.faults.findings import Findings
from lab.faults.gateways import SAFE, Gateway
from lab.faults.numbers import Numbers, count, past_all, review_is_due
from lab.faults.worker import Errand, Forker, Fresh, Workers, open_both, work
from lab.faults.world import A_DAY_MS, ACTION, Scene
from lab.gateway import CONTRACTS, REVIEW, SETTLED

PROCESSES = 12  # that follow each other: more than any of these histories needs


class Point(NamedTuple):
    """Where to kill: which of the processes that follow each other, and at which of its steps."""

    process: int
    when: str
    step: str
    nth: int

    def __str__(self) -> str:
        return f"{self.process}:{self.when}:{self.step}:{self.nth}"


ACCEPTS = ("ledger.prepare", "ledger.begin")  # after the first of these the action is listed


def workers() -> Workers:
    """Return what starts and kills processes: a forker, or where nothing can fork, new Pythons."""
    return Forker() if hasattr(os, "fork") else Fresh()


def first_errand(scene: Scene, gateway: Gateway, folder: Path) -> Errand:
    """Return what the first process is asked to do; its files lie in the folder."""
    return Errand(
        str(folder),
        ACTION.key,
        ACTION.kind,
        dict(ACTION.payload),
        scene.contract,
        faults=list(scene.faults),
        gateway=gateway.name,
    )


def follow(errand: Errand, start: Any, victim: Point | None = None) -> tuple[Errand, bool]:
    """Let one process follow the other on the errand's files, until nothing is left to do.

    The one at the point is killed there; ``start`` starts the others. Returns the last errand, and
    whether the ledger listed the action right after the kill.
    """
    listed = False
    wait = past_all(CONTRACTS[errand.contract])
    for process in range(1, PROCESSES):
        if victim is not None and victim.process == process:
            if not start.run_until(errand, *victim[1:]):
                raise RuntimeError(f"{errand}: the process never came to {victim}")
            with open_both(errand) as (ledger, _):
                listed = bool(ledger.rows())
        elif start.run(errand)["state"] in (SETTLED, REVIEW):
            break
        errand = replace(errand, at=errand.at + (1 if process == 1 else wait))
    return errand, listed


class Undisturbed:
    """Runs each errand in this process, and notes every point that it passes."""

    def __init__(self) -> None:
        self.points: list[Point] = []
        self.processes = 0

    def run(self, errand: Errand) -> dict[str, Any]:
        """Do the errand, and return its outcome as a dictionary."""
        self.processes += 1
        seen: Counter[tuple[str, str]] = Counter()

        def note(when: str, step: str) -> None:
            seen[when, step] += 1
            self.points.append(Point(self.processes, when, step, seen[when, step]))

        return work(errand, note)._asdict()


def numbers_of(errand: Errand) -> Numbers:
    """Count from both files, a day later."""
    with open_both(replace(errand, at=errand.at + A_DAY_MS)) as (ledger, provider):
        rows, effects = ledger.rows(), provider.effects()
    accepted = [errand.key] if rows or effects else []
    numbers = count(rows, effects, accepted)
    contract = CONTRACTS[errand.contract]
    needless = [row for row in rows if row.state == REVIEW]
    needless = [row for row in needless if not review_is_due(row, contract, effects)]
    return numbers._replace(stuck=numbers.stuck + len(needless))


def kill_everywhere(scene: Scene, folder: Path, start: Any, gateway: Gateway = SAFE) -> Findings:
    """Kill a process at every point, each time on new files, and return what it came to."""
    calm = Undisturbed()
    follow(first_errand(scene, gateway, made(folder / "undisturbed")), calm)
    found, accepted = Findings(), False
    for point in calm.points:
        accepted = accepted or (point.when == "after" and point.step in ACCEPTS)
        place = made(folder / str(point).replace(":", "-"))
        errand, listed = follow(first_errand(scene, gateway, place), start, point)
        numbers = numbers_of(errand)
        if listed != accepted:
            numbers = numbers._replace(lost=1)
        found = found.plus(Findings.of(numbers), str(point))
    return found


def made(folder: Path) -> Path:
    """Make a folder, and return it."""
    folder.mkdir(parents=True)
    return folder


def explore_kills(
    gateway: Gateway = SAFE, contracts: Iterable[str] = tuple(CONTRACTS)
) -> Iterator[tuple[Scene, Findings]]:
    """Kill a real process once, at every step, for every contract and fault.

    ``gateway`` is the one of the course or an unsafe edit: a process finds it by its name.
    """
    with workers() as start, tempfile.TemporaryDirectory() as folder:
        for scene in scenes(contracts):
            place = Path(folder, scene.contract, *scene.faults)
            yield scene, kill_everywhere(scene, place, start, gateway)


def scenes(contracts: Iterable[str]) -> Iterator[Scene]:
    """Yield every contract with every fault."""
    return (Scene(contract, (fault,)) for contract in contracts for fault in FAULTS)
