"""What several answers to one exercise are made of: `measures`."""

from decimal import ROUND_HALF_UP, Decimal

from lab.gateway import REVIEW, SETTLED, UNKNOWN, count_duplicates


def cents(value, rounding=ROUND_HALF_UP):
    return value.quantize(Decimal("0.01"), rounding=rounding)


def cost(minutes, rate):
    return cents(sum(minutes) * rate / 60) if minutes else None


def of_kind(looks, kind):
    return [minutes for minutes, incident in looks if incident is kind]


def figures(rows, effects, requests, looks, rate):
    held = {(one["key"], one["receipt"]) for one in effects}
    attempts = sum(row.attempts for row in rows)
    done = len([1 for row in rows if row.state == SETTLED and (row.key, row.receipt) in held])
    return {
        "actions_requested": len(rows),
        "calls_attempted": attempts,
        "requests_received": len(requests),
        "effects_found": len(effects),
        "unknown": sum(1 for row in rows if row.state == UNKNOWN),
        "review": sum(1 for row in rows if row.state == REVIEW),
        "duplicates": count_duplicates([one["key"] for one in effects], [row.key for row in rows]),
        "completed_actions": done,
        "attempts_per_completed": cents(Decimal(attempts) / done) if done else None,
        "ordinary_cost_usd": cost(of_kind(looks, False), rate),
        "incident_cost_usd": cost(of_kind(looks, True), rate),
    }
