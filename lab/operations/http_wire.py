"""One connection that ends in time: a deadline for all of it, a size, a count of what was sent."""

from __future__ import annotations

import io
import socket
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from lab.operations.http_contract import LARGEST_BYTES, Address

_RESET = struct.pack("ii", 1, 0)  # SO_LINGER: on, no time. What was not sent yet never is


class Deadline:
    """One end for many waits, ``timeout_ms`` milliseconds from now.

    A socket waits in real time, so this is the one clock that is not passed in.
    """

    def __init__(self, timeout_ms: int) -> None:
        self._at = time.monotonic() + timeout_ms / 1000

    def left(self) -> float:
        """Return the seconds that are left.

        Raises:
            TimeoutError: none is.
        """
        left = self._at - time.monotonic()
        if left <= 0:
            raise TimeoutError("the time is over")
        return left


Connect = Callable[[Address, Deadline], socket.socket]
"""Opens a connection; a place for TLS, and for a cable that can be pulled."""


def dial(address: Address, deadline: Deadline) -> socket.socket:
    """Connect to the first of a host's addresses that answers, without a proxy.

    The resolver keeps its own time: the standard library cannot interrupt it.

    Raises:
        OSError: no such host, nobody there, or not in time.
    """
    problem = OSError("the host has no address")
    for *how, _, place in socket.getaddrinfo(*address, type=socket.SOCK_STREAM):
        try:  # this machine may have no addresses of that kind
            return _connected(socket.socket(*how), place, deadline)
        except OSError as error:
            problem = error
    raise problem


def _connected(sock: socket.socket, place: Any, deadline: Deadline) -> socket.socket:
    try:
        sock.settimeout(deadline.left())
        sock.connect(place)
        # Head and body are two writes: the second does not wait until the first has arrived.
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except BaseException:
        sock.close()
        raise
    return sock


def reset(sock: socket.socket) -> None:
    """Close a connection at once; what still waits to be sent is dropped."""
    with suppress(OSError):  # the other side was first
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    sock.close()


class Wire:
    """A socket as `http.client` wants it. ``sent``: how many bytes were handed over.

    Raises, from any of its methods:
        TimeoutError: the deadline is over, also where bytes still drip.
        OSError: the connection broke, or the answer is too large.
    """

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self.sent = 0
        self._sock, self._deadline = sock, deadline

    def sendall(self, data: bytes) -> None:
        """Hand over all of the bytes."""
        while data:
            self._sock.settimeout(self._deadline.left())
            count = self._sock.send(data)
            self.sent += count
            data = data[count:]

    def makefile(self, mode: str) -> io.BufferedReader:
        """Return a file to read the answer from."""
        return io.BufferedReader(_Answer(self._sock, self._deadline))

    def close(self) -> None:
        """Do nothing yet: `http.client` closes after the head, and the body is still to come."""

    def end(self, whole: bool) -> None:
        """Close the connection; unless the exchange was whole, with a reset.

        After a reset this machine does not go on sending on its own what the other side did not
        take: nothing of it arrives later than the contract's bound.
        """
        if whole:
            self._sock.close()
        else:
            reset(self._sock)


class _Answer(io.RawIOBase):
    """The bytes that come back."""

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock, self._deadline, self._left = sock, deadline, LARGEST_BYTES

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        self._sock.settimeout(self._deadline.left())
        count = self._sock.recv_into(buffer)
        self._left -= count
        if self._left < 0:
            raise OSError(f"the answer is larger than {LARGEST_BYTES} bytes")
        return count
