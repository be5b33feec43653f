"""Real processes, killed with SIGKILL at every step, on every contract, with every fault."""

import os
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from lab.faults.clock import ManualClock
from lab.faults.worker import Errand, Forker, run, run_until, work
from lab.gateway import CONTRACTS, Fault
from tests.gateway import world
from tests.gateway.processes import errand_for, killed_after, open_files

CORES = 2
needs_sigkill = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
MOMENTS = 12  # kills at a moment that nobody chose


class Point(NamedTuple):
    """Where to kill: which of the processes that follow each other, and at which of its steps."""

    process: int
    when: str
    step: str
    nth: int


ACCEPTED = Point(1, "after", "ledger.begin", 1)


class Case:
    """One contract with one fault, in a folder that holds a folder for each kill."""

    def __init__(self, contract: str, fault: Fault, folder: Path) -> None:
        self.contract = CONTRACTS[contract]
        self.fault = fault
        self.folder = folder

    def points(self) -> list[Point]:
        """Return every point that undisturbed workers pass until nothing is left to do."""
        points: list[Point] = []

        def once(errand: Errand, process: int) -> str:
            seen: Counter[tuple[str, str]] = Counter()

            def note(when: str, step: str) -> None:
                seen[when, step] += 1
                points.append(Point(process, when, step, seen[when, step]))

            return work(errand, note).state

        self.follow("undisturbed", once)
        return points

    def kill_at_each_point(self, forker: Forker) -> list[world.Numbers]:
        """Kill at one point after the other, each in a history of its own; count each end."""
        points = self.points()
        return [
            self.kill(point, points.index(point) >= points.index(ACCEPTED), forker)
            for point in points
        ]

    def kill(self, point: Point, accepted: bool, forker: Forker) -> world.Numbers:
        """Kill the process that is at this point, start others, and judge the end."""

        def once(errand: Errand, process: int) -> str | None:
            if process != point.process:
                return forker.run(errand)["state"]
            assert forker.run_until(errand, *point[1:]), f"never came to {point}"
            check_listed(errand, accepted)
            return None

        errand = self.follow("-".join(map(str, point)), once)
        return judge(errand, f"{self.contract.name}, {self.fault}, killed {point}")

    def follow(self, name: str, once: Callable[[Errand, int], str | None]) -> Errand:
        """Let one process follow the other in a new folder, later and later."""
        folder, clock = self.folder / name, ManualClock()
        folder.mkdir(parents=True)
        errand = errand_for(world.welcome(), folder, self.contract.name, faults=[self.fault.name])
        processes = iter(range(1, world.ROUNDS + 1))
        waits = chain([1], repeat(world.past_all(self.contract)))
        world.until_quiet(
            lambda: once(replace(errand, at=clock.time), next(processes)), waits, clock
        )
        return errand


def check_listed(errand: Errand, accepted: bool) -> None:
    """What was accepted is listed; what was not has left no trace, and may be brought again."""
    ledger, provider = open_files(errand)
    with ledger, provider:
        assert [row.key for row in ledger.rows()] == [errand.key] * accepted
        assert accepted or not provider.requests()


def judge(errand: Errand, history: str) -> world.Numbers:
    """Count from both files, and refuse every harm and every needless review."""
    ledger, provider = open_files(replace(errand, at=world.LONG_MS))
    with ledger, provider:
        rows, effects, requests = ledger.rows(), provider.effects(), provider.requests()
    numbers = world.count(rows, effects, {errand.key})
    assert numbers.harm == (0, 0, 0, 0), f"{numbers}: {history}"
    assert len(requests) <= rows[0].attempts, history
    assert not numbers.in_review or world.review_is_due(
        rows[0], CONTRACTS[errand.contract], effects
    ), f"needless review, {rows[0].evidence}: {history}"
    return numbers


@needs_sigkill
@pytest.mark.parametrize("contract", CONTRACTS)
def test_a_kill_at_any_step_with_any_fault_does_no_harm(
    contract: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    cases = [Case(contract, fault, tmp_path / fault.name) for fault in world.FAULTS]

    def share(number: int) -> list[world.Numbers]:
        with Forker() as forker:
            mine = cases[number::CORES]
            return [numbers for case in mine for numbers in case.kill_at_each_point(forker)]

    with ThreadPoolExecutor(CORES) as pool:
        ends = list(chain.from_iterable(pool.map(share, range(CORES))))
    total = world.Numbers(*map(sum, zip(*ends, strict=True)))
    print(f"{contract}: {len(ends)} kills, {total}")
    record_property("kills", len(ends))
    record_property("numbers", str(total))
    assert len(ends) > 100


@pytest.mark.parametrize("contract", CONTRACTS)
@pytest.mark.parametrize(
    ("when", "step"), [("after", "ledger.begin"), ("after", "provider.perform")]
)
def test_a_fresh_python_killed_around_the_call_does_no_harm(
    contract: str, when: str, step: str, tmp_path: Path
) -> None:
    def once(errand: Errand, process: int) -> str | None:
        if process > 1:
            return run(errand)["state"]
        assert run_until(errand, when, step)
        return None

    case = Case(contract, Fault.NONE, tmp_path)
    judge(case.follow("killed", once), f"{contract}, killed {when} {step}")


@needs_sigkill
@pytest.mark.parametrize("contract", CONTRACTS)
def test_a_kill_at_any_moment_does_no_harm(contract: str, tmp_path: Path) -> None:
    """Also in the middle of a step, and of a commit, where no hook reaches."""
    heap = [
        errand_for(world.welcome(number), tmp_path, contract, faults=[fault.name])
        for number, fault in enumerate(world.FAULTS * 3)
    ]
    moments = Random(contract)
    for start in range(MOMENTS):
        reported = killed_after(moments.uniform(0, 0.1), heap[start:])
        ledger, provider = open_files(heap[0])
        with ledger, provider:
            assert set(reported) <= {row.key for row in ledger.rows()}
    finish_all(heap)


@needs_sigkill
def test_a_kill_while_the_files_are_created_does_no_harm(tmp_path: Path) -> None:
    moments = Random("creation")
    for number in range(MOMENTS):
        folder = tmp_path / str(number)
        folder.mkdir()
        errand = errand_for(world.welcome(), folder, "readable")
        killed_after(moments.uniform(0, 0.012), [errand])
        finish_all([errand])


def finish_all(errands: list[Errand]) -> None:
    """Bring each again until all is quiet, then count over both files."""
    contract, keys = CONTRACTS[errands[0].contract], [errand.key for errand in errands]
    for errand in errands:
        clock, wait = ManualClock(world.past_all(contract)), world.past_all(contract)
        world.until_quiet(partial(bring, errand, clock), repeat(wait), clock)
    ledger, provider = open_files(replace(errands[0], at=world.LONG_MS))
    with ledger, provider:
        assert world.count(ledger.rows(), provider.effects(), keys).harm == (0, 0, 0, 0)
        attempts = {row.key: row.attempts for row in ledger.rows()}
        assert Counter(request["key"] for request in provider.requests()) <= Counter(attempts)


def bring(errand: Errand, clock: ManualClock) -> str:
    return work(replace(errand, at=clock.time)).state
