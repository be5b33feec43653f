"""Steps: what is announced around each call of a ledger or a provider, and what a crash does."""

import ast
import inspect

import pytest

from lab.faults.clock import ManualClock
from lab.faults.steps import STEPS, Crash, Stepped
from lab.gateway import (
    KEYED,
    Action,
    DemoProvider,
    Fault,
    Ledger,
    Outcome,
    ResponseLost,
    dispatch,
    execute,
    review,
)

WELCOME = Action("welcome:lead-202:v1", "welcome_email", {"lead": "lead-202"})


class Said(list):
    """A hook that only writes down what it is told."""

    def __call__(self, when: str, step: str) -> None:
        self.append(f"{when} {step}")


@pytest.fixture
def ledger() -> Ledger:
    return Ledger(":memory:", ManualClock())


@pytest.fixture
def provider() -> DemoProvider:
    return DemoProvider(":memory:", KEYED, ManualClock())


def run(hook: Said, ledger: Ledger, provider: DemoProvider) -> Outcome:
    return execute(WELCOME, Stepped(ledger, "ledger", hook), Stepped(provider, "provider", hook))


def test_every_call_is_announced_before_and_after(ledger: Ledger, provider: DemoProvider) -> None:
    said = Said()
    assert run(said, ledger, provider).path == "sent"
    assert said == [
        f"{when} {step}"
        for step in ("ledger.find", "ledger.begin", "provider.perform", "ledger.settle")
        for when in ("before", "after")
    ]


def test_a_call_that_raises_is_announced_afterwards_too(provider: DemoProvider) -> None:
    said = Said()
    provider.faults = {WELCOME.key: [Fault.RESPONSE_LOST]}
    with pytest.raises(ResponseLost):
        Stepped(provider, "provider", said).perform(WELCOME, attempt=1)
    assert said == ["before provider.perform", "after provider.perform"]


def test_a_crash_before_a_step_prevents_it(ledger: Ledger) -> None:
    def crash(when: str, step: str) -> None:
        raise Crash

    with pytest.raises(Crash):
        Stepped(ledger, "ledger", crash).prepare(WELCOME)
    assert ledger.rows() == []


def test_a_crash_after_a_step_leaves_it_done(ledger: Ledger) -> None:
    def crash(when: str, step: str) -> None:
        if when == "after":
            raise Crash

    with pytest.raises(Crash):
        Stepped(ledger, "ledger", crash).prepare(WELCOME)
    assert [row.key for row in ledger.rows()] == [WELCOME.key]


def test_no_except_exception_sees_a_crash() -> None:
    assert not issubclass(Crash, Exception)


def test_what_is_no_step_passes_unannounced(ledger: Ledger, provider: DemoProvider) -> None:
    said = Said()
    assert Stepped(ledger, "ledger", said).now() == 0
    assert Stepped(provider, "provider", said).contract is KEYED
    assert said == []


def test_whatever_the_gateway_calls_on_its_collaborators_is_a_step_or_reads_a_clock() -> None:
    called = {
        call.func.attr
        for module in (dispatch, review)
        for call in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and ast.unparse(call.func.value) in {"ledger", "provider", "self.ledger"}
    }
    assert called - STEPS == {"now"}
    assert {"find", "begin", "change", "settle", "perform", "readback"} <= called
