"""What the operator's ledger refuses by itself, tried from another program, in raw SQL."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lab.gateway import Action
from lab.operations.ledger import OperatorLedger
from tests.operations.conftest import SCOPE, START_MS, UNTIL_MS

TABLES = ("proposals", "decisions", "dispatch", "reviews", "notes")


@pytest.fixture
def raw(ledger: OperatorLedger, ledger_path: Path) -> Iterator[sqlite3.Connection]:
    """Return another program's way into the ledger's file."""
    connection = sqlite3.connect(ledger_path, isolation_level=None)
    yield connection
    connection.close()


def everything(raw: sqlite3.Connection) -> list[Any]:
    return [raw.execute(f"SELECT * FROM {table}").fetchall() for table in ("actions", *TABLES)]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM {}",
        "UPDATE {} SET actor = 'nobody'",
        "UPDATE {} SET at = at - 1",
        "UPDATE OR REPLACE {} SET number = 7",
        "INSERT OR REPLACE INTO {0} SELECT * FROM {0}",
        "INSERT OR IGNORE INTO {0} SELECT * FROM {0}",
    ],
)
def test_no_row_is_ever_deleted_changed_or_replaced(
    full_ledger: OperatorLedger, raw: sqlite3.Connection, table: str, sql: str
) -> None:
    before = everything(raw)
    assert all(before[1:])
    with pytest.raises(sqlite3.IntegrityError, match=r"never|once"):
        raw.execute(sql.format(table))
    assert everything(raw) == before


DECIDE = "INSERT INTO decisions (actor, at, proposal, verdict, person, reason) VALUES "


@pytest.mark.parametrize("verdict", ["approved", "declined"])
@pytest.mark.parametrize(
    ("who", "at", "allowed"),
    [
        ("bob", START_MS, True),
        ("bob", UNTIL_MS - 1, True),
        ("bob", UNTIL_MS, False),
        ("bob", START_MS - 1, False),
        ("ada", START_MS, False),
    ],
)
def test_the_database_itself_refuses_who_decides_on_his_own_or_too_late(
    ledger: OperatorLedger,
    raw: sqlite3.Connection,
    action: Action,
    verdict: str,
    who: str,
    at: int,
    allowed: bool,
) -> None:
    number = ledger.add_proposal(action, SCOPE, UNTIL_MS, "Ada", START_MS).number
    row = f"({who.upper()!r}, {at}, {number}, {verdict!r}, {who!r}, '')"
    if allowed:
        raw.execute(DECIDE + row)
    else:
        with pytest.raises(sqlite3.IntegrityError, match="another person decides, before it exp"):
            raw.execute(DECIDE + row)
    assert ledger.proposal(number).verdict == (verdict if allowed else None)


@pytest.mark.parametrize("replace", ["", "OR REPLACE ", "OR IGNORE "])
def test_the_database_itself_refuses_a_second_decision(
    full_ledger: OperatorLedger, raw: sqlite3.Connection, replace: str
) -> None:
    before = everything(raw)
    decide = DECIDE.replace("INTO", f"{replace}INTO")
    with pytest.raises(sqlite3.IntegrityError, match="decided once"):
        raw.execute(f"{decide} ('carol', {START_MS}, 1, 'declined', 'carol', 'no')")
    assert everything(raw) == before


@pytest.mark.parametrize(
    "row",
    [
        "dispatch (actor, at, allowed, reason) VALUES ('ada', 1, 2, 'r')",
        "dispatch (actor, at, allowed, reason) VALUES (' ', 1, 1, 'r')",
        "dispatch (actor, at, allowed, reason) VALUES ('ada', 'noon', 1, 'r')",
        "decisions (actor, at, proposal, verdict, person, reason) "
        f"VALUES ('bob', {START_MS}, 1, 'maybe', 'bob', '')",
        "decisions (actor, at, proposal, verdict, person, reason) "
        f"VALUES ('bob', {START_MS}, 99, 'approved', 'bob', '')",
        "proposals (actor, at, key, kind, payload_hash, scope, expires_at, person) "
        "VALUES ('ada', 5, 'k', 'k', 'h', 's', 5, 'ada')",
        "reviews (actor, at, key, minutes, incident) VALUES ('ada', 1, 'k', '1', 2)",
        "reviews (actor, at, key, minutes, incident) VALUES ('ada', 1, 'k', 'abc', 0)",
        "reviews (actor, at, key, minutes, incident) VALUES ('ada', 1, 'k', '1.2.3', 0)",
        "reviews (actor, at, key, minutes, incident) VALUES ('ada', 1, 'k', '', 0)",
        "notes (actor, at, key, text) VALUES ('ada', 1, NULL, 'text')",
    ],
)
def test_the_database_itself_refuses_what_means_nothing(
    ledger: OperatorLedger, raw: sqlite3.Connection, action: Action, row: str
) -> None:
    ledger.add_proposal(action, SCOPE, UNTIL_MS, "ada", START_MS)
    before = everything(raw)
    with pytest.raises(sqlite3.IntegrityError):
        raw.execute(f"INSERT INTO {row}")
    assert everything(raw) == before


@pytest.mark.parametrize("number", [-1, 0, 3, 2**63 - 1])
@pytest.mark.parametrize("table", TABLES)
def test_no_row_is_put_before_the_first_or_far_behind_the_last(
    full_ledger: OperatorLedger, raw: sqlite3.Connection, table: str, number: int
) -> None:
    before = everything(raw)
    columns = [found[1] for found in raw.execute(f"PRAGMA table_info({table})")][1:]
    again = f"INSERT INTO {table} SELECT {number}, {', '.join(columns)} FROM {table}"
    with pytest.raises(sqlite3.IntegrityError):
        raw.execute(again)
    assert everything(raw) == before
    full_ledger.stop_dispatch("ada", "now")
    assert not full_ledger.may_dispatch()


@pytest.mark.parametrize("source", ["notes", "proposed"])
def test_what_belongs_to_one_key_is_found_by_an_index(raw: sqlite3.Connection, source: str) -> None:
    plan = raw.execute(f"EXPLAIN QUERY PLAN SELECT * FROM {source} WHERE key = 'k'").fetchall()
    assert all("SEARCH" in step[-1] and "AUTOMATIC" not in step[-1] for step in plan), plan
