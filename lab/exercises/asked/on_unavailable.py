"""Lesson 08: nobody answers. Wait, then stop, and never send again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from lab.exercises.exercise import Exercise, Mistake, Scenario, Seen
from lab.exercises.stage import CIRCLES, STOPPED, Facts, Site, Stage, as_handler
from lab.faults.clock import MINUTE_MS, SECOND_MS
from lab.faults.gateways import Around
from lab.faults.world import Scene
from lab.gateway import (
    BLIND,
    KEYED,
    READABLE,
    SEARCHABLE,
    DecisionRefused,
    Fault,
    ProviderContract,
    ResponseLost,
    ReviewDesk,
    Verdict,
    on_unavailable,
)
from lab.gateway.ledger import SEND_WINDOW_MS

REQUESTS = "requests at the provider"
SAYS = "the ledger says"
EARLY = "a person's approval of one more attempt, at once, is"
HOUR_MS = 60 * MINUTE_MS
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


def came_to(scenario: str, site: Site) -> Facts:
    """Return what each call came to, and what both sides hold in the end."""
    facts = site.facts()
    del facts["the gateway answers"]
    told = dict(zip(labels(scenario), site.told, strict=True))
    return {**told, **facts}


def labels(scenario: str) -> list[str]:
    """Return under which labels the calls of a scenario are told."""
    return [f"{when}, the gateway answers" for when in ASKED[scenario]]


def died_in_its_call(site: Site) -> int:
    """Let a worker die before its answer comes; return the last moment at which it may send."""
    row = site.ledger.begin(site.action, None, site.provider.contract.name)
    with suppress(ResponseLost):
        site.provider.perform(site.action, 1)
    return row.send_by or 0


def stops(stage: Stage) -> Facts:
    """A worker died, and nobody says whether its message arrived: it did."""
    with stage.site(READABLE, [Fault.RESPONSE_LOST], unreadable=True) as site:
        died_in_its_call(site)
        for wait in (10 * SECOND_MS, 50 * SECOND_MS, HOUR_MS):
            site.execute(wait=wait)
        return came_to("stops", site)


def at_the_boundary(stage: Stage) -> Facts:
    """The last two moments of waiting, and the first after them."""
    with stage.site(KEYED, [Fault.RESPONSE_LOST], unreadable=True) as site:
        site.clock.time = died_in_its_call(site) - 1
        for wait in (0, 1, 1):
            site.execute(wait=wait)
        return came_to("boundary", site)


def silent(contract: ProviderContract, stage: Stage) -> Facts:
    """The worker lives, hears nothing, and gives up: nobody sends after that."""
    with stage.site(contract, [Fault.RESPONSE_LOST], unreadable=True) as site:
        for wait in (0, 0, 1, HOUR_MS):
            site.execute(wait=wait)
        return came_to(f"silent {contract.name}", site)


def outage_ends(stage: Stage) -> Facts:
    """The provider is silent for a minute, and answers an hour later."""
    with stage.site(READABLE, [Fault.RESPONSE_LOST], unreadable=True) as site:
        died_in_its_call(site)
        site.execute(wait=MINUTE_MS)
        site.provider.unreadable.clear()
        site.execute(wait=HOUR_MS)
        return came_to("ends", site)


class Meanwhile(Around):
    """A provider at which something happens during one call."""

    def __init__(self, inner: Any, call: str, happens: Callable[[], object]) -> None:
        super().__init__(inner)
        self.call, self.happens = call, happens

    def __getattr__(self, name: str) -> Any:
        if name == self.call:
            self.call = ""  # once
            self.happens()
        return getattr(self._inner, name)


def slow_answer(stage: Stage) -> Facts:
    """The question is put in time, and comes back as unanswered after the last moment."""
    with stage.site(READABLE, [Fault.RESPONSE_LOST], unreadable=True) as site:
        site.clock.time = died_in_its_call(site) - SECOND_MS
        asked: Any = Meanwhile(site.provider, "readback", lambda: site.clock.advance(MINUTE_MS))
        site.provider = asked
        site.execute()
        site.execute()
        return came_to("slow answer", site)


def slow_worker(comes_after: int, stage: Stage) -> Facts:
    """One worker is slow inside its call; another comes meanwhile (ms), and nobody answers it."""
    with stage.site(READABLE, unreadable=True) as site:
        slow: Any = Meanwhile(site.provider, "perform", lambda: site.execute(wait=comes_after))
        site.provider = slow
        site.execute()
        return came_to("slow worker", site)


def receipt_meanwhile(stage: Stage) -> Facts:
    """The slow worker's receipt is written down while the other one asks."""
    with stage.site(READABLE, unreadable=True) as site:
        row = site.ledger.begin(site.action, None, READABLE.name)
        receipt = site.provider.perform(site.action, 1)
        asked: Any = Meanwhile(
            site.provider, "readback", lambda: site.ledger.settle(row, receipt, "response")
        )
        site.provider = asked
        site.execute(wait=MINUTE_MS)
        return came_to("meanwhile", site)


def on_a_desk(stage: Stage) -> Facts:
    """A person wants one more attempt, at once and after the provider's bound."""
    with stage.site(READABLE, [Fault.REQUEST_LOST], unreadable=True) as site:
        site.execute()
        site.execute(wait=SECOND_MS)
        early = approval(site)
        site.clock.advance(HOUR_MS)
        approval(site)
        site.execute()
        return {EARLY: early, **came_to("desk", site)}


def approval(site: Site) -> str:
    """Ask for one more attempt, now."""
    row: Any = site.row()
    try:
        ReviewDesk(site.ledger, "anna").approve_attempt(row, READABLE, "no trace", site.clock())
    except DecisionRefused:
        return "refused"
    return "allowed"


def killed_anywhere(contract: str, *faults: str) -> Scenario:
    """Return a scenario in which the process dies at every step, and the provider is silent."""
    setting = "plain" if contract == "blind" else "silent"
    return Scenario(
        f"killed {contract}",
        f"No answer at all, and the process is killed, once at every step ({contract}).",
        lambda stage: stage.explored(Scene(contract, faults, setting), crashes=1),
    )


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


exercise = Exercise(
    name="on_unavailable",
    lesson="08",
    title="Refuse the blind retry",
    defines=("on_unavailable",),
    takes=("action", "row", "readback", "ledger", "provider"),
    returns="an Outcome",
    plug=as_handler(Verdict.UNAVAILABLE, "on_unavailable"),
    scenarios=(
        Scenario("stops", "A worker died in its call, and the provider is silent. We ask after 10 "
                 "seconds, after a minute, after an hour.", stops, live=True),
        Scenario("boundary", "We ask a millisecond before the last moment at which the attempt "
                 "might be sent, at that moment, and a millisecond later.", at_the_boundary),
        *(Scenario(f"silent {contract.name}", "The response is lost and the provider stays silent: "
                   f"at once, a millisecond later, an hour later ({contract.name}).",
                   partial(silent, contract))
          for contract in (KEYED, READABLE, SEARCHABLE, BLIND)),
        Scenario("ends", "The provider is silent, and answers an hour later.", outage_ends),
        Scenario("slow answer", "We ask a second before the last moment, and wait a minute for "
                 "nothing.", slow_answer),
        Scenario("slow worker", "One worker is slow inside its call. After 10 seconds another one "
                 "comes, and asks.", partial(slow_worker, 10 * SECOND_MS)),
        Scenario("too slow", "The same, and the other one comes after 40 seconds.",
                 partial(slow_worker, SEND_WINDOW_MS + 10 * SECOND_MS)),
        Scenario("meanwhile", "While we ask, and get no answer, a slow worker writes down its "
                 "receipt.", receipt_meanwhile),
        Scenario("desk", "It is a person's turn, and she wants one more attempt: at once, and an "
                 "hour later.", on_a_desk),
        killed_anywhere("keyed", "RESPONSE_LOST"),
        killed_anywhere("readable", "LATE"),
        killed_anywhere("searchable", "UNFORESEEN"),
        killed_anywhere("blind", "RESPONSE_LOST"),
    ),
    mistakes=(
        Mistake(
            "round in circles",
            "Your code came to no end. Where it returns nothing and has changed nothing, the "
            "gateway looks at the same row again and again, and nobody else's message goes out. To "
            "wait means to report the row as it is: `return Outcome.of(row, \"hold\")`.",
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
            "waits out the flight",
            "After a minute the attempt can no longer be sent, and your code still waits. While "
            "nobody answers, the time on the way proves nothing, and the person hears of it later "
            "than she could. Compare with `row.send_by` alone.",
            answered("stops", "UNKNOWN", "UNKNOWN"),
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
            "The question was put in time, and only its failure came late: your code looked at the "
            "clock and called for a person. What was asked while the attempt might be sent says "
            "nothing about the time after it. `readback.asked_at` is when the question was put.",
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
    ),
    hints=(
        "Nobody says whether the message arrived. What may happen by itself until `row.send_by`, "
        "and who could know more after it?",
        "Compare `readback.asked_at`, when you asked, with `row.send_by`, the last moment at which "
        "the attempt might be sent. Up to it: report the row, and change nothing. After it: "
        "`on_doubt` stops the row, and says so.",
        "Two moments, and no third:\n"
        "    if readback.asked_at <= ...:\n"
        "        return Outcome.of(row, ...)\n"
        "    return on_doubt(action, row, ..., ..., ...)",
    ),
    solved=(on_unavailable,),
    why="While a worker may still send, its receipt may come, so waiting costs little. After that "
    "only the provider knows, and it does not answer: any rule would be a guess. So the row stops, "
    "a person is told, and a later answer may still settle it.",
)  # fmt: skip
