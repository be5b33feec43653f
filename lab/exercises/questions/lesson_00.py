"""The predictions of lesson 00."""

from __future__ import annotations

QUESTIONS = {
    "Our program says 'failed'. How many messages has the provider sent to lead-202?": (
        "1",
        {
            "0": "what failed was not done: that is how the word is used. But our program only "
            "knows what it heard, and it heard nothing. The next cell shows 1.",
            "1": "the message went out, and its answer was lost afterwards. The next cell shows 1.",
            "2": "a message that fails is often sent again, and this course is about that. But "
            "nobody has sent it again yet. The next cell shows 1.",
        },
    ),
}
