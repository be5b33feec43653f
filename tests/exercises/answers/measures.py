"""Answers to lesson 15's exercise."""

from collections import Counter, defaultdict
from decimal import ROUND_HALF_UP, Decimal

from lab.gateway import REVIEW, SETTLED, UNKNOWN
from tests.exercises.answering import right, wrong
from tests.exercises.answers.measures_shared import cents, cost, figures, of_kind


@right("with helpers of their own")
def measures(rows, effects, requests, reviews, usd_per_hour):
    return figures(rows, effects, requests, reviews, usd_per_hour)


@right("one loop, step by step")
def measures(rows, effects, requests, reviews, usd_per_hour):
    result = dict.fromkeys(("unknown", "review", "duplicates", "completed_actions"), 0)
    result["actions_requested"] = len(rows)
    result["requests_received"] = len(requests)
    result["effects_found"] = len(effects)
    attempts, approved, seen = 0, set(), set()
    for row in rows:
        attempts += row.attempts
        approved.add(row.key)
        if row.state == "UNKNOWN":
            result["unknown"] += 1
        elif row.state == "REVIEW":
            result["review"] += 1
        elif row.state == "SETTLED":
            for effect in effects:
                if effect["key"] == row.key and effect["receipt"] == row.receipt:
                    result["completed_actions"] += 1
                    break
    for effect in effects:
        if effect["key"] in seen or effect["key"] not in approved:
            result["duplicates"] += 1
        seen.add(effect["key"])
    result["calls_attempted"] = attempts
    result["attempts_per_completed"] = None
    if result["completed_actions"] > 0:
        ratio = Decimal(attempts) / Decimal(result["completed_actions"])
        result["attempts_per_completed"] = ratio.quantize(Decimal("0.01"), ROUND_HALF_UP)
    for name, wanted in (("ordinary_cost_usd", False), ("incident_cost_usd", True)):
        total = None
        for minutes, incident in reviews:
            if incident == wanted:
                total = minutes if total is None else total + minutes
        result[name] = None if total is None else cents(total * usd_per_hour / Decimal(60))
    print(result)
    return result


@right("counters and sets")
def measures(ledger, held, arrived, looks, rate):
    states, keys = Counter(r.state for r in ledger), Counter(e["key"] for e in held)
    pairs = {(r.key, r.receipt) for r in ledger if r.state == SETTLED}
    good = len(pairs & {(e["key"], e["receipt"]) for e in held})
    wanted = {r.key for r in ledger} & set(keys)
    total = sum(r.attempts for r in ledger)
    spent = defaultdict(list)
    for minutes, incident in looks:
        spent[incident].append(minutes)
    names = (
        "actions_requested calls_attempted requests_received effects_found unknown review "
        "duplicates completed_actions attempts_per_completed ordinary_cost_usd "
        "incident_cost_usd"
    ).split()
    return dict(
        zip(
            names,
            (
                len(ledger),
                total,
                len(arrived),
                len(held),
                states["UNKNOWN"],
                states["REVIEW"],
                keys.total() - len(wanted),
                good,
                cents(Decimal(total) / good) if good else None,
                cost(spent[False], rate),
                cost(spent[True], rate),
            ),
            strict=True,
        )
    )


@right("an error is caught")
def measures(rows, effects, requests, reviews, usd_per_hour):
    held = [(e["key"], e["receipt"]) for e in effects]
    completed = sum((r.key, r.receipt) in held for r in rows if r.state not in (UNKNOWN, REVIEW))
    attempts = sum(r.attempts for r in rows)
    try:
        ratio = cents(Decimal(attempts) / Decimal(completed))
    except ArithmeticError:
        ratio = None
    return {
        **figures(rows, effects, requests, reviews, usd_per_hour),
        "completed_actions": completed,
        "attempts_per_completed": ratio,
    }


@right("dict(), and cents by whole numbers")
def measures(rows, effects, requests, reviews, usd_per_hour):
    def dollars(kind):
        minutes = [look[0] for look in reviews if bool(look[1]) == kind]
        if len(minutes) == 0:
            return None
        return round_up(sum(minutes, Decimal("0")) * usd_per_hour * 100 / 60)

    def round_up(hundredths):
        return Decimal(int(hundredths + Decimal("0.5"))).scaleb(-2)

    base = figures(rows, effects, requests, reviews, usd_per_hour)
    done, tried = base["completed_actions"], base["calls_attempted"]
    return dict(
        base,
        ordinary_cost_usd=dollars(False),
        incident_cost_usd=dollars(True),
        attempts_per_completed=round_up(Decimal(100 * tried) / done) if done else None,
    )


right("a lambda")(lambda r, e, q, v, usd: figures(r, e, q, v, usd))


@wrong("no return")
def measures(rows, effects, requests, reviews, usd_per_hour):
    print(figures(rows, effects, requests, reviews, usd_per_hour))


@wrong("no dictionary", "a list of figures")
def measures(rows, effects, requests, reviews, usd_per_hour):
    return list(figures(rows, effects, requests, reviews, usd_per_hour).values())


@wrong("no dictionary", "a Counter")
def measures(rows, effects, requests, reviews, usd_per_hour):
    return Counter(row.state for row in rows)


@wrong("other names", "short ones")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    base["completed"] = base.pop("completed_actions")
    return base


@wrong("other names", "one too many")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    return {**base, "saved_usd": base["duplicates"] * 29}


@wrong("a text")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    return {**base, "ordinary_cost_usd": f"{base['ordinary_cost_usd']}"}


@wrong("a float", "the ratio")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    done = base["completed_actions"]
    ratio = round(base["calls_attempted"] / done, 2) if done else None
    return {**base, "attempts_per_completed": ratio}


@wrong("a float", "the cost")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    spent = of_kind(reviews, True)
    paid = round(float(sum(spent)) * float(usd_per_hour) / 60, 2) if spent else None
    return {**base, "incident_cost_usd": paid}


@wrong("minutes for money")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    spent = of_kind(reviews, False)
    return {**base, "ordinary_cost_usd": cents(sum(spent)) if spent else None}


@wrong("minutes for hours")
def measures(rows, effects, requests, reviews, usd_per_hour):
    return figures(rows, effects, requests, reviews, usd_per_hour * 60)


@wrong("both kinds mixed", "under ordinary")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    return {**base, "ordinary_cost_usd": cost([one for one, _ in reviews], usd_per_hour)}


@wrong("both kinds mixed", "under incident")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    return {**base, "incident_cost_usd": cost([one for one, _ in reviews], usd_per_hour)}


@wrong("kinds swapped")
def measures(rows, effects, requests, reviews, usd_per_hour):
    looks = [(minutes, not incident) for minutes, incident in reviews]
    return figures(rows, effects, requests, looks, usd_per_hour)


@wrong("requests for attempts")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    return {**base, "calls_attempted": len(requests)}


@wrong("one attempt each")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    return {**base, "calls_attempted": sum(row.attempts > 0 for row in rows)}


@wrong("attempts for requests")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    return {**base, "requests_received": sum(row.attempts for row in rows)}


@wrong("calls for effects")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    return {**base, "effects_found": base["calls_attempted"]}


@wrong("requests for effects")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    return {**base, "effects_found": len(requests)}


@wrong("UNKNOWN for failed", "effects of settled rows")
def measures(rows, effects, requests, reviews, usd_per_hour):
    settled = {row.key for row in rows if row.state == SETTLED}
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    return {**base, "effects_found": sum(one["key"] in settled for one in effects)}


@wrong("UNKNOWN for failed", "what the ledger has settled")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    return {**base, "effects_found": sum(row.state == SETTLED for row in rows)}


@wrong("doubled effects once")
def measures(rows, effects, requests, reviews, usd_per_hour):
    base = figures(rows, effects, requests, reviews, usd_per_hour)
    return {**base, "effects_found": len({one["key"] for one in effects})}
