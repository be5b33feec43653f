"""Crash points: what one crash at each comes to, and the run that tells it."""

import pytest

from lab.faults.crashes import (
    LIVES,
    CrashExplorer,
    by_point,
    crash_at,
    crash_points,
    let_time_pass,
    live,
)
from lab.faults.edits import EDITS, GATEWAYS
from lab.faults.story import LIVES as KIND
from lab.faults.story import Line, replay
from lab.faults.world import Scene, World
from lab.gateway import CONTRACTS

PROMISED = (0, 0, 0, 0)
STEPS_OF_A_GOOD_RUN = ("ledger.find", "ledger.begin", "provider.perform", "ledger.settle")


def test_a_point_is_told_for_every_half_step_of_a_run_without_a_crash() -> None:
    with World(Scene("keyed")) as world:
        points = list(crash_points(world, CrashExplorer(world)))
    names = [f"{when} {step}" for step in STEPS_OF_A_GOOD_RUN for when in ("before", "after")]
    # The second worker, and the third after a day, only read the ledger.
    assert [name for name, _ in points] == names + ["before ledger.find", "after ledger.find"] * 2
    assert {found.runs for _, found in points} == {1}


def test_no_point_does_harm_and_only_the_blind_need_a_person_for_it() -> None:
    points = by_point()
    assert {f"{w} {s}" for s in STEPS_OF_A_GOOD_RUN for w in ("before", "after")} <= points.keys()
    for point, of in points.items():
        assert set(of) <= set(CONTRACTS)
        assert {found.numbers.harm for found in of.values()} == {PROMISED}, point
    for point, reviews in (
        ("after ledger.begin", (0, 0, 1, 1)),  # the search cannot prove that it is not there
        ("after provider.perform", (0, 0, 0, 1)),
        ("after ledger.settle", (0, 0, 0, 0)),
    ):
        assert tuple(points[point][name].numbers.in_review for name in CONTRACTS) == reviews, point


def test_the_point_that_does_harm_is_the_one_that_the_mistake_opens() -> None:
    points = by_point(EDITS["unknown_after_failure"], contracts=["readable"])
    harmful = {point for point, of in points.items() if any(of["readable"].numbers.harm)}
    assert harmful == {"after provider.perform", "before ledger.begin"}


def test_points_of_several_faults_are_added_up() -> None:
    one = by_point(faults=["NONE"], contracts=["keyed"])
    both = by_point(faults=["NONE", "RESPONSE_LOST"], contracts=["keyed"])
    assert both["after ledger.begin"]["keyed"].runs == 1 + one["after ledger.begin"]["keyed"].runs
    assert "after provider.readback" in both
    assert "after provider.readback" not in one


@pytest.mark.parametrize("edit", ["none", "settled_resent", "silence_is_failure"])
@pytest.mark.parametrize("fault", ["NONE", "RESPONSE_LOST"])
def test_the_run_of_a_point_has_one_crash_there_and_shows_the_harm_that_was_found(
    edit: str, fault: str
) -> None:
    gateway = GATEWAYS[edit]
    for point, of in by_point(gateway, [fault]).items():
        for contract, found in of.items():
            scene = Scene(contract, (fault,))
            moves = crash_at(point, scene, gateway)
            assert moves is not None
            [crash] = [move for move in moves if move != "-"]
            with World(scene, gateway) as world:
                for _ in range(moves.index(crash)):
                    before = world.state()
                    live(world)
                    let_time_pass(world, before, False)
                assert live(world, int(crash)).died == point
            told = replay(Line(KIND, gateway, scene, moves))
            assert told.over
            assert any(told.numbers.harm) is (found.failed > 0), (point, contract)
            if not found.failed and found.runs == 1:
                assert told.numbers == found.numbers


def test_a_point_that_nobody_comes_to_has_no_run() -> None:
    assert crash_at("after ledger.prepare", Scene("keyed")) is None
    assert crash_at("after provider.readback", Scene("keyed")) is None
    assert crash_at("after provider.readback", Scene("keyed", ("LATE",))) is not None


def test_of_several_workers_that_come_to_a_point_the_first_that_does_harm_dies() -> None:
    scene, edit = Scene("readable", ("RESPONSE_LOST",)), EDITS["silence_is_failure"]
    assert crash_at("after provider.perform", scene, edit) == ("-", "6")
    assert crash_at("after ledger.find", Scene("keyed")) == ("2", "-", "-", "-")


def test_a_run_that_never_comes_to_rest_is_cut_off() -> None:
    moves = crash_at(
        "before ledger.find", Scene("keyed", ("LATE",)), EDITS["nothing_before_the_call"]
    )
    assert moves == ("1", *["-"] * LIVES)
