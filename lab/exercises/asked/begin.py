"""Lesson 12: claim an attempt, durably, before anything is sent."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import redirect_stdout, suppress

from lab.exercises.asked.begin_mistakes import (
    A_ROW,
    AFTER_A_NEW_CLAIM,
    AFTER_THE_CLAIM,
    BY_NOW,
    CHANGED,
    EVENTS,
    HOLDS,
    MISTAKES,
    NO_ROW_YET,
    NOTHING,
    OPEN,
    SAW_A_ROW,
    SAW_AN_OLD_ROW,
    SAW_NO_ROW,
    SEES,
    SINCE,
    SINCE_FIRST,
    SOMETHING,
    THE_ROW,
    TOLD,
    TOLD_OF_NEW,
)
from lab.exercises.exercise import Exercise, Scenario
from lab.exercises.sql import (
    ANNA,
    MOVED,
    NO_ROW,
    SharedFile,
    at_each_statement,
    dead_disk,
    full_disk,
    in_words,
    promised,
    shared,
)
from lab.exercises.stage import Facts, Stage, as_ledger_method
from lab.faults.clock import MINUTE_MS, SECOND_MS
from lab.faults.numbers import Numbers
from lab.faults.schedules import ScheduleExplorer
from lab.faults.steps import Crash
from lab.faults.story import STEPS, Line
from lab.faults.world import Scene, World
from lab.gateway import (
    KEYED,
    PREPARED,
    REVIEW,
    Fault,
    Ledger,
    Row,
    StoreError,
    StoreLocked,
    VersionConflict,
)

Play = Callable[[SharedFile, int], str]
TURNS = 8  # moves of two workers: two messages for one intention take six


def sent(stage: Stage) -> Facts:
    """Let the gateway do an action that is written down, and one that is new."""
    with shared(stage) as site:
        site.bring(site.action, PREPARED)
        site.execute()
        new = stage.action(203)
        told = site.execute(new)
        also = len(site.provider.requests(new.key))
        return {**site.facts(), "a new action": told, "requests for the new action": also}


def claimed(stage: Stage, new: bool) -> Facts:
    """Begin the first attempt of an action; look at the row."""
    with shared(stage) as site:
        row = None if new else site.bring(site.action, PREPARED)
        site.clock.advance(7 * SECOND_MS)
        told = site.ask("begin", site.action, row, "readable")
        return {TOLD: told, **begun(site), EVENTS: site.past()}


def begun(site: SharedFile) -> Facts:
    """Return what a row that was begun now says, its times told from now."""
    row, now = Ledger.get(site.anna, site.action.key), site.clock()
    columns = ("state", "attempts", "provider", "actor")
    return {
        **in_words(row, site.action, *columns),
        BY_NOW: from_now(row.send_by, now) if row else NO_ROW,
        SINCE: from_now(row.retry_since, now) if row else NO_ROW,
        "its updated_at, from now (ms)": from_now(row.updated_at, now) if row else NO_ROW,
    }


def from_now(moment: int | None, now: int) -> object:
    """Return a moment told from now, or that there is none."""
    return "there is none" if moment is None else moment - now


def the_next(stage: Stage) -> Facts:
    """Begin a second attempt a minute after the first was refused; and one that was approved."""
    with shared(stage) as site:
        first = site.clock()
        row = site.anna.begin(site.action, site.bring(site.action, PREPARED), "readable")
        row = site.anna.change(row, PREPARED, "refused", send_by=None)
        site.clock.advance(MINUTE_MS)
        told = site.ask("begin", site.action, row, "readable")
        facts = {TOLD: told, **begun(site)}
        after = Ledger.get(site.anna, row.key)
        since = after.retry_since if after else None
        facts[SINCE_FIRST] = from_now(since, first)
        del facts[SINCE]
        return facts


def approved(stage: Stage) -> Facts:
    """Begin the attempt that a person approved: the first one under that approval."""
    with shared(stage) as site:
        row = site.bring(site.action, REVIEW)
        fresh = {"attempts_allowed": row.attempts + 1, "retry_since": None}
        row = site.anna.change(row, PREPARED, "proved not executed", send_by=None, **fresh)
        site.clock.advance(MINUTE_MS)
        told = site.ask("begin", site.action, row, "keyed")
        return {TOLD: told, **begun(site)}


def clock_behind(stage: Stage) -> Facts:
    """Begin with a clock that is behind the row's last change."""
    with shared(stage) as site:
        row = site.bring(site.action, PREPARED)
        site.clock.advance(-5 * SECOND_MS)
        told = site.ask("begin", site.action, row, "readable")
        site.clock.advance(5 * SECOND_MS)
        return {TOLD: told, **begun(site)}


def not_prepared(stage: Stage) -> Facts:
    """Try to begin what is open, ended, or with a person."""
    facts: Facts = {}
    with shared(stage) as site:
        held = [site.bring(stage.action(n), state) for n, state in enumerate(MOVED, 201)]
        before = site.everything()
        for number, row in enumerate(held, 201):
            site.begin_again(stage.action(number))
            facts[f"{row.state}: {TOLD}"] = site.ask("begin", site.action, row, "keyed")
        facts[CHANGED] = NOTHING if site.everything() == before else SOMETHING
    return facts


def raced(stage: Stage) -> Facts:
    """Let Anna begin what Ben is about to begin, after both saw the same.

    In the end Ben comes with a row that he saw before Anna's attempt was refused for good.
    """
    facts: Facts = {}
    with shared(stage) as site:
        seen = site.bring(site.action, PREPARED)
        site.anna.begin(site.action, seen, "keyed")
        new = stage.action(203)
        site.anna.begin(new, None, "keyed")
        old = site.bring(stage.action(204), PREPARED)
        refused = site.anna.begin(stage.action(204), old, "keyed")
        site.anna.change(refused, PREPARED, "refused for good", send_by=None, attempts_allowed=1)
        before, facts[OPEN] = site.everything(), "no"
        for label, action, row in (
            (SAW_A_ROW, site.action, seen),
            (SAW_NO_ROW, new, None),
            (SAW_AN_OLD_ROW, stage.action(204), old),
        ):
            site.begin_again(action)
            facts[label] = site.ask("begin", action, row, "keyed")
            facts[OPEN] = max(facts[OPEN], site.left_open)
        facts[CHANGED] = NOTHING if site.everything() == before else SOMETHING
    return facts


def between(stage: Stage) -> Facts:
    """Let Anna begin the same, before each of Ben's statements."""
    return both(stage, meanwhile_anna)


def both(stage: Stage, made: Callable[[bool], Play]) -> Facts:
    """Play something at each statement: where a row is there, and where none is."""
    facts = {A_ROW: at_each_statement(stage, made(False))}
    told = stage.story
    facts[NO_ROW_YET] = at_each_statement(stage, made(True))
    also = stage.story
    stage.story = lambda: [*told(), "", *also()]
    return facts


def meanwhile_anna(new: bool) -> Play:
    """Let Anna begin the same, before one of Ben's statements."""

    def play(site: SharedFile, number: int) -> str:
        seen, heard = None if new else site.bring(site.action, PREPARED), ["nothing"]

        def meanwhile() -> None:
            heard[0] = claim(site, seen)
            site.tell(f"{ANNA} wants to begin the same attempt: {heard[0]}")

        told = site.ask("begin", site.action, seen, "keyed", before=number, meanwhile=meanwhile)
        begin = [told.startswith(THE_ROW), heard[0] == "she begins"]
        if not begin[0] and told != "VersionConflict":
            return f"Ben is told {told}"
        return {0: "nobody begins", 1: "one begins", 2: "both begin"}[sum(begin)]

    return play


def claim(site: SharedFile, seen: Row | None) -> str:
    """Let Anna begin an attempt with lab's ledger."""
    try:
        site.anna.begin(site.action, seen, "keyed")
    except VersionConflict:
        return "somebody was faster"
    return "she begins"


def deaths(stage: Stage) -> Facts:
    """Let the process die before each statement; others go on, until nothing is left to do."""
    return both(stage, meanwhile_death)


def meanwhile_death(new: bool) -> Play:
    """Let Ben's process die before one of his statements."""

    def play(site: SharedFile, number: int) -> str:
        def meanwhile() -> None:
            raise Crash

        row = None if new else site.bring(site.action, PREPARED)
        site.ask("begin", site.action, row, "keyed", before=number, meanwhile=meanwhile)
        for _ in range(3):
            with suppress(VersionConflict):
                site.execute(wait=2 * MINUTE_MS)
        messages = len(site.provider.effects(site.action.key))
        return f"in the end {site.told[-1]}, and messages: {messages}"

    return play


def seen_by_others(stage: Stage) -> Facts:
    """Let the process die as soon as `begin` has returned."""
    with shared(stage) as site:
        row = site.bring(site.action, PREPARED)
        site.ask("begin", site.action, row, "keyed")
        seen, left_open = site.holds(), site.left_open
        try:
            site.anna.begin(stage.action(203), None, "keyed")
            anna = "begins it"
        except StoreLocked:
            anna = "waits, for the file is locked"
        site.die()
        return {
            SEES: seen,
            OPEN: left_open,
            f"{ANNA}, who wants to begin lead-203's": anna,
            f"after the death {HOLDS}": site.holds(),
        }


def no_room(stage: Stage) -> Facts:
    """Let the disk be full, after another action was begun; later there is room again."""
    facts: Facts = {}
    with shared(stage) as site:
        row = site.bring(site.action, PREPARED)
        site.ask("begin", stage.action(201), None, "keyed")
        with full_disk(site):
            facts[TOLD] = site.ask("begin", site.action, row, "keyed")
        facts[HOLDS], facts[OPEN] = site.holds(), site.left_open
        site.ask("begin", stage.action(203), None, "keyed")
        with full_disk(site):
            facts[TOLD_OF_NEW] = site.ask("begin", stage.action(204), None, "keyed")
        site.begin_again(site.action)
        facts[f"with room again, {TOLD}"] = site.ask("begin", site.action, row, "keyed")
    return facts


def said_afterwards(stage: Stage) -> Facts:
    """Let the disk fail after a claim, and after a lost race."""
    facts: Facts = {}
    with shared(stage) as site:
        row = site.bring(site.action, PREPARED)
        lost = site.bring(stage.action(204), PREPARED)
        site.anna.begin(stage.action(204), lost, "keyed")
        site.ask("begin", site.action, row, "keyed")
        facts[AFTER_THE_CLAIM] = says(site)
        site.ask("begin", stage.action(203), None, "keyed")
        facts[AFTER_A_NEW_CLAIM] = says(site, 203)
        site.ask("begin", stage.action(204), lost, "keyed")
        facts["the file fails after a lost race, and its error says"] = says(site, 204)
    return facts


def says(site: SharedFile, number: int = 202) -> str:
    """Say what an error of the file tells now of an action."""
    with dead_disk(site):
        try:
            site.ledger.counts()
        except StoreError as error:
            told = promised(str(error))
            named = site.stage.action(number).key in str(error)
            return f"{told}{', and not of which' * (told.endswith('UNKNOWN') and not named)}"
    return "no error"


def forgotten(stage: Stage) -> Facts:
    """Let three attempts be refused; by the third the provider may have forgotten the key."""
    with shared(stage, KEYED, (Fault.REFUSED, Fault.REFUSED, Fault.REFUSED)) as site:
        site.bring(site.action, PREPARED)
        site.execute()
        site.execute(wait=(KEYED.retention_ms or 0) - 1)
        site.execute(wait=1)
        return site.facts()


def in_every_order(stage: Stage) -> Facts:
    """Let two workers meet over one row, in every order of their first moves."""
    scene = Scene("readable", ("NONE",), prepared=True)
    with redirect_stdout(stage._printed), World(scene, stage.gateway) as world:
        found = ScheduleExplorer(world, alike=True).explore(at_most=TURNS)
    shown = [run for run in found.shortest if run is not None]
    if shown:
        line = Line(STEPS, stage.gateway, scene, min(shown, key=len))
        stage.story = lambda: stage._replayed(line)
    return dict(zip(Numbers.names(), found.numbers.harm, strict=False))


SCENE = Scene("readable", ("REQUEST_LOST", "RESPONSE_LOST"), prepared=True)

exercise = Exercise(
    name="begin",
    lesson="12",
    title="Claim an attempt",
    defines=("Ledger.begin", "Ledger._begin_next"),
    takes=("action", "row", "provider"),
    plug=as_ledger_method("begin"),
    scenarios=(
        Scenario("sent", "The gateway does an action that is written down, and a new one.",
                 sent, live=True),
        Scenario("row", "What the row says when the first attempt has begun.",
                 lambda stage: claimed(stage, new=False)),
        Scenario("new", "The same, where there was no row.",
                 lambda stage: claimed(stage, new=True)),
        Scenario("next", "The second attempt begins, a minute after the first was refused.",
                 the_next),
        Scenario("approved", "A person approved one more attempt.", approved),
        Scenario("raced", "Anna and Ben saw the same, and Anna is faster.", raced),
        Scenario("between", "Anna begins the same attempt, before each of Ben's statements.",
                 between),
        Scenario("orders", "Two workers do one action, in every order of their first steps.",
                 in_every_order),
        Scenario("other states", "The row is UNKNOWN, SETTLED or in REVIEW.", not_prepared),
        Scenario("seen", "The process dies as soon as begin has returned.", seen_by_others),
        Scenario("deaths", "The process dies before each of its statements; others go on.",
                 deaths),
        Scenario("crashes", "Attempts end in silence, and the process is killed, once at every "
        "step of the gateway.", lambda stage: stage.explored(SCENE, crashes=1)),
        Scenario("behind", "Ben's clock is five seconds behind the row's last change.",
                 clock_behind),
        Scenario("forgotten", "Two attempts were refused, and a day after the first the third is "
        "due.", forgotten),
        Scenario("full", "The disk is full; later there is room again.", no_room),
        Scenario("told", "The disk fails after a claim, and after a lost race.", said_afterwards),
    ),
    mistakes=MISTAKES,
    hints=(
        "Two workers hold the same row, and both want to begin. Which of their statements may "
        "come second, and how does its worker learn that it did?",
        "`change` names the version that it saw: who comes second changes nothing, and is told "
        "VersionConflict. Let that error through. What is left is to say what the attempt is: "
        "its number, where it goes, and until when it may be sent. `now = self.now(row)` is the "
        "time that all of it is counted from.",
        "First `begin`, then `_begin_next`:\n"
        "    if row is not None and row.state != PREPARED:\n"
        "        raise IllegalTransition(...)\n"
        "    self.otherwise = NOTHING_SENT\n"
        "    begun = ... if row is None else ...\n"
        '    self.otherwise = f"{begun.key} is UNKNOWN: {ASK_FIRST}"\n'
        "    return begun\n"
        "\n"
        "    now = self.now(row)\n"
        "    return self.change(\n"
        '        row, UNKNOWN, "attempt begins", attempts=..., provider=...,\n'
        "        send_by=now + ..., retry_since=now if row.retry_since is None else ...,\n"
        "    )",
    ),
    solved=(Ledger.begin, Ledger._begin_next),
    why="The claim is one statement that names what it saw, so of two workers one begins and the "
    "other is told; it is durable before anything is sent. The row then says all that somebody "
    "else needs who finds it: which attempt is open, at which provider, and from when on it can "
    "no longer be sent.",
)  # fmt: skip
