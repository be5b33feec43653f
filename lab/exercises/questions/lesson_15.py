"""The predictions of lesson 15."""

from __future__ import annotations

QUESTIONS = {
    "No answer came about these leads, and the report calls them 'not sent'. "
    "How many of them have a message?": (
        "most of them",
        {
            "none": "the report says so, and it is written by our own program. But all that it "
            "knows is that no answer came. The run below asks the provider.",
            "one or two": "a message whose answer is lost does look like a rare accident. But "
            "whoever got no answer asked again later, and those messages arrived as well. "
            "The run below shows most of them.",
            "most of them": "some were sent and only the answer got lost, and others were sent "
            "when the gateway asked again. The report remembers the silence, and nothing of "
            "what came after it.",
        },
    ),
    "One welcome is sent and 39 are left to a person. "
    "How many attempts are there for each completed action?": (
        "1.00",
        {
            "1.00": "one attempt began and one action is completed. It is the best that this "
            "figure can be.",
            "40.00": "forty actions were asked for and one was done, so a figure about work should "
            "be terrible. But an action that was never attempted adds nothing to it. "
            "The run below shows 1.00.",
            "there is no such figure": "where nothing is completed there is none. But one action "
            "is. The run below shows both cases.",
        },
    ),
}
