"""The ledger: one row an action, one event a change, and nothing that it need not know."""

import sqlite3
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lab.faults.clock import ManualClock
from lab.gateway import (
    KEYED,
    PREPARED,
    REVIEW,
    SETTLED,
    STATES,
    UNKNOWN,
    Action,
    BrokenContract,
    DemoProvider,
    Fault,
    IllegalTransition,
    KeyReused,
    Ledger,
    ReviewDesk,
    StoreUnreachable,
    VersionConflict,
    check_receipt,
    execute,
    request_id,
    system_clock,
)
from lab.gateway.ledger import ATTEMPTS, SEND_WINDOW_MS
from tests.gateway.conftest import START_MS, RowIn


def test_prepare_writes_the_intention_and_says_so(ledger: Ledger, action: Action) -> None:
    row = ledger.prepare(action)
    assert (row.key, row.kind, row.payload_hash) == (action.key, action.kind, action.hash)
    assert (row.state, row.attempts, row.version) == (PREPARED, 0, 1)
    assert (row.provider, row.send_by, row.receipt) == (None, None, None)
    assert row.attempts_allowed == ATTEMPTS
    [event] = ledger.events(action.key)
    assert (event["source"], event["target"], event["at"]) == (None, PREPARED, START_MS)
    assert event["key"] == action.key
    assert event["request_id"] is None


@pytest.mark.parametrize("state", STATES)
def test_an_action_that_is_there_is_prepared_no_second_time(
    ledger: Ledger, action: Action, row_in: RowIn, state: str
) -> None:
    row = row_in(ledger, state)
    events = ledger.events()
    assert ledger.prepare(action) == ledger.find(action) == ledger.get(action.key) == row
    assert ledger.events() == events


def test_an_action_that_was_never_prepared_is_not_found(ledger: Ledger, action: Action) -> None:
    assert ledger.find(action) is None
    assert ledger.get(action.key) is None
    assert ledger.events(action.key) == []


def test_a_new_action_begins_with_its_intention_in_the_same_breath(
    ledger: Ledger, action: Action
) -> None:
    row = ledger.begin(action, None, "keyed")
    assert row == ledger.get(action.key)
    assert (row.state, row.attempts, row.version, row.provider) == (UNKNOWN, 1, 2, "keyed")
    assert (row.send_by, row.retry_since) == (START_MS + SEND_WINDOW_MS, START_MS)
    assert [(e["sequence"], e["target"]) for e in ledger.events()] == [(1, PREPARED), (2, UNKNOWN)]
    assert [e["request_id"] for e in ledger.events()] == [None, request_id(action.key, 1)]


def test_a_prepared_action_begins_as_a_new_one_does(
    ledger: Ledger, clock: ManualClock, action: Action
) -> None:
    prepared = ledger.prepare(action)
    clock.advance(5)
    row = ledger.begin(action, prepared, "keyed")
    other = ledger.begin(Action("another", action.kind, action.payload), None, "keyed")
    assert row == ledger.get(action.key)
    assert row._replace(number=0, key="") == other._replace(number=0, key="")
    events, others = ledger.events(action.key), ledger.events("another")
    assert [e["evidence"] for e in events] == [e["evidence"] for e in others]


def test_the_first_attempt_starts_the_clock_of_the_retries(
    ledger: Ledger, clock: ManualClock, action: Action
) -> None:
    row = ledger.begin(action, None, "keyed")
    row = ledger.change(row, PREPARED, "refused", send_by=None)
    clock.advance(7)
    row = ledger.begin(action, row, "keyed")
    assert (row.attempts, row.retry_since) == (2, START_MS)
    assert row.send_by == START_MS + 7 + SEND_WINDOW_MS
    assert ledger.events()[-1]["request_id"] == request_id(action.key, 2)


@pytest.mark.parametrize("prepared", [True, False])
def test_of_two_workers_that_saw_the_same_one_begins(
    file_ledger: Ledger, ledger_path: Path, clock: ManualClock, action: Action, prepared: bool
) -> None:
    seen = file_ledger.prepare(action) if prepared else None
    with Ledger(ledger_path, clock, "second") as second:
        begun = file_ledger.begin(action, seen, "keyed")
        before = second.rows(), second.events()
        with pytest.raises(VersionConflict):
            second.begin(action, seen, "keyed")
        assert (second.rows(), second.events()) == before == ([begun], file_ledger.events())


@pytest.mark.parametrize("state", [UNKNOWN, SETTLED, REVIEW])
def test_no_attempt_begins_but_from_prepared(
    ledger: Ledger, action: Action, row_in: RowIn, state: str
) -> None:
    row = row_in(ledger, state)
    with pytest.raises(IllegalTransition, match=action.key):
        ledger.begin(action, row, "keyed")
    assert ledger.rows() == [row]


def test_a_column_that_is_not_there_is_no_fault_of_the_disk(ledger: Ledger, action: Action) -> None:
    row = ledger.prepare(action)
    with pytest.raises(TypeError, match="no column sendby"):
        ledger.change(row, REVIEW, "misspelled", sendby=None)
    assert ledger.get(action.key) == row
    assert len(ledger.events(action.key)) == 1


def test_whoever_loses_a_race_for_a_change_writes_nothing(
    ledger: Ledger, action: Action, row_in: RowIn
) -> None:
    seen = row_in(ledger, UNKNOWN)
    ledger.change(seen, REVIEW, "first")
    before = ledger.rows(), ledger.events(), ledger.counts()
    for to in (UNKNOWN, PREPARED, REVIEW):
        with pytest.raises(VersionConflict, match=action.key):
            ledger.change(seen, to, "second", send_by=seen.send_by)
    assert (ledger.rows(), ledger.events(), ledger.counts()) == before


@pytest.mark.parametrize("state", [PREPARED, UNKNOWN, REVIEW])
def test_a_receipt_settles_from_every_state_also_by_way_of_a_row_that_is_long_past(
    ledger: Ledger, action: Action, row_in: RowIn, state: str
) -> None:
    seen = row_in(ledger, UNKNOWN)
    target = {"send_by": None} if state == PREPARED else {}
    ledger.change(seen, state, "somebody else was here", **target)
    row = ledger.settle(seen, "r-1", "late response")
    assert row == ledger.get(action.key)
    assert (row.state, row.receipt, row.send_by) == (SETTLED, "r-1", None)
    last = ledger.events()[-1]
    assert (last["source"], last["target"], last["evidence"]) == (state, SETTLED, "late response")


def test_a_late_receipt_names_the_attempt_that_it_is_about(ledger: Ledger, action: Action) -> None:
    first = ledger.begin(action, None, "keyed")
    refused = ledger.change(first, PREPARED, "proved", send_by=None)
    ledger.begin(action, refused, "keyed")
    row = ledger.settle(first, "r-1", "late response")
    assert (row.state, row.attempts, row.about) == (SETTLED, 2, 1)
    assert ledger.events()[-1]["attempt"] == 1
    assert ledger.events()[-1]["request_id"] == request_id(action.key, 1)


def test_the_same_receipt_twice_is_known_already(ledger: Ledger, row_in: RowIn) -> None:
    row = row_in(ledger, SETTLED)
    events = ledger.events()
    assert ledger.settle(row, row.receipt, "again") == row
    assert ledger.settle(row._replace(version=1, state=UNKNOWN), row.receipt, "again") == row
    assert (ledger.rows(), ledger.events()) == ([row], events)


def test_another_receipt_for_what_is_settled_is_kept_as_a_contradiction(
    ledger: Ledger, row_in: RowIn
) -> None:
    seen = row_in(ledger, UNKNOWN)
    first = ledger.settle(seen, "r-1", "readback")
    row = ledger.settle(seen, "r-2", "late response")
    assert (row.state, row.receipt, row.version) == (SETTLED, "r-1", first.version + 1)
    assert ledger.events()[-1]["evidence"] == "contradicted by r-2"


@pytest.mark.parametrize("state", [PREPARED, UNKNOWN, REVIEW])
def test_a_receipt_that_another_action_owns_settles_nothing(
    ledger: Ledger, row_in: RowIn, state: str
) -> None:
    owner = row_in(ledger, SETTLED)
    other = Action("welcome:lead-203:v1", "welcome_email", {})
    row = ledger.begin(other, None, "keyed")
    row = ledger.change(row, state, "-", send_by=row.send_by if state == UNKNOWN else None)
    row = ledger.settle(row, owner.receipt, "late response")
    assert (row.state, row.receipt) == (REVIEW, None)
    assert ledger.rows() == [owner, row]
    if state != REVIEW:
        assert owner.receipt in ledger.events(other.key)[-1]["evidence"]


@pytest.mark.parametrize(
    "receipt", ["", " ", "\n\t", None, 0, 1, 7.5, b"r", False, ["r"]], ids=repr
)
def test_what_names_nothing_is_no_receipt(receipt: Any) -> None:
    with pytest.raises(BrokenContract):
        check_receipt(receipt)


def test_a_text_that_names_something_is_a_receipt() -> None:
    assert check_receipt("0") == "0"


def test_a_clock_set_back_counts_as_no_time_passed(
    ledger: Ledger, clock: ManualClock, action: Action
) -> None:
    row = ledger.begin(action, None, "keyed")
    clock.advance(-500_000)
    assert ledger.now(row) == START_MS
    row = ledger.change(row, PREPARED, "refused", send_by=None)
    row = ledger.begin(action, row, "keyed")
    assert (row.updated_at, row.send_by) == (START_MS, START_MS + SEND_WINDOW_MS)
    assert {event["at"] for event in ledger.events()} == {START_MS}
    clock.advance(500_001)
    assert ledger.now(row) == START_MS + 1


def test_the_machine_tells_the_time_in_milliseconds_since_1970() -> None:
    assert 1_700_000_000_000 < system_clock() <= system_clock() < 10_000_000_000_000


def test_a_closed_row_is_off_the_desk_and_is_still_counted(ledger: Ledger, row_in: RowIn) -> None:
    row_in(ledger, SETTLED)
    waiting = [row_in(ledger, state, what=Action(state, "k", {})) for state in STATES[:2]]
    review = row_in(ledger, REVIEW, what=Action("r", "k", {}))
    assert ledger.rows(open_only=True) == [*waiting, review]
    closed = ReviewDesk(ledger, "ada").close(review, "the customer left")
    assert ledger.rows(open_only=True) == waiting
    assert ledger.rows()[-1] == closed
    assert ledger.counts() == dict.fromkeys(STATES, 1)


def test_events_come_in_the_order_in_which_they_happened(
    ledger: Ledger, clock: ManualClock
) -> None:
    for key in ("b", "a"):
        clock.advance(1)
        ledger.prepare(Action(key, "k", {}))
    for row in ledger.rows():
        clock.advance(1)
        ledger.begin(Action(row.key, "k", {}), row, "keyed")
    told = [(event["key"], event["target"]) for event in ledger.events()]
    assert told == [("b", PREPARED), ("a", PREPARED), ("b", UNKNOWN), ("a", UNKNOWN)]
    assert [event["target"] for event in ledger.events("a")] == [PREPARED, UNKNOWN]


@pytest.mark.parametrize("fault", list(Fault))
def test_no_byte_of_a_payload_is_ever_in_the_ledgers_files(
    file_ledger: Ledger, ledger_path: Path, clock: ManualClock, fault: Fault
) -> None:
    action = Action("a:1", "letter", {"to": "MARKER-ada@example.org"})
    with DemoProvider(":memory:", KEYED, clock, {"a:1": [fault]}) as provider:
        for _ in range(3):
            execute(action, file_ledger, provider)
            clock.advance(100_000)
        changed = Action("a:1", "letter", {"to": "MARKER-bob@example.org"})
        with pytest.raises(KeyReused) as refused:
            execute(changed, file_ledger, provider)
    files = list(ledger_path.parent.iterdir())
    assert len(files) == 3  # the log and its index are searched too
    assert any(b"a:1" in file.read_bytes() for file in files)
    assert not any(b"MARKER" in file.read_bytes() for file in files)
    assert "MARKER" not in str(refused.value) + repr(file_ledger.events())


def commits(path: Path) -> int:
    """Count the commits in a write-ahead log: the frames that say how large the file then is."""
    log = path.with_name(path.name + "-wal").read_bytes()
    [page] = struct.unpack(">I", log[8:12])
    frames = range(32, len(log), 24 + page)
    salts = log[16:24]  # frames of an earlier log have others
    return sum(
        log[at + 8 : at + 16] == salts and struct.unpack(">I", log[at + 4 : at + 8]) != (0,)
        for at in frames
    )


@pytest.mark.parametrize(
    ("faults", "expected"),
    [([], 2), ([Fault.RESPONSE_LOST], 2), ([Fault.REFUSED], 2), ([Fault.REJECTED], 3)],
    ids=["sent", "hold", "refused", "refused for good"],
)
def test_a_new_action_costs_two_commits(
    file_ledger: Ledger,
    ledger_path: Path,
    clock: ManualClock,
    action: Action,
    faults: list[Fault],
    expected: int,
) -> None:
    before = commits(ledger_path)
    with DemoProvider(":memory:", KEYED, clock, {action.key: faults}) as provider:
        execute(action, file_ledger, provider)
        assert commits(ledger_path) - before == expected
        file_ledger.find(action)
        file_ledger.counts()
    assert commits(ledger_path) - before == expected


@pytest.mark.parametrize("again", [False, True])
def test_commits_survive_a_power_cut_by_wal_and_full(
    file_ledger: Ledger, ledger_path: Path, again: bool
) -> None:
    if again:
        file_ledger.close()
        file_ledger = Ledger(ledger_path)
    [[mode]] = file_ledger._db.execute("PRAGMA journal_mode")
    [[level]] = file_ledger._db.execute("PRAGMA synchronous")
    assert (mode, level) == ("wal", 2)
    file_ledger.close()


class Deaf(sqlite3.Connection):
    """A connection on a disk that ignores one wish, as network drives do."""

    ignores = "no wish"

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        return super().execute(sql.split(" =")[0] if self.ignores in sql else sql, *values)


@pytest.fixture(params=["journal_mode = WAL", "synchronous = FULL"])
def deaf(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Let SQLite ignore what makes commits durable."""
    connect = sqlite3.connect

    def careless(*values: Any, **named: Any) -> sqlite3.Connection:
        connection = connect(*values, **named, factory=Deaf)
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.ignores = request.param
        return connection

    monkeypatch.setattr("lab.gateway.store.sqlite3.connect", careless)
    return request.param


def test_a_ledger_that_could_lose_its_last_commits_is_not_opened(
    ledger_path: Path, deaf: str
) -> None:
    with pytest.raises(StoreUnreachable, match="write-ahead log") as refused:
        Ledger(ledger_path)
    assert str(ledger_path) in str(refused.value)
