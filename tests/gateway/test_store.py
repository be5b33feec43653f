"""Files that cannot be used: each is a named error that says which file, and what to do."""

import os
import re
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lab.faults.clock import ManualClock
from lab.gateway import (
    KEYED,
    PREPARED,
    SETTLED,
    UNKNOWN,
    Action,
    DemoProvider,
    Fault,
    Ledger,
    NewerStore,
    NotExecuted,
    ResponseLost,
    StoreCorrupt,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreReadOnly,
    StoreUnreachable,
    WrongStore,
    execute,
)
from tests.gateway.conftest import RowIn

NOTHING_SENT = "Nothing was sent."
ROOT = Path(__file__).parents[2]


def filled(path: Path, rows: int = 200) -> Path:
    """Make a ledger with many rows, closed and checkpointed: one file, and nothing beside it."""
    with Ledger(path) as ledger, ledger.transaction():
        for number in range(rows):
            ledger.prepare(Action(f"a:{number}", "k", {}))
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    return path


def another_programs(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")


def another_programs_without_tables(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA application_id = 7")
        connection.execute("VACUUM")


def the_providers(path: Path) -> None:
    DemoProvider(path, KEYED).close()


def a_newer_one(path: Path) -> None:
    filled(path)
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {Ledger.VERSION + 1}")


def no_database(path: Path) -> None:
    path.write_text("Dear diary, " * 1_000)


def a_few_bytes(path: Path) -> None:
    path.write_bytes(b"\x00\x01")


def without_its_head(path: Path) -> None:
    data = filled(path).read_bytes()
    path.write_bytes(b"\xff" * 100 + data[100:])


def a_folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize(
    ("make", "error", "advice"),
    [
        (another_programs, WrongStore, "another program's database; check the path"),
        (another_programs_without_tables, WrongStore, "check the path"),
        (the_providers, WrongStore, "another program's database; check the path"),
        (no_database, WrongStore, "not an SQLite database; check the path"),
        (a_few_bytes, WrongStore, "not an SQLite database; check the path"),
        (without_its_head, WrongStore, "check the path"),
        (a_newer_one, NewerStore, "update this program"),
        (a_folder, StoreUnreachable, "check that its folder exists"),
    ],
    ids=lambda value: getattr(value, "__name__", None) if callable(value) else "",
)
def test_a_file_that_is_no_ledger_of_ours_is_refused_by_name_and_left_as_it_was(
    ledger_path: Path, make: Callable[[Path], None], error: type[StoreError], advice: str
) -> None:
    make(ledger_path)
    before = ledger_path.read_bytes() if ledger_path.is_file() else None
    with pytest.raises(error, match=re.escape(advice)) as refused:
        Ledger(ledger_path)
    assert type(refused.value) is error
    assert str(refused.value).startswith(f"{ledger_path}: ")
    assert str(refused.value).endswith(NOTHING_SENT)
    assert (ledger_path.read_bytes() if ledger_path.is_file() else None) == before


def test_a_folder_that_is_missing_is_named_and_not_made(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "operator.sqlite3"
    with pytest.raises(StoreUnreachable, match="check that its folder exists") as refused:
        Ledger(path)
    assert str(path) in str(refused.value)
    assert str(refused.value).endswith(NOTHING_SENT)
    assert not path.parent.exists()


def test_an_sqlite_that_is_too_old_is_told_before_a_file_is_made(
    ledger_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 36, 9))
    monkeypatch.setattr(sqlite3, "sqlite_version", "3.36.9")
    with pytest.raises(
        StoreError, match=r"3\.36\.9 is too old, 3\.37 is needed: update"
    ) as refused:
        Ledger(ledger_path)
    assert NOTHING_SENT in str(refused.value)
    assert not ledger_path.exists()


def test_the_oldest_sqlite_that_will_do_is_taken(
    ledger_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 37, 0))
    Ledger(ledger_path).close()


def test_a_file_that_is_damaged_in_the_middle_is_named_when_it_is_read(ledger_path: Path) -> None:
    data = bytearray(filled(ledger_path).read_bytes())
    data[len(data) // 4 : -1_024] = b"\xa5" * (len(data) - len(data) // 4 - 1_024)
    ledger_path.write_bytes(data)
    with pytest.raises(StoreCorrupt, match="damaged; stop, keep it as it is") as refused:
        look_at_everything(ledger_path)
    assert str(refused.value).startswith(f"{ledger_path}: ")
    assert str(refused.value).endswith(NOTHING_SENT)


def look_at_everything(path: Path) -> None:
    """Open a ledger, and read all of it."""
    with Ledger(path) as ledger:
        ledger.rows()
        ledger.events()


ONE_NOBODY = """
import os, sys
from lab.gateway import Ledger, StoreError
os.chdir(sys.argv[1])
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
try:
    Ledger("operator.sqlite3")
except StoreError as error:
    print(type(error).__name__, error)
"""


@pytest.fixture
def everybodys_folder() -> Iterator[Path]:
    """Return a folder that every user of this machine may enter, as tmp_path is not."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="needs the permissions of POSIX")
@pytest.mark.parametrize(
    ("file_mode", "folder_mode"), [(0o444, 0o755), (0o666, 0o555)], ids=["the file", "its folder"]
)
def test_what_this_user_may_not_write_is_named_also_where_the_tests_run_as_root(
    everybodys_folder: Path, file_mode: int, folder_mode: int
) -> None:
    path = filled(everybodys_folder / "operator.sqlite3")
    before = path.read_bytes()
    path.chmod(file_mode)
    everybodys_folder.chmod(folder_mode)
    told = subprocess.run(
        [sys.executable, "-c", ONE_NOBODY, str(everybodys_folder)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    ).stdout.strip()
    assert told.startswith("StoreReadOnly operator.sqlite3: ")
    assert "give this user write permission on the file and its folder" in told
    assert told.endswith(NOTHING_SENT)
    assert path.read_bytes() == before


Trouble = Callable[[Ledger], None]


def locked(ledger: Ledger) -> None:
    """Let another program keep a transaction open."""
    holder = sqlite3.connect(ledger.path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    ledger.holder = holder  # type: ignore[attr-defined]


def full(ledger: Ledger) -> None:
    """Leave no page free: SQLite itself says so, as on a full disk."""
    [[pages]] = ledger._db.execute("PRAGMA page_count")
    ledger._db.execute(f"PRAGMA max_page_count = {pages}")


def read_only(ledger: Ledger) -> None:
    """Let SQLite refuse every write, as on a disk that was mounted anew."""
    ledger._db.execute("PRAGMA query_only = ON")


TROUBLES = [
    (locked, StoreLocked, "another program holds it; end the one"),
    (full, StoreFull, "the disk is full; free some room"),
    (read_only, StoreReadOnly, "give this user write permission"),
]
AILING = pytest.mark.parametrize(
    ("trouble", "error", "advice"), TROUBLES, ids=["locked", "full", "read-only"]
)


def healed(ledger: Ledger) -> None:
    """End the trouble: close what holds the file, and open it again."""
    if hasattr(ledger, "holder"):
        ledger.holder.close()
    ledger._db.close()
    Ledger.__init__(ledger, ledger.path, ledger.clock)


LONG = "x" * 5_000  # whoever writes this needs new pages, wherever it comes to lie


@AILING
@pytest.mark.parametrize("state", ["new", PREPARED])
def test_before_the_call_the_error_says_that_nothing_was_sent(
    file_ledger: Ledger,
    clock: ManualClock,
    action: Action,
    row_in: RowIn,
    trouble: Trouble,
    error: type[StoreError],
    advice: str,
    state: str,
) -> None:
    row = row_in(file_ledger, state) if state == PREPARED else None
    trouble(file_ledger)
    with DemoProvider(":memory:", replace(KEYED, name=LONG), clock) as provider:
        with pytest.raises(error, match=advice) as refused:
            execute(action, file_ledger, provider)
        assert str(refused.value).startswith(f"{file_ledger.path}: ")
        assert NOTHING_SENT in str(refused.value)
        healed(file_ledger)
        assert file_ledger.get(action.key) == row
        assert provider.requests() == []
        assert execute(action, file_ledger, provider).path == "sent"


class Ailing(DemoProvider):
    """A provider that answers at length, and during whose call the ledger falls ill."""

    trouble: Callable[[], None]

    def perform(self, action: Action, attempt: int) -> str:
        try:
            return super().perform(action, attempt) + LONG
        except NotExecuted as refusal:
            raise NotExecuted(f"{refusal}: {LONG}") from None
        except ResponseLost:
            raise type(LONG, (Exception,), {})() from None
        finally:
            self.trouble()


@AILING
@pytest.mark.parametrize("fault", [Fault.NONE, Fault.RESPONSE_LOST, Fault.REFUSED])
def test_after_the_call_the_error_says_that_the_row_is_still_unknown_and_it_is(
    file_ledger: Ledger,
    clock: ManualClock,
    action: Action,
    fault: Fault,
    trouble: Trouble,
    error: type[StoreError],
    advice: str,
) -> None:
    with Ailing(":memory:", KEYED, clock, {action.key: [fault]}) as provider:
        provider.trouble = lambda: trouble(file_ledger)
        with pytest.raises(error, match=advice) as refused:
            execute(action, file_ledger, provider)
        assert str(refused.value).startswith(f"{file_ledger.path}: ")
        assert f"{action.key} is still UNKNOWN" in str(refused.value)
        assert NOTHING_SENT not in str(refused.value)
        healed(file_ledger)
        assert file_ledger.get(action.key).state == UNKNOWN
        clock.advance(100_000)
        provider.trouble = lambda: None
        outcome = execute(action, file_ledger, provider)
        assert (outcome.state, len(provider.effects())) == (SETTLED, 1)
        assert outcome.path == ("sent" if fault is Fault.REFUSED else "reconciled")


def unreadable(ledger: Ledger) -> None:
    """Let every SELECT fail, and every UPDATE go on, as with a bad spot on the disk."""

    def authorize(act: int, _a: object, _b: object, _c: object, trigger: str | None) -> int:
        denied = act == sqlite3.SQLITE_SELECT and trigger is None
        return sqlite3.SQLITE_DENY if denied else sqlite3.SQLITE_OK

    ledger._db.set_authorizer(authorize)


@pytest.mark.parametrize("fault", [Fault.NONE, Fault.RESPONSE_LOST])
def test_where_the_row_moved_during_the_call_and_cannot_be_read_nobody_says_nothing_was_sent(
    file_ledger: Ledger, clock: ManualClock, action: Action, fault: Fault
) -> None:
    def trouble() -> None:
        with Ledger(file_ledger.path, clock) as other:
            other.change(other.get(action.key), UNKNOWN, "somebody else was here")
        unreadable(file_ledger)

    with Ailing(":memory:", KEYED, clock, {action.key: [fault]}) as provider:
        provider.trouble = trouble
        with pytest.raises(StoreError) as refused:
            execute(action, file_ledger, provider)
        assert len(provider.effects()) == 1
        assert NOTHING_SENT not in str(refused.value)


def test_what_an_earlier_action_left_open_is_not_said_of_the_next(
    file_ledger: Ledger, clock: ManualClock, action: Action
) -> None:
    def settled_meanwhile() -> None:
        with Ledger(file_ledger.path, clock) as other:
            other.settle(other.get(action.key), "r-1", "readback")

    lost = {action.key: [Fault.RESPONSE_LOST]}
    with Ailing(":memory:", KEYED, clock, lost) as provider:
        provider.trouble = settled_meanwhile
        assert execute(action, file_ledger, provider).path == "cached"
        locked(file_ledger)
        with pytest.raises(StoreError) as refused:
            execute(Action("another", "k", {}), file_ledger, provider)
    assert NOTHING_SENT in str(refused.value)
    assert action.key not in str(refused.value)
