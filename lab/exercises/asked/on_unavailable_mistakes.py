"""The mistakes that are known of lesson 08's exercise, and the facts that show them."""

from __future__ import annotations

from collections.abc import Callable

from lab.exercises.exercise import Mistake, Seen
from lab.exercises.stage import CIRCLES, STOPPED

REQUESTS = "requests at the provider"
SAYS = "the ledger says"
EARLY = "a person's approval of one more attempt, at once, is"
LATE = "her approval, as soon as nothing can be on its way, is"
WAITING = "the row, while your code waits, is"
SILENT = ("silent keyed", "silent readable", "silent searchable", "silent blind")
SLOW = ("slow answer", "slow worker", "too slow")

ASKED: dict[str, tuple[str, ...]] = {
    "stops": ("after 10 seconds", "after a minute", "after an hour"),
    "boundary": ("a millisecond before", "at the last moment", "a millisecond after"),
    **dict.fromkeys(SILENT, ("at first", "asked at once", "a millisecond later", "an hour later")),
    "ends": ("after a minute", "an hour later"),
    "slow answer": ("asked in time", "asked again"),
    "slow worker": ("the one who asks", "the slow one"),
    "too slow": ("the one who asks", "the slow one"),
    "meanwhile": ("then",),
    "desk": ("at first", "a second later", "after the approval"),
}
"""When the gateway is called in a scenario, or by whom."""


def labels(scenario: str) -> list[str]:
    """Return under which labels the calls of a scenario are told."""
    return [f"{when}, the gateway answers" for when in ASKED[scenario]]


def answered(scenario: str, *wanted: str) -> Callable[[Seen], bool]:
    """Recognise a mistake by what the first calls in a scenario came to."""

    def when(seen: Seen) -> bool:
        told = [str(seen(scenario, label)) for label in labels(scenario)]
        return all(want in one for want, one in zip(wanted, told, strict=False))

    return when


def says_so(words: str) -> Callable[[Seen], bool]:
    """Recognise a mistake by what any call came to while the provider was silent."""
    return lambda seen: any(words in str(seen("stops", label)) for label in labels("stops"))


def ends_as(state: str) -> Callable[[Seen], bool]:
    """Recognise a mistake by what the ledger says after an hour of silence."""
    return lambda seen: any(seen(name, SAYS) == state for name in ("stops", *SILENT))


def again(scenario: str) -> Callable[[Seen], bool]:
    """Recognise a mistake by a second request."""
    return lambda seen: (seen(scenario, REQUESTS) or 0) > 1


MISTAKES = (
    Mistake(
        "round in circles",
        "Your code came to no end: it waits or asks in a loop of its own, or it returns nothing "
        "and has changed nothing, and the gateway looks at the same row again and again. "
        "Nobody else's message goes out. To wait means to report the row as it is: `return "
        "Outcome.of(row, \"hold\")`.",
        says_so(CIRCLES),
    ),
    Mistake(
        "silence read as absence",
        "For a while your code waited, and then it sent once more, as if the provider had said "
        "that nothing is there. It had said nothing at all: lead-202 has two messages. "
        "Without an answer there is no proof, however long you wait.",
        lambda seen: again("stops")(seen) and answered("stops", "UNKNOWN", "UNKNOWN")(seen),
    ),
    Mistake(
        "blind retry",
        "Nobody could say whether the first message had arrived, and your code sent another "
        "one. It had arrived: lead-202 has two. Nothing in this function may send, or lead "
        "back to PREPARED; after the last moment `on_doubt` hands the row to a person.",
        again("stops"),
    ),
    Mistake(
        "trust in the second wall",
        "This provider recognises a key, and your code relied on that and sent again. It "
        "forgets a key after a day, and then lead-202 has two messages. What it promises is a "
        "second wall; the first is not to send without proof.",
        again("silent keyed"),
    ),
    Mistake(
        "sent again elsewhere",
        "Without an answer your code sent again, though not in every case. Nobody knew whether "
        "the first message had arrived, so some customers have two. No contract, and no "
        "moment, makes silence a proof.",
        lambda seen: any(again(one)(seen) for one in ("boundary", *SILENT, *SLOW)),
    ),
    Mistake(
        "settled without evidence",
        "The ledger says SETTLED, and nobody ever gave a receipt. If the message did not "
        "arrive, lead-202 waits for it, and no list shows that. Without an answer nothing is "
        "settled.",
        ends_as("SETTLED"),
    ),
    Mistake(
        "an error escapes",
        "An error came out of your code, and so the whole gateway stopped: nobody got an "
        "outcome, and the row is as it was. That nobody answers is an ordinary case here. Do "
        "not ask again and do not raise; report the row.",
        answered("stops", STOPPED),
    ),
    Mistake(
        "no outcome",
        "Your code returns something that is no Outcome, so whoever called cannot tell what "
        "became of lead-202. `Outcome.of(row, path)` makes one of a row.",
        answered("stops", "it returns "),
    ),
    Mistake(
        "reported, not written",
        "Your code reports that a person must look, and the ledger still says UNKNOWN. Whoever "
        "lists what waits in REVIEW does not find lead-202, and nobody looks. `on_doubt` "
        "changes the row, and reports it.",
        lambda seen: seen("stops", SAYS) == "UNKNOWN"
        and (says_so("manual")(seen) or says_so("REVIEW")(seen)),
    ),
    Mistake(
        "the wrong way round",
        "While the attempt might still be sent, your code calls for a person, and once it "
        "cannot, your code waits. So somebody is troubled too early, and where she would be "
        "needed nobody is told. Up to `row.send_by` wait; after it stop.",
        lambda seen: answered("stops", "REVIEW")(seen)
        and all(seen(name, SAYS) == "UNKNOWN" for name in SILENT),
    ),
    Mistake(
        "waits for ever",
        "An hour later your code still waits, and the ledger says UNKNOWN. Nothing is sent "
        "twice now, but nobody is told either, and lead-202 may wait for ever. After the last "
        "moment a person must look: `on_doubt`.",
        ends_as("UNKNOWN"),
    ),
    Mistake(
        "review at once",
        "The attempt might still be sent, and your code already calls for a person. She cannot "
        "decide anything yet, and a second later the answer may be there. Until "
        "`row.send_by`, wait.",
        answered("stops", "REVIEW"),
    ),
    Mistake(
        "the row from before",
        "The ledger says REVIEW, and what you report is the row as it was before: UNKNOWN. "
        "Whoever called is told of a state that is over. Each change gives back the row as it "
        "is then; report that one, or let `on_doubt` do both.",
        lambda seen: seen("stops", SAYS) == "REVIEW"
        and answered("stops", "hold", "manual, UNKNOWN")(seen),
    ),
    Mistake(
        "waits out the flight",
        "After a minute the attempt can no longer be sent, and your code still waits. While "
        "nobody answers, the time on the way proves nothing, and the person hears of it later "
        "than she could. Compare with `row.send_by` alone.",
        answered("stops", "UNKNOWN", "UNKNOWN"),
    ),
    Mistake(
        "a note while waiting",
        "While it waited, your code changed the row. A slow worker that hears from the "
        "provider that nothing was done then finds its row moved, and cannot write that down; "
        "lead-202 waits for a person instead. Leave the row as it is, and report it.",
        lambda seen: seen("boundary", WAITING) == "changed"
        and answered("boundary", "UNKNOWN")(seen),
    ),
    Mistake(
        "one moment early",
        "At the last moment at which the attempt might still be sent, your code already calls "
        "for a person. A worker may be sending it in that very millisecond. Until "
        "`row.send_by` includes that moment: `<=`.",
        answered("boundary", "UNKNOWN", "REVIEW"),
    ),
    Mistake(
        "one moment late",
        "A millisecond after the last moment your code still waits. Nobody sends any more, so "
        "there is nothing left to wait for, and a person hears of it later. Compare "
        "`readback.asked_at` with `row.send_by`, and add nothing.",
        answered("boundary", "UNKNOWN", "UNKNOWN", "UNKNOWN"),
    ),
    Mistake(
        "the clock instead of the question",
        "The question was put in time, and only its failure came late; your code went by the "
        "clock, or asked once more, and called for a person. What was asked while the attempt "
        "might be sent says nothing about the time after it. `readback.asked_at` is when the "
        "question was put.",
        lambda seen: answered("slow answer", "REVIEW")(seen)
        and answered("boundary", "UNKNOWN", "UNKNOWN", "REVIEW")(seen),
    ),
    Mistake(
        "the open attempt forgotten",
        "Your code wiped `send_by` when it handed the row to a person. The desk now takes it "
        "that nothing is open and lets her send again at once, while the first message may "
        "still arrive. Change the state and nothing else, as `on_doubt` does.",
        lambda seen: seen("desk", EARLY) == "allowed",
    ),
    Mistake(
        "the open attempt prolonged",
        "Your code changed `send_by` when it handed the row to a person. The desk now counts "
        "from a moment at which nobody was sending, and refuses her though nothing can be on "
        "its way any more: lead-202 waits longer. Change the state and nothing else, as "
        "`on_doubt` does.",
        lambda seen: (seen("desk", EARLY), seen("desk", LATE)) == ("refused", "refused"),
    ),
    Mistake(
        "an old row reported",
        "While you asked, a slow worker wrote down its receipt: the row is SETTLED. Your code "
        "reports something else, and somebody will go after a message that is accounted for. "
        "If the row moved, let the VersionConflict pass: `execute` looks again.",
        lambda seen: seen("meanwhile", SAYS) == "SETTLED"
        and not answered("meanwhile", "cached, SETTLED")(seen),
    ),
    Mistake(
        "another path",
        "The right thing was done, and it is reported under a name that means something else. "
        "Whoever counts what waits and what is with a person gets wrong figures. While you "
        "wait "
        'the path is "hold", and in REVIEW it is "manual".',
        lambda seen: answered("stops", "UNKNOWN", "REVIEW")(seen)
        and not answered("stops", "hold", "manual")(seen),
    ),
)  # fmt: skip
