"""More answers to lesson 15's exercise."""

from collections import Counter
from decimal import ROUND_HALF_EVEN, Decimal

from lab.gateway import PREPARED, REVIEW, SETTLED, UNKNOWN
from tests.exercises.answering import unforeseen, wrong
from tests.exercises.answers.measures_shared import cents, cost, figures, of_kind


@wrong("no receipt is unknown")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    return {**base, "unknown": sum(row.receipt is None for row in rows)}


@wrong("no receipt is unknown", "whoever has no message")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    return {**base, "unknown": sum(row.state in (UNKNOWN, PREPARED) for row in rows)}


@wrong("known to the provider")
def measures(rows, effects, requests, reviews, usd_per_hour):
    held = {one["key"] for one in effects}
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    silent = [row for row in rows if row.state == UNKNOWN]
    return {**base, "unknown": sum(row.key not in held for row in silent)}


@wrong("closed ones left out")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    return {**base, "review": sum(row.state == REVIEW and not row.closed for row in rows)}


@wrong("duplicates from the ledger", "attempts beyond the first")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    return {**base, "duplicates": sum(max(row.attempts - 1, 0) for row in rows)}


@wrong("duplicates from the ledger", "of settled rows")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    again = (row.attempts - 1 for row in rows if row.state == SETTLED)
    return {**base, "duplicates": sum(again)}


@wrong("requests for duplicates")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    return {**base, "duplicates": len(requests) - len({one["key"] for one in effects})}


@wrong("missing makes up")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    return {**base, "duplicates": max(0, len(effects) - len(rows))}


@wrong("strangers pass")
def measures(rows, effects, requests, reviews, usd_per_hour):
    times = Counter(one["key"] for one in effects)
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    return {**base, "duplicates": sum(max(times[row.key] - 1, 0) for row in rows)}


@wrong("all of a doubled key")
def measures(rows, effects, requests, reviews, usd_per_hour):
    times = Counter(one["key"] for one in effects)
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    return {**base, "duplicates": sum(n for n in times.values() if n > 1)}


def with_completed(base, done):
    tried = base["calls_attempted"]
    ratio = cents(Decimal(tried) / done) if done else None
    return {**base, "completed_actions": done, "attempts_per_completed": ratio}


@wrong("REVIEW for done")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    return with_completed(base, base["completed_actions"] + base["review"])


@wrong("REVIEW for done", "closed ones alone are not")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    passed_on = sum(row.state == REVIEW and not row.closed for row in rows)
    return with_completed(base, base["completed_actions"] + passed_on)


@wrong("an effect is enough")
def measures(rows, effects, requests, reviews, usd_per_hour):
    held = {one["key"] for one in effects}
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    return with_completed(base, sum(row.key in held for row in rows))


@wrong("SETTLED is enough")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    return with_completed(base, sum(row.state == SETTLED for row in rows))


@wrong("receipt alone")
def measures(rows, effects, requests, reviews, usd_per_hour):
    given = {one["receipt"] for one in effects}
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    return with_completed(base, sum(row.receipt in given for row in rows))


@wrong("key alone")
def measures(rows, effects, requests, reviews, usd_per_hour):
    held = {one["key"] for one in effects}
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    return with_completed(base, sum(row.state == SETTLED and row.key in held for row in rows))


@wrong("for each request")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    ratio = cents(Decimal(base["calls_attempted"]) / len(rows)) if rows else None
    return {**base, "attempts_per_completed": ratio}


@wrong("for each effect")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    ratio = cents(Decimal(base["calls_attempted"]) / len(effects)) if effects else None
    return {**base, "attempts_per_completed": ratio}


@wrong("upside down")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    tried = base["calls_attempted"]
    ratio = cents(Decimal(base["completed_actions"]) / tried) if tried else None
    return {**base, "attempts_per_completed": ratio}


@wrong("divided by nothing")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    ratio = cents(Decimal(base["calls_attempted"]) / base["completed_actions"])
    return {**base, "attempts_per_completed": ratio}


@wrong("a made-up ratio", "0")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    return {**base, "attempts_per_completed": base["attempts_per_completed"] or Decimal("0.00")}


@wrong("a made-up ratio", "as if one were completed")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    ratio = cents(Decimal(base["calls_attempted"]) / max(base["completed_actions"], 1))
    return {**base, "attempts_per_completed": ratio}


@wrong("a made-up cost", "0.00")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    ordinary, incident = (of_kind(reviews, kind) for kind in (False, True))
    return {
        **base,
        "ordinary_cost_usd": cents(sum(ordinary, Decimal(0)) * usd_per_hour / 60),
        "incident_cost_usd": cents(sum(incident, Decimal(0)) * usd_per_hour / 60),
    }


@wrong("a made-up cost", "4 minutes for each row in review")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    if base["ordinary_cost_usd"] is None:
        base["ordinary_cost_usd"] = cents(4 * base["review"] * usd_per_hour / 60)
    return base


@wrong("no time is no measure")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    spent = sum(of_kind(reviews, False))
    return {**base, "ordinary_cost_usd": cost([spent], usd_per_hour) if spent else None}


@wrong("look by look")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    for name, kind in (("ordinary_cost_usd", False), ("incident_cost_usd", True)):
        each = [cents(minutes * usd_per_hour / 60) for minutes in of_kind(reviews, kind)]
        base[name] = sum(each) if each else None
    return base


@wrong("half not up", "quantize alone")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    done = base["completed_actions"]
    if done:
        exact = Decimal(base["calls_attempted"]) / done
        base["attempts_per_completed"] = cents(exact, ROUND_HALF_EVEN)
    return base


@wrong("half not up", "the cost")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    for name, kind in (("ordinary_cost_usd", False), ("incident_cost_usd", True)):
        spent = of_kind(reviews, kind)
        base[name] = round(sum(spent) * usd_per_hour / 60, 2) if spent else None
    return base


@wrong("not two places", "not rounded")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    done = base["completed_actions"]
    ratio = Decimal(base["calls_attempted"]) / done if done else None
    return {**base, "attempts_per_completed": ratio}


@wrong("not two places", "without the zeros")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    paid = base["ordinary_cost_usd"]
    return {**base, "ordinary_cost_usd": None if paid is None else paid.normalize()}


@unforeseen("a count as a Decimal")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    return {**base, "effects_found": Decimal(base["effects_found"])}


@unforeseen("two whole numbers divided, also by 0")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    ratio = cents(Decimal(str(base["calls_attempted"] / base["completed_actions"])))
    return {**base, "attempts_per_completed": ratio}


@unforeseen("a name that is not there")
def measures(rows, effects, requests, reviews, usd_per_hour):
    return figures(rows, effects, requests, looks, usd_per_hour)  # noqa: F821


@unforeseen("what is PREPARED was not requested")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    return {**base, "actions_requested": sum(row.state != PREPARED for row in rows)}


@unforeseen("rows as dictionaries")
def measures(rows, effects, requests, reviews, usd_per_hour):
    return {"unknown": sum(row["state"] == UNKNOWN for row in rows)}
