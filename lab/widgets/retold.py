"""Tables of what the explorer found: a run that was told, and the lines of the hostile test."""

from __future__ import annotations

from collections.abc import Iterator

from lab.faults.beats import seconds, short
from lab.faults.edits import Gateway
from lab.faults.hostile import ENDS, WELCOMES, Judged, Run
from lab.faults.numbers import Numbers
from lab.faults.show import counted, held, known
from lab.faults.story import Line, Told
from lab.gateway import REVIEW
from lab.widgets.panel import Side, Strong, Table

KNOWS, HOLDS = "What the gateway knows", "What the provider holds"
LAST_STEPS = 40  # of a run that never comes to rest the end is enough


def about(gateway: Gateway) -> Table:
    """Say what is wrong with a gateway, and which number shows it."""
    shows = [("It shows in", gateway.number)] if gateway.number else []
    name = gateway.name if gateway.number else "The safe gateway"
    return Table(name, (), [("What is wrong", gateway.wrong), *shows])


# --- a run


def verdict(told: Told) -> str:
    """Say in one or two sentences what a run came to."""
    harm = [
        f"{name} {number}"
        for name, number in zip(Numbers.names(), told.numbers.harm, strict=False)
        if number
    ]
    if not told.over:
        found = f" So far: {', '.join(harm)}." if harm else ""
        return f"The run is not over: it was cut off here.{found}"
    if harm:
        return f"In the end: {', '.join(harm)}. That has to be 0."
    person = " It is left to a person." if told.numbers.in_review else ""
    state = f"{told.row.state}, " if told.row else ""
    came = f"{state}{counted(len(told.effects), 'effect')}"
    return f"In the end: {came}.{person} The four numbers that have to be 0 are 0."


def two_truths(told: Told | None, first: str = "") -> tuple[Side, Side]:
    """Tell what each side has at the end of a run; ``first``: what to do before there is one."""
    if told is None:
        return Side(KNOWS, "No run is shown yet.", note=first), Side(HOLDS, "No run is shown yet.")
    row = told.row
    facts = (
        [
            ("state", row.state),
            ("attempts", row.attempts),
            ("receipt", row.receipt or "none"),
            ("evidence", row.evidence),
        ]
        if row
        else []
    )
    says = known(row) if row else "Nothing: it has no row."
    done = held(len(told.effects), len(told.requests), told.numbers.duplicates)
    effects = [(one["receipt"] or "none", one["request_id"]) for one in told.effects]
    requests = [(one["request_id"], one["outcome"]) for one in told.requests]
    return (
        Side(KNOWS, says, (Table("The ledger's row", (), facts),)),
        Side(
            HOLDS,
            done,
            (
                Table("Effects", ("receipt", "request"), effects),
                Table("Requests", ("request", "result"), requests),
            ),
        ),
    )


def story(line: Line, told: Told) -> tuple[Table, ...]:
    """Tell a run step by step, and by its numbers; and how to let it happen again."""
    steps = [
        (seconds(beat.at), beat.who, short(beat), beat.state or "-", beat.effects)
        for beat in told.beats[-LAST_STEPS:]
    ]
    some = f"the last {LAST_STEPS} of {len(told.beats)} steps"
    how = some if len(told.beats) > LAST_STEPS else "step by step"
    again = f'python3 -m lab explore --replay "{line}"'
    return (
        Table(f"The run, {how}", ("time", "who", "what", "ledger", "effects"), steps),
        Table("The five numbers", Numbers.names(), [marked(told.numbers)]),
        Table("The same run in a terminal", (), [("run", again)]),
    )


def marked(numbers: Numbers) -> list[object]:
    """Return the five numbers, in bold where one has to be 0 and is not."""
    harm = [Strong(number) if number else number for number in numbers.harm]
    return [*harm, numbers.in_review]


# --- the five lines


def first_difference(safe: Judged, judged: Judged) -> str:
    """Return the name of the first line that differs from the safe gateway's, or nothing."""
    return next((n for n, line in safe.lines.items() if judged.lines.get(n) != line), "")


def compared(gateway: Gateway, safe: Judged, judged: Judged) -> tuple[Table, ...]:
    """Compare the five lines of a gateway with the safe one's, and say what it broke."""
    first = first_difference(safe, judged)
    rows = [(name, compare(name, line, judged, first)) for name, line in safe.lines.items()]
    tables = [Table("The five lines, beside the safe gateway's", ("line", "is"), rows)]
    if first:
        old, new = safe.lines[first], judged.lines.get(first, "(no such line)")
        start = where_to_begin(old, new)
        texts = [("safe", f"… {old[start:]}"), (gateway.name, f"… {new[start:]}")]
        tables.append(Table(f"{first} differs from here on", (), texts))
    if judged.broken:
        tables.append(Table("Promises that it broke", ("promise", "on"), list(by_promise(judged))))
    return tuple(tables)


def by_promise(judged: Judged) -> Iterator[tuple[str, str]]:
    """Yield each promise that was broken, and the contracts on which it was."""
    contracts: dict[str, list[str]] = {}
    for broken in judged.broken:
        contract, _, promise = broken.partition(": ")
        contracts.setdefault(promise, []).append(contract)
    for promise, named in contracts.items():
        yield promise, "; ".join(named) if len(named) < len(ENDS) else "every contract"


def compare(name: str, line: str, judged: Judged, first: str) -> str:
    """Say whether a line is the same, missing or different, and which is the first."""
    mine = judged.lines.get(name)
    if mine == line:
        return "the same"
    said = "different" if mine is not None else "missing"
    return Strong(f"{said}: the first that is not the same") if name == first else said


def where_to_begin(old: str, new: str) -> int:
    """Return where two texts begin to differ, at the start of the fact that differs."""
    pairs = enumerate(zip(old, new, strict=False))
    start = next((at for at, (a, b) in pairs if a != b), min(len(old), len(new)))
    return max(old.rfind(mark, 0, start) for mark in "[{,") + 1


def lines(judged: Judged, name: str) -> Table:
    """Show all lines of a gateway."""
    return Table(f"The five lines of {name}", (), list(judged.lines.items()))


def ends(judged: Judged) -> tuple[Side, Side]:
    """Tell what each side has at the end of the run that the lines tell of."""
    if judged.run is None:
        stopped = "The run came to no end."
        return Side(KNOWS, stopped), Side(HOLDS, stopped)
    return known_at_the_end(judged.run), held_at_the_end(judged.run)


LEADS = {action.key: action.payload["lead"] for action in WELCOMES}


def known_at_the_end(run: Run) -> Side:
    """Tell what the gateway knows of each lead."""
    rows = [(LEADS[o.key], o.state, run.attempts.get(o.key, 0)) for o in run.again]
    waits = run.states.get(REVIEW, 0)
    note = f"Somebody has to look at {counted(waits, 'row')}." if waits else ""
    states = ", ".join(f"{number} {state}" for state, number in run.states.items())
    return Side(KNOWS, states, (Table("Actions", ("lead", "state", "attempts"), rows),), note)


def held_at_the_end(run: Run) -> Side:
    """Tell what the provider holds for each lead; it is the first of the contracts."""
    rows: list[tuple[object, ...]] = [
        (lead, run.effects.count(key), run.requests[key]) for key, lead in LEADS.items()
    ]
    others = sum(key not in LEADS for key in run.effects)  # their requests are not counted
    rows += [("other keys", others, "-")] if others else []
    requests = sum(run.requests.values())
    came = "" if others else f" from {counted(requests, 'request')}"
    says = f"{counted(len(run.effects), 'effect')}{came}, {counted(run.duplicates, 'duplicate')}"
    recognised = not others and requests > len(run.effects) and not run.duplicates
    return Side(
        f"{HOLDS}: {ENDS[0][0]}",
        says,
        (Table("Under the keys of", ("lead", "effects", "requests"), rows),),
        "It knows a key that it saw before: a second request made no second effect." * recognised,
    )
