"""Lesson 11: close the window between an effect and the record of it."""

from __future__ import annotations

from lab.exercises.asked.attempt import another_is_faster, answered, killed, times, unanswered
from lab.exercises.asked.attempt_mistakes import (
    LEAVES,
    MISTAKES,
    NAMED,
    RECEIPT,
    REQUESTS,
    first,
    last,
)
from lab.exercises.exercise import Exercise, Mistake, Scenario, Seen
from lab.exercises.stage import CIRCLES, STOPPED, Facts, Stage, as_attempt
from lab.faults.clock import MINUTE_MS
from lab.faults.world import Scene
from lab.gateway import (
    KEYED,
    PREPARED,
    READABLE,
    REVIEW,
    UNKNOWN,
    Action,
    Fault,
    Ledger,
    NotExecuted,
    Outcome,
    Provider,
    Row,
    check_receipt,
    no_attempt_left,
)
from lab.gateway.ledger import ATTEMPTS


def write_down(answer: str | Exception, row: Row, ledger: Ledger) -> Outcome:
    """Note on the row of an open attempt how it ended."""
    if isinstance(answer, NotExecuted):
        last = {} if answer.retryable else {"attempts_allowed": row.attempts}
        row = ledger.change(row, PREPARED, str(answer), send_by=None, **last)
        return Outcome.of(row, "refused")
    if isinstance(answer, Exception):
        heard = f"no answer: {type(answer).__name__}"
        return Outcome.of(ledger.change(row, UNKNOWN, heard, send_by=ledger.now(row)), "hold")
    return Outcome.of(ledger.settle(row, answer, "response"), "sent")


def attempt(action: Action, row: Row | None, ledger: Ledger, provider: Provider) -> Outcome:
    """Cross the boundary once; UNKNOWN is durable before the call."""
    if row is not None and (reason := no_attempt_left(row, provider.contract, ledger.now(row))):
        return Outcome.of(ledger.change(row, REVIEW, reason), "manual")
    row = ledger.begin(action, row, provider.contract.name)
    try:
        answer: str | Exception = check_receipt(provider.perform(action, row.attempts))
    except Exception as error:
        answer = error
    return write_down(answer, row, ledger)


def known_and_killed(stage: Stage) -> Facts:
    """Send in peace what the ledger knows; then let one worker die at every step."""
    facts = answered(prepared=True)(stage)
    scene = Scene("readable", prepared=True)
    return facts if stage.player.endless else {**facts, **stage.explored(scene)}


def unsent(seen: Seen, scenario: str, leaves: str) -> bool:
    """Tell whether nothing was sent, and what the ledger said when it was tried."""
    return seen(scenario, REQUESTS) == 0 and str(seen(scenario, LEAVES)).startswith(leaves)


SIMILAR = {mistake.name: mistake for mistake in MISTAKES}  # as in lesson 06

exercise = Exercise(
    name="attempt_in_time",
    lesson="11",
    title="Close the window",
    defines=("attempt",),
    takes=("action", "row", "ledger", "provider"),
    plug=as_attempt,
    scenarios=(
        Scenario("prepared", "Lead-202 is owed a message. One worker may die, at any step.",
                 known_and_killed, live=True),
        Scenario("sent", "Nobody dies, and the ledger did not know the action before.",
                 answered(prepared=False), live=True),
        Scenario("retry", "The provider refuses: too many requests. Later it is asked again.",
                 times(KEYED, [Fault.RATE_LIMITED], MINUTE_MS)),
        Scenario("used up", "The provider refuses three times, and three attempts are allowed.",
                 times(READABLE, [Fault.RATE_LIMITED] * ATTEMPTS, *[MINUTE_MS] * ATTEMPTS)),
        Scenario("silence", "The message arrives, and the response is lost.",
                 unanswered(Fault.RESPONSE_LOST)),
        Scenario("unforeseen", "The message arrives; the answer is an error nobody foresaw.",
                 unanswered(Fault.UNFORESEEN)),
        Scenario("empty", "The message arrives, and the receipt is empty.",
                 unanswered(Fault.EMPTY_RECEIPT)),
        Scenario("faster", "Another worker begins the attempt a moment before.",
                 another_is_faster),
        Scenario("three", "Up to three workers die, at any step; the provider answers.",
                 killed([Scene("readable")], crashes=3)),
        Scenario("three in silence", "Up to three workers die, and the response is lost.",
                 killed([Scene("readable", ("RESPONSE_LOST",))], crashes=3)),
        Scenario("three refused", "Up to three workers die, and the provider refuses once.",
                 killed([Scene("readable", ("REFUSED",))], crashes=3)),
        Scenario("elsewhere", "Up to two workers die, at providers that promise other things.",
                 killed([Scene("keyed", ("LATE",)), Scene("searchable", prepared=True),
                         Scene("blind", ("REJECTED",))], crashes=2)),
    ),
    mistakes=(
        Mistake(
            "begun as if it were new",
            "The ledger knew the action, and your code began it as if it were new. The ledger "
            "refuses that, the gateway looks again, and so on without end: lead-202 waits for "
            "ever. Give `ledger.begin` the row that you have, and no `ledger.prepare` is needed "
            "before it.",
            lambda seen: first(seen, "prepared") == CIRCLES,
        ),
        Mistake(
            "no row at all",
            "When the message left, the ledger knew nothing of it: the window is wider than "
            "before. A worker that dies in it leaves a message under a key that no list here "
            "contains, and the next one sends lead-202 a second. `ledger.begin` has to come "
            "before the call.",
            lambda seen: seen("sent", LEAVES) == "nothing",
        ),
        Mistake(
            "begun only where it is new",
            "The ledger knew the action already, and there your code called the provider without "
            "a beginning. What comes back has no open attempt to be noted on, and a worker that "
            "dies in the call leaves a row that says: nothing is open. `ledger.begin` is for "
            "both, with a row and with None.",
            lambda seen: unsent(seen, "prepared", "PREPARED")
            and str(seen("sent", LEAVES)).startswith("UNKNOWN"),
        ),
        Mistake(
            "the window is open",
            "When the message left, the ledger said PREPARED: no attempt is open. A worker that "
            "dies in that moment leaves a message that nobody here knows of, and the next one "
            "sends lead-202 a second. `ledger.begin` has to come before the call, also where the "
            "call will go well.",
            lambda seen: "PREPARED" in f"{seen('sent', LEAVES)} {seen('prepared', LEAVES)}",
        ),
        Mistake(
            "UNKNOWN without a beginning",
            "Your code moved the row to UNKNOWN by hand, and the ledger refused: with that state "
            "belong the number of the attempt and the moment until which it may be sent. Nothing "
            "was sent, and lead-202 waits. `ledger.begin` writes all three in one commit.",
            lambda seen: "IntegrityError" in first(seen, "sent"),
        ),
        Mistake(
            "one too high",
            "After `ledger.begin` the row counts this attempt already, and your code added one "
            "more. The provider's record of a rejection names the attempt: one day a refusal of "
            "the first is taken for the end of the second, and a message is sent twice. The "
            "number is `row.attempts`.",
            lambda seen: "2" in str(seen("sent", NAMED)),
        ),
        SIMILAR["the wrong number"],
        Mistake(
            "the row from before is sent",
            "The attempt was begun, and what you go on with is the row from before it: there "
            "`row.attempts` still counts the attempts until then. The provider was called with "
            "that number and did nothing, so lead-202 waits. Keep the row that `ledger.begin` "
            "gives back: `row = ledger.begin(...)`.",
            lambda seen: first(seen, "prepared") == "hold, UNKNOWN"
            and unsent(seen, "prepared", "UNKNOWN"),
        ),
        Mistake(
            "begun, and not called",
            "The attempt was begun, and the provider was never called: lead-202 waits, and the "
            "ledger says that a message may be out there. If your code has the call, an error of "
            "its own came before it, a misspelled name perhaps, and `except Exception` took it "
            "for the provider's silence. Print the error there once, and read what it says.",
            lambda seen: first(seen, "sent") == "hold, UNKNOWN"
            and unsent(seen, "sent", "no message leaves"),
        ),
        Mistake(
            "begun twice",
            "The attempt is begun before the call, and once more after it, as in `too_late`. The "
            "ledger refuses the second time, and the answer of the provider is never written "
            "down: lead-202's receipt is lost on the way. Take the later `ledger.begin` out.",
            lambda seen: "IllegalTransition" in first(seen, "sent"),
        ),
        Mistake(
            "answer not written down",
            "The provider answered, and the answer was not written down: the gateway had to ask "
            "what the provider holds, and where nobody can be asked, a person has to look. Return "
            "what `write_down` returns. A second `ledger.begin` before it, as in `too_late`, ends "
            "your code too early, for the row has moved.",
            lambda seen: first(seen, "sent") == "reconciled, SETTLED",
        ),
        Mistake(
            "called twice",
            "Your code called the provider twice in one attempt, and lead-202 has a message from "
            "each call. What is left of `too_late` has to go: first one `ledger.begin`, then one "
            "`provider.perform`.",
            lambda seen: (seen("sent", "messages at the provider") or 0) > 1,
        ),
        SIMILAR["sent again after silence"],
        Mistake(
            "the row from before",
            "The answer was written down on the row as it was before the attempt began. That row "
            "has moved, so the ledger did not take it: what the provider had said was lost, and "
            "where nobody can be asked again, a person has to look. Give `write_down` the row "
            "that `ledger.begin` gave back.",
            lambda seen: first(seen, "silence") == "reconciled, SETTLED"
            and first(seen, "retry") == "sent, SETTLED",
        ),
        SIMILAR["an error of one's own taken for silence"],
        SIMILAR["a receipt of one's own"],
        Mistake(
            "an error's text kept as a receipt",
            "No receipt came, and the ledger says SETTLED: what it holds as a receipt is the text "
            "of the error. Whoever looks for that at the provider finds nothing, and nobody asks "
            "again. Give `write_down` the error itself, for it has to tell an error from a "
            "receipt.",
            lambda seen: any(
                "never gave" in str(seen(one, RECEIPT))
                for one in ("retry", "silence", "unforeseen")
            ),
        ),
        SIMILAR["no return"],
        Mistake(
            "nothing is sent",
            "Lead-202 is owed a message, nothing was in the way, and none was sent. Never sending "
            "makes no duplicate, and no customer happy. Where `no_attempt_left` gives no reason, "
            "an attempt begins, and the provider is called.",
            lambda seen: seen("sent", REQUESTS) == 0 and STOPPED not in first(seen, "sent"),
        ),
        SIMILAR["silence read as not sent"],
        SIMILAR["a surprise read as not sent"],
        SIMILAR["silence ends the program"],
        SIMILAR["refusal ends the program"],
        SIMILAR["only the expected caught"],
        SIMILAR["empty receipt kept"],
        SIMILAR["refusal read as silence"],
        SIMILAR["one attempt too many"],
        SIMILAR["reported, not written"],
        Mistake(
            "looked at again for nothing",
            "No attempt was left, and your code returned None with the row as it was. The gateway "
            "looks again, finds the same, and so on without end: no person is told, and lead-202 "
            "waits. Move the row to REVIEW, and report it, as in `too_late`.",
            lambda seen: last(seen, "used up") == CIRCLES,
        ),
        Mistake(
            "another provider's name",
            "Your code wrote down the name of one provider, whichever it was given. At the next "
            "attempt the gateway finds that the row belongs to another and refuses, so lead-202 "
            "gets no message. The name is `provider.contract.name`.",
            lambda seen: "WrongProvider" in f"{last(seen, 'retry')} {last(seen, 'used up')}",
        ),
        SIMILAR["one attempt too few"],
        Mistake(
            "the beginning inside the try",
            "Another worker had begun this attempt, and the error that says so was taken for the "
            "provider's silence. There is no row of yours to write that on, and whoever called "
            "gets an error for a message that is on its way. `ledger.begin` stands before the "
            "`try`, so that `VersionConflict` passes.",
            lambda seen: "AttributeError" in first(seen, "faster"),
        ),
        SIMILAR["the faster one ignored"],
    ),
    hints=(
        "A worker dies right after the provider has acted. Which row should the next one find, "
        "and who has to have written it, when?",
        "Keep the question about `no_attempt_left`, and what is done with the answer. Move the "
        "line with `ledger.begin` up, before the call. It prepares a new action itself, and the "
        "row that it gives back is the one to go on with.",
        "What is left of `too_late`, in another order:\n"
        "    row = ledger.begin(action, row, provider.contract.name)\n"
        "    try:\n"
        "        answer = check_receipt(provider.perform(action, ...))\n"
        "    except Exception as error:\n"
        "        answer = ...\n"
        "    return write_down(answer, row, ledger)",
    ),
    solved=(attempt,),
    why="UNKNOWN is on disk before the message leaves, so whoever dies between the effect and the "
    "record of it leaves a row that says: ask first. The next worker asks, and does not send.",
)  # fmt: skip
