"""Crash before and after every step of `execute`, on every contract, with every fault."""

from collections.abc import Callable, Collection
from typing import NamedTuple

import pytest

from lab.faults.clock import ManualClock
from lab.faults.steps import Crash, Stepped
from lab.gateway import CONTRACTS, Action, DemoProvider, Fault, Ledger, Row, execute
from tests.gateway import world

Report = Callable[[str, object], None]


class Point(NamedTuple):
    """A place to crash: before or after the nth step since the action was first brought."""

    number: int
    when: str
    step: str


class Bench:
    """Many runs on one ledger and one provider, each with an action of its own."""

    def __init__(self, contract: str) -> None:
        self.clock = ManualClock()
        self.ledger = Ledger(":memory:", self.clock)
        self.provider = DemoProvider(":memory:", CONTRACTS[contract], self.clock)
        self.runs = 0

    def run(self, fault: Fault, readable: bool, crash_at: Collection[Point] = ()) -> list[Point]:
        """Bring one action again and again, crash where told, and judge the end.

        Returns all points that were passed, in order.
        """
        self.runs += 1
        action = world.welcome(self.runs)
        self.provider.faults = {action.key: [fault]}
        self.provider.unreadable = set() if readable else {action.key}
        passed: list[Point] = []
        contract = self.provider.contract
        waits = world.pauses(contract, self.clock, lambda: self.ledger.get(action.key))
        world.until_quiet(lambda: self._once(action, passed, crash_at), waits, self.clock)
        self.clock.advance(world.LONG_MS)
        self._judge(action, readable, f"{contract.name}, {fault}, {readable=}, {crash_at}")
        return passed

    def numbers(self) -> world.Numbers:
        """Count over all runs."""
        accepted = {world.welcome(number).key for number in range(1, self.runs + 1)}
        return world.count(self.ledger.rows(), self.provider.effects(), accepted)

    def _once(self, action: Action, passed: list[Point], crash_at: Collection[Point]) -> str | None:
        def hook(when: str, step: str) -> None:
            number = passed[-1].number if passed else 0
            passed.append(Point(number + (when == "before"), when, step))
            if passed[-1] in crash_at:
                raise Crash

        ledger = Stepped(self.ledger, "ledger", hook)
        try:
            return execute(action, ledger, Stepped(self.provider, "provider", hook)).state
        except Crash:
            self._check_accepted(action, passed)
            return None

    def _check_accepted(self, action: Action, passed: list[Point]) -> None:
        """What was accepted is listed; what was not has left no trace, and may be brought again."""
        accepted = any(point[1:] == ("after", "ledger.begin") for point in passed)
        assert (self.ledger.get(action.key) is not None) == accepted
        assert accepted or not self.provider.requests(action.key)

    def _judge(self, action: Action, readable: bool, history: str) -> None:
        row = self.ledger.get(action.key)
        effects = self.provider.effects(action.key)
        numbers = world.count([row] if row else [], effects, {action.key})
        assert numbers.harm == (0, 0, 0, 0), f"{numbers}: {history}"
        assert row is not None
        requests = self.provider.requests(action.key)
        assert len(requests) <= row.attempts, f"{len(requests)} requests: {history}"
        assert self._rests_rightly(row, effects, readable), f"{row.evidence}: {history}"

    def _rests_rightly(self, row: Row, effects: list[dict], readable: bool) -> bool:
        return row.receipt is not None or world.review_is_due(
            row, self.provider.contract, effects, unreadable=not readable
        )


def cases() -> list[tuple[Fault, bool]]:
    """Every fault, with a provider that answers questions and with one that does not."""
    return [(fault, readable) for fault in world.FAULTS for readable in (True, False)]


@pytest.fixture(params=CONTRACTS)
def bench(request: pytest.FixtureRequest) -> Bench:
    return Bench(request.param)


def report(bench: Bench, record_property: Report) -> None:
    numbers = bench.numbers()
    record_property("runs", bench.runs)
    record_property("numbers", str(numbers))
    print(f"{bench.provider.contract.name}: {bench.runs} runs, {numbers}")
    assert numbers.harm == (0, 0, 0, 0)


def test_one_crash_at_any_step_does_no_harm(bench: Bench, record_property: Report) -> None:
    for case in cases():
        for point in bench.run(*case):
            bench.run(*case, {point})
    report(bench, record_property)


def test_two_crashes_at_any_steps_do_no_harm(bench: Bench, record_property: Report) -> None:
    """Just after one step is just before the next, so one side is enough for each of the two."""
    for case in cases():
        for first in only_before(bench.run(*case)):
            for second in only_before(bench.run(*case, {first})):
                if second.number > first.number:
                    bench.run(*case, {first, second})
    report(bench, record_property)


def only_before(points: list[Point]) -> list[Point]:
    return [point for point in points if point.when == "before"]


def test_the_dry_run_passes_every_step_that_execute_knows() -> None:
    bench = Bench("readable")
    steps = {point.step for case in cases() for point in bench.run(*case)}
    assert steps == {
        "ledger.find",
        "ledger.begin",
        "ledger.change",
        "ledger.settle",
        "provider.perform",
        "provider.readback",
    }
