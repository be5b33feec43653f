"""What the lessons ask: a choice before a run, and the pieces that the learner writes.

``from lab.exercises import on_found as exercise`` brings one exercise. Its file is read when it is
asked for.
"""

from __future__ import annotations

import importlib
from typing import Any

from lab.exercises.predict import predict

NAMES = (
    "count_duplicates",
    "action_key",
    "refund_key",
    "payload_hash",
    "prepare",
    "verdict_of",
    "attempt",
    "on_found",
    "on_unavailable",
    "review_cost",
    "on_proved_not_executed",
    "reuse_test",
    "attempt_in_time",
    "begin",
    "meaning",
    "redact",
    "measures",
)
"""The exercises, in the order of the lessons; each has a file in ``lab/exercises/asked``."""

__all__ = ["NAMES", "predict"]


def __getattr__(name: str) -> Any:
    """Return an exercise by its name."""
    if name not in NAMES:
        raise AttributeError(f"there is no exercise {name!r}; these are: {', '.join(NAMES)}")
    return importlib.import_module(f"lab.exercises.asked.{name}").exercise
