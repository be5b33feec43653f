"""The bench of the exercises in SQL: what the learner's code reaches, and what is left of it."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from lab.exercises.bench import Player, in_this_process
from lab.exercises.sql import SharedFile, at_each_statement, dead_disk, full_disk, shared
from lab.exercises.stage import Stage, as_ledger_method
from lab.faults.steps import Crash
from lab.faults.world import ACTION, Scene, World
from lab.gateway import PREPARED, Action, Ledger, StoreError

INSERT = "INSERT INTO actions (key, kind, payload_hash, updated_at, actor) VALUES (?, ?, ?, ?, ?)"
Prepare = Callable[[Any, Action], Any]


def row_of(ledger: Any, action: Action) -> tuple[Any, ...]:
    return (action.key, action.kind, action.hash, ledger.clock(), ledger.actor)


def staged(prepare: Prepare) -> Stage:
    """Return a stage whose ledger has this `prepare`."""
    learners = type("Ledger", (Ledger,), {"prepare": prepare})
    return Stage(Player(in_this_process({"Ledger": learners})), as_ledger_method("prepare"))


def told(prepare: Prepare) -> str:
    with shared(staged(prepare)) as site:
        return site.ask("prepare", site.action)


def test_a_cursor_is_as_sqlites() -> None:
    def prepare(self: Any, action: Action) -> Any:
        cursor = self._db.cursor()
        with self._db:
            assert cursor.execute(INSERT, row_of(self, action)) is cursor
        assert (cursor.rowcount, cursor.lastrowid, cursor.fetchone()) == (1, 1, None)
        cursor.execute("SELECT key, kind FROM actions WHERE key = :key", {"key": action.key})
        assert [column[0] for column in cursor.description] == ["key", "kind"]
        assert list(cursor) == [(action.key, action.kind)]
        assert cursor.fetchall() == []
        assert not self._db.in_transaction
        return self.find(action)

    assert told(prepare) == "the row (PREPARED)"


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("ATTACH DATABASE ':memory:' AS other", "refused here"),
        ("PRAGMA writable_schema = ON", "refused here"),
        ("VACUUM INTO 'elsewhere.sqlite3'", "refused here"),
        (
            "WITH RECURSIVE up (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up) "
            "SELECT max(n) FROM up",
            "never comes to its end",
        ),
        (
            "WITH RECURSIVE up (t) AS (SELECT 'ha' UNION ALL SELECT t || t FROM up) "
            "SELECT max(length(t)) FROM up",
            "too long",
        ),
        ("SELECT printf('%.*c', 1000000000, 'a')", "function: printf"),
        ("SELECT instr(?1, 'a'), length('a') LIKE 'a'", "function: instr"),
        ("SELECT 1 FROM nowhere", "no such table"),
    ],
)
def test_what_no_exercise_asks_for_is_refused_with_the_reason(statement: str, why: str) -> None:
    with (
        shared(staged(lambda self, action: self._all(statement))) as site,
        pytest.raises(Exception, match=why),
    ):
        site.ask("prepare", site.action)


def begun(self: Any, action: Action) -> Any:
    self._write("BEGIN IMMEDIATE")
    self._write(INSERT, row_of(self, action))
    return self.find(action)


def test_what_was_not_committed_dies_with_its_process() -> None:
    with shared(staged(begun)) as site:
        assert site.ask("prepare", site.action) == "the row (PREPARED)"
        assert (site.holds(), site.left_open) == ("nothing", "yes")
        site.die()
        assert (site.holds(), site.ledger._db.in_transaction) == ("nothing", False)


def test_who_finds_the_file_locked_waits_until_the_call_has_ended() -> None:
    def prepare(self: Any, action: Action) -> Any:
        with self.transaction():
            self._write(INSERT, row_of(self, action))
        return self.find(action)

    with shared(staged(prepare)) as site:
        anna = lambda: site.anna.prepare(site.stage.action(203))  # noqa: E731
        site.ask("prepare", site.action, before=2, meanwhile=anna)
        assert [row.actor for row in Ledger.rows(site.anna)] == ["Ben", "Anna"]


def test_each_statement_is_reached_once() -> None:
    reached: list[int] = []

    def play(site: SharedFile, number: int) -> str:
        def meanwhile() -> None:
            reached.append(number)
            raise Crash

        return site.ask("prepare", site.action, before=number, meanwhile=meanwhile)

    assert at_each_statement(staged(begun), play) == "nothing, for his process died"
    assert reached == [1, 2, 3, 4]


def test_a_disk_that_is_full_can_be_read_and_a_dead_one_cannot() -> None:
    with shared(staged(Ledger.prepare)) as site:
        with full_disk(site):
            assert site.ask("prepare", site.action) == "StoreFull: nothing was sent"
            assert site.ledger.get(site.action.key) is None
        with dead_disk(site), pytest.raises(StoreError, match=r"Nothing was sent\."):
            site.ledger.get(site.action.key)
        site.ask("prepare", site.action)
        assert site.holds().startswith(PREPARED)


def test_what_a_ledger_says_of_errors_to_come_travels_both_ways() -> None:
    def prepare(self: Any, action: Action) -> Any:
        self.otherwise = f"{self.otherwise} And more."
        return Ledger.prepare(self, action)

    with shared(staged(prepare)) as site:
        site.ask("prepare", site.action)
        site.ask("prepare", site.action)
        assert site.ledger.otherwise == "Nothing was sent. And more. And more."


def test_a_transaction_inside_a_world_is_one_and_the_world_can_still_be_taken_back() -> None:
    def prepare(self: Any, action: Action) -> Any:
        assert not self._db.in_transaction
        with self.transaction():
            self._write(INSERT, row_of(self, action))
            assert self._db.in_transaction
        with suppress(ZeroDivisionError), self.transaction():
            self._write(INSERT, ("other", "kind", "hash", 0, "nobody"))
            raise ZeroDivisionError
        return self.find(action)

    gateway = staged(prepare).gateway
    with World(Scene("keyed"), gateway) as world:
        with world.rewound():
            world.ledger.prepare(ACTION)
            assert [row.key for row in world.ledger.rows()] == [ACTION.key]
        assert world.ledger.rows() == []
