"""The small world: everything can be taken back, a scene is a text, and times are exact."""

import pytest

from lab.faults import crashes, schedules
from lab.faults.clock import SECOND_MS
from lab.faults.crashes import live
from lab.faults.world import (
    A_DAY_MS,
    ACTION,
    OTHERS,
    SETTINGS,
    START_MS,
    Scene,
    World,
    opened,
)
from lab.gateway import (
    CONTRACTS,
    PREPARED,
    Action,
    Fault,
    ReadbackUnavailable,
    ResponseLost,
    Verdict,
)
from tests.faults.moments import truth

EVERY = [
    scene
    for contract in CONTRACTS
    for explored in (crashes, schedules)
    for scene in explored.scenes(contract)
]


def do_a_lot(world: World) -> None:
    live(world)
    world.provider.land_early()
    world.wait(world.clock.time + A_DAY_MS)
    live(world)
    world.provider.enter_by_hand(OTHERS["another kind"])
    world.heard = not world.heard


def do_a_lot_and_fail(world: World) -> None:
    with world.rewound():
        do_a_lot(world)
        raise ZeroDivisionError


# --- what was done is taken back


@pytest.mark.parametrize("scene", ["readable LATE plain new", "searchable NONE alike prepared"])
def test_everything_that_was_done_is_taken_back(scene: str) -> None:
    with World(Scene.read(scene)) as world:
        before = truth(world), world.state()
        with world.rewound():
            do_a_lot(world)
            assert truth(world) != before[0]
            assert world.row() is not None
            assert world.provider.requests()
        assert (truth(world), world.state()) == before


def test_what_was_done_before_stays() -> None:
    with World(Scene("readable", ("LATE",))) as world:
        live(world)
        world.heard = True
        before = truth(world)
        with world.rewound():
            do_a_lot(world)
        assert truth(world) == before
        assert world.heard
        assert opened(world.row())


def test_taking_back_nests() -> None:
    with World(Scene("keyed", ("RESPONSE_LOST",))) as world:
        outside = truth(world)
        with world.rewound():
            live(world)
            inside = truth(world)
            with world.rewound():
                do_a_lot(world)
            assert truth(world) == inside
        assert truth(world) == outside


def test_an_error_takes_it_back_too_and_is_passed_on() -> None:
    with World(Scene("keyed")) as world:
        before = truth(world)
        with pytest.raises(ZeroDivisionError):
            do_a_lot_and_fail(world)
        assert truth(world) == before


def test_the_same_goes_on_in_the_same_way_after_it_was_taken_back() -> None:
    with World(Scene("readable", ("LATE",))) as world:
        with world.rewound():
            do_a_lot(world)
            once = truth(world)
        do_a_lot(world)
        assert truth(world) == once


# --- scenes


@pytest.mark.parametrize("scene", EVERY, ids=str)
def test_a_scene_is_read_back_as_it_is_printed(scene: Scene) -> None:
    assert Scene.read(str(scene)) == scene


def test_a_scene_without_faults_is_printed_as_one_in_which_nothing_goes_wrong() -> None:
    assert str(Scene("keyed")) == "keyed NONE plain new"
    assert str(Scene("blind", ("REFUSED", "LATE"), "silent", True)) == (
        "blind REFUSED,LATE silent prepared"
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "four words"),
        ("keyed NONE plain", "four words.*'keyed NONE plain'"),
        ("keyed NONE plain new again", "four words"),
        ("stripe NONE plain new", "stripe is none of keyed, readable, searchable, blind"),
        ("keyed OOPS plain new", "OOPS is none of NONE, REFUSED"),
        ("keyed NONE,none plain new", "none is none of NONE"),
        ("keyed NONE odd new", "odd is none of plain, silent, taken, alike"),
        ("keyed NONE plain old", "old is none of new, prepared"),
        ("keyed NONE, LATE plain new", "four words"),
    ],
)
def test_a_text_that_is_no_scene_is_refused_with_what_is_wrong(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Scene.read(text)


# --- settings


@pytest.mark.parametrize("contract", CONTRACTS)
@pytest.mark.parametrize("setting", SETTINGS)
def test_nothing_that_stands_there_before_is_ours(contract: str, setting: str) -> None:
    with World(Scene(contract, (), setting)) as world:
        assert world.effects() == []
        assert world.row() is None
        assert world.clock.time == START_MS
        assert len(world.provider.effects()) == {"taken": 1, "alike": 2}.get(setting, 0)
        assert not world.harm_is_done(world.state())
        assert world.numbers().duplicates == 0


@pytest.mark.parametrize(
    ("contract", "setting", "verdict"),
    [
        ("keyed", "plain", Verdict.ABSENT),
        ("readable", "plain", Verdict.ABSENT),
        ("searchable", "plain", Verdict.ABSENT),
        ("keyed", "taken", Verdict.MISMATCH),
        ("readable", "taken", Verdict.MISMATCH),
        ("searchable", "taken", Verdict.ABSENT),  # it knows no keys
        ("searchable", "alike", Verdict.AMBIGUOUS),  # it shows nothing but the content
        ("readable", "alike", Verdict.ABSENT),
    ],
)
def test_a_setting_is_what_readback_shows(contract: str, setting: str, verdict: Verdict) -> None:
    with World(Scene(contract, (), setting)) as world:
        assert world.provider.readback(ACTION).verdict is verdict


def test_a_silent_provider_says_nothing_and_does_what_it_is_told() -> None:
    with World(Scene("keyed", (), "silent")) as world:
        assert live(world).said == "SETTLED, sent"
        with pytest.raises(ReadbackUnavailable):
            world.provider.readback(ACTION)


def test_a_prepared_action_is_known_before_the_first_worker_comes() -> None:
    with World(Scene("keyed", prepared=True)) as world:
        row = world.row()
        assert row is not None
        assert (row.state, row.attempts, row.updated_at) == (PREPARED, 0, START_MS)


def test_the_faults_befall_one_attempt_each_whatever_name_it_goes_by() -> None:
    renamed = Action(f"{ACTION.key}:try-2", ACTION.kind, ACTION.payload)
    with World(Scene("readable", ("NONE", "RESPONSE_LOST"))) as world:
        assert world.provider.perform(ACTION, 1) == world.provider.given == "readable-1"
        with pytest.raises(ResponseLost):
            world.provider.perform(renamed, 2)
        assert world.provider.given == ""
        assert [done["key"] for done in world.effects()] == [ACTION.key] * 2
        assert world.harm_is_done(world.state())


@pytest.mark.parametrize("fault", Fault)
def test_every_fault_can_be_a_scene(fault: Fault) -> None:
    arrive = {"never arrives": 0, "executed twice": 2}
    with World(Scene("readable", (fault.name,))) as world:
        live(world)
        assert len(world.provider.requests()) == arrive.get(str(fault.value[0]), 1)


# --- times


def test_nothing_changes_by_itself_where_no_attempt_is_open() -> None:
    for scene in (Scene("keyed"), Scene("keyed", prepared=True), Scene("keyed", ("REFUSED",))):
        with World(scene) as world:
            live(world)
            assert world.next_moment(world.state()) is None


@pytest.mark.parametrize(
    ("contract", "after_s"),
    [
        ("readable", [30, 30.001, 90, 90.001]),
        ("searchable", [30, 30.001, 90, 90.001, 390, 390.001]),
        ("blind", [30, 30.001]),
    ],
)
def test_the_moments_of_an_open_attempt_come_one_after_the_other(
    contract: str, after_s: list[float]
) -> None:
    with World(Scene(contract, ("REQUEST_LOST",))) as world:
        live(world, 4)  # it begins, and dies: its send_by stays half a minute ahead
        moments = []
        while (moment := world.next_moment(world.state())) is not None:
            world.wait(moment)
            moments.append((moment - START_MS) / SECOND_MS)
        assert moments == after_s


def test_the_moment_at_which_a_list_shows_an_effect_is_one_that_matters() -> None:
    with World(Scene("searchable", ("NONE",))) as world:
        live(world)
        shown = START_MS + CONTRACTS["searchable"].visibility_ms
        assert world.next_moment(world.state()) == shown
        world.wait(shown)
        assert world.next_moment(world.state()) is None


@pytest.mark.parametrize("contract", ["keyed", "readable", "searchable"])
def test_a_late_request_arrives_strictly_after_its_bound(contract: str) -> None:
    bound = CONTRACTS[contract].in_flight_ms
    assert bound is not None
    with World(Scene(contract, ("LATE",))) as world:
        live(world)
        assert world.state().late is not None
        world.wait(START_MS + bound)
        assert world.effects() == []  # who looks at the very moment is too early
        world.wait(START_MS + bound + 1)
        [done] = world.effects()
        assert done["at"] == START_MS + bound
        assert world.state().late is None


def test_what_is_on_its_way_may_arrive_now_and_then_does_not_arrive_again() -> None:
    with World(Scene("readable", ("LATE",))) as world:
        live(world)
        world.wait(START_MS + 5 * SECOND_MS)
        world.provider.land_early()
        [done] = world.effects()
        assert done["at"] == START_MS + 5 * SECOND_MS
        world.provider.land_early()
        world.wait(START_MS + A_DAY_MS)
        assert len(world.effects()) == 1


def test_after_a_day_the_latest_request_has_arrived_whatever_the_contract() -> None:
    for contract in CONTRACTS:
        with World(Scene(contract, ("LATE",))) as world:
            live(world)
            world.wait(world.clock.time + A_DAY_MS)
            assert len(world.effects()) == 1, contract
