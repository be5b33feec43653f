"""Answers to lesson 12's exercise."""

import time

from lab.gateway import PREPARED, UNKNOWN, IllegalTransition, VersionConflict
from lab.gateway import Ledger as Base
from lab.gateway.ledger import ASK_FIRST, NOTHING_SENT, SEND_WINDOW_MS
from tests.exercises.answering import right, wrong
from tests.exercises.answers.begin_shared import Good


@right("all in one method, and names of its own")
class Ledger(Base):
    def begin(self, todo, seen, whose):
        self.otherwise = "Nothing was sent. Run it again."
        if seen is None:
            claim = self._begin_new(todo, whose)
        elif seen.state == PREPARED:
            moment = self.now(seen)
            first = moment if seen.retry_since is None else seen.retry_since
            claim = self.change(
                seen, UNKNOWN, "attempt begins", attempts=seen.attempts + 1, provider=whose,
                send_by=moment + SEND_WINDOW_MS, retry_since=first,
            )  # fmt: skip
        else:
            raise IllegalTransition("only a PREPARED action can begin")
        self.otherwise = f"{todo.key}: UNKNOWN, it may have been sent"
        return claim


@right("the statement by hand")
class Ledger(Good):
    def _begin_next(self, row, provider):
        now = self.now(row)
        changed = self._write(
            "UPDATE actions SET state = 'UNKNOWN', attempts = attempts + 1, version = version + 1, "
            "provider = ?, send_by = ?, retry_since = coalesce(retry_since, ?), updated_at = ?, "
            "actor = ?, evidence = 'attempt begins', about = ? WHERE key = ? AND version = ?",
            (provider, now + SEND_WINDOW_MS, now, now, self.actor, row.attempts + 1, row.key,
             row.version),
        )  # fmt: skip
        if changed == 0:
            raise VersionConflict(row.key)
        return self.get(row.key)


@right("a new action is prepared in a commit of its own")
class Ledger(Good):
    def begin(self, action, row, provider):
        self.otherwise = NOTHING_SENT
        if row is None:
            row = self.prepare(action)
            if row.state != PREPARED:
                raise VersionConflict(action.key)
        return super().begin(action, row, provider)


@right("a new action is prepared in the same commit, in two statements")
class Ledger(Good):
    def begin(self, action, row, provider):
        if row is not None:
            return super().begin(action, row, provider)
        self.otherwise = NOTHING_SENT
        with self.transaction():
            row = self.prepare(action)
            if row.state != PREPARED:
                raise VersionConflict(row.key)
            begun = self._begin_next(row, provider)
        self.otherwise = f"{begun.key} is UNKNOWN: {ASK_FIRST}"
        return begun


@right("looks once more, and says what it does")
class Ledger(Good):
    def begin(self, action, row, provider):
        held = self.get(action.key)
        print("I saw", row and row.version, "and it is", held and held.version)
        try:
            return super().begin(action, row, provider)
        except VersionConflict:
            print("somebody was faster")
            raise
        except IllegalTransition as error:
            raise TooLate(str(error)) from error


class TooLate(IllegalTransition):
    pass


@wrong("no version")
class Ledger(Good):
    def _begin_next(self, row, provider):
        now = self.now(row)
        self._write(
            "UPDATE actions SET state = 'UNKNOWN', attempts = ?, version = version + 1, "
            "provider = ?, send_by = ?, retry_since = coalesce(retry_since, ?), updated_at = ?, "
            "actor = ?, evidence = 'attempt begins', about = ? WHERE key = ?",
            (row.attempts + 1, provider, now + SEND_WINDOW_MS, now, now, self.actor,
             row.attempts + 1, row.key),
        )  # fmt: skip
        return self.get(row.key)


@wrong("no version", "the version is read again")
class Ledger(Good):
    def _begin_next(self, row, provider):
        held = self.get(row.key)
        return self.changed(row._replace(version=held.version), provider)


@wrong("no version", "the whole row is read again")
class Ledger(Good):
    def _begin_next(self, row, provider):
        held = self.get(row.key)
        return self.changed(held, provider, attempts=row.attempts + 1)


@wrong("looks, then writes")
class Ledger(Good):
    def _begin_next(self, row, provider):
        now = self.now(row)
        if self.get(row.key).version != row.version:
            raise VersionConflict(row.key)
        self._write(
            "UPDATE actions SET state = 'UNKNOWN', attempts = ?, version = version + 1, "
            "provider = ?, send_by = ?, retry_since = coalesce(retry_since, ?), updated_at = ?, "
            "actor = ?, evidence = 'attempt begins', about = ? WHERE key = ?",
            (row.attempts + 1, provider, now + SEND_WINDOW_MS, now, now, self.actor,
             row.attempts + 1, row.key),
        )  # fmt: skip
        return self.get(row.key)


@wrong("the count is not looked at")
class Ledger(Good):
    def _begin_next(self, row, provider):
        now = self.now(row)
        self._write(
            "UPDATE actions SET state = 'UNKNOWN', attempts = attempts + 1, version = version + 1, "
            "provider = ?, send_by = ?, retry_since = coalesce(retry_since, ?), updated_at = ?, "
            "actor = ?, evidence = 'attempt begins', about = ? WHERE key = ? AND version = ?",
            (provider, now + SEND_WINDOW_MS, now, now, self.actor, row.attempts + 1, row.key,
             row.version),
        )  # fmt: skip
        return self.get(row.key)


@wrong("the count is not looked at", "the conflict is swallowed")
class Ledger(Good):
    def begin(self, action, row, provider):
        try:
            return super().begin(action, row, provider)
        except VersionConflict:
            return self.get(action.key)


@wrong("claims a row that nobody looked at")
class Ledger(Good):
    def begin(self, action, row, provider):
        row = self.find(action)
        if row is not None and row.state != PREPARED:
            raise VersionConflict(action.key)
        return super().begin(action, row, provider)


@wrong("claims a row that nobody looked at", "tries again after a conflict")
class Ledger(Good):
    def begin(self, action, row, provider):
        while True:
            try:
                return super().begin(action, row, provider)
            except VersionConflict:
                row = self.get(action.key)
                if row.state != PREPARED:
                    raise


@wrong("another word for a lost race")
class Ledger(Good):
    def begin(self, action, row, provider):
        if row is None:
            row = self.prepare(action)
        return super().begin(action, row, provider)


@wrong("another word for a lost race", "looks again first")
class Ledger(Good):
    def begin(self, action, row, provider):
        row = self.find(action)
        return super().begin(action, row, provider)


@wrong("another word for a lost race", "tries again for ever")
class Ledger(Good):
    def begin(self, action, row, provider):
        while True:
            try:
                return super().begin(action, row, provider)
            except VersionConflict:
                row = self.get(action.key)


@wrong("send_by is past")
class Ledger(Good):
    def _begin_next(self, row, provider):
        return self.changed(row, provider, send_by=0)


@wrong("send_by is past", "a length, not a moment")
class Ledger(Good):
    def _begin_next(self, row, provider):
        return self.changed(row, provider, send_by=SEND_WINDOW_MS)


@wrong("send_by is now")
class Ledger(Good):
    def _begin_next(self, row, provider):
        return self.changed(row, provider, send_by=self.now(row))


@wrong("send_by in seconds")
class Ledger(Good):
    def _begin_next(self, row, provider):
        return self.changed(row, provider, send_by=self.now(row) + SEND_WINDOW_MS // 1000)


@wrong("send_by is far away")
class Ledger(Good):
    def _begin_next(self, row, provider):
        return self.changed(row, provider, send_by=self.now(row) + SEND_WINDOW_MS * 1000)


@wrong("send_by is far away", "the machine's clock")
class Ledger(Good):
    def _begin_next(self, row, provider):
        return self.changed(row, provider, send_by=int(time.time() * 1000) + SEND_WINDOW_MS)


@wrong("no send_by")
class Ledger(Good):
    def _begin_next(self, row, provider):
        return self.change(
            row, UNKNOWN, "attempt begins", attempts=row.attempts + 1, provider=provider,
            retry_since=row.retry_since or self.now(row),
        )  # fmt: skip


@wrong("a clock that goes back")
class Ledger(Good):
    def _begin_next(self, row, provider):
        now = self.clock()
        return self.changed(
            row, provider, send_by=now + SEND_WINDOW_MS,
            retry_since=now if row.retry_since is None else row.retry_since,
        )  # fmt: skip


@wrong("a clock that goes back", "for send_by alone")
class Ledger(Good):
    def _begin_next(self, row, provider):
        return self.changed(row, provider, send_by=self.clock() + SEND_WINDOW_MS)


@wrong("retry_since begins anew")
class Ledger(Good):
    def _begin_next(self, row, provider):
        return self.changed(row, provider, retry_since=self.now(row))


@wrong("no retry_since")
class Ledger(Good):
    def _begin_next(self, row, provider):
        now = self.now(row)
        return self.change(
            row, UNKNOWN, "attempt begins", attempts=row.attempts + 1, provider=provider,
            send_by=now + SEND_WINDOW_MS,
        )  # fmt: skip


@wrong("no retry_since", "only for the very first attempt")
class Ledger(Good):
    def _begin_next(self, row, provider):
        since = self.now(row) if row.attempts == 0 else row.retry_since
        return self.changed(row, provider, retry_since=since)


@wrong("attempts not counted")
class Ledger(Good):
    def _begin_next(self, row, provider):
        return self.changed(row, provider, attempts=row.attempts)


@wrong("attempts not counted", "always the first")
class Ledger(Good):
    def _begin_next(self, row, provider):
        return self.changed(row, provider, attempts=1)


@wrong("attempts not counted", "left out")
class Ledger(Good):
    def _begin_next(self, row, provider):
        now = self.now(row)
        return self.change(
            row, UNKNOWN, "attempt begins", provider=provider, send_by=now + SEND_WINDOW_MS,
            retry_since=row.retry_since or now,
        )  # fmt: skip
