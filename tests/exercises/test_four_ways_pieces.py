"""Some exercises four ways: see `four_ways`."""

from tests.exercises.four_ways import *  # noqa: F403

ASKED = (
    "begin",
    "on_found",
    "on_unavailable",
    "on_proved_not_executed",
)
