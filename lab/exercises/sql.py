"""One ledger file and two who work on it: Ben with the learner's piece, Anna with lab's ledger.

The two have a connection each, so that SQLite itself decides what either sees, who waits, and what
is left when one of them dies.
"""

from __future__ import annotations

import atexit
import itertools
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lab.exercises.bench import LentLedger, Unfit
from lab.exercises.stage import CIRCLES, RETURNS, UNFINISHED, Facts, Site, Stage
from lab.faults.steps import Crash, Endless
from lab.gateway import (
    KEYED,
    PREPARED,
    REVIEW,
    SETTLED,
    UNKNOWN,
    Action,
    Fault,
    Ledger,
    ProviderContract,
    Row,
    StoreError,
    StoreLocked,
)
from lab.gateway.store import NOTHING_SENT
from lab.guest import wire

Act = Callable[[], object]
"""What somebody else does meanwhile."""

ANNA, BEN = "Anna", "Ben"
NO_ROW = "there is no row"
NO_ROW_GIVEN = "it stops, for it was given no row"
GAPS = 16  # statements of one call, before each of which somebody else may act
SHOWN = 84  # characters of a statement in a story
SPARE = 300  # from here on, leads that nothing else is about
STATEMENTS = ("execute", "commit", "rollback")


@contextmanager
def shared(
    stage: Stage,
    contract: ProviderContract = KEYED,
    faults: tuple[Fault, ...] = (),
    ben: str = BEN,
) -> Iterator[SharedFile]:
    """Open a ledger file, twice, and a provider for one action."""
    with redirect_stdout(stage._printed):
        site = SharedFile(stage, contract, faults, ben)
        stage.story = site.story
        try:
            yield site
        finally:
            site.close()


class SharedFile(Site):
    """A site whose ledger is a file. ``ledger`` is Ben's, ``anna`` another one on the same file.

    ``statements`` is how many Ben made in his last call, ``given`` the row that he was given, and
    ``left_open`` tells whether a transaction was open after it.
    """

    def __init__(
        self, stage: Stage, contract: ProviderContract, faults: tuple[Fault, ...], ben: str
    ) -> None:
        self.file, self.ben = place(os.getpid()) / f"{next(_numbers)}.sqlite3", ben
        self.file.write_bytes(empty())
        self.statements = 0
        self.left_open = "no"
        self.given: Row | None = None
        self._story: list[str] = []
        self._waiting: list[Act] = []
        super().__init__(stage, contract, faults, False, stage.action())
        self.anna = at_ease(Ledger(self.file, self.clock, ANNA, busy_ms=0))

    def opened(self) -> Ledger:
        """Open Ben's connection to the file."""
        return at_ease(self.stage.gateway.ledger(self.file, self.clock, self.ben, busy_ms=0))

    def _executed(self, action: Action) -> str:
        told = super()._executed(action)
        return NO_ROW_GIVEN if told.startswith(RETURNS) else told

    def begin_again(self, action: Action) -> None:
        """Let a new process of Ben's come, for another action."""
        self.action, self._story = action, []
        self.ledger.close()
        self.ledger = self.opened()

    def die(self) -> None:
        """Let Ben's process die: what he did not commit is lost. A new one opens the file."""
        self.ledger.close()
        self.ledger = self.opened()
        self._story.append(f"{self.ben}'s process dies; another one opens the file")

    def ask(self, method: str, *values: Any, before: int = 0, meanwhile: Act | None = None) -> str:
        """Let Ben call the learner's method, and say in words what he is told.

        ``meanwhile`` happens right before his statement of that number. Somebody who finds the
        file locked then waits until his call has ended.

        Raises:
            an error of a program that does not work yet.
        """
        self.given = None
        self.statements = 0

        def watch(thing: str, step: str) -> None:
            self.statements += thing == "connection" and step in STATEMENTS
            if self.statements == before and meanwhile and thing == "connection":
                self._happen(meanwhile)

        self.stage.player.watch = watch
        self.ledger._db.set_trace_callback(self._hear)
        try:
            told = self._asked(method, *values) or self.words(self.given)
        finally:
            self.stage.player.watch = lambda thing, step: None
        self._story.append(f"{self.ben} is told: {told}")
        self.left_open = "yes" if self.ledger._db.in_transaction else "no"
        while self._waiting:
            self._happen(self._waiting.pop(), wait=False)
        return told

    def _asked(self, method: str, *values: Any) -> str:
        try:
            self.given = getattr(self.ledger, method)(*values)
            return ""
        except Endless:
            self.stage.player.endless = True
            return CIRCLES
        except Crash:
            self.die()
            return "nothing, for his process died"
        except Unfit as unfit:
            return unfitting(unfit.value)
        except Exception as error:
            self._stop_if_unfinished(error)
            return reported(error)
        finally:
            self.ledger._db.set_trace_callback(None)

    def _stop_if_unfinished(self, error: Exception) -> None:
        """Raise what only a program raises that does not work yet, its SQL included."""
        if type(error).__name__ in UNFINISHED:
            raise error
        misread = getattr(self.ledger, "misread", "")
        if misread and isinstance(error, (sqlite3.Error, sqlite3.Warning, StoreError)):
            raise sqlite3.OperationalError(misread)

    def _happen(self, act: Act, wait: bool = True) -> None:
        try:
            act()
        except StoreLocked:
            if wait:
                self._waiting.append(act)
            self._story.append(f"{ANNA} {'waits' if wait else 'gives up'}: the file is locked")

    def _hear(self, sql: str) -> None:
        words = " ".join(sql.split())
        line = f"{self.ben}: {words[:SHOWN]}{'...' if words[SHOWN:] else ''}"
        if self._story[-1:] != [line]:  # a statement is told once more for each trigger
            self._story.append(line)

    def words(self, row: Row | None) -> str:
        """Say what a row is that Ben was given: the one that he would read now, or another one."""
        held = Ledger.get(self.ledger, row.key) if row else None
        if row is None or held is None:
            return "a row that nobody wrote" if row else "no row"
        other = [name for name, one, two in zip(Row._fields, row, held, strict=True) if one != two]
        if not other:
            return f"the row ({row.state})"
        return f"a row that is not the ledger's, in {', '.join(other[:3])}"

    def holds(self, action: Action | None = None) -> str:
        """Say what the file holds of an action, as every other program sees it."""
        row = Ledger.get(self.anna, (action or self.action).key)
        return f"{row.state}, attempts {row.attempts}, version {row.version}" if row else "nothing"

    def everything(self) -> str:
        """Return all that the file holds, as text."""
        return repr((Ledger.rows(self.anna), Ledger.events(self.anna)))

    def rows(self) -> int:
        """Return how many rows the file holds, by the key of the action or one that begins so."""
        return sum(row.key.startswith(self.action.key) for row in Ledger.rows(self.anna))

    def past(self) -> list[str]:
        """Return what the file says of the action's past, a line an event."""
        return [
            f"{told['target']}, attempt {told['attempt']}, by {told['actor']}: "
            f"{told['evidence'] or 'no word'}"
            for told in Ledger.events(self.anna, self.action.key)
        ]

    def bring(self, action: Action, state: str) -> Row:
        """Let Anna write an action down, and lead it to a state."""
        row = self.anna.prepare(action)
        if state == PREPARED:
            return row
        row = self.anna.begin(action, row, self.provider.contract.name)
        if state == UNKNOWN:
            return row
        ended = {"receipt": f"receipt-{row.number}"} if state == SETTLED else {}
        return self.anna.change(row, state, "brought there", send_by=None, **ended)

    def tell(self, line: str) -> None:
        """Add a line to the story."""
        self._story.append(line)

    def close(self) -> None:
        """Close all, and leave the story as it was told."""
        self.anna.close()
        self.ledger.close()
        self.provider.close()
        with suppress(OSError):  # it goes with its folder, at the latest
            self.file.unlink()


def at_ease(ledger: Ledger) -> Ledger:
    """Let the disk take its time: no power will be cut here, and each check stays fast."""
    ledger._db.set_authorizer(None)
    ledger._db.execute("PRAGMA synchronous = OFF")
    if isinstance(ledger, LentLedger):
        ledger.fence()
    return ledger


@cache
def folder(process: int) -> TemporaryDirectory[str]:
    """Make a folder for the files of one process, which goes when the process ends.

    One for each file would take longer than all the rest.
    """
    made = TemporaryDirectory(prefix="lab-", ignore_cleanup_errors=True)
    atexit.register(lambda: made.cleanup() if os.getpid() == process else None)
    return made


def place(process: int) -> Path:
    """Return where a process keeps its files."""
    return Path(folder(process).name)


@cache
def empty() -> bytes:
    """Return the bytes of a ledger file that holds nothing."""
    file = place(os.getpid()) / "empty.sqlite3"
    Ledger(file).close()
    return file.read_bytes()


_numbers = itertools.count(1)


def reported(error: Exception) -> str:
    """Say what an error tells: its name, and what decides about what to do now."""
    told = type(error).__name__
    if isinstance(error, sqlite3.Error):
        return f"{told} ({error})"
    if isinstance(error, StoreError):
        return f"{told}: {promised(str(error))}"
    return told


def unfitting(value: Any) -> str:
    """Say what was returned in place of a row."""
    if value is None:
        return "nothing, which is no row"
    return f"something of type {wire.shown(value).type}, which is no row"


def promised(text: str) -> str:
    """Say what an error of the file says of the action."""
    if NOTHING_SENT in text:
        return "nothing was sent"
    return "the action is UNKNOWN" if "UNKNOWN" in text else "no word of the action"


def at_each_statement(stage: Stage, play: Callable[[SharedFile, int], str]) -> str:
    """Play something once for each statement of Ben's; return what it came to, each end once.

    ``play(site, number)`` lets something happen before the statement of that number. Each time is
    about another lead, and Ben has a new process.
    """
    stories: dict[str, list[str]] = {}
    with shared(stage) as site:
        for number in range(1, GAPS + 1):
            site.begin_again(stage.action(SPARE + number))
            outcome = play(site, number)
            if site.statements < number:
                break
            stories.setdefault(outcome, [*site.story(), ""])
    stage.story = lambda: [line for story in stories.values() for line in story][:-1]
    return "; or ".join(sorted(stories))


FAILURES = {
    sqlite3.SQLITE_FULL: "database or disk is full",
    sqlite3.SQLITE_IOERR: "disk I/O error",
}
"""What SQLite says when a disk fails, by its code."""


class BadDisk:
    """Stands around a connection or a cursor: some statements find a disk that fails."""

    def __init__(self, inner: Any, code: int, fails: tuple[str, ...] = ("",)) -> None:
        self._inner, self._code, self._fails = inner, code, fails

    def execute(self, sql: str, *values: Any) -> Any:
        """Run a statement, unless it begins with one of the words that fail."""
        if sql.lstrip().upper().startswith(self._fails):
            error = sqlite3.OperationalError(FAILURES[self._code])
            error.sqlite_errorcode = self._code
            raise error
        return self._inner.execute(sql, *values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


@contextmanager
def full_disk(site: SharedFile) -> Iterator[None]:
    """Let Ben's disk be full: what is there can be read, and nothing can be added."""
    with _failing(site, sqlite3.SQLITE_FULL, ("INSERT", "UPDATE", "REPLACE", "WITH", "COMMIT")):
        yield


@contextmanager
def dead_disk(site: SharedFile) -> Iterator[None]:
    """Let Ben's disk fail altogether."""
    with _failing(site, sqlite3.SQLITE_IOERR, ("",)):
        yield


@contextmanager
def _failing(site: SharedFile, code: int, fails: tuple[str, ...]) -> Iterator[None]:
    ledger: Any = site.ledger
    whole = ledger._db, ledger._cursor
    ledger._db, ledger._cursor = (BadDisk(part, code, fails) for part in whole)
    try:
        yield
    finally:
        ledger._db, ledger._cursor = whole


def in_words(row: Row | None, action: Action, *columns: str) -> Facts:
    """Return a row's columns as facts; the hash is told by whose it is."""
    whose = "the action's" if row and row.payload_hash == action.hash else "another content's"
    return {
        "its hash": whose if row else NO_ROW,
        **{f"its {name}": getattr(row, name) if row else NO_ROW for name in columns},
    }


MOVED = (UNKNOWN, SETTLED, REVIEW)
"""The states of an action that somebody has moved on."""
