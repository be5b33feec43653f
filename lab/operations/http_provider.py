"""A provider across a real network boundary, on this machine, that fails where it is told to."""

from __future__ import annotations

import json
import secrets
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from email.message import Message
from itertools import count
from threading import Thread
from typing import Any, Self, TypeVar
from urllib.parse import parse_qsl

from lab.gateway import Action, ProviderContract, Reading, system_clock
from lab.gateway.ledger import Clock
from lab.gateway.store import File
from lab.operations.http_contract import (
    API_VERSION,
    HERE,
    KEY_HEADER,
    PATH,
    READBACK,
    REQUEST_HEADER,
    SCOPE,
    VERSION_HEADER,
    Address,
    over_http,
    whole_number,
)
from lab.operations.http_records import (
    FINE,
    OK,
    Answer,
    Asked,
    Records,
    Trouble,
    as_told,
    error,
)
from lab.operations.http_server import Request, Server

T = TypeVar("T")

LOOK_S = 0.01  # how often the server looks whether it should stop
PATIENCE_S = 10  # what is on its way over loopback takes milliseconds
PERMITS = {SCOPE: ("POST", "GET"), SCOPE.replace("create", "read"): ("GET",)}
"""What the token of a scope may do: who creates may read back what was created."""


class HttpProvider:
    """The demo provider behind HTTP, on 127.0.0.1 and a free port, while a ``with`` block lasts.

    ``troubles`` names by key what befalls its requests, one an attempt; later attempts go well.
    ``reading`` names by key what befalls every question. Both may be changed at any time. Valid
    is: the exact ``version``, a token of ``tokens`` (token: scope) that permits the request, the
    right path, and a body that is the JSON of kind and payload; this is checked before anything.

    To know what to do wrong, it reads every request first; what a trouble cuts off is not used.

    Raises:
        StoreError: the file cannot be used.
        Exception: at the end of the block, the first error of its own that it met.
    """

    def __init__(
        self,
        path: File,
        contract: ProviderContract,
        clock: Clock = system_clock,
        troubles: Mapping[str, Sequence[Trouble]] | None = None,
        version: str = API_VERSION,
        tokens: Mapping[str, str] | None = None,
    ) -> None:
        self.contract, self.clock, self.version = over_http(contract), clock, version
        self.troubles = dict(troubles or {})
        self.reading: dict[str, Trouble] = {}
        self.tokens = dict(tokens or {secrets.token_urlsafe(): SCOPE})
        self.token = next(iter(self.tokens))
        self.address: Address = (HERE, 0)
        self._path = path
        self._errors: list[Exception] = []
        self._numbers = count(1)

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            # One thread has the file: SQLite binds a connection to the thread that opened it.
            self._desk = stack.enter_context(ThreadPoolExecutor(1))
            self._records = self.at_desk(lambda: Records(self._path, self.contract, self.clock))
            stack.callback(lambda: self.at_desk(self._records.close))
            self._listen()
            stack.callback(self._stop)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._stack.close()
        if kind is None and self._errors:
            raise self._errors[0]

    @contextmanager
    def unplugged(self) -> Iterator[None]:
        """Refuse every connection while a ``with`` block lasts."""
        self._stop()
        try:
            yield
        finally:
            self._listen()

    def quiet(self) -> None:
        """Wait until all that was sent here before now has been dealt with.

        Raises:
            TimeoutError: a caller still waits for an answer that never comes.
        """
        with socket.create_connection(self.address) as last:  # they are taken in their order
            last.shutdown(socket.SHUT_WR)
            last.recv(1)
        self._server.wait_until_idle(PATIENCE_S)

    def effects(self, key: str | None = None) -> list[dict[str, Any]]:
        """Return what was really done so far, oldest first; see `DemoProvider.effects`."""
        return self.at_desk(lambda: self._records.effects(key))

    def requests(self, key: str | None = None) -> list[dict[str, Any]]:
        """Return what arrived and was valid, oldest first; see `DemoProvider.requests`."""
        return self.at_desk(lambda: self._records.requests(key))

    def enter_by_hand(self, action: Action, receipt: str | None = None) -> str:
        """Do the action as a colleague would; see `DemoProvider.enter_by_hand`."""
        return self.at_desk(lambda: self._records.enter_by_hand(action, receipt))

    def at_desk(self, work: Callable[[], T]) -> T:
        """Let the one thread that has the file do something, and return what came of it."""
        return self._desk.submit(work).result()

    def trouble(self, head: Message[str, str]) -> Trouble:
        """Return what befalls a request, by our name for it in its head."""
        key, attempt = _named(head)
        if attempt == READBACK:
            return self.reading.get(key, FINE)
        script, number = self.troubles.get(key, ()), whole_number(attempt) or 0
        return script[number - 1] if 0 < number <= len(script) else FINE

    def answer(self, request: Request, trouble: Trouble) -> Answer:
        """Answer a request that came whole."""
        path, _, query = request.target.partition("?")
        refusal = self._refusal(request, path)
        if refusal is not None:
            return refusal
        if request.method == "POST":
            return self.at_desk(lambda: self._taken(request, trouble))
        if trouble.status != OK:
            return as_told(trouble)
        return self._held(parse_qsl(query))

    def _refusal(self, request: Request, path: str) -> Answer | None:
        """Return why a request is not looked at, or None."""
        if request.head.get(VERSION_HEADER) != self.version:
            return error(400, f"{VERSION_HEADER} has to be {self.version}")
        scheme, _, token = request.head.get("Authorization", "").partition(" ")
        if scheme != "Bearer" or token not in self.tokens:
            return error(401, "no token that is known here")
        if request.method not in PERMITS.get(self.tokens[token], ()):
            return error(403, "the token's scope does not permit this")
        unread = request.method == "GET" and self.contract.readback is Reading.NONE
        return error(404, "nothing is here") if path != PATH or unread else None

    def _held(self, asked: Sequence[tuple[str, str]]) -> Answer:
        name = "key" if self.contract.keeps_reference else "hash"
        if [one for one, _ in asked] != [name]:
            return error(400, f"ask by {name}")
        return self.at_desk(lambda: self._records.held(Asked(**dict(asked))))

    def _taken(self, request: Request, trouble: Trouble) -> Answer:
        key = request.head.get(KEY_HEADER) or self._records.unnamed()
        try:
            content = json.loads(request.body)
            if not isinstance(content, dict) or content.keys() != {"kind", "payload"}:
                raise ValueError("not the JSON of kind and payload")
            action = Action(key, content["kind"], content["payload"])
        except (ValueError, RecursionError) as problem:
            return error(400, str(problem))
        number = whole_number(_named(request.head)[1]) or 0
        return self._records.take(action, number, trouble)

    def _listen(self) -> None:
        self._server = Server(self.address, self, self._errors, self._numbers)
        self.address = (HERE, self._server.server_port)
        self._thread = Thread(target=self._server.serve_forever, args=(LOOK_S,))
        self._thread.start()

    def _stop(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.hang_up()
        self._server.server_close()  # waits for its threads


def _named(head: Message[str, str]) -> tuple[str, str]:
    """Return the key, and the attempt or `READBACK`, of our name for a request."""
    key, _, attempt = head.get(REQUEST_HEADER, "").rpartition("#")
    return key, attempt
