"""Answers to the exercise of lesson 12: claim an attempt, the rest."""

from lab.gateway import PREPARED, SETTLED, UNKNOWN, IllegalTransition, Ledger, VersionConflict
from lab.gateway.ledger import ASK_FIRST, NOTHING_SENT, SEND_WINDOW_MS
from tests.exercises.answering import right, wrong

Borrowed = Ledger
CLAIM = (
    "UPDATE actions SET state = 'UNKNOWN', attempts = attempts + 1, version = version + 1, "
    "send_by = ?, retry_since = coalesce(retry_since, ?), provider = ?, "
    "evidence = 'attempt begins', updated_at = ?, actor = ?, about = attempts + 1"
)


@right("the statement by hand")
class Ledger(Borrowed):
    def begin(self, action, row, provider):
        self.otherwise = NOTHING_SENT
        if row is None:
            begun = self._begin_new(action, provider)
        else:
            begun = self._begin_next(row, provider)
        self.otherwise = f"{begun.key} is UNKNOWN: {ASK_FIRST}"
        return begun

    def _begin_next(self, row, provider):
        if row.state != PREPARED:
            raise IllegalTransition(f"{row.key} is {row.state}")
        now = self.now(row)
        sql = f"{CLAIM} WHERE number = ? AND key = ? AND version = ?"
        n = self._write(
            sql,
            (
                now + SEND_WINDOW_MS,
                now,
                provider,
                now,
                self.actor,
                row.number,
                row.key,
                row.version,
            ),
        )
        if n != 1:
            raise VersionConflict(row.key)
        return self.get(row.key)


@right("a transaction around it")
class Ledger(Borrowed):
    def begin(self, action, row, provider):
        self.otherwise = NOTHING_SENT
        with self.transaction():
            begun = (
                self._begin_new(action, provider)
                if row is None
                else self._begin_next(row, provider)
            )
        self.otherwise = f"{begun.key} is UNKNOWN: {ASK_FIRST}"
        return begun

    def _begin_next(self, row, provider):
        if row.state != PREPARED:
            raise IllegalTransition(f"{row.key} is {row.state}")
        now = self.now(row)
        return self.change(
            row,
            UNKNOWN,
            "attempt begins",
            attempts=row.attempts + 1,
            provider=provider,
            send_by=now + SEND_WINDOW_MS,
            retry_since=now if row.retry_since is None else row.retry_since,
        )


@right("the error of a lost race is printed, and raised again")
class Ledger(Borrowed):
    def begin(self, action, row, provider):
        try:
            self.otherwise = NOTHING_SENT
            row = (
                self._begin_new(action, provider)
                if row is None
                else self._begin_next(row, provider)
            )
        except VersionConflict:
            print("somebody was faster")
            raise
        self.otherwise = f"{action.key} is UNKNOWN: {ASK_FIRST}"
        return row

    def _begin_next(self, row, provider):
        if row.state != PREPARED:
            raise IllegalTransition(f"{row.key} is {row.state}")
        now = self.now(row)
        return self.change(
            row,
            UNKNOWN,
            "attempt begins",
            attempts=row.attempts + 1,
            provider=provider,
            send_by=now + SEND_WINDOW_MS,
            retry_since=now if row.retry_since is None else row.retry_since,
        )


@wrong("another word for a lost race", "prepares first, and looks at the state")
class Ledger(Borrowed):
    def begin(self, action, row, provider):
        self.otherwise = NOTHING_SENT
        if row is None:
            row = self.prepare(action)
        begun = self._begin_next(row, provider)
        self.otherwise = f"{begun.key} is UNKNOWN: {ASK_FIRST}"
        return begun

    def _begin_next(self, row, provider):
        if row.state != PREPARED:
            raise IllegalTransition(f"{row.key} is {row.state}")
        now = self.now(row)
        return self.change(
            row,
            UNKNOWN,
            "attempt begins",
            attempts=row.attempts + 1,
            provider=provider,
            send_by=now + SEND_WINDOW_MS,
            retry_since=now if row.retry_since is None else row.retry_since,
        )


@wrong("not what an attempt is")
class Ledger(Borrowed):
    def begin(self, action, row, provider):
        self.otherwise = NOTHING_SENT
        if row is None:
            begun = self._begin_new(action, provider)
        else:
            begun = self._begin_next(row, provider)
        self.otherwise = f"{begun.key} is UNKNOWN: {ASK_FIRST}"
        return begun

    def _begin_next(self, row, provider):
        if row.state != PREPARED:
            raise IllegalTransition(f"{row.key} is {row.state}")
        now = self.now(row)
        return self.change(
            row,
            SETTLED,
            "attempt begins",
            attempts=row.attempts + 1,
            provider=provider,
            send_by=now + SEND_WINDOW_MS,
            retry_since=now if row.retry_since is None else row.retry_since,
        )


@wrong("the loser is told nothing")
class Ledger(Borrowed):
    def begin(self, action, row, provider):
        self.otherwise = NOTHING_SENT
        try:
            begun = (
                self._begin_new(action, provider)
                if row is None
                else self._begin_next(row, provider)
            )
        except VersionConflict:
            return None
        self.otherwise = f"{begun.key} is UNKNOWN: {ASK_FIRST}"
        return begun

    def _begin_next(self, row, provider):
        if row.state != PREPARED:
            raise IllegalTransition(f"{row.key} is {row.state}")
        now = self.now(row)
        return self.change(
            row,
            UNKNOWN,
            "attempt begins",
            attempts=row.attempts + 1,
            provider=provider,
            send_by=now + SEND_WINDOW_MS,
            retry_since=now if row.retry_since is None else row.retry_since,
        )


@wrong("stopped by the database")
class Ledger(Borrowed):
    def begin(self, action, row, provider):
        self.otherwise = NOTHING_SENT
        if row is None:
            begun = self._begin_new(action, provider)
        else:
            begun = self._begin_next(row, provider)
        self.otherwise = f"{begun.key} is UNKNOWN: {ASK_FIRST}"
        return begun

    def _begin_next(self, row, provider):
        if row.state != PREPARED:
            raise IllegalTransition(f"{row.key} is {row.state}")
        now = self.now(row)
        if self.get(row.key).version != row.version:
            raise VersionConflict(row.key)
        sql = f"{CLAIM} WHERE key = ?"
        self._write(sql, (now + SEND_WINDOW_MS, now, provider, now, self.actor, row.key))
        return self.get(row.key)


@wrong("in two changes")
class Ledger(Borrowed):
    def begin(self, action, row, provider):
        self.otherwise = NOTHING_SENT
        if row is None:
            begun = self._begin_new(action, provider)
        else:
            begun = self._begin_next(row, provider)
        self.otherwise = f"{begun.key} is UNKNOWN: {ASK_FIRST}"
        return begun

    def _begin_next(self, row, provider):
        if row.state != PREPARED:
            raise IllegalTransition(f"{row.key} is {row.state}")
        now = self.now(row)
        row = self.change(row, PREPARED, "named", provider=provider)
        return self.change(
            row,
            UNKNOWN,
            "attempt begins",
            attempts=row.attempts + 1,
            send_by=now + SEND_WINDOW_MS,
            retry_since=now if row.retry_since is None else row.retry_since,
        )


@wrong("always the same provider")
class Ledger(Borrowed):
    def begin(self, action, row, provider):
        self.otherwise = NOTHING_SENT
        if row is None:
            begun = self._begin_new(action, provider)
        else:
            begun = self._begin_next(row, provider)
        self.otherwise = f"{begun.key} is UNKNOWN: {ASK_FIRST}"
        return begun

    def _begin_next(self, row, provider):
        if row.state != PREPARED:
            raise IllegalTransition(f"{row.key} is {row.state}")
        now = self.now(row)
        return self.change(
            row,
            UNKNOWN,
            "attempt begins",
            attempts=row.attempts + 1,
            provider="readable",
            send_by=now + SEND_WINDOW_MS,
            retry_since=now if row.retry_since is None else row.retry_since,
        )


@wrong("no row returned", "a word instead of a row")
class Ledger(Borrowed):
    def begin(self, action, row, provider):
        return "UNKNOWN"

    def _begin_next(self, row, provider):
        if row.state != PREPARED:
            raise IllegalTransition(f"{row.key} is {row.state}")
        now = self.now(row)
        return self.change(
            row,
            UNKNOWN,
            "attempt begins",
            attempts=row.attempts + 1,
            provider=provider,
            send_by=now + SEND_WINDOW_MS,
            retry_since=now if row.retry_since is None else row.retry_since,
        )
