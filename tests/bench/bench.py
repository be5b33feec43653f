"""Measures `execute` beside a bare two-commit SQLite loop and beside the raw disk, in turn.

Disks have slow spells, so everything is measured in small blocks, round and round, and a ratio is
taken between blocks that follow each other. The ratios are what to compare between machines.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from lab.gateway import KEYED, Action, Ledger, Readback, Verdict, execute

SIZES = (1_000, 100_000, 1_000_000)
BLOCK = 25  # actions a turn: long enough to time, short beside a slow spell of the disk
PAGE = b"x" * 4096
SCATTER = 2_654_435_761  # an odd number near 2**32 / phi: keys in no order, and none twice
# What the rows that are there already are: as after long use.
SHARES = {"SETTLED": 97, "PREPARED": 1, "REVIEW": 1, "UNKNOWN": 1}
SEED = (
    "INSERT INTO actions (key, kind, payload_hash, state, attempts, version, provider, send_by, "
    "updated_at, actor, evidence, about) VALUES (?, 'seed', ?, 'UNKNOWN', 1, 2, 'keyed', 1, 1, "
    "'seed', 'attempt begins', 1)"
)
MOVES = (
    "UPDATE actions SET state = 'SETTLED', version = 3, send_by = NULL, receipt = 'r-' || key "
    "WHERE number % 100 >= 3",
    "UPDATE actions SET state = 'PREPARED', version = 3, send_by = NULL WHERE number % 100 = 2",
    "UPDATE actions SET state = 'REVIEW', version = 3 WHERE number % 100 = 1",
)


class Instant:
    """A provider that answers at once and keeps nothing, so that only our own cost is measured."""

    contract = KEYED

    def perform(self, action: Action, attempt: int) -> str:
        """Return a receipt that nobody else has."""
        return f"r-{action.key}"

    def readback(self, action: Action) -> Readback:
        """Hold nothing."""
        return Readback(Verdict.ABSENT)


def scattered(number: int) -> str:
    """Return a key part that is unique and in no order."""
    return f"{number * SCATTER % 2**32:08x}"


def seeded(path: Path, rows: int, create: Callable[[Path], None]) -> Path:
    """Make a database with this many rows in it, fast: nothing of this is measured."""
    create(path)
    with sqlite3.connect(path, isolation_level=None) as database:
        database.execute("PRAGMA synchronous = OFF")
        database.execute("BEGIN")
        keys = ((f"seed:{scattered(n)}", "0" * 64) for n in range(rows))
        database.executemany(SEED, keys)
        for move in MOVES:
            database.execute(move)
        database.execute("COMMIT")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    return path


def bare_database(path: Path) -> None:
    """Make a table with the ledger's own columns: no events, no triggers, no other index."""
    with sqlite3.connect(path, isolation_level=None) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute(Ledger.SCHEMA)
    database.close()


def with_execute(path: Path, actions: list[Action]) -> Callable[[int], None]:
    """Return what does one action through the gateway, at full durability."""
    ledger, provider = Ledger(path), Instant()

    def one(number: int) -> None:
        execute(actions[number], ledger, provider)

    return one


def with_bare_loop(path: Path, actions: list[Action]) -> Callable[[int], None]:
    """Return the least that SQLite asks for two durable commits of such a row."""
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA synchronous = FULL")

    def one(number: int) -> None:
        action = actions[number]
        database.execute(
            "INSERT INTO actions (key, kind, payload_hash, state, attempts, version, provider, "
            "send_by, updated_at, actor) VALUES (?, ?, ?, 'UNKNOWN', 1, 2, 'keyed', 1, 1, 'bare')",
            (action.key, action.kind, action.hash),
        )
        database.execute(
            "UPDATE actions SET state = 'SETTLED', version = 3, send_by = NULL, receipt = ? "
            "WHERE key = ? AND version = 2",
            (f"r-{action.key}", action.key),
        )

    return one


def with_raw_disk(path: Path, actions: list[Action]) -> Callable[[int], None]:
    """Return two writes of a page, each made durable, in a file that has its size already."""
    pages = 256
    file = os.open(path, os.O_RDWR | os.O_CREAT)
    os.write(file, PAGE * pages)
    sync = getattr(os, "fdatasync", os.fsync)

    def one(number: int) -> None:
        for turn in (0, 1):
            os.lseek(file, (2 * number + turn) % pages * len(PAGE), os.SEEK_SET)
            os.write(file, PAGE)
            sync(file)

    return one


def measured(runners: Mapping[str, Callable[[int], Any]], count: int) -> dict[str, list[float]]:
    """Run every runner in blocks, in turn, and return the seconds of each action."""
    seconds: dict[str, list[float]] = {name: [] for name in runners}
    for start in range(0, count, BLOCK):
        for name, one in runners.items():
            for number in range(start, min(start + BLOCK, count)):
                before = time.perf_counter()
                one(number)
                seconds[name].append(time.perf_counter() - before)
    return seconds


def blocks(seconds: list[float]) -> Iterator[float]:
    """Yield the sums of blocks, without the first: it warms caches."""
    for start in range(BLOCK, len(seconds), BLOCK):
        yield sum(seconds[start : start + BLOCK])


def ratio(slower: list[float], faster: list[float]) -> float:
    """Return the median, over blocks that follow each other, of faster over slower."""
    return statistics.median(b / a for a, b in zip(blocks(slower), blocks(faster), strict=True))


def described(seconds: list[float]) -> dict[str, float]:
    """Return p50 and p99 in microseconds, and actions per second over all."""
    cuts = statistics.quantiles(seconds, n=100)
    return {
        "p50_us": round(cuts[49] * 1e6, 1),
        "p99_us": round(cuts[98] * 1e6, 1),
        "per_second": round(len(seconds) / sum(seconds)),
    }


def counting(ledger: Ledger) -> Callable[[int], Any]:
    """Return what counts the actions of a ledger by state."""
    return lambda _: ledger.counts()


def time_of_counts(ledgers: dict[int, Ledger], calls: int = 2_000) -> dict[int, list[float]]:
    """Call ``counts()`` on each ledger in turn; return the seconds of each call."""
    runners = {str(rows): counting(ledger) for rows, ledger in ledgers.items()}
    return {int(name): times for name, times in measured(runners, calls).items()}


def syncs_an_action(folder: Path, count: int = 200) -> float | None:
    """Return how often an action makes the disk durable, as strace counts; None without it."""
    if shutil.which("strace") is None:
        return None
    calls = []
    for actions in (0, count):
        log = folder / f"strace-{actions}"
        command = ["strace", "-f", "-c", "-o", str(log), "-e", "trace=fdatasync,fsync"]
        child = [
            sys.executable,
            __file__,
            "--child",
            str(folder / f"child-{actions}"),
            str(actions),
        ]
        if subprocess.run([*command, *child], check=False).returncode:
            return None
        found = re.findall(r"^\s*[\d.]+\s+\S+\s+\d+\s+(\d+).*sync$", log.read_text(), re.MULTILINE)
        calls.append(sum(map(int, found)))
    return round((calls[1] - calls[0]) / count, 3)


def made(count: int) -> list[Action]:
    """Make the actions before the clock starts: `execute` is given them."""
    return [
        Action(f"welcome:{scattered(n)}:v1", "welcome_email", {"lead": f"lead-{n}"})
        for n in range(count)
    ]


def bench(folder: Path, sizes: tuple[int, ...], count: int) -> dict[str, Any]:
    """Measure everything, and return it as plain data."""
    actions, runners, ledgers = made(count), {}, {}
    runners["raw disk"] = with_raw_disk(folder / "raw", actions)
    for rows in sizes:
        print(f"seeding {rows:,} rows ...", file=sys.stderr, flush=True)
        ours = seeded(folder / f"ledger-{rows}", rows, lambda path: Ledger(path).close())
        bare = seeded(folder / f"bare-{rows}", rows, bare_database)
        runners[f"bare {rows}"] = with_bare_loop(bare, actions)
        runners[f"execute {rows}"] = with_execute(ours, actions)
        ledgers[rows] = Ledger(ours)
    print(f"measuring {count:,} actions each, in turn ...", file=sys.stderr, flush=True)
    seconds, counting = measured(runners, count), time_of_counts(ledgers)
    first, last = sizes[0], sizes[-1]
    return {
        "ratios": {
            **{
                f"execute / bare loop, {rows:,} rows": round(
                    ratio(seconds[f"execute {rows}"], seconds[f"bare {rows}"]), 2
                )
                for rows in sizes
            },
            f"execute / raw disk, {first:,} rows": round(
                ratio(seconds[f"execute {first}"], seconds["raw disk"]), 2
            ),
            f"time of execute, {last:,} / {first:,} rows": round(
                ratio(seconds[f"execute {first}"], seconds[f"execute {last}"]), 2
            ),
            f"time of counts(), {last:,} / {first:,} rows": round(
                statistics.median(counting[last]) / statistics.median(counting[first]), 2
            ),
        },
        "syncs_an_action": syncs_an_action(folder),
        "latency": {name: described(times) for name, times in seconds.items()},
        "counts_p50_us": {
            f"{rows:,}": round(statistics.median(times) * 1e6, 1)
            for rows, times in counting.items()
        },
        "versions": {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version},
    }


def show(results: dict[str, Any]) -> None:
    """Print the results as small tables."""
    print("ratios (throughput; 1.00 would be as fast)")
    for name, value in results["ratios"].items():
        print(f"  {name:45} {value:6.2f}")
    syncs = results["syncs_an_action"]
    print(f"  {'disk syncs an action':45} {'not measured' if syncs is None else syncs}")
    print("on this machine         p50 us    p99 us  actions/s")
    for name, row in results["latency"].items():
        print(f"  {name:18} {row['p50_us']:10,} {row['p99_us']:9,} {row['per_second']:10,}")
    for rows, value in results["counts_p50_us"].items():
        print(f"  counts() {rows:>9} {value:10,}")
    print(f"Python {results['versions']['python']}, SQLite {results['versions']['sqlite']}")


def main() -> int:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="rows there already")
    parser.add_argument("--actions", type=int, default=3_000, help="actions a runner")
    parser.add_argument("--dir", help="a folder on the disk to measure")
    parser.add_argument("--json", type=Path, help="write the results here, too")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        one = with_execute(Path(options.child[0]), made(int(options.child[1])))
        for number in range(int(options.child[1])):
            one(number)
        return 0
    with tempfile.TemporaryDirectory(dir=options.dir or Path(__file__).parent) as folder:
        sizes = tuple(int(size) for size in options.sizes.split(","))
        results = bench(Path(folder), sizes, options.actions)
    show(results)
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
