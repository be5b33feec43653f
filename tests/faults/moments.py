"""How the tests of the explorers move a world, and look at it."""

from collections.abc import Hashable

from lab.faults.schedules import (
    Moment,
    Worker,
    happen,
    tokens,
)
from lab.faults.world import (
    World,
)


def first() -> Moment:
    return Moment((Worker("A"), Worker("B")))


def after(world: World, moves: str) -> Moment:
    """Let happen what the tokens say; each of them must be possible there."""
    moment = first()
    for token in moves.split():
        assert token in tokens(world, moment, world.state()), token
        moment = happen(world, moment, token)
    return moment


def possible(world: World, moment: Moment) -> set[str]:
    return set(tokens(world, moment, world.state()))


def state_of(world: World) -> str | None:
    row = world.row()
    return row.state if row else None


def truth(world: World) -> Hashable:
    """Return everything that is held anywhere."""
    tables = [
        (store, name)
        for store in (world.ledger, world.provider)
        for (name,) in store._all("SELECT name FROM sqlite_master WHERE type = 'table'")
    ]
    held = tuple((name, tuple(store._all(f"SELECT * FROM {name}"))) for store, name in tables)
    events = repr(world.ledger.events()), repr(world.ledger.counts())
    return world.clock.time, world.heard, held, events
