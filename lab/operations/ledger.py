"""The operator's ledger: the gateway's own record, and beside it what people said and decided."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any, NamedTuple, TypeVar

from lab.gateway.actions import Action
from lab.gateway.errors import DecisionRefused
from lab.gateway.ledger import Ledger, Row, writable
from lab.gateway.states import PREPARED, UNKNOWN
from lab.gateway.store import NOTHING_SENT
from lab.operations.errors import DispatchStopped

APPROVED, DECLINED = "approved", "declined"
LONGEST_REVIEW = Decimal(24 * 60)  # minutes; whoever writes more has measured something else
Record = TypeVar("Record", bound=NamedTuple)

Guard = Callable[[Action, int], object]
"""Looks at an action whose attempt begins at this time (ms), and refuses it by raising."""


class Proposal(NamedTuple):
    """What somebody wants done, and what somebody else decided about it. Times in ms."""

    number: int
    key: str
    kind: str
    payload_hash: str
    scope: str  # the one permission that it needs: messages:create
    expires_at: int  # from this moment on it holds no more
    actor: str  # who proposed it,
    at: int  # and when
    verdict: str | None  # approved or declined; None: nobody decided yet
    decided_by: str | None
    decided_at: int | None
    reason: str | None


class Switch(NamedTuple):
    """One turn of the switch that stops and allows dispatch."""

    allowed: int  # 1: attempts may begin; 0: none may
    actor: str
    at: int  # ms
    reason: str


class Review(NamedTuple):
    """What one person's look at one action took, as measured."""

    key: str
    actor: str
    minutes: Decimal
    incident: int  # 1: something had gone wrong; 0: the ordinary round
    at: int  # ms


class Note(NamedTuple):
    """What an operator wrote about one action."""

    key: str
    actor: str
    at: int  # ms
    text: str


_TABLES = {
    "proposals": """key TEXT NOT NULL, kind TEXT NOT NULL, payload_hash TEXT NOT NULL,
        scope TEXT NOT NULL, expires_at INTEGER NOT NULL, person TEXT NOT NULL,
        CHECK (at < expires_at)""",
    "decisions": f"""proposal INTEGER NOT NULL UNIQUE, verdict TEXT NOT NULL,
        person TEXT NOT NULL, reason TEXT NOT NULL,
        CHECK (verdict IN ('{APPROVED}', '{DECLINED}'))""",
    "dispatch": "allowed INTEGER NOT NULL, reason TEXT NOT NULL, CHECK (allowed IN (0, 1))",
    "reviews": """key TEXT NOT NULL, minutes TEXT NOT NULL, incident INTEGER NOT NULL,
        CHECK (incident IN (0, 1)), CHECK (minutes GLOB '[0-9]*'
            AND minutes NOT GLOB '*[^0-9.]*' AND minutes NOT GLOB '*.*.*')""",
    "notes": "key TEXT NOT NULL, text TEXT NOT NULL",
}
_AS_DECIDED = "ORDER BY decision, number"  # no decision comes first

_STOPPED = "(SELECT allowed FROM dispatch ORDER BY number DESC LIMIT 1) = 0"
_BEGINS = f"NEW.state = '{UNKNOWN}' AND {_STOPPED}"
_DECIDED = "EXISTS (SELECT 1 FROM decisions WHERE proposal = NEW.proposal)"
_FAIR = """EXISTS (SELECT 1 FROM proposals WHERE number = NEW.proposal AND person <> NEW.person
    AND NEW.at >= at AND NEW.at < expires_at)"""
_THERE = "EXISTS (SELECT 1 FROM {table} WHERE number = NEW.number)"
_RULES = (
    ("once", "INSERT", "decisions", _DECIDED, "a proposal is decided once"),
    ("fair", "INSERT", "decisions", f"NOT {_FAIR}", "another person decides, before it expires"),
    ("stop", "INSERT", "actions", _BEGINS, "dispatch is stopped"),
    ("stop", "UPDATE", "actions", f"OLD.state = '{PREPARED}' AND {_BEGINS}", "dispatch is stopped"),
    *(("keep", "DELETE", table, "1", f"rows of {table} are never deleted") for table in _TABLES),
    *(("keep", "UPDATE", table, "1", f"rows of {table} are never changed") for table in _TABLES),
    # INSERT OR REPLACE would delete the old row, and not ask the rule on DELETE.
    *(
        ("keep", "INSERT", table, _THERE.format(table=table), f"rows of {table} are never replaced")
        for table in _TABLES
    ),
)
_STATEMENTS = (
    *(
        f"CREATE TABLE IF NOT EXISTS {table} (number INTEGER PRIMARY KEY, actor TEXT NOT NULL, "
        f"at INTEGER NOT NULL, {columns}, CHECK (trim(actor) <> '')) STRICT"
        for table, columns in _TABLES.items()
    ),
    "CREATE VIEW IF NOT EXISTS proposed AS SELECT proposals.*, decisions.number AS decision, "
    "verdict, decisions.actor AS decided_by, decisions.at AS decided_at, reason "
    "FROM proposals LEFT JOIN decisions ON proposal = proposals.number",
    "CREATE INDEX IF NOT EXISTS proposals_of ON proposals (key)",
    "CREATE INDEX IF NOT EXISTS notes_of ON notes (key)",
    *(
        f"CREATE TRIGGER IF NOT EXISTS {name}_{table}_{event} BEFORE {event} ON {table} "
        f"WHEN {when} BEGIN SELECT RAISE(ABORT, '{because}'); END"
        for name, event, table, when, because in _RULES
    ),
    # The last row counts, so none comes far behind it or before the first. BEFORE knows no number.
    *(
        f"CREATE TRIGGER IF NOT EXISTS number_{table} AFTER INSERT ON {table} "
        f"WHEN NEW.number <> 1 AND NOT EXISTS (SELECT 1 FROM {table} "
        "WHERE number = NEW.number - 1) "
        f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are numbered without a gap'); END"
        for table in _TABLES
    ),
)


def check_actor(actor: str) -> str:
    """Return a person's name as it is written down: in its usual characters, without odd spaces.

    Raises:
        DecisionRefused: there is no name, or it holds characters that nobody can see.
    """
    name = " ".join(unicodedata.normalize("NFKC", actor).split())
    if not name or not name.isprintable():
        raise DecisionRefused(f"{actor!r} names nobody: a decision needs the name of who takes it")
    return name


def person(actor: str) -> str:
    """Return the same text for every spelling of one name: ``ADA`` and ``ada`` are one person.

    Names that only look alike stay apart. They come from a sign-in, which does not give them out.

    Raises:
        DecisionRefused: see `check_actor`.
    """
    return unicodedata.normalize("NFKC", check_actor(actor).casefold())


def check_words(words: str) -> str:
    """Return what a person gives as grounds, ready to be written down.

    Raises:
        DecisionRefused: nothing was said.
    """
    if not words.strip():
        raise DecisionRefused("a decision needs grounds that somebody else can check")
    return writable(words)


class OperatorLedger(Ledger):
    """The ledger, and in the same file what people proposed, decided, measured and noted.

    Opening a plain ledger's file adds the tables; a plain `Ledger` opens the file as before. All
    of them only grow: the database itself refuses to change or delete a row. They hold no payload,
    and of people what an operator writes.

    Raises:
        StoreError: one of its subclasses, when the file cannot be used.
    """

    _guard: Guard | None = None

    def _open(self, busy_ms: int) -> None:
        super()._open(busy_ms)
        try:
            if not self._all("SELECT 1 FROM sqlite_master WHERE name = 'proposals'"):
                with self.transaction():
                    for statement in _STATEMENTS:
                        self._write(statement)
        except BaseException:
            self._db.close()
            raise

    def begin(self, action: Action, row: Row | None, provider: str) -> Row:
        """Claim the next attempt as `Ledger.begin` does, unless the switch or the guard refuses.

        All of it is one commit: nothing begins once the stop is written, and the guard judges the
        very time at which the attempt begins. An attempt that had begun may still be sent
        until its ``send_by``; its answer is kept.

        Raises:
            DispatchStopped: the switch is off. Nothing is written.
            Exception: whatever the guard raises. Nothing is written.
        """
        self.otherwise = NOTHING_SENT
        with self.transaction():
            if not self.may_dispatch():
                stop = self.switches()[-1]
                raise DispatchStopped(stop.actor, stop.reason)
            begun = super().begin(action, row, provider)
            after, self.otherwise = self.otherwise, NOTHING_SENT  # true until the commit
            if self._guard is not None:
                self._guard(action, begun.updated_at)
        self.otherwise = after
        return begun

    @contextmanager
    def guarded(self, guard: Guard) -> Iterator[None]:
        """Let ``guard`` look at every attempt that would begin in this ``with`` block."""
        before, self._guard = self._guard, guard
        try:
            yield
        finally:
            self._guard = before

    def may_dispatch(self) -> bool:
        """Tell whether attempts may begin: as the switch was last turned, also after a restart."""
        return not self._all(f"SELECT 1 WHERE {_STOPPED}")

    def stop_dispatch(self, actor: str, reason: str) -> None:
        """Let no attempt begin from now on, in any program that uses this file.

        Readback goes on, what is open is reconciled, and answers on their way are kept.

        Raises:
            DecisionRefused: no name, or no reason.
        """
        self._turn(0, actor, reason)

    def allow_dispatch(self, actor: str, reason: str) -> None:
        """Let attempts begin again.

        Raises:
            DecisionRefused: no name, or no reason.
        """
        self._turn(1, actor, reason)

    def switches(self) -> list[Switch]:
        """Return every turn of the switch, oldest first; none: dispatch was never stopped."""
        return self._records(Switch, "dispatch ORDER BY number")

    def proposals(self, key: str | None = None) -> list[Proposal]:
        """Return what was proposed, under one key or in all: what waits, then what was decided."""
        if key is None:
            return self._records(Proposal, f"proposed {_AS_DECIDED}")
        return self._records(Proposal, f"proposed WHERE key = ? {_AS_DECIDED}", key)

    def proposal(self, number: int) -> Proposal:
        """Return one proposal, and what was decided about it.

        Raises:
            DecisionRefused: no proposal has this number.
        """
        for found in self._records(Proposal, "proposed WHERE number = ?", number):
            return found
        raise DecisionRefused(f"there is no proposal {number}; look at the list again")

    def add_proposal(
        self, action: Action, scope: str, expires_at: int, actor: str, at: int
    ) -> Proposal:
        """Write down what somebody wants done; `Approvals` checks it first."""
        what = {"key": action.key, "kind": action.kind, "payload_hash": action.hash}
        until = {"scope": scope, "expires_at": expires_at, "person": person(actor)}
        return self.proposal(self._append("proposals", actor, at, **what, **until))

    def add_decision(self, number: int, verdict: str, actor: str, at: int, reason: str) -> Proposal:
        """Write down what somebody else decided; `Approvals` checks it first."""
        who = {"person": person(actor), "reason": writable(reason)}
        self._append("decisions", actor, at, proposal=number, verdict=verdict, **who)
        return self.proposal(number)

    def reviewed(self, key: str, minutes: Decimal, actor: str, incident: bool = False) -> None:
        """Keep what one look at an action took: minutes as measured, never as guessed.

        Raises:
            DecisionRefused: not such a number, no name, or a key that this ledger does not hold.
        """
        number = isinstance(minutes, Decimal) and minutes.is_finite()
        if not number or not 0 <= minutes <= LONGEST_REVIEW:
            raise DecisionRefused(
                f"{minutes} is no time: write minutes as a Decimal, from 0 to {LONGEST_REVIEW}"
            )
        measured = {"minutes": f"{abs(minutes):f}", "incident": int(incident)}
        self._append("reviews", actor, self._time_of(key), key=key, **measured)

    def reviews(self) -> list[Review]:
        """Return every measured look, oldest first."""
        found = self._records(Review, "reviews ORDER BY number")
        return [review._replace(minutes=Decimal(review.minutes)) for review in found]

    def note(self, key: str, text: str, actor: str) -> None:
        """Keep what an operator wants others to know about an action.

        Raises:
            DecisionRefused: no text, no name, or a key that this ledger does not hold.
        """
        self._append("notes", actor, self._time_of(key), key=key, text=check_words(text))

    def notes(self, key: str) -> list[Note]:
        """Return what was noted about an action, oldest first."""
        return self._records(Note, "notes WHERE key = ? ORDER BY number", key)

    def _turn(self, allowed: int, actor: str, reason: str) -> None:
        self._append("dispatch", actor, self.now(), allowed=allowed, reason=check_words(reason))

    def _time_of(self, key: str) -> int:
        """Return the time for a record about a key that is here, as an action or proposed."""
        row = self.get(key)
        if row is None and not self.proposals(key):
            raise DecisionRefused(f"{key} is not in this ledger; check the key")
        return self.now(row)

    def _append(self, table: str, actor: str, at: int, **columns: Any) -> int:
        """Write one more row of a person's; return its number."""
        values = {"actor": check_actor(actor), "at": at, **columns}
        marks = ", ".join("?" * len(values))
        sql = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})"
        number = self._insert(sql, tuple(values.values()))
        assert number is not None  # nothing else can be true of a plain INSERT
        return number

    def _records(self, record: type[Record], source: str, *values: Any) -> list[Record]:
        columns = ", ".join(record._fields)
        return [record._make(row) for row in self._all(f"SELECT {columns} FROM {source}", *values)]
