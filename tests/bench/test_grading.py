"""What the benchmark of the grader compares, and what it prints; no time is measured here."""

from collections.abc import Callable
from pathlib import Path

import pytest

from lab.exercises.saved import answers_in
from tests.bench.grading import ASSIGNMENT, LESSONS, Lesson, Sizes, in_turn, ratio, show

RESULTS = {
    "lessons": {
        "01": {
            "ours_s": 0.125, "nbgrader_s": 4.0, "ours_start_s": 1.5, "nbgrader_start_s": 2.5,
            "turns": 32.0, "overall": 30.3,
        },
    },
    "growth": {
        "turns": 1.01, "overall": 1.03,
        "memory_mb": {"pool": [70.0, 71.0], "worker": [100.0, 101.5]},
    },
    "loops": {
        "submissions": 100, "endless": 10, "limit_s": 5, "workers": 2,
        "ordinary_s": 8.0, "stopped_s": 25.0, "took_s": 34.0, "ratio": 1.03,
    },
    "sizes": Sizes()._asdict(), "one_core": True, "contained": False, "cores": 2,
    "python": "3.12.1",
}  # fmt: skip


def test_graders_take_turns_and_whose_is_first_changes() -> None:
    asked: list[tuple[str, int]] = []

    def grader(name: str, seconds: float) -> Callable[[int], float]:
        def grade(number: int) -> float:
            asked.append((name, number))
            return seconds * len(asked)

        return grade

    times = in_turn({"ours": (grader("ours", 1), 50), "theirs": (grader("theirs", 3), 5)}, 2)
    assert asked == [("ours", 50), ("theirs", 5), ("theirs", 5), ("ours", 50)]
    assert times == {"ours": [1, 4], "theirs": [6, 9]}
    assert ratio(times["theirs"], times["ours"]) == (6 / 1 + 9 / 4) / 2


@pytest.mark.parametrize("number", LESSONS)
def test_what_is_handed_in_is_found_and_differs(number: str, tmp_path: Path) -> None:
    lesson = Lesson(number)
    lesson.hand_in(tmp_path, ["anna"], lesson.solved)
    lesson.hand_in(tmp_path, ["ben"], lesson.endless)
    texts = {}
    for student in ("anna", "ben"):
        (found,) = answers_in(tmp_path / student / ASSIGNMENT / lesson.source.name)
        assert found.exercise == lesson.exercise
        assert found.cell is not None
        texts[student] = found.cell.text
    assert texts == {"anna": f"# by anna\n{lesson.solved}", "ben": f"# by ben\n{lesson.endless}"}


def test_the_tables_say_what_was_measured(capsys: pytest.CaptureFixture[str]) -> None:
    show(RESULTS)
    told = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    for line in (
        "01 32.0 30.3 0.125 4.00 1.5 2.5",
        "1.01 1.03",
        "worker 100.0 101.5",
        "10 endless x 5 s / 2 25.0",
        "that, to the sum of the others 1.03 wanted < 1.20",
    ):
        assert line in told
    assert "NOT contained" in told[-1]
