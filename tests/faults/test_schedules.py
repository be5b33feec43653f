"""The schedule explorer: every order of two workers and an operator, and memory that is sound."""

from collections import defaultdict
from collections.abc import Hashable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.faults.crashes import CrashExplorer
from lab.faults.edits import EDITS
from lab.faults.findings import Findings
from lab.faults.gateways import SAFE, Gateway
from lab.faults.numbers import Numbers
from lab.faults.schedules import (
    REST,
    Moment,
    ScheduleExplorer,
    Worker,
    explore_schedules,
    happen,
    move,
    scenes,
    tokens,
)
from lab.faults.world import Scene, World
from lab.gateway import CONTRACTS, PREPARED, UNKNOWN
from tests.faults.moments import after, first, state_of

PROMISED = (0, 0, 0, 0)
GATEWAYS = {"none": SAFE, **EDITS}
SMALL = [*(str(scene) for scene in scenes("blind")), "searchable NONE plain new"]
SMALL += ["readable NONE plain new"]


@pytest.mark.parametrize("scene", SMALL)
def test_the_gateway_keeps_every_promise_in_every_order(scene: str) -> None:
    with World(Scene.read(scene)) as world:
        found = ScheduleExplorer(world, alike=True).explore()
    assert found.numbers.harm == PROMISED
    assert (found.failed, found.shortest) == (0, (None,) * 4)
    assert found.runs > 1_000


def test_every_scene_of_every_contract_is_yielded_with_what_it_came_to() -> None:
    found = list(explore_schedules(SAFE, at_most=6))
    assert [scene for scene, _ in found] == [one for name in CONTRACTS for one in scenes(name)]
    assert all(one.runs > 0 and not one.failed for _, one in found)


def test_of_a_gateway_that_fails_it_is_told_who_did_what() -> None:
    harmful = {}
    for scene, found in explore_schedules(EDITS["change_without_version"], ["readable"], 6):
        if found.failed:
            harmful[scene] = found.shortest[0]
    run = harmful[Scene("readable", ("NONE",), prepared=True)]
    assert run is not None
    assert len(run) == 6
    assert sorted(run) == ["A"] * 3 + ["B"] * 3


# --- memory: what is remembered is what would be found again


def plainly(
    world: World, moment: Moment, at_most: int | None, moves: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Numbers]]:
    """Yield every run, and what it came to; remember nothing."""
    state = world.state()
    if world.harm_is_done(state):
        yield moves, world.numbers()
        return
    if at_most == 0:
        return
    for token in tokens(world, moment, state):
        with world.rewound():
            if not token.endswith(REST):
                left = None if at_most is None else at_most - 1
                yield from plainly(world, happen(world, moment, token), left, (*moves, token))
                continue
            [found] = CrashExplorer(world).explore(0)
            assert found.runs == 1  # nobody chooses any more
            run = next((run for run in found.shortest if run is not None), ())
            yield (*moves, token, *run), found.numbers


def with_lengths(found: Findings) -> tuple[Any, ...]:
    """Put lengths for the shortest runs: of several that are as short, any may be named."""
    return (*found[:3], *(None if run is None else len(run) for run in found.shortest))


@pytest.mark.parametrize(
    ("scene", "edit", "at_most"),
    [
        ("blind NONE plain new", "none", 8),
        ("blind LATE plain new", "none", 8),
        ("readable NONE plain prepared", "none", 8),
        ("searchable NONE plain new", "none", 8),
        ("keyed REJECTION_LOST,LATE plain new", "none", 7),
        ("readable NONE plain prepared", "change_without_version", 7),
        ("blind NONE plain new", "late_receipt_dropped", 8),
        ("readable LATE plain new", "resend_before_readback", 8),
    ],
)
def test_memory_finds_what_a_plain_enumeration_finds(scene: str, edit: str, at_most: int) -> None:
    with World(Scene.read(scene), GATEWAYS[edit]) as world:
        plain = Findings()
        for moves, numbers in plainly(world, first(), at_most):
            plain = plain.plus(Findings.of(numbers), *moves)
        assert plain.runs > 20
        for alike in (False, True):
            remembered = ScheduleExplorer(world, alike).explore(at_most=at_most)
            assert with_lengths(remembered) == with_lengths(plain), f"{alike=}"


@pytest.mark.parametrize(
    ("scene", "edit"),
    [
        ("blind LATE plain new", "none"),
        ("readable NONE plain new", "none"),
        ("searchable RESPONSE_LOST plain new", "none"),
        ("blind NONE plain new", "late_receipt_dropped"),
        ("readable NONE plain prepared", "change_without_version"),
    ],
)
def test_who_is_a_and_who_is_b_makes_no_difference_to_what_is_found(scene: str, edit: str) -> None:
    with World(Scene.read(scene), GATEWAYS[edit]) as world:
        named = ScheduleExplorer(world)
        alike = ScheduleExplorer(world, alike=True)
        assert with_lengths(named.explore()) == with_lengths(alike.explore())
        assert len(alike.known) < len(named.known)


class Exact(ScheduleExplorer):
    """Takes for the same only what is the same to the last record, date and answer.

    What the explorer would take for the same is written down, with what it came to each time.
    """

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.found: dict[Hashable, Findings] = {}
        self.same: dict[tuple[Any, ...], list[Findings]] = defaultdict(list)

    def explore(self, moment: Moment | None = None, at_most: int | None = None) -> Findings:
        moment = moment or self.first
        key = records(self.world), everything(moment), at_most
        if key not in self.found:
            self.known.clear()
            found = self.found[key] = super().explore(moment, at_most)
            state = self.world.state()
            for alike in (False, True):
                self.same[alike, state, moment.key(self.world, alike), at_most].append(found)
        return self.found[key]


def records(world: World) -> Hashable:
    tables = (
        (world.ledger, "actions"),
        (world.provider, "effects"),
        (world.provider, "requests"),
        (world.provider, "on_the_way"),
    )
    held = tuple(tuple(store._all(f"SELECT * FROM {table}")) for store, table in tables)
    return world.clock.time, world.heard, held


def everything(moment: Moment) -> Hashable:
    workers = frozenset((one.name, repr(one.answers)) for one in moment.workers)
    return workers, moment.looks, moment.look


@pytest.mark.parametrize(
    ("scene", "edit", "at_most"),
    [
        ("blind NONE plain new", "none", 11),
        ("blind LATE plain new", "none", 8),
        ("readable LATE plain new", "none", 8),
        ("searchable NONE plain new", "none", 8),
        ("keyed REJECTION_LOST,LATE plain new", "none", 8),
        ("readable LATE silent new", "operator_does_not_wait", 8),
    ],
)
def test_moments_that_are_taken_for_the_same_go_on_the_same_way(
    scene: str, edit: str, at_most: int
) -> None:
    with World(Scene.read(scene), GATEWAYS[edit]) as world:
        exact = Exact(world)
        exact.explore(at_most=at_most)
    assert any(len(found) > 1 for (alike, *_), found in exact.same.items() if not alike)
    for found in exact.same.values():
        assert len({with_lengths(one) for one in found}) == 1


def test_the_bound_leaves_out_what_is_longer_and_nothing_else() -> None:
    with World(Scene("blind", ("NONE",))) as world:
        explorer = ScheduleExplorer(world)
        runs = [explorer.explore(at_most=at_most).runs for at_most in range(20)]
        assert runs[0] == 0
        assert runs == sorted(runs)
        assert runs[-1] == explorer.explore().runs


def test_an_exploration_leaves_the_world_as_it_was() -> None:
    with World(Scene("readable", ("LATE",), prepared=True)) as world:
        before = records(world)
        ScheduleExplorer(world).explore(at_most=7)
        assert records(world) == before


# --- a worker is its answers


def test_a_worker_makes_one_step_a_move_and_ends_as_execute_does() -> None:
    with World(Scene("keyed")) as world:
        worker: Worker | None = Worker("A")
        steps = []
        while worker is not None:
            moved = move(world, worker)
            steps.append(moved.step)
            worker = moved.worker
        assert steps == ["ledger.find", "ledger.begin", "provider.perform", "ledger.settle"]
        assert moved.said == "SETTLED, sent"
        assert len(world.provider.requests()) == 1  # brought to life again, it did not send again
        assert world.heard


def test_a_worker_that_is_held_keeps_what_it_heard_while_the_world_goes_on() -> None:
    with World(Scene("keyed")) as world:
        moment = after(world, "A B A")  # both saw that nothing is there; A begins
        [b] = [worker for worker in moment.workers if worker.name == "B"]
        moved = move(world, b)
        assert (moved.step, type(moved.told and moved.told.error).__name__) == (
            "ledger.begin",
            "VersionConflict",
        )
        assert moved.worker is not None  # it looks again
        assert state_of(world) == UNKNOWN


def test_a_worker_that_slept_does_not_send() -> None:
    with World(Scene("keyed")) as world:
        moment = after(world, "A A + +")  # it began, and send_by is over
        moved = move(world, moment.workers[-1])
        assert moved.step == "ledger.change"
        assert world.provider.requests() == []
        assert state_of(world) == PREPARED


def test_who_stands_at_the_same_place_with_the_same_in_hand_is_the_same_at_another_time() -> None:
    keys = []
    for moves in ("A", "+", "A A + A"):
        with World(Scene("readable", ("REFUSED",), prepared=True)) as world:
            if moves == "+":
                world.wait(world.clock.time + 12_345)
                moves = "A"
            keys.append((after(world, moves).key(world, False), world.state()))
    assert keys[0] == keys[1]
    assert keys[0] != keys[2]


def test_two_workers_are_two_also_where_they_are_alike() -> None:
    with World(Scene("keyed")) as world:
        moment = after(world, "A B")
        one = moment._replace(workers=moment.workers[:1])
        other = moment._replace(workers=moment.workers[1:])
        assert one.key(world, alike=True) == other.key(world, alike=True)
        assert one.key(world, alike=False) != other.key(world, alike=False)
        assert moment.key(world, alike=True) != one.key(world, alike=True)


# --- at random

EVERY = [scene for contract in CONTRACTS for scene in scenes(contract)]


@settings(max_examples=60, deadline=None)
@given(scene=st.sampled_from(EVERY), choices=st.lists(st.integers(0, 59), max_size=30))
def test_a_walk_at_random_does_no_harm_and_every_prefix_of_it_replays(
    scene: Scene, choices: list[int]
) -> None:
    walked: list[str] = []
    passed = []
    with World(scene) as world:
        moment = first()
        for choice in choices:
            ahead = list(tokens(world, moment, world.state()))
            token = ahead[choice % len(ahead)]
            if token.endswith(REST):
                break
            moment = happen(world, moment, token)
            walked.append(token)
            passed.append((world.state(), moment.key(world, False), records(world)))
            assert not world.harm_is_done(world.state())
        [found] = CrashExplorer(world).explore(0)
        assert found.numbers.harm == PROMISED, f"{scene} / {walked}"
    assert replayed(scene, walked) == passed


def replayed(scene: Scene, moves: list[str], gateway: Gateway = SAFE) -> list[Hashable]:
    """Return what each move leaves behind, in a new world."""
    with World(scene, gateway) as world:
        moment = first()
        passed: list[Hashable] = []
        for token in moves:
            moment = happen(world, moment, token)
            passed.append((world.state(), moment.key(world, False), records(world)))
        return passed
