"""The adapter sends once, in time, with its name on it, and keeps what support will ask for."""

import socket
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from http.client import HTTPConnection
from typing import Any

import pytest

from lab.gateway import BLIND, KEYED, Ledger, NotExecuted, ResponseLost, execute
from lab.operations.http_adapter import TIMEOUT_MS, HttpAdapter
from lab.operations.http_contract import HTTP_CONTRACTS, PATH
from lab.operations.http_meaning import Happened, Phase
from lab.operations.http_provider import HttpProvider
from lab.operations.http_records import (
    ERROR_AFTER_COMMIT,
    FINE,
    HANG,
    RESET_BEFORE_READ,
    RESPONSE_DROPPED,
    Trouble,
    answered,
    cut_answer,
)
from lab.operations.http_wire import Deadline, Wire, dial
from tests.operations.boundary import SHORT_MS, Peer, adapter_to, ok
from tests.operations.cable import Cable
from tests.operations.conftest import ACTION


@pytest.fixture
def provider() -> Iterator[HttpProvider]:
    with HttpProvider(":memory:", HTTP_CONTRACTS["keyed"]) as started:
        yield started


def heard_of(provider: HttpProvider, trouble: Trouble, **settings: Any) -> Happened:
    """Return what an adapter hears of one attempt that a trouble befalls."""
    heard: list[Happened] = []
    provider.troubles = {ACTION.key: [trouble]}
    with suppress(NotExecuted, ResponseLost):
        adapter_to(provider, heard=heard.append, **settings).perform(ACTION, 1)
    [happened] = heard
    return happened


def heard_from(answer: bytes, **settings: Any) -> Happened:
    """Return what an adapter hears of a peer that says these bytes."""
    heard: list[Happened] = []
    with Peer(answer) as peer, suppress(NotExecuted, ResponseLost):
        HttpAdapter(peer.address, KEYED, heard=heard.append, **settings).perform(ACTION, 1)
    [happened] = heard
    return happened


def test_a_request_carries_the_key_the_version_the_token_and_the_name_of_its_attempt() -> None:
    with Peer(ok()) as peer:
        assert HttpAdapter(peer.address, KEYED, "t0ken").perform(ACTION, 2) == "peer-1"
    head, _, body = peer.received.partition(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    assert lines[0] == b"POST /actions HTTP/1.1"
    for line in (
        b"Idempotency-Key: welcome:lead-202:v1",
        b"X-Request-Id: welcome:lead-202:v1#2",
        b"Api-Version: 2026-07-01",
        b"Authorization: Bearer t0ken",
        b"Connection: close",
    ):
        assert lines.count(line) == 1
    assert body == b'{"kind":"welcome_email","payload":{"lead":"lead-202","template":"v1"}}'


@pytest.mark.parametrize(
    "trouble",
    [
        RESET_BEFORE_READ, RESPONSE_DROPPED, ERROR_AFTER_COMMIT, answered(429, 0), answered(503, 0),
        answered(401), answered(408), cut_answer(30), Trouble(body=b""),
        Trouble(status=302, headers=(("Location", PATH),)),
        Trouble(status=307, headers=(("Location", PATH),)),
    ],
    ids=lambda trouble: f"{trouble.status} {trouble.end}",
)  # fmt: skip
def test_whatever_happens_a_call_is_one_connection_and_one_request(
    provider: HttpProvider, trouble: Trouble
) -> None:
    cable = Cable()
    heard_of(provider, trouble, connect=cable)
    assert cable.connections == 1
    assert len(provider.requests()) <= 1


def test_no_proxy_of_the_surroundings_is_used(
    provider: HttpProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert adapter_to(provider).perform(ACTION, 1) == "keyed-1"


def test_a_connection_that_is_lost_between_connecting_and_sending_is_not_opened_again(
    provider: HttpProvider,
) -> None:
    cable = Cable()

    def already_closed(*where: Any) -> socket.socket:
        sock = cable(*where)
        sock.close()
        return sock

    with pytest.raises(NotExecuted):
        adapter_to(provider, connect=already_closed).perform(ACTION, 1)
    assert (cable.connections, provider.requests()) == (1, [])


def test_a_connection_that_is_lost_between_head_and_body_is_not_opened_again(
    provider: HttpProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Forgetful(HTTPConnection):
        def send(self, data: Any) -> None:
            super().send(data)
            self.close()

    monkeypatch.setattr("lab.operations.http_adapter.HTTPConnection", Forgetful)
    happened = heard_of(provider, FINE)
    assert (happened.phase, happened.cause) == (Phase.SENDING, "NotConnected")


def test_an_answer_that_drips_ends_with_the_call_and_not_with_its_last_byte(
    provider: HttpProvider,
) -> None:
    drip = Trouble(pause_ms=SHORT_MS // 3)  # each byte comes in time, all of them do not
    assert heard_of(provider, drip, timeout_ms=SHORT_MS).cause == "TimeoutError"


def test_silence_ends_with_the_call(provider: HttpProvider) -> None:
    happened = heard_of(provider, HANG, timeout_ms=SHORT_MS)
    assert (happened.phase, happened.cause) == (Phase.WAITING, "TimeoutError")


def test_a_connection_that_took_all_the_time_is_not_sent_on(provider: HttpProvider) -> None:
    def slow(address: Any, deadline: Deadline) -> socket.socket:
        sock = dial(address, deadline)
        with suppress(TimeoutError):
            while deadline.left():
                pass
        return sock

    happened = heard_of(provider, HANG, timeout_ms=SHORT_MS, connect=slow)
    assert (happened.phase, happened.cause) == (Phase.BEFORE, "TimeoutError")
    provider.quiet()
    assert provider.requests() == []


def test_a_peer_that_does_not_read_holds_nobody_up_and_part_of_the_request_is_counted() -> None:
    (near, far), much = socket.socketpair(), b" " * 5_000_000
    with far:
        wire = Wire(near, Deadline(SHORT_MS))
        with pytest.raises(TimeoutError):
            wire.sendall(much)
        assert 0 < wire.sent < len(much)
        wire.end(whole=False)


def test_what_a_call_did_not_get_rid_of_is_dropped_when_it_ends() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        near = dial(listener.getsockname(), Deadline(9_000))
        far, _ = listener.accept()
        with far:
            Wire(near, Deadline(9_000)).end(whole=False)
            with pytest.raises(ConnectionResetError):
                far.recv(1)


def test_a_call_that_was_not_answered_ends_with_a_reset() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        adapter = HttpAdapter(listener.getsockname(), KEYED, timeout_ms=SHORT_MS)
        with pytest.raises(ResponseLost):
            adapter.perform(ACTION, 1)
        far, _ = listener.accept()
        far.settimeout(9)
        with far, pytest.raises(ConnectionResetError):
            list(iter(lambda: far.recv(65_536), b""))


@pytest.mark.parametrize("timeout_ms", [0, -1, 60_001])
def test_a_call_that_could_outlast_the_bound_is_not_made_possible(timeout_ms: int) -> None:
    with pytest.raises(ValueError, match="1 to 60000 ms"):
        HttpAdapter(("127.0.0.1", 9), KEYED, timeout_ms=timeout_ms)


def test_a_call_is_shorter_than_the_bound_by_itself() -> None:
    somewhere = ("127.0.0.1", 9)
    assert HttpAdapter(somewhere, KEYED).timeout_ms == TIMEOUT_MS < (KEYED.in_flight_ms or 0)
    assert HttpAdapter(somewhere, replace(KEYED, in_flight_ms=700)).timeout_ms == 700
    assert HttpAdapter(somewhere, BLIND, timeout_ms=90_000).timeout_ms == 90_000
    assert HttpAdapter(somewhere, KEYED, timeout_ms=60_000).timeout_ms == 60_000


@pytest.mark.parametrize("token", ["two\nlines", "caf\u00e9", "a\r\nX-Other: b"])
def test_a_token_that_cannot_stand_in_a_header_is_refused_at_once(token: str) -> None:
    with pytest.raises(ValueError, match="printable ASCII") as refused:
        HttpAdapter(("127.0.0.1", 9), KEYED, token)
    assert token not in str(refused.value)


def test_a_host_that_nobody_knows_is_told_from_silence(
    provider: HttpProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    happened = heard_of(provider, HANG)
    assert (happened.phase, happened.cause) == (Phase.BEFORE, "gaierror")


def test_of_a_hosts_addresses_the_first_that_answers_is_taken(
    provider: HttpProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as nobody:  # bound, and not listening
        nobody.bind(("127.0.0.1", 0))
        stream = (socket.AF_INET, socket.SOCK_STREAM, 0, "")
        unheard_of = (99, socket.SOCK_STREAM, 0, "", ())  # as IPv6 is where it was switched off
        known = [unheard_of, (*stream, nobody.getsockname()), (*stream, provider.address)]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: known)
        assert adapter_to(provider).perform(ACTION, 1) == "keyed-1"


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        (b"", "RemoteDisconnected"),
        (b"\x16\x03\x01 this is no HTTP\r\n\r\n", "BadStatusLine"),
        (b"HTTP/1.1 20", "BadStatusLine"),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b'{"receipt":"peer-1"}', "OSError"),  # until when?
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{}", "OSError"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999\r\n\r\n{}", "OSError"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{}", "IncompleteRead"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFF\r\n{}", "IncompleteRead"),
        (b"HTTP/1.1 100 Continue\r\n\r\n" * 9_000, "OSError"),  # larger than is read
        (b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 101, "HTTPException"),
        (b"HTTP/1.1 200 OK\r\nA: " + b"b" * 70_000, "OSError"),
        (b"HTTP/1.1 429 Too many\r\nContent-Length: 1\r\n\r\n", "OSError"),
    ],
    ids=range(12),
)  # fmt: skip
def test_an_answer_that_is_not_whole_is_no_answer(answer: bytes, cause: str) -> None:
    happened = heard_from(answer)
    assert (happened.cause, happened.receipt) == (cause, None)
    assert happened.phase in (Phase.WAITING, Phase.READING)


def test_an_answer_in_chunks_is_read() -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    happened = heard_from(head + b'A\r\n{"receipt"\r\n9\r\n:"peer-1"\r\n1\r\n}\r\n0\r\n\r\n')
    assert happened.receipt == "peer-1"


@pytest.mark.parametrize(
    ("said", "wait_ms"),
    [
        ("2", 2_000), ("0", 0), ("999999999", 999_999_999_000), ("9999999999", None), ("-1", None),
        ("1.5", None), ("", None), ("Wed, 21 Oct 2026 07:28:00 GMT", None), ("9" * 5_000, None),
        ("\u00b2", None),
    ],
)  # fmt: skip
def test_a_time_to_wait_is_kept_where_it_is_one(said: str, wait_ms: int | None) -> None:
    happened = heard_from(ok(b"{}", f"Retry-After: {said}".encode("latin-1")))
    assert (happened.phase, happened.retry_after_ms) == (Phase.ANSWERED, wait_ms)


@pytest.mark.parametrize("name", ["req-\u00e9", "r" * 101, "a\tb"])
def test_a_name_that_could_not_be_written_down_is_left_out(name: str) -> None:
    assert heard_from(ok(b"{}", f"Request-Id: {name}".encode("latin-1"))).answer_id == ""


def test_both_sides_keep_the_same_name_for_a_request_and_ours_keeps_theirs(
    provider: HttpProvider,
) -> None:
    provider.troubles = {ACTION.key: [answered(429, 3)]}
    heard: list[Happened] = []
    with Ledger(":memory:") as ledger:
        adapter = adapter_to(provider, heard=heard.append)
        for _ in range(2):
            execute(ACTION, ledger, adapter)
        events = ledger.events(ACTION.key)
    names = [f"{ACTION.key}#1", f"{ACTION.key}#2"]
    assert [request["request_id"] for request in provider.requests()] == names
    assert [happened.request_id for happened in heard] == names
    assert [happened.answer_id for happened in heard] == ["req-1", "req-2"]
    assert [event["request_id"] for event in events] == [None, *(2 * [names[0]]), *(2 * [names[1]])]
    assert events[2]["evidence"].startswith("429, req-1, retry after 3000 ms: ")


def test_the_token_is_in_nothing_that_is_kept_or_said(provider: HttpProvider) -> None:
    happened = heard_of(provider, answered(401))
    adapter = adapter_to(provider)
    provider.troubles = {ACTION.key: [answered(500)]}
    with pytest.raises(ResponseLost) as lost:
        adapter.perform(ACTION, 1)
    assert provider.token not in f"{happened!r} {lost.value!r} {adapter!r}"


def test_an_interrupt_passes_through(provider: HttpProvider) -> None:
    def interrupted(*_: object) -> socket.socket:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        adapter_to(provider, connect=interrupted).perform(ACTION, 1)
