"""What the tests of the operations share: a clock that stands still, a ledger, an action."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from lab.faults.clock import ManualClock
from lab.gateway import (
    PREPARED,
    READABLE,
    REVIEW,
    SETTLED,
    Action,
    DemoProvider,
    Fault,
    Row,
)
from lab.operations.approvals import Approvals
from lab.operations.gateway import Gateway
from lab.operations.ledger import OperatorLedger, Proposal

START_MS = 1_000_000
HOUR_MS = 3_600_000
UNTIL_MS = START_MS + HOUR_MS
SCOPE = "messages:create"
SCOPES = {"welcome_email": SCOPE}
ACTION = Action("welcome:lead-202:v1", "welcome_email", {"lead": "lead-202", "template": "v1"})


@pytest.fixture
def clock() -> ManualClock:
    """Return a clock that moves only when it is told to."""
    return ManualClock(START_MS)


@pytest.fixture
def action() -> Action:
    """Return one welcome message."""
    return ACTION


@pytest.fixture
def ledger_path(tmp_path: Path) -> Path:
    """Return where the ledger on file lies, or will lie."""
    return tmp_path / "operator.sqlite3"


@pytest.fixture
def ledger(ledger_path: Path, clock: ManualClock) -> Iterator[OperatorLedger]:
    """Return an empty operator's ledger on file, impatient with whoever locks it."""
    with OperatorLedger(ledger_path, clock, busy_ms=20) as opened:
        yield opened


@pytest.fixture
def full_ledger(ledger: OperatorLedger, action: Action) -> OperatorLedger:
    """Return a ledger with a row in each of its tables."""
    approved(ledger, action)
    ledger.stop_dispatch("ada", "the provider is down")
    ledger.reviewed(action.key, Decimal("2.5"), "ada")
    ledger.note(action.key, "asked the provider", "ada")
    return ledger


@pytest.fixture
def provider(clock: ManualClock) -> Iterator[DemoProvider]:
    """Return an empty provider that can be read back, and whose absence is a proof."""
    with DemoProvider(":memory:", READABLE, clock) as opened:
        yield opened


@pytest.fixture
def gateway(ledger: OperatorLedger, provider: DemoProvider) -> Gateway:
    """Return a gateway in approval mode."""
    return Gateway(ledger, provider, SCOPES)


@pytest.fixture
def free(ledger: OperatorLedger, provider: DemoProvider) -> Gateway:
    """Return a gateway that asks for no approval, on the same files."""
    return Gateway(ledger, provider)


def approved(
    ledger: OperatorLedger, action: Action, scope: str = SCOPE, until: int = UNTIL_MS
) -> Proposal:
    """Let Ada propose an action, and Bob approve it."""
    proposal = Approvals(ledger, "ada").propose(action, scope, until)
    return Approvals(ledger, "bob").approve(proposal.number, action)


def bring(gateway: Gateway, action: Action, state: str) -> Row:
    """Bring an action, approved for an hour, to a state; a lost response leaves its effect."""
    ledger, provider = gateway.ledger, gateway.provider
    approved(ledger, action)
    fault = {PREPARED: Fault.REFUSED, SETTLED: Fault.NONE}.get(state, Fault.RESPONSE_LOST)
    provider.faults = {action.key: [fault]}
    gateway.execute(action)
    if state == REVIEW:
        ledger.change(ledger.get(action.key), REVIEW, "for this test")
    row = ledger.get(action.key)
    assert row.state == state
    return row
