"""The hostile test: three actions, lost responses, a restart, and a provider that falls silent.

Its acceptance rules stand in `PROMISES`. Every figure it prints is counted or computed here.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import NamedTuple

from lab.faults.clock import MINUTE_MS, ManualClock
from lab.faults.edits import EDITS, SAFE, Gateway
from lab.faults.naive import send_and_retry
from lab.faults.worker import LEDGER_FILE, PROVIDER_FILE
from lab.gateway import (
    BLIND,
    KEYED,
    READABLE,
    SEARCHABLE,
    Action,
    DemoProvider,
    Fault,
    KeyReused,
    Ledger,
    Outcome,
    ProviderContract,
    action_key,
    count_duplicates,
)
from lab.gateway.ledger import Clock

REVIEW_MINUTES = 4  # an assumption: one ordinary look at one row; measure your own
STAFF_USD_PER_HOUR = Decimal("30")  # an assumption too
DEMO_USD_PER_CALL = Decimal("0.00")  # the demo provider is free

WELCOMES = [
    Action(action_key("welcome", lead, "v1"), "welcome_email", {"lead": lead, "template": "v1"})
    for lead in ("lead-201", "lead-202", "lead-203")
]
SILENT = {action.key: [Fault.RESPONSE_LOST] for action in WELCOMES[1:]}


def review_cost(reviews: int, minutes: int, usd_per_hour: Decimal) -> Decimal:
    """Return what it costs, in dollars and cents, to have people look at this many rows."""
    cost = reviews * minutes * usd_per_hour / 60
    return cost.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)


@dataclass(frozen=True)
class Run:
    """What one run left behind: outcomes of three passes, and the records of both sides."""

    first: list[Outcome]
    restart: list[Outcome]
    again: list[Outcome]
    states: dict[str, int]
    effects: list[str]  # the key of each effect
    requests: dict[str, int]  # arrivals by key
    attempts: dict[str, int]  # crossings by key, as the ledger counts them
    reuse_refused: bool

    @property
    def duplicates(self) -> int:
        """Effects beyond one for each approved key, as the provider's records say."""
        return count_duplicates(self.effects, self.attempts)


@contextmanager
def both_files(
    gateway: Gateway, contract: ProviderContract, folder: Path, clock: Clock, unreadable: str = ""
) -> Iterator[tuple[Ledger, DemoProvider]]:
    """Open ledger and provider as a new process would; ``unreadable`` cannot be read back."""
    with (
        gateway.ledger(folder / LEDGER_FILE, clock) as ledger,
        DemoProvider(folder / PROVIDER_FILE, contract, clock, SILENT, [unreadable]) as provider,
    ):
        yield ledger, provider


def run(gateway: Gateway, contract: ProviderContract, folder: Path, pause_ms: int) -> Run:
    """Send three welcomes; lose two responses; restart; ask again, and once more."""
    clock = ManualClock()
    passes: list[list[Outcome]] = []
    for unreadable in ("", WELCOMES[2].key, WELCOMES[2].key):
        with both_files(gateway, contract, folder, clock, unreadable) as (ledger, provider):
            passes.append([gateway.execute(action, ledger, provider) for action in WELCOMES])
        clock.advance(pause_ms)
    with both_files(gateway, contract, folder, clock) as (ledger, provider):
        refused = reuse_is_refused(gateway, ledger, provider)  # first: it must leave no trace
        return Run(
            first=passes[0],
            restart=passes[1],
            again=passes[2],
            states={state: n for state, n in ledger.counts().items() if n},
            effects=[effect["key"] for effect in provider.effects()],
            requests={a.key: len(provider.requests(a.key)) for a in WELCOMES},
            attempts={row.key: row.attempts for row in ledger.rows()},
            reuse_refused=refused,
        )


def reuse_is_refused(gateway: Gateway, ledger: Ledger, provider: DemoProvider) -> bool:
    """Bring every used key with another payload, then with another kind; all must be refused."""
    for action in WELCOMES:
        for other in (
            Action(action.key, action.kind, {**action.payload, "template": "v2"}),
            Action(action.key, "invoice", action.payload),
        ):
            try:
                gateway.execute(other, ledger, provider)
            except KeyReused:
                continue
            except Exception:  # refused by somebody further on, after it was let out
                return False
            return False
    return True


def baseline() -> dict[str, int]:
    """Measure the naive sender: one lost response, one retry."""
    action, clock = WELCOMES[1], ManualClock()
    with DemoProvider(":memory:", BLIND, clock, SILENT) as provider:
        send_and_retry(lambda attempt: provider.perform(action, attempt))
        effects = [effect["key"] for effect in provider.effects()]
        return {
            "attempts": len(provider.requests()),
            "duplicates": count_duplicates(effects, [action.key]),
            "external_actions": len(effects),
        }


def summary(run: Run) -> dict[str, object]:
    """Count what the run left behind, and what it costs to look at it."""
    reviews = run.states.get("REVIEW", 0)
    cost = review_cost(reviews, REVIEW_MINUTES, STAFF_USD_PER_HOUR)
    return {
        "duplicates": run.duplicates,
        "exercise_api_cost_usd": str(DEMO_USD_PER_CALL * sum(run.requests.values())),
        "logical_actions": len(run.attempts),
        "provider_actions": len(run.effects),
        "review_cost_usd": str(cost),
        "review_minutes": reviews * REVIEW_MINUTES,
        "states": run.states,
    }


PROMISES: dict[str, Callable[[Run], bool]] = {
    "three actions make exactly three provider records": lambda run: len(run.effects) == 3,
    "no duplicate exists at the provider": lambda run: run.duplicates == 0,
    "every request is an attempt that the ledger knows": lambda run: run.requests == run.attempts,
    "a lost response leaves UNKNOWN, not failed": lambda run: (
        [(o.state, o.path) for o in run.first[1:]] == [("UNKNOWN", "hold")] * 2
    ),
    "what is settled is answered from the ledger, with its receipt": lambda run: (
        run.restart[0].path == "cached" and run.restart[0].receipt == run.first[0].receipt
    ),
    "without readback an action goes to REVIEW and is not sent again": lambda run: (
        (run.restart[2].state, run.restart[2].path, run.restart[2].attempts)
        == ("REVIEW", "manual", 1)
    ),
    "asking once more changes nothing": lambda run: (
        [o.state for o in run.again] == [o.state for o in run.restart]
    ),
    "a key reused with other data is rejected": lambda run: run.reuse_refused,
}
"""What must hold for every contract, each with the sentence that says so when it is broken."""

# How the three welcomes must end, by what the provider promises.
ENDS: tuple[tuple[str, ProviderContract, int, tuple[str, str, str]], ...] = (
    ("keyed", KEYED, MINUTE_MS, ("SETTLED", "SETTLED", "REVIEW")),
    ("readable", READABLE, MINUTE_MS, ("SETTLED", "SETTLED", "REVIEW")),
    ("searchable, past its window", SEARCHABLE, 7 * MINUTE_MS, ("SETTLED", "SETTLED", "REVIEW")),
    ("searchable, inside its window", SEARCHABLE, MINUTE_MS, ("SETTLED", "UNKNOWN", "REVIEW")),
    ("blind", BLIND, MINUTE_MS, ("SETTLED", "REVIEW", "REVIEW")),
)


def broken_promises(name: str, run: Run, ends: tuple[str, str, str]) -> list[str]:
    """Return the promises that this run broke, each as a sentence."""
    broken = [sentence for sentence, holds in PROMISES.items() if not holds(run)]
    states = tuple(str(outcome.state) for outcome in run.restart)
    if states != ends:
        broken.append(f"the actions end as {', '.join(ends)}; they ended as {', '.join(states)}")
    return [f"{name}: {sentence}" for sentence in broken]


def show(outcomes: list[Outcome]) -> list[dict[str, object]]:
    """Write outcomes as the printed lines do: without the receipt."""
    return [
        {"attempts": o.attempts, "key": o.key, "path": o.path, "state": o.state} for o in outcomes
    ]


class Judged(NamedTuple):
    """What the hostile test says of a gateway: its five lines by name, and the broken promises.

    ``run`` is the run that the lines tell of; None, where it came to no end.
    """

    lines: dict[str, str]
    broken: list[str]
    run: Run | None


def judge(folder: Path, gateway: Gateway = SAFE) -> Judged:
    """Run all of the hostile test, the run that the lines tell of in a folder that stays."""
    lines, broken, told = {"BASELINE": in_short(baseline())}, [], None
    try:
        for name, contract, pause_ms, ends in ENDS:
            with tempfile.TemporaryDirectory() as elsewhere:
                place = Path(elsewhere) if told else folder
                one = run(gateway, contract, place, pause_ms)
            if told is None:
                told = one
                lines["FIRST_RUN"] = in_short(show(one.first))
                lines["RESTART"] = in_short(show(one.restart))
                lines["SUMMARY"] = in_short(summary(one))
            broken += broken_promises(name, one, ends)
    except Exception as error:  # an unsafe gateway may do anything; the test must go on to say so
        broken.append(f"the run came to an end: it stopped with {type(error).__name__}: {error}")
    lines["CHECK"] = "FAIL" if broken else "PASS"
    return Judged(lines, broken, told)


def hostile_test(folder: Path, gateway: Gateway = SAFE) -> list[str]:
    """Run all of it, print the five lines, and return the promises that were broken."""
    judged = judge(folder, gateway)
    for name, line in judged.lines.items():
        print(name, line)
    return judged.broken


def in_short(value: object) -> str:
    """Write a value as JSON with sorted names and no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def main(directory: str, edit: str | None = None) -> int:
    """Run the hostile test in a folder; return the exit code: 0 held, 1 broken, 2 cannot run."""
    folder = Path(directory)
    if edit is not None and edit not in EDITS:
        print(f"There is no unsafe edit {edit}. There are: {', '.join(EDITS)}.", file=sys.stderr)
        return 2
    if any((folder / name).exists() for name in (LEDGER_FILE, PROVIDER_FILE)):
        print(
            f"{directory} already holds a run, and nothing in it was changed. "
            "Name a new folder, or move the old one aside.",
            file=sys.stderr,
        )
        return 2
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        print(f"{directory} cannot be made: {error.strerror}. Name another.", file=sys.stderr)
        return 2
    broken = hostile_test(folder, EDITS[edit] if edit else SAFE)
    for promise in broken:
        print(f"broken: {promise}", file=sys.stderr)
    return 1 if broken else 0
