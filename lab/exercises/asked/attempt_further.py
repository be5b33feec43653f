"""Further mistakes of lesson 06's exercise, `attempt`: they are looked for after the others."""

from __future__ import annotations

from lab.exercises.asked.attempt_mistakes import (
    AFTER,
    ALLOWED,
    REPORTED,
    REQUESTS,
    SAYS,
    first,
    last,
)
from lab.exercises.exercise import Mistake
from lab.gateway.ledger import ATTEMPTS

FURTHER = (
    Mistake(
        "a broken call read as not sent",
        "The call timed out, or the connection broke, and your code took that for a refusal. The "
        "message had arrived: the next call sent lead-202 a second one. Such an error says how the "
        "waiting ended, not what the provider did; only `NotExecuted` is proof.",
        lambda seen: "PREPARED" in (seen("timed out", AFTER), seen("cut off", AFTER)),
    ),
    Mistake(
        "a refusal under another path",
        "The provider refused, the row is PREPARED again, and it is reported under a name that "
        "means something else. Whoever called takes it that a message may be out there, or that a "
        'person has it. Proof that nothing was done has the path "refused".',
        lambda seen: first(seen, "retry").endswith(", PREPARED")
        and not first(seen, "retry").startswith("refused")
        and first(seen, "silence") == "hold, UNKNOWN",
    ),
    Mistake(
        "no attempt left, and nobody is told",
        "Three attempts were allowed, all three were refused, and your code leaves the row "
        "PREPARED. Whoever calls hears of a refusal each time, and no person hears of lead-202. "
        'Where `no_attempt_left` gives a reason the row moves to REVIEW, and the path is "manual".',
        lambda seen: last(seen, "used up").endswith(", PREPARED")
        and seen("used up", REQUESTS) == ATTEMPTS
        and seen("used up", SAYS) == "PREPARED",
    ),
    Mistake(
        "another number of attempts",
        "The provider rejected the message for good, and `attempts_allowed` is not the number of "
        "attempts that were made. A person who reads the row sees attempts left that can never "
        "work, or one made that nobody had allowed. Set it to `row.attempts`.",
        lambda seen: seen("rejected", SAYS) == "REVIEW"
        and seen("rejected", ALLOWED) not in (1, None)
        and seen("rejected", REQUESTS) == 1,
    ),
    Mistake(
        "too late, and handed over",
        "The worker woke up too late and rightly did not send, and your code hands the row to a "
        "person or takes the other attempts away. The next attempt may well work, and lead-202 "
        "waits for somebody to look. Too late ends like a refusal that is `retryable`: PREPARED, "
        'and the path "refused".',
        lambda seen: first(seen, "asleep") == "manual, REVIEW",
    ),
    Mistake(
        "an old row after silence",
        "While the call hung, another worker found the message and settled the row. Your code "
        "reports that nobody knows, and somebody will go after a message that is accounted for. If "
        "the row moved, let `VersionConflict` pass: whoever called looks at the row again.",
        lambda seen: seen("settled meanwhile", SAYS) == "SETTLED"
        and seen("settled meanwhile", REPORTED) != "SETTLED",
    ),
    Mistake(
        "silence handed over at once",
        "The response was lost, and your code called for a person in the same moment. The message "
        "may still be on its way, and the provider may soon say that it has it; until then she "
        'can decide nothing. After silence the row stays UNKNOWN, and the path is "hold".',
        lambda seen: first(seen, "silence") == "manual, REVIEW",
    ),
    Mistake(
        "asked in the same moment",
        "The response was lost, and the provider was asked in the same call of the gateway. What "
        "is still on its way it cannot show, and the answer looks like nothing there. After "
        'silence return an Outcome with the path "hold"; the question comes later.',
        lambda seen: first(seen, "silence").endswith(", SETTLED")
        and seen("silence", REQUESTS) == 1,
    ),
)  # fmt: skip
