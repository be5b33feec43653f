"""Answers to lesson 04's exercise."""

import sqlite3

from lab.gateway import KeyReused, Row, payload_hash
from lab.gateway import Ledger as Base
from tests.exercises.answering import right, wrong

INSERT = "INSERT INTO actions (key, kind, payload_hash, updated_at, actor) VALUES (?, ?, ?, ?, ?)"
IGNORE = " ON CONFLICT (key) DO NOTHING"


def values(ledger, action):
    return (action.key, action.kind, action.hash, ledger.clock(), ledger.actor)


@right("names of its own, and other columns first")
class Ledger(Base):
    def prepare(self, todo):
        when, who = self.clock(), self.actor
        self._write(
            "INSERT OR IGNORE INTO actions (actor, updated_at, payload_hash, kind, key)"
            " VALUES (?, ?, ?, ?, ?)",
            (who, when, todo.hash, todo.kind, todo.key),
        )
        return self.find(todo)


@right("a transaction that takes the right to write, a look, and then the insert")
class Ledger(Base):
    def prepare(self, action):
        with self.transaction():
            if self.find(action) is None:
                print("new:", action.key)
                self._write(INSERT, values(self, action))
        return self.find(action)


@right("the insert, and its refusal caught")
class Ledger(Base):
    def prepare(self, action):
        try:
            self._write(INSERT, values(self, action))
        except sqlite3.IntegrityError:
            print("somebody was faster")
        return self.find(action)


@right("compares the hashes by itself, with named values")
class Ledger(Base):
    def prepare(self, action):
        named = {"key": action.key, "hash": payload_hash(action.kind, action.payload)}
        named |= {"kind": action.kind, "at": self.now(), "by": self.actor}
        self._write(
            "INSERT INTO actions (key, kind, payload_hash, state, updated_at, actor) "
            "VALUES (:key, :kind, :hash, 'PREPARED', :at, :by) ON CONFLICT DO NOTHING",
            named,
        )
        row = self.get(action.key)
        if row.payload_hash != action.hash:
            raise KeyReused(action.key)
        return row


@right("looks first, and handles the gap")
class Ledger(Base):
    def prepare(self, action):
        row = self.find(action)
        while row is None:
            try:
                self._insert(INSERT, values(self, action))
            except sqlite3.IntegrityError:
                print("somebody was faster")
            row = self.find(action)
        return row


@right("inserts what is not there yet, in one statement")
class Ledger(Base):
    def prepare(self, action):
        self._write(
            "INSERT INTO actions (key, kind, payload_hash, updated_at, actor) "
            "SELECT ?, ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM actions WHERE key = ?)",
            (*values(self, action), action.key),
        )
        return self.find(action)


@right("its own BEGIN and COMMIT, and a cursor")
class Ledger(Base):
    def prepare(self, action):
        self._write("BEGIN IMMEDIATE")
        try:
            self._write(INSERT + IGNORE, values(self, action))
            cursor = self._db.cursor()
            cursor.execute("SELECT * FROM actions WHERE key = ?", [action.key])
            row = Row(*cursor.fetchone())
            if row.payload_hash != action.hash:
                raise KeyReused(action.key)
            self._write("COMMIT")
        except BaseException:
            self._db.rollback()
            raise
        return row


@right("sqlite3's own way, with errors named")
class Ledger(Base):
    def prepare(self, action):
        try:
            with self._db:
                self._db.execute(INSERT + IGNORE, [*values(self, action)])
        except sqlite3.Error as error:
            raise self._named(error) from error
        return self.find(action)


@right("RETURNING the new row")
class Ledger(Base):
    def prepare(self, action):
        found = self._all(INSERT + IGNORE + " RETURNING *", *values(self, action))
        return Row._make(found[0]) if found else self.find(action)


@wrong("looks, then inserts")
class Ledger(Base):
    def prepare(self, action):
        row = self.find(action)
        if row is None:
            self._write(INSERT, values(self, action))
            row = self.find(action)
        return row


@wrong("looks, then inserts", "looks, then inserts, and compares by itself")
class Ledger(Base):
    def prepare(self, action):
        known = self._all("SELECT payload_hash FROM actions WHERE key = ?", action.key)
        if not known:
            self._write(INSERT, values(self, action))
        elif known[0][0] != action.hash:
            raise KeyReused(action.key)
        return self.get(action.key)


@wrong("looks, then ignores")
class Ledger(Base):
    def prepare(self, action):
        if self.find(action) is None:
            self._write(INSERT + IGNORE, values(self, action))
        return self.get(action.key)


@wrong("begins softly")
class Ledger(Base):
    def prepare(self, action):
        self._write("BEGIN")
        try:
            row = self.find(action)
            if row is None:
                self._write(INSERT, values(self, action))
                row = self.find(action)
            self._write("COMMIT")
        except BaseException:
            self._db.rollback()
            raise
        return row


@wrong("refused the second time", "replaces")
class Ledger(Base):
    def prepare(self, action):
        self.find(action)
        self._write(INSERT.replace("INSERT", "INSERT OR REPLACE"), values(self, action))
        return self.find(action)


@wrong("refused the second time", "replaces, and never compares")
class Ledger(Base):
    def prepare(self, action):
        self._write(INSERT.replace("INSERT", "REPLACE"), values(self, action))
        return self.get(action.key)


@wrong("set back")
class Ledger(Base):
    def prepare(self, action):
        self.find(action)
        self._write(
            INSERT + " ON CONFLICT (key) DO UPDATE SET state = 'PREPARED', send_by = NULL, "
            "version = version + 1 WHERE state <> 'SETTLED'",
            values(self, action),
        )
        return self.find(action)


@wrong("rewritten")
class Ledger(Base):
    def prepare(self, action):
        self._write(
            INSERT + " ON CONFLICT (key) DO UPDATE SET updated_at = excluded.updated_at, "
            "actor = excluded.actor, version = version + 1",
            values(self, action),
        )
        return self.find(action)


@wrong("a change that is refused")
class Ledger(Base):
    def prepare(self, action):
        self._write(
            INSERT + " ON CONFLICT (key) DO UPDATE SET payload_hash = excluded.payload_hash, "
            "kind = excluded.kind, updated_at = excluded.updated_at",
            values(self, action),
        )
        return self.find(action)


@wrong("refused the second time", "the insert alone")
class Ledger(Base):
    def prepare(self, action):
        self._write(INSERT, values(self, action))
        return self.find(action)


@wrong("refused at once")
class Ledger(Base):
    def prepare(self, action):
        if self.get(action.key) is None:
            self._write(
                "INSERT INTO actions (key, kind, payload_hash, updated_at, actor, state) "
                "VALUES (?, ?, ?, ?, ?, 'SETTLED')",
                values(self, action),
            )
        return self.find(action)


@wrong("refused at once", "the actor left out")
class Ledger(Base):
    def prepare(self, action):
        self._write(
            "INSERT INTO actions (key, kind, payload_hash, updated_at) "
            "VALUES (?, ?, ?, ?) ON CONFLICT (key) DO NOTHING",
            values(self, action)[:4],
        )
        return self.find(action)


@wrong("a change that is refused", "an old row is deleted first")
class Ledger(Base):
    def prepare(self, action):
        self._write("DELETE FROM actions WHERE key = ?", (action.key,))
        self._write(INSERT, values(self, action))
        return self.find(action)


@wrong("no comparison")
class Ledger(Base):
    def prepare(self, action):
        self._write(INSERT + IGNORE, values(self, action))
        return self.get(action.key)


@wrong("no comparison", "the refusal of the database is swallowed")
class Ledger(Base):
    def prepare(self, action):
        try:
            self._write(INSERT, values(self, action))
        except sqlite3.IntegrityError:
            print("it was there already")
        return self.get(action.key)


@wrong("no comparison", "the kind is not compared")
class Ledger(Base):
    def prepare(self, action):
        self._write(INSERT + IGNORE, values(self, action))
        row = self.get(action.key)
        if row.payload_hash != payload_hash(row.kind, action.payload):
            raise KeyReused(action.key)
        return row


@wrong("no comparison", "the kind alone is compared")
class Ledger(Base):
    def prepare(self, action):
        self._write(INSERT + IGNORE, values(self, action))
        row = self.get(action.key)
        if row.kind != action.kind:
            raise KeyReused(action.key)
        return row


@wrong("every second time refused")
class Ledger(Base):
    def prepare(self, action):
        if self.get(action.key) is not None:
            raise KeyReused(action.key)
        self._write(INSERT, values(self, action))
        return self.get(action.key)


@wrong("every second time refused", "the refusal of the database becomes KeyReused")
class Ledger(Base):
    def prepare(self, action):
        try:
            self._write(INSERT, values(self, action))
        except sqlite3.IntegrityError:
            raise KeyReused(action.key) from None
        return self.get(action.key)


@wrong("left open")
class Ledger(Base):
    def prepare(self, action):
        if not self._db.in_transaction:
            self._write("BEGIN IMMEDIATE")
        self._write(INSERT + IGNORE, values(self, action))
        return self.find(action)


@wrong("left open", "begins, and never ends")
class Ledger(Base):
    def prepare(self, action):
        self._write("BEGIN IMMEDIATE")
        self._write(INSERT + IGNORE, values(self, action))
        return self.find(action)


@wrong("left open", "open where it is refused")
class Ledger(Base):
    def prepare(self, action):
        self._write("BEGIN IMMEDIATE")
        self._write(INSERT + IGNORE, values(self, action))
        row = self.find(action)
        self._write("COMMIT")
        return row
