"""A process boundary fits between bench and learner: on both sides of it verdicts are the same."""

import os
from typing import Any

import pytest

from lab import exercises
from lab.exercises.judge import judge
from tests.exercises import other_process
from tests.exercises.answering import Answer, answers_to

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork: Linux or macOS"),
    # The children call nothing but the learner's code, and never wait for a lock of pytest's.
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),
]
# One of each kind: a pure function, a piece of the gateway, SQL, a test that the learner writes.
NAMES = ("verdict_of", "attempt", "on_found", "prepare", "begin", "reuse_test")
EVERY = 15  # of the answers; all of them would take minutes
ALL = [(name, answer) for name in NAMES for answer in answers_to(name)[::EVERY]]


@pytest.mark.parametrize(
    ("name", "answer"), ALL, ids=[f"{name}: {answer.what}" for name, answer in ALL]
)
def test_an_answer_in_a_process_of_its_own_gets_the_same_verdict(name: str, answer: Answer) -> None:
    exercise: Any = getattr(exercises, name)
    given = {exercise.owners[0]: answer.given}
    there = judge(exercise, (answer.given,), spawn=other_process.in_another_process(given))
    here = exercise.judged(answer.given)
    assert (there.status, there.mistake, there.earned) == (here.status, here.mistake, here.earned)


def test_it_is_really_killed() -> None:
    other_process.killed.clear()
    right = next(answer for answer in answers_to("prepare") if not answer.mistake)
    given = {"Ledger": right.given}
    verdict = judge(
        exercises.prepare, (right.given,), spawn=other_process.in_another_process(given)
    )
    assert verdict.status == "PASSED"
    assert other_process.killed
    for process in other_process.killed:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)
