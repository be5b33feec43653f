"""The prediction of lesson 13."""

from __future__ import annotations

QUESTIONS = {
    "Lead-203's request is answered with a 500. Was the message sent?": (
        "nobody can say",
        {
            "yes": "a server has to be reached before it can break, so it might have got as far "
            "as the message. It may have broken before that as well. The run below shows two "
            "requests that are answered with a 500, and one message.",
            "no": "a 500 says that something broke, and what broke has not worked. But it may have "
            "broken behind the message, on the way to its answer. The run below shows a 500 with "
            "a message behind it.",
            "nobody can say": "the number says that it broke, and not where. The run below shows "
            "both: one 500 with a message behind it, and one without.",
        },
    ),
}
