"""The predictions of lesson 01."""

from __future__ import annotations

QUESTIONS = {
    "The request is lost in one run, the answer in another. What does our program hear?": (
        "the same in both",
        {
            "the same in both": "in both runs it waits, and nothing comes. What differs is on the "
            "other side, where it cannot look.",
            "two different errors": "two different things went wrong, so two errors seem due. But "
            "an error is made on our side, out of what arrives there, and nothing arrives. The "
            "run below shows one error, twice.",
            "an error only if the request is lost": "if the answer is lost, the work was done, and "
            "an error would be unfair. But our program cannot know that: it waits for an answer "
            "too. The run below shows the same error in both.",
        },
    ),
    "Three tries, and every answer is lost. What does the user read, and what was done?": (
        "failed, and 3 messages",
        {
            "failed, and no message": "three failures sound like three times nothing. But each "
            "failure was a lost answer. The run below shows 3 messages.",
            "failed, and 1 message": "a provider ought to notice that it is asked for the same "
            "thing again. Ours cannot: nothing in the requests says so. The run below shows 3.",
            "failed, and 3 messages": "each attempt is done, and each answer is lost. The report "
            "could not be further from the record.",
            "sent, and 3 messages": "that is how it ended with one lost answer: attempt 2 was "
            "heard. Here no attempt is heard, and the run below reports a failure.",
        },
    ),
}
