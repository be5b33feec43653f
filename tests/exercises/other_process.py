"""The learner's side of the bench in a process of its own: text over a pipe, and SIGKILL."""

import json
import os
import signal
from collections.abc import Callable, Mapping
from typing import Any

from lab.guest import memory
from lab.guest.life import Guest, Step

killed: list[int] = []
"""The processes that were killed in the middle of a call."""


def in_another_process(defined: Mapping[str, Any]) -> Callable[[], "Process"]:
    """Return what begins lives in processes of their own."""
    return lambda: Process(memory.fresh(defined))


class Process:
    """One life: a forked process that runs a `Guest`, and speaks lines of text."""

    def __init__(self, defined: Mapping[str, Any]) -> None:
        to_child, from_parent = os.pipe(), os.pipe()
        self.process = os.fork()
        if self.process == 0:
            try:
                os.close(to_child[1])
                os.close(from_parent[0])
                _serve(Guest(defined), os.fdopen(to_child[0]), os.fdopen(from_parent[1], "w"))
            finally:
                os._exit(0)
        os.close(to_child[0])
        os.close(from_parent[1])
        self.out, self.back = os.fdopen(to_child[1], "w"), os.fdopen(from_parent[0])

    def run(self, message: str, step: Step) -> str:
        """Let the process run one call; answer its steps; kill it where a step ends its life."""
        self._say(message)
        while True:
            kind, text = json.loads(self.back.readline())
            if kind == "end":
                return str(text)
            try:
                self._say(step(text))
            except BaseException:
                killed.append(self.process)
                self.close()
                raise

    def _say(self, text: str) -> None:
        print(json.dumps(text), file=self.out, flush=True)

    def close(self) -> None:
        """End the process, whatever it is doing."""
        if self.out.closed:
            return
        os.kill(self.process, signal.SIGKILL)
        self.out.close()
        self.back.close()
        os.waitpid(self.process, 0)

    def __del__(self) -> None:
        self.close()


def _serve(guest: Guest, asked: Any, told: Any) -> None:
    def say(kind: str, text: str) -> None:
        print(json.dumps([kind, text]), file=told, flush=True)

    def step(message: str) -> str:
        say("step", message)
        return str(json.loads(asked.readline()))

    for line in asked:
        say("end", guest.run(json.loads(line), step))
