"""The predictions of lesson 11."""

from __future__ import annotations

QUESTIONS = {
    "A worker dies once, at each of the ten half steps in turn. After how many of them will "
    "lead-202 have two messages?": (
        "2",
        {
            "1": "there is one window, and you saw one death in it. But two half steps lie in it: "
            "after the call that sends, and before the call that writes. The run below shows 2.",
            "2": "after the call that sends, and before the call that writes UNKNOWN. Nothing "
            "happens between these two, so they are one window.",
            "5": "the message is out after each of the last five. But after the fourth call "
            "UNKNOWN is on disk, and the next worker asks before it sends. The run below shows 2.",
            "10": "a crash seems to be a crash. But before the message is out a second worker "
            "sends the first message, not another one. The run below shows 2.",
        },
    ),
    "One crash in the window, on each of the four contracts. Where will lead-202 have two "
    "messages?": (
        "on all but keyed",
        {
            "on all four": "the gateway makes the same mistake everywhere. But one provider "
            "compares keys by itself, and gives the first receipt again. "
            "The strip below shows it held on keyed.",
            "on all but keyed": "keyed compares keys by itself, and gives the first receipt again. "
            "The mistake is there, and this provider hides it for as long as it keeps the key.",
            "on blind only": "a provider that cannot be asked looks like the worst one. But this "
            "gateway wakes up in PREPARED, and in PREPARED it does not ask anybody. "
            "The strip below shows two messages on readable and searchable, too.",
        },
    ),
}
