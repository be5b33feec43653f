"""Gateways that only look good: each shows in one of the five numbers."""

from collections.abc import Callable
from typing import Any

import pytest

from lab.faults.crashes import CrashExplorer
from lab.faults.gateways import SAFE, Around, Gateway
from lab.faults.numbers import Numbers
from lab.faults.schedules import Moment, ScheduleExplorer, Worker, move
from lab.faults.story import Line, replay
from lab.faults.world import Scene, World
from lab.gateway import Action, KeyReused, Ledger, Outcome, Provider, execute


def says_settled(action: Action, ledger: Ledger, provider: Provider, *parts: Any) -> Outcome:
    """Do all of it rightly, and report success whatever it came to."""
    outcome = execute(action, ledger, provider, *parts)
    return outcome._replace(state="SETTLED", path="sent", receipt="keyed-1")


def sends_and_refuses(action: Action, ledger: Ledger, provider: Provider, *parts: Any) -> Outcome:
    """Refuse a reused key, after the message was sent."""
    try:
        return execute(action, ledger, provider, *parts)
    except KeyReused:
        provider.perform(action, 1)
        raise


def works_and_breaks(action: Action, ledger: Ledger, provider: Provider, *parts: Any) -> Outcome:
    """Do all of it rightly, and never say so."""
    execute(action, ledger, provider, *parts)
    raise MemoryError


def goes_round(action: Action, ledger: Ledger, provider: Provider, *parts: Any) -> Outcome:
    """Look, and look again."""
    while True:
        ledger.find(action)


def writes_elsewhere(action: Action, ledger: Ledger, provider: Provider, *parts: Any) -> Outcome:
    """Keep nothing that is on the disk, and report as if it did."""
    return Outcome(action.key, "UNKNOWN", 1, "hold", None)


WICKED: list[tuple[Callable[..., Outcome], str]] = [
    (says_settled, "falsely settled"),
    (sends_and_refuses, "lost"),
    (works_and_breaks, "stuck"),
    (goes_round, "stuck"),
    (writes_elsewhere, "lost"),
]


@pytest.mark.parametrize(("dispatch", "number"), WICKED)
@pytest.mark.parametrize("explorer", [CrashExplorer, ScheduleExplorer])
def test_a_gateway_that_only_looks_good_is_found_out(
    dispatch: Callable[..., Outcome], number: str, explorer: Any
) -> None:
    gateway = Gateway("wicked", "looks good", number, dispatch=dispatch)
    with World(Scene("searchable", ("RESPONSE_LOST",)), gateway) as world:
        explored = explorer(world).explore()
        found = explored if explorer is ScheduleExplorer else explored[-1]
    assert found.numbers[Numbers.names().index(number)] > 0


class ThroughGet(Around):
    """Finds a row by `get` alone."""

    def find(self, action: Action) -> Any:
        """Look the key up."""
        return self._inner.get(action.key)


def test_reading_by_get_is_a_step_so_a_race_after_it_is_seen() -> None:
    def reads(action: Action, ledger: Ledger, provider: Provider, *parts: Any) -> Outcome:
        through: Any = ThroughGet(ledger)
        return execute(action, through, provider, *parts)

    with World(Scene("readable"), SAFE._replace(dispatch=reads)) as world:
        through_get = ScheduleExplorer(world).explore(at_most=8)
    with World(Scene("readable"), SAFE) as world:
        through_find = ScheduleExplorer(world).explore(at_most=8)
    assert through_get.runs == through_find.runs


def test_two_places_of_one_function_with_the_same_in_hand_are_two() -> None:
    def looks_twice(action: Action, ledger: Ledger, provider: Provider, *parts: Any) -> Outcome:
        ledger.find(action)
        ledger.find(action)
        return execute(action, ledger, provider, *parts)

    with World(Scene("readable"), SAFE._replace(dispatch=looks_twice)) as world:
        places = []
        worker: Worker | None = Worker("A")
        for _ in range(2):
            assert worker is not None
            worker = move(world, worker).worker
            assert worker is not None
            places.append(worker.place)
        assert places[0] != places[1]


def test_a_call_that_the_gateway_does_not_make_is_told_by_its_name() -> None:
    def reads(action: Action, ledger: Ledger, provider: Provider, *parts: Any) -> Outcome:
        ledger.get(action.key)
        ledger.rows()
        return execute(action, ledger, provider, *parts)

    line = Line("lives", SAFE._replace(dispatch=reads), Scene("readable"), ("-",))
    whats = [beat.what for beat in replay(line).beats]
    assert whats[:2] == ["ledger.get: nothing is there", "ledger.rows: []"]


def test_two_workers_that_may_send_until_different_moments_are_two() -> None:
    with World(Scene("readable"), SAFE) as world:
        early = move(world, move(world, Worker("A")).worker or Worker("A")).worker
    with World(Scene("readable"), SAFE) as world:
        world.clock.advance(7)
        late = move(world, move(world, Worker("A")).worker or Worker("A")).worker
        assert early is not None
        assert late is not None
        assert early.place == late.place
        assert late.times == tuple(moment + 7 for moment in early.times)
        keys = {Moment((worker,)).key(world, alike=True) for worker in (early, late)}
        assert len(keys) == 2
