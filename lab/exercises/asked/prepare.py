"""Lesson 04: write the intention down, once, before anything is sent."""

from __future__ import annotations

from lab.exercises.asked.prepare_mistakes import (
    AGAIN,
    CHANGED,
    CONTENT,
    ENDS,
    EVENTS,
    HOLDS,
    MISTAKES,
    NOTHING,
    OPEN,
    OTHER_KIND,
    ROWS,
    SEES,
    SOMETHING,
    THEN,
    TOLD,
)
from lab.exercises.exercise import Exercise, Scenario
from lab.exercises.sql import (
    ANNA,
    MOVED,
    NO_ROW,
    SharedFile,
    at_each_statement,
    full_disk,
    in_words,
    shared,
)
from lab.exercises.stage import Facts, Stage, as_ledger_method
from lab.faults.clock import MINUTE_MS
from lab.faults.steps import Crash
from lab.gateway import PREPARED, READABLE, STATES, Action, Fault, KeyReused, Ledger


def written_and_sent(stage: Stage) -> Facts:
    """Write one down, and let the gateway do it."""
    with shared(stage) as site:
        told, holds = site.ask("prepare", site.action), site.holds()
        site.execute()
        return {TOLD: told, THEN: holds, **site.facts()}


def the_row(stage: Stage) -> Facts:
    """Write two down; look at the second row."""
    with shared(stage) as site:
        refund = stage.action(201, kind="refund")
        site.ask("prepare", refund)
        site.clock.advance(MINUTE_MS)
        told = site.ask("prepare", site.action)
        row = Ledger.get(site.anna, site.action.key)
        columns = ("kind", "state", "attempts", "attempts_allowed", "actor", "updated_at")
        return {
            TOLD: told,
            **in_words(row, site.action, *columns),
            EVENTS: [f"{event['target']} by {event['actor']}" for event in events(site)],
            ROWS: len(Ledger.rows(site.anna)),
            OTHER_KIND: getattr(Ledger.get(site.anna, refund.key), "kind", NO_ROW),
            CONTENT: "yes" if "warm-hello" in site.everything() else "no",
        }


def events(site: SharedFile) -> list[dict[str, object]]:
    """Return what the file says of the action's past."""
    return Ledger.events(site.anna, site.action.key)


def an_apostrophe(stage: Stage) -> Facts:
    """Let the worker have a name that SQL would stumble over."""
    with shared(stage, ben="O'Brien") as site:
        told = site.ask("prepare", site.action)
        row = Ledger.get(site.anna, site.action.key)
        return {"O'Brien is told": told, "its actor": row.actor if row else NOTHING}


def death_afterwards(stage: Stage) -> Facts:
    """Let the process die as soon as `prepare` has returned."""
    with shared(stage) as site:
        site.ask("prepare", site.action)
        seen = site.holds()
        site.die()
        return {SEES: seen, OPEN: site.left_open, f"after the death {HOLDS}": site.holds()}


def twice(stage: Stage) -> Facts:
    """Write the same down an hour later, and once more what Anna wrote."""
    with shared(stage) as site:
        other = site.bring(stage.action(201), PREPARED)
        told = site.ask("prepare", site.action)
        before = site.everything()
        site.clock.advance(60 * MINUTE_MS)
        again = site.ask("prepare", site.action)
        return {
            TOLD: told,
            AGAIN: again,
            f"of what Anna wrote, {TOLD}": site.ask("prepare", stage.action(201)),
            CHANGED: NOTHING if site.everything() == before else SOMETHING,
            ROWS: len(Ledger.rows(site.anna)),
            "lead-201's row is by": (Ledger.get(site.anna, other.key) or other).actor,
        }


def reused(template: str, kind: str) -> Scenario:
    """Return a scenario that brings other data under a used key, in each of the four states."""

    def play(stage: Stage) -> Facts:
        facts: Facts = {OPEN: "no"}
        with shared(stage) as site:
            for number, state in enumerate(STATES, 201):
                site.bring(stage.action(number), state)
            before = site.everything()
            for number, state in enumerate(STATES, 201):
                site.begin_again(stage.action(number, template, kind))
                facts[f"{state}: {TOLD}"] = site.ask("prepare", site.action)
                facts[OPEN] = max(facts[OPEN], site.left_open)  # once is enough
            facts[CHANGED] = NOTHING if site.everything() == before else SOMETHING
        return facts

    what = "another template" if kind == "welcome_email" else "another kind"
    return Scenario(what, f"A key comes back with {what}, in each of the four states.", play)


def moved_on(stage: Stage) -> Facts:
    """Ask again for what others have begun and ended since."""
    facts: Facts = {}
    with shared(stage) as site:
        for number, state in enumerate(MOVED, 201):
            site.bring(stage.action(number), state)
        site.bring(stage.action(204), PREPARED)
        for number, state in enumerate(MOVED, 201):
            action = stage.action(number)
            facts[f"{state}: {TOLD}"] = site.ask("prepare", action)
            facts[f"{state}: {HOLDS}"] = site.holds(action)
    return facts


def one_process(stage: Stage) -> Facts:
    """Let one process of Ben's ask twice; in between Anna begins the action."""
    with shared(stage) as site, stage.life():
        told = site.ask("prepare", site.action)
        row = site.anna.prepare(site.action)
        site.anna.begin(site.action, row, "keyed")
        site.tell(f"{ANNA} begins its first attempt")
        return {TOLD: told, AGAIN: site.ask("prepare", site.action)}


def after_silence(stage: Stage) -> Facts:
    """Lose a response; ask again for the action before the gateway does."""
    with shared(stage, READABLE, (Fault.RESPONSE_LOST,)) as site:
        site.ask("prepare", site.action)
        site.execute()
        site.bring(stage.action(203), PREPARED)
        told = site.ask("prepare", site.action)
        site.execute(wait=MINUTE_MS)
        return {TOLD: told, **site.facts()}


def anna_between(stage: Stage) -> Facts:
    """Let Anna write the same action down, before each of Ben's statements."""

    def play(site: SharedFile, number: int) -> str:
        def meanwhile() -> None:
            site.anna.prepare(site.action)
            site.tell(f"{ANNA} writes the same action down")

        told = site.ask("prepare", site.action, before=number, meanwhile=meanwhile)
        return f"Ben is told {told}, and the file has {rows(site)}"

    return {ENDS: at_each_statement(stage, play)}


def another_between(stage: Stage) -> Facts:
    """Let Anna bring the key with another template, before each of Ben's statements."""

    def play(site: SharedFile, number: int) -> str:
        other = Action(site.action.key, site.action.kind, {"template": "cold-hello"})
        heard = ["never came to it"]

        def meanwhile() -> None:
            heard[0] = refused(site.anna, other)
            site.tell(f"{ANNA} brings the key with another template: {heard[0]}")

        told = site.ask("prepare", site.action, before=number, meanwhile=meanwhile)
        both = [told.startswith("the row"), heard[0] == "written"]
        if told != "KeyReused" and not both[0]:
            return f"Ben is told {told}"
        return "both are told that the key is theirs" if all(both) else "one of the two is refused"

    return {ENDS: at_each_statement(stage, play)}


def rows(site: SharedFile) -> str:
    """Say how many rows there are for the action."""
    return "1 row" if site.rows() == 1 else f"{site.rows()} rows"


def refused(ledger: Ledger, action: Action) -> str:
    """Write an action down with lab's ledger, and say whether that was refused."""
    try:
        ledger.prepare(action)
    except KeyReused:
        return "refused"
    return "written"


def anna_begins(stage: Stage) -> Facts:
    """Let Anna write the action down and begin it, before each of Ben's statements."""

    def play(site: SharedFile, number: int) -> str:
        def meanwhile() -> None:
            row = site.anna.prepare(site.action)
            site.anna.begin(site.action, row, "keyed")
            site.tell(f"{ANNA} writes the same action down, and begins its first attempt")

        site.ask("prepare", site.action, before=number, meanwhile=meanwhile)
        return site.holds()

    return {ENDS: at_each_statement(stage, play)}


def deaths(stage: Stage) -> Facts:
    """Let the process die before each statement; the next one asks again."""

    def play(site: SharedFile, number: int) -> str:
        def meanwhile() -> None:
            raise Crash

        site.ask("prepare", site.action, before=number, meanwhile=meanwhile)
        told = site.ask("prepare", site.action)
        return f"the next process is told {told}, and the file has {rows(site)}"

    return {ENDS: at_each_statement(stage, play)}


def no_room(stage: Stage) -> Facts:
    """Let the disk be full, and then let there be room again."""
    with shared(stage) as site:
        with full_disk(site):
            told = site.ask("prepare", site.action)
        holds, left_open = site.holds(), site.left_open
        site.begin_again(site.action)
        again = site.ask("prepare", site.action)
        return {TOLD: told, HOLDS: holds, OPEN: left_open, f"with room again, {TOLD}": again}


exercise = Exercise(
    name="prepare",
    lesson="04",
    title="Write an intention down, once",
    defines=("Ledger.prepare",),
    takes=("action",),
    plug=as_ledger_method("prepare"),
    scenarios=(
        Scenario("sent", "Lead-202 is written down, and then the gateway sends the message.",
                 written_and_sent, live=True),
        Scenario("row", "What stands in the row of lead-202, after a refund of lead-201's.",
                 the_row),
        Scenario("seen", "The process dies as soon as prepare has returned.", death_afterwards),
        Scenario("twice", "The same action is written down again, an hour later.", twice),
        reused("cold-hello", "welcome_email"),
        reused("warm-hello", "refund"),
        Scenario("moved", "Others have begun the action since, or ended it.", moved_on),
        Scenario("stays", "One process asks twice, and in between Anna's begins the action.",
                 one_process),
        Scenario("silence", "The response was lost, and the action is brought once more.",
                 after_silence),
        Scenario("between", "Anna writes the same action down, before each of Ben's statements.",
                 anna_between),
        Scenario("other between", "Anna brings the key with another template, before each of "
        "Ben's statements.", another_between),
        Scenario("begun between", "Anna writes the action down and begins it, before each of "
        "Ben's statements.", anna_begins),
        Scenario("deaths", "The process dies before each of its statements; another asks again.",
                 deaths),
        Scenario("full", "The disk is full; later there is room again.", no_room),
        Scenario("name", "The worker's name is O'Brien.", an_apostrophe),
    ),
    mistakes=MISTAKES,
    hints=(
        "Two workers come with the same key in the same moment. Which of the two statements, the "
        "look or the write, may be the first?",
        "The write. If it leaves everything as it is where the key is there already, it can "
        "never be wrong. Afterwards the row is there, whoever wrote it, and the look only has to "
        "tell whether it is this very action: that is what `find` does.",
        "One statement, and then the look:\n"
        "    self._write(\n"
        '        "INSERT INTO actions (key, kind, payload_hash, updated_at, actor) "\n'
        '        "VALUES (?, ?, ?, ?, ?) ON CONFLICT (key) ...",\n'
        "        (action.key, ..., ..., self.clock(), ...),\n"
        "    )\n"
        "    return self.find(...)",
    ),
    solved=(Ledger.prepare,),
    why="The database decides who is first, in one statement, and whoever comes second changes "
    "nothing. Only then does `find` look: the row is there, and it is this very action or it is "
    "refused. The statement is a transaction of its own, so the row is durable before anybody is "
    "told.",
)  # fmt: skip
