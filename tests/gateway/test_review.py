"""The review desk: what a person may decide, on what grounds, and what is written about it."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from lab.faults.clock import ManualClock
from lab.gateway import (
    BLIND,
    CONTRACTS,
    KEYED,
    PREPARED,
    READABLE,
    REVIEW,
    SEARCHABLE,
    SETTLED,
    UNKNOWN,
    Action,
    BrokenContract,
    DecisionRefused,
    DemoProvider,
    Fault,
    Ledger,
    ProviderContract,
    ReviewDesk,
    Row,
    VersionConflict,
    execute,
)
from tests.gateway.conftest import Records, RowIn

LATE_MS = 12 * 3_600_000  # long after anything could arrive


@pytest.fixture
def desk(ledger: Ledger) -> ReviewDesk:
    """Return the desk at which Ada sits."""
    return ReviewDesk(ledger, "ada")


Silence = Callable[[], Row]


@pytest.fixture
def silence(ledger: Ledger, provider: DemoProvider, clock: ManualClock, action: Action) -> Silence:
    """Send the action, hear nothing, find the provider unreadable; much later a person looks."""

    def happen() -> Row:
        provider.faults = provider.faults or {action.key: [Fault.RESPONSE_LOST]}
        provider.unreadable = {action.key}
        execute(action, ledger, provider)
        clock.advance(1)
        assert execute(action, ledger, provider)[1:4] == (REVIEW, 1, "manual")
        clock.advance(LATE_MS)
        provider.unreadable = set()
        return ledger.get(action.key)

    return happen


def approve(desk: ReviewDesk, row: Row, contract: ProviderContract) -> Row:
    """Approve one more attempt, as far as grounds and time are concerned."""
    risk = contract.in_flight_ms is None
    return desk.approve_attempt(row, contract, "their list", desk.ledger.now(row), risk)


def test_a_person_records_the_receipt_that_was_found(
    ledger: Ledger, provider: DemoProvider, silence: Silence, desk: ReviewDesk
) -> None:
    row = desk.record_receipt(silence(), "r-77", "their export of Monday, line 4")
    assert row == ledger.get(row.key)
    assert (row.state, row.receipt, row.send_by) == (SETTLED, "r-77", None)
    last = ledger.events()[-1]
    assert (last["actor"], last["source"], last["target"]) == ("ada", REVIEW, SETTLED)
    assert last["evidence"] == "their export of Monday, line 4"
    assert len(provider.requests()) == 1


@pytest.mark.parametrize("receipt", ["", "  ", None, 0])
def test_an_empty_receipt_is_recorded_by_nobody(
    ledger: Ledger, row_in: RowIn, desk: ReviewDesk, receipt: str
) -> None:
    row = row_in(ledger, REVIEW)
    with pytest.raises((BrokenContract, DecisionRefused)):
        desk.record_receipt(row, receipt, "their list")
    assert ledger.rows() == [row]


def test_a_receipt_that_another_action_owns_is_refused_and_noted_once(
    ledger: Ledger, row_in: RowIn, desk: ReviewDesk
) -> None:
    owner = row_in(ledger, SETTLED, what=Action("owner", "k", {}))
    row = row_in(ledger, REVIEW)
    for _ in range(2):
        with pytest.raises(DecisionRefused, match="receipt-of-owner"):
            desk.record_receipt(ledger.get(row.key), "receipt-of-owner", "their list")
    noted = ledger.get(row.key)
    assert (noted.state, noted.receipt, noted.version) == (REVIEW, None, row.version + 1)
    assert noted.evidence == "receipt-of-owner is another action's receipt"
    assert ledger.get(owner.key) == owner


def test_a_receipt_for_what_was_settled_otherwise_since_is_refused_and_kept_as_an_event(
    ledger: Ledger, row_in: RowIn, desk: ReviewDesk
) -> None:
    seen = row_in(ledger, REVIEW)
    ledger.settle(seen, "r-1", "readback")
    with pytest.raises(DecisionRefused, match="r-2 contradicts"):
        desk.record_receipt(seen, "r-2", "their list")
    assert ledger.get(seen.key).receipt == "r-1"
    last = ledger.events()[-1]
    assert (last["actor"], last["evidence"]) == ("ada", "contradicted by r-2")


def test_the_same_receipt_that_was_settled_since_is_no_contradiction(
    ledger: Ledger, row_in: RowIn, desk: ReviewDesk
) -> None:
    seen = row_in(ledger, REVIEW)
    settled = ledger.settle(seen, "r-1", "readback")
    assert desk.record_receipt(seen, "r-1", "their list") == settled


def test_a_person_approves_exactly_one_more_attempt(
    ledger: Ledger, provider: DemoProvider, silence: Silence, desk: ReviewDesk, action: Action
) -> None:
    provider.faults = {action.key: [Fault.REQUEST_LOST, Fault.REFUSED]}
    row = approve(desk, silence(), provider.contract)
    assert row == ledger.get(row.key)
    assert (row.state, row.attempts, row.attempts_allowed, row.send_by) == (PREPARED, 1, 2, None)
    assert ledger.events()[-1]["actor"] == "ada"
    assert execute(action, ledger, provider)[1:4] == (PREPARED, 2, "refused")
    assert execute(action, ledger, provider)[1:4] == (REVIEW, 2, "manual")
    assert provider.requests() == []


def test_the_attempt_that_was_approved_settles_as_any_other(
    ledger: Ledger, provider: DemoProvider, silence: Silence, desk: ReviewDesk, action: Action
) -> None:
    provider.faults = {action.key: [Fault.REQUEST_LOST]}
    approve(desk, silence(), provider.contract)
    assert execute(action, ledger, provider)[1:4] == (SETTLED, 2, "sent")
    assert len(provider.effects()) == 1


def test_only_a_risk_is_counted_as_one(
    ledger: Ledger, provider: DemoProvider, silence: Silence, desk: ReviewDesk
) -> None:
    risky = provider.contract is BLIND
    row = approve(desk, silence(), provider.contract)
    assert row.risks_accepted == int(risky)
    grounds = "accepted risk: " if risky else "proved not executed: "
    assert ledger.events()[-1]["evidence"] == f"{grounds}their list"


@pytest.mark.parametrize("contract", [KEYED, READABLE, SEARCHABLE])
def test_accepting_a_risk_where_there_is_none_counts_as_none(
    ledger: Ledger, provider: DemoProvider, clock: ManualClock, silence: Silence, desk: ReviewDesk
) -> None:
    row = desk.approve_attempt(silence(), provider.contract, "their list", clock(), True)
    assert row.risks_accepted == 0


@pytest.mark.parametrize("contract", [BLIND])
def test_risks_add_up_and_each_is_a_decision_of_its_own(
    ledger: Ledger, provider: DemoProvider, clock: ManualClock, action: Action, desk: ReviewDesk
) -> None:
    provider.faults = {action.key: [Fault.REQUEST_LOST] * 3}
    for risks in (1, 2):
        execute(action, ledger, provider)
        clock.advance(1)
        execute(action, ledger, provider)
        row = ledger.get(action.key)
        with pytest.raises(DecisionRefused, match="risk"):
            desk.approve_attempt(row, BLIND, "a guess", clock())
        assert ledger.get(action.key) == row
        assert approve(desk, row, BLIND).risks_accepted == risks


@pytest.mark.parametrize("contract", [BLIND])
def test_a_risk_once_taken_is_there_until_the_end(
    ledger: Ledger, provider: DemoProvider, silence: Silence, desk: ReviewDesk, action: Action
) -> None:
    """The second attempt was rejected; whether the first took effect nobody knows to this day."""
    provider.faults = {action.key: [Fault.REQUEST_LOST, Fault.REJECTED]}
    approve(desk, silence(), BLIND)
    assert execute(action, ledger, provider)[1:4] == (REVIEW, 2, "manual")
    row = ledger.get(action.key)
    with pytest.raises(DecisionRefused, match="risk"):
        desk.approve_attempt(row, BLIND, "mended", ledger.now(row))
    assert approve(desk, row, BLIND).risks_accepted == 2


@pytest.mark.parametrize("contract", [BLIND])
def test_where_no_attempt_is_open_there_is_no_risk_and_nothing_to_wait_for(
    ledger: Ledger, provider: DemoProvider, clock: ManualClock, action: Action, desk: ReviewDesk
) -> None:
    provider.faults = {action.key: [Fault.REJECTED]}
    execute(action, ledger, provider)
    row = desk.approve_attempt(ledger.get(action.key), BLIND, "mended", clock())
    assert (row.state, row.risks_accepted) == (PREPARED, 0)
    assert execute(action, ledger, provider)[1:4] == (SETTLED, 2, "sent")


@pytest.mark.parametrize("contract", [SEARCHABLE, BLIND])
@pytest.mark.parametrize("other", [KEYED, replace(SEARCHABLE, name="x", visibility_ms=0)])
def test_a_promise_of_another_provider_proves_nothing_about_this_one(
    ledger: Ledger,
    contract: ProviderContract,
    other: ProviderContract,
    clock: ManualClock,
    row_in: RowIn,
    desk: ReviewDesk,
) -> None:
    row = row_in(ledger, REVIEW, contract.name)
    clock.time = other.last_moment(row.send_by) + 1
    with pytest.raises((DecisionRefused, ValueError)):
        desk.approve_attempt(row, other, "their list", clock())
    assert ledger.rows() == [row]


def test_a_person_closes_what_should_not_be_done_at_all(
    ledger: Ledger, provider: DemoProvider, silence: Silence, desk: ReviewDesk, action: Action
) -> None:
    provider.faults = {action.key: [Fault.REQUEST_LOST]}
    row = desk.close(silence(), "the customer left")
    assert row == ledger.get(row.key)
    assert (row.state, row.closed) == (REVIEW, 1)
    assert ledger.rows(open_only=True) == []
    assert ledger.counts()[REVIEW] == 1
    last = ledger.events()[-1]
    assert (last["actor"], last["evidence"]) == ("ada", "closed: the customer left")
    assert execute(action, ledger, provider)[1:4] == (REVIEW, 1, "manual")
    assert provider.requests() == []


def test_what_was_closed_settles_all_the_same_when_a_recheck_finds_it(
    ledger: Ledger, provider: DemoProvider, silence: Silence, desk: ReviewDesk, action: Action
) -> None:
    desk.close(silence(), "the customer left")
    outcome = execute(action, ledger, provider)
    blind = provider.contract is BLIND
    assert outcome.path == ("manual" if blind else "reconciled")
    assert ledger.counts() == {PREPARED: 0, UNKNOWN: 0, SETTLED: int(not blind), REVIEW: int(blind)}


def test_an_approval_takes_a_closed_row_back_onto_the_list(
    ledger: Ledger, provider: DemoProvider, silence: Silence, desk: ReviewDesk
) -> None:
    row = approve(desk, desk.close(silence(), "the customer left"), provider.contract)
    assert (row.state, row.closed) == (PREPARED, 0)
    assert ledger.rows(open_only=True) == [row]


@pytest.mark.parametrize("contract", [KEYED, READABLE, SEARCHABLE])
def test_an_outage_leaves_no_heap_for_people_once_it_is_over(
    ledger: Ledger, provider: DemoProvider, silence: Silence, action: Action
) -> None:
    silence()
    assert execute(action, ledger, provider)[1:] == (
        SETTLED,
        1,
        "reconciled",
        f"{provider.contract.name}-1",
    )
    assert len(provider.requests()) == 1


@pytest.mark.parametrize("contract", [KEYED, READABLE, SEARCHABLE])
def test_a_recheck_that_finds_nothing_sends_nothing_however_often(
    ledger: Ledger,
    provider: DemoProvider,
    clock: ManualClock,
    silence: Silence,
    action: Action,
    records: Records,
) -> None:
    provider.faults = {action.key: [Fault.REQUEST_LOST]}
    silence()
    before = records(ledger, provider)
    for _ in range(5):
        clock.advance(LATE_MS)
        assert execute(action, ledger, provider)[1:] == (REVIEW, 1, "manual", None)
    assert records(ledger, provider) == before


Decision = Callable[[ReviewDesk, Row, str], Row]
DECISIONS: dict[str, Decision] = {
    "record": lambda desk, row, grounds: desk.record_receipt(row, "r-1", grounds),
    "approve": lambda desk, row, grounds: desk.approve_attempt(
        row, CONTRACTS[row.provider or "keyed"], grounds, desk.ledger.now(row), True
    ),
    "close": lambda desk, row, grounds: desk.close(row, grounds),
}
EACH = pytest.mark.parametrize("decide", DECISIONS.values(), ids=DECISIONS)


@EACH
@pytest.mark.parametrize("state", [PREPARED, UNKNOWN, SETTLED])
def test_what_code_can_decide_no_person_decides(
    ledger: Ledger,
    clock: ManualClock,
    row_in: RowIn,
    desk: ReviewDesk,
    decide: Decision,
    state: str,
) -> None:
    row = row_in(ledger, state)
    clock.advance(LATE_MS)
    with pytest.raises(DecisionRefused, match=f"is {state}; only a row in REVIEW"):
        decide(desk, row, "their list")
    assert ledger.rows() == [row]


@EACH
@pytest.mark.parametrize("grounds", ["", " \n"], ids=repr)
def test_a_decision_without_grounds_is_none(
    ledger: Ledger,
    clock: ManualClock,
    row_in: RowIn,
    desk: ReviewDesk,
    decide: Decision,
    grounds: str,
) -> None:
    row = row_in(ledger, REVIEW)
    clock.advance(LATE_MS)
    with pytest.raises(DecisionRefused, match="grounds"):
        decide(desk, row, grounds)
    assert ledger.rows() == [row]


@pytest.mark.parametrize("actor", ["", "  "], ids=repr)
def test_nobody_decides_without_a_name(ledger: Ledger, actor: str) -> None:
    with pytest.raises(DecisionRefused, match="name"):
        ReviewDesk(ledger, actor)


@pytest.mark.parametrize(
    "decide", [DECISIONS["approve"], DECISIONS["close"]], ids=["approve", "close"]
)
def test_a_decision_about_a_row_that_changed_since_is_refused(
    ledger: Ledger, clock: ManualClock, row_in: RowIn, desk: ReviewDesk, decide: Decision
) -> None:
    seen = row_in(ledger, REVIEW)
    clock.advance(LATE_MS)
    ReviewDesk(ledger, "bob").close(seen, "a duplicate")
    before = ledger.rows(), ledger.events()
    with pytest.raises(VersionConflict):
        decide(desk, seen, "their list")
    assert (ledger.rows(), ledger.events()) == before


def test_two_people_cannot_both_approve_the_same_attempt(
    ledger: Ledger, provider: DemoProvider, silence: Silence, desk: ReviewDesk, action: Action
) -> None:
    provider.faults = {action.key: [Fault.REQUEST_LOST]}
    seen = silence()
    approve(desk, seen, provider.contract)
    with pytest.raises(VersionConflict):
        approve(ReviewDesk(ledger, "bob"), seen, provider.contract)
    assert ledger.get(action.key).attempts_allowed == 2
