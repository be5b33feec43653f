"""Judges an answer: plays every scenario with it and with lab's own, and compares the facts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from lab.exercises import telling
from lab.exercises.bench import Player, Spawn, Unfit, in_this_process
from lab.exercises.stage import CIRCLES, STOPPED, UNFINISHED, Facts, Stage
from lab.exercises.verdict import (
    COULD_NOT_RUN,
    FAILED,
    NOT_ATTEMPTED,
    PASSED,
    Difference,
    Played,
    Verdict,
)
from lab.faults.steps import Endless
from lab.guest import wire
from lab.guest.written import Unusable, given_as

if TYPE_CHECKING:
    from lab.exercises.exercise import Exercise, Scenario


def judge(
    exercise: Exercise, given: Sequence[Any], seed: int | None = None, spawn: Spawn | None = None
) -> Verdict:
    """Judge what was written; see `Exercise.judged`.

    ``spawn`` begins a life of the learner's code; by default it lives in this process.
    """
    try:
        named = given_as(exercise.asked, given)
    except Unusable as unusable:
        return refused(exercise, unusable)
    return played_out(exercise, Player(spawn or in_this_process(named)), seed)


def refused(exercise: Exercise, unusable: Unusable) -> Verdict:
    """Return the verdict on what is no answer."""
    if unusable.untouched:
        return exercise.unplayed(NOT_ATTEMPTED, telling.not_yet(exercise))
    return exercise.unplayed(COULD_NOT_RUN, str(unusable))


def played_out(exercise: Exercise, player: Player, seed: int | None = None) -> Verdict:
    """Play every scenario with a player's piece, and say what they come to.

    Where what is written judges for itself, a seed draws the order: nobody can count the turns.
    """
    order = list(exercise.scenarios)
    if exercise.in_any_order and seed is not None:
        random.Random(seed).shuffle(order)
    went = {one.name: play(exercise, one, player, seed) for one in order}
    return weigh(exercise, [went[one.name] for one in exercise.scenarios])


class Went(NamedTuple):
    """How one scenario went: the learner's facts, and the error that came out of their code.

    ``expected``: lab's own piece raises there, too.
    """

    played: Played
    facts: Facts
    said: wire.Raised | None = None
    expected: bool = False

    def stopped(self, unfinished: bool) -> bool:
        """Tell whether an error spoiled it: one of an unfinished program, or any other."""
        known = self.said is not None and self.said.line > 0
        kind = self.said is not None and self.said.name in UNFINISHED
        return not self.played.passed and known and kind == unfinished


def play(exercise: Exercise, scenario: Scenario, player: Player, seed: int | None) -> Went:
    """Play one scenario twice, with the learner's piece and with lab's, and compare.

    What goes round in circles once is not let loose again: each time costs seconds.
    """
    if player.endless:
        untried = Difference("it was not tried", "an end", CIRCLES)
        facts: Facts = {STOPPED: CIRCLES} if exercise.in_any_order else {}
        return Went(Played(scenario.name, scenario.title, (untried,)), facts)
    should_be, expected = due(exercise, scenario, seed)
    ours = Stage(player, exercise.plug, seed)
    player.said = None
    found = facts_of(scenario, ours)
    differences = tuple(
        Difference(label, should_be.get(label), found.get(label))
        for label in dict.fromkeys((*(() if STOPPED in found else should_be), *found))
        if not same(should_be.get(label), found.get(label))
    )
    story = tuple(ours.story()) if differences else ()
    printed = ours.printed if differences else ""
    played = Played(scenario.name, scenario.title, differences, story, printed)
    return Went(played, found, player.said, expected)


_due: dict[tuple[object, int | None], tuple[Facts, bool]] = {}


def due(exercise: Exercise, scenario: Scenario, seed: int | None) -> tuple[Facts, bool]:
    """Return the facts that lab's own piece makes, and whether it raises; played once."""
    key = scenario.play, seed
    if key not in _due:
        stage = Stage(Player(in_this_process(exercise.reference())), exercise.plug, seed)
        _due[key] = scenario.play(stage), stage.player.said is not None
    return _due[key]


def facts_of(scenario: Scenario, stage: Stage) -> Facts:
    """Play a scenario with the learner's piece; whatever stops it is a fact."""
    try:
        return scenario.play(stage)
    except Endless:
        stage.player.endless = True
        return {STOPPED: CIRCLES}
    except Unfit as unfit:
        return {"it returns": wire.shown(unfit.value).text}
    except Exception as error:
        return {STOPPED: type(error).__name__}


def same(one: Any, other: Any) -> bool:
    """Compare two plain values, by exact type at every depth."""
    if type(one) is not type(other):
        return False
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    return bool(one == other)


def weigh(exercise: Exercise, went: Sequence[Went]) -> Verdict:
    """Say what the scenarios come to."""
    played = tuple(one.played for one in went)
    passed = {one.name: one.passed for one in played}
    if all(passed.values()):
        return Verdict(exercise.name, PASSED, exercise.points, exercise.points, played=played)
    alive = all(passed[scenario.name] for scenario in exercise.scenarios if scenario.live)
    earned = exercise.points * sum(passed.values()) // len(passed) if alive else 0
    why = explained(exercise, went)._asdict()
    return Verdict(exercise.name, FAILED, exercise.points, earned, played=played, **why)


class Why(NamedTuple):
    """What is to be said of an answer that failed; see `Verdict` for each."""

    about: str
    says: str = ""
    mistake: str = ""
    stopped: bool = False


class Look:
    """The facts of the learner's run, and in which scenarios somebody looked for them."""

    def __init__(self, went: Sequence[Went]) -> None:
        self.facts = {one.played.name: one.facts for one in went}
        self.at: list[str] = []

    def __call__(self, scenario: str, label: str) -> Any:
        """Return one fact of one scenario, or None."""
        self.at.append(scenario)
        return self.facts.get(scenario, {}).get(label)


def explained(exercise: Exercise, went: Sequence[Went]) -> Why:
    """Return what to say of an answer that failed.

    An error of an unfinished program comes first, where none was to be expected: what the world
    came to because of it says nothing. A known mistake is shown where it was recognised.
    """
    failed = {one.played.name: one for one in went if not one.played.passed}
    unfinished = [one for one in failed.values() if one.stopped(unfinished=True)]
    unforeseen = [one for one in unfinished if not one.expected]
    if unforeseen:
        return _stopped(exercise, unforeseen[0], unfinished=True)
    for mistake in exercise.mistakes:
        look = Look(went)
        if mistake.when(look):
            about = next((name for name in look.at if name in failed), next(iter(failed)))
            return Why(about, mistake.says + _where(failed[about]), mistake.name)
    if unfinished:
        return _stopped(exercise, unfinished[0], unfinished=True)
    others = [one for one in failed.values() if one.stopped(unfinished=False) and not one.expected]
    return _stopped(exercise, others[0]) if others else Why(next(iter(failed)))


def _stopped(exercise: Exercise, one: Went, unfinished: bool = False) -> Why:
    assert one.said is not None  # else it would not have been stopped
    return Why(one.played.name, telling.stopped(exercise, one.said), stopped=unfinished)


def _where(one: Went) -> str:
    """Say where an error came from that a known mistake let out."""
    told = one.said is not None and one.said.line > 0 and not one.expected
    return telling.came_from(one.said) if one.said and told else ""
