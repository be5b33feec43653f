"""All that can befall one request: what it means, the state it leaves, the path, and the end."""

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from lab.gateway import (
    PREPARED,
    REVIEW,
    SETTLED,
    UNKNOWN,
    ProviderContract,
    Reading,
)
from lab.gateway.provider import DAY_MS
from lab.operations.http_adapter import HttpAdapter
from lab.operations.http_contract import HTTP_CONTRACTS
from lab.operations.http_meaning import Kind, meaning
from lab.operations.http_records import (
    ERROR_AFTER_COMMIT,
    FINE,
    HANG,
    HANG_LATE,
    HANG_UNDONE,
    IN_PROGRESS,
    RESET_BEFORE_READ,
    RESPONSE_DROPPED,
    Trouble,
    answered,
    cut_answer,
    cut_request,
)
from tests.operations.boundary import SHORT_MS, World, nowhere
from tests.operations.cable import until_quiet
from tests.operations.conftest import ACTION

RUNS = pytest.mark.parametrize("contract", HTTP_CONTRACTS.values(), ids=HTTP_CONTRACTS)

ACCEPTED, RETRYABLE, FINAL, INDEFINITE = Kind
FIRST = {
    ACCEPTED: (SETTLED, "sent"),
    RETRYABLE: (PREPARED, "refused"),
    FINAL: (REVIEW, "manual"),
    INDEFINITE: (UNKNOWN, "hold"),
}
"""Where the first call of `execute` leaves the row, and by which path."""


class Row(NamedTuple):
    """What befalls the request, what it means, and how often it was done."""

    trouble: Trouble | str  # or what the network does
    kind: Kind
    done: int


TABLE = {
    "connection refused": Row("refused", RETRYABLE, 0),
    "no such host": Row("no such host", RETRYABLE, 0),
    "reset before the request is read": Row(RESET_BEFORE_READ, INDEFINITE, 0),
    "reset inside the head": Row(cut_request(90), INDEFINITE, 0),
    "reset inside the body": Row(cut_request(-1), INDEFINITE, 0),
    "hangs, not done": Row(HANG_UNDONE, INDEFINITE, 0),
    "hangs, done": Row(HANG, INDEFINITE, 1),
    "hangs, done at the end of the bound": Row(HANG_LATE, INDEFINITE, 1),
    "done, answer dropped": Row(RESPONSE_DROPPED, INDEFINITE, 1),
    "done, answer ends inside the status": Row(cut_answer(11), INDEFINITE, 1),
    "done, answer ends inside the head": Row(cut_answer(40), INDEFINITE, 1),
    "done, answer ends inside the body": Row(cut_answer(-1), INDEFINITE, 1),
    "200": Row(FINE, ACCEPTED, 1),
    "200, no JSON": Row(Trouble(body=b"<html>"), INDEFINITE, 1),
    "200, a list": Row(Trouble(body=b"[]"), INDEFINITE, 1),
    "200, nested without end": Row(Trouble(body=b"[" * 60_000), INDEFINITE, 1),
    "200, receipt null": Row(Trouble(body=b'{"receipt": null}'), INDEFINITE, 1),
    "200, receipt 0": Row(Trouble(body=b'{"receipt": 0}'), INDEFINITE, 1),
    "200, larger than is read": Row(Trouble(body=b" " * 70_000), INDEFINITE, 1),
    "202": Row(answered(202), INDEFINITE, 0),
    "302": Row(answered(302), INDEFINITE, 0),
    "400": Row(answered(400), FINAL, 0),
    "401": Row(answered(401), FINAL, 0),
    "403": Row(answered(403), FINAL, 0),
    "404": Row(answered(404), FINAL, 0),
    "409, not done": Row(answered(409), INDEFINITE, 0),
    "409, in progress": Row(IN_PROGRESS, INDEFINITE, 1),
    "418": Row(answered(418), INDEFINITE, 0),
    "422": Row(answered(422), FINAL, 0),
    "429": Row(answered(429, retry_after_s=2), RETRYABLE, 0),
    "500 before": Row(answered(500), INDEFINITE, 0),
    "500 after": Row(ERROR_AFTER_COMMIT, INDEFINITE, 1),
    "502": Row(answered(502), INDEFINITE, 0),
    "503": Row(answered(503), INDEFINITE, 0),
    "504 after": Row(Trouble(status=504), INDEFINITE, 1),
}


def end_of(row: Row, contract: ProviderContract) -> tuple[str, int, str, int]:
    """Say how it ends: the state, the attempts, the path, the effects."""
    if row.kind is ACCEPTED:
        return SETTLED, 1, "sent", 1
    if row.kind is FINAL:
        return REVIEW, 1, "manual", 0
    if row.kind is RETRYABLE:
        return SETTLED, 2, "sent", 1
    if row.done:
        found = contract.readback is not Reading.NONE
        return (SETTLED, 1, "reconciled", 1) if found else (REVIEW, 1, "manual", 1)
    again = contract.absence_is_proof
    return (SETTLED, 2, "sent", 1) if again else (REVIEW, 1, "manual", 0)


@pytest.fixture
def world(contract: ProviderContract) -> Iterator[World]:
    with World(contract) as opened:
        yield opened


@RUNS
@pytest.mark.parametrize("name", TABLE)
def test_each_answer_leads_to_the_state_and_the_path_that_its_meaning_says(
    world: World, contract: ProviderContract, name: str
) -> None:
    row, network = TABLE[name], nullcontext()
    settings: dict[str, Any] = {}
    if isinstance(row.trouble, Trouble):
        world.provider.troubles = {ACTION.key: [row.trouble]}
        settings = {"timeout_ms": SHORT_MS} if row.trouble.end == "hang" else {}
    elif row.trouble == "refused":
        network = world.provider.unplugged()
    else:
        settings = {"connect": nowhere}
    with network:
        state, _, path = world.execute(**settings)
    world.provider.quiet()
    assert meaning(world.heard[0], world.provider.contract).kind is row.kind
    assert (state, path) == FIRST[row.kind]
    end = until_quiet(ACTION, world.ledger, world.adapter(), world.clock)[-1]
    path = "sent" if end.path == "cached" else end.path
    world.clock.advance(DAY_MS)  # by then the latest request has landed, whatever the contract
    effects = len(world.provider.effects(ACTION.key))
    assert (end.state, end.attempts, path, effects) == end_of(row, contract)


@RUNS
def test_a_rejection_that_nobody_promised_to_come_first_is_proved_by_the_providers_record(
    world: World, contract: ProviderContract
) -> None:
    world.provider.troubles = {ACTION.key: [answered(400)]}
    plain = replace(contract, validates_first=False)
    careful = HttpAdapter(world.provider.address, plain, world.provider.token)
    outcomes = until_quiet(ACTION, world.ledger, careful, world.clock)
    assert outcomes[0][1:4] == (UNKNOWN, 1, "hold")
    expected = (SETTLED, 2, "sent") if contract.keeps_reference else (REVIEW, 1, "manual")
    assert outcomes[-1][1:4] == expected
