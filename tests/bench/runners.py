"""What the benchmark runs: `execute`, the least that SQLite asks for the same row, the raw disk."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

from lab.gateway import KEYED, Action, Ledger, Readback, Verdict, execute

Runner = Callable[[Action], object]
"""Does one action, from the call to the second durable commit."""

PAGE = b"x" * 4096
PAGES = 256
SCATTER = 2_654_435_761  # an odd number near 2**32 / phi: keys in no order, and none twice

# Rows as after long use: 97 of 100 settled, one each prepared, unknown and in review. They are
# written by the ledger's own moves, so that its triggers write the events and keep the tally.
SEED = (
    "INSERT INTO actions (key, kind, payload_hash, state, attempts, version, provider, send_by, "
    "retry_since, updated_at, actor, evidence, about) VALUES "
    "(?, 'welcome_email', ?, 'UNKNOWN', 1, 2, 'keyed', 1, 1, 1, 'worker', 'attempt begins', 1)"
)
MOVES = (
    "UPDATE actions SET state = 'SETTLED', version = 3, send_by = NULL, receipt = 'r-' || key, "
    "evidence = 'response' WHERE number % 100 >= 3",
    "UPDATE actions SET state = 'PREPARED', version = 3, send_by = NULL WHERE number % 100 = 2",
    "UPDATE actions SET state = 'REVIEW', version = 3 WHERE number % 100 = 1",
)
# What `execute` writes of such an action, and nothing else.
INSERT = (
    "INSERT INTO actions (key, kind, payload_hash, state, attempts, version, provider, send_by, "
    f"retry_since, updated_at, actor, evidence, about) VALUES (?{', ?' * 12})"
)
UPDATE = (
    "UPDATE actions SET state = ?, version = ?, send_by = ?, receipt = ?, updated_at = ?, "
    "actor = ?, evidence = ?, about = ? WHERE key = ? AND version = ?"
)


class Instant:
    """A provider that answers at once and keeps nothing, so that only our own cost is measured."""

    contract = KEYED

    def perform(self, action: Action, attempt: int) -> str:
        """Return a receipt that nobody else has."""
        return f"r-{action.key}"

    def readback(self, action: Action) -> Readback:
        """Hold nothing."""
        return Readback(Verdict.ABSENT)


def scattered_key(number: int) -> str:
    """Return a key that is unique, and in no order."""
    return f"welcome:{number * SCATTER % 2**32:08x}:v1"


def made(numbers: range) -> list[Action]:
    """Make actions before the clock starts: `execute` is given them."""
    return [
        Action(scattered_key(number), "welcome_email", {"lead": f"lead-{number}"})
        for number in numbers
    ]


def empty_ledger(path: Path) -> None:
    """Make a ledger with nothing in it."""
    Ledger(path).close()


def empty_table(path: Path) -> None:
    """Make the ledger's own table alone: no events, no triggers, no index but the unique key."""
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute(Ledger.SCHEMA)
    database.close()


def seed(path: Path, rows: int) -> None:
    """Put rows into a database, fast: nothing of this is measured, and none of it lost."""
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA synchronous = OFF")
    database.execute("BEGIN")
    database.executemany(SEED, ((scattered_key(n), f"{n:064x}") for n in range(rows)))
    for move in MOVES:
        database.execute(move)
    database.execute("COMMIT")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()


def check(path: Path, rows: int) -> None:
    """Make sure that a seeded ledger is one: as many counted as there are, one event a change."""
    with Ledger(path) as ledger:
        counted, events = ledger.counts(), "SELECT count(*) FROM events"
    database = sqlite3.connect(path)
    really = dict(database.execute("SELECT state, count(*) FROM actions GROUP BY state"))
    written, changes = database.execute(f"SELECT ({events}), sum(version) FROM actions").fetchone()
    database.close()
    assert {state: n for state, n in counted.items() if n} == really
    assert sum(really.values()) == rows
    assert written == changes


def through_execute(path: Path) -> Runner:
    """Return what does an action through the gateway, on a ledger at full durability."""
    ledger, provider = Ledger(path), Instant()
    return lambda action: execute(action, ledger, provider)


def through_bare_loop(path: Path, explicit: bool) -> Runner:
    """Return what writes such a row in two durable commits, with SQLite's defaults otherwise.

    ``explicit``: between BEGIN IMMEDIATE and COMMIT, where autocommit would do.
    """
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA synchronous = FULL")

    def commit(sql: str, values: Sequence[object]) -> None:
        if explicit:
            database.execute("BEGIN IMMEDIATE")
        database.execute(sql, values)
        if explicit:
            database.execute("COMMIT")

    def one(action: Action) -> None:
        begun = (action.key, action.kind, action.hash, "UNKNOWN", 1, 2, "keyed", 30_001, 1, 1)
        commit(INSERT, (*begun, "worker", "attempt begins", 1))
        settled = ("SETTLED", 3, None, f"r-{action.key}", 1, "worker", "response", 1)
        commit(UPDATE, (*settled, action.key, 2))

    return one


def onto_raw_disk(path: Path) -> Runner:
    """Return what writes two pages, each made durable, into a file that has its size already."""
    file = os.open(path, os.O_RDWR | os.O_CREAT)
    for _ in range(PAGES):
        os.write(file, PAGE)
    os.fsync(file)
    sync = getattr(os, "fdatasync", os.fsync)
    place = 0

    def one(action: Action) -> None:
        nonlocal place
        for _ in range(2):
            os.lseek(file, place * len(PAGE), os.SEEK_SET)
            os.write(file, PAGE)
            sync(file)
            place = (place + 1) % PAGES

    return one
