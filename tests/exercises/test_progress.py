"""Progress is one small file of the learner's own; a test never touches it."""

import json
from pathlib import Path
from typing import Any

import pytest

from lab import exercises
from lab.exercises import count_duplicates, progress
from lab.gateway import count_duplicates as solution


def mine(keys_of_effects: Any, approved: Any) -> int:
    return solution(keys_of_effects, approved)


def wrong(keys_of_effects: Any, approved: Any) -> int:
    return 0


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "mine" / "progress.json"
    monkeypatch.setenv(progress.PLACE, str(file))
    return file


def test_what_passed_is_noted_once(place: Path) -> None:
    count_duplicates.check(mine)
    count_duplicates.check(mine)
    assert json.loads(place.read_text()) == ["count_duplicates"]
    assert [file.name for file in place.parent.iterdir()] == [place.name]


def test_what_did_not_pass_is_not_noted(place: Path) -> None:
    count_duplicates.check(wrong)
    assert not place.exists()


def test_a_silent_judgement_notes_nothing(place: Path) -> None:
    assert count_duplicates.passes(mine)
    assert not place.exists()


def test_without_a_place_nothing_is_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(progress.PLACE, raising=False)
    monkeypatch.chdir(tmp_path)
    count_duplicates.check(mine)
    assert list(tmp_path.iterdir()) == []


def test_beside_the_learners_copies_it_is_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(progress.PLACE, raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / progress.COPIES).write_text("{}")
    count_duplicates.check(mine)
    assert json.loads((tmp_path / progress.NAME).read_text()) == ["count_duplicates"]


def test_the_page_lists_every_exercise_and_what_comes_next(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    progress.show()
    page = capsys.readouterr().out
    for name in exercises.NAMES:
        assert getattr(exercises, name).title in page
    assert "\n0 of " in page
    assert f"Next: lesson 01, {count_duplicates.title}" in page


def test_the_page_moves_on(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    count_duplicates.check(mine)
    progress.show()
    page = capsys.readouterr().out
    assert f"\n{count_duplicates.points} of " in page
    assert "Next: lesson 02, " in page


def test_when_all_is_passed_the_page_says_so(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in exercises.NAMES:
        progress.record(name)
    progress.show()
    assert "Every exercise is passed." in capsys.readouterr().out


def test_it_can_be_begun_again(place: Path) -> None:
    progress.record("attempt")
    progress.forget()
    assert progress.passed() == set()


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", '{"a": 1}', "\xff"])
def test_a_file_that_cannot_be_read_counts_as_empty(place: Path, text: str) -> None:
    place.parent.mkdir()
    place.write_text(text, "latin-1")
    assert progress.passed() == set()
    progress.record("attempt")
    assert progress.passed() == {"attempt"}


def test_a_folder_that_cannot_be_written_costs_no_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(progress.PLACE, str(tmp_path / "file" / "progress.json"))
    count_duplicates.check(mine)
    page = capsys.readouterr().out
    assert "PASSED" in page
    assert "could not be noted" in page
