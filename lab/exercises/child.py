"""A process of its own for one saved answer: defines it, judges it, and says the verdict as JSON.

Run as `COMMAND`; the answer comes on standard input. It must not be the main module itself: that is
what the learner's code is.
"""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stdout

from lab import exercises
from lab.exercises.bench import Player, in_this_process
from lab.exercises.exercise import Exercise
from lab.exercises.judge import played_out, refused
from lab.exercises.slicing import Broken, Cell, needed
from lab.exercises.verdict import COULD_NOT_RUN, Verdict
from lab.guest.written import Unusable, compiled, defined, given_as

COMMAND = [sys.executable, "-c", "from lab.exercises.child import main; main()"]


def judged(name: str, answer: Cell, before: list[Cell]) -> Verdict:
    """Define a saved answer, and judge it."""
    exercise: Exercise = getattr(exercises, name)
    try:
        sources = needed(before, answer)
        given = defined(exercise.asked, sources, compiled(sources))
        named = given_as(exercise.asked, given)
    except Broken as broken:
        return exercise.unplayed(COULD_NOT_RUN, str(broken))
    except Unusable as unusable:
        return refused(exercise, unusable)
    return played_out(exercise, Player(in_this_process(named)))


def main() -> None:
    """Read one answer from standard input, and write its verdict to standard output."""
    asked = json.load(sys.stdin)
    before = [Cell(*cell) for cell in asked["before"]]
    with redirect_stdout(io.StringIO()):
        verdict = judged(asked["exercise"], Cell(*asked["answer"]), before)
    json.dump(verdict.as_data(), sys.stdout, default=str)
