"""The figures that lesson 15 asks for are those of `lab.operations`, on the same records."""

from decimal import Decimal
from functools import cache
from random import Random

import pytest

from lab.exercises.asked.measures import FIGURES, measures
from lab.faults.clock import MINUTE_MS, ManualClock
from lab.gateway import READABLE, Action, DemoProvider, Fault, execute
from lab.operations.ledger import OperatorLedger
from lab.operations.measures import measures as all_of_them

DAYS = range(12)
RATE = Decimal("28.35")


@cache
def day(seed: int) -> tuple[OperatorLedger, DemoProvider]:
    """Return a day on which other things go wrong, and other looks are measured."""
    draw, clock = Random(seed), ManualClock()
    actions = [Action(f"welcome:lead-{n}:v1", "welcome_email", {"n": n}) for n in range(12)]
    faults = {one.key: [draw.choice(list(Fault))] for one in actions}
    silent = [one.key for one in actions if draw.random() < 0.2]
    ledger = OperatorLedger(":memory:", clock)
    provider = DemoProvider(":memory:", READABLE, clock, faults, silent)
    for wait in range(seed % 3 + 1):
        clock.advance(wait * 10 * MINUTE_MS)
        for action in actions:
            execute(action, ledger, provider)
    for _ in range(seed % 4):
        minutes = Decimal(draw.randint(0, 40)) / 4
        ledger.reviewed(actions[0].key, minutes, "ada", incident=draw.random() < 0.5)
    return ledger, provider


def asked_of(ledger: OperatorLedger, provider: DemoProvider) -> dict[str, int | Decimal | None]:
    looks = [(one.minutes, bool(one.incident)) for one in ledger.reviews()]
    return measures(ledger.rows(), provider.effects(), provider.requests(), looks, RATE)


@pytest.mark.parametrize("seed", DAYS)
def test_both_come_to_the_same_figures(seed: int) -> None:
    ledger, provider = day(seed)
    both = ledger.rows(), ledger.events(), provider.effects(), provider.requests()
    theirs = all_of_them(*both, ledger.reviews(), lambda effect: True, RATE)
    mine = asked_of(ledger, provider)
    assert mine == {name: theirs[name] for name in FIGURES}
    assert tuple(mine) == FIGURES


def test_the_days_differ_in_every_figure() -> None:
    found = [asked_of(*day(seed)) for seed in DAYS]
    same = {name for name in FIGURES if len({figures[name] for figures in found}) == 1}
    assert same == {"actions_requested"}
