"""Answers to lesson 04's exercise, continued."""

import sqlite3

from lab.gateway import KeyReused
from lab.gateway import Ledger as Base
from tests.exercises.answering import right, wrong


def values(ledger, action):
    return (action.key, action.kind, action.hash, ledger.clock(), ledger.actor)


INSERT = "INSERT INTO actions (key, kind, payload_hash, updated_at, actor) VALUES (?, ?, ?, ?, ?)"
IGNORE = " ON CONFLICT (key) DO NOTHING"


@right("looks around the write, in a loop")
class Ledger(Base):
    def prepare(self, action):
        while True:
            row = self.find(action)
            if row:
                return row
            self._write(INSERT + IGNORE, values(self, action))


@right("INSERT ... SELECT ... WHERE NOT EXISTS")
class Ledger(Base):
    def prepare(self, action):
        self._write(
            "INSERT INTO actions (key, kind, payload_hash, updated_at, actor) "
            "SELECT ?, ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM actions WHERE key = ?)",
            (*values(self, action), action.key),
        )
        return self.find(action)


@right("looks, writes and looks in one transaction of the ledger's")
class Ledger(Base):
    def prepare(self, action):
        with self.transaction():
            if self.find(action) is None:
                self._write(INSERT, values(self, action))
            return self.find(action)


@wrong("nothing is written", "only looked for")
class Ledger(Base):
    def prepare(self, action):
        return self.find(action)


@wrong("nothing is written", "a word")
class Ledger(Base):
    def prepare(self, action):
        return "prepared"


@wrong("written, then changed", "the time is set afterwards")
class Ledger(Base):
    def prepare(self, action):
        self._write(INSERT + IGNORE, values(self, action))
        self._write("UPDATE actions SET updated_at = ? WHERE key = ?", (self.clock(), action.key))
        return self.find(action)


@wrong("written, then changed", "first the key, then the kind")
class Ledger(Base):
    def prepare(self, action):
        self._write(INSERT + IGNORE, (action.key, "?", action.hash, self.clock(), self.actor))
        self._write("UPDATE actions SET kind = ? WHERE key = ?", (action.kind, action.key))
        return self.find(action)


@wrong("a change that is refused", "looked for first, then written over")
class Ledger(Base):
    def prepare(self, action):
        row = self.find(action)
        if row is None:
            over = " ON CONFLICT (key) DO UPDATE SET actor = excluded.actor"
            self._write(INSERT + over, values(self, action))
            row = self.find(action)
        return row


@wrong("only while PREPARED", "what has begun is inserted again")
class Ledger(Base):
    def prepare(self, action):
        row = self.find(action)
        if row is None or row.state != "PREPARED":
            self._write(INSERT, values(self, action))
        return self.find(action)


@wrong("only while PREPARED", "what has begun counts as reused")
class Ledger(Base):
    def prepare(self, action):
        self._write(INSERT + IGNORE, values(self, action))
        row = self.find(action)
        if row.state != "PREPARED":
            raise KeyReused(action.key)
        return row


@wrong("only while PREPARED", "the state is set back, and the database refuses")
class Ledger(Base):
    def prepare(self, action):
        self._write(INSERT + IGNORE, values(self, action))
        back = "UPDATE actions SET state = 'PREPARED' WHERE key = ? AND state <> 'PREPARED'"
        self._write(back, (action.key,))
        return self.find(action)


@wrong("refused in between", "the database's refusal becomes KeyReused")
class Ledger(Base):
    def prepare(self, action):
        row = self.find(action)
        if row is None:
            try:
                self._write(INSERT, values(self, action))
            except sqlite3.IntegrityError:
                raise KeyReused(action.key) from None
            row = self.find(action)
        return row


@wrong("another word for the disk")
class Ledger(Base):
    def prepare(self, action):
        try:
            self._write(INSERT + IGNORE, values(self, action))
        except Exception as trouble:
            raise RuntimeError("could not write") from trouble
        return self.find(action)


rows = {}


@wrong("a row made up", "the row of the first time is kept")
class Ledger(Base):
    def prepare(self, action):
        if action.key not in rows:
            self._write(INSERT + IGNORE, values(self, action))
            rows[action.key] = self.find(action)
        if rows[action.key].payload_hash != action.hash:
            raise KeyReused(action.key)
        return rows[action.key]
