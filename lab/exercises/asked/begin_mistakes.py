"""Lesson 12: the mistakes that are known of claiming an attempt."""

from __future__ import annotations

from lab.exercises.exercise import Mistake, Seen
from lab.exercises.sql import BEN, MOVED
from lab.exercises.stage import CIRCLES
from lab.gateway.ledger import SEND_WINDOW_MS

TOLD = "Ben is told"
ANSWERS = "the gateway answers"
HOLDS = "the file holds"
EVENTS = "events of the action"
CHANGED = "what was changed"
NOTHING, SOMETHING = "nothing", "something"
MESSAGES = "messages at the provider"
A_ROW, NO_ROW_YET = "where a row was there", "where no row was there"
SEES = "another program sees"
OPEN = "a transaction is left open"
THE_ROW = "the row ("
BY_NOW = "its send_by, from now (ms)"
SINCE = "its retry_since, from now (ms)"

SINCE_FIRST = "its retry_since, from the first attempt (ms)"
SAW_A_ROW = f"both saw a row: {TOLD}"
SAW_NO_ROW = f"both saw no row: {TOLD}"
SAW_AN_OLD_ROW = f"he saw an old row: {TOLD}"
TOLD_OF_NEW = f"of a new action {TOLD}"
AFTER_THE_CLAIM = "the file fails after a claim, and its error says"
AFTER_A_NEW_CLAIM = "the file fails after the claim of a new action, and its error says"
WINDOW = SEND_WINDOW_MS


def told(seen: Seen, scenario: str = "row", label: str = TOLD) -> str:
    """Return what somebody is told, in words; empty where it never came to that."""
    found = seen(scenario, label)
    return "; ".join(found) if isinstance(found, list) else found or ""


def number(seen: Seen, label: str, scenario: str = "row") -> int | None:
    """Return a fact that is a number; None where there is none."""
    found = seen(scenario, label)
    return found if isinstance(found, int) else None


def sends_within(seen: Seen, least: int, most: int) -> bool:
    """Tell whether `send_by` lies in a span after the begin (ms)."""
    found = number(seen, BY_NOW)
    return found is not None and least <= found <= most


def refusals(seen: Seen) -> list[str]:
    """Return what Ben is told of rows that are not PREPARED."""
    return [told(seen, "other states", f"{state}: {TOLD}") for state in MOVED]


def past(seen: Seen) -> str:
    """Return what the row's history says, in words."""
    return told(seen, "row", EVENTS)


def begins(answer: str) -> bool:
    """Tell whether an answer says that the attempt is Ben's."""
    return answer.startswith(THE_ROW)


MISTAKES = (
    Mistake(
        "a conflict with nobody",
        "Your code says that somebody else changed the row, and nobody did. The gateway looks "
        "again and tries again, for ever, and lead-202 gets no message. A row that is there is "
        "moved on by `self.change`; only a new action is inserted.",
        lambda seen: CIRCLES in told(seen, "sent", ANSWERS),
    ),
    Mistake(
        "left open",
        "When `begin` is over, its transaction is still open: no other program sees the claim, "
        "and when the process dies it is gone, though the message may be out. The next worker "
        "sends it again; until then every worker waits, for the file is locked. Each way out of "
        "a transaction has to end it, also the way of an error.",
        lambda seen: any(seen(one, OPEN) == "yes" for one in ("seen", "raced", "full")),
    ),
    Mistake(
        "nothing is written",
        "Your code returns a row that says UNKNOWN, and the file says PREPARED. When the process "
        "dies during the call, the next one reads that nothing was sent, and the customer has "
        "two messages. `self.change` writes the row, and returns it.",
        lambda seen: "not the ledger's" in told(seen) and seen("row", "its state") == "PREPARED",
    ),
    Mistake(
        "not begun",
        "`begin` comes to its end, and the row is still PREPARED. So no attempt was claimed: two "
        "workers may both return from it, and nothing later can tell them apart. For a row, move "
        "it to UNKNOWN; for a new action, `_begin_new` does both in one statement.",
        lambda seen: "the row (PREPARED)" in (told(seen), told(seen, "new")),
    ),
    Mistake(
        "no send_by",
        "The database refused the claim, because an open attempt without `send_by` could be sent "
        "at any time: nobody could ever prove that it was not. So nothing begins, and lead-202 "
        "gets no message. Give `change` the last moment at which this worker may send.",
        lambda seen: "send_by IS NOT NULL" in told(seen),
    ),
    Mistake(
        "attempts not counted",
        "The database refused an attempt whose number is not one more than the last, so lead-202 "
        "gets no message. Two attempts under one number could not be told apart: a refusal of "
        "the first would be taken for the end of the second. Count from the row: `row.attempts + "
        "1`.",
        lambda seen: any("not a legal move" in told(seen, one) for one in ("row", "next")),
    ),
    Mistake(
        "not what an attempt is",
        "The database refused what your code wrote, so nothing begins, and lead-202 gets no "
        "message. An attempt that begins is open, and its row says so: UNKNOWN, with a "
        "`send_by`, and without a receipt. Give `change` the state UNKNOWN, and only the columns "
        "that the text names.",
        lambda seen: "IntegrityError" in told(seen),
    ),
    Mistake(
        "no row returned",
        "`begin` comes to its end, and what it hands back is no row. The gateway does not know "
        "which attempt it may send, so lead-202 gets no message. Is a `return` missing, in one "
        "of the two methods?",
        lambda seen: any("no row" in told(seen, one) for one in ("row", "new")),
    ),
    Mistake(
        "the row from before",
        "The claim is written, and your code returns the row as it was before. The gateway reads "
        "an old attempt and an old version in it: it does not send, and lead-202 waits for an "
        "answer that nobody will give. Return what `self.change` gives back.",
        lambda seen: "not the ledger's, in state" in told(seen),
    ),
    Mistake(
        "the count is not looked at",
        "Anna was faster, Ben changed nothing, and was given the row as if the attempt were his. "
        "Both send, and the customer has two messages. Who changed no row has lost, and has to "
        "be told: let VersionConflict through, or raise it where the count is 0.",
        lambda seen: begins(told(seen, "raced", SAW_A_ROW)) and seen("raced", CHANGED) == NOTHING,
    ),
    Mistake(
        "the loser is told nothing",
        "Anna was faster, and Ben is given neither a row nor an error. The gateway cannot go on "
        "with that: Ben's run breaks off, and nobody says why. Who lost the race is told "
        "VersionConflict, so that `execute` looks at the row again: let that error through.",
        lambda seen: any(
            "no row" in told(seen, "raced", label) for label in (SAW_A_ROW, SAW_NO_ROW)
        ),
    ),
    Mistake(
        "no version",
        "Anna had begun the attempt, and Ben, who had seen the row before that, began it once "
        "more. Both send, and the customer has two messages. The statement has to name the "
        "version that was *seen*, so that it finds no row when somebody was faster.",
        lambda seen: begins(told(seen, "raced", SAW_A_ROW)),
    ),
    Mistake(
        "looks, then writes",
        "Your code looks at the version first and writes afterwards. In between Anna began the "
        "attempt, Ben began it too, and the customer has two messages. Look and write have to be "
        "one statement: `UPDATE … WHERE … AND version = ?`, as `self.change` does it.",
        lambda seen: "both begin" in told(seen, "between", A_ROW),
    ),
    Mistake(
        "stopped by the database",
        "Your code looks first and writes afterwards, and in between Anna began the attempt. Only "
        "a rule of the database stopped Ben, with an error that `execute` does not know, so his "
        "run crashes though all is well. Look and write have to be one statement that names the "
        "version, and who changed no row is told VersionConflict.",
        lambda seen: "IntegrityError" in told(seen, "between", A_ROW),
    ),
    Mistake(
        "another word for a lost race",
        "Anna was faster, and Ben was told IllegalTransition, as if the gateway had broken a "
        "rule. `execute` looks again after VersionConflict and lets any other error through, so "
        "Ben's run crashes though all is well. Who lost the race is told VersionConflict.",
        lambda seen: any(
            told(seen, "raced", label) == "IllegalTransition" for label in (SAW_A_ROW, SAW_NO_ROW)
        ),
    ),
    Mistake(
        "claims a row that nobody looked at",
        "The row had moved since Ben saw it: an attempt was made, and refused for good. Your "
        "code read the row again and began it all the same, so what must not be tried any more "
        "is tried. Whether an attempt may begin was decided about the row that was *given*; if "
        "it moved, say VersionConflict.",
        lambda seen: begins(told(seen, "raced", SAW_AN_OLD_ROW)),
    ),
    Mistake(
        "begins from any state",
        "A row that is not PREPARED was begun, or only the database refused it. An open attempt "
        "may still arrive, and a settled one has: one more is a second message. Before anything "
        "is written, raise IllegalTransition unless the row is PREPARED.",
        lambda seen: (
            seen("other states", CHANGED) == SOMETHING
            or any(answer.startswith("IntegrityError") for answer in refusals(seen))
        ),
    ),
    Mistake(
        "another refusal",
        "A row that is not PREPARED was refused in another way than by IllegalTransition. "
        "VersionConflict makes the gateway look again, and again; a row that is returned makes "
        "it send. Only IllegalTransition says that the gateway itself has a mistake.",
        lambda seen: any(answer not in ("IllegalTransition", "") for answer in refusals(seen)),
    ),
    Mistake(
        "send_by is past",
        "`send_by` lies before the attempt has begun, so every worker finds that it is too late "
        "to send. The attempts are used up one by one, and lead-202 gets no message. It is a "
        "moment, not a length: the time now, and SEND_WINDOW_MS more.",
        lambda seen: sends_within(seen, -(10**15), -1),
    ),
    Mistake(
        "send_by is now",
        "`send_by` is the moment of the begin itself. A worker that needs one millisecond to "
        "reach its call is too late, sends nothing, and uses an attempt up. Add SEND_WINDOW_MS.",
        lambda seen: sends_within(seen, 0, 0),
    ),
    Mistake(
        "send_by in seconds",
        "`send_by` leaves 30 milliseconds, where 30 seconds are meant. A worker that is a little "
        "slow sends nothing, and the attempts are used up. All times of the ledger are "
        "milliseconds, and so is SEND_WINDOW_MS.",
        lambda seen: sends_within(seen, WINDOW // 1000, WINDOW // 1000),
    ),
    Mistake(
        "send_by is far away",
        "`send_by` is later than this worker may send. Until it is past, nobody can prove that "
        "the attempt did nothing, so after a lost request lead-202 waits all that time. It is "
        "the time of the ledger, `self.now(row)`, and SEND_WINDOW_MS more.",
        lambda seen: sends_within(seen, WINDOW + 1, 10**15),
    ),
    Mistake(
        "another window",
        "`send_by` leaves this worker more or less time than every other one has. A worker that "
        "is cut short sends nothing and uses an attempt up; for one that has longer, others wait "
        "longer. It is the time now, `self.now(row)`, and SEND_WINDOW_MS more.",
        lambda seen: number(seen, BY_NOW) not in (WINDOW, None),
    ),
    Mistake(
        "a clock that goes back",
        "Ben's clock is behind the row's last change, and your times are counted from it. So the "
        "attempt ends before it should, and another worker may believe that nobody sends any "
        "more. `self.now(row)` is never behind the row.",
        lambda seen: (
            number(seen, BY_NOW) == WINDOW and number(seen, BY_NOW, "behind") not in (WINDOW, None)
        ),
    ),
    Mistake(
        "no retry_since",
        "Nobody knows any more when the first attempt began. This provider forgets a key after a "
        "day, and an attempt after that day is a second message. Where `row.retry_since` is "
        "None, this attempt is the first: write the time now.",
        lambda seen: (
            "there is none" in (seen("row", SINCE), seen("approved", SINCE))
            and seen("row", "its state") == "UNKNOWN"
        ),
    ),
    Mistake(
        "retry_since begins anew",
        "The second attempt counts as the first: `retry_since` was set anew. This provider "
        "forgets a key after a day, and your ledger no longer knows when that day began, so a "
        "later attempt can be a second message. Keep `row.retry_since` where there is one.",
        lambda seen: number(seen, SINCE_FIRST, "next") not in (0, None),
    ),
    Mistake(
        "no provider named",
        "The row does not say where the attempt goes. If somebody asks another provider about "
        "it, that one answers *not there*, which is true and proves nothing. `provider` is the "
        "name to write.",
        lambda seen: seen("row", "its provider") is None and seen("row", "its state") == "UNKNOWN",
    ),
    Mistake(
        "always the same provider",
        "The attempt goes to one provider, and the row names another, always the same. If "
        "somebody asks that one, it answers *not there*, which is true and proves nothing: "
        "lead-202 can get a second message. The name to write is the one that `begin` is given.",
        lambda seen: (
            seen("approved", "its state") == "UNKNOWN"
            and seen("approved", "its provider") not in ("keyed", None)
        ),
    ),
    Mistake(
        "another actor",
        "Ben began the attempt, and the row says that it was somebody else. When lead-202 has a "
        "question, nobody knows whom to ask. `change` writes `self.actor` by itself.",
        lambda seen: (
            seen("row", "its state") == "UNKNOWN" and seen("row", "its actor") not in (BEN, None)
        ),
    ),
    Mistake(
        "in two changes",
        "Your claim is two changes, and each is on its own. A process that dies between them "
        "leaves a row that says half of it, and the history of lead-202 tells of a step that "
        "nobody took. `change` takes all columns at once.",
        lambda seen: seen("row", "its state") == "UNKNOWN" and past(seen).count(f"by {BEN}") > 1,
    ),
    Mistake(
        "other grounds",
        "The event of the begin does not say what it is. Whoever reads the history of lead-202 "
        'at night looks for "attempt begins", and for the number of the attempt. That is the '
        "evidence for `change`, and the number follows from `attempts`.",
        lambda seen: (
            seen("row", "its state") == "UNKNOWN"
            and not ("attempt 1" in past(seen) and past(seen).endswith(": attempt begins"))
        ),
    ),
    Mistake(
        "says UNKNOWN too early",
        "The disk was full, nothing was claimed or sent, and the error says that the action is "
        "UNKNOWN. So somebody asks a provider about an attempt that was never made, and lead-202 "
        "waits. Before the claim, set `self.otherwise` to NOTHING_SENT: an earlier action may "
        "have left another sentence there.",
        lambda seen: any(
            told(seen, "full", label) not in ("StoreFull: nothing was sent", "")
            for label in (TOLD, TOLD_OF_NEW)
        ),
    ),
    Mistake(
        "says nothing was sent",
        "The file failed after the claim, and its error does not say that the action is UNKNOWN. "
        "Whoever believes that nothing was sent does it once more by hand, and the customer has "
        "two messages. After the claim, say in `self.otherwise` which action is UNKNOWN.",
        lambda seen: any(
            told(seen, "told", label) not in ("the action is UNKNOWN", "")
            for label in (AFTER_THE_CLAIM, AFTER_A_NEW_CLAIM)
        ),
    ),
)
