"""What the tests of the gateway share: a clock that stands still, a ledger, a provider, an action.

A test that asks for ``contract`` or ``provider`` runs once for each of the four contracts, unless
it names its own: ``@pytest.mark.parametrize("contract", [BLIND])``.
"""

import sqlite3
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from lab.faults.clock import ManualClock
from lab.gateway import (
    CONTRACTS,
    PREPARED,
    REVIEW,
    SETTLED,
    UNKNOWN,
    Action,
    DemoProvider,
    Ledger,
    ProviderContract,
    Row,
)

START_MS = 1_000_000


def pytest_make_parametrize_id(val: object) -> str | None:
    """Let contracts, faults and verdicts appear in a test's name as what they are."""
    if isinstance(val, ProviderContract):
        return val.name
    if isinstance(val, Enum):
        return val.name.lower()
    return val.__name__ if isinstance(val, type) else None


@pytest.fixture
def clock() -> ManualClock:
    """Return a clock that moves only when it is told to."""
    return ManualClock(START_MS)


@pytest.fixture
def action() -> Action:
    """Return one approved welcome message."""
    return Action("welcome:lead-202:v1", "welcome_email", {"lead": "lead-202", "template": "v1"})


@pytest.fixture
def ledger(clock: ManualClock) -> Iterator[Ledger]:
    """Return an empty ledger in memory."""
    with Ledger(":memory:", clock) as opened:
        yield opened


@pytest.fixture
def ledger_path(tmp_path: Path) -> Path:
    """Return where the ledger on file lies, or will lie."""
    return tmp_path / "operator.sqlite3"


@pytest.fixture
def file_ledger(ledger_path: Path, clock: ManualClock) -> Iterator[Ledger]:
    """Return an empty ledger on file, impatient with whoever locks it."""
    with Ledger(ledger_path, clock, busy_ms=20) as opened:
        yield opened


@pytest.fixture(params=CONTRACTS.values())
def contract(request: pytest.FixtureRequest) -> ProviderContract:
    """Return each of the four contracts in turn."""
    return request.param


@pytest.fixture
def provider(contract: ProviderContract, clock: ManualClock) -> Iterator[DemoProvider]:
    """Return an empty provider in memory, under the contract at hand."""
    with DemoProvider(":memory:", contract, clock) as opened:
        yield opened


@pytest.fixture
def meanwhile(provider: DemoProvider) -> Callable[[Callable[[], object]], None]:
    """Arrange what happens during the next call: after it arrived, before its answer is heard."""

    def arrange(event: Callable[[], object]) -> None:
        perform = provider.perform

        def watched(action: Action, attempt: int) -> str:
            provider.perform = perform
            try:
                return perform(action, attempt)
            finally:
                event()

        provider.perform = watched

    return arrange


RowIn = Callable[..., Row]


@pytest.fixture
def row_in(action: Action) -> RowIn:
    """Bring the action, in a ledger, to a state: ``row_in(ledger, REVIEW, "keyed")``."""

    def bring(ledger: Ledger, state: str, provider: str = "keyed", what: Action = action) -> Row:
        if state == PREPARED:
            return ledger.prepare(what)
        row = ledger.begin(what, None, provider)
        if state == SETTLED:
            return ledger.settle(row, f"receipt-of-{what.key}", "response")
        return row if state == UNKNOWN else ledger.change(row, REVIEW, "for this test")

    return bring


Records = Callable[[Ledger, DemoProvider], tuple[Any, ...]]


@pytest.fixture
def records() -> Records:
    """Return all that both sides hold, to be compared before and after."""

    def read(ledger: Ledger, provider: DemoProvider) -> tuple[Any, ...]:
        effects = provider.effects()
        return ledger.rows(), ledger.events(), ledger.counts(), provider.requests(), effects

    return read


Everything = Callable[[], tuple[Any, ...]]


@pytest.fixture
def raw(file_ledger: Ledger, ledger_path: Path) -> Iterator[sqlite3.Connection]:
    """Return another program's way into the ledger's file."""
    connection = sqlite3.connect(ledger_path, isolation_level=None)
    yield connection
    connection.close()


@pytest.fixture
def everything(raw: sqlite3.Connection) -> Everything:
    """Return all that the file holds, straight from its tables."""
    tables = ("actions", "events", "tally")
    return lambda: tuple(raw.execute(f"SELECT * FROM {name}").fetchall() for name in tables)
