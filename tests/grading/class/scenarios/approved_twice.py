"""One scenario of an instructor's own, for lesson 01: an approval that is listed twice."""

from lab.exercises.exercise import Scenario
from lab.exercises.stage import Facts, Stage


def play(stage: Stage) -> Facts:
    """List one approval twice, as a careless export does. It allows one message, not two."""
    key = f"lead-{stage.number(202)}"
    return {"duplicates": stage.answer("count_duplicates", [key, key], [key, key])}


EXERCISE = "count_duplicates"
SCENARIOS = (
    Scenario(
        "approved twice", "One approval is listed twice, and lead-202 has two messages.", play
    ),
)
