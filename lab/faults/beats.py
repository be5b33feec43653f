"""Beats: who did what, one thing after the other, and what each side then knew."""

from __future__ import annotations

from collections.abc import Callable, Sized
from typing import Any, NamedTuple

from lab.faults.steps import STEPS, Answer
from lab.gateway import DemoProvider, Ledger, NotExecuted, Readback, ResponseLost, Row
from lab.gateway.errors import ReadbackUnavailable, VersionConflict


class Beat(NamedTuple):
    """One thing that happened, and what each side then knew.

    ``at``: milliseconds since the run began. ``who``: A, B and so on, a person, or empty.
    ``step``: the call that was made, ``looks``, ``decides``, ``dies``, ``ends``, ``time`` or
    ``late``. ``state``: what the ledger says; empty where it does not know the action.
    ``effects``: how many the provider made.
    """

    at: int
    who: str
    step: str
    what: str
    state: str
    effects: int
    lost: bool = False  # no answer came, or none that says what happened
    reached: str = ""  # what a request came to at the provider; "nowhere": it never got there
    passed: int = 0  # how long it took (ms), where nothing but time happened
    arrived: int = 0  # how many late requests took effect meanwhile


class Recorder:
    """Keeps the beats of a run.

    ``now`` tells the time (ms), ``row`` what the ledger knows, ``effects`` and ``requests`` what
    the provider holds. ``start`` is when the run began; now, if not given.
    """

    def __init__(
        self,
        now: Callable[[], int],
        row: Callable[[], Row | None],
        effects: Callable[[], Sized],
        requests: Callable[[], list[dict[str, Any]]],
        start: int | None = None,
    ) -> None:
        self.now, self.row, self.effects, self.requests = now, row, effects, requests
        self.start = now() if start is None else start
        self.beats: list[Beat] = []
        self.came = len(requests())  # how many requests had arrived by the last call that sends

    @classmethod
    def of(cls, ledger: Ledger, provider: DemoProvider, key: str) -> Recorder:
        """Keep the beats of one action, on files or in memory."""
        return cls(
            ledger.now,
            lambda: ledger.get(key),
            lambda: provider.effects(key),
            lambda: provider.requests(key),
        )

    def add(self, who: str, step: str, what: str, **more: Any) -> None:
        """Keep that somebody did something; ``more`` are other fields of `Beat`."""
        row = self.row()
        state, effects = row.state if row else "", len(self.effects())
        self.beats.append(Beat(self.now() - self.start, who, step, what, state, effects, **more))

    def called(self, who: str, told: Answer | None, step: str = "") -> None:
        """Keep one call of the ledger or of the provider, and what was answered."""
        step = step or (told.step if told else "")
        reached = ""
        if step == "provider.perform":
            came, before = self.requests(), self.came
            self.came = len(came)
            reached = came[-1]["outcome"] if self.came > before else "nowhere"
        lost = told is not None and is_lost(told)
        self.add(who, step, what_happened(told), lost=lost, reached=reached)

    def ended(self, who: str, said: str) -> None:
        """Keep how a worker came to its end: its outcome, or the error that ended it."""
        self.add(who, "ends", f"ends: {said}")

    def time(self, then: int, done: int) -> None:
        """Keep that time went by, in one beat with what went by just before.

        ``then`` is when it began (ms), and ``done`` how many effects there were.
        """
        if self.beats and self.beats[-1].step == "time":
            last = self.beats.pop()
            then, done = last.at - last.passed + self.start, last.effects - last.arrived
        passed, arrived = self.now() - then, len(self.effects()) - done
        what = f"{seconds(passed)} go by"
        what += "; by then the late request has arrived" if arrived else ""
        self.add("", "time", what, passed=passed, arrived=arrived)


class Watched:
    """A ledger or a provider; what its steps answer is told, before whoever called hears it."""

    def __init__(self, inner: Any, name: str, tell: Callable[[Answer], None]) -> None:
        self._inner, self._name, self._tell = inner, name, tell

    def __getattr__(self, attribute: str) -> Any:
        found = getattr(self._inner, attribute)
        if attribute not in STEPS:
            return found

        def told(*values: Any, **named: Any) -> Any:
            step = f"{self._name}.{attribute}"
            try:
                answer = Answer(step, found(*values, **named))
            except Exception as error:
                self._tell(Answer(step, error=error))
                raise
            self._tell(answer)
            return answer.value

        return told


def is_lost(told: Answer) -> bool:
    """Tell whether an answer says nothing of what happened."""
    return told.step == "provider.perform" and not (
        isinstance(told.error, NotExecuted) or told.value
    )


def what_happened(told: Answer | None) -> str:
    """Say in a few words what one step did, and what its worker was told."""
    if told is None:
        return "does nothing"
    does = _DOES.get(told.step, told.step)  # the gateway makes the calls below; others may differ
    if isinstance(told.error, (NotExecuted, ResponseLost)):
        return f"sends, and hears: {told.error}"
    if told.error is not None:
        return f"{does}: {_FAILS.get(type(told.error)) or type(told.error).__name__}"
    return f"{does}: {_told(told)}"


_DOES = {
    "ledger.find": "reads the ledger",
    "ledger.prepare": "writes the intention down",
    "ledger.begin": "begins an attempt",
    "ledger.change": "writes",
    "ledger.settle": "keeps the receipt",
    "ledger.has_twin": "looks for another action of the same content",
    "provider.perform": "sends, and hears",
    "provider.readback": "asks the provider",
}
_FAILS = {VersionConflict: "too late, the row has moved", ReadbackUnavailable: "no answer"}
_SAYS_WHY = ("ledger.change", "ledger.settle")


def _told(told: Answer) -> str:
    value = told.value
    if isinstance(value, Row):
        return f"{value.state}, {value.evidence}" if told.step in _SAYS_WHY else value.state
    if isinstance(value, Readback):
        return f"{value.verdict.value} {value.receipt or ''}".strip()
    if told.step == "ledger.has_twin":
        return "there is one" if value else "there is none"
    return "nothing is there" if value is None else str(value) or "a receipt without a name"


def seconds(milliseconds: int) -> str:
    """Write a time as a person would: 30 s, 1 ms, 90 s 1 ms."""
    whole, rest = divmod(milliseconds, 1000)
    parts = [f"{whole} s" if whole or not rest else "", f"{rest} ms" if rest else ""]
    return " ".join(filter(None, parts))


def short(beat: Beat) -> str:
    """Say what happened without the reasons of a reason."""
    return ": ".join(beat.what.split(": ")[:2])
