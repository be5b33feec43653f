"""What the tests of the HTTP boundary share beside the cable: adapters, and a raw peer."""

import socket
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from threading import Thread
from typing import Any, Self

from lab.faults.clock import ManualClock
from lab.gateway import Ledger, ProviderContract, execute
from lab.operations.http_adapter import HttpAdapter
from lab.operations.http_contract import Address
from lab.operations.http_meaning import Happened
from lab.operations.http_provider import HttpProvider
from lab.operations.http_records import Trouble
from tests.operations.conftest import ACTION, START_MS

SHORT_MS = 150  # of a call that is meant to run into its end; too long to be a hiccup
OTHER = replace(ACTION, payload={**ACTION.payload, "template": "v2"})  # under the same key


def nowhere(*_: object) -> socket.socket:
    """Connect as to a host that no resolver knows."""
    raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")


def adapter_to(provider: HttpProvider, **settings: Any) -> HttpAdapter:
    """Return an adapter that knows the provider's contract, with a token that permits all of it."""
    return HttpAdapter(provider.address, provider.contract, provider.token, **settings)


class World:
    """A ledger and a provider of one contract, on one clock; ``heard`` is all that adapters heard.

    ``script`` is what befalls the attempts of `ACTION`.
    """

    def __init__(self, contract: ProviderContract, script: Sequence[Trouble] = ()) -> None:
        self.clock, self.heard = ManualClock(START_MS), list[Happened]()
        self.provider = HttpProvider(":memory:", contract, self.clock, {ACTION.key: script})

    def __enter__(self) -> Self:
        self.provider.__enter__()
        self.ledger = Ledger(":memory:", self.clock)
        return self

    def __exit__(self, *error: Any) -> None:
        self.ledger.close()
        self.provider.__exit__(*error)

    def adapter(self, **settings: Any) -> HttpAdapter:
        """Return an adapter to the provider."""
        return adapter_to(self.provider, heard=self.heard.append, **settings)

    def execute(self, **settings: Any) -> tuple[str, int, str]:
        """Do the action, or go on with it; return state, attempts and path."""
        outcome = execute(ACTION, self.ledger, self.adapter(**settings))
        return outcome.state, outcome.attempts, outcome.path

    def last_evidence(self) -> str:
        """Return on what grounds the row is where it is."""
        return str(self.ledger.events(ACTION.key)[-1]["evidence"])


class Peer:
    """The far end of one connection, by hand: keeps what it is sent, says what it is given."""

    def __init__(self, answer: bytes) -> None:
        self.received = b""
        self._answer, self._listener = answer, socket.create_server(("127.0.0.1", 0))
        self.address: Address = self._listener.getsockname()
        self._thread = Thread(target=self._serve)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join()
        self._listener.close()

    def _serve(self) -> None:
        connection, _ = self._listener.accept()
        with connection, suppress(OSError):
            while not self.received.endswith(b"}}"):  # every body that is sent here does
                self.received += connection.recv(65_536)
            connection.sendall(self._answer)


def ok(body: bytes = b'{"receipt":"peer-1"}', *headers: bytes) -> bytes:
    """Return a whole answer of status 200."""
    lines = [b"HTTP/1.1 200 OK", b"Content-Length: %d" % len(body), *headers]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body
