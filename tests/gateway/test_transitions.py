"""The table of transitions: every listed move works, in Python and in SQL, and no other does."""

import sqlite3
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from lab.faults.clock import ManualClock
from lab.gateway import (
    BLIND,
    KEYED,
    LEGAL,
    PREPARED,
    REVIEW,
    SETTLED,
    STATES,
    TRANSITIONS,
    UNKNOWN,
    Action,
    IllegalTransition,
    Ledger,
    ReviewDesk,
    VersionConflict,
)
from tests.gateway.conftest import RowIn

MOVES = [move for move in TRANSITIONS if move[0] is not None]
NOT_LISTED = [
    (source, target)
    for source, target in product(STATES, STATES)
    if source != target and (source, target) not in LEGAL
]
# What a row must hold to be in a state, whatever the table says of how it came there.
HOLDS: dict[str, dict[str, Any]] = {
    PREPARED: {"send_by": None, "receipt": None},
    UNKNOWN: {"send_by": 2_000_000, "receipt": None},
    SETTLED: {"send_by": None, "receipt": "receipt-1"},
    REVIEW: {"send_by": None, "receipt": None},
}
UPDATE = """
    UPDATE actions SET state = :state, version = version + 1, send_by = :send_by,
        attempts = attempts + (state = 'PREPARED' AND :state = 'UNKNOWN'), receipt = :receipt,
        evidence = 'raw' WHERE key = :key
"""


@pytest.fixture
def raw(file_ledger: Ledger, ledger_path: Path) -> Iterator[sqlite3.Connection]:
    """Return another program's way into the ledger's file."""
    connection = sqlite3.connect(ledger_path, isolation_level=None)
    yield connection
    connection.close()


def test_the_table_is_the_one_that_was_designed() -> None:
    assert set(LEGAL) == {
        (None, PREPARED),
        (PREPARED, UNKNOWN),
        (UNKNOWN, SETTLED),
        (UNKNOWN, PREPARED),
        (UNKNOWN, REVIEW),
        (PREPARED, REVIEW),
        (PREPARED, SETTLED),
        (REVIEW, SETTLED),
        (REVIEW, PREPARED),
    }
    assert len(TRANSITIONS) == 10
    assert STATES == (PREPARED, UNKNOWN, SETTLED, REVIEW)


def test_every_state_can_be_left_but_settled() -> None:
    assert {source for source, _ in LEGAL if source} == set(STATES) - {SETTLED}


@pytest.mark.parametrize(("source", "on", "target"), MOVES)
def test_a_listed_move_writes_the_row_its_next_version_and_one_event(
    ledger: Ledger, row_in: RowIn, source: str, on: str, target: str
) -> None:
    before = row_in(ledger, source)
    events = ledger.events()
    counted = {"attempts": before.attempts + (target == UNKNOWN), "actor": "ada"}
    after = ledger.change(before, target, on, **counted, **HOLDS[target])
    assert after == ledger.get(before.key)
    assert (after.state, after.version) == (target, before.version + 1)
    [event] = ledger.events()[len(events) :]
    assert (event["source"], event["target"]) == (source, target)
    assert (event["actor"], event["evidence"]) == ("ada", on)
    assert event["sequence"] == after.version


@pytest.mark.parametrize(("source", "on", "target"), MOVES)
def test_the_database_lets_another_program_make_a_listed_move(
    file_ledger: Ledger, raw: sqlite3.Connection, row_in: RowIn, source: str, on: str, target: str
) -> None:
    row = row_in(file_ledger, source)
    events = file_ledger.events()
    raw.execute(UPDATE, {**HOLDS[target], "state": target, "key": row.key})
    [event] = file_ledger.events()[len(events) :]
    assert (event["source"], event["target"], event["evidence"]) == (source, target, "raw")
    assert file_ledger.counts() == {state: int(state == target) for state in STATES}


@pytest.mark.parametrize(("source", "target"), NOT_LISTED)
def test_a_move_that_is_not_listed_is_refused(
    ledger: Ledger, row_in: RowIn, source: str, target: str
) -> None:
    row = row_in(ledger, source)
    before = ledger.rows(), ledger.events(), ledger.counts()
    with pytest.raises(IllegalTransition, match=f"{row.key}: {source} to {target}"):
        ledger.change(row, target, "never", **HOLDS[target])
    assert (ledger.rows(), ledger.events(), ledger.counts()) == before


@pytest.mark.parametrize(("source", "target"), NOT_LISTED)
def test_the_database_refuses_a_move_that_is_not_listed_from_any_program(
    file_ledger: Ledger, raw: sqlite3.Connection, row_in: RowIn, source: str, target: str
) -> None:
    row = row_in(file_ledger, source)
    before = file_ledger.rows(), file_ledger.events(), file_ledger.counts()
    with pytest.raises(sqlite3.IntegrityError, match="not a legal move"):
        raw.execute(UPDATE, {**HOLDS[target], "state": target, "key": row.key})
    assert (file_ledger.rows(), file_ledger.events(), file_ledger.counts()) == before


def test_the_pairs_that_are_not_listed_are_the_four_that_lose_knowledge() -> None:
    """Unless these are what the two tests above try, they show nothing."""
    away_from_settled = [(SETTLED, PREPARED), (SETTLED, UNKNOWN), (SETTLED, REVIEW)]
    assert sorted(NOT_LISTED) == sorted([*away_from_settled, (REVIEW, UNKNOWN)])


@pytest.mark.parametrize("source", STATES)
@pytest.mark.parametrize("word", ["SENT", "settled"])
def test_there_is_no_fifth_state(
    file_ledger: Ledger, raw: sqlite3.Connection, row_in: RowIn, source: str, word: str
) -> None:
    row = row_in(file_ledger, source)
    with pytest.raises(IllegalTransition):
        file_ledger.change(row, word, "a new word")
    held = {"send_by": row.send_by, "receipt": row.receipt, "state": word, "key": row.key}
    with pytest.raises(sqlite3.IntegrityError):
        raw.execute(UPDATE, held)
    assert file_ledger.rows() == [row]


INSERT = """
    INSERT INTO actions (key, kind, payload_hash, state, attempts, version, provider, send_by,
        receipt, updated_at, actor)
    VALUES ('a', 'k', 'h', :state, :attempts, :version, 'keyed', :send_by, :receipt, 7, 'raw')
"""


@pytest.mark.parametrize(
    ("state", "attempts", "version", "events"),
    [(PREPARED, 0, 1, [PREPARED]), (UNKNOWN, 1, 2, [PREPARED, UNKNOWN])],
)
def test_an_action_may_begin_as_prepared_or_with_its_first_attempt(
    file_ledger: Ledger,
    raw: sqlite3.Connection,
    state: str,
    attempts: int,
    version: int,
    events: list[str],
) -> None:
    new = {"state": state, "attempts": attempts, "version": version}
    raw.execute(INSERT, {**HOLDS[state], **new})
    assert [event["target"] for event in file_ledger.events("a")] == events


@pytest.mark.parametrize(
    ("state", "attempts", "version"),
    [
        (SETTLED, 0, 1),
        (SETTLED, 1, 2),
        (REVIEW, 0, 1),
        (REVIEW, 1, 2),
        (UNKNOWN, 0, 1),
        (UNKNOWN, 2, 3),
        (UNKNOWN, 1, 1),
        (PREPARED, 1, 2),
        (PREPARED, 0, 2),
        ("SENT", 0, 1),
    ],
)
def test_an_action_cannot_begin_in_any_other_way(
    file_ledger: Ledger, raw: sqlite3.Connection, state: str, attempts: int, version: int
) -> None:
    holds = HOLDS.get(state, HOLDS[PREPARED])
    new = {"state": state, "attempts": attempts, "version": version}
    with pytest.raises(sqlite3.IntegrityError, match="an action begins as"):
        raw.execute(INSERT, {**holds, **new})
    assert file_ledger.rows() == file_ledger.events() == []


@pytest.mark.parametrize(("source", "on", "target"), MOVES)
def test_a_move_from_a_row_that_changed_since_is_refused_and_writes_nothing(
    ledger: Ledger, row_in: RowIn, source: str, on: str, target: str
) -> None:
    seen = row_in(ledger, source)
    ledger.change(seen, source, "somebody else was here")
    before = ledger.rows(), ledger.events(), ledger.counts()
    with pytest.raises(VersionConflict):
        ledger.change(seen, target, on, **HOLDS[target])
    assert (ledger.rows(), ledger.events(), ledger.counts()) == before


@pytest.mark.parametrize("source", STATES)
def test_what_happens_without_a_move_is_an_event_too(
    ledger: Ledger, row_in: RowIn, source: str
) -> None:
    row = row_in(ledger, source)
    ledger.change(row, source, "noted")
    last = ledger.events()[-1]
    assert (last["source"], last["target"], last["evidence"]) == (source, source, "noted")


def test_every_row_of_the_table_is_walked_by_the_gateway_itself(
    ledger: Ledger, clock: ManualClock
) -> None:
    """One action goes every way there is, by the ledger's own methods and a person's decisions."""
    desk, grounds = ReviewDesk(ledger, "ada"), ("looked into their list", clock())
    keys = iter(f"a:{number}" for number in range(9))

    def begun(provider: str = "keyed") -> Any:
        return ledger.begin(Action(next(keys), "k", {}), None, provider)

    ledger.settle(begun(), "1", "response")
    refused = ledger.change(begun(), PREPARED, "refused", send_by=None)
    ledger.settle(refused, "2", "late response")
    used_up = ledger.change(begun(), PREPARED, "refused", send_by=None)
    review = ledger.change(used_up, REVIEW, "no attempt left")
    desk.approve_attempt(review, KEYED, *grounds)
    ledger.settle(ledger.change(begun(), REVIEW, "unavailable"), "3", "readback")
    desk.record_receipt(ledger.change(begun("blind"), REVIEW, "silence"), "4", "their list")
    desk.approve_attempt(
        ledger.change(begun("blind"), REVIEW, "silence", send_by=clock.advance(1)),
        BLIND,
        "they say no",
        clock.advance(1),
        accept_risk=True,
    )
    walked = {(event["source"], event["target"]) for event in ledger.events()}
    assert walked == LEGAL
