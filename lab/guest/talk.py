"""Messages over a socket: four bytes that say how long one is, then a kind and a text as JSON."""

from __future__ import annotations

import json
import socket
import struct
import time

from lab.guest.wire import LONGEST, CannotPass

HEAD = struct.Struct(">I")
MOST = 6 * LONGEST + 100  # bytes: a character takes six at the most, as ``\\u00e9``


class HungUp(Exception):
    """The other side is gone."""


class TooSlow(Exception):
    """The other side did not answer in time."""


class Channel:
    """One end of a talk. ``until``: when to stop waiting, by `time.monotonic`; None: never."""

    def __init__(self, end: socket.socket) -> None:
        self.end = end
        self.until: float | None = None

    def say(self, kind: str, text: str) -> None:
        """Send one message.

        Raises:
            HungUp, TooSlow.
        """
        body = json.dumps([kind, text]).encode()
        self._waiting()
        try:
            self.end.sendall(HEAD.pack(len(body)) + body)
        except TimeoutError as error:
            raise TooSlow from error
        except OSError as error:
            raise HungUp from error

    def hear(self) -> tuple[str, str]:
        """Wait for one message, and return its kind and its text.

        Raises:
            HungUp, TooSlow; CannotPass: it is too long, or no message.
        """
        (size,) = HEAD.unpack(self._read(HEAD.size))
        if size > MOST:
            raise CannotPass(f"it is longer than {LONGEST:,} characters")
        try:
            said = json.loads(self._read(size))
        except (ValueError, RecursionError) as error:
            raise CannotPass("it is no message") from error
        if type(said) is not list or [type(part) for part in said] != [str, str]:
            raise CannotPass("it is no message")
        kind, text = said
        return kind, text

    def _read(self, size: int) -> bytes:
        parts = []
        while size:
            self._waiting()
            try:
                part = self.end.recv(min(size, 65536))
            except TimeoutError as error:
                raise TooSlow from error
            except OSError as error:
                raise HungUp from error
            if not part:
                raise HungUp
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _waiting(self) -> None:
        if self.until is not None:
            left = self.until - time.monotonic()
            if left <= 0:
                raise TooSlow
            self.end.settimeout(left)
