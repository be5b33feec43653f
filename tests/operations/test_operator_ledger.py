"""The operator's ledger: one file with the gateway's, which only grows and forgets nothing."""

import sqlite3
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.faults.clock import ManualClock
from lab.gateway import (
    PREPARED,
    SETTLED,
    UNKNOWN,
    Action,
    DecisionRefused,
    Ledger,
    NewerStore,
    StoreCorrupt,
    StoreError,
    StoreFull,
    StoreLocked,
    WrongStore,
    system_clock,
)
from lab.operations.errors import DispatchStopped
from lab.operations.ledger import LONGEST_REVIEW, OperatorLedger, Review, check_actor, person
from tests.gateway.processes import all_at_once
from tests.operations.conftest import START_MS, approved

# One file, two ledgers.


def test_a_plain_ledgers_file_is_opened_and_keeps_what_it_holds(
    ledger_path: Path, clock: ManualClock, action: Action
) -> None:
    with Ledger(ledger_path, clock) as plain:
        row = plain.begin(action, None, "keyed")
    with OperatorLedger(ledger_path, clock) as ledger:
        assert ledger.rows() == [row]
        assert (ledger.proposals(), ledger.switches(), ledger.reviews()) == ([], [], [])
        assert ledger.may_dispatch()
        ledger.note(row.key, "seen", "ada")


def test_a_plain_ledger_opens_the_file_afterwards_and_works(
    full_ledger: OperatorLedger, ledger_path: Path, clock: ManualClock, action: Action
) -> None:
    full_ledger.allow_dispatch("ada", "it is up again")
    with Ledger(ledger_path, clock) as plain:
        row = plain.settle(plain.begin(action, None, "keyed"), "r-1", "response")
    assert (full_ledger.get(action.key), row.state) == (row, SETTLED)


def test_what_was_written_is_there_after_a_restart(
    full_ledger: OperatorLedger, ledger_path: Path, action: Action
) -> None:
    def told(ledger: OperatorLedger) -> tuple[Any, ...]:
        lists = ledger.proposals(), ledger.switches(), ledger.reviews(), ledger.notes(action.key)
        return *lists, ledger.may_dispatch()

    before = told(full_ledger)
    full_ledger.close()
    with OperatorLedger(ledger_path) as again:
        assert told(again) == before
    assert all(before[:-1])
    assert before[-1] is False


def open_and_close(path: Path) -> None:
    OperatorLedger(path).close()


def test_processes_may_open_a_new_file_at_once(ledger_path: Path) -> None:
    all_at_once([partial(open_and_close, ledger_path)] * 4)
    with OperatorLedger(ledger_path) as ledger:
        assert ledger.proposals() == []


class Overtaken(sqlite3.Connection):
    """A connection during whose nth statement another program opens the same file."""

    nth = 0

    def cursor(self, *values: Any) -> sqlite3.Cursor:  # type: ignore[override]
        return super().cursor(lambda connection: OvertakenCursor(connection))


class OvertakenCursor(sqlite3.Cursor):
    """The cursor of such a connection; it is where statements pass."""

    def execute(self, sql: str, values: Any = ()) -> sqlite3.Cursor:
        Overtaken.nth -= 1
        if Overtaken.nth == 0 and not self.connection.in_transaction:
            [[_, _, path]] = sqlite3.Connection.execute(self.connection, "PRAGMA database_list")
            OperatorLedger(path).close()
        return super().execute(sql, values)


@pytest.mark.parametrize("nth", range(1, 4))
def test_another_program_may_add_the_tables_before_any_statement_of_ours(
    nth: int, ledger_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Ledger(ledger_path).close()
    monkeypatch.setattr(Overtaken, "nth", nth)
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Overtaken))
    with OperatorLedger(ledger_path) as ledger:
        assert ledger.switches() == []


def newer(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {Ledger.VERSION + 1}")


def damaged(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:1_024] + b"\xa5" * (len(data) - 1_024))


def no_database(path: Path) -> None:
    path.write_text("Dear diary, " * 1_000)


@pytest.mark.parametrize(
    ("spoil", "error"),
    [(newer, NewerStore), (damaged, StoreCorrupt), (no_database, WrongStore)],
    ids=lambda value: value.__name__,
)
def test_a_file_that_cannot_be_used_is_named_and_left_as_it_was(
    ledger_path: Path, spoil: Callable[[Path], None], error: type[StoreError]
) -> None:
    Ledger(ledger_path).close()
    spoil(ledger_path)
    before = ledger_path.read_bytes()
    with pytest.raises(error, match="Nothing was sent") as refused:
        OperatorLedger(ledger_path)
    assert str(refused.value).startswith(f"{ledger_path}: ")
    assert ledger_path.read_bytes() == before


def test_a_file_that_another_program_holds_is_named_only_where_tables_are_missing(
    ledger_path: Path,
) -> None:
    Ledger(ledger_path).close()
    holder = sqlite3.connect(ledger_path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreLocked, match="another program holds it"):
        OperatorLedger(ledger_path, busy_ms=20)
    holder.execute("ROLLBACK")
    OperatorLedger(ledger_path).close()
    holder.execute("BEGIN IMMEDIATE")
    OperatorLedger(ledger_path, busy_ms=20).close()
    holder.close()


def test_a_connection_that_cannot_add_the_tables_is_closed(
    ledger_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[sqlite3.Connection] = []
    connect = sqlite3.connect
    monkeypatch.setattr(
        sqlite3, "connect", lambda *what, **how: opened.append(connect(*what, **how)) or opened[-1]
    )
    monkeypatch.setattr("lab.operations.ledger._STATEMENTS", ["no SQL"])
    with pytest.raises(StoreError):
        OperatorLedger(ledger_path)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened[0].execute("SELECT 1")


# The switch that stops dispatch.


def test_whoever_turns_the_switch_last_has_it_and_all_of_it_is_kept(
    ledger: OperatorLedger, clock: ManualClock
) -> None:
    assert ledger.may_dispatch()
    ledger.stop_dispatch("ada", "the provider is down")
    assert not ledger.may_dispatch()
    ledger.stop_dispatch("bob", "it is down indeed")
    clock.advance(5)
    ledger.allow_dispatch("ada", "it is up again")
    assert ledger.may_dispatch()
    assert ledger.switches() == [
        (0, "ada", START_MS, "the provider is down"),
        (0, "bob", START_MS, "it is down indeed"),
        (1, "ada", START_MS + 5, "it is up again"),
    ]


@pytest.mark.parametrize("prepared", [False, True])
def test_nothing_begins_while_dispatch_is_stopped_and_the_error_says_who_stopped_it(
    ledger: OperatorLedger, action: Action, prepared: bool
) -> None:
    row = ledger.prepare(action) if prepared else None
    ledger.stop_dispatch("ada", "the provider is down")
    before = ledger.rows(), ledger.events()
    with pytest.raises(DispatchStopped) as refused:
        ledger.begin(action, row, "keyed")
    assert str(refused.value) == "ada stopped dispatch: the provider is down. Nothing was sent."
    assert (ledger.rows(), ledger.events()) == before
    ledger.allow_dispatch("ada", "it is up again")
    assert ledger.begin(action, row, "keyed").state == UNKNOWN


@pytest.mark.parametrize("prepared", [False, True])
def test_the_stop_binds_a_program_that_does_not_know_of_it(
    ledger: OperatorLedger, ledger_path: Path, clock: ManualClock, action: Action, prepared: bool
) -> None:
    with Ledger(ledger_path, clock) as plain:
        row = plain.prepare(action) if prepared else None
        ledger.stop_dispatch("ada", "the provider is down")
        with pytest.raises(sqlite3.IntegrityError, match="dispatch is stopped"):
            plain.begin(action, row, "keyed")
        assert plain.get(action.key) == row
        assert plain.prepare(action).state == PREPARED


# The guard.


def test_what_a_guard_refuses_was_never_written(ledger: OperatorLedger, action: Action) -> None:
    def refuse(_: Action, at: int) -> None:
        raise LookupError(at)

    with ledger.guarded(refuse), pytest.raises(LookupError, match=str(START_MS)):
        ledger.begin(action, None, "keyed")
    assert (ledger.rows(), ledger.events()) == ([], [])
    assert ledger.begin(action, None, "keyed").state == UNKNOWN


def test_a_guard_ends_with_its_block_also_where_one_stands_in_another(
    ledger: OperatorLedger,
) -> None:
    asked: list[str] = []

    def begin(key: str) -> None:
        ledger.begin(Action(key, "k", {}), None, "keyed")

    with ledger.guarded(lambda action, _: asked.append(f"outer {action.key}")):
        with ledger.guarded(lambda action, _: asked.append(f"inner {action.key}")):
            begin("a")
        begin("b")
    begin("c")
    assert asked == ["inner a", "outer b"]


@pytest.mark.parametrize("when", ["BEGIN IMMEDIATE", "INSERT INTO actions", "COMMIT"])
def test_the_error_of_a_begin_that_was_not_committed_says_that_nothing_was_sent(
    ledger: OperatorLedger, action: Action, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    other = ledger.begin(Action("another", "k", {}), None, "keyed")
    write = ledger._write

    def on_a_full_disk(sql: str, values: tuple = (), otherwise: str = "") -> int:
        if sql.startswith(when):
            raise ledger._problem(sqlite3.SQLITE_FULL, otherwise)
        return write(sql, values, otherwise)

    monkeypatch.setattr(ledger, "_write", on_a_full_disk)
    with pytest.raises(StoreFull, match=r"the disk is full.* Nothing was sent"):
        ledger.begin(action, None, "keyed")
    monkeypatch.undo()
    assert ledger.rows() == [other]
    assert ledger.begin(action, None, "keyed").state == UNKNOWN


def test_once_it_is_committed_an_error_says_to_ask_the_provider(
    ledger: OperatorLedger, action: Action
) -> None:
    ledger.begin(action, None, "keyed")
    ledger._db.execute("PRAGMA query_only = ON")
    with pytest.raises(StoreError, match=f"{action.key} is UNKNOWN: ask the provider"):
        ledger.prepare(Action("another", "k", {}))


# Notes and measured reviews.


def test_notes_are_kept_in_order_with_their_authors(
    full_ledger: OperatorLedger, clock: ManualClock, action: Action
) -> None:
    clock.advance(7)
    full_ledger.note(action.key, "they hold \ud83d nothing", "bob")
    assert full_ledger.notes(action.key) == [
        (action.key, "ada", START_MS, "asked the provider"),
        (action.key, "bob", START_MS + 7, "they hold \\ud83d nothing"),
    ]
    assert full_ledger.notes("another") == []


def test_minutes_come_back_as_they_were_measured(ledger: OperatorLedger, action: Action) -> None:
    ledger.prepare(action)
    for minutes in ("2.50", "0", "-0", "1E+1"):
        ledger.reviewed(action.key, Decimal(minutes), "ada", incident=minutes == "0")
    assert ledger.reviews()[:2] == [
        Review(action.key, "ada", Decimal("2.50"), 0, START_MS),
        Review(action.key, "ada", Decimal(0), 1, START_MS),
    ]
    assert [str(review.minutes) for review in ledger.reviews()] == ["2.50", "0", "0", "10"]


NO_TIME = [2.5, 3, "3", None, *map(Decimal, ("-0.01", "NaN", "sNaN", "Infinity"))]


@pytest.mark.parametrize("minutes", [*NO_TIME, LONGEST_REVIEW + Decimal("0.01")], ids=repr)
def test_what_is_no_measured_time_is_refused(
    ledger: OperatorLedger, action: Action, minutes: Any
) -> None:
    ledger.prepare(action)
    with pytest.raises(DecisionRefused, match="write minutes"):
        ledger.reviewed(action.key, minutes, "ada")
    ledger.reviewed(action.key, LONGEST_REVIEW, "ada")
    assert len(ledger.reviews()) == 1


def test_a_key_that_is_not_here_takes_no_note_and_no_review(ledger: OperatorLedger) -> None:
    for write in (
        lambda: ledger.note("nowhere", "text", "ada"),
        lambda: ledger.reviewed("nowhere", Decimal(1), "ada"),
    ):
        with pytest.raises(DecisionRefused, match="nowhere is not in this ledger; check the key"):
            write()


def test_a_clock_set_back_counts_as_no_time_passed(
    ledger: OperatorLedger, clock: ManualClock, action: Action
) -> None:
    ledger.prepare(action)
    clock.advance(-500_000)
    ledger.note(action.key, "text", "ada")
    ledger.reviewed(action.key, Decimal(1), "ada")
    assert (ledger.notes(action.key)[0].at, ledger.reviews()[0].at) == (START_MS, START_MS)


Write = Callable[[OperatorLedger, str, str], object]
WRITES: dict[str, Write] = {
    "stop": lambda ledger, who, words: ledger.stop_dispatch(who, words),
    "allow": lambda ledger, who, words: ledger.allow_dispatch(who, words),
    "note": lambda ledger, who, words: ledger.note("k", words, who),
}
NOBODY = ["", " \n", "\u200b", "ad\u200ba", "ada\u202e", "\u00ad", "ada\x00", "\ud83d"]


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_nothing_is_written_without_a_name_and_words(ledger: OperatorLedger, write: Write) -> None:
    ledger.prepare(Action("k", "k", {}))
    for nobody in NOBODY:
        with pytest.raises(DecisionRefused, match="names nobody"):
            write(ledger, nobody, "words")
    for nothing in ("", " \n"):
        with pytest.raises(DecisionRefused, match="grounds that somebody else can check"):
            write(ledger, "ada", nothing)
    assert (ledger.switches(), ledger.notes("k")) == ([], [])


SPELLINGS = ["Ada Byron", " ada  byron\n", "ADA BYRON", "ａｄａ　ｂｙｒｏｎ", "ada\xa0byron"]


def test_one_name_in_every_spelling_is_one_person() -> None:
    assert {person(spelling) for spelling in SPELLINGS} == {"ada byron"}
    assert check_actor("Ａｄａ　 Byron") == "Ada Byron"
    assert person("straße") == person("STRASSE")
    assert person("Zo\u00eb") == person("Zoe\u0308")
    assert person("\u0390") == person("\u03aa\u0301")  # one Greek letter, small and large
    assert person("ada") != person("adа")  # the last letter is Cyrillic


@given(st.text())
def test_a_name_once_written_down_stays_as_it_is(text: str) -> None:
    try:
        name = check_actor(text)
    except DecisionRefused:
        return
    assert check_actor(name) == name
    assert person(name) == person(text)


def test_no_byte_of_a_payload_is_ever_in_the_ledgers_files(
    ledger: OperatorLedger, ledger_path: Path
) -> None:
    approved(ledger, Action("a:1", "letter", {"to": "MARKER-ada@example.org"}))
    ledger.note("a:1", "sent by hand", "ada")
    files = list(ledger_path.parent.iterdir())
    assert any(b"a:1" in file.read_bytes() for file in files)
    assert not any(b"MARKER" in file.read_bytes() for file in files)


def test_opened_without_a_clock_it_keeps_the_machines_time(ledger_path: Path) -> None:
    before = system_clock()
    with OperatorLedger(ledger_path) as ledger:
        ledger.stop_dispatch("ada", "for this test")
        assert before <= ledger.switches()[0].at <= system_clock()
