"""The crash explorer: what it finds of the gateway, that it finds all, and that it finds harm."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from lab.faults.crashes import (
    FAULTS,
    LIVES,
    CrashExplorer,
    Life,
    explore_crashes,
    let_time_pass,
    live,
    makes_a_difference,
    scenes,
)
from lab.faults.edits import EDITS
from lab.faults.findings import Findings
from lab.faults.gateways import SAFE, Gateway
from lab.faults.numbers import Numbers
from lab.faults.world import A_DAY_MS, SETTINGS, Scene, World
from lab.gateway import CONTRACTS, PREPARED, SETTLED, UNKNOWN, Action, Ledger, Outcome

PROMISED = (0, 0, 0, 0)
FEW = ("NONE", "REJECTED", "RESPONSE_LOST", "LATE", "EMPTY_RECEIPT")
STEPS_OF_A_GOOD_RUN = ("ledger.find", "ledger.begin", "provider.perform", "ledger.settle")


def explored(scene: Scene, crashes: int, gateway: Gateway = SAFE) -> Findings:
    with World(scene, gateway) as world:
        return CrashExplorer(world).explore(crashes)[crashes]


@pytest.mark.parametrize("contract", CONTRACTS)
def test_the_gateway_keeps_every_promise_wherever_one_crash_falls(contract: str) -> None:
    for scene, found in explore_crashes(SAFE, [contract], crashes=1):
        assert found.numbers.harm == PROMISED, scene
        assert (found.failed, found.shortest) == (0, (None,) * 4), scene
        assert found.runs > 10, scene


@pytest.mark.parametrize("contract", CONTRACTS)
def test_the_gateway_keeps_every_promise_wherever_three_crashes_fall(contract: str) -> None:
    few = [Scene(contract, (fault,)) for fault in FEW]
    few += [Scene(contract, ("REJECTION_LOST", "LATE")), Scene(contract, ("LATE",), prepared=True)]
    few += [Scene(contract, ("RESPONSE_LOST",), setting) for setting in SETTINGS]
    for scene in few:
        found = explored(scene, 3)
        assert found.numbers.harm == PROMISED, scene
        assert found.failed == 0, scene
        assert found.runs > explored(scene, 2).runs > explored(scene, 1).runs, scene


@pytest.mark.parametrize(
    ("contract", "fault", "every_run"),
    [
        ("keyed", "RESPONSE_LOST", False),  # readback finds it, whatever died
        ("readable", "LATE", False),  # it is found, or proved absent, and done once more
        ("searchable", "RESPONSE_LOST", False),  # the search shows it inside its window
        ("searchable", "REQUEST_LOST", True),  # and never proves that it is not there
        ("blind", "RESPONSE_LOST", True),  # nobody can be asked
    ],
)
def test_a_person_is_called_where_the_readback_table_says_so_and_nowhere_else(
    contract: str, fault: str, every_run: bool
) -> None:
    found = explored(Scene(contract, (fault,)), 0)
    assert found.numbers == Numbers(in_review=found.runs if every_run else 0)


def test_every_fault_meets_every_setting_in_which_it_makes_a_difference() -> None:
    assert "SENT_TWICE" not in FAULTS  # no gateway can mend an adapter that sends twice
    counted = {contract: len(list(scenes(contract))) for contract in CONTRACTS}
    assert counted == {"keyed": 45, "readable": 45, "searchable": 45, "blind": 25}
    for contract in CONTRACTS:
        told = [str(scene) for scene in scenes(contract)]
        assert len(set(told)) == len(told)
        for setting in SETTINGS:
            met = {s.faults[0] for s in scenes(contract) if s.setting == setting and not s[1][1:]}
            assert met == (set(FAULTS) if makes_a_difference(setting, contract) else set())


@pytest.mark.parametrize(
    ("contract", "settings"),
    [
        ("keyed", ["plain", "silent", "taken"]),
        ("readable", ["plain", "silent", "taken"]),
        ("searchable", ["plain", "silent", "alike"]),
        ("blind", ["plain"]),
    ],
)
def test_a_setting_makes_a_difference_where_readback_would_show_it(
    contract: str, settings: list[str]
) -> None:
    assert [name for name in SETTINGS if makes_a_difference(name, contract)] == settings


# --- what a life is


def test_a_worker_dies_before_or_after_the_step_it_is_told() -> None:
    with World(Scene("keyed")) as world:
        died = []
        for die_at in range(1, 9):
            with world.rewound():
                died.append(live(world, die_at).died)
        said = [f"{when} {step}" for step in STEPS_OF_A_GOOD_RUN for when in ("before", "after")]
        assert died == said
        assert live(world, 9) == Life(8, said="SETTLED, sent")


@pytest.mark.parametrize(
    ("die_at", "state", "effects"),
    [
        (2, None, 0),
        (3, None, 0),
        (4, UNKNOWN, 0),
        (5, UNKNOWN, 0),
        (6, UNKNOWN, 1),
        (8, SETTLED, 1),
    ],
)
def test_what_was_done_before_a_death_stays_done(
    die_at: int, state: str | None, effects: int
) -> None:
    with World(Scene("keyed")) as world:
        live(world, die_at)
        row = world.row()
        assert (row.state if row else None, len(world.effects())) == (state, effects)


def test_only_who_lives_on_has_heard_a_receipt() -> None:
    for die_at, fault, heard in (
        (None, "NONE", True),
        (6, "NONE", False),
        (None, "RESPONSE_LOST", False),
        (None, "EMPTY_RECEIPT", False),
    ):
        with World(Scene("keyed", (fault,))) as world:
            live(world, die_at)
            assert world.heard is heard, (die_at, fault)


def explode(*_: object) -> Outcome:
    raise RuntimeError("nobody foresaw this")


def test_a_life_that_an_error_ends_says_which() -> None:
    with World(Scene("keyed"), Gateway("odd", "stops", dispatch=explode)) as world:
        assert live(world) == Life(0, said="RuntimeError: nobody foresaw this")


def test_nobody_waits_while_something_changes() -> None:
    with World(Scene("keyed")) as world:
        before = world.state()
        live(world)
        then = world.clock.time
        assert let_time_pass(world, before, False) is False
        assert world.clock.time == then


def test_where_nothing_changes_time_goes_to_the_next_moment_then_a_day_then_nowhere() -> None:
    with World(Scene("readable", ("REQUEST_LOST",))) as world:
        live(world)
        moments: list[int] = []
        open_row = world.state()
        while world.next_moment(world.state()) is not None:
            assert let_time_pass(world, world.state(), False) is False
            moments.append(world.clock.time)
        assert moments == sorted(set(moments))
        assert world.state() != open_row  # its times are told from now
        assert let_time_pass(world, world.state(), False) is True
        assert world.clock.time == moments[-1] + A_DAY_MS
        assert let_time_pass(world, world.state(), True) is None
        assert world.clock.time == moments[-1] + A_DAY_MS


# --- memory: what is remembered is what would be found again


def plainly(
    world: World, crashes: int, day_over: bool = False, moves: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Numbers]]:
    """Yield every run, and what it came to: die at every half step, and remember nothing."""
    before = world.state()
    if world.harm_is_done(before):
        yield moves, world.numbers()
        return
    for die_at in count(1) if crashes else [None]:
        with world.rewound():
            if live(world, die_at).died:
                yield from plainly(world, crashes - 1, day_over, (*moves, str(die_at)))
                continue
            waited = let_time_pass(world, before, day_over)
            if waited is None:
                yield (*moves, "-"), world.numbers()
            else:
                yield from plainly(world, crashes, waited, (*moves, "-"))
        break


def added_up(runs: Iterator[tuple[tuple[str, ...], Numbers]]) -> Findings:
    found = Findings()
    for moves, numbers in runs:
        found = found.plus(Findings.of(numbers), *moves)
    return found


def with_lengths(found: Findings) -> tuple[Any, ...]:
    """Put lengths for the shortest runs: of several that are as short, any may be named."""
    return (*found[:3], *(None if run is None else len(run) for run in found.shortest))


@pytest.mark.parametrize("crashes", [0, 1, 2])
@pytest.mark.parametrize(
    ("scene", "edit"),
    [
        ("keyed NONE plain new", "none"),
        ("searchable NONE alike new", "none"),
        ("readable NONE plain prepared", "none"),
        ("readable EMPTY_RECEIPT plain new", "none"),
        ("searchable NONE plain new", "none"),
        ("keyed RESPONSE_LOST plain new", "none"),  # from here on, calls raise
        ("keyed NONE taken new", "none"),
        ("readable REFUSED plain new", "none"),
        ("blind REQUEST_LOST plain new", "none"),
        ("readable NONE plain new", "settled_resent"),
        ("readable NONE plain new", "resend_before_readback"),
        ("searchable NONE plain new", "absence_is_proof_at_once"),
    ],
)
def test_memory_finds_what_a_plain_enumeration_of_half_steps_finds(
    scene: str, edit: str, crashes: int
) -> None:
    with World(Scene.read(scene), {"none": SAFE, **EDITS}[edit]) as world:
        remembered = CrashExplorer(world).explore(crashes)[crashes]
        assert with_lengths(remembered) == with_lengths(added_up(plainly(world, crashes)))


class Forgetful(dict[Any, Any]):
    """Keeps nothing."""

    def __setitem__(self, key: object, value: object) -> None:
        pass


@pytest.mark.parametrize("crashes", [0, 1, 2])
@pytest.mark.parametrize(
    ("scene", "edit"),
    [
        ("keyed RESPONSE_LOST plain new", "none"),
        ("readable REJECTION_LOST plain new", "none"),
        ("searchable RESPONSE_LOST silent new", "none"),
        ("blind LATE plain prepared", "none"),
        ("readable REFUSED,LATE plain new", "none"),
        ("readable RESPONSE_LOST plain new", "silence_is_failure"),
        ("readable LATE plain new", "in_flight_forgotten"),
    ],
)
def test_without_memory_the_explorer_finds_the_same(scene: str, edit: str, crashes: int) -> None:
    with World(Scene.read(scene), {"none": SAFE, **EDITS}[edit]) as world:
        remembered = CrashExplorer(world)
        forgetful = CrashExplorer(world)
        forgetful.known = Forgetful()
        found = remembered.explore(crashes)
        assert found == forgetful.explore(crashes)
        assert len(found) == crashes + 1
        assert remembered.known
        assert not forgetful.known


def test_what_was_found_with_more_crashes_answers_for_fewer() -> None:
    with World(Scene("readable", ("LATE",))) as world:
        explorer = CrashExplorer(world)
        with_three = explorer.explore(3)
        assert [CrashExplorer(world).explore(left)[left] for left in range(4)] == list(with_three)
        assert explorer.explore(1) == with_three


def test_an_exploration_leaves_the_world_as_it_was() -> None:
    with World(Scene("readable", ("LATE",), prepared=True)) as world:
        before = world.state(), world.clock.time, world.ledger.events()
        CrashExplorer(world).explore(1)
        assert (world.state(), world.clock.time, world.ledger.events()) == before


# --- it can find harm


@pytest.mark.parametrize(
    ("edit", "scene", "number"),
    [
        ("silence_is_failure", "readable RESPONSE_LOST plain new", "duplicates"),
        ("no_hash_check", "readable NONE plain new", "lost"),
        ("payload_unchecked", "readable NONE taken new", "falsely_settled"),
    ],
)
def test_an_unsafe_gateway_shows_its_number_and_the_run_that_shows_it(
    edit: str, scene: str, number: str
) -> None:
    found = explored(Scene.read(scene), 1, EDITS[edit])
    which = Numbers._fields.index(number)
    assert found.numbers[which] > 0
    assert found.failed > 0
    run = found.shortest[which]
    assert run is not None
    assert set("".join(run)) <= set("-0123456789")


def go_round(action: Action, ledger: Ledger, *_: object) -> Outcome:
    """Write something new every time, and never come to an end."""
    row = ledger.prepare(action)
    return Outcome.of(ledger.change(row, PREPARED, f"try {row.version}"), "refused")


def test_a_gateway_that_never_comes_to_rest_is_stuck() -> None:
    found = explored(Scene("keyed"), 0, Gateway("round", "never rests", dispatch=go_round))
    assert found.numbers == Numbers(stuck=1)
    assert found.shortest[3] == ("-",) * LIVES


def test_of_all_runs_the_shortest_that_shows_a_number_is_kept() -> None:
    twice, stuck = Findings.of(Numbers(duplicates=1)), Findings.of(Numbers(stuck=1))
    assert twice == Findings(1, Numbers(duplicates=1), 1, ((), None, None, None))
    assert Findings.of(Numbers(in_review=1)) == (1, Numbers(in_review=1), 0, (None,) * 4)
    long, short = Findings().plus(twice, "A", "B"), Findings().plus(twice, "C")
    for found in (long.plus(short), short.plus(long)):
        assert found == (2, Numbers(duplicates=2), 2, (("C",), None, None, None))
    both = Findings().plus(stuck, "D").plus(short, "E", "F")
    assert both.shortest == (("E", "F", "C"), None, None, ("D",))
    assert both.plus(Findings.of(Numbers())) == both._replace(runs=3)
