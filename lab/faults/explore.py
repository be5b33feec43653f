"""``python -m lab explore``: break the gateway in every way that a small world allows."""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, TextIO

from lab.faults import crashes, kills, schedules
from lab.faults.edits import EDITS, SAFE, Gateway
from lab.faults.findings import Findings
from lab.faults.numbers import Numbers
from lab.faults.story import LIVES, STEPS, Line, replay, written
from lab.faults.world import Scene
from lab.gateway import CONTRACTS

ASSUMPTIONS = (
    "A step is one call of the ledger or of the provider; a commit that returned is durable.",
    "Nothing that was sent takes effect later than the contract says (blind says nothing).",
    "A worker looks at the clock and sends without falling asleep in between.",
    "Clocks do not jump forward, and do not differ by more than the bounds allow for.",
    "An adapter sends once when it is told to send; only one adapter writes under our keys, and "
    "where a provider keeps no key, nobody else makes one record of the same content.",
    "A person looks before a decision, and accepts no risk.",
)
Explored = Iterable[tuple[Scene, Findings]]
BAR_AFTER_S = 1.0
LONGEST = 36  # moves of a run that is looked for; every unsafe edit shows in half as many


class Part(NamedTuple):
    """One of the explorations: what it is called, how it is done, and of how many scenes."""

    kind: str  # the kind of its lines
    title: str
    explore: Callable[..., Explored]  # of a gateway, and of contracts if not of all
    scenes: int


PARTS = (
    Part(
        LIVES,
        f"One worker at a time, up to {crashes.CRASHES} crashes",
        crashes.explore_crashes,
        sum(len(list(crashes.scenes(name))) for name in CONTRACTS),
    ),
    Part(
        STEPS,
        "Two workers and an operator, in every order",
        schedules.explore_schedules,
        sum(len(list(schedules.scenes(name))) for name in CONTRACTS),
    ),
)
KILLS = Part(
    "kills",
    "Real processes on files, one killed at every step",
    kills.explore_kills,
    len(list(kills.scenes(CONTRACTS))),
)


class Result(NamedTuple):
    """What one exploration came to: the findings by contract, what failed, and how long it took."""

    part: Part
    by_contract: dict[str, Findings]
    failing: Line | None
    seconds: float


def explore(part: Part, gateway: Gateway = SAFE, progress: TextIO | None = None) -> Result:
    """Explore all of a part, and add up by contract."""
    start = time.monotonic()
    by_contract = {name: Findings() for name in CONTRACTS}
    lines: list[Line] = []
    with without_garbage():
        for scene, found in watched(part.explore(gateway), part, progress):
            by_contract[scene.contract] = by_contract[scene.contract].plus(found)
            runs = [run for run in found.shortest if run is not None]
            lines += [Line(part.kind, gateway, scene, run) for run in runs]
    failing = min(lines, key=lambda line: len(line.moves), default=None)
    return Result(part, by_contract, failing, time.monotonic() - start)


@contextmanager
def without_garbage() -> Iterator[None]:
    """Let Python collect no garbage: nothing here goes round in circles, and there is much."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def watched(explored: Explored, part: Part, progress: TextIO | None) -> Iterator[Any]:
    """Pass on what was explored, and show how far it is where that takes more than a second."""
    start, width = time.monotonic(), 30
    for number, one in enumerate(explored, 1):
        if progress is not None and time.monotonic() - start > BAR_AFTER_S:
            bar = "#" * (width * number // part.scenes)
            progress.write(f"\r{part.title}  [{bar:{width}}] {number} of {part.scenes} ")
            progress.flush()
        yield one
    if progress is not None and time.monotonic() - start > BAR_AFTER_S:
        progress.write("\r" + " " * (len(part.title) + width + 20) + "\r")


def shortest(gateway: Gateway, progress: TextIO | None = None) -> Line | None:
    """Find the shortest run that shows an edit's number: one crash first, then every order.

    Orders are searched up to a length, and then up to a greater one, until none can be shorter
    than the one that was found.
    """
    which = Numbers.names().index(gateway.number)
    lives, steps = PARTS
    explored = watched(crashes.explore_crashes(gateway, crashes=1), lives, progress)
    found = shortest_of(LIVES, explored, gateway, which)
    at_most = 0
    while found is None or (found.kind == STEPS and len(found.moves) > at_most):
        if at_most >= LONGEST:
            return found
        at_most = at_most + 6 if found is None else len(found.moves)
        explored = watched(schedules.explore_schedules(gateway, at_most=at_most), steps, progress)
        found = shortest_of(STEPS, explored, gateway, which) or found
    return found


def shortest_of(kind: str, explored: Explored, gateway: Gateway, which: int) -> Line | None:
    """Return the shortest run of all that were explored in which one number is not nought."""
    lines = [
        Line(kind, gateway, scene, run)
        for scene, found in explored
        if (run := found.shortest[which]) is not None
    ]
    return min(lines, key=lambda line: len(line.moves), default=None)


def table(results: Iterable[Result]) -> Iterator[str]:
    """Write the five numbers of every contract, contracts across."""
    yield f"{'':22}" + "".join(f"{name:>16}" for name in CONTRACTS)
    for result in results:
        yield result.part.title
        found = [result.by_contract[name] for name in CONTRACTS]
        for number, name in enumerate(Numbers.names()):
            yield f"  {name:20}" + "".join(f"{one.numbers[number]:16,}" for one in found)
        yield f"  {'runs':20}" + "".join(f"{one.runs:16,}" for one in found)
        yield f"  {'seconds':20}{result.seconds:16.1f}"


def as_json(gateway: Gateway, results: Iterable[Result]) -> str:
    """Write the results as one JSON object."""
    told = {
        "gateway": gateway.name,
        "parts": [
            {
                "title": result.part.title,
                "seconds": round(result.seconds, 2),
                "failing": str(result.failing) if result.failing else None,
                "contracts": {
                    name: {**one.numbers._asdict(), "runs": one.runs, "failed": one.failed}
                    for name, one in result.by_contract.items()
                },
            }
            for result in results
        ],
        "assumptions": ASSUMPTIONS,
    }
    return json.dumps(told, indent=2)


def tell(line: Line) -> int:
    """Tell one run as a story; return 1 where it breaks a promise."""
    told = replay(line)
    print(f"{line}\n")
    print(*written(told), sep="\n")
    return int(any(told.numbers.harm))


ONE_AT_A_TIME = (
    "--edit, --kill and --replay are three explorations: ask for one at a time. "
    "--replay tells a story; --json goes with the others."
)


def main(
    edit: str | None = None, replay: str | None = None, kill: bool = False, as_data: bool = False
) -> int:
    """Explore, or tell one run; return 0: held, 1: a promise was broken, 2: cannot run."""
    if edit is not None and edit not in EDITS:
        print(f"There is no unsafe edit {edit}. There are: {', '.join(EDITS)}.", file=sys.stderr)
        return 2
    if (replay is not None) + (edit is not None) + kill > 1 or (replay is not None and as_data):
        print(ONE_AT_A_TIME, file=sys.stderr)
        return 2
    if replay is not None:
        try:
            return tell(Line.read(replay))
        except ValueError as error:
            print(f"This line cannot be replayed: {error}.", file=sys.stderr)
            return 2
    if edit is not None:
        return tell_edit(EDITS[edit], as_data)
    progress = sys.stderr if sys.stderr.isatty() else None
    parts = (*PARTS, KILLS) if kill else PARTS
    results = [explore(part, SAFE, progress) for part in parts]
    if as_data:
        print(as_json(SAFE, results))
    else:
        print(*table(results), "", "This holds as far as these hold:", sep="\n")
        print(*(f"- {one}" for one in ASSUMPTIONS), sep="\n")
    failing = [result.failing for result in results if result.failing]
    for line in failing:
        again = f'python -m lab explore --replay "{line}"' if line.kind != KILLS.kind else line
        print(f"broken: {again}", file=sys.stderr)
    return int(bool(failing))


def tell_edit(gateway: Gateway, as_data: bool) -> int:
    """Tell the shortest run that shows what an unsafe edit does."""
    if not as_data:
        print(f"{gateway.name}: {gateway.wrong}\nIt shows in: {gateway.number}\n", flush=True)
    line = shortest(gateway, sys.stderr if sys.stderr.isatty() else None)
    if as_data:
        named = {"edit": gateway.name, "wrong": gateway.wrong, "number": gateway.number}
        print(json.dumps({**named, "line": str(line) if line else None}, indent=2))
        return int(line is not None)
    if line is None:
        print("No run that was explored shows it.")
        return 0
    return tell(line)
