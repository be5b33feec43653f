"""What happened to somebody, reduced to an input, and what a right gateway does with it."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
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
    SEARCHABLE,
    SETTLED,
    STATES,
    UNKNOWN,
    Action,
    DemoProvider,
    Fault,
    KeyReused,
    Ledger,
    ProviderContract,
    execute,
)
from lab.gateway.ledger import SEND_WINDOW_MS
from tests.gateway.conftest import Records, RowIn

Meanwhile = Callable[[Callable[[], object]], None]
DAY_MS = 24 * 3_600_000
LATE_MS = DAY_MS - 1
STEPS = ["find", "begin", "settle", "change", "perform", "readback"]


def crash_at(point: tuple[str, str]) -> Callable[[str, str], None]:
    """Return a hook that ends the process the first time a step is reached."""
    left = [point]

    def hook(when: str, step: str) -> None:
        if left and (when, step.split(".")[1]) == left[0]:
            left.clear()
            raise Crash

    return hook


# reported: langchain-ai/langgraph#7417, langchain-ai/langgraph#8464
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", STEPS)
def test_killed_at_any_step_and_resumed_it_has_at_most_one_effect_and_an_end(
    ledger: Ledger, provider: DemoProvider, clock: ManualClock, step: str, when: str
) -> None:
    for fault in (Fault.NONE, Fault.RESPONSE_LOST, Fault.REQUEST_LOST, Fault.LATE):
        action = Action(f"a:{fault.name}", "letter", {"to": fault.name})
        provider.faults[action.key] = [fault]
        hook = crash_at((when, step))
        for _ in range(4):
            with suppress(Crash):
                sides = Stepped(ledger, "ledger", hook), Stepped(provider, "provider", hook)
                execute(action, *sides)
            clock.advance(LATE_MS // 3)
        row, effects = ledger.get(action.key), provider.effects(action.key)
        assert len(effects) <= 1
        assert row.state in (SETTLED, REVIEW)
        assert row.state == REVIEW or row.receipt == effects[0]["receipt"]
        assert row.state == SETTLED or provider.contract in (SEARCHABLE, BLIND)


# reported: langchain-ai/langgraph#8764
@pytest.mark.parametrize("step", ["find", "begin"])
def test_killed_before_its_intention_is_written_an_action_was_never_accepted(
    ledger: Ledger, provider: DemoProvider, action: Action, step: str
) -> None:
    with pytest.raises(Crash):
        execute(action, Stepped(ledger, "ledger", crash_at(("before", step))), provider)
    assert ledger.get(action.key) is None
    assert provider.requests() == []
    assert execute(action, ledger, provider).path == "sent"


# reported: crewAIInc/crewAI#5802, crewAIInc/crewAI#7449
def test_an_adapter_that_sends_twice_by_itself_is_seen_in_the_providers_records(
    ledger: Ledger, provider: DemoProvider, action: Action
) -> None:
    provider.faults = {action.key: [Fault.SENT_TWICE]}
    outcome = execute(action, ledger, provider)
    requests = provider.requests(action.key)
    assert (len(requests), outcome.attempts) == (2, 1)
    assert {request["attempt"] for request in requests} == {1}  # and this names the attempt


# reported: ComposioHQ/composio#3657
def test_a_time_out_is_one_request_and_unknown(
    ledger: Ledger, provider: DemoProvider, action: Action, meanwhile: Meanwhile
) -> None:
    def time_out() -> None:
        raise TimeoutError

    provider.unreadable = {action.key}
    meanwhile(time_out)
    assert execute(action, ledger, provider)[1:4] == (UNKNOWN, 1, "hold")
    assert execute(action, ledger, provider)[1:4] == (UNKNOWN, 1, "hold")
    assert len(provider.requests()) == 1


# reported: aws-powertools/powertools-lambda-python#8049
def test_a_lease_that_runs_out_after_dispatch_leads_to_a_question_and_not_to_a_second_send(
    ledger: Ledger,
    provider: DemoProvider,
    clock: ManualClock,
    action: Action,
    meanwhile: Meanwhile,
) -> None:
    second = []

    def outlast_the_lease() -> None:
        clock.advance(LATE_MS)
        second.append(execute(action, ledger, provider))

    meanwhile(outlast_the_lease)
    execute(action, ledger, provider)
    readable = provider.contract is not BLIND
    assert second[0].path == ("reconciled" if readable else "manual")
    assert ledger.get(action.key).state == SETTLED
    assert len(provider.requests()) == len(provider.effects()) == 1


# reported: aws-powertools/powertools-lambda-python#738, #1038
@pytest.mark.parametrize("contract", [KEYED, READABLE])
def test_what_a_dead_owner_left_in_progress_is_done_once_its_lease_is_over(
    ledger: Ledger, provider: DemoProvider, clock: ManualClock, action: Action
) -> None:
    with pytest.raises(Crash):
        execute(action, Stepped(ledger, "ledger", crash_at(("after", "begin"))), provider)
    for _ in range(3):
        assert execute(action, ledger, provider).path == "hold"
    clock.advance(SEND_WINDOW_MS + 60_000 + 1)
    assert execute(action, ledger, provider)[1:4] == (SETTLED, 2, "sent")
    assert len(provider.effects()) == 1


# reported: aws-powertools/powertools-lambda-typescript#2058, powertools-lambda-java#2260
@pytest.mark.parametrize("state", ["new", *STATES])
def test_the_payload_is_compared_on_every_path_that_reads_a_saved_record(
    ledger: Ledger,
    provider: DemoProvider,
    action: Action,
    row_in: RowIn,
    records: Records,
    state: str,
) -> None:
    if state == "new":
        execute(action, ledger, provider)
    else:
        row_in(ledger, state, provider.contract.name)
    before = records(ledger, provider)
    for other in (replace(action, payload={"lead": "lead-999"}), replace(action, kind="invoice")):
        with pytest.raises(KeyReused):
            execute(other, ledger, provider)
    assert records(ledger, provider) == before


# reported: django-idempotency-key, which hashes the body into the key
def test_other_content_under_a_key_is_refused_and_never_a_new_action(
    ledger: Ledger, provider: DemoProvider, action: Action
) -> None:
    execute(action, ledger, provider)
    with pytest.raises(KeyReused):
        execute(replace(action, payload={"lead": "lead-999"}), ledger, provider)
    assert len(ledger.rows()) == len(provider.effects()) == 1


# reported: open-mercato/open-mercato#4035
@pytest.mark.parametrize("prepared", [False, True])
def test_of_two_that_both_passed_the_check_one_calls_and_the_other_reports_busy(
    ledger: Ledger, provider: DemoProvider, action: Action, meanwhile: Meanwhile, prepared: bool
) -> None:
    if prepared:
        ledger.prepare(action)
    provider.unreadable = {action.key}
    paths = []

    def hook(when: str, step: str) -> None:
        if (when, step) == ("before", "ledger.begin") and not paths:
            paths.append("passed the check")
            meanwhile(lambda: paths.append(execute(action, second, provider).path))
            paths.append(execute(action, ledger, provider).path)

    second = Stepped(ledger, "ledger", lambda when, step: None)
    execute(action, Stepped(ledger, "ledger", hook), provider)
    assert paths == ["passed the check", "hold", "sent"]
    assert len(provider.requests()) == 1


# reported: dbos-inc/dbos-transact-py#812, dbos-inc/dbos-transact-py#818
def test_a_recovery_beside_a_slow_owner_is_fenced_and_the_owners_late_receipt_is_kept(
    ledger: Ledger,
    provider: DemoProvider,
    clock: ManualClock,
    action: Action,
    meanwhile: Meanwhile,
) -> None:
    provider.unreadable = {action.key}

    def recover() -> None:
        assert execute(action, ledger, provider).path == "hold"
        clock.advance(SEND_WINDOW_MS + 1)
        assert execute(action, ledger, provider).path == "manual"

    meanwhile(recover)
    outcome = execute(action, ledger, provider)
    assert outcome[1:] == (SETTLED, 1, "sent", f"{provider.contract.name}-1")
    last = ledger.events()[-1]
    assert (last["source"], last["target"], last["evidence"]) == (REVIEW, SETTLED, "response")
    assert len(provider.requests()) == 1


# reported: apache/airflow#58570
@pytest.mark.parametrize("contract", [KEYED, READABLE, SEARCHABLE])
@pytest.mark.parametrize("point", [("after", "perform"), ("before", "settle")], ids="-".join)
def test_killed_between_dispatch_and_receipt_it_is_found_again_by_our_own_name_for_it(
    ledger: Ledger,
    provider: DemoProvider,
    clock: ManualClock,
    action: Action,
    point: tuple[str, str],
) -> None:
    hook = crash_at(point)
    with pytest.raises(Crash):
        execute(action, Stepped(ledger, "l", hook), Stepped(provider, "p", hook))
    clock.advance(provider.contract.visibility_ms)
    assert execute(action, ledger, provider)[1:4] == (SETTLED, 1, "reconciled")
    assert len(provider.requests()) == 1


# reported: celery/celery#5935, celery/celery#3270
@pytest.mark.parametrize("fault", [Fault.NONE, Fault.RESPONSE_LOST, Fault.LATE])
def test_delivered_six_times_an_hour_apart_it_is_one_request(
    ledger: Ledger, provider: DemoProvider, clock: ManualClock, action: Action, fault: Fault
) -> None:
    provider.faults = {action.key: [fault]}
    for _ in range(6):
        execute(action, ledger, provider)
        clock.advance(3_600_000)
    assert len(provider.requests()) == len(provider.effects()) == 1


# reported: rq/rq#2015, coleifer/huey#253
@pytest.mark.parametrize(
    "point",
    [("after", "begin"), ("before", "perform"), ("before", "settle"), ("after", "settle")],
    ids="-".join,
)
def test_whatever_was_accepted_can_be_listed_wherever_its_worker_died(
    file_ledger: Ledger,
    ledger_path: Path,
    provider: DemoProvider,
    action: Action,
    point: tuple[str, str],
) -> None:
    hook = crash_at(point)
    with pytest.raises(Crash):
        execute(action, Stepped(file_ledger, "l", hook), Stepped(provider, "p", hook))
    file_ledger.close()
    with Ledger(ledger_path) as reopened:
        assert [row.key for row in reopened.rows()] == [action.key]
        is_open = point != ("after", "settle")
        assert [row.key for row in reopened.rows(open_only=True)] == [action.key] * is_open


# reported: TracecatHQ/tracecat#3266
def test_the_loss_of_a_heartbeat_permits_nothing(
    ledger: Ledger, provider: DemoProvider, clock: ManualClock, action: Action, row_in: RowIn
) -> None:
    row = row_in(ledger, UNKNOWN, provider.contract.name)  # its worker has not been heard since
    for at in (1, SEND_WINDOW_MS // 2, SEND_WINDOW_MS):
        clock.time = row.updated_at + at
        assert execute(action, ledger, provider)[1:4] == (UNKNOWN, 1, "hold")
    assert ledger.rows() == [row]
    assert provider.requests() == []


# reported: freescout-help-desk/freescout#5457, postalserver/postal#3016
@pytest.mark.parametrize("contract", [BLIND])
@pytest.mark.parametrize(
    ("fault", "first", "then", "mails"),
    [
        (Fault.REFUSED, (PREPARED, 1, "refused"), (SETTLED, 2, "sent"), 1),
        (Fault.RESPONSE_LOST, (UNKNOWN, 1, "hold"), (REVIEW, 1, "manual"), 1),
    ],
    ids=["before the body", "after it"],
)
def test_a_mail_whose_250_was_lost_is_never_sent_again(
    ledger: Ledger,
    provider: DemoProvider,
    clock: ManualClock,
    action: Action,
    fault: Fault,
    first: tuple[Any, ...],
    then: tuple[Any, ...],
    mails: int,
) -> None:
    provider.faults = {action.key: [fault]}
    assert execute(action, ledger, provider)[1:4] == first
    clock.advance(1)
    assert execute(action, ledger, provider)[1:4] == then
    assert len(provider.effects()) == mails


# reported: HubSpot/hubspot-api-php#59
@pytest.mark.parametrize("contract", [SEARCHABLE])
@pytest.mark.parametrize(
    ("fault", "by_hand", "end"),
    [
        (Fault.RESPONSE_LOST, 0, (SETTLED, 1, "reconciled")),
        (Fault.REQUEST_LOST, 0, (REVIEW, 1, "manual")),
        (Fault.RESPONSE_LOST, 1, (REVIEW, 1, "manual")),
    ],
    ids=["absent, then found", "absent past the window", "two candidates"],
)
def test_a_search_that_lags_behind_is_waited_for_and_never_answered_by_another_contact(
    ledger: Ledger,
    provider: DemoProvider,
    clock: ManualClock,
    action: Action,
    fault: Fault,
    by_hand: int,
    end: tuple[Any, ...],
) -> None:
    provider.faults = {action.key: [fault]}
    execute(action, ledger, provider)
    candidates = [provider.enter_by_hand(action) for _ in range(by_hand)]
    clock.advance(299_999)
    assert execute(action, ledger, provider)[1:4] == (UNKNOWN, 1, "hold")
    clock.advance(60_002)
    assert execute(action, ledger, provider)[1:4] == end
    assert len(provider.requests()) == (fault is Fault.RESPONSE_LOST)
    evidence = ledger.events()[-1]["evidence"]
    if candidates:
        assert all(receipt in evidence for receipt in ["searchable-1", *candidates])


# reported: Stripe's documentation of rate limits
@pytest.mark.parametrize(
    ("first", "expected"),
    [(True, (PREPARED, 1, "refused")), (False, (UNKNOWN, 1, "hold"))],
    ids=["before anything is done", "nobody says when"],
)
def test_too_many_requests_is_definite_only_where_the_contract_says_so(
    ledger: Ledger,
    contract: ProviderContract,
    clock: ManualClock,
    action: Action,
    first: bool,
    expected: tuple[Any, ...],
) -> None:
    told = replace(contract, rate_limit_first=first)
    script = {action.key: [Fault.RATE_LIMITED]}
    with DemoProvider(":memory:", told, clock, script) as provider:
        assert execute(action, ledger, provider)[1:4] == expected


# reported: several: a sweep after seven days, where the key was forgotten after one
@pytest.mark.parametrize("contract", [KEYED])
@pytest.mark.parametrize("fault", [Fault.REFUSED, Fault.REQUEST_LOST])
def test_a_sweep_after_the_key_was_forgotten_sends_nothing_under_it(
    ledger: Ledger, provider: DemoProvider, clock: ManualClock, action: Action, fault: Fault
) -> None:
    provider.faults = {action.key: [fault]}
    execute(action, ledger, provider)
    clock.advance(7 * DAY_MS)
    assert execute(action, ledger, provider)[1:4] == (REVIEW, 1, "manual")
    assert "forgotten this key" in ledger.events()[-1]["evidence"]
    assert provider.requests() == []
