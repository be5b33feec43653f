"""The prediction of lesson 14."""

from __future__ import annotations

QUESTIONS = {
    "Ben approved a discount of 10. The model then brings 90 under the same key, to the gateway "
    "of part one. Which discount is lead-202 sent?": (
        "90",
        {
            "10": "that is what Ben read. But nobody told the gateway what he read: it is given "
            "one action, the one with 90. The run below shows which discount went out.",
            "90": "the gateway refuses a key that comes back with other data, and this key has "
            "never been there. The first content that it sees is the one with 90.",
            "none": "lesson 03 refuses a used key with other data. But it compares with what the "
            "ledger holds, and the ledger holds nothing yet: Ben's approval was never written "
            "there. The run below shows that something went out.",
        },
    ),
}
