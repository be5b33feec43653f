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
    given = None if answer is None else as_written(str(answer))
    choices = {as_written(choice): reply for choice, reply in replies.items()}
    say(question)
    if given is None:
        say("Choose: " + " | ".join(replies))
        say('Replace None by one of these, in quotes: answer="..."')
        say("Run the cell again, then read on.")
    elif given not in choices:
        say(f"{answer!r} is not among the choices: " + " | ".join(replies))
    else:
        verdict = "Yes" if given == as_written(right) else "Not so"
        say(f"You chose {answer}. {verdict}: {choices[given]}")


def as_written(choice: str) -> str:
    """Return a choice without what a copy from a page may add: line breaks, capitals, a stop."""
    return " ".join(choice.split()).rstrip(".").lower()
