"""The predictions of lesson 12."""

from __future__ import annotations

QUESTIONS = {
    "The same turns, with the ledger of lesson 06. How many messages will lead-202 have?": (
        "1",
        {
            "0": "if each worker sees that the other is there, both might give way. But only one "
            "of them is refused: the other's change was written first. The run below shows 1.",
            "1": "the second change names a version that is no longer there, so it is refused "
            "before anything is sent.",
            "2": "the ledger is ours and the messages are the provider's, so a column of ours "
            "seems to hold nobody back. It does: who may not begin does not send. "
            "The run below shows 1.",
        },
    ),
    "Attempt 1 got no answer, and the provider says: not there. "
    "From when on does that prove that attempt 1 did nothing?": (
        "when nothing sent can still arrive",
        {
            "at once": "the provider is the authority, and it has answered. But it speaks of what "
            "it holds now, and the request may still be on its way. "
            "The run below shows it arriving.",
            "when nobody may send it any more": "after that no second request of attempt 1 can "
            "leave. But the first one has left already. The run below waits until then, "
            "and no longer, and shows two messages.",
            "when nothing sent can still arrive": "what was sent has arrived by then, or never "
            "will. The run below shows what happens to those who do not wait for it.",
        },
    ),
}
