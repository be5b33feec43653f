"""The trusted side: holds ledger, provider and clock, and answers for them step by step.

A `Player` is the learner's piece, wherever it runs. Here it runs in this process; what passes
between it and the bench is text all the same, so that it may run in another one, which can then
be killed at any step.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

from lab.faults.steps import Endless
from lab.gateway import Ledger
from lab.guest import memory, wire
from lab.guest.life import OFFERED, Guest, Step

TOLD = ("actor", "otherwise")  # what a ledger of the learner's class knows of ours
STEPS = 600  # one call of the learner's needs a dozen; after so many it goes round in circles


class Life(Protocol):
    """One life of a process that holds the learner's code."""

    def run(self, message: str, step: Step) -> str:
        """Run one call of the learner's code, and return how it ended."""

    def close(self) -> object:
        """End it."""


class Spawn(Protocol):
    """Begins a new life: a process that remembers nothing of those before it."""

    def __call__(self) -> Life:
        """Return the new life."""


class Circles(Endless):
    """The learner's code makes step after step and never comes to an end."""


class Unfit(Exception):
    """What the learner's code returned is of no type that was asked for."""

    def __init__(self, value: Any) -> None:
        super().__init__(f"it returned {wire.shown(value).text}")
        self.value = value


def in_this_process(defined: Mapping[str, Any]) -> Spawn:
    """Return what begins lives here, each with a memory of its own."""
    kept = memory.kept(defined)
    return lambda: Guest(memory.fresh(kept))


class LentLedger(Ledger):
    """A ledger whose database runs the learner's SQL: no other file, and nothing without an end.

    ``misread`` says why SQLite could not run the last statement that it did not understand.
    """

    misread = ""

    def _open(self, busy_ms: int) -> None:
        super()._open(busy_ms)
        self.fence()

    def fence(self) -> None:
        """From here on, refuse what no exercise asks for."""
        self._db.set_authorizer(_allowed)
        self._db.set_progress_handler(lambda: 1, OPERATIONS)  # 1: that was enough
        self._db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, wire.LONGEST)


REFUSED = {
    code
    for name, code in vars(sqlite3).items()
    if name.startswith(("SQLITE_CREATE_", "SQLITE_DROP_"))
} | {
    sqlite3.SQLITE_ALTER_TABLE, sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH, sqlite3.SQLITE_PRAGMA
}  # fmt: skip
FUNCTIONS = frozenset(
    ("abs", "avg", "changes", "char", "coalesce", "count", "current_date", "current_time",
     "current_timestamp", "date", "datetime", "dense_rank", "first_value", "ifnull", "iif",
     "julianday", "lag", "last_insert_rowid", "last_value", "lead", "length", "lower", "ltrim",
     "max", "min", "nth_value", "nullif", "random", "rank", "round", "row_number", "rtrim", "sign",
     "strftime", "substr", "substring", "sum", "time", "total", "total_changes", "trim", "typeof",
     "unicode", "unixepoch", "upper")
)  # fmt: skip
"""The functions that a statement may call: each takes a moment, whatever it is given."""
OPERATIONS = 1_000_000  # of SQLite's machine, in one statement: it needs a few hundred


def _allowed(do: int, _: str | None, function: str | None, *__: str | None) -> int:
    """Say whether SQLite may do something; it asks before it runs a statement."""
    unknown = do == sqlite3.SQLITE_FUNCTION and (function or "").lower() not in FUNCTIONS
    return sqlite3.SQLITE_DENY if do in REFUSED or unknown else sqlite3.SQLITE_OK


STATEMENTS_FAIL_WITH = frozenset(("Error", "Warning", "StoreError"))
MISREAD = {
    sqlite3.SQLITE_ERROR: "",  # SQLite's own words say it best
    sqlite3.SQLITE_AUTH: "rows can be read and changed; anything else is refused here",
    sqlite3.SQLITE_INTERRUPT: "the statement was stopped: it never comes to its end",
    sqlite3.SQLITE_TOOBIG: "a text or a row is too long",
}
"""What to say where SQLite did not run a statement because of what it says, by SQLite's code."""


class SqlConnection:
    """A ledger's connection, as far as it is offered: one statement at a time.

    Where it is in a transaction already, which belongs to the world around and may be taken back,
    the learner's own is one inside of it.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger, self._db = ledger, ledger._db
        self._around = self._db.in_transaction
        self._inside = False

    @property
    def in_transaction(self) -> bool:
        """True while a transaction is open."""
        return self._inside if self._around else self._db.in_transaction

    def execute(self, sql: str, values: Any = ()) -> dict[str, Any]:
        """Run one statement; return all that its cursor would tell."""
        try:
            cursor = self._run(sql, values)
        except (sqlite3.Error, sqlite3.Warning) as error:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
            if code in MISREAD:
                vars(self._ledger)["misread"] = MISREAD[code] or str(error)
            raise
        return {
            "rows": cursor.fetchall(),
            "rowcount": cursor.rowcount,
            "lastrowid": cursor.lastrowid,
            "description": cursor.description and list(cursor.description),
        }

    def _run(self, sql: str, values: Any) -> sqlite3.Cursor:
        first = (sql.split() or [""])[0].rstrip(";").upper()
        if self._around and first in INSIDE:
            for part in INSIDE[first]:
                self._db.execute(part)
            self._inside = first == "BEGIN"
            return self._db.cursor()
        strange = [v.text for v in values if isinstance(v, wire.Other)]
        if strange:
            raise sqlite3.ProgrammingError(f"no column can hold {strange[0]}")
        return self._db.execute(sql, values)

    def commit(self) -> None:
        """End the open transaction, if one is open."""
        if self.in_transaction:
            self.execute("COMMIT")

    def rollback(self) -> None:
        """Take the open transaction back, if one is open."""
        if self.in_transaction:
            self.execute("ROLLBACK")


INSIDE = {
    "BEGIN": ["SAVEPOINT inside"],
    "COMMIT": ["RELEASE inside"],
    "END": ["RELEASE inside"],
    "ROLLBACK": ["ROLLBACK TO inside", "RELEASE inside"],
}
"""How a transaction inside of another one is begun and ended."""


class Player:
    """Calls the learner's piece, and answers the steps that it makes meanwhile.

    ``said`` keeps the last error that came out of the learner's code, with its line. ``endless``:
    it was seen to go round in circles. ``watch`` is called before each step, with the thing's name
    and what is asked of it.
    """

    def __init__(self, spawn: Spawn) -> None:
        self.spawn = spawn
        self.lives: list[Life] = []
        self.said: wire.Raised | None = None
        self.endless = False
        self.watch: Callable[[str, str], None] = lambda thing, step: None

    @contextmanager
    def life(self) -> Iterator[None]:
        """Let all calls of a ``with`` block be made in one life of one process."""
        self.lives.append(self.spawn())
        try:
            yield
        finally:
            self.lives.pop().close()

    def call(self, name: str, *values: Any, things: Mapping[str, Any] | None = None) -> Any:
        """Call ``name`` with values and things; return what it returns.

        A value that is one of the ``things`` passes as its name, and stays here.

        Raises:
            Unfit, Circles, or what the learner's code raised.
        """
        if not self.lives:
            with self.life():
                return self.call(name, *values, things=things)
        held = dict(things or {})
        names = {id(thing): wire.Ref(called) for called, thing in held.items()}
        message = wire.write(
            {"name": name, "values": [names.get(id(v), v) for v in values],
             **{name: getattr(held["self"], name) for name in TOLD if "self" in held}}
        )  # fmt: skip
        if "connection" in held:
            vars(held["self"])["misread"] = ""
        turn = Turn(held, self)
        reply = self.lives[-1].run(message, turn.answer)
        if turn.ended is not None:  # it died in there, whatever it says now
            self.endless = self.endless or isinstance(turn.ended, Endless)
            raise turn.ended
        return self._heard(wire.read(reply), held.get("self"))

    def _heard(self, answer: Mapping[str, Any], ledger: Ledger | None) -> Any:
        if ledger is not None and isinstance(answer.get("otherwise"), str):
            ledger.otherwise = answer["otherwise"]
        if "raised" not in answer:
            return answer["value"]
        self.said = told = answer["raised"]
        misread = getattr(ledger, "misread", "")
        if misread and STATEMENTS_FAIL_WITH.intersection(told.classes):
            self.said = told._replace(classes=("OperationalError",), text=misread)
        error = wire.rebuilt(told)
        error.told = told  # type: ignore[attr-defined]
        raise error


class Turn:
    """One call of the learner's code, seen from the bench: the steps that it makes."""

    def __init__(self, things: Mapping[str, Any], player: Player) -> None:
        self.things, self.player = things, player
        self.ended: BaseException | None = None
        self.made = 0

    def answer(self, message: str) -> str:
        """Make one step, and return its answer; after the end of the world there is none."""
        if self.ended is not None:
            raise self.ended
        try:
            return self._made(wire.read(message))
        except BaseException as error:
            self.ended = error
            raise

    def _made(self, asked: Mapping[str, Any]) -> str:
        of, do = asked["of"], asked["do"]
        self.made += 1
        if self.made > STEPS:
            raise Circles
        offer = OFFERED[of]
        thing = self.things[of]
        self.player.watch(of, do)
        if do in offer.values:
            return wire.write({"value": getattr(thing, do)})
        if do not in offer.methods:
            raise wire.CannotPass(f"{of} offers no {do}")
        try:
            target = thing if do == "__call__" else getattr(thing, do)
            values = [self._own(value) for value in asked["values"]]
            named = {name: self._own(value) for name, value in asked["named"].items()}
            return wire.write({"value": target(*values, **named)})
        except Exception as error:
            return wire.write({"raised": wire.raised(error)})

    def _own(self, value: Any) -> Any:
        return self.things[value.name] if isinstance(value, wire.Ref) else value
