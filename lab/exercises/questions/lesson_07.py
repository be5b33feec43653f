"""The predictions of lesson 07."""

from __future__ import annotations

QUESTIONS = {
    "A new worker opens the same two files, and asks the provider before it does anything else. "
    "What becomes of lead-202?": (
        "settled, not sent again",
        {
            "sent again": "the ledger holds no receipt, and a step without a receipt looks undone. "
            "But the ledger also says that an attempt was begun, so the worker asks first. "
            "The run below shows one effect.",
            "settled, not sent again": "the provider holds the message and says so; its receipt "
            "is all that was missing.",
            "stays UNKNOWN": "the process that knew the answer is dead, so the answer seems lost. "
            "It is lost only on our side: the provider keeps a record and can be asked. "
            "The run below ends in SETTLED.",
        },
    ),
}
