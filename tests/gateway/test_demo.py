"""The provider that we break: what it does with each fault under each contract."""

from dataclasses import replace
from pathlib import Path

import pytest

from lab.faults.clock import ManualClock
from lab.gateway import (
    BLIND,
    CONTRACTS,
    KEYED,
    READABLE,
    SEARCHABLE,
    Action,
    DemoProvider,
    Fault,
    NotExecuted,
    ProviderContract,
    ReadbackUnavailable,
    ResponseLost,
    StoreLocked,
    Verdict,
    count_duplicates,
    request_id,
)
from tests.gateway.conftest import START_MS

DAY_MS = 24 * 3_600_000
LATEST_MS = 3_600_001  # by then the latest effect has landed, whatever the contract

# What is heard, how many requests arrive, how many effects there are in the end.
WORLD = {
    Fault.NONE: ("a receipt", 1, 1),
    Fault.REFUSED: ("not executed", 0, 0),
    Fault.REJECTED: ("never executed", 1, 0),
    Fault.RATE_LIMITED: ("not executed", 1, 0),
    Fault.REJECTION_LOST: ("silence", 1, 0),
    Fault.REQUEST_LOST: ("silence", 0, 0),
    Fault.RESPONSE_LOST: ("silence", 1, 1),
    Fault.LATE: ("silence", 1, 1),
    Fault.UNFORESEEN: ("nonsense", 1, 1),
    Fault.EMPTY_RECEIPT: ("an empty text", 1, 1),
    Fault.SENT_TWICE: ("a receipt", 2, 2),
}


def heard(provider: DemoProvider, action: Action, attempt: int = 1) -> str:
    """Send once, and say in words what came back."""
    try:
        return "a receipt" if provider.perform(action, attempt) else "an empty text"
    except NotExecuted as refusal:
        return "not executed" if refusal.retryable else "never executed"
    except ResponseLost:
        return "silence"
    except RuntimeError:
        return "nonsense"


def test_no_fault_is_left_out_of_the_table() -> None:
    assert set(WORLD) == set(Fault)


@pytest.mark.parametrize("fault", WORLD)
def test_each_fault_does_to_the_world_what_it_says(
    provider: DemoProvider, clock: ManualClock, action: Action, fault: Fault
) -> None:
    answer, requests, effects = WORLD[fault]
    if fault is Fault.SENT_TWICE and provider.contract.deduplicates:
        effects = 1
    provider.faults = {action.key: [fault]}
    assert heard(provider, action) == answer
    clock.advance(LATEST_MS)
    assert len(provider.effects()) == len(provider.effects(action.key)) == effects
    assert len(provider.requests()) == len(provider.requests(action.key)) == requests
    assert {r["request_id"] for r in provider.requests()} <= {request_id(action.key, 1)}
    assert {e["payload_hash"] for e in provider.effects()} <= {action.hash}


def test_a_script_names_one_fault_an_attempt_and_later_attempts_go_well(
    provider: DemoProvider, action: Action
) -> None:
    provider.faults = {action.key: [Fault.REFUSED, Fault.RATE_LIMITED]}
    answers = [heard(provider, action, attempt) for attempt in (1, 2, 3, 4)]
    assert answers[:3] == ["not executed", "not executed", "a receipt"]
    assert [request["attempt"] for request in provider.requests()] == [2, 3, 4]
    assert heard(provider, Action("another", "k", {})) == "a receipt"


def test_a_duplicate_can_happen_and_can_be_counted(provider: DemoProvider, action: Action) -> None:
    provider.faults = {action.key: [Fault.SENT_TWICE]}
    provider.perform(action, 1)
    duplicates = count_duplicates([e["key"] for e in provider.effects()], [action.key])
    assert duplicates == (0 if provider.contract.deduplicates else 1)
    assert len(provider.requests()) == 2


def test_a_rate_limit_is_silence_where_nobody_says_that_it_comes_first(
    contract: ProviderContract, clock: ManualClock, action: Action
) -> None:
    silent = replace(contract, rate_limit_first=False)
    script = {action.key: [Fault.RATE_LIMITED]}
    with DemoProvider(":memory:", silent, clock, script) as provider:
        assert heard(provider, action) == "silence"


@pytest.mark.parametrize("contract", [KEYED])
@pytest.mark.parametrize(("later", "effects"), [(0, 1), (DAY_MS - 1, 1), (DAY_MS, 2)])
def test_a_key_is_remembered_up_to_the_retention_and_not_at_it(
    provider: DemoProvider, clock: ManualClock, action: Action, later: int, effects: int
) -> None:
    first = provider.perform(action, 1)
    clock.advance(later)
    again = provider.perform(action, 2)
    assert (again == first) == (effects == 1)
    assert len(provider.effects()) == effects
    assert len(provider.requests()) == 2


@pytest.mark.parametrize("contract", [replace(KEYED, retention_ms=None)])
def test_a_key_without_a_known_retention_is_remembered_for_ever(
    provider: DemoProvider, clock: ManualClock, action: Action
) -> None:
    first = provider.perform(action, 1)
    clock.advance(1_000 * DAY_MS)
    assert provider.perform(action, 2) == first


@pytest.mark.parametrize("contract", [KEYED])
def test_a_remembered_key_with_other_content_is_rejected_for_good(
    provider: DemoProvider, action: Action
) -> None:
    provider.perform(action, 1)
    other = Action(action.key, action.kind, {"lead": "lead-999"})
    with pytest.raises(NotExecuted) as refused:
        provider.perform(other, 1)
    assert not refused.value.retryable
    assert len(provider.effects()) == 1
    assert [request["outcome"] for request in provider.requests()] == ["executed", "rejected"]


@pytest.mark.parametrize("contract", [KEYED, READABLE, SEARCHABLE])
def test_a_late_request_lands_strictly_after_the_bound_began_to_count(
    provider: DemoProvider, clock: ManualClock, action: Action
) -> None:
    provider.faults = {action.key: [Fault.LATE]}
    assert heard(provider, action) == "silence"
    clock.advance(provider.contract.in_flight_ms or 0)
    assert provider.effects() == []  # at the very moment it is still on its way
    clock.advance(1)
    [effect] = provider.effects()
    assert effect["at"] == START_MS + (provider.contract.in_flight_ms or 0)


@pytest.mark.parametrize("contract", [KEYED])
def test_a_late_request_whose_key_is_known_by_then_makes_no_second_effect(
    provider: DemoProvider, clock: ManualClock, action: Action
) -> None:
    provider.faults = {action.key: [Fault.LATE]}
    heard(provider, action)
    provider.perform(action, 2)
    clock.advance(LATEST_MS)
    assert len(provider.effects()) == 1
    assert len(provider.requests()) == 2


@pytest.mark.parametrize("contract", [READABLE])
def test_without_deduplication_a_late_request_makes_the_second_effect(
    provider: DemoProvider, clock: ManualClock, action: Action
) -> None:
    provider.faults = {action.key: [Fault.LATE]}
    heard(provider, action)
    provider.perform(action, 2)
    clock.advance(LATEST_MS)
    assert len(provider.effects()) == 2
    assert provider.readback(action).verdict is Verdict.AMBIGUOUS


@pytest.mark.parametrize(("later", "shown"), [(0, False), (299_999, False), (300_000, True)])
@pytest.mark.parametrize("contract", [SEARCHABLE])
def test_a_search_shows_an_effect_once_its_window_is_over(
    provider: DemoProvider, clock: ManualClock, action: Action, later: int, shown: bool
) -> None:
    receipt = provider.perform(action, 1)
    clock.advance(later)
    readback = provider.readback(action)
    assert readback.verdict is (Verdict.FOUND if shown else Verdict.ABSENT)
    assert readback.receipt == (receipt if shown else None)


@pytest.mark.parametrize("contract", [KEYED, READABLE])
@pytest.mark.parametrize("fault", [Fault.REJECTED, Fault.REJECTION_LOST, Fault.RATE_LIMITED])
def test_a_rejection_is_on_record_with_the_attempt_it_is_about(
    provider: DemoProvider, action: Action, fault: Fault
) -> None:
    provider.faults = {action.key: [fault, fault]}
    heard(provider, action, 1)
    heard(provider, action, 2)
    readback = provider.readback(action)
    assert (readback.verdict, readback.attempt) == (Verdict.PROVED_NOT_EXECUTED, 2)


@pytest.mark.parametrize("contract", [SEARCHABLE])
def test_a_search_by_content_knows_of_no_rejection(provider: DemoProvider, action: Action) -> None:
    provider.faults = {action.key: [Fault.REJECTED]}
    heard(provider, action)
    assert provider.readback(action).verdict is Verdict.ABSENT


@pytest.mark.parametrize("contract", [KEYED, READABLE])
def test_other_content_under_our_key_is_a_mismatch(provider: DemoProvider, action: Action) -> None:
    receipt = provider.enter_by_hand(Action(action.key, action.kind, {"lead": "lead-999"}))
    readback = provider.readback(action)
    assert (readback.verdict, readback.candidates) == (Verdict.MISMATCH, (receipt,))


def test_a_blind_provider_cannot_be_asked_and_any_other_only_when_it_answers(
    provider: DemoProvider, action: Action
) -> None:
    provider.unreadable = {action.key}
    with pytest.raises(ReadbackUnavailable, match=r"cannot be asked|does not answer"):
        provider.readback(action)
    provider.unreadable = set()
    if provider.contract is BLIND:
        with pytest.raises(ReadbackUnavailable, match="cannot be asked"):
            provider.readback(action)
    else:
        assert provider.readback(action).verdict is Verdict.ABSENT


def test_asking_and_listing_leave_no_trace(provider: DemoProvider, action: Action) -> None:
    provider.perform(action, 1)
    before = provider.requests(), provider.effects()
    for _ in range(3):
        if provider.contract is not BLIND:
            provider.readback(action)
    assert (provider.requests(), provider.effects()) == before


def test_what_a_colleague_does_is_an_effect_without_a_request(
    provider: DemoProvider, action: Action
) -> None:
    receipt = provider.enter_by_hand(action)
    assert provider.enter_by_hand(action, "given") == "given"
    assert [effect["receipt"] for effect in provider.effects()] == [receipt, "given"]
    assert provider.requests() == []


@pytest.mark.parametrize("name", CONTRACTS)
def test_the_providers_file_outlives_its_process(
    tmp_path: Path, clock: ManualClock, action: Action, name: str
) -> None:
    path = tmp_path / "provider.sqlite3"
    late = Action("late", "k", {})
    with DemoProvider(path, CONTRACTS[name], clock, {"late": [Fault.LATE]}) as provider:
        provider.perform(action, 1)
        heard(provider, late)
        held = provider.effects(), provider.requests()
    with DemoProvider(path, CONTRACTS[name], clock) as provider:
        assert (provider.effects(), provider.requests()) == held
        clock.advance(LATEST_MS)
        assert len(provider.effects()) == 2


def test_a_request_that_the_provider_could_not_write_down_had_no_effect(
    tmp_path: Path, clock: ManualClock, action: Action
) -> None:
    path = tmp_path / "provider.sqlite3"
    with DemoProvider(path, READABLE, clock) as provider, DemoProvider(path, READABLE) as other:
        provider._db.execute("PRAGMA busy_timeout = 20")
        with other.transaction(), pytest.raises(StoreLocked):
            provider.perform(action, 1)
        assert provider.effects() == provider.requests() == []
