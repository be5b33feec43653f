"""Replays one run from its line, and tells it: who did what, and what each side then knew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from lab.faults.beats import Beat, Recorder, seconds, short
from lab.faults.crashes import let_time_pass
from lab.faults.edits import GATEWAYS
from lab.faults.findings import Moves
from lab.faults.gateways import Gateway
from lab.faults.numbers import Effect, Numbers
from lab.faults.schedules import (
    ARRIVAL,
    OPERATOR,
    REST,
    TIME,
    Moment,
    Worker,
    decide,
    happen,
    look,
    move,
    tokens,
)
from lab.faults.world import START_MS, Scene, State, World
from lab.gateway import Row

LIVES, STEPS = "lives", "steps"


class Line(NamedTuple):
    """A run as one line: which gateway, in which scene, and what happened, move by move.

    ``kind`` is ``lives`` (each token a life: where it died, or ``-``) or ``steps`` (each token
    whoever moved).
    """

    kind: str
    gateway: Gateway
    scene: Scene
    moves: Moves

    def __str__(self) -> str:
        return f"{self.kind} {self.gateway.name} / {self.scene} / {' '.join(self.moves)}"

    @classmethod
    def read(cls, text: str) -> Line:
        """Read a line as it was printed.

        Raises:
            ValueError: it is no such line; the message says what is wrong.
        """
        parts = [part.split() for part in text.split("/")]
        if len(parts) != 3 or len(parts[0]) != 2:
            raise ValueError("a line has three parts: KIND GATEWAY / SCENE / MOVES")
        (kind, name), scene, moves = parts
        if kind not in (LIVES, STEPS):
            raise ValueError(f"{kind} is neither {LIVES} nor {STEPS}")
        if name not in GATEWAYS:
            raise ValueError(f"{name} is none of {', '.join(GATEWAYS)}")
        return cls(kind, GATEWAYS[name], Scene.read(" ".join(scene)), tuple(moves))


class Told(NamedTuple):
    """A run that was replayed: its beats, and the five numbers it ended with.

    ``over``: it came to rest, or did harm; else it was cut off in the middle. ``row`` is what the
    ledger knows at the end, ``effects`` and ``requests`` what the provider holds of ours.
    """

    beats: tuple[Beat, ...]
    numbers: Numbers
    over: bool = True
    row: Row | None = None
    effects: tuple[Effect, ...] = ()
    requests: tuple[Mapping[str, Any], ...] = ()


def replay(line: Line) -> Told:
    """Let a run happen again, and tell it.

    Raises:
        ValueError: a move of the line is not possible there; the message says which.
    """
    with World(line.scene, line.gateway) as world:
        teller = Teller(world)
        teller.lives(line.moves) if line.kind == LIVES else teller.steps(line.moves)
        over = teller.over or world.harm_is_done(world.state())
        sides = world.row(), tuple(world.effects()), tuple(world.provider.requests())
        return Told(tuple(teller.recorder.beats), world.numbers(), over, *sides)


class Teller:
    """Lets things happen in a world, and keeps what is to be told of them."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.recorder = Recorder(
            world.clock, world.row, world.effects, world.provider.requests, START_MS
        )
        self.born = 0  # how many workers there were
        self.over = False

    def lives(self, moves: Sequence[str]) -> None:
        """Let one worker after the other live, each as long as its token says.

        Raises:
            ValueError: a token is neither a half step nor ``-``.
        """
        day_over: bool | None = False
        for token in moves:
            if token != "-" and not (token.isascii() and token.isdigit()):
                raise ValueError(f"{token} is neither the number of a half step nor -")
            if day_over is None:
                raise ValueError("the run has come to rest before its line ends")
            before = self.world.state()
            if not self._live(None if token == "-" else int(token) // 2):
                raise ValueError(f"the worker comes to its end before half step {token}")
            if token == "-":
                day_over = self._wait(before, day_over)
        self.over = day_over is None

    def steps(self, moves: Sequence[str]) -> None:
        """Let happen what the tokens say, in their order.

        Raises:
            ValueError: a token names what cannot happen there.
        """
        moment = Moment(tuple(map(Worker, "AB")))
        left = iter(moves)
        for token in left:
            possible = list(tokens(self.world, moment, self.world.state()))
            if token not in possible:
                raise ValueError(f"{token} cannot happen there; what can: {', '.join(possible)}")
            if token.endswith(REST):
                for name in token.removesuffix(REST).split("!")[:-1]:
                    self.recorder.add(name, "dies", "dies")
                return self.lives(tuple(left))
            moment = self._happen(moment, token)
        return None

    def _happen(self, moment: Moment, token: str) -> Moment:
        if token == TIME:
            then, done = self.world.clock.time, len(self.world.effects())
            after = happen(self.world, moment, token)
            self.recorder.time(then, done)
            return after
        if token == ARRIVAL:
            after = happen(self.world, moment, token)
            self.recorder.add("", "late", "the request that was on its way arrives")
            return after
        if token == OPERATOR:
            return self._operator(moment)
        self.born = max(self.born, "AB".index(token) + 1)
        [worker] = [one for one in moment.workers if one.name == token]
        others = tuple(one for one in moment.workers if one is not worker)
        left = self._move(worker)
        return moment._replace(workers=(*others, left) if left else others)

    def _operator(self, moment: Moment) -> Moment:
        if moment.look is None:
            seen = look(self.world)
            named = " and ".join(receipt or "an effect without a name" for receipt in seen.receipts)
            found = f"sees {named or 'nothing there'}"
            self.recorder.add("operator", "looks", found)
            return moment._replace(looks=moment.looks - 1, look=seen)
        self.recorder.add("operator", "decides", decide(self.world, moment.look))
        return moment._replace(look=None)

    def _live(self, steps: int | None) -> bool:
        """Let a new worker make so many steps and die, or live until its end.

        Returns False where it came to its end before it was to die.
        """
        name, made = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[self.born % 26], 0
        said = self.world.said
        worker: Worker | None = Worker(name)
        self.born += 1
        while worker is not None and made != steps:
            worker, made = self._move(worker), made + 1
        if steps is None or made < steps:
            return steps is None
        if worker is None:  # it dies after its last step: it has not come to its end
            self.recorder.beats.pop()
            self.world.said = said
        self.recorder.add(name, "dies", "dies")
        return True

    def _wait(self, before: State, day_over: bool) -> bool | None:
        then, done = self.world.clock.time, len(self.world.effects())
        day_over_now = let_time_pass(self.world, before, day_over)
        if self.world.clock.time > then:
            self.recorder.time(then, done)
        return day_over_now

    def _move(self, worker: Worker) -> Worker | None:
        moved = move(self.world, worker)
        self.recorder.called(worker.name, moved.told, moved.step)
        if moved.worker is None:
            self.recorder.ended(worker.name, moved.said)
        return moved.worker


def written(told: Told) -> Iterator[str]:
    """Write a run as lines of text, narrow enough for a notebook, and then its numbers."""
    width = max((len(short(beat)) for beat in told.beats), default=0)
    yield f"{'':11}{'who':9}{'what':{width}} {'ledger':9}effects"
    at = None
    for beat in told.beats:
        when = "" if beat.at == at else seconds(beat.at)
        at = beat.at
        yield f"{when:>10} {beat.who:9}{short(beat):{width}} {beat.state or '-':9}{beat.effects}"
    yield (
        ", ".join(
            f"{name} {number}" for name, number in zip(Numbers.names(), told.numbers, strict=True)
        )
        if told.over
        else "(the run is not over)"
    )
