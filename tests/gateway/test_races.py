"""Several real processes on the same files: one key, many keys, and a call that takes long."""

import sqlite3
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from lab.faults.worker import Errand
from lab.gateway import (
    CONTRACTS,
    KEYED,
    REVIEW,
    SETTLED,
    UNKNOWN,
    DemoProvider,
    Ledger,
    Outcome,
    Store,
)
from lab.gateway.ledger import SEND_WINDOW_MS
from tests.gateway import world
from tests.gateway.processes import (
    SlowCall,
    all_at_once,
    errand_for,
    open_and_close,
    open_files,
    work_through,
)

REPEATS = 5
LOSERS_SAY = {"hold", "cached", "reconciled"}


def assert_done_once(errands: list[Errand]) -> None:
    """Each key was sent once, took effect once, and is settled with the receipt of that."""
    ledger, provider = open_files(errands[0])
    with ledger, provider:
        keys = [errand.key for errand in errands]
        rows, effects = ledger.rows(), provider.effects()
        assert Counter(request["key"] for request in provider.requests()) == Counter(keys)
        assert {row.key: row.attempts for row in rows} == dict.fromkeys(keys, 1)
        assert world.count(rows, effects, keys) == (0, 0, 0, 0, 0)


@pytest.mark.parametrize("repeat", range(REPEATS))
@pytest.mark.parametrize("files", ["new", "there"])
@pytest.mark.parametrize("contract", CONTRACTS)
@pytest.mark.parametrize("workers", [2, 8])
def test_of_workers_that_race_for_one_key_exactly_one_sends(
    workers: int, contract: str, files: str, repeat: int, tmp_path: Path
) -> None:
    errand = errand_for(world.welcome(), tmp_path, contract)
    if files == "there":
        open_and_close(errand)
    outcomes = [told for [told] in all_at_once([partial(work_through, [errand])] * workers)]
    paths = [outcome.path for outcome in outcomes]
    assert paths.count("sent") == 1
    assert {*paths} - {"sent"} <= LOSERS_SAY
    assert_done_once([errand])


@pytest.mark.parametrize("repeat", range(REPEATS))
def test_eight_workers_may_create_the_files_at_once(repeat: int, tmp_path: Path) -> None:
    errand = errand_for(world.welcome(), tmp_path, "keyed")
    all_at_once([partial(open_and_close, errand)] * 8)
    ledger, provider = open_files(errand)
    with ledger, provider:
        assert not any(ledger.counts().values())
        assert not provider.requests()


class Overtaken(sqlite3.Connection):
    """A connection during whose nth statement another program creates the same file."""

    nth = 0
    others = Ledger

    def execute(self, sql: str, values: tuple = ()) -> sqlite3.Cursor:
        Overtaken.nth -= 1
        if Overtaken.nth == 0 and not self.in_transaction:  # else the other would have to wait
            [[_, _, path]] = super().execute("PRAGMA database_list")
            Overtaken.others(path).close()
        return super().execute(sql, values)


@pytest.mark.parametrize("nth", range(1, 12))
@pytest.mark.parametrize("store", [Ledger, partial(DemoProvider, contract=KEYED)])
def test_another_program_may_create_the_file_before_any_statement_of_ours(
    store: Callable[[Path], Store], nth: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Overtaken, "nth", nth)
    monkeypatch.setattr(Overtaken, "others", staticmethod(store))
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Overtaken))
    with store(tmp_path / "file.sqlite3") as opened:
        assert opened.path


@pytest.mark.parametrize("contract", CONTRACTS)
def test_eight_workers_with_the_same_heap_do_each_action_once(
    contract: str, tmp_path: Path
) -> None:
    heap = [errand_for(world.welcome(number), tmp_path, contract) for number in range(16)]
    orders = [heap[2 * turn :] + heap[: 2 * turn] for turn in range(8)]
    told = all_at_once([partial(work_through, order) for order in orders])
    paths = Counter(outcome.path for outcomes in told for outcome in outcomes)
    assert paths["sent"] == len(heap)
    assert set(paths) <= LOSERS_SAY | {"sent"}
    assert_done_once(heap)


def test_eight_workers_with_heaps_of_their_own_do_not_disturb_each_other(tmp_path: Path) -> None:
    errands = [errand_for(world.welcome(number), tmp_path, "readable") for number in range(8 * 16)]
    heaps = [errands[turn::8] for turn in range(8)]
    told = all_at_once([partial(work_through, heap) for heap in heaps])
    assert {outcome.path for outcomes in told for outcome in outcomes} == {"sent"}
    assert_done_once(errands)


@pytest.mark.parametrize(
    ("contract", "at", "state", "path"),
    [
        ("keyed", 1, SETTLED, "reconciled"),
        ("readable", 1, SETTLED, "reconciled"),
        ("searchable", 1, UNKNOWN, "hold"),
        ("blind", 1, UNKNOWN, "hold"),
        ("blind", SEND_WINDOW_MS, UNKNOWN, "hold"),
        ("blind", SEND_WINDOW_MS + 1, REVIEW, "manual"),
    ],
)
def test_while_one_call_takes_long_nobody_else_sends_and_its_late_receipt_is_kept(
    contract: str, at: int, state: str, path: str, tmp_path: Path
) -> None:
    action = world.welcome()
    first = SlowCall(errand_for(action, tmp_path, contract, actor="first"))
    [second] = work_through([errand_for(action, tmp_path, contract, at=at, actor="second")])
    assert (second.state, second.path) == (state, path)
    late = first.come_back()
    assert late == Outcome(action.key, SETTLED, 1, "sent", f"{contract}-1")
    errand = errand_for(action, tmp_path, contract)
    assert_done_once([errand])
    ledger, provider = open_files(errand)
    with ledger, provider:
        last = ledger.events(action.key)[-1]
        assert last["actor"] == ("second" if state == SETTLED else "first")
