"""The mistakes that are known of lesson 06's exercise, `attempt`, and the facts that show them."""

from __future__ import annotations

from lab.exercises.exercise import Mistake, Seen
from lab.exercises.stage import CIRCLES, STOPPED
from lab.gateway.ledger import ATTEMPTS

ANSWERS = "the gateway answers"
MESSAGES = "messages at the provider"
REQUESTS = "requests at the provider"
RECEIPT = "the ledger's receipt"
SAYS = "the ledger says"
AFTER = "the ledger says after the first call"
LEAVES = "the ledger, when the message leaves"
NAMED = "attempts named to the provider"
KNOWN = "the provider knows it by"
OPEN = "the attempt may still be sent for"
AT_ONCE = "messages after the first call"
ALLOWED = "attempts allowed"
REPORTED = "the gateway reports the state"


def first(seen: Seen, scenario: str) -> str:
    """Return what the first call of the gateway came to in a scenario, in words."""
    return str((seen(scenario, ANSWERS) or [""])[0])


def last(seen: Seen, scenario: str) -> str:
    """Return what the last call of the gateway came to in a scenario, in words."""
    return str((seen(scenario, ANSWERS) or [""])[-1])


MISTAKES = (
    Mistake(
        "begun as if it were new",
        "The ledger knew the action, and your code began it as if it were new. The ledger refuses "
        "that, the gateway looks again, and so on without end: lead-202 waits for ever. Give "
        "`ledger.begin` the row that `attempt` was given.",
        lambda seen: first(seen, "prepared") == CIRCLES and first(seen, "sent") != CIRCLES,
    ),
    Mistake(
        "begun twice",
        "One attempt was begun twice: the ledger refused the second time, for the row was UNKNOWN "
        "by then. Nothing was sent, and lead-202 waits for a message that looks as if it were on "
        "its way. `ledger.begin` is called once, and gives back the row to go on with.",
        lambda seen: "IllegalTransition" in first(seen, "sent"),
    ),
    Mistake(
        "nothing before the call",
        "When the message left, the ledger knew nothing of it. A worker that dies in that moment "
        "leaves a message that nobody here has heard of, and the next worker sends lead-202 a "
        "second one. `ledger.begin` comes before `provider.perform`.",
        lambda seen: seen("sent", LEAVES) == "nothing",
    ),
    Mistake(
        "UNKNOWN comes too late",
        "When the message left, the ledger said PREPARED: no attempt is open. A worker that dies "
        "in that moment can write nothing any more, so the next one sends lead-202 a second "
        "message. `ledger.begin` comes before `provider.perform`, whatever the answer will be.",
        lambda seen: "PREPARED" in f"{seen('sent', LEAVES)} {seen('prepared', LEAVES)}",
    ),
    Mistake(
        "a key of its own",
        "Your code sent the message under another key than the action's. After silence nobody can "
        "connect the two: the provider is asked about our key, says that it holds nothing, and "
        "lead-202 gets a second message. Give `provider.perform` the action as it is.",
        lambda seen: seen("sent", KNOWN) not in ("our key", None),
    ),
    Mistake(
        "the wrong number",
        "The attempts reach the provider under wrong numbers. Its record of a rejection names the "
        "attempt, so one day a refusal of the first is taken for the end of the second. The "
        "number is `row.attempts` of the row that `ledger.begin` gives back.",
        lambda seen: not set(seen("sent", NAMED) or "") <= set("1, none")
        or seen("retry", NAMED) == "1, 1",
    ),
    Mistake(
        "sent twice",
        "One call of the gateway, the provider answered with a receipt, and it was asked again: "
        "lead-202 has two messages. `provider.perform` may be called once in an attempt.",
        lambda seen: (seen("sent", MESSAGES) or 0) > 1,
    ),
    Mistake(
        "sent again after silence",
        "The response was lost, and your code sent again at once. The first message had arrived, "
        "so lead-202 has more than one. After silence nothing is sent: note that the end is not "
        "known, and report it.",
        lambda seen: max(seen(s, AT_ONCE) or 0 for s in ("silence", "unforeseen", "empty")) > 1,
    ),
    Mistake(
        "an error of one's own taken for silence",
        "The provider did nothing wrong, and your code says that there was no answer. `except "
        "Exception` catches every error inside its `try`, also a misspelled name in your own "
        "lines. Print the error there once, and read what it says.",
        lambda seen: first(seen, "sent") == "hold, UNKNOWN",
    ),
    Mistake(
        "a receipt of one's own",
        "The ledger says SETTLED with a receipt that the provider never gave. Whoever asks the "
        "provider about it is told that there is no such thing. The receipt is what "
        "`provider.perform` returned.",
        lambda seen: "never gave" in str(seen("sent", RECEIPT)),
    ),
    Mistake(
        "reported, not written",
        "Your code reports a state that the ledger does not have. The next worker starts from the "
        "ledger, so what was only said is lost, and somebody does it once more. Move the row, "
        "then report the row that you got back.",
        lambda seen: (seen("sent", ANSWERS) == ["sent, SETTLED", "reconciled, SETTLED"])
        or (seen("used up", SAYS) == "PREPARED" and last(seen, "used up").startswith("manual")),
    ),
    Mistake(
        "the old row reported",
        "The ledger is right, and what you report is the row as it was before it moved. Whoever "
        "called is told of a state that is over, and starts to look into it. Each change gives "
        "back the row as it is then; report that one.",
        lambda seen: first(seen, "sent") == "sent, UNKNOWN"
        or first(seen, "retry") == "refused, UNKNOWN"
        or first(seen, "rejected") == "refused, UNKNOWN"
        or (seen("used up", SAYS) == "REVIEW" and last(seen, "used up") == "manual, PREPARED"),
    ),
    Mistake(
        "no outcome",
        "What your code returned is no Outcome. Whoever called gets an error in place of an "
        "answer, and may try again, whether or not a message was sent. `Outcome.of(row, path)` "
        "makes one of a row.",
        lambda seen: first(seen, "sent").startswith("it returns"),
    ),
    Mistake(
        "no return",
        "The message was sent and noted, but your code did not say so: the gateway looked again "
        "and answered from the ledger. Whoever called cannot tell that the message left in this "
        "very call. Is a `return` missing at the end?",
        lambda seen: first(seen, "sent") == "cached, SETTLED",
    ),
    Mistake(
        "settled by hand",
        "The provider answered with a receipt, and the ledger refused to write it down as your "
        "code did: a settled row has no open attempt. Whoever called got an error for a message "
        "that arrived. `ledger.settle` does all that belongs to it, however late the receipt "
        "comes.",
        lambda seen: "IntegrityError" in first(seen, "sent"),
    ),
    Mistake(
        "nothing is sent",
        "Lead-202 is owed a message, nothing was in the way, and none was sent. Never sending "
        "makes no duplicate, and no customer happy. Where `no_attempt_left` gives no reason, an "
        "attempt begins; where it is not too late by `send_by`, the provider is called.",
        lambda seen: seen("sent", REQUESTS) == 0 and STOPPED not in first(seen, "sent"),
    ),
    Mistake(
        "receipt not written down",
        "The receipt came, and the answer was \"reconciled\": so says a gateway that had to ask "
        "the provider what it holds. Where nobody can be asked, a person would have to look. "
        "`ledger.settle` keeps the receipt, and the path is \"sent\".",
        lambda seen: first(seen, "sent") == "reconciled, SETTLED",
    ),
    Mistake(
        "another path",
        "The message was sent and is reported under a name that means something else. A "
        'workflow that waits for "sent" goes on waiting. With a receipt the path is "sent".',
        lambda seen: "SETTLED" in first(seen, "sent") and "sent" not in first(seen, "sent"),
    ),
    Mistake(
        "silence read as not sent",
        "No response came, and the ledger says that nothing was sent. The message had arrived: "
        "the next call sent lead-202 a second one. Only `NotExecuted` leads back to PREPARED; "
        "after silence the row stays UNKNOWN.",
        lambda seen: seen("silence", AFTER) == "PREPARED",
    ),
    Mistake(
        "a surprise read as not sent",
        "An error came that nobody foresaw, and your code took it for a refusal. The message had "
        "arrived: the next call sent lead-202 a second one. What is not proof that nothing was "
        "done is no refusal, whatever its name.",
        lambda seen: seen("unforeseen", AFTER) == "PREPARED",
    ),
    Mistake(
        "silence ends the program",
        "The response was lost, and the error went through to whoever called. A workflow that "
        "gets an error tries again, and nobody is told that a message may have left. Catch it, "
        "leave the row UNKNOWN, and report the path \"hold\".",
        lambda seen: "ResponseLost" in first(seen, "silence"),
    ),
    Mistake(
        "no legal move",
        "After the refusal your code moved the row where no row may go from UNKNOWN, and the "
        "ledger refused. Lead-202 waits, as if a message might be out there. A refusal is proof "
        "that nothing was done: the row goes back to PREPARED.",
        lambda seen: "IllegalTransition" in first(seen, "retry"),
    ),
    Mistake(
        "refusal ends the program",
        "The provider refused, which is proof that nothing was done, and the error went through "
        "to whoever called. The row stays UNKNOWN, as if a message might be out there, and "
        "lead-202 waits. `except NotExecuted` leads back to PREPARED.",
        lambda seen: "NotExecuted" in first(seen, "retry"),
    ),
    Mistake(
        "only the expected caught",
        "An error came that nobody foresaw, and it ended your code: only what you listed was "
        "caught. No list is ever complete, and a workflow that gets an error tries again. "
        "Whatever is not `NotExecuted` is silence: `except Exception` comes last.",
        lambda seen: "RuntimeError" in first(seen, "unforeseen")
        and STOPPED not in first(seen, "sent"),
    ),
    Mistake(
        "empty receipt kept",
        "The receipt was empty, and the ledger says SETTLED. It names nothing: whoever looks for "
        "the message at the provider finds none under it. Let `check_receipt` look at what "
        "`provider.perform` returned, before anything is settled.",
        lambda seen: seen("empty", AFTER) == "SETTLED",
    ),
    Mistake(
        "empty receipt read as not sent",
        "The receipt was empty, and your code took that for a refusal. The message had arrived: "
        "the next call sent lead-202 a second one. An answer that names nothing proves nothing, "
        "in either direction; the row stays UNKNOWN.",
        lambda seen: seen("empty", AFTER) == "PREPARED",
    ),
    Mistake(
        "empty receipt ends the program",
        "The receipt was empty, `check_receipt` said so, and its error went through to whoever "
        "called. An answer that names nothing is no answer: the message may have left. Call "
        "`check_receipt` inside the same `try` as `provider.perform`.",
        lambda seen: "BrokenContract" in first(seen, "empty"),
    ),
    Mistake(
        "an open attempt without an end",
        "The ledger refused what your code wrote after the silence, so whoever called got an "
        "error. UNKNOWN and a `send_by` belong together: the row stays UNKNOWN, and `send_by` "
        "becomes `ledger.now(row)`, for the call is over and nobody sends it any more.",
        lambda seen: "IntegrityError" in first(seen, "silence"),
    ),
    Mistake(
        "send_by left as it was",
        "The call has ended, and the ledger still says that the attempt may be sent for a while, "
        "or says a moment that never was. Whoever looks after it waits for nothing, or not long "
        "enough. When the call ends in silence, `send_by` becomes `ledger.now(row)`.",
        lambda seen: seen("silence", OPEN) not in ("0 ms", None)
        and seen("silence", AFTER) == "UNKNOWN",
    ),
    Mistake(
        "an attempt left open",
        "The ledger refused what your code wrote after the refusal, so the row stays UNKNOWN and "
        "lead-202 waits. PREPARED and `send_by=None` belong together: the row is PREPARED again, "
        "and no attempt is open.",
        lambda seen: "IntegrityError" in first(seen, "retry") + first(seen, "rejected"),
    ),
    Mistake(
        "refusal read as silence",
        "The provider refused, which is proof that nothing was done, and your code says that "
        "nobody knows. Lead-202 waits for a message that could be sent again, and somebody has to "
        "look. `except NotExecuted` has to come before `except Exception`.",
        lambda seen: first(seen, "retry") == "hold, UNKNOWN",
    ),
    Mistake(
        "asked again at once",
        "The provider said \"too many requests\", and in the same moment it got the next one. "
        "The attempts are used up before it has had time, and a person has to look. After a "
        'refusal that may pass, return an Outcome with the path "refused".',
        lambda seen: first(seen, "retry") == "sent, SETTLED",
    ),
    Mistake(
        "one refusal is the last",
        "The refusal said that a later attempt may work, and your code left no way to one. "
        "Lead-202's message waits for a person because the provider was busy once. Only a refusal "
        "that is not `retryable` takes the other attempts away.",
        lambda seen: last(seen, "retry") == "manual, REVIEW",
    ),
    Mistake(
        "one attempt too many",
        "Three attempts were allowed, all three were refused, and your code made a fourth. Three "
        "refusals in a row are no hiccup: a person should look first. Ask `no_attempt_left` "
        "before anything begins, whenever there is a row.",
        lambda seen: (seen("used up", REQUESTS) or 0) > ATTEMPTS,
    ),
    Mistake(
        "refused for good, and sent again",
        "The provider rejected the message for good, and your code sent it again. It can never "
        "work like that, and nobody is told that lead-202 waits. Set `attempts_allowed` to the "
        "attempts that were made; then none is left.",
        lambda seen: (seen("rejected", REQUESTS) or 0) > 1,
    ),
    Mistake(
        "refused for good, and nobody is told",
        "The provider rejected the message for good, and your code reports it like a refusal that "
        "may pass. Nobody looks at it until somebody calls again. Return None: the gateway looks "
        "at the row once more, finds no attempt left, and hands it to a person.",
        lambda seen: first(seen, "rejected") == "refused, PREPARED"
        and seen("used up", SAYS) != "PREPARED",
    ),
    Mistake(
        "one attempt too few",
        "Three attempts were allowed, and fewer were made. Lead-202's message waits for a person "
        "though code could have gone on. Ask `no_attempt_left` about the row that you were given, "
        "before `ledger.begin` counts the next attempt.",
        lambda seen: 0 < (seen("used up", REQUESTS) or 0) < ATTEMPTS,
    ),
    Mistake(
        "a day later",
        "The provider keeps a key for a day, the first attempt is a day old, and your code sent "
        "again. If the provider has forgotten the key, it takes the same message for a new one. "
        "`no_attempt_left` knows; give it the contract and the time, `ledger.now(row)`.",
        lambda seen: (seen("forgotten", REQUESTS) or 0) > 1,
    ),
    Mistake(
        "however late",
        "The worker fell asleep after it began, woke up too late, and sent all the same. By then "
        "another may have proved that nothing was sent, and have sent: lead-202 gets both. Look "
        "at `ledger.now(row)` after `ledger.begin`, right before the call.",
        lambda seen: (seen("asleep", REQUESTS) or 0) > 0,
    ),
    Mistake(
        "too late, and nobody catches it",
        "The worker woke up too late and rightly did not send, but the error that says so went "
        "through to whoever called. The row stays UNKNOWN, though nobody knows better than this "
        "worker that nothing left. Raise `NotExecuted` inside the `try`.",
        lambda seen: "NotExecuted" in first(seen, "asleep"),
    ),
    Mistake(
        "too late, and no word of it",
        "The worker woke up too late and rightly did not send, and the ledger does not say so. "
        "The row stays UNKNOWN, as if a message might be out there. Who did not send knows it: "
        "this is a refusal, back to PREPARED.",
        lambda seen: seen("asleep", SAYS) == "UNKNOWN",
    ),
    Mistake(
        "a moment too early",
        "The worker woke up at the very last moment at which it may send, and did not. An attempt "
        "was used up for nothing. `send_by` itself is still allowed; only what is later is too "
        "late.",
        lambda seen: seen("on time", REQUESTS) == 0 and seen("sent", REQUESTS) != 0,
    ),
    Mistake(
        "the faster one ignored",
        "Another worker had begun this attempt, the ledger said so with `VersionConflict`, and "
        "your code sent all the same. Each of the two sent a message to lead-202. Let that error "
        "pass: whoever called looks at the row again.",
        lambda seen: (seen("faster", MESSAGES) or 0) > 1,
    ),
    Mistake(
        "late receipt dropped",
        "A receipt came after somebody else had moved the row, and it is not in the ledger. A "
        "person is still asked to look into a message that was sent long ago. Use "
        "`ledger.settle`, which keeps a receipt however late it comes.",
        lambda seen: seen("late", SAYS) == "REVIEW",
    ),
    Mistake(
        "an old refusal closes the new attempt",
        "The first attempt was refused when the second had been begun, and your code closed the "
        "second. A third was made at once, and lead-202 has a message from each. If the row "
        "moved, let `VersionConflict` pass; what you know is about the old row.",
        lambda seen: (seen("old refusal", MESSAGES) or 0) > 1,
    ),
    Mistake(
        "an old silence shortens the new attempt",
        "The first attempt got no answer when the second had been begun, and your code noted that "
        "on the second: nobody sends it any more. Its worker does not know that, and a message "
        "that leaves after such a note is how lead-202 gets two. If the row moved, let "
        "`VersionConflict` pass.",
        lambda seen: seen("old silence", OPEN) == "0 ms",
    ),
)  # fmt: skip
