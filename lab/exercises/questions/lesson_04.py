"""The predictions of lesson 04."""

from __future__ import annotations

QUESTIONS = {
    "Two careful workers insert lead-202 only if it is not there. How many rows can there be?": (
        "2",
        {
            "1": "one looks, sees the other's row, and leaves it: so it goes if they come one "
            "after the other. But both may look before either writes. The run below takes that "
            "order, and shows 2.",
            "2": "both look before either writes, and both see nothing.",
            "1, and an error": "a database is strict, and ought to object. But nobody told this "
            "table what must not be there twice. The run below shows 2 rows and no error.",
        },
    ),
}
