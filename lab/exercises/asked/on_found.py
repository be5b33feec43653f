"""Lesson 07: the provider holds it. Settle, and never send."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial

from lab.exercises.asked.attempt import around
from lab.exercises.exercise import Exercise, Mistake, Scenario, Seen
from lab.exercises.stage import CIRCLES, STOPPED, Facts, Stage, as_handler
from lab.faults.clock import MINUTE_MS, SECOND_MS
from lab.faults.world import Scene
from lab.gateway import (
    KEYED,
    READABLE,
    SEARCHABLE,
    Action,
    Fault,
    ProviderContract,
    Reading,
    ResponseLost,
    Verdict,
    on_found,
)

When = Callable[[Seen], bool]

ANSWERS = "the gateway answers"
MESSAGES = "messages at the provider"
RECEIPT = "the ledger's receipt"
SAYS = "the ledger says"
TWIN = "the ledger says of its twin"
REPORTED = "the gateway reports the state"
# It shows everything at once, and still keeps no key of ours.
LISTED = replace(SEARCHABLE, name="listed", readback=Reading.AUTHORITATIVE, visibility_ms=0)


def found_later(stage: Stage) -> Facts:
    """Lose the response; a new process asks again."""
    with stage.site(KEYED, [Fault.RESPONSE_LOST]) as site:
        site.execute()
        site.execute(wait=MINUTE_MS)
        site.execute()
        return site.facts()


def on_a_provider_that_sends_again(stage: Stage) -> Facts:
    """Do the same where a second write would be a second message."""
    with stage.site(READABLE, [Fault.RESPONSE_LOST]) as site:
        site.execute()
        site.execute(wait=MINUTE_MS)
        return site.facts()


def while_it_may_be_sent(stage: Stage) -> Facts:
    """A worker dies after the provider acted; another asks a second later."""
    with stage.site(READABLE, [Fault.RESPONSE_LOST]) as site:
        site.ledger.begin(site.action, None, READABLE.name)
        with suppress(ResponseLost):
            site.provider.perform(site.action, 1)
        site.execute(wait=SECOND_MS)
        return site.facts()


def with_a_twin(contract: ProviderContract, stage: Stage) -> Facts:
    """Two open actions of one content, and one effect that may be either's."""
    with stage.site(contract, [Fault.RESPONSE_LOST]) as site:
        twin = Action(f"{site.action.key}-again", site.action.kind, site.action.payload)
        site.provider.faults[twin.key] = [Fault.REQUEST_LOST]
        site.execute()
        site.execute(twin)
        site.execute(wait=6 * MINUTE_MS)
        site.execute()
        row = site.ledger.get(twin.key)
        return {**site.facts(), TWIN: row.state if row else "nothing"}


def without_a_twin(stage: Stage) -> Facts:
    """The same provider, and nobody else has this content."""
    with stage.site(SEARCHABLE, [Fault.RESPONSE_LOST]) as site:
        site.execute()
        site.execute(wait=6 * MINUTE_MS)
        return site.facts()


def alike_elsewhere(stage: Stage) -> Facts:
    """Two open actions of one content, where the provider keeps our key: no doubt at all."""
    with stage.site(READABLE, [Fault.RESPONSE_LOST]) as site:
        twin = Action(f"{site.action.key}-again", site.action.kind, site.action.payload)
        site.provider.faults[twin.key] = [Fault.REQUEST_LOST]
        site.execute()
        site.execute(twin)
        site.execute(wait=MINUTE_MS)
        return site.facts()


def from_review(stage: Stage) -> Facts:
    """The provider was silent, so the row is in REVIEW; now it answers."""
    with stage.site(KEYED, [Fault.RESPONSE_LOST], unreadable=True) as site:
        site.execute()
        site.execute(wait=MINUTE_MS)
        site.provider.unreadable.clear()
        site.execute(wait=MINUTE_MS)
        return site.facts()


def receipt_meanwhile(stage: Stage) -> Facts:
    """Two are alike; the slow worker's receipt is written down while another asks."""
    with stage.site(SEARCHABLE) as site:
        twin = Action(f"{site.action.key}-again", site.action.kind, site.action.payload)
        site.provider.faults[twin.key] = [Fault.REQUEST_LOST]
        site.execute(twin)
        row = site.ledger.begin(site.action, None, SEARCHABLE.name)
        receipt = site.provider.perform(site.action, 1)

        def meanwhile() -> None:
            site.ledger.settle(row, receipt, "response")

        around(site.provider, "readback", after=meanwhile)
        told = site.execute(wait=6 * MINUTE_MS)
        facts = site.facts()
        del facts[ANSWERS]
        return {**facts, REPORTED: told.split(", ")[-1]}


def owned_by_another(stage: Stage) -> Facts:
    """The provider names a receipt under which another lead's message is settled."""
    with stage.site(READABLE, [Fault.REQUEST_LOST]) as site:
        other = stage.action(201)
        site.execute(other)
        site.execute()
        row = site.ledger.get(other.key)
        site.provider.enter_by_hand(site.action, row.receipt if row else "")
        site.execute(wait=MINUTE_MS)
        return site.facts()


def killed_anywhere(contract: str, fault: str) -> Scenario:
    """Return a scenario in which the process dies at every step."""
    return Scenario(
        f"killed {contract}",
        f"No answer comes and the process is killed, once at every step ({contract}).",
        lambda stage: stage.explored(Scene(contract, (fault,)), crashes=1),
    )


def reported(words: str, *scenarios: str) -> When:
    """Recognise a mistake by what a call of the gateway came to."""
    return lambda seen: any(
        words in answer for name in scenarios for answer in seen(name, ANSWERS) or ()
    )


exercise = Exercise(
    name="on_found",
    lesson="07",
    title="Settle what the provider holds",
    defines=("on_found",),
    takes=("action", "row", "readback", "ledger", "provider"),
    plug=as_handler(Verdict.FOUND, "on_found"),
    scenarios=(
        Scenario("found", "The response was lost. A new process asks, and the provider holds the "
                 "message.", found_later, live=True),
        Scenario("resent", "The same, at a provider that sends whatever it is given.",
                 on_a_provider_that_sends_again),
        Scenario("at once", "A worker dies after the provider acted, and another asks a second "
                 "later.", while_it_may_be_sent),
        Scenario("twin", "Two open actions have the same content, and the provider, which keeps no "
                 "key, shows one message.", partial(with_a_twin, SEARCHABLE)),
        Scenario("listed", "The same, at a provider that keeps no key either, and shows everything "
                 "at once.", partial(with_a_twin, LISTED)),
        Scenario("no twin", "The provider keeps no key, and no other action has this content.",
                 without_a_twin),
        Scenario("alike", "Two open actions have the same content, and the provider keeps our key.",
                 alike_elsewhere),
        Scenario("review", "The action waits for a person, and the provider answers after all.",
                 from_review),
        Scenario("owned", "The provider names a receipt, and lead-201's message is settled under "
                 "that very receipt.", owned_by_another),
        Scenario("meanwhile", "Two open actions are alike. While we ask, a slow worker writes down "
                 "the receipt.", receipt_meanwhile),
        killed_anywhere("keyed", "UNFORESEEN"),
        killed_anywhere("readable", "LATE"),
        killed_anywhere("searchable", "RESPONSE_LOST"),
    ),
    mistakes=(
        Mistake(
            "round in circles",
            "Your code came to no end. Where it returns nothing and has changed nothing, the "
            "gateway looks at the same row again and again, and nobody else's message goes out. "
            "Settle the row first; then nothing is left to look at.",
            reported(CIRCLES, "found"),
        ),
        Mistake(
            "sends again",
            "The provider held the message, and your code sent another one: where keys are not "
            "compared, lead-202 now has two. FOUND means that the work is done. Only "
            "`ledger.settle` is needed here, never `provider.perform`.",
            lambda seen: any((seen(name, MESSAGES) or 0) > 1 for name in ("resent", "at once")),
        ),
        Mistake(
            "a receipt of one's own",
            "The ledger says SETTLED with a receipt that the provider never gave. Whoever asks the "
            "provider about it will be told that there is no such thing. The provider's name for "
            "the effect is `readback.receipt`.",
            lambda seen: "never gave" in str(seen("found", RECEIPT)),
        ),
        Mistake(
            "reported, not written",
            "Your code reports SETTLED, and the ledger still says UNKNOWN. The next process starts "
            "from the ledger, so it asks all over again, and nobody finds the receipt. Report the "
            "row that `ledger.settle` gives back.",
            lambda seen: seen("found", SAYS) == "UNKNOWN" and reported("SETTLED", "found")(seen),
        ),
        Mistake(
            "doubt without need",
            "The provider keeps our key and shows one message with our content, and your code "
            "leaves the row with a person. There is nothing for her to find out, and lead-202's "
            "case waits until she has time. FOUND is evidence enough: `ledger.settle`, with "
            "`readback.receipt`.",
            lambda seen: seen("found", SAYS) == "REVIEW",
        ),
        Mistake(
            "refused by the ledger",
            "The ledger refused what your code wrote, and the whole gateway stopped: the message "
            "is there, and nobody wrote it down. SETTLED, the receipt and the end of the attempt "
            "belong together. `ledger.settle` writes all three in one step.",
            reported("IntegrityError", "found"),
        ),
        Mistake(
            "an error escapes",
            "An error came out of your code, and the whole gateway stopped: the message is there, "
            "and nobody wrote it down. All that is needed is in `readback` and `row`. Nothing here "
            "has to be asked again, and nothing has to be raised.",
            reported(STOPPED, "found"),
        ),
        Mistake(
            "no outcome",
            "Your code returns something that is no Outcome, so whoever called cannot tell what "
            "became of lead-202. `Outcome.of(row, path)` makes one of a row.",
            reported("it returns ", "found"),
        ),
        Mistake(
            "the old row reported",
            "The ledger says SETTLED, and what you report is the row as it was before: UNKNOWN. "
            "Whoever called goes on waiting for a message that is accounted for. Report the row "
            "that `ledger.settle` gives back.",
            lambda seen: seen("found", SAYS) == "SETTLED" and reported(", UNKNOWN", "found")(
                lambda *asked: (seen(*asked) or ())[1:]
            ),
        ),
        Mistake(
            "left open",
            "The provider holds the message and says so, and the ledger does not end in SETTLED. "
            "Lead-202 has a welcome that nobody here can account for. `ledger.settle(row, receipt, "
            "evidence)` keeps the receipt.",
            lambda seen: seen("found", SAYS) not in ("SETTLED", None),
        ),
        Mistake(
            "no return",
            'The ledger is right, and what was reported is "cached", as if nothing had been asked. '
            "Whoever called cannot tell that this was reconciled. Is a `return` missing, so that "
            "the gateway looked again, or is the path another one?",
            lambda seen: seen("found", SAYS) == "SETTLED"
            and (seen("found", ANSWERS) or ["", ""])[1] == "cached, SETTLED",
        ),
        Mistake(
            "another path",
            "The right thing was done and is reported under a name that means something else. An "
            "operator who counts what was reconciled will not find this one. The path is "
            '"reconciled".',
            lambda seen: seen("found", SAYS) == "SETTLED"
            and "reconciled" not in str(seen("found", ANSWERS)),
        ),
        Mistake(
            "waits though it is there",
            "The provider holds the message, and your code waits because the attempt might still "
            "be sent. It was sent: that is what FOUND means, and there is nothing to wait for. "
            "Settle at any time, whatever `send_by` says.",
            lambda seen: seen("at once", SAYS) not in ("SETTLED", None),
        ),
        Mistake(
            "twin settled",
            "Two leads were owed the same message, one of them got it, and your code decided whose "
            "it is. If it guessed wrong, one customer never hears from us, and the ledger says "
            "all is done. Ask `ledger.has_twin(row)` first, where the provider keeps no key.",
            lambda seen: seen("twin", SAYS) == "SETTLED",
        ),
        Mistake(
            "another promise",
            "This provider shows everything at once, and your code takes that for a promise to "
            "keep our key. It does not keep it: two leads are owed this message, one got it, and "
            "your code decided which. Ask `provider.contract.keeps_reference`.",
            lambda seen: seen("listed", SAYS) == "SETTLED",
        ),
        Mistake(
            "a doubt that nobody hears of",
            "Two actions could own this message, and your code leaves the row UNKNOWN. Asking "
            "again will show the same message, so it waits for ever, and no person is told. "
            "`on_doubt` hands it over.",
            lambda seen: seen("twin", SAYS) == "UNKNOWN",
        ),
        Mistake(
            "the doubt is not passed on",
            "`on_doubt` handed the row to a person, and your code did not say so. The gateway "
            "looks again, finds the same message and the same doubt, and so on without end. Return "
            "what `on_doubt` returns.",
            reported(CIRCLES, "twin"),
        ),
        Mistake(
            "always a doubt",
            "Nobody else has this content, and still your code hands it to a person. Each such row "
            "costs somebody minutes, and soon nobody reads them. Only a twin makes a doubt of "
            "what was found.",
            lambda seen: seen("no twin", SAYS) == "REVIEW",
        ),
        Mistake(
            "doubt in spite of the key",
            "This provider stores our key, so it is certain whose message this is, and your code "
            "hands it to a person all the same. The doubt is only there where "
            "`provider.contract.keeps_reference` is False.",
            lambda seen: seen("alike", SAYS) == "REVIEW",
        ),
        Mistake(
            "review has no exit",
            "The row waited for a person, the provider answered after all, and your code left it "
            "where it was. Somebody will now look for what the provider has told us. A receipt "
            "settles a row in REVIEW as well.",
            lambda seen: seen("review", SAYS) == "REVIEW",
        ),
        Mistake(
            "reports what it hoped for",
            "The receipt belongs to lead-201's message, so the ledger put this row into REVIEW, "
            "and your code reported something else. Whoever reads that will not look, and lead-202 "
            "may have nothing. Report the row that `ledger.settle` gives back.",
            lambda seen: seen("owned", SAYS) == "REVIEW"
            and "REVIEW" not in (seen("owned", ANSWERS) or [""])[-1],
        ),
        Mistake(
            "change instead of settle",
            "The receipt belongs to lead-201's message already. `ledger.change` does not expect "
            "that, and its error stopped the whole gateway. `ledger.settle` is made for receipts: "
            "it hands such a row to a person.",
            reported(STOPPED, "owned"),
        ),
        Mistake(
            "an old doubt reported",
            "While you asked, a slow worker wrote down its receipt: the row is SETTLED. Your code "
            "reports something else, and somebody will go after a message that is accounted for. "
            "If the row moved, let `VersionConflict` pass: whoever called looks again.",
            lambda seen: seen("meanwhile", SAYS) == "SETTLED"
            and seen("meanwhile", REPORTED) != "SETTLED",
        ),
    ),
    hints=(
        "The message is there. What is still missing, and on which side?",
        "The ledger has to keep the provider's name for the effect. `ledger.settle` does that, and "
        "gives back the row as it is then. One doubt comes first: what if the provider keeps no "
        "key, and two of our open actions look alike?",
        "The doubt first, then the receipt:\n"
        "    if not provider.contract.keeps_reference and ledger.has_twin(row):\n"
        "        return on_doubt(action, row, readback, ledger, provider)\n"
        "    row = ledger.settle(row, ..., ...)\n"
        "    return Outcome.of(row, ...)",
    ),
    solved=(on_found,),
    why="The effect is there, so the only thing left is to write down its receipt. Nothing is "
    "sent. Where the provider finds effects by content, a twin in the ledger makes it uncertain "
    "whose effect was found, and a person has to look.",
)  # fmt: skip
