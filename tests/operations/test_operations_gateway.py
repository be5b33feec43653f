"""The gateway as an operator runs it, in approval mode: no attempt begins without an approval."""

from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from lab.faults.clock import ManualClock
from lab.gateway import (
    KEYED,
    PREPARED,
    READABLE,
    REVIEW,
    SETTLED,
    UNKNOWN,
    Action,
    DecisionRefused,
    DemoProvider,
    Fault,
    KeyReused,
    Outcome,
    ReviewDesk,
    WrongProvider,
)
from lab.operations.approvals import Approvals
from lab.operations.errors import NotApproved, WrongScope
from lab.operations.gateway import Gateway
from lab.operations.ledger import OperatorLedger
from tests.gateway.processes import all_at_once
from tests.operations.conftest import HOUR_MS, SCOPE, SCOPES, START_MS, UNTIL_MS, approved, bring


def records(gateway: Gateway) -> tuple[Any, ...]:
    ledger, provider = gateway.ledger, gateway.provider
    return ledger.rows(), ledger.events(), provider.requests(), provider.effects()


# Approvals are asked for, or not.


def test_without_scopes_no_approval_is_asked_for(free: Gateway, action: Action) -> None:
    assert free.execute(action) == (action.key, SETTLED, 1, "sent", "readable-1")
    assert free.execute(action).path == "cached"


def test_what_was_approved_is_sent_once_and_known_for_ever(
    gateway: Gateway, clock: ManualClock, action: Action
) -> None:
    approved(gateway.ledger, action)
    assert gateway.execute(action).path == "sent"
    clock.time = UNTIL_MS
    assert gateway.execute(action).path == "cached"
    assert len(gateway.provider.effects()) == 1


Deed = Callable[[OperatorLedger, ManualClock, Action], object]


def declined(ledger: OperatorLedger, _: ManualClock, action: Action) -> None:
    number = Approvals(ledger, "ada").propose(action, SCOPE, UNTIL_MS).number
    Approvals(ledger, "bob").decline(number, "the customer left")


def expired(ledger: OperatorLedger, clock: ManualClock, action: Action) -> None:
    approved(ledger, action)
    clock.time = UNTIL_MS


NOT_APPROVED: dict[str, Deed] = {
    "it was never proposed": lambda ledger, clock, action: None,
    "proposal 1 waits for a decision": lambda ledger, clock, action: Approvals(
        ledger, "ada"
    ).propose(action, SCOPE, UNTIL_MS),
    "bob declined it: the customer left": declined,
    f"the approval expired at {UNTIL_MS} ms": expired,
    f"it was approved for messages:delete, not for {SCOPE}": lambda ledger, clock, action: approved(
        ledger, action, "messages:delete"
    ),
    "what was approved under this key is not this": lambda ledger, clock, action: approved(
        ledger, Action(action.key, action.kind, {**action.payload, "lead": "lead-203"})
    ),
    "it was never proposed.": lambda ledger, clock, action: approved(
        ledger, Action("welcome:lead-202:v2", action.kind, action.payload)
    ),
}


@pytest.mark.parametrize("prepared", [False, True], ids=["new", "prepared"])
@pytest.mark.parametrize(("why", "deed"), NOT_APPROVED.items(), ids=NOT_APPROVED)
def test_what_is_not_approved_is_refused_and_leaves_no_trace(
    gateway: Gateway, clock: ManualClock, action: Action, why: str, deed: Deed, prepared: bool
) -> None:
    deed(gateway.ledger, clock, action)
    if prepared:
        gateway.ledger.prepare(action)
    before = records(gateway)
    for _ in range(2):
        with pytest.raises(NotApproved) as refused:
            gateway.execute(action)
        assert f"{action.key} is not approved: {why}" in str(refused.value)
        assert str(refused.value).endswith(". Nothing was sent.")
    assert records(gateway) == before
    approved(gateway.ledger, action, until=UNTIL_MS + HOUR_MS)
    assert gateway.execute(action).path == "sent"


def test_a_kind_without_a_scope_is_refused(gateway: Gateway) -> None:
    action = Action("invoice:lead-202:v1", "invoice", {})
    approved(gateway.ledger, action)
    with pytest.raises(NotApproved, match="this gateway has no scope for the kind invoice"):
        gateway.execute(action)
    assert records(gateway) == ([], [], [], [])


def test_a_gateway_without_any_scope_sends_nothing(
    ledger: OperatorLedger, provider: DemoProvider, action: Action
) -> None:
    approved(ledger, action)
    with pytest.raises(NotApproved, match="no scope for the kind welcome_email"):
        Gateway(ledger, provider, {}).execute(action)


@pytest.mark.parametrize("scope", ["messages:*", "messages", ""])
def test_a_gateway_is_not_opened_with_a_scope_that_is_none(
    ledger: OperatorLedger, provider: DemoProvider, scope: str
) -> None:
    with pytest.raises(WrongScope):
        Gateway(ledger, provider, {"welcome_email": scope})


def test_two_gateways_on_one_ledger_each_ask_for_their_own(
    gateway: Gateway, free: Gateway, action: Action
) -> None:
    other = Action("welcome:lead-203:v1", action.kind, {})
    assert free.execute(other).path == "sent"
    with pytest.raises(NotApproved):
        gateway.execute(action)
    assert free.execute(action).path == "sent"


# An approval binds content and time, in every state.


# reported: pydantic/pydantic-ai#6968
def test_before_it_is_prepared_a_changed_payload_is_not_what_was_approved(
    gateway: Gateway, action: Action
) -> None:
    approved(gateway.ledger, action)
    changed = Action(action.key, action.kind, {**action.payload, "lead": "lead-203"})
    with pytest.raises(NotApproved, match="what was approved under this key is not this"):
        gateway.execute(changed)
    assert records(gateway) == ([], [], [], [])
    assert gateway.execute(action).path == "sent"


@pytest.mark.parametrize("state", [PREPARED, UNKNOWN, SETTLED, REVIEW])
def test_afterwards_a_changed_payload_is_a_reused_key(
    gateway: Gateway, action: Action, state: str
) -> None:
    bring(gateway, action, state)
    before = records(gateway)
    changed = Action(action.key, action.kind, {**action.payload, "lead": "lead-203"})
    with pytest.raises(KeyReused):
        gateway.execute(changed)
    assert records(gateway) == before


@pytest.mark.parametrize(("at", "path"), [(UNTIL_MS - 1, "sent"), (UNTIL_MS, None)])
def test_a_further_attempt_needs_an_approval_that_still_holds(
    gateway: Gateway, clock: ManualClock, action: Action, at: int, path: str | None
) -> None:
    row = bring(gateway, action, PREPARED)
    clock.time = at
    if path is None:
        with pytest.raises(NotApproved, match=f"the approval expired at {UNTIL_MS} ms"):
            gateway.execute(action)
        assert gateway.ledger.get(action.key) == row
        approved(gateway.ledger, action, until=UNTIL_MS + HOUR_MS)
    assert gateway.execute(action)[1:4] == (SETTLED, 2, "sent")


def test_the_time_that_counts_is_the_one_at_which_the_attempt_begins(
    action: Action,
) -> None:
    """Every look at this clock takes a millisecond; the approval expires at any of these looks."""
    left = []
    for expires_at in range(START_MS + 1, START_MS + 40):
        ticks = count(START_MS)
        with (
            OperatorLedger(":memory:", lambda ticks=ticks: next(ticks)) as ledger,
            DemoProvider(":memory:", READABLE) as provider,
        ):
            refused = False
            try:
                approved(ledger, action, until=expires_at)
                Gateway(ledger, provider, SCOPES).execute(action)
            except (NotApproved, DecisionRefused):
                refused = True
            begun = [event["at"] for event in ledger.events() if event["target"] == UNKNOWN]
            assert refused is (begun == [])
            left += [expires_at - at for at in begun]
            assert len(provider.requests()) == len(begun)
    assert min(left) == 1, "the last millisecond counts, and none after it"


@pytest.mark.parametrize("state", [UNKNOWN, REVIEW])
def test_what_is_open_is_reconciled_though_its_approval_has_expired(
    gateway: Gateway, clock: ManualClock, action: Action, state: str
) -> None:
    bring(gateway, action, state)
    clock.time = UNTIL_MS
    assert gateway.execute(action)[1:4] == (SETTLED, 1, "reconciled")
    assert len(gateway.provider.requests()) == 1


def test_once_non_execution_is_proved_the_next_attempt_asks_again(
    gateway: Gateway, clock: ManualClock, action: Action
) -> None:
    approved(gateway.ledger, action)
    gateway.provider.faults = {action.key: [Fault.REQUEST_LOST]}
    assert gateway.execute(action).path == "hold"
    clock.time = UNTIL_MS
    with pytest.raises(NotApproved, match="expired"):
        gateway.execute(action)
    assert (gateway.ledger.get(action.key).state, gateway.provider.requests()) == (PREPARED, [])
    approved(gateway.ledger, action, until=UNTIL_MS + HOUR_MS)
    assert gateway.execute(action)[1:4] == (SETTLED, 2, "sent")


def test_one_more_attempt_from_the_review_desk_still_needs_its_approval(
    gateway: Gateway, clock: ManualClock, action: Action
) -> None:
    row = bring(gateway, action, REVIEW)
    gateway.provider.faults = {}
    clock.time = UNTIL_MS
    ReviewDesk(gateway.ledger, "bob").approve_attempt(row, READABLE, "their list", UNTIL_MS)
    with pytest.raises(NotApproved, match="expired"):
        gateway.execute(action)
    assert len(gateway.provider.requests()) == 1


def test_another_provider_is_refused_before_anybody_asks_for_an_approval(
    gateway: Gateway, clock: ManualClock, action: Action
) -> None:
    bring(gateway, action, PREPARED)
    with DemoProvider(":memory:", KEYED, clock) as other, pytest.raises(WrongProvider):
        Gateway(gateway.ledger, other, SCOPES).execute(action)


# Many at once.


def execute_once(folder: Path, action: tuple[Any, ...]) -> Outcome:
    with (
        OperatorLedger(folder / "operator.sqlite3", lambda: START_MS) as ledger,
        DemoProvider(folder / "provider.sqlite3", READABLE, lambda: START_MS) as provider,
    ):
        return Gateway(ledger, provider, SCOPES).execute(Action(*action))


def test_of_workers_with_one_approved_action_exactly_one_sends(
    ledger: OperatorLedger, tmp_path: Path, action: Action
) -> None:
    approved(ledger, action)
    plain = (action.key, action.kind, dict(action.payload))
    told = all_at_once([partial(execute_once, tmp_path, plain)] * 4)
    assert [outcome.path for outcome in told].count("sent") == 1
    with DemoProvider(tmp_path / "provider.sqlite3", READABLE) as provider:
        assert len(provider.requests()) == len(provider.effects()) == 1
