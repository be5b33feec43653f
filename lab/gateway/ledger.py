"""The ledger: the gateway's own durable record of what it intends, began and knows."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from lab.gateway.actions import Action
from lab.gateway.errors import BrokenContract, IllegalTransition, KeyReused, VersionConflict
from lab.gateway.guards import GUARDS
from lab.gateway.states import LEGAL, PREPARED, REVIEW, SETTLED, UNKNOWN
from lab.gateway.store import BUSY_MS, NOTHING_SENT, File, Store

Clock = Callable[[], int]
"""Tells the time in milliseconds since 1970, or since any other fixed moment."""

ATTEMPTS = 3  # three refusals in a row are no hiccup: somebody should look
ASK_FIRST = "ask the provider before you send again."
SEND_WINDOW_MS = 30_000  # a worker that has not sent half a minute after it began has been asleep


def system_clock() -> int:
    """Return the machine's time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Row(NamedTuple):
    """What the ledger knows about one action. Times are milliseconds of the ledger's clock."""

    number: int  # the order of arrival
    key: str
    kind: str
    payload_hash: str
    state: str
    attempts: int  # crossings of the boundary so far
    attempts_allowed: int  # no attempt begins beyond this number
    version: int  # grows by one with every change
    provider: str | None  # where the attempts go
    send_by: int | None  # nobody sends the open attempt after this; None: none is open
    retry_since: int | None  # when the first attempt under this approval began
    receipt: str | None
    risks_accepted: int  # attempts that a person allowed without proof
    closed: int  # 1: off the review desk
    updated_at: int
    actor: str  # who made the last change,
    evidence: str  # on what grounds,
    about: int  # and which attempt the grounds are about


def request_id(key: str, attempt: int) -> str:
    """Name one attempt of one action: ``welcome:lead-202:v1#1``. The ledger writes the same."""
    return f"{key}#{attempt}"


def writable(text: str) -> str:
    """Return a text that a file can hold: half a character, from outside, is spelled out."""
    return text.encode("utf-8", "backslashreplace").decode()


def check_receipt(receipt: object) -> str:
    """Return the receipt, if it names something: an empty text, or anything else, does not.

    Raises:
        BrokenContract: it does not.
    """
    if isinstance(receipt, str) and receipt.strip() and receipt.isprintable():
        return receipt
    raise BrokenContract(f"a receipt is a text that names an effect, and {receipt!r:.40} is not")


class Ledger(Store):
    """The durable record, ``operator.sqlite3``: one row an action, one event a change.

    ``clock`` tells the time in milliseconds; ``actor`` is who writes, where nobody else is named.
    Payloads are never stored. One ledger object belongs to one thread.

    Raises:
        StoreError: one of its subclasses, when the file cannot be used.
    """

    APPLICATION = 0x6C616267
    SCHEMA = f"""
        CREATE TABLE actions (
            number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL, payload_hash TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'PREPARED',
            attempts INTEGER NOT NULL DEFAULT 0,
            attempts_allowed INTEGER NOT NULL DEFAULT {ATTEMPTS},
            version INTEGER NOT NULL DEFAULT 1, provider TEXT, send_by INTEGER, retry_since INTEGER,
            receipt TEXT, risks_accepted INTEGER NOT NULL DEFAULT 0,
            closed INTEGER NOT NULL DEFAULT 0, updated_at INTEGER NOT NULL, actor TEXT NOT NULL,
            evidence TEXT NOT NULL DEFAULT 'prepared', about INTEGER NOT NULL DEFAULT 0,
            CHECK ((state = 'SETTLED') = (receipt IS NOT NULL)),
            CHECK (state = 'REVIEW' OR (state = 'UNKNOWN') = (send_by IS NOT NULL))
        ) STRICT;"""
    GUARDS = GUARDS

    def __init__(
        self, path: File, clock: Clock = system_clock, actor: str = "worker", busy_ms: int = BUSY_MS
    ) -> None:
        self.clock, self.actor = clock, actor
        super().__init__(path, busy_ms)

    def now(self, row: Row | None = None) -> int:
        """Return the time in milliseconds; a clock behind the row's last change has not moved."""
        return max(self.clock(), row.updated_at if row else 0)

    def get(self, key: str) -> Row | None:
        """Return the row of a key, or None where the key was never prepared."""
        found = self._all("SELECT * FROM actions WHERE key = ?", key)
        return Row._make(found[0]) if found else None

    def find(self, action: Action) -> Row | None:
        """Return the row of this very action, or None.

        Raises:
            KeyReused: the key is there, with another kind or payload.
        """
        known = self._all("SELECT payload_hash FROM actions WHERE key = ?", action.key)
        if known and known[0][0] != action.hash:
            raise KeyReused(action.key)
        return self.get(action.key) if known else None

    def has_twin(self, row: Row) -> bool:
        """Tell whether an effect of this content could be another action's as well.

        It could where another attempt is open, or where a person allowed one without proof.
        """
        same = "provider = ? AND payload_hash = ? AND key <> ?"
        values = (row.provider, row.payload_hash, row.key)
        return bool(
            self._all(
                "SELECT 1 FROM actions WHERE state <> 'SETTLED' AND state <> 'PREPARED' "
                f"AND {same} UNION ALL SELECT 1 FROM actions WHERE {same} AND risks_accepted > 0",
                *values,
                *values,
            )
        )

    def counts(self) -> dict[str, int]:
        """Return how many actions are in each state; as fast for a million as for a dozen."""
        return self._dicts("SELECT * FROM counts")[0]

    def rows(self, open_only: bool = False) -> list[Row]:
        """Return all rows, oldest first; or only those that still need somebody, by an index."""
        where = "WHERE state <> 'SETTLED' AND closed = 0" if open_only else ""
        return sorted(Row._make(values) for values in self._all(f"SELECT * FROM actions {where}"))

    def events(self, key: str | None = None) -> list[dict[str, Any]]:
        """Return what happened, oldest first: to one action, or to all of them."""
        if key is None:
            return self._dicts("SELECT * FROM history ORDER BY at, place")
        return self._dicts("SELECT * FROM history WHERE key = ? ORDER BY place", key)

    def prepare(self, action: Action) -> Row:
        """Write down the intention, once; an action that is already there is returned as it is.

        Raises:
            KeyReused: the key is there, with another kind or payload. Nothing is written.
        """
        self._write(
            "INSERT INTO actions (key, kind, payload_hash, updated_at, actor) "
            "VALUES (?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING",
            (action.key, action.kind, action.hash, self.clock(), self.actor),
        )
        row = self.find(action)
        assert row is not None  # it was there, or it was written; nothing deletes it
        return row

    def begin(self, action: Action, row: Row | None, provider: str) -> Row:
        """Claim the next attempt, durably, before anything is sent.

        A new action is prepared in the same commit. Of two workers that saw the same row, one
        begins; the row's ``send_by`` is the last moment at which it may send.

        Raises:
            VersionConflict: somebody else prepared or changed the row first. Nothing is written.
            IllegalTransition: the row is not PREPARED.
        """
        if row is not None and row.state != PREPARED:
            raise IllegalTransition(f"{row.key} is {row.state}: no attempt may begin")
        self.otherwise = NOTHING_SENT  # whatever an earlier action left open
        begun = (
            self._begin_new(action, provider) if row is None else self._begin_next(row, provider)
        )
        self.otherwise = f"{begun.key} is UNKNOWN: {ASK_FIRST}"
        return begun

    def _begin_next(self, row: Row, provider: str) -> Row:
        now = self.now(row)
        return self.change(
            row,
            UNKNOWN,
            "attempt begins",
            attempts=row.attempts + 1,
            provider=provider,
            send_by=now + SEND_WINDOW_MS,
            retry_since=now if row.retry_since is None else row.retry_since,
        )

    def _begin_new(self, action: Action, provider: str) -> Row:
        now = self.clock()
        send_by = now + SEND_WINDOW_MS
        number = self._insert(
            "INSERT INTO actions (key, kind, payload_hash, state, attempts, version, provider, "
            "send_by, retry_since, updated_at, actor, evidence, about) "
            "VALUES (?, ?, ?, 'UNKNOWN', 1, 2, ?, ?, ?, ?, ?, 'attempt begins', 1) "
            "ON CONFLICT (key) DO NOTHING",
            (action.key, action.kind, action.hash, provider, send_by, now, now, self.actor),
        )
        if number is None:
            raise VersionConflict(action.key)
        return Row(
            number, action.key, action.kind, action.hash, UNKNOWN, 1, ATTEMPTS, 2, provider,
            send_by, now, None, 0, 0, now, self.actor, "attempt begins", 1,
        )  # fmt: skip

    def change(self, row: Row, to: str, evidence: str, **columns: Any) -> Row:
        """Move a row on, if nobody moved it since it was read; return it as it is now.

        One commit writes the row, its next version and one event. ``columns`` are the other new
        values; among them ``actor``, if somebody else decides, and ``about``, the attempt that the
        evidence is about, if not the last.

        Raises:
            IllegalTransition: the table of transitions does not list this move.
            VersionConflict: somebody else changed the row first. Nothing is written.
            TypeError: ``columns`` names something that is no column. Nothing is written.
        """
        if to != row.state and (row.state, to) not in LEGAL:
            raise IllegalTransition(f"{row.key}: {row.state} to {to} is not a legal move")
        if strange := columns.keys() - set(Row._fields):
            raise TypeError(f"a row has no column {', '.join(sorted(strange))}")
        values: dict[str, Any] = {
            "state": to,
            "version": row.version + 1,
            "updated_at": self.now(row),
            "evidence": writable(evidence),
            "actor": self.actor,
            "about": columns.get("attempts", row.attempts),
            **columns,
        }
        seen = "number = ? AND key = ? AND version = ?"
        update = f"UPDATE actions SET {' = ?, '.join(values)} = ? WHERE {seen}"
        still = f"{row.key} is still {row.state}: {ASK_FIRST}" if row.state != PREPARED else ""
        if self._write(update, (*values.values(), row.number, row.key, row.version), still) != 1:
            raise VersionConflict(row.key)
        self.otherwise = NOTHING_SENT
        return row._replace(**values)

    def settle(self, row: Row, receipt: str, evidence: str, **columns: Any) -> Row:
        """Keep a receipt, however late: evidence is never fenced by a version.

        A receipt that another action of this provider owns proves nothing: the row goes to REVIEW.
        A second receipt for a settled action is kept as an event that contradicts the first.
        """
        try:
            if row.state != SETTLED:
                return self.change(row, SETTLED, evidence, receipt=receipt, send_by=None, **columns)
            if row.receipt != receipt:
                return self.change(row, SETTLED, f"contradicted by {receipt}", **columns)
            return row  # known already
        except VersionConflict:  # somebody moved the row; the receipt holds all the same
            held = self.get(row.key)
            assert held is not None
            return self.settle(held, receipt, evidence, **{"about": row.attempts, **columns})
        except sqlite3.IntegrityError:  # the unique receipt: another action owns it
            doubt = f"{receipt} is another action's receipt"
            return row if row.evidence == doubt else self.change(row, REVIEW, doubt, **columns)
