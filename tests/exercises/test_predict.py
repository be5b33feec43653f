"""A prediction asks, waits, and answers every choice with a reason."""

import pytest

from lab.exercises import predict
from lab.exercises.questions import QUESTIONS

EACH = pytest.mark.parametrize("question", QUESTIONS)
RETRY = "An operator reads 'failed' and presses Retry. How many messages will lead-202 have?"


def said(capsys: pytest.CaptureFixture[str], question: str, answer: object = None) -> str:
    predict(question, answer)
    printed = capsys.readouterr().out
    assert all(len(line) <= 74 for line in printed.splitlines())
    return " ".join(printed.split())


@EACH
def test_unanswered_it_shows_the_choices_and_gives_nothing_away(
    question: str, capsys: pytest.CaptureFixture[str]
) -> None:
    right, replies = QUESTIONS[question]
    shown = said(capsys, question)
    assert "Choose: " + " | ".join(replies) in shown
    assert "answer=" in shown
    assert not any(reply in shown for reply in replies.values())
    assert len(replies) >= 2
    assert right in replies


@EACH
def test_every_choice_gets_its_own_reply(question: str, capsys: pytest.CaptureFixture[str]) -> None:
    right, replies = QUESTIONS[question]
    for choice, reply in replies.items():
        shown = said(capsys, question, choice)
        assert reply in shown
        assert ("Yes: " in shown) == (choice == right)
        assert ("Not so: " in shown) == (choice != right)
    assert len(set(replies.values())) == len(replies)


def test_a_choice_may_be_a_number_or_written_with_spaces(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "Yes: " in said(capsys, RETRY, 2)
    assert "Yes: " in said(capsys, RETRY, " 2 ")


def test_something_else_is_refused_with_the_choices(capsys: pytest.CaptureFixture[str]) -> None:
    assert "'seven' is not among the choices: 0 | 1 | 2" in said(capsys, RETRY, "seven")


def test_a_question_of_the_readers_own_does_no_harm(capsys: pytest.CaptureFixture[str]) -> None:
    assert "no prepared choices" in said(capsys, "Will it rain?")


def test_a_copy_from_a_page_is_read_as_the_choice(capsys: pytest.CaptureFixture[str]) -> None:
    question, (right, replies) = next(
        (one, of) for one, of in QUESTIONS.items() if any(" " in choice for choice in of[1])
    )
    choice = next(choice for choice in replies if " " in choice)
    predict(question, choice.replace(" ", "\n  ", 1).upper() + ".")
    told = capsys.readouterr().out
    assert "not among the choices" not in told
    assert ("Yes" if choice == right else "Not so") in told


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_gives_no_answer_away(question: str, capsys: pytest.CaptureFixture[str]) -> None:
    predict(question)
    assert 'answer="..."' in capsys.readouterr().out
