"""Real processes, killed with SIGKILL at every step, on every contract, with every fault."""

import os
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial, reduce
from itertools import chain, repeat
from pathlib import Path
from random import Random

import pytest

from lab.faults import worker
from lab.faults.clock import ManualClock
from lab.faults.edits import EDITS, SAFE
from lab.faults.findings import Findings
from lab.faults.kills import (
    Point,
    first_errand,
    follow,
    kill_everywhere,
    numbers_of,
    scenes,
    workers,
)
from lab.faults.numbers import Numbers
from lab.faults.worker import Errand, work
from lab.faults.world import Scene
from lab.gateway import CONTRACTS
from tests.gateway import world
from tests.gateway.processes import errand_for, killed_after, open_files

CORES = 2
needs_sigkill = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
MOMENTS = 12  # kills at a moment that nobody chose


@needs_sigkill
@pytest.mark.parametrize("contract", CONTRACTS)
def test_a_kill_at_any_step_with_any_fault_does_no_harm(
    contract: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    every = list(scenes([contract]))

    def share(number: int) -> list[Findings]:
        with workers() as start:
            mine = every[number::CORES]
            return [
                kill_everywhere(scene, tmp_path.joinpath(*scene.faults), start) for scene in mine
            ]

    with ThreadPoolExecutor(CORES) as pool:
        found = reduce(Findings.plus, chain.from_iterable(pool.map(share, range(CORES))))
    print(f"{contract}: {found.runs} kills, {found.numbers}")
    record_property("kills", found.runs)
    record_property("numbers", str(found.numbers))
    assert found.numbers.harm == (0, 0, 0, 0)
    assert found.runs > 100


@needs_sigkill
def test_an_unsafe_gateway_does_harm_when_it_is_killed_for_real(tmp_path: Path) -> None:
    scene, unsafe = Scene("readable", ("NONE",)), EDITS["unknown_after_failure"]
    with workers() as start:
        found = kill_everywhere(scene, tmp_path, start, unsafe)
    assert found.numbers == Numbers(duplicates=2)  # after the effect, and before it is written down
    assert found.shortest[0] == ("1:after:provider.perform:1",)


@pytest.mark.parametrize("contract", CONTRACTS)
@pytest.mark.parametrize("step", ["ledger.begin", "provider.perform"])
def test_a_fresh_python_killed_around_the_call_does_no_harm(
    contract: str, step: str, tmp_path: Path
) -> None:
    scene = Scene(contract, ("NONE",))
    errand = first_errand(scene, SAFE, tmp_path)
    errand, listed = follow(errand, worker, Point(1, "after", step, 1))
    assert listed
    assert numbers_of(errand).harm == (0, 0, 0, 0)


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
