"""What the tests of the HTTP boundary share: a cable that can be pulled, and a way to the end."""

import socket
from typing import Any, NamedTuple

from lab.faults.clock import ManualClock
from lab.gateway import REVIEW, SETTLED, Action, Ledger, Outcome, Provider, execute
from lab.operations.http_contract import Address
from lab.operations.http_wire import Deadline, dial

WHOLE = 1 << 30  # more bytes than there are
PAST_EVERY_BOUND_MS = 600_000  # send window, in-flight bound and visibility window together


class Pull(NamedTuple):
    """Where a cable is pulled: at which byte, of the request or of the answer, and how it looks."""

    side: str  # "request" or "answer"
    at: int
    how: str  # "reset", "silence", or "end": the other side seems to have closed


class Cable:
    """Connects as `dial` does; the next connection is pulled where ``pull`` says, then it is whole.

    The far end has dealt with what came through before the near end sees anything, so that time
    may be moved on at once. ``pulled`` tells whether the pull was in the way.
    """

    def __init__(self, pull: Pull | None = None) -> None:
        self.pull = pull
        self.pulled = False
        self.connections = 0

    def __call__(self, address: Address, deadline: Deadline) -> Any:
        self.connections += 1
        pull, self.pull = self.pull, None
        sock = dial(address, deadline)
        return sock if pull is None else _Pulled(sock, pull, self)


class _Pulled:
    """A socket of which one direction ends at a byte."""

    def __init__(self, sock: socket.socket, pull: Pull, cable: Cable) -> None:
        self._sock, self._how, self._cable = sock, pull.how, cable
        self._left = {"request": WHOLE, "answer": WHOLE, pull.side: pull.at}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sock, name)

    def send(self, data: bytes) -> int:
        """Hand over what still goes through."""
        if self._left["request"] == 0:
            return self._break()
        count = self._sock.send(data[: self._left["request"]])
        self._left["request"] -= count
        return count

    def recv_into(self, buffer: memoryview) -> int:
        """Take in what still comes through."""
        if self._left["answer"] == 0:
            return self._break()
        count = self._sock.recv_into(buffer[: self._left["answer"]])
        self._left["answer"] -= count
        return count

    def _break(self) -> int:
        if not self._cable.pulled:
            self._cable.pulled = True
            self._sock.shutdown(socket.SHUT_WR)
            while self._sock.recv(65_536):
                pass
        if self._how == "end":
            return 0
        raise TimeoutError if self._how == "silence" else ConnectionResetError


def until_quiet(
    action: Action, ledger: Ledger, provider: Provider, clock: ManualClock
) -> list[Outcome]:
    """Start again and again, past every bound, until nothing moves by itself; return each end."""
    outcomes = [execute(action, ledger, provider)]
    while outcomes[-1].state not in (SETTLED, REVIEW) and len(outcomes) < 9:
        clock.advance(PAST_EVERY_BOUND_MS)
        outcomes.append(execute(action, ledger, provider))
    return outcomes
