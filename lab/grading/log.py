"""The results as they come: a line each, so that a run that was interrupted goes on."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lab import __version__
from lab.grading.graded import Paper

NAME = "results.jsonl"


NO_RESULTS = "{} is no file of results. Name another folder"
WHAT = {
    "lab": "another version of the course",
    "seed": "another seed",
    "scenarios": "other scenarios of your own",
}


class CannotGoOn(Exception):
    """The folder holds another run, or cannot be written; the message says what to do."""


class Log:
    """The file of results in a folder. ``papers`` are those it holds already, by their file.

    The first line says how it is graded: ``seed``, and a digest of the instructor's scenarios.
    """

    def __init__(self, out: Path, seed: int | None, scenarios: str = "") -> None:
        """Open it, or go on with what is there.

        Raises:
            CannotGoOn.
        """
        self.path = out / NAME
        self.papers: dict[str, Paper] = {}
        how = {"lab": __version__, "seed": seed, "scenarios": scenarios}
        try:
            out.mkdir(parents=True, exist_ok=True)
            lines = self.path.read_text("utf-8").splitlines() if self.path.exists() else []
            self.seed = self._read(lines, how) if lines else self._begun(how)
            self.file = self.path.open("a", encoding="utf-8")
            if lines and not self.path.read_text("utf-8").endswith("\n"):
                self.file.write("\n")  # the last line was cut off
        except UnicodeDecodeError:
            raise CannotGoOn(NO_RESULTS.format(self.path)) from None
        except OSError as error:
            raise CannotGoOn(f"{out}: it cannot be written ({error.strerror})") from None

    def _begun(self, how: dict[str, Any]) -> int:
        seed = random.SystemRandom().randrange(1 << 32) if how["seed"] is None else how["seed"]
        self.path.touch(0o600)  # it holds everybody's
        self.path.write_text(json.dumps({**how, "seed": seed}) + "\n", "utf-8")
        return int(seed)

    def _read(self, lines: list[str], how: Mapping[str, Any]) -> int:
        other = f"{self.path.parent} holds a run with {{}}. Name another folder"
        try:
            held = json.loads(lines[0])
            asked = {**how, "seed": held["seed"] if how["seed"] is None else how["seed"]}
            if differ := [name for name, value in asked.items() if held[name] != value]:
                raise CannotGoOn(other.format(" and ".join(WHAT[name] for name in differ)))
            for line in lines[1:]:
                try:
                    paper = Paper.of(json.loads(line))
                except ValueError:
                    continue  # the last one, cut off in the middle
                self.papers[paper.file] = paper
            return int(held["seed"])
        except (ValueError, KeyError, TypeError):
            raise CannotGoOn(NO_RESULTS.format(self.path)) from None

    def add(self, paper: Paper) -> None:
        """Write one paper down, for good."""
        self.papers[paper.file] = paper
        self.file.write(json.dumps(paper.as_data()) + "\n")
        self.file.flush()
        os.fsync(self.file.fileno())

    def close(self) -> None:
        """Close the file."""
        self.file.close()
