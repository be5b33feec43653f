"""One call of `execute`: UNKNOWN before the call, and what each way to end leaves behind."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lab.faults.clock import ManualClock
from lab.faults.steps import Crash, Stepped
from lab.gateway import (
    BLIND,
    KEYED,
    PREPARED,
    READABLE,
    REVIEW,
    SETTLED,
    STATES,
    UNKNOWN,
    Action,
    DemoProvider,
    Fault,
    KeyReused,
    Ledger,
    NotExecuted,
    Outcome,
    Readback,
    ReadbackUnavailable,
    ResponseLost,
    StoreLocked,
    VersionConflict,
    WrongProvider,
    execute,
    request_id,
)
from lab.gateway.ledger import ATTEMPTS, SEND_WINDOW_MS
from tests.gateway.conftest import START_MS, Records, RowIn

Meanwhile = Callable[[Callable[[], object]], None]
LONG_MS = 24 * 3_600_000 - 1  # all has landed and is shown, and no key is forgotten


def raising(error: BaseException) -> Callable[..., Any]:
    """Return a method that raises."""

    def method(*_: object) -> Any:
        raise error

    return method


def test_a_new_action_is_sent_once_and_settled_by_its_receipt(
    ledger: Ledger, provider: DemoProvider, action: Action
) -> None:
    outcome = execute(action, ledger, provider)
    [effect] = provider.effects()
    assert outcome == Outcome(action.key, SETTLED, 1, "sent", effect["receipt"])
    assert [request["request_id"] for request in provider.requests()] == [request_id(action.key, 1)]
    assert [event["target"] for event in ledger.events()] == [PREPARED, UNKNOWN, SETTLED]


def test_a_prepared_action_is_sent_as_a_new_one_is(
    ledger: Ledger, provider: DemoProvider, action: Action
) -> None:
    ledger.prepare(action)
    assert execute(action, ledger, provider)[1:4] == (SETTLED, 1, "sent")
    assert len(provider.requests()) == 1


def test_what_is_settled_is_answered_from_the_ledger_and_nobody_is_asked(
    ledger: Ledger, provider: DemoProvider, action: Action, records: Records
) -> None:
    first = execute(action, ledger, provider)
    before = records(ledger, provider)
    provider.perform = provider.readback = raising(AssertionError("nobody is to be called"))
    assert execute(action, ledger, provider) == first._replace(path="cached")
    assert records(ledger, provider) == before


def test_unknown_is_durable_before_the_call(
    file_ledger: Ledger,
    ledger_path: Path,
    provider: DemoProvider,
    action: Action,
    meanwhile: Meanwhile,
) -> None:
    seen = []

    def look() -> None:
        with Ledger(ledger_path) as another:
            seen.append(another.get(action.key))

    meanwhile(look)
    execute(action, file_ledger, provider)
    [row] = seen
    assert (row.state, row.attempts, row.provider) == (UNKNOWN, 1, provider.contract.name)
    assert row.send_by == START_MS + SEND_WINDOW_MS


@pytest.mark.parametrize("fault", [Fault.NONE, Fault.RESPONSE_LOST, Fault.REFUSED, Fault.REJECTED])
def test_no_transaction_is_open_while_the_provider_is_called(
    file_ledger: Ledger, provider: DemoProvider, clock: ManualClock, action: Action, fault: Fault
) -> None:
    seen = []

    def hook(when: str, step: str) -> None:
        seen.append((step, file_ledger._db.in_transaction))

    provider.faults = {action.key: [fault]}
    for _ in range(4):
        execute(action, file_ledger, Stepped(provider, "provider", hook))
        clock.advance(100_000)
    assert ("provider.perform", False) in seen
    read_back = fault in (Fault.RESPONSE_LOST, Fault.REJECTED)
    assert (("provider.readback", False) in seen) == read_back
    assert not any(in_transaction for _, in_transaction in seen)


@pytest.mark.parametrize(
    "fault", [Fault.RESPONSE_LOST, Fault.REQUEST_LOST, Fault.REJECTION_LOST, Fault.LATE]
)
def test_a_lost_response_leaves_unknown_and_is_never_sent_again_at_once(
    ledger: Ledger, provider: DemoProvider, clock: ManualClock, action: Action, fault: Fault
) -> None:
    provider.faults = {action.key: [fault]}
    clock_at_end = START_MS + 1_000
    provider.unreadable = {action.key}
    perform = provider.perform
    provider.perform = lambda *call: (clock.advance(1_000), perform(*call))[1]
    assert execute(action, ledger, provider) == Outcome(action.key, UNKNOWN, 1, "hold", None)
    row = ledger.get(action.key)
    assert (row.send_by, row.evidence) == (clock_at_end, "no answer: ResponseLost")
    provider.perform = raising(AssertionError("nothing is to be sent"))
    assert execute(action, ledger, provider)[1:4] == (UNKNOWN, 1, "hold")


@pytest.mark.parametrize("contract", [BLIND])
@pytest.mark.parametrize(
    "error",
    [
        Exception(),
        ResponseLost("silence"),
        TimeoutError(),
        ConnectionResetError(),
        ValueError("not JSON"),
        AssertionError(),
        StopIteration(),
        RecursionError(),
        MemoryError(),
        ReadbackUnavailable("from the wrong method"),
        VersionConflict("not ours"),
        KeyReused("not ours"),
        WrongProvider("not", "our", "error"),
        StoreLocked("the provider's file"),
        UnicodeDecodeError("utf-8", b"\xff", 0, 1, "\ud800"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_whatever_is_raised_but_not_executed_is_indefinite(
    ledger: Ledger, provider: DemoProvider, action: Action, error: Exception
) -> None:
    provider.perform = raising(error)
    assert execute(action, ledger, provider) == Outcome(action.key, UNKNOWN, 1, "hold", None)
    assert type(error).__name__ in ledger.get(action.key).evidence


@pytest.mark.parametrize(
    "death", [KeyboardInterrupt, SystemExit, GeneratorExit, asyncio.CancelledError, Crash]
)
def test_a_worker_that_is_stopped_during_the_call_leaves_unknown(
    ledger: Ledger,
    provider: DemoProvider,
    action: Action,
    meanwhile: Meanwhile,
    death: type[BaseException],
) -> None:
    meanwhile(raising(death()))
    with pytest.raises(death):
        execute(action, ledger, provider)
    row = ledger.get(action.key)
    assert (row.state, row.attempts, row.send_by) == (UNKNOWN, 1, START_MS + SEND_WINDOW_MS)
    execute(action, ledger, provider)
    assert len(provider.requests()) == len(provider.effects()) == 1


@pytest.mark.parametrize("contract", [READABLE])
@pytest.mark.parametrize("receipt", ["", " \n", None, 0, 7, b"r", True, ["r"], "\ud800"], ids=ascii)
def test_an_answer_that_names_no_effect_breaks_the_contract_and_leaves_unknown(
    ledger: Ledger, provider: DemoProvider, action: Action, receipt: Any
) -> None:
    perform = provider.perform
    provider.perform = lambda *call: (perform(*call), receipt)[1]
    assert execute(action, ledger, provider) == Outcome(action.key, UNKNOWN, 1, "hold", None)
    assert "BrokenContract" in ledger.get(action.key).evidence
    assert len(provider.requests()) == 1


def test_a_definite_refusal_goes_back_to_prepared_and_the_next_call_tries_anew(
    ledger: Ledger, provider: DemoProvider, action: Action
) -> None:
    provider.faults = {action.key: [Fault.REFUSED]}
    assert execute(action, ledger, provider) == Outcome(action.key, PREPARED, 1, "refused", None)
    assert ledger.get(action.key).send_by is None
    assert provider.requests() == []
    assert execute(action, ledger, provider)[1:4] == (SETTLED, 2, "sent")
    assert [request["attempt"] for request in provider.requests()] == [2]


def test_when_all_attempts_were_refused_a_person_must_look(
    ledger: Ledger, provider: DemoProvider, action: Action
) -> None:
    provider.faults = {action.key: [Fault.REFUSED] * 9}
    paths = [execute(action, ledger, provider)[1:4] for _ in range(ATTEMPTS + 2)]
    refused = [(PREPARED, n + 1, "refused") for n in range(ATTEMPTS)]
    assert paths == [*refused, *[(REVIEW, ATTEMPTS, "manual")] * 2]
    assert "no attempt left: refused before" in ledger.get(action.key).evidence
    assert provider.effects() == []


def test_what_can_never_work_is_tried_once_and_goes_to_a_person(
    ledger: Ledger, provider: DemoProvider, action: Action
) -> None:
    provider.faults = {action.key: [Fault.REJECTED]}
    assert execute(action, ledger, provider) == Outcome(action.key, REVIEW, 1, "manual", None)
    assert execute(action, ledger, provider)[1:4] == (REVIEW, 1, "manual")
    assert len(provider.requests()) == 1
    moves = [(event["source"], event["target"]) for event in ledger.events()]
    assert moves[2:] == [(UNKNOWN, PREPARED), (PREPARED, REVIEW)]


def test_a_refusal_for_good_holds_also_after_a_crash_before_the_review(
    ledger: Ledger, provider: DemoProvider, action: Action
) -> None:
    provider.faults = {action.key: [Fault.REJECTED]}

    def hook(when: str, step: str) -> None:
        if (when, step) == ("after", "ledger.change"):
            raise Crash

    with pytest.raises(Crash):
        execute(action, Stepped(ledger, "ledger", hook), provider)
    assert ledger.get(action.key).state == PREPARED
    assert execute(action, ledger, provider)[1:4] == (REVIEW, 1, "manual")
    assert len(provider.requests()) == 1


@pytest.mark.parametrize("fault", [Fault.NONE, Fault.RESPONSE_LOST, Fault.LATE, Fault.REFUSED])
def test_a_second_worker_during_the_call_sends_nothing(
    ledger: Ledger,
    provider: DemoProvider,
    clock: ManualClock,
    action: Action,
    meanwhile: Meanwhile,
    fault: Fault,
) -> None:
    provider.faults = {action.key: [fault]}
    second = []
    meanwhile(lambda: second.append(execute(action, ledger, provider)))
    execute(action, ledger, provider)
    assert second[0].path in ("hold", "reconciled")
    assert second[0].attempts == 1
    for _ in range(3):
        clock.advance(LONG_MS // 4)
        execute(action, ledger, provider)
    assert len(provider.requests()) == len(provider.effects()) == 1


@pytest.mark.parametrize("contract", [KEYED, READABLE, BLIND])
def test_both_workers_report_the_one_receipt_where_the_second_reads_it_back(
    ledger: Ledger, provider: DemoProvider, action: Action, meanwhile: Meanwhile
) -> None:
    second = []
    meanwhile(lambda: second.append(execute(action, ledger, provider)))
    first = execute(action, ledger, provider)
    assert (first.state, first.receipt) == (SETTLED, f"{provider.contract.name}-1")
    if provider.contract is not BLIND:
        assert second[0][1:] == (SETTLED, 1, "reconciled", first.receipt)
    assert [event["target"] for event in ledger.events()] == [PREPARED, UNKNOWN, SETTLED]


@pytest.mark.parametrize("prepared", [True, False])
def test_a_worker_that_loses_the_race_to_begin_looks_again(
    ledger: Ledger, provider: DemoProvider, action: Action, prepared: bool
) -> None:
    if prepared:
        ledger.prepare(action)
    first: list[Outcome] = []

    def hook(when: str, step: str) -> None:
        if (when, step) == ("before", "ledger.begin") and not first:
            first.append(execute(action, ledger, provider))

    second = execute(action, Stepped(ledger, "ledger", hook), provider)
    assert (first[0].path, second.path) == ("sent", "cached")
    assert second.receipt == first[0].receipt
    assert len(provider.requests()) == 1


@pytest.mark.parametrize("state", STATES)
def test_an_action_that_was_begun_with_another_provider_is_refused(
    ledger: Ledger,
    provider: DemoProvider,
    action: Action,
    row_in: RowIn,
    records: Records,
    state: str,
) -> None:
    row = row_in(ledger, UNKNOWN if state == PREPARED else state, "elsewhere")
    if state == PREPARED:
        ledger.change(row, PREPARED, "refused", send_by=None)
    before = records(ledger, provider)
    provider.perform = provider.readback = raising(AssertionError("nobody is to be called"))
    with pytest.raises(WrongProvider, match="begun with the provider elsewhere") as refused:
        execute(action, ledger, provider)
    assert isinstance(refused.value, ValueError)
    assert records(ledger, provider) == before


def test_a_course_may_hand_in_its_own_attempt_and_its_own_table(
    ledger: Ledger, provider: DemoProvider, action: Action
) -> None:
    asked: list[str] = []

    def attempt(*_: object) -> Outcome:
        asked.append("attempt")
        return Outcome(action.key, PREPARED, 0, "refused", None)

    def decide(_: Action, row: Any, readback: Readback, *rest: object) -> Outcome:
        asked.append(readback.verdict.value)
        return Outcome.of(row, "hold")

    class Always(dict):  # type: ignore[type-arg]
        def __getitem__(self, verdict: object) -> Any:
            return decide

    execute(action, ledger, provider, attempt=attempt)
    ledger.begin(action, None, provider.contract.name)
    execute(action, ledger, provider, verdicts=Always())
    verdict = "unavailable" if provider.contract is BLIND else "absent"
    assert asked == ["attempt", verdict]
    assert provider.requests() == []


def test_the_reason_of_a_refusal_is_kept_as_evidence(
    ledger: Ledger, provider: DemoProvider, action: Action
) -> None:
    provider.perform = raising(NotExecuted("the line is closed on Sundays"))
    execute(action, ledger, provider)
    assert ledger.events()[-1]["evidence"] == "the line is closed on Sundays"
