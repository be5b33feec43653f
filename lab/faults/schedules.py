"""The schedule explorer: two workers and an operator on one key, in every order of their steps.

Between any two steps time may pass, a request that is on its way may arrive, or a worker may die.
No thread is needed: what a worker does next follows from the answers it has had, so a worker is
its answers, and is brought to life again whenever it moves.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import partial
from types import FrameType
from typing import Any, NamedTuple

from lab.faults.crashes import CrashExplorer, makes_a_difference
from lab.faults.findings import Findings
from lab.faults.gateways import SAFE, Around, Gateway
from lab.faults.steps import STEPS, Answer
from lab.faults.world import ACTION, START_MS, Scene, State, World, essence, from_now
from lab.gateway import CONTRACTS, REVIEW, VERDICTS, Action, Readback, Row
from lab.gateway.errors import DecisionRefused, VersionConflict

WORKERS = ("A", "B")
CRASHES = 1
ANSWERS = 80  # a worker that has had so many goes round in circles
LOOKS = 2  # a person who came too early comes once more
# Refused at once; done, heard or not; never arrived; late; and a rejection that was not heard, or a
# refusal, before an attempt that is late. To other workers the other faults are like one of these.
ENDS = (
    ("NONE",),
    ("REFUSED",),
    ("REQUEST_LOST",),
    ("RESPONSE_LOST",),
    ("LATE",),
    ("EMPTY_RECEIPT",),
    ("REFUSED", "LATE"),
    ("REJECTION_LOST", "LATE"),
)
TIME, ARRIVAL, OPERATOR, REST = "+", "late", "O", "rest"


class Worker(NamedTuple):
    """A worker in the middle of `execute`: its name, and every answer that it has had.

    ``place`` is where in the code it is held, and with what in hand: that decides how it goes on.
    ``times`` are the moments (ms) among what it has in hand.
    """

    name: str
    answers: tuple[Answer, ...] = ()
    place: Hashable = None
    times: tuple[int, ...] = ()


class Held(BaseException):
    """The worker is held before its next step. No ``except Exception`` sees it."""

    def __init__(self, place: Hashable) -> None:
        super().__init__()
        self.place = place


class Line:
    """Between a worker and the world: gives the answers it has had, then lets one step through."""

    def __init__(self, answers: Iterable[Answer], hand: Hand) -> None:
        self.answers = list(answers)
        self.hand = hand
        self.told = 0  # how many of them the worker has heard again
        self.made = ""  # the step that was let through

    def call(self, step: str, make: Callable[..., Any], *values: Any, **named: Any) -> Any:
        """Answer a call of the worker, or hold it there."""
        if self.told == len(self.answers):
            is_step = step.partition(".")[2] in STEPS
            if self.made:
                if is_step:
                    raise Held(self.hand.place(sys._getframe(1)))
                return make(*values, **named)  # it looks ahead; when it goes on, it asks again
            self.made = step if is_step else ""
            try:
                self.answers.append(Answer(step, make(*values, **named)))
            except Exception as error:
                self.answers.append(Answer(step, error=error))
        heard = self.answers[self.told]
        self.told += 1
        if heard.error is not None:
            raise heard.error.with_traceback(None)
        return heard.value


class OnLine:
    """A ledger or a provider at the other end of a line."""

    def __init__(self, line: Line, name: str, inner: Any) -> None:
        self._line, self._name, self._inner = line, name, inner

    def __getattr__(self, attribute: str) -> Any:
        found = getattr(self._inner, attribute)
        if not callable(found):
            return found
        return partial(self._line.call, f"{self._name}.{attribute}", found)


class Moved(NamedTuple):
    """One step of a worker: what it did, what it was told, and the worker that is left."""

    step: str
    told: Answer | None
    worker: Worker | None  # None: `execute` has ended
    said: str = ""  # its outcome, or the error that ended it


def move(world: World, worker: Worker) -> Moved:
    """Let a worker make its next step, and hold it before the one after that."""
    line = Line(worker.answers, Hand(world))
    ledger: Any = OnLine(line, "ledger", world.ledger)
    provider: Any = OnLine(line, "provider", world.provider)
    try:
        outcome = world.gateway.execute(ACTION, ledger, provider)
    except Held as held:
        if len(line.answers) <= ANSWERS:
            left = Worker(worker.name, tuple(line.answers), held.place, tuple(line.hand.times))
            return Moved(line.made, line.answers[-1], left)
        said, world.raised = "Endless: it goes round in circles", True
    except Exception as error:
        said, world.raised = f"{type(error).__name__}: {error}", True
    else:
        receipts = [told.value for told in line.answers if told.step == "provider.perform"]
        world.hear(outcome, any(receipts))
        said = f"{outcome.state}, {outcome.path}"
    return Moved(line.made, line.answers[-1] if line.answers else None, None, said)


class Hand:
    """Tells what somebody has in hand as something that can be compared, and the times in it.

    A number as large as the time is taken for a time. What a function holds must be in a variable:
    a value in the middle of an expression, and the place in a ``for`` loop, are not seen.
    """

    def __init__(self, world: World) -> None:
        self.contract = world.contract
        self.rows = world.rows_told
        self.times: list[int] = []

    def place(self, frame: FrameType | None) -> Hashable:
        """Tell where a worker is held, function by function, and the values of its variables."""
        place = []
        while frame is not None and frame.f_code is not move.__code__:
            place.append((frame.f_code, frame.f_lasti, self.named(frame.f_locals)))
            frame = frame.f_back
        return tuple(place)

    def holds(self, value: Any) -> Hashable:
        """Tell what one variable holds.

        What cannot be compared by its value equals nothing but itself: less is taken for the same.
        """
        if isinstance(value, int) and value >= START_MS:
            self.times.append(value)
            return "a time"
        if type(value) in IN_HAND:
            return IN_HAND[type(value)](self, value)
        if isinstance(value, Exception):
            return type(value), str(value)
        if isinstance(value, Around):
            return type(value), self.named(vars(value))
        comparable: Hashable = value if isinstance(value, Hashable) else object()
        return comparable

    def row(self, value: Row) -> Hashable:
        """Tell what a row says; its times are put with the others."""
        if value not in self.rows:
            row = essence(value, self.contract)
            times = [moment for moment in (row.send_by, row.retry_since) if moment is not None]
            told = row._replace(send_by=None, retry_since=None), row.send_by is None
            self.rows[value] = told, times
        known: tuple[Hashable, list[int]] = self.rows[value]
        self.times += known[1]
        return known[0]

    def each(self, values: Iterable[Any]) -> Hashable:
        """Tell what each of many holds."""
        return tuple(map(self.holds, values))

    def named(self, values: Mapping[str, Any]) -> Hashable:
        """Tell what is held under each name."""
        return tuple(values), self.each(values.values())


IN_HAND: dict[type, Callable[[Hand, Any], Hashable]] = {
    tuple: Hand.each,
    list: Hand.each,
    Row: Hand.row,
    Readback: Hand.each,
    dict: lambda hand, value: "verdicts" if value is VERDICTS else hand.named(value),
    Action: lambda hand, value: (value.key, value.hash),
    Gateway: lambda hand, value: value.name,
    OnLine: lambda hand, value: "on line",  # the same for every worker
}


class Look(NamedTuple):
    """What the operator saw: the row, the receipts at the provider, and when (ms)."""

    row: Row
    receipts: tuple[str, ...]
    at: int


class Moment(NamedTuple):
    """What is not in the world: who is at work, and how far; what the operator has in hand."""

    workers: tuple[Worker, ...]
    looks: int = LOOKS
    look: Look | None = None

    def key(self, world: World, alike: bool) -> Hashable:
        """Return what decides how everybody goes on; times are told from now."""
        now = world.clock.time
        seen: Hashable = None
        if self.look is not None:
            row = from_now(essence(self.look.row, world.contract), now)
            seen = row, self.look.receipts, self.look.at - now
        workers = frozenset(
            ("" if alike else one.name, one.place, *(moment - now for moment in one.times))
            for one in self.workers
        )
        return len(self.workers), workers, self.looks, seen


def look(world: World) -> Look:
    """Let the operator look at the row, and at what the provider shows."""
    row = world.row()
    assert row is not None
    shown = world.clock.time - world.contract.visibility_ms
    seen = tuple(done["receipt"] for done in world.effects() if done["at"] <= shown)
    return Look(row, seen, world.clock.time)


def decide(world: World, seen: Look) -> str:
    """Let the operator act on a look: record what was found, or approve one more attempt."""
    desk = world.gateway.desk(world.ledger, "operator")
    try:
        if seen.receipts and not seen.receipts[0]:
            return "leaves it: it was done, and has no receipt"
        if seen.receipts:
            desk.record_receipt(seen.row, seen.receipts[0], "seen at the provider")
            return "records the receipt"
        desk.approve_attempt(seen.row, world.contract, "not at the provider", seen.at)
        return "approves one more attempt"
    except (DecisionRefused, VersionConflict) as refusal:
        return f"is refused: {refusal}"
    except Exception as error:
        world.raised = True
        return f"ends in {type(error).__name__}: {error}"


class ScheduleExplorer:
    """Explores one world: whatever may happen next is tried, and then whatever may happen next.

    Two schedules that lead to the same moment of the same world are one from there on. ``alike``:
    so are two that differ in who is A and who is B; their moves then go by either's names.
    """

    def __init__(self, world: World, alike: bool = False) -> None:
        self.world = world
        self.alike = alike
        self.first = Moment(tuple(map(Worker, WORKERS)))
        self.at_rest = CrashExplorer(world)
        self.known: dict[Hashable, Findings] = {}
        self.open: set[Hashable] = set()

    def explore(self, moment: Moment | None = None, at_most: int | None = None) -> Findings:
        """Return what every schedule comes to that goes on from here.

        ``at_most``: leave out those with more moves than that; None: leave out nothing.
        """
        moment = moment or self.first
        state = self.world.state()
        key = (state, moment.key(self.world, self.alike), at_most)
        if key in self.open:  # somebody goes round in circles
            return Findings.of(self.world.numbers()._replace(stuck=1))
        if key not in self.known:
            self.open.add(key)
            found = Findings()
            if self.world.harm_is_done(state):  # nothing can mend it: the shorter, the clearer
                found = Findings.of(self.world.numbers())
            elif at_most != 0:
                for token in tokens(self.world, moment, state):
                    with self.world.rewound():
                        found = found.plus(self._after(token, moment, at_most), token)
            self.known[key] = found
            self.open.remove(key)
        return self.known[key]

    def _after(self, token: str, moment: Moment, at_most: int | None) -> Findings:
        if token.endswith(REST):
            return self.at_rest.explore(0)[0]
        left = None if at_most is None else at_most - 1
        return self.explore(happen(self.world, moment, token), left)


def scenes(contract: str) -> Iterator[Scene]:
    """Yield what one contract is explored with: every way in which an attempt can end."""
    for faults in ENDS:
        yield Scene(contract, faults)
    yield Scene(contract, ("NONE",), prepared=True)
    for fault in ("NONE", "LATE") if makes_a_difference("silent", contract) else ():
        yield Scene(contract, (fault,), "silent")


def explore_schedules(
    gateway: Gateway = SAFE,
    contracts: Iterable[str] = tuple(CONTRACTS),
    at_most: int | None = None,
) -> Iterator[tuple[Scene, Findings]]:
    """Explore every scene of every contract, and yield what it came to."""
    for contract in contracts:
        for scene in scenes(contract):
            with World(scene, gateway) as world:
                found = ScheduleExplorer(world, alike=True).explore(at_most=at_most)
                if found.failed:  # once more, to tell who is who
                    found = ScheduleExplorer(world).explore(at_most=at_most)
                yield scene, found


def tokens(world: World, moment: Moment, state: State) -> Iterator[str]:
    """Name all that may happen next.

    A worker that dies changes nothing: it is one that never moves again. So those that are at work
    die at the end, when a new worker comes, and nowhere else: "A!rest". B may never have come.
    """
    at_work = [worker.name for worker in moment.workers if worker.answers]
    waiting = [worker.name for worker in moment.workers if not worker.answers]
    yield from (*at_work, *waiting[:1])  # they are alike: A is the one that comes first
    row = state.row
    asked = moment.look is not None or (
        moment.looks > 0 and row is not None and row.state == REVIEW
    )
    if asked:
        yield OPERATOR
    if len(at_work) <= CRASHES:
        yield "".join([*(f"{name}!" for name in at_work), REST])
    if (moment.workers or asked) and world.next_moment(state) is not None:
        yield TIME
    if state.late:
        yield ARRIVAL


def happen(world: World, moment: Moment, token: str) -> Moment:
    """Let one thing happen, by its token, and return the moment after it."""
    if token == TIME:
        world.wait(world.next_moment(world.state()) or world.clock.time)
    elif token == ARRIVAL:
        world.provider.land_early()
    elif token == OPERATOR and moment.look is None:
        return moment._replace(looks=moment.looks - 1, look=look(world))
    elif token == OPERATOR:
        assert moment.look is not None
        decide(world, moment.look)
        return moment._replace(look=None)
    else:
        [worker] = [one for one in moment.workers if one.name == token]
        others = tuple(one for one in moment.workers if one is not worker)
        after = move(world, worker).worker
        return moment._replace(workers=(*others, after) if after else others)
    return moment
