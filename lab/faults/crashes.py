"""The crash explorer: die at every step, start again, die again, and see what the world came to."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import count
from typing import Any, NamedTuple

from lab.faults.findings import Findings, Moves
from lab.faults.gateways import SAFE, Gateway
from lab.faults.steps import HALF_STEPS, Crash, Endless, Hook, Stepped
from lab.faults.world import A_DAY_MS, ACTION, SETTINGS, Scene, State, World
from lab.gateway import CONTRACTS, Fault, Reading

CRASHES = 3
LIVES = 40  # the gateway comes to rest in less than half as many; an unsafe one may never
# An adapter that sends twice by itself can be found, but not be mended by any gateway.
FAULTS = tuple(fault.name for fault in Fault if fault is not Fault.SENT_TWICE)
# After these a second attempt may come; and what may befall that one.
TRY_AGAIN = ("REFUSED", "REJECTION_LOST", "REQUEST_LOST")
THEN = ("NONE", "REJECTION_LOST", "REQUEST_LOST", "RESPONSE_LOST", "LATE")


class Life(NamedTuple):
    """One call of `execute`, from its start to its end: how many half steps, and where it died."""

    half_steps: int
    died: str = ""  # "after provider.perform", or empty where it came to its end
    said: str = ""  # its outcome, or the error that ended it


def live(world: World, die_at: int | None = None, watch: Hook | None = None) -> Life:
    """Let a new worker do the action; it dies at a half step, counted from 1, if told so.

    A half step is the moment before, or after, a call of the ledger or of the provider; ``watch``
    is called at each.
    """
    passed: list[str] = []

    def hook(when: str, step: str) -> None:
        passed.append(f"{when} {step}")
        if len(passed) in (die_at, HALF_STEPS):
            raise Crash if len(passed) == die_at else Endless("it goes round in circles")
        if watch:
            watch(when, step)

    ledger: Any = Stepped(world.ledger, "ledger", hook)
    provider: Any = Stepped(world.provider, "provider", hook)
    world.provider.given = ""
    try:
        outcome = world.gateway.execute(ACTION, ledger, provider)
    except (Endless, Exception) as error:
        world.raised = True
        return Life(len(passed), said=f"{type(error).__name__}: {error}")
    except Crash:
        return Life(len(passed), died=passed[-1])
    world.hear(outcome, bool(world.provider.given))
    return Life(len(passed), said=f"{outcome.state}, {outcome.path}")


def let_time_pass(world: World, before: State, day_over: bool) -> bool | None:
    """Wait until the next worker comes: not at all, to the next moment that matters, or a day.

    ``before`` is the state in which the last one came. Returns whether the day is over now, or
    None where nothing is left to wait for.
    """
    state = world.state()
    if state != before:
        return day_over
    moment = world.next_moment(state)
    if moment is None and day_over:
        return None
    world.wait(world.clock.time + A_DAY_MS if moment is None else moment)
    return day_over or moment is None


ByCrashes = tuple[Findings, ...]
"""What is found with no crash left, with one crash left at most, with two, and so on."""


class CrashExplorer:
    """Explores one world: every life may die at every half step, as long as crashes are left.

    What two runs leave behind may be the same; from there on they are one.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.known: dict[Hashable, ByCrashes] = {}

    def explore(self, crashes: int = CRASHES, day_over: bool = False, life: int = 1) -> ByCrashes:
        """Return what every run comes to that begins with a new worker, here."""
        state = self.world.state()
        known = self.known.get((state, day_over), ())
        if len(known) <= crashes:
            if self.world.harm_is_done(state) or life > LIVES:  # no run can mend it, or none ends
                known = self._end(crashes, restless=life > LIVES)
            else:
                known = self._try_all(state, crashes, day_over, life)
            self.known[state, day_over] = known
        return known

    def _try_all(self, state: State, crashes: int, day_over: bool, life: int) -> ByCrashes:
        died: list[ByCrashes | None] = [None]  # before the first step: all is as it was

        def go_on_without(when: str, step: str) -> None:
            """Explore what follows if the worker dies here; then let it live on."""
            if when == "after" and crashes:  # just before the next step is no different
                with self.world.rewound():
                    same = self.world.state() == state
                    died.extend(
                        2 * [None if same else self.explore(crashes - 1, day_over, life + 1)]
                    )

        with self.world.rewound():
            live(self.world, watch=go_on_without)
            waited = let_time_pass(self.world, state, day_over)
            lived = (
                self._end(crashes) if waited is None else self.explore(crashes, waited, life + 1)
            )
        return together(died[:-1], lived, crashes)  # there is no step after the last one

    def _end(self, crashes: int, restless: bool = False) -> ByCrashes:
        numbers = self.world.numbers()
        numbers = numbers._replace(stuck=1) if restless else numbers
        return (Findings.of(numbers),) * (crashes + 1)


def together(died: Sequence[ByCrashes | None], lived: ByCrashes, crashes: int) -> ByCrashes:
    """Add up the runs of a life that died at each half step, or did not.

    None stands for a death that left all as it was: the same once more, with one crash less.
    """
    found: list[Findings] = []
    for left in range(crashes + 1):
        one = Findings().plus(lived[left], "-")
        for die_at, after in enumerate(died, 1) if left else ():
            one = one.plus((after or found)[left - 1], str(die_at))
        found.append(one)
    return tuple(found)


Visit = Callable[[str, Moves, bool], None]
"""Called with a point ("after provider.perform"), the moves up to a death there, and whether the
day is over then; the worker has died, and what is done now is taken back."""


def crash_points(world: World, explorer: CrashExplorer) -> list[tuple[str, Findings]]:
    """Return, for every half step of a run without a crash, what a crash there comes to."""
    found: list[tuple[str, Findings]] = []
    at_each_half_step(
        world,
        lambda point, moves, day_over: found.append((point, explorer.explore(0, day_over)[0])),
    )
    return found


def crash_at(point: str, scene: Scene, gateway: Gateway = SAFE) -> Moves | None:
    """Return the run whose one crash is at a point, as its moves; None: nobody comes there.

    If several workers come there, it is the first run that does harm, or else the first of all.
    """
    found: list[tuple[bool, Moves]] = []
    with World(scene, gateway) as world:

        def go_on(at: str, moves: Moves, day_over: bool) -> None:
            if at == point:
                after = at_each_half_step(world, day_over=day_over)
                found.append((not any(world.numbers().harm), (*moves, *after)))

        at_each_half_step(world, go_on)
    return min(found, key=lambda run: run[0])[1] if found else None


def at_each_half_step(
    world: World, visit: Visit | None = None, day_over: bool | None = False
) -> Moves:
    """Let a run without a crash come to rest, with a visit at each half step; return its moves."""
    moves: list[str] = []
    made = count(1)

    def go_on_without(when: str, step: str) -> None:
        half_step = str(next(made))
        if visit:
            with world.rewound():
                visit(f"{when} {step}", (*moves, half_step), bool(day_over))

    for _ in range(LIVES):
        before = world.state()
        if day_over is None or world.harm_is_done(before):  # at rest, or no run can mend it
            break
        made = count(1)
        live(world, watch=go_on_without)
        day_over = let_time_pass(world, before, day_over)
        moves.append("-")
    return tuple(moves)


def makes_a_difference(setting: str, contract: str) -> bool:
    """Tell whether a provider with this contract would ever show the setting."""
    promised = CONTRACTS[contract]
    asked = promised.readback is not Reading.NONE
    return {
        "plain": True,
        "silent": asked,
        "taken": promised.keeps_reference,
        "alike": asked and not promised.keeps_reference,
    }[setting]


def scenes(contract: str) -> Iterator[Scene]:
    """Yield what one contract is explored with: every fault in every setting, and two faults."""
    for setting in SETTINGS:
        for fault in FAULTS if makes_a_difference(setting, contract) else ():
            yield Scene(contract, (fault,), setting)
    for first in TRY_AGAIN:
        for second in THEN:
            yield Scene(contract, (first, second))


def explore_crashes(
    gateway: Gateway = SAFE, contracts: Iterable[str] = tuple(CONTRACTS), crashes: int = CRASHES
) -> Iterator[tuple[Scene, Findings]]:
    """Explore every scene of every contract, and yield what it came to."""
    for contract in contracts:
        for scene in scenes(contract):
            with World(scene, gateway) as world:
                yield scene, CrashExplorer(world).explore(crashes)[crashes]


def by_point(
    gateway: Gateway = SAFE, faults: Iterable[str] = ("NONE",), contracts: Iterable[str] = CONTRACTS
) -> dict[str, dict[str, Findings]]:
    """Return, for each point ("after provider.perform") and contract, what one crash comes to."""
    points: dict[str, dict[str, Findings]] = {}
    for contract in contracts:
        for fault in faults:
            with World(Scene(contract, (fault,)), gateway) as world:
                for point, found in crash_points(world, CrashExplorer(world)):
                    of = points.setdefault(point, {})
                    of[contract] = of.get(contract, Findings()).plus(found)
    return points
