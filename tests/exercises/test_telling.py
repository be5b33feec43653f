"""What a learner reads: what happened, whom it hurts, and always a next step."""

import re

import pytest

from lab.exercises import count_duplicates as exercise
from lab.exercises import telling


def mine(keys_of_effects: list[str], approved: list[str]) -> int:
    print("looking at", len(keys_of_effects))
    return len(set(keys_of_effects))


def page(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out


def test_a_page_lists_everything_and_ends_with_a_next_step(
    capsys: pytest.CaptureFixture[str],
) -> None:
    exercise.check(mine)
    told = page(capsys)
    for one in exercise.scenarios:
        assert one.title in re.sub(r"\s+", " ", told)
    assert "exercise.hint()" in told.splitlines()[-1]
    assert "and it should be" in told
    assert "looking at" in told  # what the learner's code printed


def test_nought_points_are_explained(capsys: pytest.CaptureFixture[str]) -> None:
    exercise.check(lambda effects, approved: 0)
    told = re.sub(r"\s+", " ", page(capsys))
    [first, *_] = [one.title for one in exercise.scenarios if one.live]
    assert f"Nothing counts before this does: {first}" in told


def test_a_line_fits_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    exercise.check(mine)
    exercise.hint(1)
    assert max(map(len, page(capsys).splitlines())) <= 80


def test_hints_come_one_after_the_other_and_the_last_one_stays(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(telling, "_hinted", {})
    firsts = []
    for _ in range(4):
        exercise.hint()
        firsts.append(page(capsys)[:6])
    assert firsts == ["Hint 1", "Hint 2", "Hint 3", "Hint 3"]
    exercise.hint(2)
    assert page(capsys).startswith("Hint 2 of 3.")


@pytest.mark.parametrize("number", [0, 4, -1, "2", 1.5, True])
def test_a_hint_that_is_not_there_is_told(
    capsys: pytest.CaptureFixture[str], number: object
) -> None:
    exercise.hint(number)  # type: ignore[arg-type]
    assert page(capsys).startswith("There are hints 1 to 3")


def test_the_solution_is_shown_with_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    exercise.solution()
    told = page(capsys)
    assert "def count_duplicates(" in told
    assert exercise.why[:40] in told


def test_nothing_is_told_as_a_bare_value() -> None:
    assert telling.shown(None) == "nothing"
    assert telling.shown([]) == "nothing"
    assert (
        telling.shown(["hold, UNKNOWN", "cached, SETTLED"]) == "hold, UNKNOWN; then cached, SETTLED"
    )
    assert telling.shown(2) == "2"
