"""A prediction: the reader commits to an answer before running, and learns why others tempt."""

from __future__ import annotations

from lab.exercises.questions import QUESTIONS
from lab.faults.show import say


def predict(question: str, answer: object = None) -> None:
    """Ask a question; with an answer, say what speaks for it and what the run will show.

    Write your choice as ``answer="1"`` and run the cell again. Nothing is recorded.
    """
    if question not in QUESTIONS:
        say("This question has no prepared choices; write your answer beside it, and run on.")
        return
    right, replies = QUESTIONS[question]
    given = None if answer is None else str(answer).strip().lower()
    choices = {choice.lower(): reply for choice, reply in replies.items()}
    say(question)
    if given is None:
        say("Choose: " + " | ".join(replies))
        say(f'Replace None by your choice, in quotes: answer="{min(replies)}", for example.')
        say("Run the cell again, then read on.")
    elif given not in choices:
        say(f"{answer!r} is not among the choices: " + " | ".join(replies))
    else:
        verdict = "Yes" if given == right.lower() else "Not so"
        say(f"You chose {answer}. {verdict}: {choices[given]}")
