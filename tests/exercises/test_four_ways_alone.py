"""Some exercises four ways: see `four_ways`."""

from tests.exercises.four_ways import *  # noqa: F403

ASKED = (
    "count_duplicates",
    "action_key",
    "refund_key",
    "payload_hash",
    "verdict_of",
    "review_cost",
    "reuse_test",
    "meaning",
    "redact",
    "measures",
)
