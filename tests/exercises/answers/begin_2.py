"""Answers to lesson 12's exercise, continued."""

import sqlite3

from lab.gateway import PREPARED, UNKNOWN, IllegalTransition, Row, VersionConflict
from lab.gateway import Ledger as Base
from lab.gateway.ledger import ASK_FIRST, NOTHING_SENT, SEND_WINDOW_MS
from tests.exercises.answering import unforeseen, wrong
from tests.exercises.answers.begin_shared import Good


@wrong("begins from any state")
class Ledger(Good):
    def begin(self, action, row, provider):
        self.otherwise = NOTHING_SENT
        begun = self._begin_next(row, provider) if row else self._begin_new(action, provider)
        self.otherwise = f"{begun.key} is UNKNOWN: {ASK_FIRST}"
        return begun


@wrong("begins from any state", "only UNKNOWN is refused")
class Ledger(Base):
    def begin(self, action, row, provider):
        if row is not None and row.state == UNKNOWN:
            raise IllegalTransition("it is open")
        self.otherwise = NOTHING_SENT
        if row is None:
            begun = self._begin_new(action, provider)
        else:
            now = self.now(row)
            if not self._write(
                "UPDATE actions SET state = 'UNKNOWN', attempts = attempts + 1, provider = ?, "
                "version = version + 1, send_by = ?, retry_since = coalesce(retry_since, ?), "
                "updated_at = ?, actor = ?, evidence = 'attempt begins', about = ?, receipt = NULL "
                "WHERE key = ? AND version = ?",
                (provider, now + SEND_WINDOW_MS, now, now, self.actor, row.attempts + 1, row.key,
                 row.version),
            ):  # fmt: skip
                raise VersionConflict(row.key)
            begun = self.get(row.key)
        self.otherwise = f"{begun.key} is UNKNOWN: {ASK_FIRST}"
        return begun


@wrong("begins from any state", "and the open attempt is not counted")
class Ledger(Good):
    def begin(self, action, row, provider):
        self.otherwise = NOTHING_SENT
        if row is None:
            begun = self._begin_new(action, provider)
        elif row.state == UNKNOWN:
            begun = self.changed(row, provider, attempts=row.attempts)
        else:
            begun = self._begin_next(row, provider)
        self.otherwise = f"{begun.key} is UNKNOWN: {ASK_FIRST}"
        return begun


@wrong("another refusal")
class Ledger(Good):
    def begin(self, action, row, provider):
        if row is not None and row.state != PREPARED:
            raise VersionConflict(row.key)
        return super().begin(action, row, provider)


@wrong("another refusal", "an error of one's own")
class Ledger(Good):
    def begin(self, action, row, provider):
        if row is not None and row.state != PREPARED:
            raise ValueError("not PREPARED")
        return super().begin(action, row, provider)


@wrong("another refusal", "the row as it is")
class Ledger(Good):
    def begin(self, action, row, provider):
        if row is not None and row.state != PREPARED:
            return row
        return super().begin(action, row, provider)


@wrong("the row from before")
class Ledger(Good):
    def begin(self, action, row, provider):
        begun = super().begin(action, row, provider)
        return row if row is not None else begun


@wrong("no row returned")
class Ledger(Good):
    def begin(self, action, row, provider):
        super().begin(action, row, provider)


@wrong("no row returned", "the helper returns nothing")
class Ledger(Good):
    def _begin_next(self, row, provider):
        self.changed(row, provider)

    def begin(self, action, row, provider):
        if row is not None and row.state != PREPARED:
            raise IllegalTransition(row.key)
        if row is None:
            return super().begin(action, row, provider)
        self.otherwise = NOTHING_SENT
        begun = self._begin_next(row, provider)
        self.otherwise = f"{row.key} is UNKNOWN: {ASK_FIRST}"
        return begun


@wrong("nothing is written")
class Ledger(Good):
    def _begin_next(self, row, provider):
        now = self.now(row)
        return row._replace(
            state=UNKNOWN, attempts=row.attempts + 1, version=row.version + 1, provider=provider,
            send_by=now + SEND_WINDOW_MS, retry_since=now, actor=self.actor,
            evidence="attempt begins", about=row.attempts + 1,
        )  # fmt: skip


@wrong("not begun")
class Ledger(Good):
    def begin(self, action, row, provider):
        if row is None:
            self.otherwise = NOTHING_SENT
            return self.prepare(action)
        return super().begin(action, row, provider)


@wrong("left open")
class Ledger(Good):
    def begin(self, action, row, provider):
        if not self._db.in_transaction:
            self._write("BEGIN IMMEDIATE")
        return super().begin(action, row, provider)


@wrong("left open", "where the race is lost")
class Ledger(Good):
    def begin(self, action, row, provider):
        if self._db.in_transaction:
            return super().begin(action, row, provider)
        self._write("BEGIN IMMEDIATE")
        begun = super().begin(action, row, provider)
        self._write("COMMIT")
        return begun


@wrong("says nothing was sent")
class Ledger(Good):
    def begin(self, action, row, provider):
        begun = super().begin(action, row, provider)
        self.otherwise = NOTHING_SENT
        return begun


@wrong("says nothing was sent", "the sentence is never set")
class Ledger(Good):
    def begin(self, action, row, provider):
        if row is not None and row.state != PREPARED:
            raise IllegalTransition(row.key)
        return self._begin_next(row, provider) if row else self._begin_new(action, provider)


@wrong("says UNKNOWN too early")
class Ledger(Good):
    def begin(self, action, row, provider):
        if row is not None and row.state != PREPARED:
            raise IllegalTransition(row.key)
        begun = self._begin_next(row, provider) if row else self._begin_new(action, provider)
        self.otherwise = f"{begun.key} is UNKNOWN: {ASK_FIRST}"
        return begun


@wrong("says UNKNOWN too early", "before the claim")
class Ledger(Good):
    def begin(self, action, row, provider):
        if row is not None and row.state != PREPARED:
            raise IllegalTransition(row.key)
        self.otherwise = f"{action.key} is UNKNOWN: {ASK_FIRST}"
        begun = self._begin_next(row, provider) if row else self._begin_new(action, provider)
        self.otherwise = f"{action.key} is UNKNOWN: {ASK_FIRST}"
        return begun


@wrong("no provider named")
class Ledger(Good):
    def _begin_next(self, row, provider):
        return self.changed(row, row.provider)


@wrong("other grounds")
class Ledger(Good):
    def _begin_next(self, row, provider):
        now = self.now(row)
        return self.change(
            row, UNKNOWN, "", attempts=row.attempts + 1, provider=provider,
            send_by=now + SEND_WINDOW_MS,
            retry_since=now if row.retry_since is None else row.retry_since,
        )  # fmt: skip


@wrong("a conflict with nobody")
class Ledger(Good):
    def _begin_next(self, row, provider):
        raise VersionConflict(row.key)


@wrong("a conflict with nobody", "inserts what is there")
class Ledger(Good):
    def begin(self, action, row, provider):
        if row is not None and row.state != PREPARED:
            raise IllegalTransition(row.key)
        self.otherwise = NOTHING_SENT
        begun = self._begin_new(action, provider)
        self.otherwise = f"{begun.key} is UNKNOWN: {ASK_FIRST}"
        return begun


@unforeseen("a new action is forgotten")
class Ledger(Good):
    def begin(self, action, row, provider):
        if row.state != PREPARED:
            raise IllegalTransition(row.key)
        self.otherwise = NOTHING_SENT
        begun = self._begin_next(row, provider)
        self.otherwise = f"{begun.key} is UNKNOWN: {ASK_FIRST}"
        return begun


@wrong("another window")
class Ledger(Good):
    def _begin_next(self, row, provider):
        return self.changed(row, provider, send_by=row.updated_at + SEND_WINDOW_MS)


@wrong("another actor", "by hand, and the actor forgotten")
class Ledger(Good):
    def _begin_next(self, row, provider):
        now = self.now(row)
        changed = self._write(
            "UPDATE actions SET state = 'UNKNOWN', attempts = attempts + 1, version = version + 1, "
            "provider = ?, send_by = ?, retry_since = coalesce(retry_since, ?), updated_at = ?, "
            "evidence = 'attempt begins', about = ? WHERE key = ? AND version = ?",
            (provider, now + SEND_WINDOW_MS, now, now, row.attempts + 1, row.key, row.version),
        )
        if changed == 0:
            raise VersionConflict(row.key)
        return self.get(row.key)


@wrong("other grounds", "by hand, and the number forgotten")
class Ledger(Good):
    def _begin_next(self, row, provider):
        now = self.now(row)
        changed = self._write(
            "UPDATE actions SET state = 'UNKNOWN', attempts = attempts + 1, version = version + 1, "
            "provider = ?, send_by = ?, retry_since = coalesce(retry_since, ?), updated_at = ?, "
            "actor = ?, evidence = 'attempt begins' WHERE key = ? AND version = ?",
            (provider, now + SEND_WINDOW_MS, now, now, self.actor, row.key, row.version),
        )
        if changed == 0:
            raise VersionConflict(row.key)
        return self.get(row.key)


@unforeseen("by hand, and the time of the change forgotten")
class Ledger(Good):
    def _begin_next(self, row, provider):
        now = self.now(row)
        changed = self._write(
            "UPDATE actions SET state = 'UNKNOWN', attempts = attempts + 1, version = version + 1, "
            "provider = ?, send_by = ?, retry_since = coalesce(retry_since, ?), about = ?, "
            "actor = ?, evidence = 'attempt begins' WHERE key = ? AND version = ?",
            (provider, now + SEND_WINDOW_MS, now, row.attempts + 1, self.actor, row.key,
             row.version),
        )  # fmt: skip
        if changed == 0:
            raise VersionConflict(row.key)
        return self.get(row.key)


@wrong("in two changes", "changed twice")
class Ledger(Good):
    def _begin_next(self, row, provider):
        begun = self.changed(row, provider)
        return self.change(begun, UNKNOWN, "attempt begins", retry_since=begun.retry_since)


@wrong("another actor")
class Ledger(Good):
    def _begin_next(self, row, provider):
        return self.changed(row, provider, actor="worker")


@unforeseen("half of it")
class Ledger(Good):
    def _begin_next(self, row, provider):
        raise NotImplementedError


@wrong("not begun", "the database's refusal is swallowed")
class Ledger(Good):
    def _begin_next(self, row, provider):
        try:
            return self.changed(row, provider, attempts=row.attempts)
        except sqlite3.IntegrityError:
            return row


@unforeseen("a row of one's own")
class Ledger(Good):
    def _begin_next(self, row, provider):
        begun = self.changed(row, provider)
        return Row(*begun[:7], begun.version + 1, *begun[8:])


@unforeseen("SQL that SQLite cannot read")
class Ledger(Good):
    def _begin_next(self, row, provider):
        self._write("UPDATE actions SET state = 'UNKNOWN' WERE key = ?", (row.key,))
        return self.get(row.key)
