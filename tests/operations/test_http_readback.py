"""Asking over HTTP what is held: the verdicts, and everything that is no answer to the question."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext

import pytest

from lab.faults.clock import ManualClock
from lab.gateway import Action, ProviderContract, Readback, ReadbackUnavailable, Reading, Verdict
from lab.gateway.provider import DAY_MS
from lab.operations.http_adapter import HttpAdapter
from lab.operations.http_contract import HTTP_CONTRACTS
from lab.operations.http_meaning import Happened
from lab.operations.http_provider import HttpProvider
from lab.operations.http_records import (
    HANG,
    RESET_BEFORE_READ,
    RESPONSE_DROPPED,
    Trouble,
    answered,
    cut_answer,
)
from tests.operations.boundary import OTHER, SHORT_MS, adapter_to
from tests.operations.conftest import ACTION

READABLES = [one for one in HTTP_CONTRACTS.values() if one.readback is not Reading.NONE]
BY_KEY = [one for one in READABLES if one.keeps_reference]


@pytest.fixture(params=READABLES, ids=lambda contract: contract.name)
def contract(request: pytest.FixtureRequest) -> ProviderContract:
    return request.param


@pytest.fixture
def provider(contract: ProviderContract, clock: ManualClock) -> Iterator[HttpProvider]:
    with HttpProvider(":memory:", contract, clock) as started:
        yield started


def test_what_was_never_sent_is_absent(provider: HttpProvider) -> None:
    assert adapter_to(provider).readback(ACTION) == Readback(Verdict.ABSENT)


def test_what_was_done_is_found_when_the_window_is_over_and_not_before(
    provider: HttpProvider, clock: ManualClock, contract: ProviderContract
) -> None:
    adapter = adapter_to(provider)
    receipt = adapter.perform(ACTION, 1)
    if contract.visibility_ms:
        clock.advance(contract.visibility_ms - 1)
        assert adapter.readback(ACTION).verdict is Verdict.ABSENT
        clock.advance(1)
    assert adapter.readback(ACTION) == Readback(Verdict.FOUND, receipt)


def test_of_several_records_for_one_action_each_is_named(
    provider: HttpProvider, clock: ManualClock
) -> None:
    receipts = tuple(provider.enter_by_hand(ACTION) for _ in range(3))
    clock.advance(DAY_MS)
    assert adapter_to(provider).readback(ACTION) == Readback(Verdict.AMBIGUOUS, candidates=receipts)


@pytest.mark.parametrize("contract", BY_KEY, ids=lambda contract: contract.name)
def test_other_content_under_our_key_is_a_mismatch_and_named(provider: HttpProvider) -> None:
    receipt = provider.enter_by_hand(OTHER)
    expected = Readback(Verdict.MISMATCH, candidates=(receipt,))
    assert adapter_to(provider).readback(ACTION) == expected


@pytest.mark.parametrize("contract", BY_KEY, ids=lambda contract: contract.name)
def test_a_rejection_names_the_attempt_that_was_rejected(provider: HttpProvider) -> None:
    provider.troubles = {ACTION.key: [answered(500), answered(400)]}
    adapter = adapter_to(provider)
    for attempt in (1, 2):
        with pytest.raises(Exception, match=r"^(500|400), req-"):
            adapter.perform(ACTION, attempt)
    assert adapter.readback(ACTION) == Readback(Verdict.PROVED_NOT_EXECUTED, attempt=2)


def test_a_question_has_a_name_of_its_own_and_sends_nothing(provider: HttpProvider) -> None:
    heard: list[Happened] = []
    adapter_to(provider, heard=heard.append).readback(ACTION)
    assert [(one.request_id, one.answer_id) for one in heard] == [
        (f"{ACTION.key}#readback", "req-1")
    ]
    assert provider.requests() == []


NO_ANSWERS = {
    **{str(status): answered(status) for status in (302, 400, 401, 403, 404, 409, 429, 500, 503)},
    "201": Trouble(status=201, body=b'{"held": [], "rejected": null}'),
    "reset": RESET_BEFORE_READ,
    "silence": HANG,
    "dropped": RESPONSE_DROPPED,
    "cut": cut_answer(-1),
    "drips": Trouble(pause_ms=SHORT_MS // 3),
    "empty": Trouble(body=b""),
    "no JSON": Trouble(body=b'{"held": [], "rejected": nul'),
    "no UTF-8": Trouble(body=b'{"held": [], "rejected": "\xff"}'),
    "no object": Trouble(body=b"[]"),
    "nested without end": Trouble(body=b"[" * 60_000),
    "nothing held": Trouble(body=b'{"rejected": null}'),
    "nothing rejected": Trouble(body=b'{"held": []}'),
    "held is no list": Trouble(body=b'{"held": 1, "rejected": null}'),
    "held is a text": Trouble(body=b'{"held": "none", "rejected": null}'),
    "no receipt": Trouble(body=b'{"held": [{"payload_hash": "0"}], "rejected": null}'),
    "receipt null": Trouble(
        body=b'{"held": [{"receipt": null, "payload_hash": "0"}], "rejected": null}'
    ),
    "rejected is true": Trouble(body=b'{"held": [], "rejected": true}'),
    "too large": Trouble(body=b'{"held": [], "rejected": null}' + b" " * 70_000),
}


@pytest.mark.parametrize("name", NO_ANSWERS)
def test_what_is_no_list_of_what_is_held_is_no_answer(provider: HttpProvider, name: str) -> None:
    trouble = NO_ANSWERS[name]
    provider.reading = {ACTION.key: trouble}
    slow = trouble.end == "hang" or trouble.pause_ms
    adapter = adapter_to(provider, timeout_ms=SHORT_MS if slow else 9_000)
    with pytest.raises(ReadbackUnavailable):
        adapter.readback(ACTION)


def test_an_answer_that_broke_off_is_not_taken_for_a_list(provider: HttpProvider) -> None:
    provider.reading = {ACTION.key: cut_answer(-1)}
    with pytest.raises(ReadbackUnavailable, match="no list of what is held: 200, OSError, req-1"):
        adapter_to(provider).readback(ACTION)


@pytest.mark.parametrize("plugged", [False, True], ids=["nobody there", "no permission"])
def test_who_cannot_be_asked_is_unavailable_and_not_empty(
    provider: HttpProvider, plugged: bool
) -> None:
    adapter = HttpAdapter(provider.address, provider.contract, "another token")
    away: AbstractContextManager[None] = nullcontext() if plugged else provider.unplugged()
    with away, pytest.raises(ReadbackUnavailable, match="401" if plugged else "Refused"):
        adapter.readback(ACTION)
    assert adapter_to(provider).readback(ACTION).verdict is Verdict.ABSENT  # it is back


def test_a_wrong_path_is_not_taken_for_not_there(
    provider: HttpProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lab.operations.http_adapter.PATH", "/v2/actions")
    with pytest.raises(ReadbackUnavailable, match="404"):
        adapter_to(provider).readback(ACTION)


def test_a_provider_that_cannot_be_asked_is_not_asked() -> None:
    with HttpProvider(":memory:", HTTP_CONTRACTS["blind"]) as provider:
        heard: list[Happened] = []
        with pytest.raises(ReadbackUnavailable, match="cannot be asked"):
            adapter_to(provider, heard=heard.append).readback(ACTION)
        assert heard == []


def test_a_key_is_asked_for_as_it_is_written() -> None:
    awkward = Action("a.b_c:d-e", "letter", {"to": "lead-1"})
    with HttpProvider(":memory:", HTTP_CONTRACTS["keyed"]) as provider:
        adapter = adapter_to(provider)
        receipt = adapter.perform(awkward, 1)
        assert adapter.readback(awkward).receipt == receipt
