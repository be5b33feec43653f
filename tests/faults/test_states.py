"""What is the same world, and what a world has come to."""

from typing import Any

import pytest

from lab.faults.clock import SECOND_MS
from lab.faults.crashes import live
from lab.faults.edits import EDITS
from lab.faults.gateways import SAFE
from lab.faults.numbers import Numbers
from lab.faults.world import (
    A_DAY_MS,
    ACTION,
    Scene,
    World,
    essence,
    from_now,
    opened,
)
from lab.gateway import (
    CONTRACTS,
    REVIEW,
    SETTLED,
    UNKNOWN,
    ResponseLost,
    ReviewDesk,
)
from tests.faults.moments import truth


def test_the_same_at_another_time_is_the_same() -> None:
    states = []
    for wait in (0, 7 * SECOND_MS):
        with World(Scene("readable", ("LATE",), prepared=True)) as world:
            world.wait(world.clock.time + wait)
            live(world)
            states.append(world.state())
    assert states[0] == states[1]


@pytest.mark.parametrize("scene", ["readable LATE plain new", "searchable RESPONSE_LOST plain new"])
def test_who_waits_longer_is_somewhere_else(scene: str) -> None:
    with World(Scene.read(scene)) as world:
        live(world)
        before = world.state()
        world.wait(world.clock.time + 1)
        assert world.state() != before


def test_what_was_heard_what_was_rejected_and_what_was_done_make_a_state() -> None:
    with World(Scene("keyed", ("RESPONSE_LOST",))) as world:
        states = {world.state()}
        live(world, 6)
        states.add(world.state())
        world.heard = True
        states.add(world.state())
        assert len(states) == 3
        assert world.state().done == 1
    with World(Scene("keyed", ("REJECTION_LOST",))) as world:
        live(world)
        assert world.state().rejected == 1


def test_when_the_late_request_arrives_makes_a_state() -> None:
    states = []
    for before, later in ((0, 10), (10, 0)):
        with World(Scene("readable", ("LATE",))) as world:
            live(world, 4)
            world.wait(world.clock.time + before * SECOND_MS)
            with pytest.raises(ResponseLost):
                world.provider.perform(ACTION, 1)
            world.wait(world.clock.time + later * SECOND_MS)
            states.append(world.state())
    assert states[0]._replace(late=None) == states[1]._replace(late=None)
    assert states[0] != states[1]


def test_of_a_row_only_the_date_and_the_writer_are_left_out() -> None:
    with World(Scene("keyed", ("RESPONSE_LOST",))) as world:
        live(world)
        row = world.row()
        assert row is not None
        told = from_now(essence(row, world.contract), world.clock.time)
        changed = {
            name for name, was, is_now in zip(row._fields, row, told, strict=True) if was != is_now
        }
        assert changed == {"actor", "updated_at", "send_by", "retry_since"}
        assert (told.send_by, told.retry_since) == (0, 0)
        assert essence(row, CONTRACTS["readable"]).retry_since is None  # it never forgets


# --- what a world has come to


def test_a_good_run_comes_to_nought() -> None:
    with World(Scene("keyed")) as world:
        live(world)
        before = truth(world)
        assert world.numbers() == Numbers()
        assert truth(world) == before  # though other actions were brought under its key


def test_an_action_that_is_brought_and_never_taken_is_stuck() -> None:
    with World(Scene("keyed"), SAFE) as world:
        live(world, 2)
        assert world.numbers() == Numbers(stuck=1)


def test_where_harm_cut_a_run_short_nobody_waited_for_its_end() -> None:
    with World(Scene("readable", ("RESPONSE_LOST",))) as world:
        live(world)
        world.provider.perform(ACTION, 2)
        assert opened(world.row())
        assert world.numbers() == Numbers(duplicates=1)


@pytest.mark.parametrize(
    ("edit", "lost"), [("no_hash_check", 2), ("hash_ignores_kind", 1), ("settled_resent", 0)]
)
def test_what_passes_under_a_used_key_is_lost(edit: str, lost: int) -> None:
    with World(Scene("keyed"), EDITS[edit]) as world:
        live(world)
        assert world.numbers().lost == lost


def test_an_effect_that_the_ledger_does_not_know_is_lost() -> None:
    with World(Scene("readable"), EDITS["nothing_before_the_call"]) as world:
        live(world, 4)
        assert world.row() is None
        assert world.numbers().lost == 1


@pytest.mark.parametrize(("heard", "stuck"), [(False, 0), (True, 1)])
def test_review_of_what_was_heard_is_no_review_that_is_due(heard: bool, stuck: int) -> None:
    with World(Scene("blind", ("RESPONSE_LOST",))) as world:
        live(world)
        world.wait(world.clock.time + A_DAY_MS)
        live(world)
        world.heard = heard
        assert world.numbers() == Numbers(stuck=stuck, in_review=1)


def test_an_open_attempt_at_rest_is_stuck() -> None:
    with World(Scene("keyed", ("RESPONSE_LOST",))) as world:
        live(world)
        row = world.row()
        assert row is not None
        assert row.state == UNKNOWN
        assert world.numbers() == Numbers(stuck=1)


def test_harm_is_a_second_effect_or_a_false_claim_and_nothing_that_can_still_end_well() -> None:
    with World(Scene("readable", ("RESPONSE_LOST",))) as world:
        assert not world.harm_is_done(world.state())
        live(world)
        assert not world.harm_is_done(world.state())
        with world.rewound():
            world.provider.perform(ACTION, 2)
            assert world.harm_is_done(world.state())
        row: Any = world.row()
        with world.rewound():
            world.ledger.settle(row, "readable-7", "made up")
            assert world.harm_is_done(world.state())
        world.ledger.settle(row, "readable-1", "found")
        assert not world.harm_is_done(world.state())


def test_review_is_due_where_others_hold_what_could_be_ours() -> None:
    for scene, due in (
        ("readable REQUEST_LOST taken new", True),
        ("searchable RESPONSE_LOST alike new", True),
        ("readable REQUEST_LOST plain new", False),
    ):
        with World(Scene.read(scene)) as world:
            live(world)
            row: Any = world.row()
            if row.state != REVIEW:
                world.ledger.change(row, REVIEW, "a person should look")
            assert (world.numbers().stuck == 0) is due, scene


def test_a_person_who_settles_it_ends_the_review() -> None:
    with World(Scene("blind", ("RESPONSE_LOST",))) as world:
        live(world)
        world.wait(world.clock.time + A_DAY_MS)
        live(world)
        row: Any = world.row()
        ReviewDesk(world.ledger, "operator").record_receipt(row, "blind-1", "seen")
        settled = world.row()
        assert settled is not None
        assert settled.state == SETTLED
        assert world.numbers() == Numbers()
