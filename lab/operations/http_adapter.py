"""The gateway's side of the HTTP boundary: sends once, in time, and says what it heard."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from http.client import HTTPConnection, HTTPMessage, HTTPResponse
from typing import Any
from urllib.parse import urlencode

from lab.gateway import (
    Action,
    BrokenContract,
    ProviderContract,
    Readback,
    ReadbackUnavailable,
    Reading,
    canonical_json,
    check_receipt,
    request_id,
    verdict_of,
)
from lab.operations.http_contract import (
    ANSWER_HEADER,
    API_VERSION,
    KEY_HEADER,
    LARGEST_BYTES,
    PATH,
    READBACK,
    REQUEST_HEADER,
    VERSION_HEADER,
    Address,
    over_http,
    whole_number,
)
from lab.operations.http_meaning import Happened, Phase, receipt_of
from lab.operations.http_wire import Connect, Deadline, Wire, dial

TIMEOUT_MS = 10_000  # well inside every contract's bound, and long enough for a slow provider


class HttpAdapter:
    """A provider behind HTTP, as the gateway knows providers.

    Each call is one request on one connection: nothing is repeated, no redirect is followed, no
    proxy is used. A call ends ``timeout_ms`` after it began, whatever the other side does, and
    leaves nothing behind that could still be sent. Only a resolver of names keeps its own time;
    when it takes too long, nothing is sent at all.

    ``contract`` is what the provider documents; see `over_http` for the facts about statuses, of
    which a plain `ProviderContract` promises none. ``token`` permits one scope. ``version`` is the
    exact version of the API this was written for. ``heard`` is called with what happened in each
    exchange, before anything is made of it: there the request ids of both sides are kept for
    support. ``connect`` opens connections; a product puts TLS there.

    Raises:
        ValueError: a time-out that is none, or reaches beyond the contract's bound; a token that
            cannot stand in a header.
    """

    def __init__(
        self,
        address: Address,
        contract: ProviderContract,
        token: str = "",
        *,
        version: str = API_VERSION,
        timeout_ms: int | None = None,
        heard: Callable[[Happened], object] = lambda happened: None,
        connect: Connect = dial,
    ) -> None:
        self.address = address
        self.contract: ProviderContract = over_http(contract)
        self.timeout_ms = _checked_timeout(timeout_ms, contract)
        self._heard, self._connect = heard, connect
        if not (token.isascii() and token.isprintable()):
            raise ValueError("a token is printable ASCII; is it quoted, or does a line end in it?")
        self._headers = {VERSION_HEADER: version, "Connection": "close"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"

    def perform(self, action: Action, attempt: int) -> str:
        """Send the action once, and return the receipt.

        The request carries the key, and names the attempt as the ledger's events do.

        Raises:
            NotExecuted: definite: nothing happened, and nothing will.
            ResponseLost: indefinite.
        """
        content = canonical_json({"kind": action.kind, "payload": action.payload}).encode()
        headers = {KEY_HEADER: action.key, "Content-Type": "application/json"}
        happened, body = self._exchange(
            "POST", PATH, request_id(action.key, attempt), headers, content
        )
        happened = happened._replace(receipt=_receipt(body))
        self._heard(happened)
        return receipt_of(happened, self.contract)

    def readback(self, action: Action) -> Readback:
        """Ask what is held for the action: by its key, or by its content where keys are not kept.

        Raises:
            ReadbackUnavailable: not offered, or any other answer than a whole 200. A 404 is one of
                them: a wrong path says the same, so it does not mean "not there".
        """
        if self.contract.readback is Reading.NONE:
            raise ReadbackUnavailable("this provider cannot be asked")
        by_key = self.contract.keeps_reference
        asked = urlencode({"key": action.key} if by_key else {"hash": action.hash})
        name = f"{action.key}#{READBACK}"
        happened, body = self._exchange("GET", f"{PATH}?{asked}", name, {})
        self._heard(happened)
        if happened.phase is not Phase.ANSWERED or happened.status != 200:
            raise ReadbackUnavailable(f"no list of what is held: {happened}")
        return verdict_of(action, *_listed(body))

    def _exchange(
        self, method: str, path: str, name: str, headers: Mapping[str, str], body: bytes = b""
    ) -> tuple[Happened, bytes]:
        """Ask once; return what happened, and the answer's body as far as it was read whole."""
        happened, content, wire = Happened(Phase.BEFORE, request_id=name), b"", None
        try:
            deadline = Deadline(self.timeout_ms)
            wire = Wire(self._connect(self.address, deadline), deadline)
            connection = HTTPConnection(*self.address)
            connection.auto_open = 0  # never connect, and so never send, a second time
            connection.sock = wire
            sent = {**self._headers, REQUEST_HEADER: name, **headers}
            connection.request(method, path, body or None, sent)
            happened = happened._replace(phase=Phase.WAITING)
            response = connection.getresponse()
            happened = _headed(happened, response.status, response.headers)
            content = _whole(response)
            happened = happened._replace(phase=Phase.ANSWERED)
        except Exception as error:  # whatever it is, how far it came is known
            begun = happened.phase is Phase.BEFORE and wire is not None and wire.sent > 0
            phase = Phase.SENDING if begun else happened.phase
            happened = happened._replace(phase=phase, cause=type(error).__name__)
        finally:
            if wire is not None:
                wire.end(whole=happened.phase is Phase.ANSWERED)
        return happened, content


def _checked_timeout(timeout_ms: int | None, contract: ProviderContract) -> int:
    """Return how long a call may take: inside the bound, for nothing is sent after the call."""
    bound = contract.in_flight_ms
    if timeout_ms is None:
        return TIMEOUT_MS if bound is None else min(TIMEOUT_MS, bound)
    if timeout_ms <= 0 or (bound is not None and timeout_ms > bound):
        raise ValueError(
            f"timeout_ms is {timeout_ms}: choose 1 to {bound or 'any number of'} ms, the time in "
            f"which what was sent to {contract.name} takes effect or never does"
        )
    return timeout_ms


def _headed(happened: Happened, status: int, headers: HTTPMessage) -> Happened:
    """Add the status, and what the headers say as evidence, as far as it may be written down."""
    answer_id = headers.get(ANSWER_HEADER, "")
    safe = len(answer_id) <= 100 and answer_id.isascii() and answer_id.isprintable()
    seconds = whole_number(headers.get("Retry-After", ""))
    return happened._replace(
        phase=Phase.READING,
        status=status,
        answer_id=answer_id if safe else "",
        retry_after_ms=None if seconds is None else seconds * 1000,
    )


def _whole(response: HTTPResponse) -> bytes:
    """Read an answer to its end. One that does not say where that is could be half of one.

    Raises:
        OSError: it says no length, it is too large, or it ended early.
    """
    if response.length is None and not response.chunked:
        raise OSError("the answer does not say how long it is")
    body = response.read(LARGEST_BYTES)
    if response.length:
        raise OSError("the answer ended early")
    return body


def _receipt(body: bytes) -> str | None:
    """Return the receipt in an answer, or None where there is none."""
    try:
        return check_receipt(_object(body).get("receipt"))
    except (ValueError, BrokenContract):
        return None


def _object(body: bytes) -> dict[str, Any]:
    """Return the JSON object in a body.

    Raises:
        ValueError: there is none.
    """
    try:
        found = json.loads(body)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(found, dict):
        raise ValueError("not an object")
    return found


def _listed(body: bytes) -> tuple[list[tuple[str, str]], int | None]:
    """Return what is held, as (receipt, payload hash), and the last attempt that was rejected.

    Raises:
        ReadbackUnavailable: the body is no such list.
    """
    try:
        found = _object(body)
        held = [(one["receipt"], one["payload_hash"]) for one in found["held"]]
        rejected = found["rejected"]
    except (ValueError, LookupError, TypeError):
        raise ReadbackUnavailable("an answer that is no list of what is held") from None
    texts = all(isinstance(text, str) for one in held for text in one)
    if not texts or not (rejected is None or type(rejected) is int):
        raise ReadbackUnavailable("a list of what is held that holds something else")
    return held, rejected
