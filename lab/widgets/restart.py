"""The panel of lesson 07: run a real worker to a step, kill it there, and restart."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import cycle
from pathlib import Path
from string import ascii_uppercase
from typing import Any, NamedTuple

from lab.faults.beats import Recorder, seconds
from lab.faults.clock import SECOND_MS
from lab.faults.crashes import live
from lab.faults.diary import read_diary
from lab.faults.gateways import SAFE
from lab.faults.kills import first_errand, workers
from lab.faults.show import counted, held, known
from lab.faults.worker import (
    LEDGER_FILE,
    PROVIDER_FILE,
    Errand,
    Simulated,
    Workers,
    open_both,
)
from lab.faults.world import ACTION, Scene, World
from lab.gateway import READABLE, Row, StoreError, count_duplicates
from lab.gateway.ledger import SEND_WINDOW_MS
from lab.widgets.panel import (
    RESET,
    Button,
    Choice,
    Group,
    Panel,
    Side,
    Strong,
    Table,
    View,
)

DIARY = "diary.jsonl"
SCENE = Scene(READABLE.name)
WAITS = {
    seconds(wait): wait
    for wait in (
        5 * SECOND_MS,
        SEND_WINDOW_MS + SECOND_MS,  # a worker that was killed would not send any more
        READABLE.last_moment(SEND_WINDOW_MS) + SECOND_MS,  # and what it sent has arrived
    )
}

shared = cache(workers)
"""Return what starts the workers of every panel in this kernel; it ends with the kernel."""


@cache
def stops() -> dict[str, str]:
    """Return every half step at which a worker may be stopped, each with its label.

    First come those of an errand that nobody disturbs, then those that only a restart makes.
    """
    found: dict[str, None] = {}

    def note(when: str, step: str) -> None:
        found.setdefault(f"{when} {step}")

    with World(SCENE) as world:
        with world.rewound():
            half_steps = live(world, watch=note).half_steps
        undisturbed = set(found)
        for die_at in range(1, half_steps + 1):
            for wait in WAITS.values():
                with world.rewound():
                    live(world, die_at)
                    world.wait(world.clock.time + wait)
                    live(world, watch=note)
    return {place: place if place in undisturbed else f"{place} (restarts only)" for place in found}


class Seen(NamedTuple):
    """What both files hold."""

    files: bool = False
    row: Row | None = None
    requests: Sequence[dict[str, Any]] = ()
    effects: Sequence[dict[str, Any]] = ()

    @property
    def duplicates(self) -> int:
        """Effects beyond the one that was approved."""
        return count_duplicates([effect["key"] for effect in self.effects], [ACTION.key])

    @property
    def no_row(self) -> str:
        """Say what there is where there is no row."""
        return "no row" if self.files else "no file"

    def in_words(self) -> str:
        """Say what each side says."""
        state = self.row.state if self.row else "nothing"
        return (
            f"The ledger says {state}; the provider holds {counted(len(self.effects), 'effect')}."
        )

    def ledger_facts(self) -> Iterator[tuple[str, object]]:
        """Yield what the ledger's file says, fact by fact."""
        row = self.row
        yield "state", row.state if row else self.no_row
        yield "attempts", row.attempts if row else 0
        yield "receipt", (row and row.receipt) or "none"
        yield "evidence", row.evidence if row else "none"

    def provider_facts(self) -> Iterator[tuple[str, object]]:
        """Yield what the provider's file holds, fact by fact."""
        yield "requests", len(self.requests)
        yield "effects", len(self.effects)
        yield "receipts", ", ".join(effect["receipt"] for effect in self.effects) or "none"
        yield "duplicates", self.duplicates


class Life(NamedTuple):
    """What is known of one worker: its name, where it is or was held, and what came of it."""

    name: str
    place: str = ""
    end: str = ""  # empty while it is alive

    def in_words(self) -> str:
        """Say what came of it."""
        return self.end or f"alive, held {self.place}"


class Restart(Panel):
    """Lead-202's welcome, two files, and one worker process after the other.

    ``stop_at`` is where the next worker is held ("after provider.perform"), ``wait`` how much time
    passes when it is let pass (ms). ``workers`` starts the workers; where it cannot, they are
    simulated in this process, until the next reset.
    """

    _tidy_up: Callable[[], object] = staticmethod(lambda: None)
    title = "Kill a worker, and restart"
    try_first = (
        "press Run to the step, then Kill it. Which of the two files knows more? "
        "Then press Restart, and count the effects."
    )

    def __init__(self, workers: Workers | None = None) -> None:
        self.groups = (
            Group(
                "run",
                (
                    Choice("stop_at", "Stop at", tuple((v, k) for k, v in stops().items())),
                    Button(
                        "run_to", "Run to the step", "A worker process starts; it is held there"
                    ),
                    Button("kill", "Kill it", "By SIGKILL, which no process can catch"),
                ),
            ),
            Group(
                "again",
                (
                    Button("restart", "Restart", "A new process, on the same files, to its end"),
                    Choice("wait", "Time", tuple(WAITS.items())),
                    Button("pass_time", "Let it pass"),
                    RESET,
                ),
            ),
        )
        self._real = shared() if workers is None else workers
        self.reset()
        with suppress(OSError):  # the first press tries again, and tells
            self._real.start()

    def reset(self) -> None:
        """Begin again, without files."""
        self._tidy_up()
        self.workers, self.simulated = self._real, ""
        self.folder, self._held = "", list[int]()  # no folder before it is needed
        self.stop_at, self.wait = "after provider.perform", WAITS["5 s"]
        self.names, self.lives = cycle(ascii_uppercase), list[Life]()
        self.now, self.read = 0, 0  # the time (ms); how many beats of the diary were read
        self.seen, self.then, self.killed = Seen(), Seen(), ""
        self.recorder = Recorder(
            lambda: self.now,
            lambda: self.seen.row,
            lambda: self.seen.effects,
            lambda: list(self.seen.requests),
            start=0,
        )
        self.happened = "Nothing yet. Lead-202 is owed one welcome message, and no worker has run."

    def press(self, name: str) -> None:
        """Do what a button says; what cannot be done is told in a sentence."""
        simulated = self.simulated
        try:
            super().press(name)
        except (OSError, RuntimeError, ValueError, StoreError) as error:
            self.happened = (
                f"This went wrong: {str(error).rstrip('.')}. Press Reset to begin again."
            )
        if self.simulated and not simulated:
            self.happened = (
                f"No process can be started here ({self.simulated}). So the workers are simulated, "
                f"in the notebook's own process. {self.happened}"
            )

    def run_to(self) -> None:
        """Let a new worker run to the step, and hold it there."""
        if self._is_alive("One worker at a time."):
            return
        place, before = self.stop_at, self.seen.row
        when, step = place.split()
        pid = self._let_work(lambda workers, errand: workers.hold(errand, when, step), place)
        if pid is None:
            self.happened = f"{self._who()} never came to '{place}': it {self._told(before)}"
            return
        self.happened = f"{self._who()} is alive, and held {place}. {self.seen.in_words()}"

    def kill(self) -> None:
        """Kill the worker that is held."""
        if not self._held:
            last = f"Worker {self.lives[-1].name} has ended. " if self.lives else ""
            self.happened = f"{last}No worker is alive to be killed: press Run to the step."
            return
        [pid], life, who = self._held, self.lives[-1], self._who()
        was_alive = self.workers.kill(pid)
        self._held.clear()
        self.lives[-1] = life._replace(end=f"killed {life.place}")
        self._look()
        self.recorder.add(life.name, "dies", "dies")
        self.then, self.killed = self.seen, life.name
        how = "was killed" if was_alive else "was gone already, before we killed it,"
        self.happened = f"{who} {how} {life.place}. {self.seen.in_words()}"

    def restart(self) -> None:
        """Let a new worker do the errand to its end, on the same files."""
        if self._is_alive("Restart comes after a kill."):
            return
        before = self.seen.row
        self._let_work(lambda workers, errand: workers.run(errand))
        self.happened = f"{self._who()} opened the two files. It {self._told(before)}"

    def pass_time(self) -> None:
        """Let time pass; what was on its way arrives."""
        if self._is_alive("A worker that is held does not see time pass."):
            return
        then, done = self.now, len(self.seen.effects)
        self.now += self.wait
        self._look()
        self.recorder.time(then, done)
        self.happened = f"{seconds(self.wait)} went by: it is {seconds(self.now)} now."

    def _is_alive(self, why_not: str) -> bool:
        """Tell whether a worker is held; if so, say why something must wait."""
        if self._held:
            self.happened = f"{why_not} {self._who()} is still alive: kill it first."
        return bool(self._held)

    def _let_work(self, do: Callable[[Workers, Errand], Any], place: str = "") -> Any:
        """Let a new worker do something: come to a place, or to its end."""
        if not self.folder:
            self.folder = tempfile.mkdtemp(prefix="restart-")
            self._tidy_up = weakref.finalize(self, _forget, self.folder, self._real, self._held)
        life = Life(next(self.names), place)
        self.lives.append(life._replace(end="failed"))
        errand = replace(self._errand(), actor=life.name)
        try:
            done = self._do(do, errand)
        except BaseException:  # interrupted, too: it may have done something
            self._look()
            self.recorder.ended(life.name, "failed")
            raise
        self._look()
        ended = done is None or not place
        if ended:
            last = self.recorder.beats[-1].what
            self.lives[-1] = life._replace(end=last.replace("ends: ", "ended: "))
        else:
            self._held.append(done)
            self.lives[-1] = life
        return done

    def _do(self, do: Callable[[Workers, Errand], Any], errand: Errand) -> Any:
        """Let a worker do something; simulated, where its process did not even begin."""
        try:
            return do(self.workers, errand)
        except (OSError, RuntimeError) as error:
            if self.simulated or len(read_diary(Path(self.folder, DIARY))) > self.read:
                raise
            simulated = Simulated()
            done = do(simulated, errand)
            self.workers, self.simulated = simulated, str(error)
            return done

    def _errand(self) -> Errand:
        errand = first_errand(SCENE, SAFE, Path(self.folder))
        return replace(errand, at=self.now, diary=DIARY)

    def _look(self) -> None:
        """Look into both files, and read on in the diary."""
        if not self.folder:
            return
        self.seen = Seen()
        if all(Path(self.folder, name).exists() for name in (LEDGER_FILE, PROVIDER_FILE)):
            with open_both(self._errand()) as (ledger, provider):
                self.seen = Seen(
                    True,
                    ledger.get(ACTION.key),
                    provider.requests(),
                    provider.effects(),
                )
        written = read_diary(Path(self.folder, DIARY))
        self.recorder.beats += written[self.read :]
        self.read = len(written)

    def _who(self) -> str:
        """Name the last worker, and its process while it is alive."""
        name = f"Worker {self.lives[-1].name}"
        if self.simulated:
            return f"{name} (simulated)"
        return f"{name} (process {self._held[0]})" if self._held else name

    def _told(self, before: Row | None) -> str:
        """Say what the last worker did to its end; ``before`` is the row that it found."""
        path = self.recorder.beats[-1].what.rpartition(", ")[2]
        row = self.seen.row
        if path == "sent":
            path = f"sent from {before.state if before else 'nothing'}"
        until = seconds(READABLE.last_moment((row and row.send_by) or 0))
        receipt, attempts = (row.receipt, row.attempts) if row else ("", 0)
        return _TOLD[path].format(receipt=receipt, attempts=attempts, until=until)

    def view(self) -> View:
        """Return what both files say, at the last kill and now, and which workers there were."""
        row, seen = self.seen.row, self.seen
        says = known(row) if row else seen.no_row
        note = "The workers are simulated: no process can be started here." * bool(self.simulated)
        ledger = self._table(LEDGER_FILE, Seen.ledger_facts)
        provider = self._table(PROVIDER_FILE, Seen.provider_facts)
        workers = [(life.name, life.in_words()) for life in self.lives]
        return View(
            self.happened,
            Side(f"What the ledger says, at {seconds(self.now)}", says, (ledger,), note),
            Side(
                "What the provider holds", held(len(seen.effects), len(seen.requests)), (provider,)
            ),
            self.recorder.beats,
            more=(Table("Workers", ("worker", "what became of it"), workers),),
        )

    def _table(self, file: str, facts: Callable[[Seen], Iterator[tuple[str, object]]]) -> Table:
        """Set what a file says beside what it said at the last kill; what changed is strong."""
        now = list(facts(self.seen))
        if not self.killed:
            return Table(file, ("fact", "now"), now)
        rows = [
            (name, then, new if new == then else Strong(new))
            for (name, then), (_, new) in zip(facts(self.then), now, strict=True)
        ]
        return Table(file, ("fact", f"when {self.killed} died", "now"), rows)


def _forget(folder: str, workers: Workers, held: list[int]) -> None:
    """Kill who is still held, and remove the files, as far as the system lets us."""
    for pid in held:
        with suppress(OSError, RuntimeError):
            workers.kill(pid)
    shutil.rmtree(folder, ignore_errors=True)


_TOLD = {
    "sent from nothing": "found no row, so nothing was begun: it sent, and kept {receipt}. "
    "SETTLED.",
    "sent from PREPARED": "found PREPARED, so no attempt was open: it sent attempt {attempts}, and "
    "kept {receipt}. SETTLED.",
    "sent from UNKNOWN": "asked the provider: not there, and nothing can arrive any more. So the "
    "open attempt was never executed, and it sent attempt {attempts}. SETTLED.",
    "hold": "asked the provider: not there. The request may still arrive until {until}, so it "
    "waits, and sends nothing. UNKNOWN.",
    "reconciled": "asked the provider, which holds {receipt}, and wrote that down. SETTLED, and "
    "nothing was sent a second time.",
    "cached": "read SETTLED and {receipt} in the ledger. It asked nobody, and sent nothing.",
    "manual": "found that all {attempts} attempts are used up. REVIEW: a person must look.",
}
