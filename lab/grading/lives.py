"""Lives of a learner's code in other processes: begun when needed, killed when they die."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from lab.exercises import telling
from lab.grading.container import in_bubblewrap
from lab.guest import wire
from lab.guest.life import Step
from lab.guest.talk import Channel, HungUp, TooSlow
from lab.guest.walls import NO_KEYBOARD, Rules
from lab.guest.written import Asked, Source, Unusable

WALL_S = 60  # one exercise may wait so long for its own code, in all
NURSERY_S = 30  # the nursery answers within milliseconds; on a machine that swaps, some more
MANY = 1_000_000
ADDRESS = re.compile(r"\bat 0x[0-9a-f]{6,16}\b")
SHORT = 1_000  # characters of what a life says of itself
TICK_S = 0.1  # the kernel counts in ticks


class Ended(BaseException):
    """A life ended by itself, or had to be ended; the message says why, for the learner.

    No scenario can take it for an error of the learner's code, so it ends the exercise.
    """


class Broken(Exception):
    """The nursery does not answer any more, or could not begin."""


Way = Callable[[int, Rules], list[str]]
"""Returns the command that starts a nursery: with a socket, and rules that name a folder."""


def by_kernel(end: int, rules: Rules) -> list[str]:
    """Start it in a container of our own."""
    given = json.dumps(rules._asdict())
    return [sys.executable, "-m", "lab.grading.container", str(end), given, rules.folder]


def in_the_open(end: int, rules: Rules) -> list[str]:
    """Start it in none."""
    return [sys.executable, "-m", "lab.guest.nursery", str(end), json.dumps(rules._asdict())]


class Nursery:
    """The process that begins lives, in a container or, where ``contained`` is False, in none."""

    def __init__(self, contained: bool, rules: Rules, room: Path | None = None) -> None:
        """Begin it. ``room`` is a folder for its own, which need not be emptied.

        Raises:
            Broken.
        """
        self.rules = rules
        ways = (by_kernel, in_bubblewrap) if contained else (in_the_open,)
        for way in ways:
            self.place = tempfile.TemporaryDirectory(prefix="lab-grade-", dir=room)
            try:
                self._start(way)
                return
            except Broken:
                if way is ways[-1] or not (shutil.which("bwrap") and os.geteuid()):
                    raise

    def _start(self, way: Way) -> None:
        self.asked, theirs = socket.socketpair()
        self.asked.settimeout(NURSERY_S)
        with theirs:
            command = way(theirs.fileno(), self.rules._replace(folder=self.place.name))
            self.process = subprocess.Popen(
                command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            )  # fmt: skip
        try:
            self._heard()
        except Broken:
            said = self.close()
            raise Broken(said.strip().rpartition("\n")[2] or "it ended without a word") from None

    def begin(self, number: int) -> tuple[int, Channel]:
        """Begin a life; return its number, and the talk with it.

        Raises:
            Broken.
        """
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                socket.send_fds(self.asked, [_line({"start": number})], [theirs.fileno()])
            except OSError as error:
                raise Broken from error
            return self._heard()["life"], Channel(ours)

    def end(self, life: int) -> dict[str, Any]:
        """Kill a life; return how it had ended, see `lab.guest.nursery.ended`.

        Raises:
            Broken.
        """
        try:
            self.asked.sendall(_line({"end": life}))
        except OSError as error:
            raise Broken from error
        return self._heard()

    def _heard(self) -> dict[str, Any]:
        text = b""
        try:
            while not text.endswith(b"\n"):
                part = self.asked.recv(4096)
                if not part:
                    raise Broken
                text += part
            answer: dict[str, Any] = json.loads(text)
        except (OSError, ValueError) as error:
            raise Broken from error
        return answer

    def close(self) -> str:
        """End it and all of its lives; return what it said of errors."""
        self.asked.close()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(1)
        self.process.kill()
        _, said = self.process.communicate()
        self.place.cleanup()
        return said or ""


def _line(wish: dict[str, int]) -> bytes:
    return json.dumps(wish).encode() + b"\n"


class Answer:
    """What one learner wrote for one exercise; begins its lives.

    ``seed`` draws the numbers by which lives differ, so that nobody can count them.
    """

    def __init__(
        self, nursery: Nursery, asked: Asked, sources: Sequence[Source], seed: int
    ) -> None:
        self.nursery = nursery
        self.told = {
            "defines": asked.defines, "takes": asked.takes,
            "sources": [[one.number, one.text, list(one.kept)] for one in sources],
        }  # fmt: skip
        self.drawn = random.Random(seed)
        self.left_s = float(WALL_S)
        self.first: Life | None = None

    def __call__(self) -> Life:
        """Return a new life; its process begins when something is first asked of it."""
        return Life(self)

    def tried(self) -> None:
        """Begin the first life, to see whether what was written can be let into the world.

        Raises:
            Unusable, Ended, Broken.
        """
        life = self()
        life.begin()
        self.first = life
        kind, text = life.hear()
        while kind != "ready":
            if kind == "code":
                self.told["code"] = text
            kind, text = life.hear()

    def close(self) -> None:
        """End the first life, if nothing was asked of it."""
        if self.first is not None:
            self.first.close()


class Life:
    """One life: a process that begins with the first call, and is killed at the end."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.number = 0
        self.channel: Channel | None = None

    def begin(self) -> None:
        """Begin the process, and tell it what was written.

        Raises:
            Ended, Broken.
        """
        first, self.answer.first = self.answer.first, None
        if first is not None:
            self.number, self.channel = first.number, first.channel
            return
        drawn = self.answer.drawn.randrange(MANY)
        self.number, self.channel = self.answer.nursery.begin(drawn)
        self._say("define", json.dumps({**self.answer.told, "life": drawn}))

    def run(self, message: str, step: Step) -> str:
        """Run one call; kill the process where a step ends its life. See `bench.Life`.

        Raises:
            Unusable: this time it cannot even be defined.
            Ended: it came to no end of its own.
            Broken; or what ``step`` raises.
        """
        if self.channel is None:
            self.begin()
        self._say("call", message)
        while True:
            kind, text = self.hear()
            if kind == "end":
                return _fit(text)
            if kind == "printed":
                print(text, end="")
            elif kind == "step":
                try:
                    reply = step(text)
                except BaseException:
                    self.close()
                    raise
                self._say("answer", reply)

    def hear(self) -> tuple[str, str]:
        """Wait for what the process says next; see `run` for what may be raised."""
        kind, text = self._in_time(lambda channel: channel.hear())
        text = ADDRESS.sub("at 0x0", text)  # which is another one in each run
        if kind in ("unusable", "untouched"):
            raise Unusable(text[:SHORT], untouched=kind == "untouched")
        if kind == "open":
            raise Broken(f"a life could not be shut in: {text}")
        return kind, text

    def _say(self, kind: str, text: str) -> None:
        self._in_time(lambda channel: channel.say(kind, text))

    def _in_time(self, talk: Callable[[Channel], Any]) -> Any:
        """Talk with the process, and no longer than the exercise may still wait."""
        assert self.channel is not None
        began = time.monotonic()
        self.channel.until = began + self.answer.left_s
        try:
            return talk(self.channel)
        except TooSlow:
            self.close()
            raise Ended(telling.TOO_LONG) from None
        except HungUp:
            raise Ended(self._why(self.close())) from None
        except wire.CannotPass as error:
            self.close()
            raise Ended(f"What it says cannot be read: {error}.") from None
        finally:
            self.answer.left_s -= time.monotonic() - began

    def _why(self, how: dict[str, Any]) -> str:
        computed = how["cpu_s"] >= self.answer.nursery.rules.cpu_s - TICK_S
        too_long = computed or how["signal"] == signal.SIGXCPU
        return telling.TOO_LONG if too_long else telling.SILENT

    def close(self) -> dict[str, Any]:
        """Kill the process, and return how it had ended."""
        if self.channel is None:
            return {}
        self.channel.end.close()
        self.channel = None
        return self.answer.nursery.end(self.number)


ENDS_IT = {("MemoryError", None): telling.MEMORY, ("EOFError", NO_KEYBOARD): telling.KEYBOARD}
"""Errors that say nothing of the answer, by class and text (None: any), and what is said then."""


def _fit(reply: str) -> str:
    """Return how a call ended, if it was not for want of memory or a keyboard."""
    if '"raised"' in reply:
        told = wire.read(reply).get("raised")
        if isinstance(told, wire.Raised):
            for text in (None, told.text):
                if says := ENDS_IT.get((told.name, text)):
                    raise Ended(says)
    return reply
