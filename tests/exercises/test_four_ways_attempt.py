"""Some exercises four ways: see `four_ways`."""

from tests.exercises.four_ways import *  # noqa: F403

ASKED = ("attempt",)
