"""What is refused is refused on every path, and leaves rows, events and provider as they were."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from lab.faults.clock import ManualClock
from lab.faults.steps import Stepped
from lab.gateway import (
    PREPARED,
    REVIEW,
    SETTLED,
    STATES,
    UNKNOWN,
    Action,
    DemoProvider,
    Fault,
    KeyReused,
    Ledger,
    UncanonicalPayload,
    UnsafeKey,
    WrongProvider,
    execute,
)
from tests.gateway.conftest import Records, RowIn

LATE_MS = 12 * 3_600_000

OTHERS: dict[str, Callable[[Action], Action]] = {
    "other payload": lambda a: replace(a, payload={**a.payload, "template": "v2"}),
    "less payload": lambda a: replace(a, payload={"lead": a.payload["lead"]}),
    "more payload": lambda a: replace(a, payload={**a.payload, "note": None}),
    "no payload": lambda a: replace(a, payload={}),
    "other kind": lambda a: replace(a, kind="invoice"),
}
# Two stand for all where the others would take the same path.
TWO = {name: OTHERS[name] for name in ("other payload", "other kind")}
REUSED = pytest.mark.parametrize("change", TWO.values(), ids=TWO)


@pytest.mark.parametrize("late", [False, True], ids=["at once", "much later"])
@pytest.mark.parametrize("state", STATES)
def test_a_key_that_names_something_else_is_refused_in_every_state(
    ledger: Ledger,
    provider: DemoProvider,
    clock: ManualClock,
    action: Action,
    row_in: RowIn,
    records: Records,
    late: bool,
    state: str,
) -> None:
    row_in(ledger, state, provider.contract.name)
    provider.enter_by_hand(action)  # there would be something to find
    clock.advance(LATE_MS * late)
    before = records(ledger, provider)
    for change in OTHERS.values():
        with pytest.raises(KeyReused, match="Nothing was written, nothing was sent") as refused:
            execute(change(action), ledger, provider)
        assert isinstance(refused.value, ValueError)
        assert str(refused.value).startswith(action.key)
        assert records(ledger, provider) == before


@pytest.mark.parametrize("state", STATES)
def test_neither_finding_nor_preparing_takes_a_key_for_something_else(
    ledger: Ledger, action: Action, row_in: RowIn, state: str
) -> None:
    row_in(ledger, state)
    before = ledger.rows(), ledger.events()
    for change in OTHERS.values():
        for method in (ledger.find, ledger.prepare):
            with pytest.raises(KeyReused):
                method(change(action))
    assert (ledger.rows(), ledger.events()) == before


@REUSED
@pytest.mark.parametrize("how", ["prepare", "execute"])
def test_a_key_that_somebody_else_takes_between_the_look_and_the_claim_is_refused(
    ledger: Ledger,
    provider: DemoProvider,
    action: Action,
    records: Records,
    change: Callable[[Action], Action],
    how: str,
) -> None:
    before = []

    def hook(when: str, step: str) -> None:
        if (when, step) == ("before", "ledger.begin") and not before:
            theirs = change(action)
            ledger.prepare(theirs) if how == "prepare" else execute(theirs, ledger, provider)
            before.append(records(ledger, provider))

    with pytest.raises(KeyReused):
        execute(action, Stepped(ledger, "ledger", hook), provider)
    assert before == [records(ledger, provider)]


@REUSED
def test_a_key_reused_during_the_call_is_refused_and_the_call_goes_on(
    ledger: Ledger,
    provider: DemoProvider,
    action: Action,
    meanwhile: Callable[[Callable[[], object]], None],
    change: Callable[[Action], Action],
) -> None:
    refused = []

    def reuse() -> None:
        with pytest.raises(KeyReused):
            execute(change(action), ledger, provider)
        refused.append(True)

    meanwhile(reuse)
    assert execute(action, ledger, provider)[1:4] == (SETTLED, 1, "sent")
    assert refused == [True]
    assert len(provider.requests()) == 1


@pytest.mark.parametrize("state", STATES)
def test_the_same_data_written_otherwise_is_the_same_action(
    ledger: Ledger, provider: DemoProvider, action: Action, row_in: RowIn, state: str
) -> None:
    row_in(ledger, state, provider.contract.name)
    turned = Action(action.key, action.kind, dict(reversed(action.payload.items())))
    assert execute(turned, ledger, provider).key == action.key


def test_a_key_is_refused_before_the_wrong_provider_is(
    ledger: Ledger, provider: DemoProvider, action: Action, row_in: RowIn
) -> None:
    """Who brings other data learns that first; it is no use to him to know the provider."""
    row_in(ledger, UNKNOWN, "elsewhere")
    with pytest.raises(KeyReused):
        execute(replace(action, kind="invoice"), ledger, provider)


@pytest.mark.parametrize("state", [UNKNOWN, SETTLED, REVIEW])
def test_the_wrong_provider_is_neither_asked_nor_written_to(
    ledger: Ledger,
    provider: DemoProvider,
    clock: ManualClock,
    action: Action,
    row_in: RowIn,
    records: Records,
    state: str,
) -> None:
    row_in(ledger, state, "elsewhere")
    provider.enter_by_hand(action)  # this provider would even have an answer
    clock.advance(LATE_MS)
    before = records(ledger, provider)
    with pytest.raises(WrongProvider, match="Nothing was written, nothing was sent"):
        execute(action, ledger, provider)
    assert records(ledger, provider) == before


def test_an_action_that_was_only_prepared_may_go_to_any_provider(
    ledger: Ledger, provider: DemoProvider, action: Action, row_in: RowIn
) -> None:
    assert row_in(ledger, PREPARED).provider is None
    assert execute(action, ledger, provider).path == "sent"


@pytest.mark.parametrize(
    ("key", "kind", "payload", "error"),
    [
        ("ada@example.org", "welcome_email", {}, UnsafeKey),
        ("refund:4111111111111111", "refund", {}, UnsafeKey),
        ("welcome:1", "welcome email", {}, UnsafeKey),
        ("welcome:1", "4111-1111-1111-1111", {}, UnsafeKey),
        ("welcome:1", "welcome_email", {"amount": 1.5}, UncanonicalPayload),
        ("welcome:1", "welcome_email", {1: "a"}, UncanonicalPayload),
        ("welcome:1", "welcome_email", None, UncanonicalPayload),
    ],
)
def test_what_cannot_be_an_action_never_comes_near_a_ledger(
    key: str, kind: str, payload: object, error: type[ValueError]
) -> None:
    with pytest.raises(error):
        Action(key, kind, payload)  # type: ignore[arg-type]


@pytest.mark.parametrize("fault", [Fault.REFUSED, Fault.REJECTED, Fault.RESPONSE_LOST])
def test_a_key_stays_taken_however_its_first_attempt_ended(
    ledger: Ledger, provider: DemoProvider, action: Action, records: Records, fault: Fault
) -> None:
    provider.faults = {action.key: [fault]}
    execute(action, ledger, provider)
    before = records(ledger, provider)
    with pytest.raises(KeyReused):
        execute(replace(action, payload={}), ledger, provider)
    assert records(ledger, provider) == before
