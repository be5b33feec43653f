"""Does a provider keep its contract? A few actions that are clearly tests find out.

They are sent past the ledger, under keys of their own, and leave records at the provider: run this
against its test account. Only what the contract promises is tried. Two promises cannot be tried in
a sitting and stay what the documentation says: the in-flight bound, and how long keys are kept.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, NamedTuple
from uuid import uuid4

from lab.gateway import (
    Action,
    NotExecuted,
    Provider,
    ProviderContract,
    Readback,
    Reading,
    Verdict,
    action_key,
)
from lab.operations.http_contract import HttpContract, over_http

KIND = "selftest"
GRACE_MS = 5_000  # after the promised window: is it shown late, or never?


class Grade(Enum):
    """How a promise fared."""

    KEPT = "kept"
    BROKEN = "broken"
    UNSEEN = "could not be tried"  # and what was not seen kept is not relied on


class Finding(NamedTuple):
    """What was found about one promise; ``seen`` is one sentence."""

    promise: str
    grade: Grade
    seen: str


Findings = tuple[Finding, ...]
"""One finding for each promise that the contract makes."""


class Bench:
    """One run of the self-test: makes the test's actions, sends them, asks for them."""

    def __init__(self, provider: Provider, wait: Callable[[int], object], run: str) -> None:
        self.contract = provider.contract
        self._provider, self._wait, self._run = provider, wait, run

    def action(self, what: str, content: str = "first") -> Action:
        """Return an action of this run; its content is nobody else's."""
        key = action_key(KIND, self._run, what)
        return Action(key, KIND, {"test": self._run, "of": what, "content": content})

    def send(self, action: Action, attempt: int = 1) -> str:
        """Send an action; return its receipt."""
        return self._provider.perform(action, attempt)

    def verdict(self, action: Action, after_ms: int = 0) -> Readback:
        """Ask for an action, after some time (ms)."""
        self._wait(after_ms)
        return self._provider.readback(action)

    def in_time(self, action: Action) -> Readback:
        """Ask for an action when the window in which it may be hidden is over."""
        return self.verdict(action, self.contract.visibility_ms)


def one_effect(bench: Bench) -> tuple[bool, str]:
    """Send the same action twice, as after a lost response; what is held counts, too."""
    action = bench.action("same-key-twice")
    first, second = bench.send(action), bench.send(action, 2)
    seen = f"the same key twice gave the receipts {first} and {second}"
    if bench.contract.readback is Reading.NONE:
        return first == second, seen
    held = bench.in_time(action).verdict
    return first == second and held is Verdict.FOUND, f"{seen}; what is held is {held.value}"


def mismatch_refused(bench: Bench) -> tuple[bool, str]:
    """Send another content under a key that is in use."""
    bench.send(bench.action("other-content"))
    try:
        receipt = bench.send(bench.action("other-content", "second"), 2)
    except NotExecuted as refusal:
        if refusal.retryable:  # it was turned away for another reason
            raise
        return True, "another content under a key in use was refused"
    return False, f"another content under a key in use was accepted as {receipt}"


def key_forwarded(bench: Bench) -> tuple[bool, str]:
    """Send an action, and ask for it by its key until long after the window."""
    action = bench.action("by-key")
    bench.send(action)
    shown = bench.in_time(action).verdict is not Verdict.ABSENT
    shown = shown or bench.verdict(action, GRACE_MS).verdict is not Verdict.ABSENT
    said = "showed what was sent under it" if shown else "showed nothing: does the key arrive?"
    return shown, f"a question by key {said}"


def shown_in_time(bench: Bench) -> tuple[bool, str]:
    """Send an action, and ask for it when the window is over."""
    action = bench.action("shown-in-time")
    receipt = bench.send(action)
    found = bench.in_time(action)
    right = found.verdict is Verdict.FOUND and found.receipt == receipt
    window = bench.contract.visibility_ms
    return right, f"after the window of {window} ms, what was sent is {found.verdict.value}"


def nothing_made_up(bench: Bench) -> tuple[bool, str]:
    """Ask for an action that was never sent."""
    found = bench.verdict(bench.action("never-sent"))
    return found.verdict is Verdict.ABSENT, f"what was never sent is {found.verdict.value}"


@dataclass(frozen=True)
class Promise:
    """A promise that can be tried, and what the contract is without it."""

    name: str
    made: Callable[[ProviderContract], bool]
    kept: Callable[[Bench], tuple[bool, str]]
    without: Mapping[str, Any]


_NO_KEYS = {"deduplicates": False, "retention_ms": None}
_NO_READING = {"readback": Reading.NONE, "keeps_reference": False, "visibility_ms": 0}
PROMISES = (
    Promise("one key, one effect", lambda it: it.deduplicates, one_effect, _NO_KEYS),
    Promise("a key keeps its content", lambda it: it.deduplicates, mismatch_refused, _NO_KEYS),
    Promise(
        "what was done is shown in time",
        lambda it: it.readback is Reading.AUTHORITATIVE,
        shown_in_time,
        {"readback": Reading.EVENTUAL},  # what is found is evidence still; what is not, no proof
    ),
    Promise(
        "what was done is found in time",
        lambda it: it.readback is Reading.EVENTUAL,
        shown_in_time,
        _NO_READING,
    ),
    Promise(
        "the key is kept with the effect",
        lambda it: it.keeps_reference,
        key_forwarded,
        {**_NO_KEYS, **_NO_READING},
    ),
    Promise(
        "what was never sent is not shown",
        lambda it: it.readback is not Reading.NONE,
        nothing_made_up,
        _NO_READING,
    ),
)
"""In the order of what each withdraws: what comes later may withdraw more."""


def sleep_ms(milliseconds: int) -> None:
    """Wait, for real."""
    time.sleep(milliseconds / 1000)


def selftest(
    provider: Provider, wait: Callable[[int], object] = sleep_ms, run: str | None = None
) -> Findings:
    """Try every promise of a provider's contract; return what was found.

    ``wait`` lets so many milliseconds pass; ``run`` names this run in the keys, once and never
    again. Nothing that the provider does ends the test: what cannot be tried is a finding.
    """
    bench = Bench(provider, wait, run or uuid4().hex[:12])
    return tuple(
        _finding(promise, bench) for promise in PROMISES if promise.made(provider.contract)
    )


def _finding(promise: Promise, bench: Bench) -> Finding:
    try:
        kept, seen = promise.kept(bench)
    except Exception as error:
        return Finding(promise.name, Grade.UNSEEN, f"{type(error).__name__}: {error}")
    return Finding(promise.name, Grade.KEPT if kept else Grade.BROKEN, seen)


def downgraded(contract: ProviderContract, findings: Findings) -> HttpContract:
    """Return the contract without the promises that were not seen kept.

    ``withdrawn`` of the result says in words what went, and why. It is never a better contract.
    """
    result = over_http(contract)
    broken = {one.promise: one for one in findings if one.grade is not Grade.KEPT}
    for promise in PROMISES:
        finding = broken.get(promise.name)
        if finding is not None and promise.made(contract):
            words = f"{finding.promise}: {finding.grade.value}; {finding.seen}"
            result = replace(result, **promise.without, withdrawn=(*result.withdrawn, words))
    return result
