"""What may happen next, and what an operator does."""

from lab.faults.schedules import (
    ARRIVAL,
    LOOKS,
    OPERATOR,
    REST,
    TIME,
    decide,
    happen,
    look,
)
from lab.faults.world import Scene, World
from lab.gateway import CONTRACTS, PREPARED, REVIEW, SETTLED
from tests.faults.moments import after, first, possible, state_of


def test_they_are_alike_so_a_is_the_one_that_comes_first() -> None:
    with World(Scene("keyed")) as world:
        assert possible(world, first()) & {"A", "B"} == {"A"}
        assert possible(world, after(world, "A")) & {"A", "B"} == {"A", "B"}


def test_a_new_worker_comes_where_at_most_one_dies() -> None:
    with World(Scene("keyed")) as world:
        assert "A!rest" in possible(world, after(world, "A"))  # B never comes
    with World(Scene("keyed")) as world:
        both = after(world, "A B")
        assert not any(token.endswith(REST) for token in possible(world, both))
    with World(Scene("keyed")) as world:
        assert possible(world, after(world, "A B B B B")) == {"A", "A!rest"}
    with World(Scene("keyed")) as world:
        assert possible(world, after(world, "A A A A B")) == {REST}


def test_time_matters_while_an_attempt_is_open() -> None:
    with World(Scene("keyed")) as world:
        assert TIME not in possible(world, first())
        assert TIME in possible(world, after(world, "A A"))


def test_a_late_request_may_arrive_early() -> None:
    with World(Scene("readable", ("LATE",))) as world:
        moment = after(world, "A A A")
        assert ARRIVAL in possible(world, moment)
        assert world.effects() == []
        moment = happen(world, moment, ARRIVAL)
        assert len(world.effects()) == 1
        assert ARRIVAL not in possible(world, moment)


def test_an_operator_comes_where_a_row_waits_for_one_and_so_often() -> None:
    with World(Scene("blind", ("RESPONSE_LOST",))) as world:
        moment = after(world, "A A A A + B B")
        assert OPERATOR not in possible(world, moment)
        moment = happen(world, moment, "B")
        assert state_of(world) == REVIEW
        for looks in range(LOOKS, 0, -1):
            assert moment.looks == looks
            assert OPERATOR in possible(world, moment)
            with world.rewound():
                moment = happen(world, moment, OPERATOR)
                assert moment.look is not None
                moment = happen(world, moment, OPERATOR)
                assert moment.look is None
        assert OPERATOR not in possible(world, moment)


def in_review(scene: Scene) -> World:
    """Return a world whose row waits for a person; whoever asks for it closes it."""
    world = World(scene)
    after(world, "A A A A + B B B")
    assert state_of(world) == REVIEW
    return world


def test_a_person_who_sees_the_effect_records_its_receipt() -> None:
    with in_review(Scene("blind", ("RESPONSE_LOST",))) as world:
        seen = look(world)
        assert seen.receipts == ("blind-1",)
        assert decide(world, seen) == "records the receipt"
        assert state_of(world) == SETTLED


def test_a_person_who_comes_too_early_is_refused_and_later_may_approve() -> None:
    with in_review(Scene("readable", ("REQUEST_LOST",), "silent")) as world:
        assert look(world).receipts == ()
        assert decide(world, look(world)).startswith("is refused: ")
        row = world.row()
        assert row is not None
        assert row.send_by is not None
        world.wait(CONTRACTS["readable"].last_moment(row.send_by))
        assert decide(world, look(world)).startswith("is refused: ")  # at the very last moment
        world.wait(world.clock.time + 1)
        assert decide(world, look(world)) == "approves one more attempt"
        assert state_of(world) == PREPARED


def test_where_no_bound_is_known_a_person_may_not_approve() -> None:
    with in_review(Scene("blind", ("REQUEST_LOST",))) as world:
        world.wait(world.clock.time + 10**9)
        assert decide(world, look(world)).startswith("is refused: ")


def test_a_person_whose_row_was_moved_meanwhile_is_refused() -> None:
    with in_review(Scene("blind", ("RESPONSE_LOST",))) as world:
        seen = look(world)
        assert decide(world, seen) == "records the receipt"
        assert "refused" in decide(world, seen._replace(receipts=()))
        assert state_of(world) == SETTLED


def test_a_person_leaves_alone_what_was_done_and_has_no_receipt() -> None:
    with in_review(Scene("blind", ("EMPTY_RECEIPT",))) as world:
        assert decide(world, look(world)).startswith("leaves it")
        assert state_of(world) == REVIEW


def test_a_person_sees_in_a_list_only_what_it_shows_by_then() -> None:
    with World(Scene("searchable", ("RESPONSE_LOST",), prepared=True)) as world:
        after(world, "A A A A")
        assert look(world).receipts == ()
        world.wait(world.clock.time + CONTRACTS["searchable"].visibility_ms)
        assert look(world).receipts == ("searchable-1",)
