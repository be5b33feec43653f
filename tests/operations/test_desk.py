"""The list of what waits, what may be done about it, and the recheck that never sends."""

import pytest

from lab.faults.clock import MINUTE_MS, ManualClock
from lab.gateway import (
    BLIND,
    KEYED,
    PREPARED,
    READABLE,
    REVIEW,
    SEARCHABLE,
    SETTLED,
    UNKNOWN,
    Action,
    DecisionRefused,
    DemoProvider,
    Fault,
    KeyReused,
    Ledger,
    ProviderContract,
    ReviewDesk,
    Row,
    Verdict,
    WrongProvider,
    execute,
)
from lab.operations.desk import choices, open_rows, recheck
from lab.operations.ledger import OperatorLedger

WINDOW_MS = KEYED.in_flight_ms


def other(number: int) -> Action:
    """Return one of several actions."""
    return Action(f"invoice:{number}", "invoice", {"number": number})


def may(row: Row, now: int) -> list[str]:
    return [choice.name for choice in choices(row, now) if choice.legal]


def in_review(ledger: Ledger, action: Action, contract: ProviderContract = KEYED) -> Row:
    """Bring an action to REVIEW with its attempt open, as an outage does."""
    row = ledger.begin(action, None, contract.name)
    row = ledger.change(row, UNKNOWN, "no answer: ResponseLost", send_by=ledger.now(row))
    return ledger.change(row, REVIEW, "unavailable: ReadbackUnavailable")


def test_what_is_unknown_or_in_review_waits_and_the_oldest_comes_first(
    ledger: OperatorLedger, clock: ManualClock
) -> None:
    first = ledger.begin(other(1), None, "keyed")
    clock.advance(MINUTE_MS)
    in_review(ledger, other(2))
    clock.advance(MINUTE_MS)
    ledger.change(first, REVIEW, "in doubt")
    ledger.begin(other(3), None, "keyed")
    ledger.prepare(other(4))
    ledger.settle(ledger.begin(other(5), None, "keyed"), "keyed-1", "response")
    ReviewDesk(ledger, "ada").close(in_review(ledger, other(6)), "not to be done")
    clock.advance(1_000)
    assert [(one.row.key, one.row.state, one.age) for one in open_rows(ledger)] == [
        ("invoice:2", REVIEW, MINUTE_MS + 1_000),
        ("invoice:1", REVIEW, 1_000),
        ("invoice:3", UNKNOWN, 1_000),
    ]
    assert open_rows(ledger)[0].since == clock() - MINUTE_MS - 1_000


def test_a_row_waits_since_it_came_into_its_state_whatever_was_learnt_of_it_later(
    ledger: OperatorLedger, action: Action, clock: ManualClock
) -> None:
    row = in_review(ledger, action)
    since = clock()
    clock.advance(MINUTE_MS)
    ledger.change(row, REVIEW, "keyed-1 is another action's receipt")
    assert open_rows(ledger)[0][1:] == (since, MINUTE_MS)


def test_a_clock_that_was_set_back_makes_no_age_less_than_nothing(
    ledger: OperatorLedger, action: Action, clock: ManualClock
) -> None:
    ledger.begin(action, None, "keyed")
    clock.advance(-500)
    assert open_rows(ledger)[0].age == 0


def test_only_a_row_in_review_can_be_decided(ledger: OperatorLedger, clock: ManualClock) -> None:
    rows = [
        ledger.prepare(other(1)),
        ledger.begin(other(2), None, "keyed"),
        ledger.settle(ledger.begin(other(3), None, "keyed"), "keyed-1", "response"),
        in_review(ledger, other(4)),
    ]
    late = clock() + 10 * WINDOW_MS
    assert {row.state: may(row, late) for row in rows} == {
        PREPARED: ["note"],
        UNKNOWN: ["recheck", "note"],
        SETTLED: ["note"],
        REVIEW: ["recheck", "receipt", "approve", "close", "note"],
    }
    for row in rows[:3]:
        assert all(row.state in choice.why for choice in choices(row, late) if not choice.legal)


def test_what_the_list_says_of_an_approval_the_desk_does(
    ledger: OperatorLedger, action: Action, clock: ManualClock
) -> None:
    row = in_review(ledger, action)
    last = row.send_by + WINDOW_MS
    clock.advance(last - clock())
    early = choices(row, clock())[2]
    assert (early.name, early.legal) == ("approve", False)
    assert "until 1970-01-01T00:17:40.000Z; look after that" in early.why
    with pytest.raises(DecisionRefused):
        ReviewDesk(ledger, "ada").approve_attempt(row, KEYED, "not in the list", clock())
    clock.advance(1)
    assert "approve" in may(row, clock())
    ReviewDesk(ledger, "ada").approve_attempt(row, KEYED, "not in the list", clock())


def test_where_nothing_can_prove_it_the_list_says_that_it_is_a_risk(
    ledger: OperatorLedger, action: Action, clock: ManualClock
) -> None:
    row = in_review(ledger, action, BLIND)
    clock.advance(1)
    approve = choices(row, clock())[2]
    assert approve.legal
    assert "only with the risk accepted" in approve.why


def test_a_risk_that_was_taken_once_is_a_risk_again(
    ledger: OperatorLedger, action: Action, clock: ManualClock
) -> None:
    row = in_review(ledger, action, BLIND)._replace(send_by=None, risks_accepted=1)
    for now in (0, clock()):  # no attempt is open, so there is nothing to wait for
        assert choices(row, now)[2].legal
        assert "only with the risk accepted" in choices(row, now)[2].why
    with pytest.raises(DecisionRefused, match="accept the risk"):
        ReviewDesk(ledger, "ada").approve_attempt(row, BLIND, "not in the list", clock())


def test_a_provider_that_is_not_known_here_can_prove_nothing(
    ledger: OperatorLedger, action: Action
) -> None:
    row = in_review(ledger, action)._replace(provider="acme")
    assert choices(row, 10**12)[2].why == "no contract is known here for the provider acme"


def provider_of(contract: ProviderContract, clock: ManualClock, action: Action) -> DemoProvider:
    """Return a provider whose first answer is lost, and which cannot be asked for now."""
    faults = {action.key: [Fault.RESPONSE_LOST]}
    return DemoProvider(":memory:", contract, clock, faults, [action.key])


@pytest.mark.parametrize("passes", [1, 2], ids=["UNKNOWN", "REVIEW"])
def test_a_recheck_settles_what_it_finds_and_sends_nothing(
    ledger: OperatorLedger, action: Action, clock: ManualClock, passes: int
) -> None:
    with provider_of(READABLE, clock, action) as provider:
        for _ in range(passes):
            execute(action, ledger, provider)
            clock.advance(1)
        ledger.actor = "ada"
        said, row = recheck(action, ledger, provider)
        assert (said.verdict, row.state) == (Verdict.UNAVAILABLE, (UNKNOWN, REVIEW)[passes - 1])
        provider.unreadable.clear()
        said, row = recheck(action, ledger, provider)
        assert (said.verdict, row.state, row.receipt) == (Verdict.FOUND, SETTLED, "readable-1")
        assert (row.actor, row.evidence) == ("ada", "readback")
        assert len(provider.requests()) == 1


def test_a_recheck_leaves_to_a_person_what_could_be_another_actions_effect(
    ledger: OperatorLedger, action: Action, clock: ManualClock
) -> None:
    twin = Action("welcome:lead-202:v2", action.kind, action.payload)
    faults = {action.key: [Fault.RESPONSE_LOST], twin.key: [Fault.REQUEST_LOST]}
    with DemoProvider(":memory:", SEARCHABLE, clock, faults) as provider:
        for one in (action, twin):
            execute(one, ledger, provider)
        clock.advance(SEARCHABLE.visibility_ms)
        said, row = recheck(twin, ledger, provider)
    assert (said.verdict, row.state, row.receipt) == (Verdict.FOUND, REVIEW, None)


def test_a_recheck_that_finds_nothing_changes_nothing_however_late(
    ledger: OperatorLedger, action: Action, clock: ManualClock
) -> None:
    with DemoProvider(":memory:", READABLE, clock, {action.key: [Fault.REQUEST_LOST]}) as provider:
        execute(action, ledger, provider)
        clock.advance(10 * WINDOW_MS)
        before = ledger.get(action.key), ledger.events()
        assert recheck(action, ledger, provider)[0].verdict is Verdict.ABSENT
        assert (ledger.get(action.key), ledger.events()) == before
        assert provider.effects() == []


def test_a_recheck_is_refused_where_it_could_tell_nothing(
    ledger: OperatorLedger, action: Action, clock: ManualClock
) -> None:
    with DemoProvider(":memory:", READABLE, clock) as provider:
        with pytest.raises(DecisionRefused, match="is not in this ledger"):
            recheck(action, ledger, provider)
        row = ledger.prepare(action)
        with pytest.raises(DecisionRefused, match="no attempt is open"):
            recheck(action, ledger, provider)
        ledger.begin(action, row, "keyed")
        with pytest.raises(WrongProvider):
            recheck(action, ledger, provider)
        with pytest.raises(KeyReused):
            recheck(Action(action.key, "invoice", action.payload), ledger, provider)
