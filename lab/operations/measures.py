"""What a run did and what it cost, from the records of both sides; and what that does not say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from functools import cached_property
from statistics import median_high
from typing import Any, NamedTuple

from lab.gateway.ledger import Row
from lab.gateway.provider import count_duplicates
from lab.gateway.states import PREPARED, REVIEW, SETTLED, UNKNOWN
from lab.operations.ledger import Review

Value = int | Decimal | None
"""A figure; None where nothing was measured, which is not 0."""
Record = Mapping[str, Any]
Accepted = Callable[[Record], bool]
"""The business's own rule: tells of one effect whether it is what was wanted."""
BY_CALL, BY_RECEIPT, BY_PROOF = "the call", "a receipt read back", "non-execution read back"


def review_cost(minutes: Decimal, usd_per_hour: Decimal) -> Decimal:
    """Return what measured minutes cost, in dollars, rounded half up to the cent."""
    return rounded(minutes * usd_per_hour / 60)


def rounded(value: Decimal) -> Decimal:
    """Return a figure with two places, rounded half up."""
    return value.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)


def ended(event: Record) -> str:
    """Say what ended the attempt that an event is about, or an empty text: nothing did."""
    move, evidence = (event["source"], event["target"]), event["evidence"]
    if move[1] == SETTLED and evidence in ("response", "readback"):
        return BY_CALL if evidence == "response" else BY_RECEIPT
    if move == (UNKNOWN, PREPARED):
        return BY_PROOF if evidence.startswith("proved not executed") else BY_CALL
    return ""


class Silence(NamedTuple):
    """An attempt whose call did not say how it ended: a readback has to. Times in ms."""

    begun_at: int
    ended_at: int | None  # None: no readback decided it
    by: str  # a receipt or non-execution, read back; or an empty text


@dataclass(frozen=True)
class Records:
    """What both sides wrote down, and two things that only the business knows.

    ``rows``, ``events`` and ``reviews`` are the ledger's, ``effects`` and ``requests`` the
    provider's, oldest first. ``accepted`` and ``usd_per_hour`` are None where they are not known.
    """

    rows: Sequence[Row]
    events: Sequence[Record]
    effects: Sequence[Record]
    requests: Sequence[Record]
    reviews: Sequence[Review]
    accepted: Accepted | None
    usd_per_hour: Decimal | None

    @property
    def attempts(self) -> int:
        """How often the boundary was crossed, as the ledger counts."""
        return sum(row.attempts for row in self.rows)

    @property
    def duplicates(self) -> int:
        """How many effects are too many."""
        effects = (effect["key"] for effect in self.effects)
        return count_duplicates(effects, (row.key for row in self.rows))

    @cached_property
    def silences(self) -> list[Silence]:
        """The attempts that a readback had to decide, in the order in which they began."""
        begun: dict[tuple[str, int], int] = {}
        ends: dict[tuple[str, int], tuple[int | None, str]] = {}
        for event in self.events:
            attempt = (event["key"], event["attempt"])
            if (event["source"], event["target"]) == (PREPARED, UNKNOWN):
                begun[attempt] = event["at"]
            elif by := ended(event):
                ends.setdefault(attempt, (event["at"], by))
        all_of_them = (Silence(at, *ends.get(which, (None, ""))) for which, at in begun.items())
        return [one for one in all_of_them if one.by != BY_CALL]

    @property
    def decided(self) -> int:
        """How many of them a readback did decide."""
        return sum(one.ended_at is not None for one in self.silences)

    @property
    def ages(self) -> list[int]:
        """How long after its begin each attempt's receipt was read back, in ms."""
        found = (one for one in self.silences if one.by == BY_RECEIPT)
        return [one.ended_at - one.begun_at for one in found if one.ended_at is not None]

    @cached_property
    def completed(self) -> int | None:
        """How many actions are SETTLED by an effect that is there, and that the rule accepts."""
        if self.accepted is None:
            return None
        good = {(one["key"], one["receipt"]) for one in self.effects if self.accepted(one)}
        return sum(row.state == SETTLED and (row.key, row.receipt) in good for row in self.rows)

    def count(self, state: str) -> int:
        """How many actions are in a state."""
        return sum(row.state == state for row in self.rows)

    def minutes(self, *incident: int) -> Decimal | None:
        """Minutes of the looks that were ordinary (0), at an incident (1), or both."""
        measured = [one.minutes for one in self.reviews if one.incident in incident]
        return sum(measured, Decimal(0)) if measured else None

    def cost(self, *incident: int) -> Decimal | None:
        """What the looks of these kinds cost, in dollars; see `minutes`."""
        minutes, rate = self.minutes(*incident), self.usd_per_hour
        return None if minutes is None or rate is None else review_cost(minutes, rate)


def share(part: int, whole: int | None) -> Decimal | None:
    """Return a part of a whole with two places; None where there is no whole."""
    return rounded(Decimal(part) / whole) if whole else None


class Measure(NamedTuple):
    """One figure: its definition, what it may not be used to claim, and how it is counted."""

    name: str
    means: str
    not_for: str
    figure: Callable[[Records], Value] = lambda records: None


MEASURES = (
    Measure(
        "actions_requested",
        "Actions that the ledger holds: intentions, each counted once however often it was tried.",
        "Demand, or work done: what is refused before the ledger is not in it.",
        lambda records: len(records.rows),
    ),
    Measure(
        "calls_attempted",
        "Attempts that began, as the ledger counts them.",
        "Requests at the provider: a call may never arrive, and a client may repeat one unseen.",
        lambda records: records.attempts,
    ),
    Measure(
        "requests_received",
        "Requests in the provider's own record, with or without an effect.",
        "Safety: more of them than attempts means that something below the gateway repeats calls.",
        lambda records: len(records.requests),
    ),
    Measure(
        "effects_found",
        "Effects in the provider's own record.",
        "Success: an effect may be a duplicate, may be wrong, and may never reach anybody.",
        lambda records: len(records.effects),
    ),
    Measure(
        "unknown",
        "Actions that are UNKNOWN: an attempt began, and nobody has evidence of how it ended.",
        "Failures: each may have happened.",
        lambda records: records.count(UNKNOWN),
    ),
    Measure(
        "review",
        "Actions in REVIEW, those closed by a person included.",
        "Actions done: sending every case to a person is not doing it.",
        lambda records: records.count(REVIEW),
    ),
    Measure(
        "risks_accepted",
        "Attempts that a person allowed without proof that no earlier one took effect.",
        "Safe attempts: each may have made a duplicate.",
        lambda records: sum(row.risks_accepted for row in records.rows),
    ),
    Measure(
        "readbacks_needed",
        "Attempts whose call gave no answer, so that a readback had to decide.",
        "The provider's reliability: an answer may be lost anywhere on the way.",
        lambda records: len(records.silences),
    ),
    Measure(
        "readbacks_decided",
        "Of these, those that a readback decided: by a receipt, or by proof of non-execution.",
        "Deliveries: proof that nothing happened counts, too.",
        lambda records: records.decided,
    ),
    Measure(
        "readback_success",
        "The share that was decided of the readbacks needed, 1.00 for all.",
        "The provider's reliability, where few were needed.",
        lambda records: share(records.decided, len(records.silences)),
    ),
    Measure(
        "readback_age_median_ms",
        "From the begin of an attempt to the receipt that was read back, in ms: the median.",
        "The provider's speed: it holds the time until somebody asked.",
        lambda records: median_high(records.ages) if records.ages else None,
    ),
    Measure(
        "readback_age_longest_ms",
        "The same: the longest.",
        "A bound: the next one may take longer, and those not found yet are not in it.",
        lambda records: max(records.ages, default=None),
    ),
    Measure(
        "ordinary_minutes",
        "Measured minutes of people's ordinary looks.",
        "All of people's time: looks that nobody measured are not in it.",
        lambda records: records.minutes(0),
    ),
    Measure(
        "incident_minutes",
        "Measured minutes of people's looks during an incident.",
        "A forecast: the next incident is another one.",
        lambda records: records.minutes(1),
    ),
    Measure(
        "ordinary_cost_usd",
        "The ordinary minutes at the rate for an hour, rounded half up to the cent.",
        "What the system costs, or saves: it is the price of looking alone.",
        lambda records: records.cost(0),
    ),
    Measure(
        "incident_cost_usd",
        "The same, of the minutes during an incident.",
        "What an incident costs: those who waited, and what broke, are not in it.",
        lambda records: records.cost(1),
    ),
    Measure(
        "review_cost_usd",
        "All measured minutes at the rate, added up first and rounded once.",
        "The sum of the two above: each of them was rounded for itself.",
        lambda records: records.cost(0, 1),
    ),
    Measure(
        "duplicates",
        "Effects beyond one for each approved key, from the provider's own record.",
        "Revenue: a prevented duplicate is none. 0 in a run is no promise for the next one.",
        lambda records: records.duplicates,
    ),
    Measure(
        "completed_actions",
        "Actions that are SETTLED by an effect which the provider holds and the business accepts.",
        "Delivery or satisfaction, unless the business's rule looks at them.",
        lambda records: records.completed,
    ),
    Measure(
        "attempts_per_completed",
        "Attempts for each completed action.",
        "Efficiency by itself: read it beside the minutes of review, which may have replaced them.",
        lambda records: share(records.attempts, records.completed),
    ),
    Measure("provider_fees_usd", "What the provider charges.", "That it is 0: see the bill."),
    Measure(
        "database_usd", "Disk, backup and care of the ledger.", "That it is 0: somebody runs it."
    ),
    Measure("queue_usd", "What brings actions to the gateway.", "That it is 0: somebody runs it."),
    Measure(
        "engineering_usd",
        "Building and changing all of it.",
        "That it is 0: most of the cost is often here.",
    ),
    Measure("delay_usd", "What waiting costs those who wait.", "That it is 0: ask them."),
)
"""All figures. Those without a function are costs that the records of both sides cannot show."""


def measures(
    rows: Sequence[Row],
    events: Sequence[Record],
    effects: Sequence[Record],
    requests: Sequence[Record],
    reviews: Sequence[Review],
    accepted: Accepted | None = None,
    usd_per_hour: Decimal | None = None,
) -> dict[str, Value]:
    """Return every figure of `MEASURES` by its name; the arguments are those of `Records`."""
    records = Records(rows, events, effects, requests, reviews, accepted, usd_per_hour)
    return {measure.name: measure.figure(records) for measure in MEASURES}
