"""The predictions of lesson 09."""

from __future__ import annotations

QUESTIONS = {
    "How many of the unsafe edits pass the friendly test?": (
        "all",
        {
            "none": "a second message or a lost invoice seems hard to overlook. But this test "
            "never looks at the provider's records. The run below shows that all pass.",
            "some": "it runs every action twice, so it ought to catch some of them. It would, if "
            "it counted at the provider. The run below shows that all pass.",
            "all": "nothing goes wrong during the test, and afterwards it asks the gateway, which "
            "believes what it says.",
        },
    ),
    "Why was lead-203 not retried?": (
        "nobody could prove that attempt 1 did nothing",
        {
            "its attempts were used up": "one attempt and then a stop looks like a limit. "
            "The cell below prints how many were allowed, and it was more than one.",
            "nobody could prove that attempt 1 did nothing": "the response was lost and the "
            "provider could not be asked, so a retry could have been a second message. "
            "The cell below shows that the first one is there.",
            "the provider rejected it": "something kept it from being settled. But a rejection "
            "would be an answer, and there was none: look for 'no answer' in the events below.",
        },
    ),
    "With blind_retry, which line is the first to differ?": (
        "RESTART",
        {
            "BASELINE": "it is the first line. But it measures the naive sender, and no gateway "
            "takes part in it. The run below shows RESTART.",
            "FIRST_RUN": "that is where the responses are lost. But the edit changes what follows "
            "from an unanswered question, and nothing is asked in the first pass. The run below "
            "shows RESTART.",
            "RESTART": "that is when lead-203 is asked about and nobody answers.",
            "SUMMARY": "it counts the end, and it does change: nothing waits for a person now. "
            "But an earlier line shows it first. The run below shows RESTART.",
            "CHECK": "it is so for edits whose harm shows only on other contracts. "
            "This one shows before. The run below shows RESTART.",
        },
    ),
}
