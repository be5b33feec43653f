"""Measures `execute` beside a bare two-commit SQLite loop and beside the raw disk.

Disks have slow spells, and machines have neighbours. So everything is measured in small blocks, in
turn, on the same disk, and a ratio is taken between blocks that follow each other: the ratios are
what to compare between machines.
"""

from __future__ import annotations

import argparse
import gc
import json
import platform
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from runners import (
    Runner,
    check,
    empty_ledger,
    empty_table,
    made,
    onto_raw_disk,
    seed,
    through_bare_loop,
    through_execute,
)

from lab.gateway import Ledger

Item = TypeVar("Item")
Times = dict[str, list[list[float]]]
"""By runner: its blocks, each as the seconds of its actions."""

SIZES = (1_000, 100_000, 1_000_000)
BLOCK = 100  # actions a turn: long enough to be warm, short beside a slow spell of the disk
WARM = 5  # blocks that are thrown away: caches fill, and logs grow to the size they keep
ACTIONS = 6_000  # of each runner: 60 blocks
LIMIT_S = 100  # on a slow disk fewer blocks are measured, so that it ends
ROOT = Path(__file__).resolve().parents[2]


def in_turn(
    runners: Mapping[str, Callable[[Item], object]], blocks: int, items: Callable[[int], list[Item]]
) -> Times:
    """Run every runner on a block of items, in turn and back again; return the seconds of each.

    ``items`` makes the block with this number, before the clock starts. Python collects its
    garbage between the blocks: whose turn it comes in would be chance.
    """
    times: Times = {name: [] for name in runners}
    order, start = list(runners), time.monotonic()
    for block in range(WARM + blocks):
        for name in order:
            seconds, todo = [], items(block)
            gc.collect()
            gc.disable()
            for item in todo:
                before = time.perf_counter()
                runners[name](item)
                seconds.append(time.perf_counter() - before)
            gc.enable()
            times[name].append(seconds)
        order.reverse()
        if block > WARM and time.monotonic() - start > LIMIT_S:
            break
    return {name: measured[WARM:] for name, measured in times.items()}


def ratios(upper: list[list[float]], lower: list[list[float]]) -> dict[str, float]:
    """Compare the times of two runners: block by block, and overall."""
    above, below = [sum(block) for block in upper], [sum(block) for block in lower]
    return {
        "blocks": round(statistics.median(a / b for a, b in zip(above, below, strict=True)), 3),
        "overall": round(sum(above) / sum(below), 3),
    }


def described(blocks: list[list[float]]) -> dict[str, float]:
    """Return p50 and p99 in microseconds, and actions a second: the mean of all."""
    seconds = [second for block in blocks for second in block]
    cuts = statistics.quantiles(seconds, n=100)
    return {
        "p50_us": round(cuts[49] * 1e6, 1),
        "p99_us": round(cuts[98] * 1e6, 1),
        "per_second": round(len(seconds) / sum(seconds)),
    }


def faster_bare_loop(folder: Path) -> bool:
    """Tell whether the bare loop is faster with explicit transactions than in autocommit."""
    runners = {}
    for explicit in (False, True):
        empty_table(folder / f"try-{explicit}")
        runners[str(explicit)] = through_bare_loop(folder / f"try-{explicit}", explicit)
    times = in_turn(runners, 10, block_of_actions(0))
    return ratios(times["False"], times["True"])["blocks"] > 1


def block_of_actions(first: int) -> Callable[[int], list[Any]]:
    """Return what makes the actions of a block, numbered from here on."""
    return lambda block: made(range(first + block * BLOCK, first + (block + 1) * BLOCK))


def time_of_reads(ledgers: Mapping[int, Ledger]) -> dict[int, dict[str, float]]:
    """Time ``counts()``, and the list of open rows, on each ledger in turn."""
    counts: dict[str, Callable[[int], object]] = {}
    for rows, ledger in ledgers.items():
        counts[str(rows)] = lambda _, ledger=ledger: ledger.counts()  # type: ignore[misc]
    times = in_turn(counts, 20, lambda _: list(range(BLOCK)))
    reads = {}
    for rows, ledger in ledgers.items():
        before = time.perf_counter()
        listed = len(ledger.rows(open_only=True))
        seconds = time.perf_counter() - before
        reads[rows] = {
            "counts_us": described(times[str(rows)])["p50_us"],
            "open_rows": listed,
            "open_row_us": round(seconds / max(listed, 1) * 1e6, 2),
        }
    return reads


def syncs_an_action(folder: Path, count: int = 1_000) -> float | None:
    """Return how often an action waits for the disk, as strace counts; None without it.

    The copying of the log into the file, once in many actions, is in it.
    """
    if shutil.which("strace") is None:
        return None
    calls = []
    for actions in (0, count):
        log, ledger = folder / f"strace-{actions}", folder / f"child-{actions}"
        strace = ["strace", "-f", "-c", "-o", str(log), "-e", "trace=fdatasync,fsync"]
        child = [sys.executable, __file__, "--child", str(ledger), str(actions)]
        if subprocess.run([*strace, *child], check=False, capture_output=True).returncode:
            return None
        found = re.findall(r"^\s*[\d.]+\s+\S+\s+\d+\s+(\d+).*sync$", log.read_text(), re.MULTILINE)
        calls.append(sum(map(int, found)))
    return round((calls[1] - calls[0]) / count, 3)


def file_system(folder: Path) -> str:
    """Return the type of the file system that a folder is on, where the machine tells."""
    mounts = Path("/proc/self/mounts")
    if not mounts.exists():
        return "unknown"
    places = [line.split()[1:3] for line in mounts.read_text().splitlines()]
    held = [(len(place), kind) for place, kind in places if folder.resolve().is_relative_to(place)]
    return max(held, default=(0, "unknown"))[1]


def databases(folder: Path, rows: int) -> tuple[Path, Path]:
    """Make a ledger and a bare table with so many rows each, and return where they are."""
    ours, bare = folder / f"ledger-{rows}", folder / f"bare-{rows}"
    empty_ledger(ours)
    empty_table(bare)
    seed(ours, rows)
    seed(bare, rows)
    check(ours, rows)
    return ours, bare


def compared(times: Times, rows: int, first: int) -> dict[str, Any]:
    """Compare `execute` with so many rows there to the others, and to itself with the fewest."""
    execute = times[f"execute {rows}"]
    return {
        "execute_to_bare": ratios(times[f"bare {rows}"], execute),
        "execute_to_raw": ratios(times["raw disk"], execute),
        "growth": ratios(execute, times[f"execute {first}"]),
        "execute": described(execute),
        "bare": described(times[f"bare {rows}"]),
    }


def bench(folder: Path, sizes: tuple[int, ...], actions: int) -> dict[str, Any]:
    """Measure everything, and return it as plain data."""
    explicit = faster_bare_loop(folder)
    runners: dict[str, Runner] = {"raw disk": onto_raw_disk(folder / "raw")}
    ledgers = {}
    for rows in sizes:
        print(f"putting {rows:,} rows there ...", file=sys.stderr, flush=True)
        ours, bare = databases(folder, rows)
        runners[f"bare {rows}"] = through_bare_loop(bare, explicit)
        runners[f"execute {rows}"] = through_execute(ours)
        ledgers[rows] = Ledger(ours)
    print(f"measuring {actions:,} actions each, in turn ...", file=sys.stderr, flush=True)
    times = in_turn(runners, max(actions // BLOCK, 1), block_of_actions(max(sizes)))
    reads = time_of_reads(ledgers)
    return {
        "sizes": {rows: {**compared(times, rows, sizes[0]), **reads[rows]} for rows in sizes},
        "raw_disk": described(times["raw disk"]),
        "syncs_an_action": syncs_an_action(folder),
        "actions": len(times["raw disk"]) * BLOCK,
        "block": BLOCK,
        "bare_loop": "BEGIN IMMEDIATE ... COMMIT" if explicit else "autocommit",
        "file_system": file_system(folder),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
    }


def show(results: dict[str, Any]) -> None:
    """Print the results: what does not depend on the machine first."""
    sizes, syncs = results["sizes"], results["syncs_an_action"]
    fewest = next(iter(sizes.values()))["counts_us"]
    print("Throughput of execute (1.00: as fast), and how times grow with the rows that are there")
    groups = ("execute / bare", "execute / raw disk", "time of execute")
    print(" " * 10 + "".join(f"{group:>20}" for group in groups) + f"{'counts()':>10}")
    print(f"{'rows':>10}" + f"{'blocks':>10}{'overall':>10}" * len(groups) + f"{'median':>10}")
    for rows, of in sizes.items():
        pairs = (of["execute_to_bare"], of["execute_to_raw"], of["growth"])
        told = "".join(f"{pair['blocks']:10.2f}{pair['overall']:10.2f}" for pair in pairs)
        print(f"{rows:10,}{told}{of['counts_us'] / fewest:10.2f}")
    print(f"{'wanted':>10}{'0.70':>10}{'< 1.20':>40}{'< 2.00':>20}")
    told = "not measured: strace is missing here" if syncs is None else f"{syncs:.2f}"
    print(f"waits for the disk an action: {told}\n")
    show_figures(results)


def show_figures(results: dict[str, Any]) -> None:
    """Print what was measured on this machine, and on what."""

    def line(name: str, of: dict[str, float], rest: str = "") -> None:
        print(f"{name:18}{of['p50_us']:10.1f}{of['p99_us']:10.1f}{of['per_second']:12,}{rest}")

    print("On this machine, in microseconds")
    print(f"{'':18}{'p50':>10}{'p99':>10}{'actions/s':>12}{'counts()':>11}{'an open row':>14}")
    line("raw disk", results["raw_disk"])
    for rows, of in results["sizes"].items():
        line(f"bare    {rows:10,}", of["bare"])
        reads = f"{of['counts_us']:11.1f}{of['open_row_us']:14.2f}"
        line(f"execute {rows:10,}", of["execute"], reads)
    print(
        f"\n{results['actions']:,} actions each, in blocks of {results['block']}. The bare loop: "
        f"{results['bare_loop']}, WAL, FULL, the ledger's\ntable alone, SQLite's defaults "
        f"otherwise. Python {results['python']}, SQLite {results['sqlite']}, "
        f"file system {results['file_system']}."
    )


def main() -> int:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="rows there already")
    parser.add_argument("--actions", type=int, default=ACTIONS, help="of each runner")
    parser.add_argument("--dir", type=Path, help="a folder on the disk to measure")
    parser.add_argument("--json", type=Path, help="write the results here, too")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        one = through_execute(Path(options.child[0]))
        for action in made(range(int(options.child[1]))):
            one(action)
        return 0
    # The folder for temporary files may be memory, and no disk.
    parent = options.dir or ROOT / ".cache"
    parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory("", "bench-", parent, ignore_cleanup_errors=True) as folder:
        sizes = tuple(sorted(int(size) for size in options.sizes.split(",")))
        results = bench(Path(folder), sizes, options.actions)
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n")
    show(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
