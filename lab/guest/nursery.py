"""Begins lives of a learner's code by fork, and ends them for real.

It runs in the container, and never runs a line of the learner's itself. Start-up is paid once: what
a life needs is imported here, before the first of them.

It is asked over a socket, in lines of JSON: ``{"start": 7}``, with a socket for the life passed
along, is answered ``{"life": 12}``; ``{"end": 12}`` is answered by how it had ended (see `ended`).
"""

from __future__ import annotations

import base64
import gc
import io
import json
import marshal
import os
import signal
import socket
import sys
from contextlib import redirect_stderr, redirect_stdout
from types import CodeType
from typing import Any

from lab.guest import kernel, later, wire
from lab.guest.absent import Elsewhere, Places
from lab.guest.life import Guest
from lab.guest.talk import Channel, HungUp
from lab.guest.walls import Rules, preload, shut_in, sweep
from lab.guest.written import Asked, Source, Unusable, compiled, defined, given_as

LONGEST_PRINT = 2_000  # characters that are kept of what one call prints
YEAR = 365


class Printed(io.StringIO):
    """Keeps the beginning of what is printed."""

    def write(self, text: str) -> int:
        """Keep as much as there is room for."""
        super().write(text[: max(0, LONGEST_PRINT - self.tell())])
        return len(text)


def main() -> None:
    """Serve one grader until it hangs up; the arguments are its socket and the rules."""
    asked = socket.socket(fileno=int(sys.argv[1]))
    rules = Rules(**json.loads(sys.argv[2]))
    preload(rules.also)
    warm_up()
    if rules.private:
        kernel.close_to_others()
        for folder in rules.hidden:
            kernel.hide(folder)
        kernel.refuse_calls()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who pressed Ctrl-C is the grader's to tell
    sys.argv[1:] = []
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    asked.sendall(b"{}\n")
    serve(asked, rules)


def warm_up() -> None:
    """Let Python make once what it makes when code is first read and run, not in every life."""
    asked = Asked(("f",), ("x",))
    source = Source(0, "import datetime\ndef f(x): return [x]", (0, 1))
    named = given_as(asked, defined(asked, [source], compiled([source])))
    Guest(named).run(wire.write({"name": "f", "values": [1]}), str)
    gc.collect()
    gc.freeze()


def serve(asked: socket.socket, rules: Rules) -> None:
    """Begin and end lives, as the grader asks."""
    lives: dict[int, int] = {}
    places = Places()
    while True:
        text, sockets, *_ = socket.recv_fds(asked, 4096, 1)
        if not text:
            break
        wish = json.loads(text)
        if "start" in wish:
            life = begun(asked, sockets[0], rules, wish["start"], places)
            lives[life] = wish["start"]
            answer: dict[str, Any] = {"life": life}
        else:
            answer = ended(wish["end"])
            del lives[wish["end"]]
            sweep(rules, lives.values())
        asked.sendall(json.dumps(answer).encode() + b"\n")
    for life in lives:
        ended(life)


def begun(asked: socket.socket, mine: int, rules: Rules, number: int, places: Places) -> int:
    """Begin a life that talks over one socket; return its process id."""
    life = os.fork()
    if life:
        os.close(mine)
        return life
    try:
        asked.close()
        channel = Channel(socket.socket(fileno=mine))
        try:
            shut_in(rules, number)
        except OSError as error:
            channel.hear()  # else the grader finds nobody, and takes that for the learner's doing
            channel.say("open", str(error))
        else:
            live(channel, places)
    except HungUp:
        pass
    finally:
        os._exit(0)


def ended(life: int) -> dict[str, Any]:
    """End a life, and say how it had ended: by which signal (0: none), and seconds of computing.

    One that had ended by itself was not waited for, so its number is still its own.
    """
    os.kill(life, signal.SIGKILL)
    _, status, used = os.wait4(life, 0)
    by = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    return {"signal": by, "cpu_s": used.ru_utime + used.ru_stime}


def live(channel: Channel, places: Places) -> None:
    """Define what the learner wrote, then run the calls that are asked for.

    The first life of an answer is told no ``code``: it compiles what was written, before any of it
    runs, and says it for those that follow; and it looks whether that is what was asked for.
    """
    printed = Printed()
    with redirect_stdout(printed), redirect_stderr(Printed()):
        told = json.loads(channel.hear()[1])
        asked = Asked(tuple(told["defines"]), tuple(told["takes"]))
        sources = [Source(*one) for one in told["sources"]]
        later.begin(told["life"] % YEAR)
        places.stand_in(asked)
        sys.meta_path.append(Elsewhere())
        try:
            if "code" not in told:
                codes = compiled(sources)
                channel.say("code", packed(codes))
                given = list(given_as(asked, defined(asked, sources, codes)).values())
                channel.say("ready", "")
            else:
                given = defined(asked, sources, unpacked(told["code"]))
        except Unusable as unusable:
            channel.say("untouched" if unusable.untouched else "unusable", str(unusable))
            return
        named = dict(zip(asked.owners, given, strict=True))
        _answer(channel, Guest(named), printed)


def packed(codes: list[CodeType]) -> str:
    """Return code as a text."""
    return base64.b64encode(marshal.dumps(codes)).decode("ascii")


def unpacked(text: str) -> list[CodeType]:
    """Return the code that `packed` wrote; it may be anything, as all code of a learner's may."""
    codes: list[CodeType] = marshal.loads(base64.b64decode(text))
    return codes


def _answer(channel: Channel, guest: Guest, printed: Printed) -> None:
    def step(message: str) -> str:
        channel.say("step", message)
        return channel.hear()[1]

    while True:
        _, message = channel.hear()
        reply = guest.run(message, step)
        channel.say("printed", printed.getvalue())
        channel.say("end", reply)
        printed.seek(0)
        printed.truncate()


if __name__ == "__main__":
    main()
