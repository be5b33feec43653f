"""The predictions of lesson 10."""

from __future__ import annotations

QUESTIONS = {
    "Attempt 2 got no answer, and the provider's record says: attempt 1 was rejected. "
    "What does that prove about attempt 2?": (
        "nothing",
        {
            "it was rejected too": "it is the same message, and the same provider, so it should "
            "end in the same way. But a queue that was full may have room a second later, and the "
            "record names attempt 1. The run below shows attempt 2 arriving.",
            "nothing": "the record is about attempt 1. Attempt 2 is as open as if the provider "
            "had said nothing at all.",
            "it was accepted": "a second rejection would stand in the record as well, so there "
            "was none. But a request that is still on its way stands in no record. "
            "The run below shows no message at first, and one a minute later.",
        },
    ),
    "How many of the unsafe edits does this test catch?": (
        "1",
        {
            "1": "it tries one promise, on a gateway that is otherwise left in peace. One edit "
            "breaks that promise.",
            "2": "two of the edits weaken what is compared: the key alone is compared, or all but "
            "the kind. But this test changes the template and not the kind, so it sees one of "
            "them. The run below shows 1.",
            "most of them": "it held its own against a dozen broken gateways. But all of these "
            "broke the one promise that it is about. The run below shows 1.",
        },
    ),
}
