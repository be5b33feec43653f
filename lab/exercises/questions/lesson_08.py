"""The predictions of lesson 08."""

from __future__ import annotations

QUESTIONS = {
    "Both messages are sent again. How many will the two leads have together?": (
        "3",
        {
            "2": "no answer, so neither was sent, and each lead now has one. That is true of one "
            "of them. The other message had arrived. The run below shows 3.",
            "3": "one request was lost on the way there, one answer on the way back; the same "
            "retry mends the first and doubles the second.",
            "4": "after lesson 06 it is wise to expect that a silent message arrived. But silence "
            "proves nothing in that direction either. The run below shows 3.",
        },
    ),
}
