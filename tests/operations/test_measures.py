"""Each figure, from the records that a run left behind; and what no record shows."""

from collections.abc import Iterator
from decimal import Decimal

import pytest

from lab.faults.clock import ManualClock
from lab.faults.hostile import review_cost as cost_in_the_lesson
from lab.gateway import READABLE, REVIEW, Action, DemoProvider, Fault, ReviewDesk, execute
from lab.operations.ledger import OperatorLedger, Review
from lab.operations.measures import MEASURES, Accepted, Value, measures, review_cost

RATE = Decimal("30")
NOT_MEASURED = ("provider_fees_usd", "database_usd", "queue_usd", "engineering_usd", "delay_usd")
LATE_MS = 10 * READABLE.in_flight_ms
FAULTS = {
    "a-1": [],
    "a-2": [Fault.RESPONSE_LOST],
    "a-3": [Fault.REQUEST_LOST],
    "a-4": [Fault.REFUSED],
    "a-5": [Fault.RESPONSE_LOST],
    "a-6": [Fault.SENT_TWICE],
    "a-7": [Fault.REJECTION_LOST],
}
ACTIONS = {key: Action(key, "welcome_email", {"to": key}) for key in FAULTS}


@pytest.fixture
def provider(clock: ManualClock) -> Iterator[DemoProvider]:
    """Return a provider at which something else goes wrong with each action."""
    with DemoProvider(":memory:", READABLE, clock, FAULTS, ["a-5"]) as opened:
        yield opened


def figures(
    ledger: OperatorLedger,
    provider: DemoProvider,
    accepted: Accepted | None = None,
    usd_per_hour: Decimal | None = None,
) -> dict[str, Value]:
    both = ledger.rows(), ledger.events(), provider.effects(), provider.requests()
    return measures(*both, ledger.reviews(), accepted, usd_per_hour)


def run(ledger: OperatorLedger, provider: DemoProvider, clock: ManualClock) -> None:
    """Send all, wait, and send all again: what is silent is read back."""
    for action in ACTIONS.values():
        execute(action, ledger, provider)
        clock.advance(1_000)
    clock.advance(LATE_MS)
    for action in ACTIONS.values():
        execute(action, ledger, provider)


def test_every_figure_of_a_run_is_counted_from_both_records(
    ledger: OperatorLedger, provider: DemoProvider, clock: ManualClock
) -> None:
    run(ledger, provider, clock)
    ledger.reviewed("a-5", Decimal("4"), "ada")
    ledger.reviewed("a-5", Decimal("2.5"), "bob")
    ledger.reviewed("a-6", Decimal("30"), "ada", incident=True)
    found = figures(ledger, provider, lambda effect: effect["key"] != "a-1", RATE)
    assert found == {
        "actions_requested": 7,
        "calls_attempted": 10,  # a-3, a-4 and a-7 were sent once more
        "requests_received": 9,  # two of the ten never arrived, and one call arrived twice
        "effects_found": 8,
        "unknown": 0,
        "review": 1,
        "risks_accepted": 0,
        "readbacks_needed": 4,  # a-2, a-3, a-5 and a-7
        "readbacks_decided": 3,
        "readback_success": Decimal("0.75"),
        "readback_age_median_ms": 6_000 + LATE_MS,
        "readback_age_longest_ms": 6_000 + LATE_MS,
        "ordinary_minutes": Decimal("6.5"),
        "incident_minutes": Decimal("30"),
        "ordinary_cost_usd": Decimal("3.25"),
        "incident_cost_usd": Decimal("15.00"),
        "review_cost_usd": Decimal("18.25"),
        "duplicates": 1,
        "completed_actions": 5,
        "attempts_per_completed": Decimal("2.00"),
        **dict.fromkeys(NOT_MEASURED),
    }


def test_what_was_not_measured_is_none_and_never_0(
    ledger: OperatorLedger, provider: DemoProvider
) -> None:
    found = figures(ledger, provider)
    assert {name for name, value in found.items() if value is None} == {
        "readback_success",
        "readback_age_median_ms",
        "readback_age_longest_ms",
        "ordinary_minutes",
        "incident_minutes",
        "ordinary_cost_usd",
        "incident_cost_usd",
        "review_cost_usd",
        "completed_actions",
        "attempts_per_completed",
        *NOT_MEASURED,
    }
    assert all(value == 0 for value in found.values() if value is not None)


def test_minutes_without_a_rate_have_no_cost_and_a_rate_alone_has_none_either(
    ledger: OperatorLedger, provider: DemoProvider, action: Action
) -> None:
    ledger.prepare(action)
    assert figures(ledger, provider, usd_per_hour=RATE)["review_cost_usd"] is None
    ledger.reviewed(action.key, Decimal(4), "ada")
    found = figures(ledger, provider)
    assert (found["ordinary_minutes"], found["incident_minutes"]) == (Decimal(4), None)
    assert found["review_cost_usd"] is None
    assert figures(ledger, provider, usd_per_hour=RATE)["review_cost_usd"] == Decimal("2.00")


def test_looks_that_took_no_time_cost_0_for_they_were_measured() -> None:
    looks = [Review("a-1", "ada", Decimal(0), 0, 0)]
    found = measures([], [], [], [], looks, None, RATE)
    assert (found["ordinary_minutes"], found["review_cost_usd"]) == (0, Decimal("0.00"))


def test_nothing_completed_has_no_attempts_for_each(
    ledger: OperatorLedger, provider: DemoProvider, clock: ManualClock
) -> None:
    run(ledger, provider, clock)
    found = figures(ledger, provider, lambda effect: False)
    assert (found["completed_actions"], found["attempts_per_completed"]) == (0, None)


def test_a_settled_action_whose_effect_nobody_holds_is_not_completed(
    ledger: OperatorLedger, provider: DemoProvider, action: Action
) -> None:
    ledger.settle(ledger.begin(action, None, "readable"), "readable-77", "response")
    assert figures(ledger, provider, lambda effect: True)["completed_actions"] == 0


def test_a_receipt_that_a_person_found_is_no_readback(
    ledger: OperatorLedger, provider: DemoProvider, clock: ManualClock
) -> None:
    run(ledger, provider, clock)
    before = figures(ledger, provider)
    desk = ReviewDesk(ledger, "ada")
    desk.record_receipt(ledger.get("a-5"), "readable-4", "seen in the provider's list")
    after = figures(ledger, provider)
    assert (before["review"], after["review"]) == (1, 0)
    assert after["readbacks_decided"] == before["readbacks_decided"]


def test_an_attempt_whose_process_died_needs_a_readback(
    ledger: OperatorLedger, provider: DemoProvider
) -> None:
    row = ledger.begin(ACTIONS["a-1"], None, "readable")
    found = figures(ledger, provider)
    assert (found["readbacks_needed"], found["readbacks_decided"]) == (1, 0)
    ledger.settle(row, "readable-1", "response")  # it was only late
    assert figures(ledger, provider)["readbacks_needed"] == 0


def test_a_risk_that_a_person_took_is_counted(ledger: OperatorLedger, action: Action) -> None:
    row = ledger.change(ledger.begin(action, None, "readable"), REVIEW, "in doubt")
    ledger.change(row, "PREPARED", "accepted risk: asked", send_by=None, risks_accepted=1)
    assert measures(ledger.rows(), [], [], [], [])["risks_accepted"] == 1


def test_a_stranger_at_the_provider_is_a_duplicate(
    ledger: OperatorLedger, provider: DemoProvider
) -> None:
    provider.perform(ACTIONS["a-1"], 1)
    assert figures(ledger, provider)["duplicates"] == 1


@pytest.mark.parametrize(
    ("minutes", "rate", "cost"),
    [("4", "30", "2.00"), ("1", "39.30", "0.66"), ("1", "39.90", "0.67"), ("2.5", "25", "1.04"),
     ("0", "30", "0.00"), ("0.1", "30", "0.05"), ("2", "2.85", "0.10")],
)  # fmt: skip
def test_a_cost_is_rounded_half_up_to_the_cent(minutes: str, rate: str, cost: str) -> None:
    assert str(review_cost(Decimal(minutes), Decimal(rate))) == cost


def test_a_cost_is_the_one_that_the_hostile_test_computes() -> None:
    for minutes in range(60):
        rate = Decimal("28.35")
        assert review_cost(Decimal(minutes), rate) == cost_in_the_lesson(1, minutes, rate)


def test_every_figure_has_a_definition_and_what_it_may_not_be_used_to_claim() -> None:
    names = [measure.name for measure in MEASURES]
    assert len(set(names)) == len(names)
    for measure in MEASURES:
        assert measure.means.endswith(".")
        assert measure.not_for.endswith(".")
    told = {measure.name: measure.not_for for measure in MEASURES}
    assert "sending every case to a person is not doing it" in told["review"]
    assert "Revenue" in told["duplicates"]
