"""What happened to somebody, now across HTTP, and what a right gateway does with it."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

import pytest

from lab.gateway import PREPARED, REVIEW, SETTLED, UNKNOWN
from lab.gateway.ledger import SEND_WINDOW_MS
from lab.gateway.provider import DAY_MS
from lab.operations.http_contract import HTTP_CONTRACTS, HttpContract, over_http
from lab.operations.http_records import (
    EMPTY_RECEIPT,
    ERROR_AFTER_COMMIT,
    FINE,
    HANG,
    IN_PROGRESS,
    RESPONSE_DROPPED,
    SENT_TWICE,
    Trouble,
    answered,
    cut_answer,
)
from tests.operations.boundary import SHORT_MS, World, nowhere
from tests.operations.cable import PAST_EVERY_BOUND_MS, Cable, Pull, until_quiet
from tests.operations.conftest import ACTION

KEYED, READABLE, SEARCHABLE, BLIND = HTTP_CONTRACTS.values()


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


# reported: crewAIInc/crewAI#5802, crewAIInc/crewAI#7449
@pytest.mark.parametrize("contract", [KEYED, READABLE])
def test_two_requests_for_one_attempt_are_seen_in_the_providers_records(
    stack: ExitStack, contract: HttpContract
) -> None:
    world = stack.enter_context(World(contract, [SENT_TWICE]))
    assert world.execute() == (SETTLED, 1, "sent")
    names = [request["request_id"] for request in world.provider.requests()]
    assert names == [f"{ACTION.key}#1"] * 2  # two arrivals of what the ledger counts as one


# reported: ComposioHQ/composio#3657
@pytest.mark.parametrize("contract", HTTP_CONTRACTS.values(), ids=HTTP_CONTRACTS)
def test_a_time_out_is_one_request_and_unknown(stack: ExitStack, contract: HttpContract) -> None:
    world, cable = stack.enter_context(World(contract, [HANG])), Cable()
    assert world.execute(timeout_ms=SHORT_MS, connect=cable) == (UNKNOWN, 1, "hold")
    world.provider.quiet()
    assert cable.connections == len(world.provider.requests()) == 1


# reported: freescout-help-desk/freescout#5457, postalserver/postal#3016
def test_a_mail_whose_acceptance_was_lost_is_left_to_a_person(stack: ExitStack) -> None:
    world = stack.enter_context(World(BLIND, [RESPONSE_DROPPED]))
    assert [world.execute() for _ in range(5)] == [(UNKNOWN, 1, "hold")] * 5
    world.clock.advance(PAST_EVERY_BOUND_MS)
    assert world.execute() == (REVIEW, 1, "manual")
    assert len(world.provider.effects()) == 1


# reported: freescout-help-desk/freescout#5457, postalserver/postal#3016
def test_a_mail_that_was_refused_before_its_body_is_sent_once_more(stack: ExitStack) -> None:
    world = stack.enter_context(World(BLIND, [answered(429)]))
    assert world.execute() == (PREPARED, 1, "refused")
    assert world.execute() == (SETTLED, 2, "sent")
    assert len(world.provider.effects()) == 1


# reported: urllib3/urllib3#1911
@pytest.mark.parametrize("contract", HTTP_CONTRACTS.values(), ids=HTTP_CONTRACTS)
@pytest.mark.parametrize("how", ["refused", "no such host"])
def test_before_the_first_byte_a_failure_is_definite(
    stack: ExitStack, contract: HttpContract, how: str
) -> None:
    world = stack.enter_context(World(contract, []))
    if how == "refused":
        with world.provider.unplugged():
            first = world.execute()
    else:
        first = world.execute(connect=nowhere)
    assert first == (PREPARED, 1, "refused")
    assert world.execute() == (SETTLED, 2, "sent")
    assert len(world.provider.effects()) == 1


# reported: urllib3/urllib3#1911
@pytest.mark.parametrize("contract", HTTP_CONTRACTS.values(), ids=HTTP_CONTRACTS)
@pytest.mark.parametrize("at", ["the second byte", "the last byte", "the answer"])
def test_after_the_first_byte_a_failure_is_indefinite(
    stack: ExitStack, contract: HttpContract, at: str
) -> None:
    pulls = {
        "the second byte": Pull("request", 1, "reset"),
        "the last byte": Pull("answer", 0, "reset"),
    }
    world = stack.enter_context(World(contract, [cut_answer(60) if at == "the answer" else FINE]))
    cable = Cable(pulls.get(at))
    assert world.execute(connect=cable) == (UNKNOWN, 1, "hold")
    assert cable.connections == 1
    until_quiet(ACTION, world.ledger, world.adapter(), world.clock)
    assert len(world.provider.effects()) <= 1


# reported: HubSpot/hubspot-api-php#59
@pytest.mark.parametrize(
    ("trouble", "by_hand", "end"),
    [
        (RESPONSE_DROPPED, 0, (SETTLED, 1, "reconciled")),
        (answered(500), 0, (REVIEW, 1, "manual")),
        (RESPONSE_DROPPED, 1, (REVIEW, 1, "manual")),
    ],
    ids=["absent, then found", "absent past the window", "two candidates"],
)
def test_a_search_that_lags_behind_is_waited_for(
    stack: ExitStack, trouble: Trouble, by_hand: int, end: tuple[str, int, str]
) -> None:
    world = stack.enter_context(World(SEARCHABLE, [trouble]))
    assert world.execute() == (UNKNOWN, 1, "hold")
    candidates = [world.provider.enter_by_hand(ACTION) for _ in range(by_hand)]
    world.clock.advance(SEARCHABLE.visibility_ms - 1)
    assert world.execute() == (UNKNOWN, 1, "hold")
    world.clock.advance(SEND_WINDOW_MS + 60_002)
    assert world.execute() == end
    assert len(world.provider.requests()) == 1
    if candidates:
        assert all(name in world.last_evidence() for name in ("searchable-1", *candidates))


# reported: Stripe's documentation of idempotent requests
def test_a_stored_500_says_nothing_and_what_it_hides_is_found(stack: ExitStack) -> None:
    world = stack.enter_context(World(over_http(KEYED, stores_errors=True), [ERROR_AFTER_COMMIT]))
    adapter = world.adapter()
    assert world.execute() == (UNKNOWN, 1, "hold")
    for attempt in (2, 3):  # whoever asks by sending again hears the same for ever
        with pytest.raises(Exception, match=r"^500, req-"):
            adapter.perform(ACTION, attempt)
    assert world.execute() == (SETTLED, 1, "reconciled")
    assert len(world.provider.effects()) == 1


# reported: Stripe's documentation of idempotent requests
def test_a_stored_500_that_hides_nothing_uses_the_attempts_up(stack: ExitStack) -> None:
    world = stack.enter_context(World(over_http(KEYED, stores_errors=True), [answered(500)]))
    ends = until_quiet(ACTION, world.ledger, world.adapter(), world.clock)
    assert [end.state for end in ends] == [UNKNOWN, UNKNOWN, UNKNOWN, REVIEW]
    assert (ends[-1].attempts, world.provider.effects()) == (3, [])


# reported: beam-community/stripity-stripe#564
@pytest.mark.parametrize("contract", [KEYED, READABLE, SEARCHABLE], ids=lambda one: one.name)
def test_in_progress_is_neither_sent_nor_failed(stack: ExitStack, contract: HttpContract) -> None:
    world = stack.enter_context(World(contract, [IN_PROGRESS]))
    for _ in range(3):
        assert world.execute() == (UNKNOWN, 1, "hold")
    world.clock.advance(60_001 + contract.visibility_ms)
    assert world.execute() == (SETTLED, 1, "reconciled")
    assert len(world.provider.requests()) == len(world.provider.effects()) == 1


# reported: Stripe's documentation of rate limits
@pytest.mark.parametrize(
    ("first", "expected"),
    [(True, (PREPARED, 1, "refused")), (False, (UNKNOWN, 1, "hold"))],
    ids=["before anything is done", "nobody says when"],
)
@pytest.mark.parametrize("contract", HTTP_CONTRACTS.values(), ids=HTTP_CONTRACTS)
def test_too_many_requests_is_definite_only_where_the_contract_says_so(
    stack: ExitStack, contract: HttpContract, first: bool, expected: tuple[str, int, str]
) -> None:
    told = replace(contract, rate_limit_first=first)
    world = stack.enter_context(World(told, [answered(429, retry_after_s=7)]))
    assert world.execute() == expected
    assert ("retry after 7000 ms" in world.last_evidence()) == first


# reported: several: a sweep after seven days, where the key was forgotten after one
def test_a_sweep_after_the_key_was_forgotten_sends_nothing_under_it(stack: ExitStack) -> None:
    world = stack.enter_context(World(KEYED, []))
    with world.provider.unplugged():
        assert world.execute() == (PREPARED, 1, "refused")
    world.clock.advance(7 * DAY_MS)
    assert world.execute() == (REVIEW, 1, "manual")
    assert "forgotten this key" in world.last_evidence()
    assert world.provider.requests() == []


# reported: several, under "falsy values"
@pytest.mark.parametrize("contract", HTTP_CONTRACTS.values(), ids=HTTP_CONTRACTS)
def test_an_empty_receipt_is_no_receipt_whoever_says_it(
    stack: ExitStack, contract: HttpContract
) -> None:
    world = stack.enter_context(World(contract, [EMPTY_RECEIPT]))
    ends = until_quiet(ACTION, world.ledger, world.adapter(), world.clock)
    assert (ends[0].state, ends[-1].state, ends[-1].receipt) == (UNKNOWN, REVIEW, None)
    assert len(world.provider.requests()) == len(world.provider.effects()) == 1
