"""The predictions of lesson 02."""

from __future__ import annotations

QUESTIONS = {
    "Attempt 2 brings the key of attempt 1, sent as msg-1. What should the sender answer?": (
        "already sent, msg-1",
        {
            "an error": "a repeated request looks like a mistake, and mistakes are refused. But "
            "its caller may have made none: it never heard of msg-1, and needs it to go on. The "
            "run below answers with msg-1.",
            "sent, msg-2": "that is what a sender without a memory says: each request is new to "
            "it. This one remembers. The run below sends once and answers with msg-1.",
            "already sent, msg-1": "nothing is sent, and the caller gets what attempt 1 would have "
            "been given: a result that it can use.",
        },
    ),
    "Inside the loop, each attempt makes its key with uuid4(). How many e-mails go out?": (
        "3",
        {
            "1": "unique sounds like once. But the ids are unique to each attempt, so the sender "
            "never sees one again. The run below sends 3.",
            "3": "three attempts have three names, and to the sender they are three intentions.",
            "it depends": "the ids are random, so chance seems to decide. It does not: two of them "
            "are never equal, for all practical purposes. The run below sends 3, each time.",
        },
    ),
}
