"""Answers to lesson 04's exercise, continued."""

import json
import time
import uuid
from hashlib import sha256

from lab.gateway import Action, KeyReused, Row, StoreError
from lab.gateway import Ledger as Base
from tests.exercises.answering import unforeseen, wrong


def values(ledger, action):
    return (action.key, action.kind, action.hash, ledger.clock(), ledger.actor)


INSERT = "INSERT INTO actions (key, kind, payload_hash, updated_at, actor) VALUES (?, ?, ?, ?, ?)"
IGNORE = " ON CONFLICT (key) DO NOTHING"


@wrong("content in the ledger")
class Ledger(Base):
    def prepare(self, action):
        content = json.dumps(dict(action.payload))
        self._write(
            "INSERT INTO actions (key, kind, payload_hash, updated_at, actor, evidence) "
            "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING",
            (*values(self, action), content),
        )
        return self.find(action)


@wrong("content in the ledger", "the payload where the hash should be")
class Ledger(Base):
    def prepare(self, action):
        content = json.dumps(dict(action.payload))
        self._write(
            INSERT + IGNORE,
            (action.key, action.kind, content, self.clock(), self.actor),
        )
        row = self.get(action.key)
        if row.payload_hash != content:
            raise KeyReused(action.key)
        return row


@wrong("another hash")
class Ledger(Base):
    def prepare(self, action):
        digest = sha256(json.dumps(dict(action.payload)).encode()).hexdigest()
        self._write(INSERT + IGNORE, (action.key, action.kind, digest, self.clock(), self.actor))
        return self.find(action)


@wrong("another hash", "and compared with itself")
class Ledger(Base):
    def prepare(self, action):
        digest = sha256(json.dumps(dict(action.payload)).encode()).hexdigest()
        self._write(INSERT + IGNORE, (action.key, action.kind, digest, self.clock(), self.actor))
        row = self.get(action.key)
        if row.payload_hash != digest or row.kind != action.kind:
            raise KeyReused(action.key)
        return row


@wrong("columns mixed up")
class Ledger(Base):
    def prepare(self, action):
        self._write(
            INSERT + IGNORE, (action.key, action.hash, action.kind, self.clock(), self.actor)
        )
        return self.get(action.key)


@wrong("no row returned")
class Ledger(Base):
    def prepare(self, action):
        self._write(INSERT + IGNORE, values(self, action))
        self.find(action)


@wrong("no row returned", "the action")
class Ledger(Base):
    def prepare(self, action):
        self._write(INSERT + IGNORE, values(self, action))
        self.find(action)
        return action


@wrong("no row returned", "a count")
class Ledger(Base):
    def prepare(self, action):
        written = self._write(INSERT + IGNORE, values(self, action))
        self.find(action)
        return written


@wrong("no row returned", "a plain tuple")
class Ledger(Base):
    def prepare(self, action):
        self._write(INSERT + IGNORE, values(self, action))
        self.find(action)
        return self._all("SELECT * FROM actions WHERE key = ?", action.key)[0]


@wrong("no row returned", "only the first time")
class Ledger(Base):
    def prepare(self, action):
        if self._write(INSERT + IGNORE, values(self, action)):
            return self.find(action)
        self.find(action)


@wrong("nothing is written")
class Ledger(Base):
    def prepare(self, action):
        return Row(1, action.key, action.kind, action.hash, "PREPARED", 0, 3, 1, None, None, None,
                   None, 0, 0, self.clock(), self.actor, "prepared", 0)  # fmt: skip


@wrong("a row made up")
class Ledger(Base):
    def prepare(self, action):
        self._write(INSERT + IGNORE, values(self, action))
        number = self.find(action).number
        return Row(number, action.key, action.kind, action.hash, "PREPARED", 0, 3, 1, None, None,
                   None, None, 0, 0, self.clock(), self.actor, "prepared", 0)  # fmt: skip


@wrong("pasted into the SQL")
class Ledger(Base):
    def prepare(self, action):
        self._write(
            "INSERT INTO actions (key, kind, payload_hash, updated_at, actor) VALUES "
            f"('{action.key}', '{action.kind}', '{action.hash}', {self.clock()}, '{self.actor}') "
            "ON CONFLICT (key) DO NOTHING"
        )
        return self.find(action)


@wrong("another clock")
class Ledger(Base):
    def prepare(self, action):
        now = time.time_ns() // 1_000_000
        self._write(INSERT + IGNORE, (action.key, action.kind, action.hash, now, self.actor))
        return self.find(action)


@wrong("another clock", "seconds")
class Ledger(Base):
    def prepare(self, action):
        now = self.clock() // 1000
        self._write(INSERT + IGNORE, (action.key, action.kind, action.hash, now, self.actor))
        return self.find(action)


@wrong("another actor")
class Ledger(Base):
    def prepare(self, action):
        self._write(INSERT + IGNORE, (action.key, action.kind, action.hash, self.clock(), "worker"))
        return self.find(action)


@wrong("begun at once")
class Ledger(Base):
    def prepare(self, action):
        self._write(
            "INSERT INTO actions (key, kind, payload_hash, updated_at, actor, state, attempts, "
            "version, send_by, provider) VALUES (?, ?, ?, ?, ?, 'UNKNOWN', 1, 2, ?, 'keyed') "
            "ON CONFLICT (key) DO NOTHING",
            (*values(self, action), self.clock() + 30_000),
        )
        return self.find(action)


@wrong("past _write")
class Ledger(Base):
    def prepare(self, action):
        self._db.execute(INSERT + IGNORE, values(self, action))
        self._db.commit()
        return self.find(action)


@wrong("silent about the disk")
class Ledger(Base):
    def prepare(self, action):
        try:
            self._write(INSERT + IGNORE, values(self, action))
        except StoreError:
            return Row(0, action.key, action.kind, action.hash, "PREPARED", 0, 3, 1, None, None,
                       None, None, 0, 0, self.clock(), self.actor, "prepared", 0)  # fmt: skip
        return self.find(action)


@wrong("silent about the disk", "and nothing returned then")
class Ledger(Base):
    def prepare(self, action):
        try:
            self._write(INSERT + IGNORE, values(self, action))
        except Exception:
            print("could not write")
        return self.find(action)


@wrong("a key of one's own")
class Ledger(Base):
    def prepare(self, action):
        self._write(
            INSERT,
            (f"{action.key}-{uuid.uuid4().hex[:8]}", *values(self, action)[1:]),
        )
        return self.rows()[-1]


@unforeseen("no attempt allowed")
class Ledger(Base):
    def prepare(self, action):
        self._write(
            "INSERT INTO actions (key, kind, payload_hash, updated_at, actor, attempts_allowed) "
            "VALUES (?, ?, ?, ?, ?, 1) ON CONFLICT (key) DO NOTHING",
            values(self, action),
        )
        return self.find(action)


@unforeseen("SQL that SQLite cannot read")
class Ledger(Base):
    def prepare(self, action):
        self._write("INSERT INTO actions (key, kind) VALUE (?, ?)", (action.key, action.kind))
        return self.find(action)


@unforeseen("a column that is not there")
class Ledger(Base):
    def prepare(self, action):
        self._write(
            "INSERT INTO actions (key, kind, payload, updated_at, actor) "
            "VALUES (?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING",
            values(self, action),
        )
        return self.find(action)


@unforeseen("the clock itself for a time")
class Ledger(Base):
    def prepare(self, action):
        self._write(INSERT + IGNORE, (action.key, action.kind, action.hash, self.clock, self.actor))
        return self.find(action)


@unforeseen("a value too few")
class Ledger(Base):
    def prepare(self, action):
        self._write(INSERT + IGNORE, (action.key, action.kind, action.hash, self.clock()))
        return self.find(action)


@wrong("no end")
class Ledger(Base):
    def prepare(self, action):
        while self.find(action) is None:
            pass
        return self.find(action)


@wrong("another refusal", "the refusal is swallowed")
class Ledger(Base):
    def prepare(self, action):
        self._write(INSERT + IGNORE, values(self, action))
        try:
            return self.find(action)
        except KeyReused:
            return None


@wrong("columns mixed up", "always the same kind")
class Ledger(Base):
    def prepare(self, action):
        self._write(
            INSERT + IGNORE,
            (action.key, "welcome_email", action.hash, self.clock(), self.actor),
        )
        return self.find(action)


@wrong("written, then changed", "an event by hand")
class Ledger(Base):
    def prepare(self, action):
        if self._write(INSERT + IGNORE, values(self, action)):
            number = self.get(action.key).number
            self._write(
                "INSERT INTO events VALUES (?, 2, 0, NULL, 'PREPARED', ?, ?, 'prepared', NULL)",
                ((number << 20) + 2, self.actor, self.clock()),
            )
        return self.find(action)


@unforeseen("another file")
class Ledger(Base):
    def prepare(self, action):
        self._write("ATTACH DATABASE '/tmp/elsewhere.sqlite3' AS elsewhere")
        self._write(INSERT + IGNORE, values(self, action))
        return self.find(action)


@unforeseen("SQL without an end")
class Ledger(Base):
    def prepare(self, action):
        self._all(
            "WITH RECURSIVE up (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up) "
            "SELECT max(n) FROM up"
        )
        return self.find(action)


@unforeseen("no such class")
class Ledger(Base):
    def prepare(self, action):
        self._write(INSERT + IGNORE, values(self, action))
        row = self.get(action.key)
        if row.payload_hash != action.hash:
            raise KeyReusedError(action.key)  # noqa: F821
        return row


@wrong("another hash", "of another content")
class Ledger(Base):
    def prepare(self, action):
        other = Action(action.key, action.kind, {})
        self._write(INSERT + IGNORE, values(self, other))
        return self.find(action)


@wrong("another refusal")
class Ledger(Base):
    def prepare(self, action):
        self._write(INSERT + IGNORE, values(self, action))
        row = self.get(action.key)
        if row.payload_hash != action.hash:
            raise ValueError("this key has other data")
        return row
