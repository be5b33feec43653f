"""The provider behind HTTP: what it checks, remembers and forgets, and that it leaves no trace."""

import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from lab.faults.clock import ManualClock
from lab.gateway import (
    CONTRACTS,
    DemoProvider,
    Ledger,
    NotExecuted,
    ResponseLost,
    StoreError,
    Verdict,
    canonical_json,
    execute,
)
from lab.gateway.provider import DAY_MS
from lab.operations.http_adapter import HttpAdapter
from lab.operations.http_contract import HTTP_CONTRACTS, PATH, over_http
from lab.operations.http_provider import HttpProvider
from lab.operations.http_records import ERROR_AFTER_COMMIT, HANG, answered
from tests.operations.boundary import OTHER, SHORT_MS, adapter_to
from tests.operations.conftest import ACTION

KEYED = HTTP_CONTRACTS["keyed"]
BODY = canonical_json({"kind": ACTION.kind, "payload": ACTION.payload}).encode()


@pytest.fixture
def provider(clock: ManualClock) -> Iterator[HttpProvider]:
    with HttpProvider(":memory:", KEYED, clock) as started:
        yield started


def asked(
    provider: HttpProvider,
    method: str = "POST",
    path: str = PATH,
    body: bytes = BODY,
    **headers: str | None,
) -> int:
    """Return the status of a request made by hand; a header that is None is left out."""
    usual = {
        "Authorization": f"Bearer {provider.token}",
        "Api-Version": provider.version,
        "Idempotency-Key": ACTION.key,
        "X-Request-Id": f"{ACTION.key}#1",
    }
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    sent = {name: value for name, value in {**usual, **given}.items() if value is not None}
    connection = HTTPConnection(*provider.address)
    connection.request(method, path, body or None, sent)
    status = connection.getresponse().status
    connection.close()
    return status


def test_a_request_as_it_should_be_is_accepted(provider: HttpProvider) -> None:
    assert asked(provider) == 200
    assert len(provider.effects(ACTION.key)) == 1


WRONG: dict[str, tuple[int, dict[str, Any]]] = {
    "another version": (400, {"Api_Version": "2026-07-02"}),
    "no version": (400, {"Api_Version": None}),
    "no token": (401, {"Authorization": None}),
    "another token": (401, {"Authorization": "Bearer x"}),
    "another scheme": (401, {"Authorization": "Basic x"}),
    "another path": (404, {"path": "/actions/1"}),
    "another method": (501, {"method": "DELETE"}),
    "no body": (400, {"body": b""}),
    "no JSON": (400, {"body": b"{"}),
    "no UTF-8": (400, {"body": b'"\xff"'}),
    "a list": (400, {"body": b"[]"}),
    "nested without end": (400, {"body": b"[" * 60_000}),
    "no kind": (400, {"body": b'{"payload":{}}'}),
    "kind is a number": (400, {"body": b'{"kind":1,"payload":{}}'}),
    "more than kind and payload": (400, {"body": b'{"kind":"a","payload":{},"key":"b"}'}),
    "an amount with a fraction": (400, {"body": b'{"kind":"a","payload":{"eur":1.5}}'}),
    "half a character": (400, {"body": b'{"kind":"a","payload":{"b":"\\ud800"}}'}),
    "half a character as kind": (400, {"body": b'{"kind":"\\ud800","payload":{}}'}),
    "an unsafe key": (400, {"Idempotency_Key": "pay 4242"}),
    "asked by content": (400, {"method": "GET", "path": f"{PATH}?hash=0", "body": b""}),
    "asked by both": (400, {"method": "GET", "path": f"{PATH}?key=a&hash=0", "body": b""}),
    "asked twice": (400, {"method": "GET", "path": f"{PATH}?key=a&key=a", "body": b""}),
    "asked for nothing": (400, {"method": "GET", "body": b""}),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_request_that_is_not_valid_is_refused_before_anything_is_done(
    provider: HttpProvider, name: str
) -> None:
    status, wrong = WRONG[name]
    assert asked(provider, **wrong) == status
    assert provider.requests() == provider.effects() == []


def test_a_token_is_a_bearers(provider: HttpProvider) -> None:
    assert asked(provider, Authorization=f"Basic {provider.token}") == 401
    assert asked(provider, Authorization=provider.token) == 401


def test_who_cannot_be_asked_has_no_such_place() -> None:
    with HttpProvider(":memory:", HTTP_CONTRACTS["blind"]) as provider:
        assert asked(provider, "GET", f"{PATH}?hash=0", b"") == 404


def test_a_scope_permits_one_resource_type_and_no_more_than_it_says() -> None:
    tokens = {"all": "messages:create", "look": "messages:read", "other": "payments:create"}
    with HttpProvider(":memory:", KEYED, tokens=tokens) as provider:
        question = {"method": "GET", "path": f"{PATH}?key={ACTION.key}", "body": b""}
        answers = {
            token: (
                asked(provider, Authorization=f"Bearer {token}", **question),
                asked(provider, Authorization=f"Bearer {token}"),
            )
            for token in ("look", "other", "all")
        }
    assert answers == {"all": (200, 200), "look": (200, 403), "other": (403, 403)}


def test_another_version_of_the_adapter_is_refused_for_good(provider: HttpProvider) -> None:
    older = HttpAdapter(provider.address, KEYED, provider.token, version="2025-01-01")
    with pytest.raises(NotExecuted, match="400") as refused:
        older.perform(ACTION, 1)
    assert not refused.value.retryable


@pytest.mark.parametrize("contract", HTTP_CONTRACTS.values(), ids=HTTP_CONTRACTS)
def test_only_a_provider_that_deduplicates_knows_a_key_again(contract: Any) -> None:
    with HttpProvider(":memory:", contract) as provider:
        adapter = adapter_to(provider)
        receipts = {adapter.perform(ACTION, attempt) for attempt in (1, 2, 3)}
        assert len(receipts) == len(provider.effects()) == (1 if contract.deduplicates else 3)
        assert len(provider.requests()) == 3


def test_other_content_under_a_key_is_refused_and_the_refusal_leads_to_no_second_send(
    provider: HttpProvider, clock: ManualClock
) -> None:
    theirs = adapter_to(provider).perform(OTHER, 1)
    with Ledger(":memory:", clock) as ledger:
        for _ in range(4):
            assert execute(ACTION, ledger, adapter_to(provider))[1:4] == ("REVIEW", 1, "manual")
            clock.advance(DAY_MS // 5)
        assert "422" in ledger.events(ACTION.key)[-1]["evidence"]
    readback = adapter_to(provider).readback(ACTION)
    assert (readback.verdict, readback.candidates) == (Verdict.MISMATCH, (theirs,))
    assert len(provider.requests()) == 2


def test_a_key_is_forgotten_when_its_time_is_over(
    provider: HttpProvider, clock: ManualClock
) -> None:
    adapter = adapter_to(provider)
    first = adapter.perform(ACTION, 1)
    clock.advance(DAY_MS - 1)
    assert adapter.perform(ACTION, 2) == first
    clock.advance(1)
    assert adapter.perform(ACTION, 3) != first
    assert len(provider.effects()) == 2


def test_a_stored_error_is_said_again_until_the_key_is_forgotten(clock: ManualClock) -> None:
    stores = over_http(KEYED, stores_errors=True)
    script = {ACTION.key: [answered(500)]}
    with HttpProvider(":memory:", stores, clock, script) as provider:
        adapter = adapter_to(provider)
        for attempt in (1, 2, 3):
            with pytest.raises(ResponseLost, match="500"):
                adapter.perform(ACTION, attempt)
        with pytest.raises(NotExecuted, match="422"):
            adapter.perform(OTHER, 4)
        assert provider.effects() == []
        clock.advance(DAY_MS)
        assert adapter.perform(ACTION, 5) == "keyed-1"


def test_who_does_not_compare_keys_says_no_error_again(clock: ManualClock) -> None:
    stores = over_http(HTTP_CONTRACTS["readable"], stores_errors=True)
    with HttpProvider(":memory:", stores, clock, {ACTION.key: [answered(500)]}) as provider:
        with pytest.raises(ResponseLost, match="500"):
            adapter_to(provider).perform(ACTION, 1)
        assert adapter_to(provider).perform(ACTION, 2) == "readable-1"


def test_an_error_that_is_not_stored_is_followed_by_what_really_happened(
    provider: HttpProvider,
) -> None:
    provider.troubles = {ACTION.key: [ERROR_AFTER_COMMIT]}
    adapter = adapter_to(provider)
    with pytest.raises(ResponseLost, match="500"):
        adapter.perform(ACTION, 1)
    assert adapter.perform(ACTION, 2) == "keyed-1"
    assert len(provider.effects()) == 1


def test_a_refusal_is_never_stored(clock: ManualClock) -> None:
    stores = over_http(KEYED, stores_errors=True)
    script = {ACTION.key: [answered(429), answered(400)]}
    with HttpProvider(":memory:", stores, clock, script) as provider:
        adapter = adapter_to(provider)
        for attempt in (1, 2):
            with pytest.raises(NotExecuted):
                adapter.perform(ACTION, attempt)
        assert adapter.perform(ACTION, 3) == "keyed-1"


def test_what_it_holds_is_there_again_after_a_restart_and_for_a_plain_demo_provider(
    tmp_path: Path, clock: ManualClock
) -> None:
    path = tmp_path / "provider.sqlite3"
    with HttpProvider(path, KEYED, clock) as provider:
        receipt = adapter_to(provider).perform(ACTION, 1)
    with HttpProvider(path, KEYED, clock) as provider:
        assert adapter_to(provider).readback(ACTION).receipt == receipt
    with DemoProvider(path, CONTRACTS["keyed"], clock) as plain:
        assert [effect["receipt"] for effect in plain.effects()] == [receipt]
    with HttpProvider(path, KEYED, clock) as provider:
        assert adapter_to(provider).perform(ACTION, 2) == receipt


def test_a_file_that_cannot_be_used_is_named_and_nothing_is_left_running(tmp_path: Path) -> None:
    path, before = tmp_path / "notes.txt", threading.active_count()
    path.write_text("these are no records, and long enough to be looked at" * 30)
    with pytest.raises(StoreError, match=r"notes\.txt"), HttpProvider(path, KEYED):
        pass
    assert threading.active_count() == before


def test_many_callers_at_once_are_each_answered(provider: HttpProvider) -> None:
    actions = [replace(ACTION, key=f"welcome:{number}:v1") for number in range(40)]
    adapter = adapter_to(provider)
    with ThreadPoolExecutor(8) as pool:
        receipts = list(pool.map(adapter.perform, actions, [1] * 40))
    assert len(set(receipts)) == len(provider.effects()) == 40


def test_callers_with_one_key_at_once_make_one_effect(provider: HttpProvider) -> None:
    adapter = adapter_to(provider)
    with ThreadPoolExecutor(8) as pool:
        receipts = list(pool.map(adapter.perform, [ACTION] * 16, range(1, 17)))
    assert set(receipts) == {"keyed-1"}
    assert (len(provider.requests()), len(provider.effects())) == (16, 1)


def said_to(provider: HttpProvider, request: bytes) -> bytes:
    """Return all that comes back to a caller who says these bytes, and nothing more."""
    said = b""
    with socket.create_connection(provider.address) as caller, suppress(OSError):
        caller.sendall(request)
        caller.shutdown(socket.SHUT_WR)
        while more := caller.recv(65_536):
            said += more
    return said


def test_a_request_that_breaks_off_is_neither_done_nor_answered(provider: HttpProvider) -> None:
    head = [f"POST {PATH} HTTP/1.1", f"Api-Version: {provider.version}"]
    head += [f"Authorization: Bearer {provider.token}", f"Content-Length: {len(BODY)}"]
    request = "\r\n".join(head).encode() + b"\r\n\r\n" + BODY
    for length in range(len(request)):
        assert said_to(provider, request[:length]) == b""
    assert provider.requests() == []
    assert said_to(provider, request).startswith(b"HTTP/1.1 200")


GARBAGE = [
    b"",
    b"\r\n\r\n",
    b"\x16\x03\x01\x02\x00",
    b"GET\r\n\r\n",
    b"POST /actions HTTP/9.9\r\n\r\n",
    b"POST /actions HTTP/1.1\r\nContent-Length: many\r\n\r\n",
    b"POST /actions HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
    b"POST /actions HTTP/1.1\r\nContent-Length: 10\r\n\r\nshort",
    b"POST /actions HTTP/1.1\r\nX-Request-Id: a#\xb2\r\n\r\n",
    b"POST /actions HTTP/1.1\r\nX-Request-Id: a#" + b"9" * 5_000 + b"\r\n\r\n",
    b"POST /actions HTTP/1.1\r\nA: " + b"b" * 66_000 + b"\r\n\r\n",
    b"POST /actions HTTP/1.1\r\n" + b"A: b\r\n" * 200 + b"\r\n",
    b"POST http://[ HTTP/1.1\r\n\r\n",
]


@pytest.mark.parametrize("garbage", GARBAGE, ids=range(len(GARBAGE)))
def test_garbage_is_survived_in_silence(capfd: pytest.CaptureFixture[str], garbage: bytes) -> None:
    with HttpProvider(":memory:", KEYED) as provider:
        said_to(provider, garbage)
        assert adapter_to(provider).perform(ACTION, 1) == "keyed-1"
    assert capfd.readouterr() == ("", "")


def test_it_listens_on_this_machine_only(provider: HttpProvider) -> None:
    assert provider.address[0] == "127.0.0.1"


def test_it_stops_at_once_also_where_callers_hang_and_leaves_no_thread() -> None:
    before = set(threading.enumerate())
    ended: list[Exception] = []

    def hang(adapter: HttpAdapter) -> None:
        try:
            adapter.perform(ACTION, 1)
        except ResponseLost as lost:
            ended.append(lost)

    with HttpProvider(":memory:", KEYED, troubles={ACTION.key: [HANG]}) as provider:
        adapter = adapter_to(provider)
        callers = [threading.Thread(target=hang, args=(adapter,)) for _ in range(3)]
        idle = socket.create_connection(provider.address)  # and one says nothing at all
        for caller in callers:
            caller.start()
        while len(provider.requests()) < 3:
            pass
    for caller in callers:  # ended by the provider's end, long before their own time-out
        caller.join()
    idle.close()
    assert len(ended) == 3
    assert not any("TimeoutError" in str(lost) for lost in ended)
    assert set(threading.enumerate()) == before


def test_unplugged_it_refuses_and_plugged_in_again_it_is_the_same(provider: HttpProvider) -> None:
    adapter = adapter_to(provider)
    receipt = adapter.perform(ACTION, 1)
    with provider.unplugged():
        with pytest.raises(NotExecuted, match="ConnectionRefusedError"):
            adapter.perform(ACTION, 2)
        assert len(provider.effects()) == 1
    assert adapter.perform(ACTION, 3) == receipt


def test_it_is_quiet_when_what_was_sent_has_been_dealt_with(provider: HttpProvider) -> None:
    provider.troubles = {ACTION.key: [HANG]}
    with pytest.raises(ResponseLost):
        adapter_to(provider, timeout_ms=SHORT_MS).perform(ACTION, 1)
    provider.quiet()
    assert len(provider.effects()) == 1


def test_an_error_of_its_own_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    def use(then: Exception | None = None) -> None:
        with HttpProvider(":memory:", KEYED) as provider:
            monkeypatch.setattr(provider, "answer", broken)
            with pytest.raises(ResponseLost):
                adapter_to(provider).perform(ACTION, 1)
            if then is not None:
                raise then

    with pytest.raises(ZeroDivisionError):
        use()
    with pytest.raises(LookupError):  # what went wrong in the block is not hidden by it
        use(LookupError())
