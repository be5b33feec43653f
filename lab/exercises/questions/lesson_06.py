"""The predictions of lesson 06."""

from __future__ import annotations

QUESTIONS = {
    "An operator reads 'failed' and presses Retry. How many messages will lead-202 have?": (
        "2",
        {
            "0": "the program did say failed. But it only knows what it heard, and it heard "
            "nothing. The run below shows 2.",
            "1": "it failed, so the second is the first: that is how the word reads. What failed "
            "was the answer, not the message. The run below shows 2.",
            "2": "the first message was made and only its answer was lost; Retry makes another.",
        },
    ),
}
