"""Two actions with the same content, at a provider that keeps no reference: whose effect is it?"""

from collections.abc import Callable
from dataclasses import replace

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
    execute,
)

SHOWN_MS = 6 * 60_000 + 1  # all has landed and is shown
ONE, TWO = (Action(f"reminder:{n}", "reminder", {"to": "lead-202"}) for n in (1, 2))
Call = Callable[[Action], tuple[str, str, str | None]]

searchable = pytest.mark.parametrize("contract", [SEARCHABLE])
with_reference = pytest.mark.parametrize("contract", [KEYED, READABLE])


@pytest.fixture
def call(ledger: Ledger, provider: DemoProvider) -> Call:
    """Do an action, and say how it stands, how that came, and by which receipt."""

    def do(action: Action) -> tuple[str, str, str | None]:
        outcome = execute(action, ledger, provider)
        return outcome.state, outcome.path, outcome.receipt

    return do


@searchable
def test_one_effect_and_two_open_attempts_settle_neither(
    call: Call, ledger: Ledger, provider: DemoProvider, clock: ManualClock
) -> None:
    provider.faults = {ONE.key: [Fault.RESPONSE_LOST], TWO.key: [Fault.REQUEST_LOST]}
    call(ONE), call(TWO)
    clock.advance(SHOWN_MS)
    assert call(TWO) == call(ONE) == (REVIEW, "manual", None)
    events = ledger.events()
    assert call(TWO) == call(ONE) == (REVIEW, "manual", None)
    assert ledger.events() == events
    assert len(provider.requests()) == 1


@searchable
def test_the_effect_that_could_be_eithers_is_named_in_the_event(
    call: Call, ledger: Ledger, provider: DemoProvider, clock: ManualClock
) -> None:
    provider.faults = {ONE.key: [Fault.RESPONSE_LOST], TWO.key: [Fault.REQUEST_LOST]}
    call(ONE), call(TWO)
    clock.advance(SHOWN_MS)
    call(TWO)
    assert "searchable-1" in ledger.events(TWO.key)[-1]["evidence"]


@searchable
def test_two_effects_of_two_open_attempts_are_told_apart_by_nobody(
    call: Call, ledger: Ledger, provider: DemoProvider, clock: ManualClock
) -> None:
    provider.faults = {ONE.key: [Fault.RESPONSE_LOST], TWO.key: [Fault.RESPONSE_LOST]}
    call(ONE), call(TWO)
    clock.advance(SHOWN_MS)
    assert call(TWO) == call(ONE) == (REVIEW, "manual", None)
    for action in (ONE, TWO):
        evidence = ledger.events(action.key)[-1]["evidence"]
        assert all(receipt in evidence for receipt in ("searchable-1", "searchable-2"))


@searchable
def test_the_effect_of_a_settled_twin_does_not_settle_the_other(
    call: Call, provider: DemoProvider, clock: ManualClock
) -> None:
    provider.faults = {TWO.key: [Fault.REQUEST_LOST]}
    assert call(ONE) == (SETTLED, "sent", "searchable-1")
    call(TWO)
    clock.advance(SHOWN_MS)
    assert call(TWO) == (REVIEW, "manual", None)
    assert call(ONE) == (SETTLED, "cached", "searchable-1")


@searchable
def test_a_twin_whose_attempts_are_all_proved_not_executed_owns_nothing(
    call: Call, provider: DemoProvider, clock: ManualClock
) -> None:
    provider.faults = {ONE.key: [Fault.REFUSED], TWO.key: [Fault.RESPONSE_LOST]}
    assert call(ONE) == (PREPARED, "refused", None)
    call(TWO)
    clock.advance(SHOWN_MS)
    assert call(TWO) == (SETTLED, "reconciled", "searchable-1")


@pytest.mark.parametrize("contract", [replace(SEARCHABLE, in_flight_ms=None)], ids=["no bound"])
@pytest.mark.parametrize("gone_on", [False, True], ids=["approved", "sent and settled"])
def test_a_twin_that_a_person_lets_go_on_at_a_risk_may_own_it_still(
    call: Call, ledger: Ledger, provider: DemoProvider, clock: ManualClock, gone_on: bool
) -> None:
    """Its first attempt is proved nowhere: the effect found may be that attempt's, and here is."""
    provider.faults = {ONE.key: [Fault.RESPONSE_LOST], TWO.key: [Fault.REQUEST_LOST]}
    provider.unreadable = {ONE.key}
    call(ONE)
    clock.advance(SHOWN_MS)
    assert call(ONE) == (REVIEW, "manual", None)
    desk, row = ReviewDesk(ledger, "ada"), ledger.get(ONE.key)
    desk.approve_attempt(row, provider.contract, "a guess", clock(), accept_risk=True)
    if gone_on:
        assert call(ONE) == (SETTLED, "sent", "searchable-2")  # not shown yet; the first is
    call(TWO)
    clock.advance(1)
    assert call(TWO) == (REVIEW, "manual", None)
    assert provider.effects(TWO.key) == []


@searchable
@pytest.mark.parametrize(
    "other",
    [Action("reminder:2", "reminder", {"to": "lead-203"}), Action("x:2", "x", dict(ONE.payload))],
    ids=["payload", "kind"],
)
def test_an_action_with_other_content_is_no_twin(
    call: Call, provider: DemoProvider, clock: ManualClock, other: Action
) -> None:
    provider.faults = {ONE.key: [Fault.RESPONSE_LOST], other.key: [Fault.RESPONSE_LOST]}
    call(ONE), call(other)
    clock.advance(SHOWN_MS)
    assert call(ONE) == (SETTLED, "reconciled", "searchable-1")
    assert call(other) == (SETTLED, "reconciled", "searchable-2")


@searchable
def test_the_same_content_at_another_provider_is_no_twin(
    call: Call, ledger: Ledger, provider: DemoProvider, clock: ManualClock
) -> None:
    provider.faults = {ONE.key: [Fault.RESPONSE_LOST]}
    ledger.begin(TWO, None, "elsewhere")
    call(ONE)
    clock.advance(SHOWN_MS)
    assert call(ONE) == (SETTLED, "reconciled", "searchable-1")


@with_reference
def test_where_our_key_is_kept_twins_settle_by_their_own_effects(
    call: Call, provider: DemoProvider
) -> None:
    provider.faults = {ONE.key: [Fault.RESPONSE_LOST], TWO.key: [Fault.RESPONSE_LOST]}
    call(ONE), call(TWO)
    name = provider.contract.name
    assert call(TWO) == (SETTLED, "reconciled", f"{name}-2")
    assert call(ONE) == (SETTLED, "reconciled", f"{name}-1")


@searchable
def test_a_twin_that_begins_after_the_question_was_put_cannot_own_what_was_found(
    call: Call, ledger: Ledger, provider: DemoProvider, clock: ManualClock
) -> None:
    provider.faults = {ONE.key: [Fault.RESPONSE_LOST]}
    call(ONE)
    clock.advance(SHOWN_MS)
    readback = provider.readback

    def slow(action: Action) -> object:
        provider.readback = readback
        answer = readback(action)
        ledger.begin(TWO, None, "searchable")
        return answer

    provider.readback = slow
    state, _, receipt = call(ONE)
    assert (state, receipt) in [(SETTLED, "searchable-1"), (REVIEW, None)]  # both are true
    assert ledger.get(TWO.key).state == UNKNOWN
