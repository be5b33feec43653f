"""What was passed so far: one small file of the learner's own, and a page that shows it.

The file lies beside the learner's copies of the lessons. Anywhere else nothing is noted, unless the
environment variable `PLACE` names a file.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

PLACE = "LAB_PROGRESS"
NAME = ".progress.json"
COPIES = ".shipped.json"  # stands where `make course` put the learner's copies


def place() -> Path | None:
    """Return the file that keeps progress, or None where none does."""
    told = os.environ.get(PLACE)
    if told:
        return Path(told)
    here = Path.cwd()
    return here / NAME if (here / COPIES).is_file() else None


def passed() -> set[str]:
    """Return the names of the exercises that were passed; a file that cannot be read has none."""
    file = place()
    try:
        held = json.loads(file.read_text("utf-8")) if file else []
    except (OSError, ValueError):
        return set()
    return {name for name in held if isinstance(name, str)} if isinstance(held, list) else set()


def record(name: str) -> None:
    """Note that an exercise was passed; where that is not possible, the verdict stands anyway."""
    file, before = place(), passed()
    if file is not None and name not in before:
        _write(file, before | {name})


def show() -> None:
    """Print every exercise with its points, what was passed, and what comes next."""
    from lab import exercises

    done = passed()
    asked = [getattr(exercises, name) for name in exercises.NAMES]
    width = 2 + max(len(one.title) for one in asked)
    print(f"lesson  {'exercise':{width}}points  passed")
    for one in asked:
        print(f"{one.lesson:6}  {one.title:{width}}{one.points:6}", end="")
        print("  yes" if one.name in done else "")
    points = sum(one.points for one in asked if one.name in done)
    print(f"\n{points} of {sum(one.points for one in asked)} points")
    following = next((one for one in asked if one.name not in done), None)
    if following is None:
        print("Every exercise is passed.")
    else:
        print(f"Next: lesson {following.lesson}, {following.title}")


def forget() -> None:
    """Begin again: nothing counts as passed any more."""
    file = place()
    if file is not None and file.exists():
        _write(file, set())
    print("Nothing counts as passed now. Your answers are as they were.")


def _write(file: Path, names: set[str]) -> None:
    """Replace the file by one with these names: never by half of it."""
    half = file.with_name(file.name + ".new")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        half.write_text(json.dumps(sorted(names), indent=1) + "\n", "utf-8")
        half.replace(file)
    except OSError:
        print(f"(This could not be noted in {file.name}: its folder cannot be written.)")
