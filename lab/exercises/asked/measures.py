"""Lesson 15: what a run did and what its reviews cost, from the records of both sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal, getcontext, localcontext
from typing import Any, NamedTuple

from lab.exercises.asked.measures_mistakes import ANSWER, BESIDE, MISSING, MISTAKES
from lab.exercises.exercise import Exercise, Scenario
from lab.exercises.stage import Facts, Stage
from lab.gateway import PREPARED, REVIEW, SETTLED, UNKNOWN, Row, count_duplicates
from lab.guest.wire import Other, shown
from lab.operations.measures import review_cost, share


def measures(
    rows: list[Row], effects: list[dict[str, Any]], requests: list[dict[str, Any]],
    reviews: list[tuple[Decimal, bool]], usd_per_hour: Decimal,
) -> dict[str, int | Decimal | None]:  # fmt: skip
    """Return the figures of a run, from the records of both sides and the measured minutes."""
    states = Counter(row.state for row in rows)
    attempted = sum(row.attempts for row in rows)
    held = {(effect["key"], effect["receipt"]) for effect in effects}
    completed = sum(row.state == SETTLED and (row.key, row.receipt) in held for row in rows)
    usual = [minutes for minutes, incident in reviews if not incident]
    alarm = [minutes for minutes, incident in reviews if incident]
    return {
        "actions_requested": len(rows),
        "calls_attempted": attempted,
        "requests_received": len(requests),
        "effects_found": len(effects),
        "unknown": states[UNKNOWN],
        "review": states[REVIEW],
        "duplicates": count_duplicates((one["key"] for one in effects), (row.key for row in rows)),
        "completed_actions": completed,
        "attempts_per_completed": share(attempted, completed),
        "ordinary_cost_usd": review_cost(sum(usual, Decimal(0)), usd_per_hour) if usual else None,
        "incident_cost_usd": review_cost(sum(alarm, Decimal(0)), usd_per_hour) if alarm else None,
    }


AMOUNTS = ("attempts_per_completed", "ordinary_cost_usd", "incident_cost_usd")
FIGURES = (
    "actions_requested", "calls_attempted", "requests_received", "effects_found", "unknown",
    "review", "duplicates", "completed_actions", *AMOUNTS,
)  # fmt: skip
NOBODYS = "readable-77"  # a receipt that the provider never gave
STRANGERS = "readable-50"  # the receipt of an effect that nobody approved
DIGITS = 28  # what Decimal computes with, where nobody changed it


class Lead(NamedTuple):
    """What both sides wrote down about one lead's message."""

    number: int
    state: str
    attempts: int = 1
    requests: int = 1
    effects: int = 1
    receipt: str = ""  # of a settled row; empty: that of its last effect
    closed: int = 0


Look = tuple[str, bool]
"""The minutes of one look, and whether it was at an incident."""
LOOKS: tuple[Look, ...] = (("4", False), ("30", True))


class Papers(NamedTuple):
    """The records of both sides, as they are handed to the learner's piece."""

    rows: list[Row]
    effects: list[dict[str, Any]]
    requests: list[dict[str, Any]]

    def act(self, key: str, requests: int, effects: int, receipt: str = "") -> str:
        """Let requests arrive and effects happen; return the receipt of the last effect."""
        for attempt in range(1, requests + 1):
            number, name = len(self.requests) + 1, f"{key}#{attempt}"
            arrived = {"number": number, "key": key, "attempt": attempt, "request_id": name}
            outcome = "executed" if attempt <= effects else "rejected"
            self.requests.append({**arrived, "at": 1_000 * number, "outcome": outcome})
        for attempt in range(1, effects + 1):
            number, name = len(self.effects) + 1, f"{key}#{attempt}"
            given = receipt or f"readable-{number}"
            effect = {"number": number, "receipt": given, "key": key, "payload_hash": "a" * 64}
            self.effects.append({**effect, "request_id": name, "at": 1_000 * number})
        return self.effects[-1]["receipt"] if effects else ""

    def write(self, key: str, lead: Lead) -> None:
        """Let the ledger and the provider write down what happened to one lead's message."""
        last = self.act(key, lead.requests, lead.effects)
        receipt = (lead.receipt or last) if lead.state == SETTLED else None
        number, send_by = len(self.rows) + 1, 30_000 if lead.state == UNKNOWN else None
        self.rows.append(
            Row(number, key, "welcome_email", "a" * 64, lead.state, lead.attempts, 3, 2,
                "readable", send_by, 0, receipt, 0, lead.closed, 0, "worker", "", lead.attempts)
        )  # fmt: skip

    def story(self, looks: Sequence[Look]) -> list[str]:
        """Tell what stands in the records, a line each."""
        return [
            *(f"ledger: {one.key} {one.state}, attempts {one.attempts}"
              f"{f', receipt {one.receipt}' if one.receipt else ''}" for one in self.rows),
            *(f"provider: effect {one['receipt']} under {one['key']}" for one in self.effects),
            f"provider: requests {len(self.requests)}",
            *(f"look: {minutes} minutes{', at an incident' if incident else ''}"
              for minutes, incident in looks),
        ]  # fmt: skip


def figures(
    stage: Stage,
    leads: Sequence[Lead],
    looks: Sequence[Look] = LOOKS,
    usd_per_hour: str = "30",
    strangers: int = 0,
) -> Facts:
    """Ask for the figures of some records. What is set in decimal's context ends with the call."""
    papers = Papers([], [], [])
    for lead in leads:
        papers.write(f"welcome:lead-{stage.number(lead.number)}:v1", lead)
    papers.act(f"welcome:lead-{stage.number(999)}:v1", strangers, strangers, STRANGERS)
    stage.story = lambda: papers.story(looks)
    measured = [(Decimal(minutes), incident) for minutes, incident in looks]
    with localcontext(prec=max(DIGITS, getcontext().prec)):
        return told(stage.call("measures", *papers, measured, Decimal(usd_per_hour)))


def told(answer: Any) -> Facts:
    """Return what the learner's piece returned as facts, one for each figure."""
    if not isinstance(answer, dict):
        kind = answer.type if isinstance(answer, Other) else type(answer).__name__
        return {ANSWER: "nothing" if answer is None else f"no dictionary: {kind}"}
    return {
        ANSWER: "a dictionary",
        MISSING: [name for name in FIGURES if name not in answer],
        BESIDE: [str(name) for name in answer if name not in FIGURES],
        **{name: in_words(name, answer[name]) for name in FIGURES if name in answer},
    }


def in_words(name: str, value: Any) -> Any:
    """Return a figure so that its type is seen where it is not the one that is asked for."""
    if value is None or type(value) is (Decimal if name in AMOUNTS else int):
        return value if type(value) is int else str(value)
    if isinstance(value, str):
        return f"the text {value!r}"
    kind = {int: "the whole number", float: "the float"}.get(type(value), "something else:")
    return f"{kind} {value if isinstance(value, (int, float)) else shown(value).text}"


def records(name: str, title: str, *leads: Lead, live: bool = False, **other: Any) -> Scenario:
    """Return a scenario that asks for the figures of some leads; ``other`` as in `figures`."""
    return Scenario(name, title, lambda stage: figures(stage, leads, **other), live)


def drawn(stage: Stage) -> Facts:
    """Ask for the figures of records that no lesson shows."""
    draw = stage.draw
    leads = [Lead(201, SETTLED)]
    for number in range(202, 216):
        state = draw.choice([SETTLED, SETTLED, SETTLED, UNKNOWN, REVIEW, PREPARED])
        effects = 0 if state == PREPARED else draw.choice([0, 1, 1, 1, 2])
        receipt = f"{NOBODYS}{number}" if not effects else ""
        sent = draw.randint(1, 3), draw.randint(effects, 3)
        leads.append(Lead(number, state, *sent, effects, receipt, state == REVIEW and number % 2))
    looks = [(f"{draw.randint(1, 240) / 4}", draw.random() < 0.4) for _ in range(9)]
    rate = f"{draw.randint(20, 90)}.{draw.randint(0, 99):02}"
    return figures(stage, leads, [("3", False), ("7.5", True), *looks], rate, draw.randint(0, 2))


ONE = Lead(201, SETTLED)
exercise = Exercise(
    name="measures",
    lesson="15",
    title="Say what a run did, and what it cost",
    defines=("measures",),
    takes=("rows", "effects", "requests", "reviews", "usd_per_hour"),
    scenarios=(
        records("plain", "Five leads: three have their message, one of them at the second attempt. "
                "Two attempts were refused.",
                ONE, Lead(202, SETTLED, attempts=2), Lead(203, PREPARED, requests=0, effects=0),
                Lead(204, PREPARED, effects=0), Lead(205, SETTLED), live=True),
        records("unknown", "No answer came about lead-202, who has a message, and none about "
                "lead-203, who has none.",
                ONE, Lead(202, UNKNOWN), Lead(203, UNKNOWN, requests=0, effects=0),
                Lead(204, PREPARED, effects=0)),
        records("review", "Three rows are in REVIEW: one has its message, and one is closed.",
                ONE, Lead(202, REVIEW), Lead(203, REVIEW, attempts=3, requests=3, effects=0),
                Lead(204, REVIEW, requests=0, effects=0, closed=1)),
        records("person", "All three cases are left to a person, and nothing is done.",
                *(Lead(number, REVIEW, effects=0) for number in (201, 202, 203)),
                looks=[("4", False)] * 3),
        records("twice", "One call for lead-202 arrives twice, and makes two messages.",
                ONE, Lead(202, SETTLED, requests=2, effects=2)),
        records("missing", "Lead-201 has two messages, lead-202 has none.",
                Lead(201, SETTLED, requests=2, effects=2),
                Lead(202, PREPARED, requests=0, effects=0)),
        records("stranger", "Lead-999 got a message that nobody approved.", ONE, strangers=1),
        records("not there", "Lead-202 is SETTLED with a receipt that the provider never gave.",
                ONE, Lead(202, SETTLED, requests=0, effects=0, receipt=NOBODYS)),
        records("another's", "Lead-202 is SETTLED with the receipt of somebody else's message.",
                ONE, Lead(202, SETTLED, requests=0, effects=0, receipt=STRANGERS), strangers=1),
        records("other receipt", "Lead-202 has a message, and is SETTLED with another receipt.",
                ONE, Lead(202, SETTLED, receipt=NOBODYS)),
        records("nobody", "Nothing was asked for, and nobody looked at anything.", looks=()),
        records("no time", "One look was measured, and it took no time at all.",
                ONE, looks=[("0", False)]),
        records("halves", "Nine attempts for eight messages. A look that costs 66 cents and a "
                "half.", Lead(201, SETTLED, attempts=2),
                *(Lead(number, SETTLED) for number in range(202, 209)),
                looks=[("1", False), ("1", True)], usd_per_hour="39.90"),
        records("looks", "Two looks of one minute each, at $25 an hour.",
                ONE, looks=[("1", False), ("1", False), ("7", True)], usd_per_hour="25"),
        Scenario("drawn", "Fifteen leads, eleven looks and a rate that were drawn.", drawn),
    ),
    mistakes=MISTAKES,
    hints=(
        "For each figure: who wrote down what it is counted from, the ledger or the provider? And "
        "for which of them is there nothing to count?",
        "States and attempts are the ledger's, effects and requests the provider's. An action is "
        "completed if it is SETTLED and its pair of key and receipt is among the provider's pairs. "
        "Split the looks into two lists; where a list is empty, nothing was measured.",
        "The two that ask both sides, and one of the costs:\n"
        "    held = {(effect[\"key\"], effect[\"receipt\"]) for effect in effects}\n"
        "    completed = sum(row.state == ... and (row.key, ...) in held for row in rows)\n"
        "    usual = [minutes for minutes, incident in reviews if ...]\n"
        "    ... review_cost(sum(usual), usd_per_hour) if usual else ...",
    ),
    solved=(measures,),
    why="Each figure is counted where it was written down: states and attempts in the ledger, "
    "requests and effects at the provider. Completed asks both. What was not measured, or has "
    "nothing to be divided by, is None and never 0.",
)  # fmt: skip
