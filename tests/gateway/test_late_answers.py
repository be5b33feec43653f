"""Answers that come when somebody else has moved the row: a receipt counts, a refusal does not."""

from collections.abc import Callable

import pytest

from lab.faults.clock import ManualClock
from lab.gateway import (
    KEYED,
    PREPARED,
    READABLE,
    REVIEW,
    SEARCHABLE,
    SETTLED,
    UNKNOWN,
    Action,
    DemoProvider,
    Fault,
    Ledger,
    ReviewDesk,
    Row,
    execute,
    request_id,
)
from tests.gateway.conftest import RowIn

Meanwhile = Callable[[Callable[[], object]], None]
Elsewhere = Callable[[], Row]


@pytest.fixture
def proved(ledger: Ledger, action: Action) -> Elsewhere:
    """Let somebody else prove, rightly or not, that the open attempt was not executed."""
    return lambda: ledger.change(ledger.get(action.key), PREPARED, "proved", send_by=None)


@pytest.fixture
def begun_anew(ledger: Ledger, action: Action, clock: ManualClock, proved: Elsewhere) -> Elsewhere:
    """Let somebody else prove it, and begin the next attempt a second later."""

    def move() -> Row:
        row = proved()
        clock.advance(1_000)
        return ledger.begin(action, row, row.provider)

    return move


@pytest.fixture
def reviewed(ledger: Ledger, action: Action) -> Elsewhere:
    """Let somebody else give the open attempt to a person."""
    return lambda: ledger.change(ledger.get(action.key), REVIEW, "unavailable: silence")


@pytest.fixture
def closed(ledger: Ledger, reviewed: Elsewhere) -> Elsewhere:
    """Let that person take it off the desk."""
    return lambda: ReviewDesk(ledger, "ada").close(reviewed(), "the customer left")


@pytest.fixture
def settled(ledger: Ledger, provider: DemoProvider, action: Action) -> Elsewhere:
    """Let somebody else read back the very receipt that is on its way."""
    receipt = f"{provider.contract.name}-1"
    return lambda: ledger.settle(ledger.get(action.key), receipt, "readback")


@pytest.fixture
def settled_otherwise(ledger: Ledger, action: Action) -> Elsewhere:
    """Let somebody else settle it with another receipt."""
    return lambda: ledger.settle(ledger.get(action.key), "another", "readback")


@pytest.fixture
def elsewhere(request: pytest.FixtureRequest) -> Elsewhere:
    """Return the move that the test names."""
    return request.getfixturevalue(request.param)


@pytest.mark.parametrize(
    "elsewhere", ["proved", "begun_anew", "reviewed", "closed", "settled"], indirect=True
)
def test_a_late_receipt_settles_whatever_was_thought_in_the_meantime(
    ledger: Ledger,
    provider: DemoProvider,
    action: Action,
    meanwhile: Meanwhile,
    elsewhere: Elsewhere,
) -> None:
    meanwhile(elsewhere)
    outcome = execute(action, ledger, provider)
    row = ledger.get(action.key)
    assert (outcome.state, outcome.path) == (SETTLED, "sent")
    assert row.receipt == outcome.receipt == f"{provider.contract.name}-1"
    assert len(provider.requests()) == len(provider.effects()) == 1
    assert action.key not in [open_row.key for open_row in ledger.rows(open_only=True)]


@pytest.mark.parametrize("elsewhere", ["proved", "begun_anew", "reviewed", "closed"], indirect=True)
def test_the_event_of_a_late_receipt_names_the_attempt_that_earned_it(
    ledger: Ledger,
    provider: DemoProvider,
    action: Action,
    meanwhile: Meanwhile,
    elsewhere: Elsewhere,
) -> None:
    moved = []
    meanwhile(lambda: moved.append(elsewhere()))
    execute(action, ledger, provider)
    last = ledger.events()[-1]
    assert (last["source"], last["target"]) == (moved[0].state, SETTLED)
    assert (last["attempt"], last["request_id"]) == (1, request_id(action.key, 1))


@pytest.mark.parametrize("elsewhere", ["settled_otherwise"], indirect=True)
def test_a_late_receipt_that_contradicts_is_kept_beside_the_first(
    ledger: Ledger,
    provider: DemoProvider,
    action: Action,
    meanwhile: Meanwhile,
    elsewhere: Elsewhere,
) -> None:
    meanwhile(elsewhere)
    outcome = execute(action, ledger, provider)
    assert (outcome.state, outcome.receipt) == (SETTLED, "another")
    assert ledger.events()[-1]["evidence"] == f"contradicted by {provider.contract.name}-1"


@pytest.mark.parametrize("elsewhere", ["proved", "begun_anew", "reviewed", "closed"], indirect=True)
def test_a_late_receipt_that_another_action_owns_settles_nothing(
    ledger: Ledger,
    provider: DemoProvider,
    clock: ManualClock,
    action: Action,
    meanwhile: Meanwhile,
    elsewhere: Elsewhere,
) -> None:
    name = provider.contract.name
    other = ledger.begin(Action("another", "k", {}), None, name)
    other = ledger.settle(other, f"{name}-1", "response")
    meanwhile(elsewhere)
    provider.unreadable = {action.key}
    assert execute(action, ledger, provider)[1:] == (
        REVIEW,
        ledger.get(action.key).attempts,
        "manual",
        None,
    )
    assert ledger.get("another") == other
    assert len(provider.requests(action.key)) == 1


@pytest.mark.parametrize("fault", [Fault.REFUSED, Fault.REJECTED])
@pytest.mark.parametrize("contract", [KEYED, READABLE, SEARCHABLE])
def test_the_refusal_of_an_old_attempt_does_not_close_a_new_one(
    ledger: Ledger,
    provider: DemoProvider,
    action: Action,
    meanwhile: Meanwhile,
    begun_anew: Elsewhere,
    fault: Fault,
) -> None:
    provider.faults = {action.key: [fault]}
    newer = []
    meanwhile(lambda: newer.append(begun_anew()))
    assert execute(action, ledger, provider)[1:4] == (UNKNOWN, 2, "hold")
    assert ledger.rows() == newer
    assert all(request["attempt"] == 1 for request in provider.requests())


@pytest.mark.parametrize("fault", [Fault.REQUEST_LOST, Fault.UNFORESEEN, Fault.LATE])
def test_the_silence_of_an_old_attempt_does_not_end_the_wait_for_a_new_one(
    ledger: Ledger,
    provider: DemoProvider,
    action: Action,
    meanwhile: Meanwhile,
    begun_anew: Elsewhere,
    fault: Fault,
) -> None:
    provider.faults = {action.key: [fault]}
    provider.unreadable = {action.key}
    newer = []
    meanwhile(lambda: newer.append(begun_anew()))
    assert execute(action, ledger, provider)[1:4] == (UNKNOWN, 2, "hold")
    assert ledger.rows() == newer


@pytest.mark.parametrize("fault", [Fault.REFUSED, Fault.REJECTED, Fault.REQUEST_LOST])
def test_nothing_that_is_no_receipt_moves_what_a_person_has_on_the_desk(
    ledger: Ledger,
    provider: DemoProvider,
    action: Action,
    meanwhile: Meanwhile,
    reviewed: Elsewhere,
    fault: Fault,
) -> None:
    provider.faults = {action.key: [fault]}
    moved = []
    meanwhile(lambda: moved.append(reviewed()))
    assert execute(action, ledger, provider)[1:4] == (REVIEW, 1, "manual")
    assert ledger.rows() == moved


def test_a_refusal_that_comes_when_all_is_proved_anyway_leads_to_one_new_attempt(
    ledger: Ledger, provider: DemoProvider, action: Action, meanwhile: Meanwhile, proved: Elsewhere
) -> None:
    provider.faults = {action.key: [Fault.REFUSED]}
    meanwhile(proved)
    assert execute(action, ledger, provider)[1:4] == (SETTLED, 2, "sent")
    assert [request["attempt"] for request in provider.requests()] == [2]


def test_a_receipt_for_what_is_prepared_again_ends_the_retries(
    ledger: Ledger, action: Action, row_in: RowIn, provider: DemoProvider
) -> None:
    seen = row_in(ledger, UNKNOWN, provider.contract.name)
    ledger.change(seen, PREPARED, "proved", send_by=None)
    ledger.settle(seen, "r-1", "late response")
    assert execute(action, ledger, provider)[1:] == (SETTLED, 1, "cached", "r-1")
    assert provider.requests() == []
