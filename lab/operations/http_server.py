"""The server's end of a connection: a request is read, cut where it is told, answered, and cut."""

from __future__ import annotations

import re
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from threading import Condition, Event
from typing import Any, NamedTuple, Protocol

from lab.operations.http_contract import ANSWER_HEADER, LARGEST_BYTES, Address
from lab.operations.http_records import FINE, Answer, Trouble, written
from lab.operations.http_wire import reset


class Request(NamedTuple):
    """One request that came whole. The names in ``head`` are looked up in any case."""

    method: str
    target: str  # path and query
    head: Message[str, str]
    body: bytes


class Site(Protocol):
    """Who decides what befalls a request, and what is answered; asked from many threads."""

    def trouble(self, head: Message[str, str]) -> Trouble:
        """Say what befalls a request."""

    def answer(self, request: Request, trouble: Trouble) -> Answer:
        """Answer a request."""


class Server(ThreadingHTTPServer):
    """One thread a connection, all of which end with the server. It prints nothing.

    What goes wrong in its own code is appended to ``errors``; answers are named by ``numbers``.
    """

    daemon_threads = False  # `server_close` waits for them
    request_queue_size = 128  # with a short queue, many callers at once wait for a second

    def __init__(
        self, address: Address, site: Site, errors: list[Exception], numbers: Iterator[int]
    ) -> None:
        self.site, self.errors, self.numbers = site, errors, numbers
        self.stopping = Event()
        self._open: set[Any] = set()
        self._changed = Condition()
        super().__init__(address, _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Note a connection, before its thread begins."""
        with self._changed:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Close a connection, and note that it ended."""
        super().shutdown_request(request)
        with self._changed:
            self._open.discard(request)
            self._changed.notify_all()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Keep an error of our own; that the other side went away is none."""
        error = sys.exception()
        if isinstance(error, Exception) and not isinstance(error, OSError):
            self.errors.append(error)

    def wait_until_idle(self, patience_s: float) -> None:
        """Wait until no connection is open.

        Raises:
            TimeoutError: one still is, after so many seconds.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: not self._open, patience_s):
                raise TimeoutError("a caller still waits for an answer")

    def hang_up(self) -> None:
        """End every connection, also those that hang."""
        self.stopping.set()
        with self._changed:
            for request in self._open:
                with suppress(OSError):
                    request.shutdown(socket.SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    """Reads one request from one connection, and answers from memory: so it can be cut anywhere."""

    server: Server
    protocol_version = "HTTP/1.1"

    def setup(self) -> None:
        self.trouble = FINE
        self.rfile = BytesIO()
        self.wfile = self.answered = BytesIO()

    def handle(self) -> None:
        self.received = _received(self.request)
        if not _is_whole(self.received):
            return
        self.rfile = BytesIO(self.received)
        self.handle_one_request()
        self._say(self.answered.getvalue()[: self.trouble.answers])
        if self.trouble.is_cut:
            _ENDS[self.trouble.end](self.request)

    def do_POST(self) -> None:
        self.trouble = self.server.site.trouble(self.headers)
        if not _is_whole(self.received[: self.trouble.reads]):
            return
        request = Request(self.command, self.path, self.headers, self.rfile.read())
        answer = self.server.site.answer(request, self.trouble)
        body = written(answer) if self.trouble.body is None else self.trouble.body
        self.send_response_only(answer.status)
        self.send_header(ANSWER_HEADER, f"req-{next(self.server.numbers)}")
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in self.trouble.headers:
            self.send_header(name, value)
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""

    def _say(self, answer: bytes) -> None:
        pause_s = self.trouble.pause_ms / 1000
        step = 1 if pause_s else max(len(answer), 1)
        for start in range(0, len(answer), step):
            self.request.sendall(answer[start : start + step])
            if pause_s and self.server.stopping.wait(pause_s):
                return


def _received(connection: socket.socket) -> bytes:
    """Read a request to its end, or as far as it came."""
    data = b""
    with suppress(OSError):
        while not _is_whole(data) and len(data) < LARGEST_BYTES:
            more = connection.recv(LARGEST_BYTES)
            if not more:
                break
            data += more
    return data


def _is_whole(request: bytes) -> bool:
    """Tell whether the head has ended, and the body is as long as the head says."""
    head, end, body = request.partition(b"\r\n\r\n")
    length = re.search(rb"\r\ncontent-length: *(\d{1,9})(\r\n|$)", head, re.IGNORECASE)
    return bool(end) and len(body) >= (int(length[1]) if length else 0)


def _wait(connection: socket.socket) -> None:
    """Say nothing more, until the caller gives up."""
    with suppress(OSError):
        while connection.recv(LARGEST_BYTES):
            pass


_ENDS = {"reset": reset, "close": socket.socket.close, "hang": _wait}
