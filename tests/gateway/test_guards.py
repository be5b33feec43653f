"""What the database does and refuses by itself, tried from another program, in raw SQL."""

import random
import sqlite3
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from lab.gateway import (
    LEGAL,
    PREPARED,
    REVIEW,
    SETTLED,
    STATES,
    UNKNOWN,
    Action,
    Ledger,
    request_id,
)
from tests.gateway.conftest import Everything, RowIn


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM actions",
        "DELETE FROM events",
        "DELETE FROM events WHERE sequence = 1",
        "UPDATE events SET evidence = 'better'",
        "UPDATE events SET at = at - 1",
        "UPDATE events SET actor = 'nobody'",
        "UPDATE events SET sequence = sequence + 10",
        "UPDATE OR REPLACE events SET sequence = 1",
        "DELETE FROM tally",
        "INSERT INTO tally (row) VALUES (2)",
    ],
)
def test_what_happened_cannot_be_deleted_or_told_otherwise(
    file_ledger: Ledger,
    raw: sqlite3.Connection,
    everything: Everything,
    row_in: RowIn,
    state: str,
    sql: str,
) -> None:
    row_in(file_ledger, state)
    before = everything()
    with pytest.raises(sqlite3.IntegrityError, match="never"):
        raw.execute(sql)
    assert everything() == before


@pytest.mark.parametrize(
    "change",
    [
        "version = version",
        "version = version + 2",
        "version = version - 1",
        "version = version + 1, key = 'another'",
        "version = version + 1, kind = 'another'",
        "version = version + 1, payload_hash = 'another'",
    ],
)
def test_a_row_keeps_its_identity_and_its_versions_have_no_gap(
    file_ledger: Ledger,
    raw: sqlite3.Connection,
    everything: Everything,
    row_in: RowIn,
    change: str,
) -> None:
    row_in(file_ledger, REVIEW)
    before = everything()
    with pytest.raises(sqlite3.IntegrityError, match="next version, or another identity"):
        raw.execute(f"UPDATE actions SET {change}")
    assert everything() == before


@pytest.mark.parametrize(
    ("state", "change"),
    [
        (SETTLED, "receipt = 'another'"),
        (SETTLED, "number = 77"),
        (SETTLED, "attempts = 0"),
        (UNKNOWN, "attempts = 0"),
        (REVIEW, "attempts = attempts + 1"),
        (PREPARED, "state = 'UNKNOWN', send_by = 9"),
        (PREPARED, "state = 'UNKNOWN', send_by = 9, attempts = attempts + 2"),
    ],
)
def test_receipts_stay_and_attempts_count_what_began_and_nothing_else(
    file_ledger: Ledger,
    raw: sqlite3.Connection,
    everything: Everything,
    row_in: RowIn,
    state: str,
    change: str,
) -> None:
    row_in(file_ledger, state)
    before = everything()
    with pytest.raises(sqlite3.IntegrityError):
        raw.execute(f"UPDATE actions SET version = version + 1, {change}")
    assert everything() == before


def test_a_second_receipt_does_not_take_the_place_of_the_first(
    ledger: Ledger, row_in: RowIn
) -> None:
    row = row_in(ledger, SETTLED)
    with pytest.raises(sqlite3.IntegrityError):
        ledger.change(row, SETTLED, "a better one", receipt="another")
    assert ledger.rows() == [row]


def test_every_change_leaves_exactly_one_event_whoever_made_it(
    file_ledger: Ledger, raw: sqlite3.Connection, action: Action
) -> None:
    file_ledger.prepare(action)
    set_ = "UPDATE actions SET version = version + 1, actor = 'raw'"
    raw.execute(f"{set_}, state = 'UNKNOWN', attempts = 1, about = 1, send_by = 5, evidence = 'a'")
    raw.execute(f"{set_}, send_by = 4, evidence = 'b'")
    raw.execute(f"{set_}, state = 'REVIEW', evidence = 'c', updated_at = 9")
    told = [
        (e["sequence"], e["attempt"], e["source"], e["target"], e["evidence"], e["request_id"])
        for e in file_ledger.events(action.key)
    ]
    first = request_id(action.key, 1)
    assert told == [
        (1, 0, None, PREPARED, "prepared", None),
        (2, 1, PREPARED, UNKNOWN, "a", first),
        (3, 1, UNKNOWN, UNKNOWN, "b", first),
        (4, 1, UNKNOWN, REVIEW, "c", first),
    ]
    assert [event["actor"] for event in file_ledger.events(action.key)] == [
        "worker",
        "raw",
        "raw",
        "raw",
    ]
    assert file_ledger.events(action.key)[-1]["at"] == 9


def test_a_change_that_is_rolled_back_leaves_no_event_and_no_count(
    file_ledger: Ledger, raw: sqlite3.Connection, everything: Everything, row_in: RowIn
) -> None:
    row_in(file_ledger, UNKNOWN)
    before = everything()
    raw.execute("BEGIN")
    raw.execute("UPDATE actions SET version = version + 1, state = 'REVIEW'")
    raw.execute("ROLLBACK")
    assert everything() == before


@pytest.mark.parametrize(
    "change",
    [
        "state = 'SETTLED', send_by = NULL",  # settled by nothing
        "receipt = 'r'",  # a receipt, and not settled
        "send_by = NULL",  # nobody knows until when it may be sent
        "state = 'PREPARED'",  # proved not executed, and still to be sent
        "state = 'SETTLED', receipt = 'r'",  # settled, and still to be sent
        "attempts = 'two'",
        "send_by = 1.5",
        "actor = NULL",
        "evidence = NULL",
        "key = NULL",
    ],
)
def test_a_row_that_contradicts_itself_is_refused(
    file_ledger: Ledger,
    raw: sqlite3.Connection,
    everything: Everything,
    row_in: RowIn,
    change: str,
) -> None:
    row_in(file_ledger, UNKNOWN)
    before = everything()
    with pytest.raises(sqlite3.IntegrityError):
        raw.execute(f"UPDATE actions SET version = version + 1, {change}")
    assert everything() == before


def test_a_receipt_has_one_owner_at_each_provider(ledger: Ledger) -> None:
    def begun(key: str, provider: str) -> Any:
        return ledger.begin(Action(key, "k", {}), None, provider)

    assert ledger.settle(begun("a", "keyed"), "r-1", "response").state == SETTLED
    assert ledger.settle(begun("b", "readable"), "r-1", "response").state == SETTLED
    assert ledger.settle(begun("c", "keyed"), "r-1", "response").state == REVIEW


def plan(ledger: Ledger, query: Callable[[], object]) -> str:
    """Return how SQLite would run what a method asks."""
    asked: list[str] = []
    ledger._db.set_trace_callback(asked.append)
    query()
    ledger._db.set_trace_callback(None)
    [sql] = asked
    steps = ledger._db.execute(f"EXPLAIN QUERY PLAN {sql}").fetchall()
    return "; ".join(step[3] for step in steps)


def filled(ledger: Ledger, settled: int = 300) -> Ledger:
    """Return the ledger with many settled rows, a few open ones and one in review."""
    for number in range(settled):
        row = ledger.begin(Action(f"s:{number}", "k", {}), None, "keyed")
        ledger.settle(row, f"r-{number}", "response")
    for number in range(3):
        ledger.prepare(Action(f"p:{number}", "k", {}))
    row = ledger.begin(Action("u:1", "k", {}), None, "keyed")
    ledger.change(row, REVIEW, "silence")
    return ledger


@pytest.mark.parametrize("analysed", [False, True])
def test_open_rows_are_listed_and_compared_by_an_index_never_by_a_scan(
    ledger: Ledger, analysed: bool
) -> None:
    row = filled(ledger).rows(open_only=True)[-1]
    if analysed:
        ledger._db.execute("ANALYZE")
    assert "USING INDEX open_actions" in plan(ledger, lambda: ledger.rows(open_only=True))
    assert "USING INDEX open_actions" in plan(ledger, lambda: ledger.has_twin(row))


def test_counting_and_finding_read_one_row(ledger: Ledger, action: Action) -> None:
    filled(ledger)
    assert plan(ledger, ledger.counts).startswith("SCAN tally")
    assert plan(ledger, ledger.counts).endswith("SEARCH actions")
    assert len(ledger._db.execute("SELECT * FROM tally").fetchall()) == 1
    assert plan(ledger, lambda: ledger.find(action)).startswith("SEARCH actions USING INDEX")


def test_the_events_of_one_action_are_found_by_their_place(ledger: Ledger) -> None:
    key = filled(ledger).rows()[-1].key
    used = plan(ledger, lambda: ledger.events(key))
    assert "SEARCH events USING INTEGER PRIMARY KEY" in used
    assert "SCAN" not in used


@pytest.mark.parametrize("number", [-1, 0, 2, 4])
def test_actions_are_numbered_without_a_gap_for_the_counts_rely_on_it(
    file_ledger: Ledger, raw: sqlite3.Connection, everything: Everything, number: int
) -> None:
    add = "INSERT INTO actions (number, key, kind, payload_hash, updated_at, actor) VALUES "
    raw.execute(f"{add} (1, 'a', 'k', 'h', 0, 'raw')")
    raw.execute(f"{add} (2, 'b', 'k', 'h', 0, 'raw')")
    before = everything()
    with pytest.raises(sqlite3.IntegrityError):
        raw.execute(f"{add} ({number}, 'c', 'k', 'h', 0, 'raw')")
    assert everything() == before
    assert file_ledger.counts() == {PREPARED: 2, UNKNOWN: 0, SETTLED: 0, REVIEW: 0}


def test_an_action_has_room_for_a_million_events_and_not_for_one_more(
    file_ledger: Ledger, raw: sqlite3.Connection, action: Action, everything: Everything
) -> None:
    file_ledger.prepare(action)
    file_ledger.prepare(Action("the-next", "k", {}))
    [[trigger]] = raw.execute("SELECT sql FROM sqlite_master WHERE name = 'changed_action'")
    raw.execute("DROP TRIGGER changed_action")
    raw.execute("UPDATE actions SET version = (1 << 20) - 2 WHERE number = 1")
    raw.execute(trigger)
    row = file_ledger.get(action.key)
    assert row is not None
    last = file_ledger.change(row, PREPARED, "the last")
    before = everything()
    with pytest.raises(sqlite3.IntegrityError):
        file_ledger.change(last, PREPARED, "one too many")
    assert everything() == before
    assert [event["evidence"] for event in file_ledger.events(action.key)][-1] == "the last"


@pytest.mark.parametrize("seed", range(3))
def test_the_counts_are_those_of_a_real_count_after_many_random_moves(
    ledger: Ledger, seed: int
) -> None:
    chance = random.Random(seed)
    for number in range(60):
        action = Action(f"a:{number}", "k", {})
        row = ledger.begin(action, None, "keyed") if chance.random() < 0.5 else None
        row = row or ledger.prepare(action)
        for _ in range(chance.randrange(8)):
            if row.state == SETTLED:
                break
            to = chance.choice(sorted(target for source, target in LEGAL if source == row.state))
            values: dict[str, Any] = {"send_by": 9 if to == UNKNOWN else None}
            values |= {"receipt": row.key} if to == SETTLED else {}
            values |= {"attempts": row.attempts + 1} if to == UNKNOWN else {}
            row = ledger.change(row, to, "by chance", **values)
            row = ledger.change(row, to, "noted") if chance.random() < 0.3 else row
    counted = Counter(
        dict(ledger._db.execute("SELECT state, count(*) FROM actions GROUP BY state"))
    )
    assert ledger.counts() == {state: counted[state] for state in STATES}
    assert all(counted[state] for state in STATES)
    versions = sum(row.version for row in ledger.rows())
    assert len(ledger.events()) == versions
