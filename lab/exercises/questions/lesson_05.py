"""The predictions of lesson 05."""

from __future__ import annotations

QUESTIONS = {
    "The same action goes to all four again. Which of them still hold one message?": (
        "keyed",
        {
            "all four": "the key is the same, and one key is one intention. But a key does "
            "nothing by itself: somebody has to compare it. The run below shows 2 effects at three "
            "of them.",
            "keyed and readable": "both found the message under our key, so both have the key. "
            "But to store a key is not to compare it before acting. The run below shows 2 effects "
            "at readable.",
            "keyed": "it compares the key before it acts, and answers with the first receipt.",
            "none of them": "each was asked twice, and each is able to send. But one of them "
            "compares the key before it acts. The run below shows 1 effect at keyed.",
        },
    ),
}
