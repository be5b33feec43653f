"""Approvals: exactly what one person approved for another, for a time, and nothing else."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from lab.faults.clock import ManualClock
from lab.gateway import (
    PREPARED,
    REVIEW,
    SETTLED,
    UNKNOWN,
    Action,
    DecisionRefused,
    KeyReused,
    StoreLocked,
)
from lab.operations.approvals import LAST_MS, Approvals, approval, check_scope
from lab.operations.errors import NotApproved, WrongScope
from lab.operations.ledger import OperatorLedger
from tests.gateway.processes import all_at_once
from tests.operations.conftest import HOUR_MS, SCOPE, START_MS, UNTIL_MS, approved


@pytest.fixture
def ada(ledger: OperatorLedger) -> Approvals:
    """Return what Ada may propose and decide."""
    return Approvals(ledger, "Ada Byron")


@pytest.fixture
def bob(ledger: OperatorLedger) -> Approvals:
    """Return what Bob may propose and decide."""
    return Approvals(ledger, "bob")


def why(ledger: OperatorLedger, action: Action, scope: str = SCOPE) -> str:
    """Return why an action is not approved."""
    with pytest.raises(NotApproved) as refused:
        approval(ledger, action, scope)
    start, end = f"{action.key} is not approved: ", ". Nothing was sent."
    told = str(refused.value)
    assert told.startswith(start)
    assert told.endswith(end)
    return told[len(start) : -len(end)]


# From a proposal to an approval.


def test_one_proposes_another_approves_and_the_record_names_both(
    ledger: OperatorLedger, clock: ManualClock, action: Action, ada: Approvals, bob: Approvals
) -> None:
    proposal = ada.propose(action, SCOPE, UNTIL_MS)
    bound = (1, action.key, action.kind, action.hash, SCOPE, UNTIL_MS, "Ada Byron", START_MS)
    assert proposal == (*bound, None, None, None, None)
    clock.advance(5)
    decided = bob.approve(proposal.number, action, "as \ud83d agreed")
    assert decided == (*bound, "approved", "bob", START_MS + 5, "as \\ud83d agreed")
    assert approval(ledger, action, SCOPE) == decided
    assert ledger.proposals() == [decided]
    assert ledger.rows() == []


def test_who_acts_comes_from_the_caller_and_what_the_payload_says_of_it_is_content(
    ledger: OperatorLedger, ada: Approvals
) -> None:
    claims = {"actor": "bob", "approved_by": "bob", "verdict": "approved", "scope": SCOPE}
    action = Action("a:1", "letter", claims)
    proposal = ada.propose(action, SCOPE, UNTIL_MS)
    assert proposal.actor == "Ada Byron"
    assert why(ledger, action) == f"proposal {proposal.number} waits for a decision"
    with pytest.raises(DecisionRefused, match="is your own"):
        ada.approve(proposal.number, action)


@pytest.mark.parametrize("name", ["", "  ", "ad\u200ba"], ids=repr)
def test_nobody_proposes_or_decides_without_a_name(ledger: OperatorLedger, name: str) -> None:
    with pytest.raises(DecisionRefused, match="names nobody"):
        Approvals(ledger, name)


def test_the_same_name_in_another_spelling_approves_nothing_of_its_own(
    ledger: OperatorLedger, action: Action, ada: Approvals
) -> None:
    proposal = ada.propose(action, SCOPE, UNTIL_MS)
    for name in ("Ada Byron", "ADA BYRON", " ada  byron ", "Ａｄａ Byron", "Ada\xa0Byron\n"):
        with pytest.raises(DecisionRefused, match="is your own; somebody else decides"):
            Approvals(ledger, name).approve(proposal.number, action)
        with pytest.raises(DecisionRefused, match="is your own; somebody else decides"):
            Approvals(ledger, name).decline(proposal.number, "not wanted any more")
    assert ledger.proposal(proposal.number) == proposal


def test_a_proposal_is_decided_once(
    ledger: OperatorLedger, action: Action, ada: Approvals, bob: Approvals
) -> None:
    number = ada.propose(action, SCOPE, UNTIL_MS).number
    decided = bob.approve(number, action)
    carol = Approvals(ledger, "carol")
    for decide in (partial(carol.approve, number, action), partial(carol.decline, number, "no")):
        with pytest.raises(DecisionRefused, match=r"proposal 1 was approved by bob; propose it ag"):
            decide()
    assert ledger.proposals() == [decided]


def test_what_was_declined_stays_declined_and_another_proposal_may_follow(
    ledger: OperatorLedger, action: Action, ada: Approvals, bob: Approvals
) -> None:
    number = ada.propose(action, SCOPE, UNTIL_MS).number
    bob.decline(number, "the customer left")
    assert why(ledger, action) == "bob declined it: the customer left"
    with pytest.raises(DecisionRefused, match="was declined by bob"):
        bob.approve(number, action)
    again = ada.propose(action, SCOPE, UNTIL_MS)
    assert why(ledger, action) == "bob declined it: the customer left"
    assert bob.approve(again.number, action) == approval(ledger, action, SCOPE)


@pytest.mark.parametrize("reason", ["", " \n"], ids=repr)
def test_nobody_declines_without_a_reason(
    ledger: OperatorLedger, action: Action, ada: Approvals, bob: Approvals, reason: str
) -> None:
    proposal = ada.propose(action, SCOPE, UNTIL_MS)
    with pytest.raises(DecisionRefused, match="grounds"):
        bob.decline(proposal.number, reason)
    assert ledger.proposals() == [proposal]


def test_a_proposal_that_is_not_there_cannot_be_decided(action: Action, bob: Approvals) -> None:
    with pytest.raises(DecisionRefused, match="there is no proposal 7"):
        bob.approve(7, action)
    with pytest.raises(DecisionRefused, match="there is no proposal 7"):
        bob.decline(7, "no")


def test_what_is_approved_is_what_the_approver_looked_at(
    ledger: OperatorLedger, action: Action, ada: Approvals, bob: Approvals
) -> None:
    proposal = ada.propose(action, SCOPE, UNTIL_MS)
    for seen in others(action):
        with pytest.raises(DecisionRefused, match="something else than what you looked at"):
            bob.approve(proposal.number, seen)
    assert ledger.proposals() == [proposal]


# Time.


@pytest.mark.parametrize("before", [1, HOUR_MS])
def test_a_proposal_can_be_decided_until_it_expires_and_not_at_that_moment(
    clock: ManualClock, action: Action, ada: Approvals, bob: Approvals, before: int
) -> None:
    first, second = (ada.propose(action, SCOPE, UNTIL_MS).number for _ in range(2))
    clock.time = UNTIL_MS - before
    assert bob.approve(first, action).verdict == "approved"
    clock.time = UNTIL_MS
    with pytest.raises(DecisionRefused, match=f"proposal 2 expired at {UNTIL_MS} ms; propose it"):
        bob.approve(second, action)
    with pytest.raises(DecisionRefused, match=f"proposal 2 expired at {UNTIL_MS} ms; propose it"):
        bob.decline(second, "too late")


def test_an_approval_holds_until_it_expires_and_not_at_that_moment(
    ledger: OperatorLedger, clock: ManualClock, action: Action
) -> None:
    given = approved(ledger, action)
    clock.time = UNTIL_MS - 1
    assert approval(ledger, action, SCOPE) == given
    clock.time = UNTIL_MS
    assert why(ledger, action) == f"the approval expired at {UNTIL_MS} ms"
    assert approval(ledger, action, SCOPE, UNTIL_MS - 1) == given


@pytest.mark.parametrize(
    "expires_at", [START_MS, START_MS - 1, 0, -1, LAST_MS + 1, 1e12, True, None, "tomorrow"]
)
def test_a_proposal_expires_at_a_time_to_come_in_whole_milliseconds(
    ledger: OperatorLedger, action: Action, ada: Approvals, expires_at: Any
) -> None:
    with pytest.raises(DecisionRefused, match="give whole milliseconds, after 1000000"):
        ada.propose(action, SCOPE, expires_at)
    assert ledger.proposals() == []


@pytest.mark.parametrize("expires_at", [START_MS + 1, LAST_MS])
def test_the_next_millisecond_is_to_come(action: Action, ada: Approvals, expires_at: int) -> None:
    assert ada.propose(action, SCOPE, expires_at).expires_at == expires_at


def test_a_clock_behind_the_last_record_counts_as_no_time_passed(
    ledger: OperatorLedger, clock: ManualClock, action: Action, ada: Approvals, bob: Approvals
) -> None:
    proposal = ada.propose(action, SCOPE, UNTIL_MS)
    clock.advance(-500_000)
    decided = bob.approve(proposal.number, action)
    assert decided.decided_at == START_MS
    assert approval(ledger, action, SCOPE) == decided
    late = ada.propose(action, SCOPE, UNTIL_MS)
    clock.time = UNTIL_MS
    ledger.prepare(action)  # a record of this time: whoever sets the clock back gains nothing
    clock.time = START_MS
    assert why(ledger, action) == f"the approval expired at {UNTIL_MS} ms"
    with pytest.raises(DecisionRefused, match="proposal 2 expired"):
        bob.approve(late.number, action)
    with pytest.raises(DecisionRefused, match=f"after {UNTIL_MS}"):
        ada.propose(action, SCOPE, UNTIL_MS)


# Nothing but what was approved.


def others(action: Action) -> list[Action]:
    """Return what differs from an action in one thing under the same key."""
    return [
        Action(action.key, action.kind, {**action.payload, "lead": "lead-203"}),
        Action(action.key, action.kind, {**action.payload, "lead": "lead-202 "}),
        Action(action.key, action.kind, {**action.payload, "actor": "bob"}),
        Action(action.key, "welcome_letter", action.payload),
    ]


def test_what_was_approved_is_not_what_differs_from_it_in_one_character(
    ledger: OperatorLedger, action: Action
) -> None:
    approved(ledger, action)
    for other in others(action):
        assert why(ledger, other) == (
            "what was approved under this key is not this: its kind or its payload differs"
        )


def test_what_was_proposed_or_declined_is_named_as_that(
    ledger: OperatorLedger, action: Action, ada: Approvals, bob: Approvals
) -> None:
    number = ada.propose(action, SCOPE, UNTIL_MS).number
    other = others(action)[0]
    assert why(ledger, other).startswith("what was proposed under this key is not this")
    assert (
        why(ledger, action, "messages:read")
        == f"it was proposed for {SCOPE}, not for messages:read"
    )
    bob.decline(number, "no")
    assert why(ledger, other).startswith("what was declined under this key is not this")


def test_an_approval_covers_no_other_scope(ledger: OperatorLedger, action: Action) -> None:
    approved(ledger, action)
    for scope in ("messages:delete", "message:create", "messages:creat"):
        assert why(ledger, action, scope) == f"it was approved for {SCOPE}, not for {scope}"


def test_an_approval_covers_no_other_key(ledger: OperatorLedger, action: Action) -> None:
    approved(ledger, action)
    other = Action("welcome:lead-202:v2", action.kind, action.payload)
    assert why(ledger, other) == "it was never proposed"


def test_a_proposal_that_nobody_decided_in_time_says_so(
    ledger: OperatorLedger, clock: ManualClock, action: Action, ada: Approvals
) -> None:
    ada.propose(action, SCOPE, UNTIL_MS)
    clock.time = UNTIL_MS - 1
    assert why(ledger, action) == "proposal 1 waits for a decision"
    clock.time = UNTIL_MS
    assert why(ledger, action) == f"undecided, the proposal expired at {UNTIL_MS} ms"


def test_the_last_decision_about_the_same_thing_holds(
    ledger: OperatorLedger, clock: ManualClock, action: Action, ada: Approvals, bob: Approvals
) -> None:
    long, short, none = (
        ada.propose(action, SCOPE, UNTIL_MS + more).number for more in (HOUR_MS, 0, HOUR_MS)
    )
    bob.approve(long, action)
    bob.approve(short, action)
    assert approval(ledger, action, SCOPE).number == short
    clock.time = UNTIL_MS
    assert why(ledger, action) == f"the approval expired at {UNTIL_MS} ms"
    bob.decline(none, "the customer left")
    assert why(ledger, action) == "bob declined it: the customer left"


def test_a_proposal_that_waits_takes_nothing_from_an_approval(
    ledger: OperatorLedger, action: Action, ada: Approvals
) -> None:
    given = approved(ledger, action)
    ada.propose(action, SCOPE, UNTIL_MS)
    ada.propose(action, "messages:read", UNTIL_MS)
    ada.propose(others(action)[0], SCOPE, UNTIL_MS)
    assert approval(ledger, action, SCOPE) == given


@pytest.mark.parametrize("state", [PREPARED, UNKNOWN, SETTLED, REVIEW])
def test_a_key_that_the_ledger_holds_with_other_data_is_neither_proposed_nor_approved(
    ledger: OperatorLedger, action: Action, ada: Approvals, bob: Approvals, state: str
) -> None:
    other = others(action)[0]
    number = ada.propose(other, SCOPE, UNTIL_MS).number  # before the ledger held the key
    row = ledger.prepare(action)
    if state != PREPARED:
        row = ledger.begin(action, row, "keyed")
        ledger.change(
            row,
            state,
            "-",
            receipt="r-1" if state == SETTLED else None,
            send_by=None if state == SETTLED else row.send_by,
        )
    before = ledger.rows(), ledger.proposals()
    with pytest.raises(KeyReused):
        ada.propose(other, SCOPE, UNTIL_MS)
    with pytest.raises(KeyReused):
        bob.approve(number, other)
    assert (ledger.rows(), ledger.proposals()) == before


# Scopes.


@pytest.mark.parametrize(
    "scope", ["messages:create", "payment_intents:read", "crm.contacts-v3:write"]
)
def test_a_scope_is_one_verb_for_one_type_of_resource(scope: str) -> None:
    assert check_scope(scope) == scope


NO_SCOPES = [
    "", "messages", ":create", "messages:", "messages:*", "*:create", "*", "a:b:c", "a:b,c:d",
    "a:b c:d", "a:b\n", "Messages:create", "messages:create|read", "a" * 101 + ":b", None, ["a:b"],
]  # fmt: skip


@pytest.mark.parametrize("scope", NO_SCOPES, ids=repr)
def test_a_scope_that_could_mean_more_is_none(
    ledger: OperatorLedger, action: Action, ada: Approvals, scope: Any
) -> None:
    with pytest.raises(WrongScope, match="name one verb for one type of resource"):
        check_scope(scope)
    with pytest.raises(WrongScope):
        ada.propose(action, scope, UNTIL_MS)
    assert ledger.proposals() == []


# Races.


def decide_at_once(path: Path, name: str, number: int, action: tuple[Any, ...]) -> str:
    """Approve, or decline, a proposal in a process of its own; return what came of it."""
    with OperatorLedger(path, lambda: START_MS) as ledger:
        desk = Approvals(ledger, name)
        decide: Callable[[], Any] = partial(desk.approve, number, Action(*action))
        try:
            return str((partial(desk.decline, number, "no") if name == "dan" else decide)().verdict)
        except DecisionRefused as refused:
            return str(refused)


@pytest.mark.parametrize("deed", ["propose", "approve", "decline"])
def test_between_the_look_and_the_record_nobody_else_writes(
    ledger: OperatorLedger, ledger_path: Path, action: Action, ada: Approvals, deed: str
) -> None:
    number, bob, now = ada.propose(action, SCOPE, UNTIL_MS).number, Approvals(ledger, "bob"), []

    def meanwhile() -> int:
        with OperatorLedger(ledger_path, lambda: START_MS, busy_ms=1) as other:
            with pytest.raises(StoreLocked):
                other.prepare(action)
            now.append(START_MS)
        return START_MS

    ledger.clock = meanwhile
    deeds = {
        "propose": partial(bob.propose, action, SCOPE, UNTIL_MS),
        "approve": partial(bob.approve, number, action),
        "decline": partial(bob.decline, number, "no"),
    }
    assert deeds[deed]().key == action.key
    assert now


def test_of_people_who_decide_at_once_exactly_one_does(
    ledger: OperatorLedger, ledger_path: Path, action: Action, ada: Approvals
) -> None:
    number = ada.propose(action, SCOPE, UNTIL_MS).number
    plain = (action.key, action.kind, dict(action.payload))
    names = ["bob", "carol", "dan", "eve"]
    told = all_at_once(
        [partial(decide_at_once, ledger_path, name, number, plain) for name in names]
    )
    decided = ledger.proposal(number)
    assert told.count(str(decided.verdict)) == 1
    refused = f"proposal 1 was {decided.verdict} by {decided.decided_by}; propose it again"
    assert told.count(refused) == len(names) - 1
