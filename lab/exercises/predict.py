"""A prediction: the reader commits to an answer before running, and learns why others tempt."""

from __future__ import annotations

from lab.exercises.questions import QUESTIONS


def predict(question: str, answer: object = None) -> None:
    """Ask a question; with an answer, say what speaks for it and what the run will show.

    Write your choice as ``answer="1"`` and run the cell again. Nothing is recorded.
    """
    if question not in QUESTIONS:
        print("This question has no prepared choices; write your own answer beside it, and run on.")
        return
    right, replies = QUESTIONS[question]
    print(question)
    given = None if answer is None else str(answer).strip().lower()
    choices = {choice.lower(): reply for choice, reply in replies.items()}
    if given is None:
        print("Choose: " + " | ".join(replies))
        print("Write your choice into the cell, as answer=..., and run it again. Then read on.")
    elif given not in choices:
        print(f"{answer!r} is not among the choices: " + " | ".join(replies))
    else:
        verdict = "Yes" if given == right.lower() else "Not so"
        print(f"You chose {answer}. {verdict}: {choices[given]}")
