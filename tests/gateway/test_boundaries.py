"""Both sides of each boundary: the very moment, and one millisecond beside it."""

from collections.abc import Callable

import pytest

from lab.faults.clock import ManualClock
from lab.faults.steps import Stepped
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
    Ledger,
    Outcome,
    ProviderContract,
    ReviewDesk,
    execute,
)
from lab.gateway.ledger import ATTEMPTS, SEND_WINDOW_MS
from tests.gateway.conftest import START_MS, RowIn

FLIGHT_MS = 60_000
WINDOW_MS = 5 * 60_000
DAY_MS = 24 * 3_600_000
SEND_BY = START_MS + SEND_WINDOW_MS  # of an attempt that begins at the start

WITH_PROOF = pytest.mark.parametrize("contract", [KEYED, READABLE])
Sleepy = Callable[[int], Outcome]


@pytest.fixture
def sleep_before_sending(
    ledger: Ledger, provider: DemoProvider, clock: ManualClock, action: Action
) -> Sleepy:
    """Do the action with a worker that falls asleep between its claim and its last look."""

    def run(sleep_ms: int) -> Outcome:
        def hook(when: str, step: str) -> None:
            if (when, step) == ("after", "ledger.begin"):
                clock.advance(sleep_ms)

        return execute(action, Stepped(ledger, "ledger", hook), provider)

    return run


@pytest.mark.parametrize("sleep_ms", [0, SEND_WINDOW_MS - 1, SEND_WINDOW_MS])
def test_a_worker_may_still_send_exactly_at_send_by(
    provider: DemoProvider, sleep_before_sending: Sleepy, sleep_ms: int
) -> None:
    assert sleep_before_sending(sleep_ms)[1:4] == (SETTLED, 1, "sent")
    assert provider.requests()[0]["at"] == START_MS + sleep_ms


def test_a_millisecond_later_it_sends_nothing_and_proves_it(
    ledger: Ledger, provider: DemoProvider, sleep_before_sending: Sleepy, action: Action
) -> None:
    assert sleep_before_sending(SEND_WINDOW_MS + 1)[1:4] == (PREPARED, 1, "refused")
    assert provider.requests() == []
    assert "too late to send" in ledger.get(action.key).evidence
    assert execute(action, ledger, provider)[1:4] == (SETTLED, 2, "sent")


def test_a_worker_that_overslept_does_not_touch_what_another_began(
    ledger: Ledger, provider: DemoProvider, clock: ManualClock, action: Action
) -> None:
    newer = []

    def hook(when: str, step: str) -> None:
        if (when, step) == ("after", "ledger.begin") and not newer:
            row = ledger.change(ledger.get(action.key), PREPARED, "proved", send_by=None)
            clock.advance(SEND_WINDOW_MS + 1)
            newer.append(ledger.begin(action, row, row.provider))

    outcome = execute(action, Stepped(ledger, "ledger", hook), provider)
    assert outcome[1:4] == (UNKNOWN, 2, "hold")
    assert ledger.rows() == newer
    assert provider.requests() == []


def test_silence_ends_the_time_in_which_it_may_be_sent(
    ledger: Ledger, provider: DemoProvider, sleep_before_sending: Sleepy, action: Action
) -> None:
    provider.faults = {action.key: [Fault.REQUEST_LOST]}
    sleep_before_sending(1_234)
    assert ledger.get(action.key).send_by == START_MS + 1_234


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (SEND_BY - 1, (UNKNOWN, 1, "hold")),
        (SEND_BY, (UNKNOWN, 1, "hold")),
        (SEND_BY + 1, (REVIEW, 1, "manual")),
    ],
)
def test_an_outage_is_waited_for_up_to_send_by_and_no_longer(
    ledger: Ledger,
    provider: DemoProvider,
    clock: ManualClock,
    action: Action,
    row_in: RowIn,
    at: int,
    expected: tuple[str, int, str],
) -> None:
    row_in(ledger, UNKNOWN, provider.contract.name)  # its owner is dead
    provider.unreadable = {action.key}
    clock.time = at
    assert execute(action, ledger, provider)[1:4] == expected
    assert provider.requests() == []


@pytest.mark.parametrize("at", [SEND_BY, SEND_BY + 1, SEND_BY + FLIGHT_MS])
@WITH_PROOF
def test_up_to_the_last_moment_not_there_may_mean_not_there_yet(
    ledger: Ledger,
    provider: DemoProvider,
    clock: ManualClock,
    action: Action,
    row_in: RowIn,
    at: int,
) -> None:
    row = row_in(ledger, UNKNOWN, provider.contract.name)
    clock.time = at
    assert execute(action, ledger, provider)[1:4] == (UNKNOWN, 1, "hold")
    assert ledger.rows() == [row]
    assert provider.requests() == []


@WITH_PROOF
def test_a_millisecond_after_the_last_moment_not_there_is_proof(
    ledger: Ledger, provider: DemoProvider, clock: ManualClock, action: Action, row_in: RowIn
) -> None:
    row_in(ledger, UNKNOWN, provider.contract.name)
    clock.time = SEND_BY + FLIGHT_MS + 1
    assert execute(action, ledger, provider)[1:4] == (SETTLED, 2, "sent")
    assert [request["attempt"] for request in provider.requests()] == [2]


@WITH_PROOF
def test_what_was_sent_at_send_by_and_flies_as_long_as_it_may_is_met_by_no_second_effect(
    ledger: Ledger,
    provider: DemoProvider,
    clock: ManualClock,
    sleep_before_sending: Sleepy,
    action: Action,
) -> None:
    provider.faults = {action.key: [Fault.LATE]}
    assert sleep_before_sending(SEND_WINDOW_MS).path == "hold"
    clock.time = SEND_BY + FLIGHT_MS
    assert execute(action, ledger, provider).path == "hold"
    clock.advance(1)
    assert execute(action, ledger, provider)[1:4] == (SETTLED, 1, "reconciled")
    assert len(provider.effects()) == len(provider.requests()) == 1


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (SEND_BY + FLIGHT_MS + 1, (UNKNOWN, 1, "hold")),
        (SEND_BY + FLIGHT_MS + WINDOW_MS, (UNKNOWN, 1, "hold")),
        (SEND_BY + FLIGHT_MS + WINDOW_MS + 1, (REVIEW, 1, "manual")),
    ],
)
@pytest.mark.parametrize("contract", [SEARCHABLE])
def test_a_search_is_waited_for_inside_its_window_and_then_a_person_must_look(
    ledger: Ledger,
    provider: DemoProvider,
    clock: ManualClock,
    action: Action,
    row_in: RowIn,
    at: int,
    expected: tuple[str, int, str],
) -> None:
    row_in(ledger, UNKNOWN, "searchable")
    clock.time = at
    assert execute(action, ledger, provider)[1:4] == expected
    assert provider.requests() == []


@pytest.mark.parametrize("contract", [SEARCHABLE])
def test_the_latest_effect_of_a_search_is_shown_before_the_window_is_over(
    ledger: Ledger,
    provider: DemoProvider,
    clock: ManualClock,
    sleep_before_sending: Sleepy,
    action: Action,
) -> None:
    provider.faults = {action.key: [Fault.LATE]}
    sleep_before_sending(SEND_WINDOW_MS)
    clock.time = SEND_BY + FLIGHT_MS + WINDOW_MS - 1
    assert execute(action, ledger, provider).path == "hold"
    clock.advance(1)
    assert execute(action, ledger, provider)[1:4] == (SETTLED, 1, "reconciled")


@WITH_PROOF
def test_what_counts_is_when_the_question_was_put_not_when_it_was_answered(
    ledger: Ledger, provider: DemoProvider, clock: ManualClock, action: Action, row_in: RowIn
) -> None:
    row_in(ledger, UNKNOWN, provider.contract.name)
    clock.time = SEND_BY + FLIGHT_MS
    readback = provider.readback
    provider.readback = lambda asked: (readback(asked), clock.advance(DAY_MS // 2))[0]
    assert execute(action, ledger, provider)[1:4] == (UNKNOWN, 1, "hold")
    assert provider.requests() == []


LAST = {KEYED: FLIGHT_MS, READABLE: FLIGHT_MS, SEARCHABLE: FLIGHT_MS + WINDOW_MS, BLIND: 0}


def test_a_person_is_held_to_the_same_moment(
    ledger: Ledger, contract: ProviderContract, clock: ManualClock, row_in: RowIn
) -> None:
    row, desk = row_in(ledger, REVIEW, contract.name), ReviewDesk(ledger, "ada")
    last = SEND_BY + LAST[contract]
    clock.time = last + 10
    for seen_at in (START_MS, SEND_BY, last, last + 11):  # too early, or not yet
        with pytest.raises(DecisionRefused, match=str(last)):
            desk.approve_attempt(row, contract, "their list", seen_at, accept_risk=True)
    assert ledger.rows() == [row]
    approved = desk.approve_attempt(row, contract, "their list", last + 1, accept_risk=True)
    assert approved.state == PREPARED


@pytest.mark.parametrize(
    ("later", "expected"),
    [(DAY_MS - 1, (SETTLED, 2, "sent")), (DAY_MS, (REVIEW, 1, "manual"))],
    ids=["just before", "at"],
)
@pytest.mark.parametrize("contract", [KEYED])
def test_no_retry_begins_once_the_provider_may_have_forgotten_the_key(
    ledger: Ledger,
    provider: DemoProvider,
    clock: ManualClock,
    action: Action,
    later: int,
    expected: tuple[str, int, str],
) -> None:
    provider.faults = {action.key: [Fault.REFUSED]}
    execute(action, ledger, provider)
    clock.advance(later)
    assert execute(action, ledger, provider)[1:4] == expected


@pytest.mark.parametrize("contract", [READABLE, SEARCHABLE, BLIND])
def test_where_no_key_is_remembered_none_can_be_forgotten(
    ledger: Ledger, provider: DemoProvider, clock: ManualClock, action: Action
) -> None:
    provider.faults = {action.key: [Fault.REFUSED]}
    execute(action, ledger, provider)
    clock.advance(100 * DAY_MS)
    assert execute(action, ledger, provider)[1:4] == (SETTLED, 2, "sent")


@pytest.mark.parametrize("contract", [KEYED])
def test_an_approval_starts_the_time_of_the_retries_anew(
    ledger: Ledger, provider: DemoProvider, clock: ManualClock, action: Action
) -> None:
    provider.faults = {action.key: [Fault.REFUSED]}
    execute(action, ledger, provider)
    clock.advance(DAY_MS)
    execute(action, ledger, provider)
    row = ledger.get(action.key)
    ReviewDesk(ledger, "ada").approve_attempt(row, KEYED, "nothing there", clock())
    clock.advance(100 * DAY_MS)
    assert execute(action, ledger, provider)[1:4] == (SETTLED, 2, "sent")
    assert ledger.get(action.key).retry_since == clock()


def test_the_last_attempt_allowed_may_begin_and_no_other(
    ledger: Ledger, provider: DemoProvider, action: Action
) -> None:
    provider.faults = {action.key: [Fault.REFUSED] * (ATTEMPTS - 1)}
    for _ in range(ATTEMPTS - 1):
        assert execute(action, ledger, provider).state == PREPARED
    assert execute(action, ledger, provider)[1:4] == (SETTLED, ATTEMPTS, "sent")


@pytest.mark.parametrize("back_ms", [1, 500_000])
@WITH_PROOF
def test_a_clock_set_back_only_makes_the_wait_longer(
    ledger: Ledger,
    provider: DemoProvider,
    clock: ManualClock,
    action: Action,
    row_in: RowIn,
    back_ms: int,
) -> None:
    row_in(ledger, UNKNOWN, provider.contract.name)
    clock.advance(-back_ms)
    assert execute(action, ledger, provider).path == "hold"
    clock.time = SEND_BY + FLIGHT_MS
    assert execute(action, ledger, provider).path == "hold"
    clock.advance(1)
    assert execute(action, ledger, provider)[1:4] == (SETTLED, 2, "sent")


def test_a_clock_set_back_during_the_call_lets_no_silence_end_before_it_began(
    ledger: Ledger, provider: DemoProvider, clock: ManualClock, sleep_before_sending: Sleepy
) -> None:
    provider.perform = lambda *call: (clock.advance(-DAY_MS), 1 / 0)[0]
    assert sleep_before_sending(0).path == "hold"
    [row] = ledger.rows()
    assert row.send_by == row.updated_at == START_MS
