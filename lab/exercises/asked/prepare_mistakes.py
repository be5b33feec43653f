"""Lesson 04: the mistakes that are known of writing an intention down."""

from __future__ import annotations

from lab.exercises.exercise import Mistake, Seen
from lab.exercises.sql import MOVED, NO_ROW
from lab.exercises.stage import CIRCLES, STOPPED
from lab.faults.clock import MINUTE_MS
from lab.gateway import STATES

TOLD = "Ben is told"
AGAIN = "the second time Ben is told"
HOLDS = "the file holds"
THEN = f"{HOLDS} then"
EVENTS = "events of the action"
ROWS = "rows in the file"
CHANGED = "what was changed"
NOTHING, SOMETHING = "nothing", "something"
MESSAGES = "messages at the provider"
ENDS = "what it can come to"
SEES = "another program sees"
OPEN = "a transaction is left open"
OTHER_KIND = "the kind of the other row"
CONTENT = "the payload's template is in the file"
THE_ROW = "the row ("
WRITTEN_AT = 11 * MINUTE_MS  # a site's clock begins at ten minutes, and one goes by


def told(seen: Seen, scenario: str = "sent", label: str = TOLD) -> str:
    """Return what somebody is told, in words; empty where it never came to that."""
    return seen(scenario, label) or ""


def lets_pass(seen: Seen) -> bool:
    """Tell whether a used key passes with other data, in any state."""
    reuses = ("another template", "another kind")
    return any(
        told(seen, one, f"{s}: {TOLD}").startswith(THE_ROW) for one in reuses for s in STATES
    )


def moved(seen: Seen, what: str) -> list[str]:
    """Return what is held, or told, of the actions that others have moved on."""
    return [told(seen, "moved", f"{state}: {what}") for state in MOVED]


MISTAKES = (
    Mistake(
        "no end",
        "Your code makes one statement after the other and never comes to its end, so lead-202 "
        "is not written down, and whoever asked waits. Look for a loop: what has to change so "
        "that it stops?",
        lambda seen: told(seen) == CIRCLES,
    ),
    Mistake(
        "left open",
        "When `prepare` is over, its transaction is still open: no other program sees the row, "
        "and when the process dies the row is gone. Lead-202 was told *accepted*, and nobody "
        "knows of it; meanwhile every other worker waits, for the file is locked. Each way out "
        "of a transaction has to end it, also the way of an error.",
        lambda seen: any(
            seen(one, OPEN) == "yes" for one in ("seen", "another template", "another kind", "full")
        ),
    ),
    Mistake(
        "nothing is written",
        "Your code is over, and the file holds no row for the action's key. When the process dies, "
        "nobody knows that lead-202 is owed anything. Memory goes with its process: the row has to "
        "be written with `self._write` first.",
        lambda seen: (
            "a row that nobody wrote" in (told(seen), told(seen, "row"))
            or ("no row" in told(seen) and seen("sent", THEN) == NOTHING)
        ),
    ),
    Mistake(
        "content in the ledger",
        "What the message says now stands in the ledger. Its file is copied, backed up and shown "
        "to colleagues, so that is one more place from which a customer's data can get out. "
        "Write the hash, `action.hash`, and leave the payload with whoever brings the action.",
        lambda seen: seen("row", CONTENT) == "yes",
    ),
    Mistake(
        "a key of one's own",
        "The row stands under another key than the action's. Whoever asks for lead-202's key "
        "finds nothing and writes it down once more, so one intention becomes two, and two "
        "messages. The key is `action.key`, as it is.",
        lambda seen: told(seen).startswith(THE_ROW) and told(seen, "seen", SEES) == NOTHING,
    ),
    Mistake(
        "set back",
        "The action had been begun by somebody else, and your code set it back to PREPARED: "
        "written down, and nothing sent. The gateway believes it and sends once more, so the "
        "customer has two messages for one intention. Leave a row that is there as it is: ON "
        "CONFLICT (key) DO NOTHING.",
        lambda seen: any(held.startswith("PREPARED") for held in moved(seen, HOLDS)),
    ),
    Mistake(
        "refused at once",
        "The database refused the very first row, so lead-202 is not written down. The error "
        "names the rule that did not hold: a column that may not be empty, or a state in which "
        "no action may begin. Give the five columns of the example, in their order, and leave "
        "the others to the table.",
        lambda seen: told(seen).startswith("IntegrityError") and seen("sent", THEN) == NOTHING,
    ),
    Mistake(
        "written, then changed",
        "Lead-202's row was written, and then your code changed it, or wrote an event beside it. "
        "The database refused that, and whoever asked hears of an error, though lead-202 is "
        "written down. A row that was just written needs nothing more: put every value into the "
        "one INSERT.",
        lambda seen: told(seen).startswith("IntegrityError"),
    ),
    Mistake(
        "a change that is refused",
        "The action was there already, and your code tried to change its row or to remove it. The "
        "database refused, so whoever heard no answer and asks again gets an error, where the row "
        "is what they need. Leave the row as it is: ON CONFLICT (key) DO NOTHING.",
        lambda seen: any(
            said in told(seen, "twice", AGAIN) + told(seen, "between", ENDS)
            for said in ("not a legal move", "never deleted")
        ),
    ),
    Mistake(
        "columns mixed up",
        "The row is written, and a value stands in a column that it does not belong to. Whoever "
        "reads the ledger later is told something false about lead-202. Compare the order of the "
        "columns with the order of your values.",
        lambda seen: (
            seen("row", "its kind") not in ("welcome_email", NO_ROW, None)
            or seen("row", OTHER_KIND) not in ("refund", NO_ROW, None)
        ),
    ),
    Mistake(
        "another hash",
        "The hash in the row is not the action's. So the very action that was approved counts as "
        "a changed one, is refused as `KeyReused`, and the message is never sent. The hash of "
        "kind and payload is there already: `action.hash`.",
        lambda seen: seen("row", "its hash") == "another content's" or told(seen) == "KeyReused",
    ),
    Mistake(
        "begun at once",
        "Your row says that an attempt has begun, and nothing was sent. The gateway now waits "
        "for an answer that nobody will give, so lead-202 gets no message. The first state is "
        "PREPARED, and the table sets it by itself.",
        lambda seen: seen("row", "its state") not in ("PREPARED", NO_ROW, None),
    ),
    Mistake(
        "no row returned",
        "The row is in the file, but your code does not hand it back, so the caller cannot tell "
        "what the action's state is. Is a `return` missing, or does it return something else "
        "than the row that `self.find(action)` gives?",
        lambda seen: "no row" in told(seen) or "no row" in told(seen, "twice", AGAIN),
    ),
    Mistake(
        "no comparison",
        "The key of lead-202 came back with other data, and your code took it for the same "
        "action. Somebody's second message, or a refund, counts as written down and is never "
        "done. The key alone does not say what was approved: `self.find(action)` compares the "
        "hash, which is of kind and payload.",
        lets_pass,
    ),
    Mistake(
        "every second time refused",
        "The same action came a second time, with the same data, and was refused as if it were "
        "another one. Whoever heard no answer asks again, and is now stopped for good. Only "
        "other data makes a key reused: compare the hash, as `self.find(action)` does.",
        lambda seen: "KeyReused" in told(seen, "twice", AGAIN),
    ),
    Mistake(
        "refused the second time",
        "The same action came a second time, and the database's refusal went through to the "
        "caller. Whoever heard no answer and asks again gets an error, where the row is what "
        "they need. What is there already is no fault: ON CONFLICT (key) DO NOTHING.",
        lambda seen: "IntegrityError" in told(seen, "twice", AGAIN),
    ),
    Mistake(
        "another refusal",
        "A used key came with other data, and the caller was not told so by `KeyReused`. Whoever "
        "calls the ledger waits for that error, to say what to do about it. `self.find(action)` "
        "raises it.",
        lambda seen: (
            told(seen).startswith(THE_ROW)
            and told(seen, "another template", f"PREPARED: {TOLD}") not in ("KeyReused", "")
        ),
    ),
    Mistake(
        "only while PREPARED",
        "Others had begun the action, or ended it, and your code answers the next who asks with an "
        "error. Whoever heard no answer asks again, and needs to see how far the action has come. "
        "The same action's row is returned in whatever state it is: look at the hash, and leave "
        "the state alone.",
        lambda seen: (
            told(seen, "twice", AGAIN).startswith(THE_ROW)
            and any("Error" in said or said == "KeyReused" for said in moved(seen, TOLD))
        ),
    ),
    Mistake(
        "refused in between",
        "Anna's worker wrote the same action down in between, and your code told Ben's that the "
        "key is used for something else. It is the very same action, and Ben's caller gives it up "
        "as a mistake. A row that is there is no reuse: `self.find(action)` looks at the hash.",
        lambda seen: "KeyReused" in told(seen, "between", ENDS),
    ),
    Mistake(
        "looks, then inserts",
        "Your code looks first and inserts afterwards, and Anna's worker wrote the same row in "
        "between. Ben's worker was right when it looked, and crashes on the UNIQUE key when it "
        "writes, though all is well with lead-202. Write first, with ON CONFLICT (key) DO "
        "NOTHING, and look afterwards.",
        lambda seen: "IntegrityError" in told(seen, "between", ENDS),
    ),
    Mistake(
        "begins softly",
        "Your transaction begins with BEGIN, which takes no right to write. Anna's worker wrote "
        "after Ben's had looked, so SQLite could only refuse him: *database is locked*. One "
        "INSERT needs no transaction around it; where you want one, `self.transaction()` takes "
        "the right to write at its beginning.",
        lambda seen: "StoreLocked" in told(seen, "between", ENDS),
    ),
    Mistake(
        "looks, then ignores",
        "Your code compares first and writes afterwards. In between Anna's worker brought the "
        "key with another template, and both were told that the key is theirs: one of the two "
        "messages will never be sent. Compare after the write, when the row that counts is there.",
        lambda seen: "both are told" in told(seen, "other between", ENDS),
    ),
    Mistake(
        "rewritten",
        "The action was there, and your code wrote its row once more. So the ledger no longer "
        "says who brought it and when, and a worker that is about to begin it is told that "
        "somebody moved the row. Leave it as it is: ON CONFLICT (key) DO NOTHING.",
        lambda seen: seen("twice", CHANGED) == SOMETHING,
    ),
    Mistake(
        "a row made up",
        "Others had moved the action on, and your code returned a row as it might have been at "
        "the beginning. A caller who reads PREPARED in it sends what was sent already. Return "
        "what the file holds: `self.find(action)`.",
        lambda seen: "not the ledger's" in "".join(moved(seen, TOLD)) + told(seen, "stays", AGAIN),
    ),
    Mistake(
        "pasted into the SQL",
        "The worker's name is O'Brien, and his apostrophe ended a text of your SQL: nothing was "
        "written. With a name that somebody chooses with care, other SQL of theirs would run. "
        "Write `?` for each value, and hand the values over beside the text.",
        lambda seen: seen("name", STOPPED) == "OperationalError" and seen("sent", STOPPED) is None,
    ),
    Mistake(
        "another clock",
        "The time in the row is not that of the ledger's clock, in milliseconds. The ledger "
        "compares times with each other, so one from elsewhere makes an action look older or "
        "newer than it is. Ask `self.clock()`.",
        lambda seen: (
            isinstance(seen("row", "its updated_at"), int)
            and seen("row", "its updated_at") != WRITTEN_AT
        ),
    ),
    Mistake(
        "another actor",
        "The row does not say that Ben wrote it. When lead-202 has a question, nobody knows whom "
        "to ask. Who writes is `self.actor`.",
        lambda seen: seen("row", "its actor") not in ("Ben", NO_ROW, None),
    ),
    Mistake(
        "past _write",
        "The disk was full, and your code let SQLite's bare error through. Whoever reads it at "
        "night learns neither which file is full nor whether anything was sent. Run your "
        "statements with `self._write`: it names both.",
        lambda seen: told(seen, "full").startswith("OperationalError"),
    ),
    Mistake(
        "silent about the disk",
        "The disk was full, nothing was written, and the caller was not told. So lead-202 hears "
        "*accepted*, and nobody knows of it. Let the error of `self._write` through.",
        lambda seen: "row" in told(seen, "full"),
    ),
    Mistake(
        "another word for the disk",
        "The disk was full, and the caller is told so by another error than that of "
        "`self._write`. Whoever reads it at night learns neither which file is full nor whether "
        "anything was sent. Let the error through as it is.",
        lambda seen: told(seen, "full") not in ("", "StoreFull: nothing was sent"),
    ),
)
