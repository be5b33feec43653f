"""A diary: what a worker did, written down beat by beat, in a file that outlives the worker."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from lab.faults.beats import Beat, Recorder
from lab.gateway import DemoProvider, Ledger


class Diary(Recorder):
    """Keeps the beats of one action, and writes each to a file before anything else happens."""

    def __init__(self, path: Path, ledger: Ledger, provider: DemoProvider, key: str) -> None:
        self.path = path
        super().__init__(
            ledger.now,
            lambda: ledger.get(key),
            lambda: provider.effects(key),
            lambda: provider.requests(key),
            start=0,  # the file may be older than this worker: times are those of the errands
        )

    def add(self, who: str, step: str, what: str, **more: Any) -> None:
        """Keep that somebody did something, and write it down; see `Recorder.add`."""
        super().add(who, step, what, **more)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(self.beats[-1]) + "\n")


def read_diary(path: Path) -> list[Beat]:
    """Return the beats that all workers wrote; where there is no file, there are none.

    A last line that was cut off in the middle is left out.
    """
    lines = path.read_text("utf-8").splitlines(keepends=True) if path.exists() else []
    return [Beat(*json.loads(line)) for line in lines if line.endswith("\n")]
