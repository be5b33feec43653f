"""A worker that moves only when it is told: step by step, or not at all any more.

Its `execute` runs in a thread of its own, but never at the same time as anything else: whenever it
wants to call its ledger or its provider, it hands the call over and waits. So several workers can
be interleaved exactly as a test wishes, on one ledger in memory, the same way every time.
"""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any, NamedTuple

from lab.faults.steps import STEPS, Crash
from lab.gateway import Action, DemoProvider, KeyReused, Ledger, Outcome, execute

PATIENCE_S = 30  # a hand-over takes microseconds: whoever waits longer waits for ever


class Call(NamedTuple):
    """What a worker wants to do next, and waits for."""

    step: str
    values: tuple[Any, ...]
    make: Callable[[], Any]


class Puppet:
    """One call of `execute`, moved by half steps: make the call, then hand over its answer."""

    def __init__(self, action: Action, ledger: Ledger, provider: DemoProvider) -> None:
        self.action = action
        self.call: Call | None = None  # what it waits for, until it has ended
        self.end: Outcome | KeyReused | None = None  # how it ended, if it did and was not killed
        self._answer: Callable[[], Any] | None = None  # of the call, once that was made
        self._said: SimpleQueue[Any] = SimpleQueue()
        self._told: SimpleQueue[Callable[[], Any]] = SimpleQueue()
        self._collaborators = (_Handed(self, "ledger", ledger), _Handed(self, "provider", provider))
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()
        self._listen()

    @property
    def about_to(self) -> str | None:
        """Name the step it waits to make, or None where it has made it, or has ended."""
        return self.call.step if self.call and self._answer is None else None

    def half_step(self) -> Any:
        """Make the call it waits for, and return what came of it; or else hand over its answer."""
        assert self.call is not None
        if self._answer is not None:
            return self._hand_over(self._answer)
        try:
            value = self.call.make()
        except Exception as error:
            self._answer = _raiser(error)
            return error
        self._answer = lambda: value
        return value

    def kill(self) -> None:
        """End it here; nothing of what it meant to do happens. The dead are not killed again."""
        if self.call is not None:
            self._hand_over(_raiser(Crash()))

    def _hand_over(self, answer: Callable[[], Any]) -> None:
        self._answer, self.call = None, None
        self._told.put(answer)
        self._listen()

    def _listen(self) -> None:
        said = self._said.get(timeout=PATIENCE_S)
        if isinstance(said, Call):
            self.call = said
            return
        self._thread.join()
        if isinstance(said, (Outcome, KeyReused)):
            self.end = said
        elif not isinstance(said, Crash):
            raise said

    def _run(self) -> None:
        try:
            said = execute(self.action, *self._collaborators)
        except BaseException as error:
            said = error
        self._said.put(said)

    def hand(self, call: Call) -> Any:
        """Wait, in the worker's thread, for the answer to a call."""
        self._said.put(call)
        return self._told.get()()


class _Handed:
    """A ledger or a provider whose steps are handed over instead of made."""

    def __init__(self, puppet: Puppet, name: str, wrapped: Any) -> None:
        self._puppet, self._name, self._wrapped = puppet, name, wrapped

    def __getattr__(self, attribute: str) -> Any:
        found = getattr(self._wrapped, attribute)
        if attribute not in STEPS:
            return found

        def handed(*values: Any, **named: Any) -> Any:
            step = f"{self._name}.{attribute}"
            return self._puppet.hand(Call(step, values, lambda: found(*values, **named)))

        return handed


def _raiser(error: BaseException) -> Callable[[], Any]:
    def answer() -> Any:
        raise error

    return answer
