"""One SQLite file, opened so that what was committed survives a crash or a power cut."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

from lab.gateway import errors

BUSY_MS = 5_000  # a healthy neighbour holds the file for milliseconds; after this, say so
PAGE_BYTES = 1_024  # rows are small: smaller pages are fewer bytes to write at each commit
LOG_PAGES = 4_000  # 4 MB of log; when it is full, a commit waits until it is copied
CACHE_KB = 500  # a commit that splits a page goes through the whole cache: small is faster
NOTHING_SENT = "Nothing was sent."
EMPTY = (0, 0, 0)  # a new file: nobody's, no version, no tables
OLDEST_SQLITE = (3, 37)  # the first with STRICT tables

File = str | os.PathLike[str]
"""Where a database lies, or will lie; ``":memory:"`` for nowhere."""

_PROBLEMS: dict[int, tuple[type[errors.StoreError], str]] = {
    sqlite3.SQLITE_BUSY: (
        errors.StoreLocked,
        "another program holds it; end the one that keeps a transaction open, then run again",
    ),
    sqlite3.SQLITE_READONLY: (
        errors.StoreReadOnly,
        "it cannot be written; give this user write permission on the file and its folder",
    ),
    sqlite3.SQLITE_FULL: (errors.StoreFull, "the disk is full; free some room, then run again"),
    sqlite3.SQLITE_CORRUPT: (
        errors.StoreCorrupt,
        "it is damaged; stop, keep it as it is, and bring back a copy from the backup",
    ),
    sqlite3.SQLITE_NOTADB: (errors.WrongStore, "it is not an SQLite database; check the path"),
    sqlite3.SQLITE_CANTOPEN: (
        errors.StoreUnreachable,
        "it cannot be opened or created; check that its folder exists and may be written",
    ),
}
_OTHERWISE = (errors.StoreUnreachable, "the disk did not do what was asked; check the disk")


class Store:
    """An SQLite file with durable commits and errors that name it; ``":memory:"`` for none.

    Raises:
        StoreError: one of its subclasses, when the file cannot be used.
    """

    APPLICATION = 0  # SQLite's application_id: whose file this is
    VERSION = 1  # SQLite's user_version: which schema it has
    SCHEMA = ""
    GUARDS = ""  # what the database does and refuses by itself

    def __init__(self, path: File, busy_ms: int = BUSY_MS) -> None:
        self.path = os.fspath(path)
        self.otherwise = NOTHING_SENT  # what is true if the next statement fails
        if sqlite3.sqlite_version_info < OLDEST_SQLITE:
            have, need = sqlite3.sqlite_version, ".".join(map(str, OLDEST_SQLITE))
            raise errors.StoreError(
                f"{self.path}: SQLite {have} is too old, {need} is needed: update Python. "
                f"{NOTHING_SENT}"
            )
        if os.path.isfile(self.path) and not os.access(self.path, os.W_OK):
            raise self._problem(sqlite3.SQLITE_READONLY)
        try:
            self._db = sqlite3.connect(self.path, timeout=busy_ms / 1000, isolation_level=None)
            self._cursor = self._db.cursor()  # one for all: a new one for each takes time
            self._open(busy_ms)
        except sqlite3.Error as error:
            raise self._named(error) from error

    def close(self) -> None:
        """Close the file. Closing it twice does no harm."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit all of a ``with`` block, or nothing of it."""
        self._write("BEGIN IMMEDIATE")
        try:
            yield
            self._write("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def _write(self, sql: str, values: tuple[Any, ...] = (), otherwise: str = "") -> int:
        """Run one statement, a commit of its own unless in a transaction; return its row count.

        ``otherwise`` is the sentence an error ends with, where `self.otherwise` is not true.
        """
        try:
            return self._cursor.execute(sql, values).rowcount
        except sqlite3.Error as error:
            raise self._named(error, otherwise) from error

    def _insert(self, sql: str, values: tuple[Any, ...]) -> int | None:
        """Run one INSERT; return its row's number, or None where it did nothing.

        RETURNING would say the same, and take half as long again.
        """
        return self._cursor.lastrowid if self._write(sql, values) else None

    def _all(self, sql: str, *values: Any) -> list[Any]:
        try:
            return self._cursor.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise self._named(error) from error

    def _dicts(self, sql: str, *values: Any) -> list[dict[str, Any]]:
        try:
            cursor = self._db.execute(sql, values)
            names = [column[0] for column in cursor.description]
            return [dict(zip(names, found, strict=True)) for found in cursor]
        except sqlite3.Error as error:
            raise self._named(error) from error

    def _open(self, busy_ms: int) -> None:
        try:
            self._check_identity()
            self._make_durable(busy_ms)
            if self._identity() == EMPTY:
                self._create()
        except BaseException:
            self._db.close()
            raise

    def _identity(self) -> tuple[int, int, int]:
        """Return whose file this is, its schema and its tables: one read, for others may write."""
        [identity] = self._db.execute(
            "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master) "
            "FROM pragma_application_id, pragma_user_version"
        )
        return identity  # type: ignore[no-any-return]

    def _check_identity(self) -> None:
        application, version, tables = self._identity()
        if (application, version, tables) != EMPTY and application != self.APPLICATION:
            raise errors.WrongStore(
                f"{self.path}: it is another program's database; check the path. {NOTHING_SENT}"
            )
        if version > self.VERSION:
            raise errors.NewerStore(
                f"{self.path}: it was written by a newer version (schema {version}, this program "
                f"knows {self.VERSION}); update this program. {NOTHING_SENT}"
            )

    def _make_durable(self, busy_ms: int) -> None:
        """WAL with FULL: with NORMAL, a power cut may take the last commits back."""
        self._db.execute(f"PRAGMA page_size = {PAGE_BYTES}")  # heeded by a new file only
        self._db.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}")
        self._db.execute(f"PRAGMA cache_size = -{CACHE_KB}")  # less than 0: in KB, not in pages
        self._db.execute("PRAGMA synchronous = FULL")
        deadline = time.monotonic() + busy_ms / 1000
        while True:  # SQLite does not wait by itself where two programs switch to WAL at once
            try:
                [[mode]] = self._db.execute("PRAGMA journal_mode = WAL")
                break
            except sqlite3.OperationalError as error:
                busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
                if not busy or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
        [[level]] = self._db.execute("PRAGMA synchronous")
        if (mode, level) not in {("wal", 2), ("memory", 2)}:
            raise errors.StoreUnreachable(
                f"{self.path}: this disk keeps no write-ahead log (it offers {mode}); network "
                f"drives do not. Move the file to a local disk. {NOTHING_SENT}"
            )

    def _create(self) -> None:
        with self.transaction():
            if self._identity() == EMPTY:  # nobody else was first
                for statement in _statements(self.SCHEMA + self.GUARDS):
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA application_id = {self.APPLICATION}")
                self._db.execute(f"PRAGMA user_version = {self.VERSION}")

    def _named(self, error: sqlite3.Error, otherwise: str = "") -> Exception:
        """Turn SQLite's error into one that names the file; broken constraints pass as they are."""
        code = getattr(error, "sqlite_errorcode", None)
        if code is None or isinstance(error, sqlite3.IntegrityError):
            return error
        return self._problem(code & 0xFF, otherwise)

    def _problem(self, code: int, otherwise: str = "") -> errors.StoreError:
        kind, sentence = _PROBLEMS.get(code, _OTHERWISE)
        return kind(f"{self.path}: {sentence}. {otherwise or self.otherwise}")


def _statements(script: str) -> Iterator[str]:
    """Split a script into statements: ``executescript`` would commit the transaction it is in."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
