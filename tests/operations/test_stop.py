"""The stop: nothing begins, what is open is reconciled, and nothing is forgotten."""

from itertools import count
from pathlib import Path
from threading import Event, Thread

import pytest

from lab.faults.clock import ManualClock
from lab.gateway import (
    PREPARED,
    READABLE,
    REVIEW,
    SETTLED,
    UNKNOWN,
    Action,
    DemoProvider,
    Fault,
    ReviewDesk,
    Row,
    StoreLocked,
    execute,
)
from lab.operations.errors import DispatchStopped, NotApproved
from lab.operations.gateway import Gateway
from lab.operations.ledger import OperatorLedger
from tests.operations.conftest import HOUR_MS, START_MS, UNTIL_MS, approved, bring


@pytest.mark.parametrize("mode", ["gateway", "free"])
def test_while_dispatch_is_stopped_an_action_is_prepared_listed_and_not_sent(
    request: pytest.FixtureRequest, ledger: OperatorLedger, action: Action, mode: str
) -> None:
    gateway = request.getfixturevalue(mode)
    approved(ledger, action)
    ledger.stop_dispatch("ada", "the provider is down")
    for _ in range(2):
        assert gateway.execute(action) == (action.key, PREPARED, 0, "refused", None)
    assert [row.key for row in ledger.rows(open_only=True)] == [action.key]
    assert [event["evidence"] for event in ledger.events()] == ["prepared"]
    assert gateway.provider.requests() == []
    ledger.allow_dispatch("ada", "it is up again")
    assert gateway.execute(action)[1:4] == (SETTLED, 1, "sent")
    assert gateway.execute(action).path == "cached"
    assert len(gateway.provider.requests()) == 1


def test_what_is_not_approved_is_not_listed_while_dispatch_is_stopped(
    gateway: Gateway, action: Action
) -> None:
    gateway.ledger.stop_dispatch("ada", "the provider is down")
    with pytest.raises(NotApproved, match="never proposed"):
        gateway.execute(action)
    assert gateway.ledger.rows() == []


def test_while_dispatch_is_stopped_a_clock_set_back_revives_no_approval(
    gateway: Gateway, clock: ManualClock, action: Action
) -> None:
    approved(gateway.ledger, action)
    clock.time = UNTIL_MS
    gateway.ledger.prepare(action)
    clock.time = START_MS
    gateway.ledger.stop_dispatch("ada", "the provider is down")
    with pytest.raises(NotApproved, match="expired"):
        gateway.execute(action)


def test_the_stop_is_there_after_a_restart_and_in_every_other_process(
    ledger: OperatorLedger,
    ledger_path: Path,
    provider: DemoProvider,
    clock: ManualClock,
    action: Action,
) -> None:
    ledger.stop_dispatch("ada", "the provider is down")
    with OperatorLedger(ledger_path, clock) as other:
        assert Gateway(other, provider).execute(action).path == "refused"
    ledger.close()
    with OperatorLedger(ledger_path, clock) as again:
        assert Gateway(again, provider).execute(action).path == "refused"
        with pytest.raises(DispatchStopped, match="ada stopped dispatch"):
            execute(action, again, provider)
    assert provider.requests() == []


@pytest.mark.parametrize("state", [UNKNOWN, REVIEW])
def test_while_dispatch_is_stopped_what_is_open_is_reconciled(
    gateway: Gateway, action: Action, state: str
) -> None:
    bring(gateway, action, state)
    gateway.ledger.stop_dispatch("ada", "the provider is down")
    assert gateway.execute(action)[1:4] == (SETTLED, 1, "reconciled")
    assert len(gateway.provider.requests()) == 1


def test_while_dispatch_is_stopped_what_is_proved_not_executed_is_not_sent_again(
    gateway: Gateway, clock: ManualClock, action: Action
) -> None:
    approved(gateway.ledger, action)
    gateway.provider.faults = {action.key: [Fault.REQUEST_LOST]}
    gateway.execute(action)
    gateway.ledger.stop_dispatch("ada", "the provider is down")
    clock.time = UNTIL_MS - 1
    assert gateway.execute(action)[1:4] == (PREPARED, 1, "refused")
    gateway.ledger.allow_dispatch("ada", "it is up again")
    assert gateway.execute(action)[1:4] == (SETTLED, 2, "sent")
    assert len(gateway.provider.requests()) == 1  # the first never arrived


def test_while_dispatch_is_stopped_an_approved_attempt_waits_as_well(
    free: Gateway, clock: ManualClock, action: Action
) -> None:
    free.provider.faults = {action.key: [Fault.REQUEST_LOST]}
    free.execute(action)
    row = free.ledger.change(free.ledger.get(action.key), REVIEW, "for this test")
    free.ledger.stop_dispatch("ada", "the provider is down")
    clock.advance(HOUR_MS)
    ReviewDesk(free.ledger, "bob").approve_attempt(row, READABLE, "their list", clock())
    assert free.execute(action)[1:4] == (PREPARED, 1, "refused")
    assert free.provider.requests() == []
    free.ledger.allow_dispatch("ada", "it is up again")
    assert free.execute(action)[1:4] == (SETTLED, 2, "sent")
    assert len(free.provider.requests()) == 1


def test_a_stop_that_comes_while_another_begins_waits_for_it(
    ledger: OperatorLedger, ledger_path: Path, clock: ManualClock, action: Action
) -> None:
    def throw(*_: object) -> None:
        with OperatorLedger(ledger_path, clock, busy_ms=1) as operator:
            assert operator.may_dispatch()
            with pytest.raises(StoreLocked):
                operator.stop_dispatch("ada", "now")

    with ledger.guarded(throw):
        assert ledger.begin(action, None, "keyed").state == UNKNOWN
    assert ledger.may_dispatch()


@pytest.mark.parametrize(
    ("fault", "end", "evidence"),
    [
        (Fault.NONE, (SETTLED, 1, "sent"), "response"),
        (Fault.RESPONSE_LOST, (UNKNOWN, 1, "hold"), "no answer: ResponseLost"),
        (Fault.REFUSED, (PREPARED, 1, "refused"), "refused before anything was sent"),
    ],
    ids=lambda value: value.name if isinstance(value, Fault) else "",
)
def test_an_attempt_that_was_open_when_dispatch_stopped_keeps_its_answer(
    gateway: Gateway, action: Action, fault: Fault, end: tuple[str, int, str], evidence: str
) -> None:
    approved(gateway.ledger, action)
    gateway.provider.faults = {action.key: [fault]}
    perform = gateway.provider.perform

    def stopped_meanwhile(action: Action, attempt: int) -> str:
        gateway.ledger.stop_dispatch("ada", "the provider is down")
        return perform(action, attempt)

    gateway.provider.perform = stopped_meanwhile
    assert gateway.execute(action)[1:4] == end
    assert gateway.ledger.get(action.key).evidence == evidence
    assert not gateway.ledger.may_dispatch()


def test_whoever_is_refused_while_another_begins_reports_what_the_other_did(
    ledger: OperatorLedger,
    ledger_path: Path,
    provider: DemoProvider,
    clock: ManualClock,
    action: Action,
) -> None:
    """The switch goes on again after the refusal, and a second worker is faster."""
    ledger.stop_dispatch("ada", "the provider is down")
    prepare = ledger.prepare

    def overtaken(action: Action) -> Row:
        with OperatorLedger(ledger_path, clock) as other:
            other.allow_dispatch("ada", "it is up again")
            assert Gateway(other, provider).execute(action).path == "sent"
        return prepare(action)

    ledger.prepare = overtaken
    assert Gateway(ledger, provider).execute(action)[1:4] == (SETTLED, 1, "cached")
    assert len(provider.requests()) == 1


def test_attempts_that_are_used_up_go_to_a_person_also_while_dispatch_is_stopped(
    gateway: Gateway, clock: ManualClock, action: Action
) -> None:
    row = bring(gateway, action, PREPARED)
    gateway.ledger.change(row, PREPARED, "for this test", attempts_allowed=row.attempts)
    gateway.ledger.stop_dispatch("ada", "the provider is down")
    clock.time = UNTIL_MS
    assert gateway.execute(action)[1:4] == (REVIEW, 1, "manual")


def test_nothing_begins_after_the_stop_has_returned_however_many_are_at_work(
    ledger: OperatorLedger, ledger_path: Path, tmp_path: Path
) -> None:
    at_work, ended = Event(), []

    def work(turn: int) -> None:
        with (
            OperatorLedger(ledger_path, lambda: START_MS, busy_ms=60_000) as own,
            DemoProvider(tmp_path / "provider.sqlite3", READABLE, lambda: START_MS) as provider,
        ):
            for number in count():
                outcome = Gateway(own, provider).execute(Action(f"a:{turn}-{number}", "k", {}))
                at_work.set()
                if outcome.path == "refused":
                    ended.append(outcome)
                    return

    def begun() -> int:
        return sum(event["target"] == UNKNOWN for event in ledger.events())

    with DemoProvider(tmp_path / "provider.sqlite3", READABLE) as provider:
        ledger._db.execute("PRAGMA busy_timeout = 60000")
        workers = [Thread(target=work, args=(turn,)) for turn in range(2)]
        for worker in workers:
            worker.start()
        at_work.wait(60)
        ledger.stop_dispatch("ada", "enough")
        before = begun()
        for worker in workers:
            worker.join(60)
        assert begun() == before == len(provider.requests()) > 0
    assert [outcome.state for outcome in ended] == [PREPARED] * 2
