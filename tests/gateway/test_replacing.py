"""No row is replaced, and no event written by hand, whatever SQL another program writes."""

import sqlite3
from contextlib import nullcontext, suppress

import pytest

from lab.gateway import SETTLED, STATES, UNKNOWN, Action, Ledger
from tests.gateway.conftest import Everything, RowIn

# OR REPLACE deletes what is in its way, and no trigger on DELETE is asked.
COLUMNS = "key, kind, payload_hash, updated_at, actor"
REPLACING = (
    f"INSERT OR REPLACE INTO actions ({COLUMNS}) SELECT {COLUMNS} FROM actions",
    f"INSERT OR REPLACE INTO actions (number, {COLUMNS}) SELECT number, {COLUMNS} FROM actions",
    f"INSERT OR REPLACE INTO actions (number, {COLUMNS}) SELECT number, 'b', 'k', 'h', 9, 'me' "
    "FROM actions",
    "INSERT OR REPLACE INTO events SELECT place, sequence, attempt, source, target, 'me', at, "
    "evidence, request_id FROM events",
    "UPDATE OR REPLACE actions SET number = 1, version = version + 1 WHERE number = 2",
    "UPDATE OR REPLACE actions SET version = version + 1, key = (SELECT min(key) FROM actions)",
    "UPDATE OR REPLACE actions SET version = version + 1, state = 'SETTLED', send_by = NULL, "
    "receipt = (SELECT receipt FROM actions WHERE number = 1) WHERE number = 2",
)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize(
    ("place", "sequence"),
    [
        ("1 << 20 | 9", 9), ("1 << 20 | 9", 1), ("NULL", 9), ("2 << 20 | 1", 1), ("1 << 20", 0),
        ("1 << 20 | 1", 1), ("-1", 1), ("0", 0), ("77", 77),
        ("9223372036854775807", 1), ("1 << 20 | 3", 3),
    ],
)  # fmt: skip
@pytest.mark.parametrize("clause", ["", "OR IGNORE", "OR REPLACE"])
def test_only_a_change_writes_an_event(
    file_ledger: Ledger,
    raw: sqlite3.Connection,
    everything: Everything,
    row_in: RowIn,
    state: str,
    place: str,
    sequence: int,
    clause: str,
) -> None:
    row_in(file_ledger, state)
    before = everything()
    event = f"({place}, {sequence}, 1, 'PREPARED', 'REVIEW', 'me', 1, 'forged', NULL)"
    with pytest.raises(sqlite3.IntegrityError, match="a change writes its one event"):
        raw.execute(f"INSERT {clause} INTO events VALUES {event}")
    assert everything() == before


def test_the_same_receipt_of_two_providers_takes_nothing_from_either(
    file_ledger: Ledger, raw: sqlite3.Connection, everything: Everything, row_in: RowIn
) -> None:
    settled = row_in(file_ledger, SETTLED)
    other = file_ledger.begin(Action("z:other", "welcome_email", {}), None, "another")
    file_ledger.settle(other, settled.receipt, "response")
    before = everything()
    for provider in (repr(settled.provider), "NULL", "'a third'"):
        with pytest.raises(sqlite3.IntegrityError):
            raw.execute(
                f"UPDATE OR REPLACE actions SET version = version + 1, provider = {provider} "
                "WHERE key = 'z:other'"
            )
    assert everything() == before


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("sql", REPLACING)
def test_nothing_is_replaced(
    file_ledger: Ledger,
    raw: sqlite3.Connection,
    everything: Everything,
    row_in: RowIn,
    state: str,
    sql: str,
) -> None:
    row_in(file_ledger, state)
    second = file_ledger.begin(Action("z:second", "welcome_email", {}), None, "keyed")
    before = everything()
    with suppress(sqlite3.IntegrityError):  # it is refused, or does nothing
        raw.execute(sql)
    assert everything() == before
    assert file_ledger.get(second.key) == second


@pytest.mark.parametrize(
    ("sql", "refused"),
    [
        ("INSERT INTO", "UNIQUE constraint failed: actions.key"),
        ("INSERT OR REPLACE INTO", "an action is never replaced"),
        ("INSERT OR IGNORE INTO", None),
    ],
)
def test_a_key_that_is_there_is_told_as_the_statement_asks(
    file_ledger: Ledger,
    raw: sqlite3.Connection,
    everything: Everything,
    row_in: RowIn,
    sql: str,
    refused: str | None,
) -> None:
    row_in(file_ledger, UNKNOWN)
    before = everything()
    with pytest.raises(sqlite3.IntegrityError, match=refused) if refused else nullcontext():
        raw.execute(f"{sql} actions ({COLUMNS}) SELECT {COLUMNS} FROM actions")
    raw.execute(f"INSERT INTO actions ({COLUMNS}) SELECT {COLUMNS} FROM actions WHERE true "
                "ON CONFLICT DO NOTHING")  # fmt: skip
    assert everything() == before
