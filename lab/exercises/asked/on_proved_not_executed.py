"""Lesson 10: the provider rejected it. Back to PREPARED, for exactly one new attempt."""

from __future__ import annotations

from contextlib import suppress

from lab.exercises.exercise import Exercise, Mistake, Scenario, Seen
from lab.exercises.stage import CIRCLES, RETURNS, STOPPED, Facts, Site, Stage, as_handler
from lab.faults.clock import MINUTE_MS
from lab.faults.gateways import SAFE
from lab.faults.world import Scene
from lab.gateway import (
    KEYED,
    READABLE,
    Fault,
    ProviderContract,
    Verdict,
    VersionConflict,
    on_proved_not_executed,
)
from lab.gateway.provider import DAY_MS

ANSWERS = "the gateway answers"
ATTEMPTS = "attempts in the ledger"
CALLS = "the calls of the gateway come to"
DATABASE = "the database says"
EARLY = "requests while the second may still arrive"
ENDS = "an answer each"
LAST = "the last call answers"
MESSAGES = "messages at the provider"
OTHER_KEYS = "messages under other keys"
REQUESTS = "requests at the provider"
SAYS = "the ledger says"
SENT = 'how often the gateway says "sent"'
UNFIT = "something that is neither an Outcome nor None"

REJECTED = Fault.REJECTION_LOST


def ended(site: Site, calls: int = 2) -> Facts:
    """Let the gateway be called a few times more; return what both sides hold then.

    In which of the calls it moves on is its own affair.
    """
    for _ in range(calls):
        site.execute()
    facts = site.facts()
    told = [UNFIT if one.startswith(RETURNS) else one for one in facts.pop(ANSWERS)]
    stopped = [one for one in told if one in (CIRCLES, UNFIT) or one.startswith(STOPPED)]
    said = site.stage.player.said
    also: Facts = {DATABASE: said.text} if said and said.name == "IntegrityError" else {}
    return {
        CALLS: stopped[0] if stopped else ENDS,
        **facts,
        OTHER_KEYS: len(site.provider.effects()) - facts[MESSAGES],
        SENT: sum(one.startswith("sent") for one in told),
        LAST: told[-1],
        **also,
    }


def rejected(
    name: str, title: str, contract: ProviderContract, wait: int = 0, times: int = 1
) -> Scenario:
    """Return a scenario in which the provider rejects, and its answers are lost."""

    def play(stage: Stage) -> Facts:
        with stage.site(contract, [REJECTED] * times) as site:
            site.execute()
            site.execute(wait=wait)
            return ended(site, 2 * times)

    return Scenario(name, title, play, live=name == "rejected")


def second_on_its_way(stage: Stage) -> Facts:
    """Attempt 1 was rejected, attempt 2 arrives at the last moment at which it may."""
    with stage.site(READABLE, [REJECTED, Fault.LATE]) as site:
        for _ in range(4):
            site.execute()
        site.execute(wait=MINUTE_MS - 1)
        early = len(site.provider.requests(site.action.key))
        site.execute(wait=1)
        site.clock.advance(1)
        return {EARLY: early, **ended(site)}


def second_gone(stage: Stage) -> Facts:
    """Attempt 1 was rejected, attempt 2 never arrives."""
    with stage.site(READABLE, [REJECTED, Fault.REQUEST_LOST]) as site:
        for _ in range(4):
            site.execute()
        site.execute(wait=MINUTE_MS + 1)
        return ended(site, 3)


def somebody_faster(stage: Stage) -> Facts:
    """A row that was read before another worker began attempt 2, which is on its way."""
    with stage.site(READABLE, [REJECTED, Fault.LATE]) as site:
        site.execute()
        row = site.row()
        readback = site.provider.readback(site.action)._replace(asked_at=site.clock())
        SAFE.execute(site.action, site.ledger, site.provider)
        things = {"ledger": site.ledger, "provider": site.provider}
        with suppress(VersionConflict):
            stage.call(
                "on_proved_not_executed", site.action, row, readback, *things.values(),
                things=things,
            )  # fmt: skip
        site.execute()
        site.clock.advance(MINUTE_MS + 1)
        return ended(site)


def killed_anywhere(contract: str, faults: tuple[str, ...], title: str) -> Scenario:
    """Return a scenario in which the process dies at every step."""
    return Scenario(
        f"killed {' '.join(faults)}",
        title,
        lambda stage: stage.explored(Scene(contract, faults), crashes=1),
    )


def unsent(seen: Seen, says: str) -> bool:
    """Tell whether the plain case ended in a state, without a message."""
    return (seen("rejected", SAYS), seen("rejected", MESSAGES)) == (says, 0)


exercise = Exercise(
    name="on_proved_not_executed",
    lesson="10",
    title="One new attempt after a proved rejection",
    defines=("on_proved_not_executed",),
    takes=("action", "row", "readback", "ledger", "provider"),
    points=15,
    plug=as_handler(Verdict.PROVED_NOT_EXECUTED, "on_proved_not_executed"),
    scenarios=(
        rejected("rejected", "The provider rejected lead-202's message, and this answer was lost. "
                 "A new process asks.", READABLE),
        rejected("keyed", "The same, at a provider that compares keys.", KEYED),
        Scenario("old", "Attempt 1 was rejected. Attempt 2 is on its way, and the provider's "
                 "record still names attempt 1.", second_on_its_way),
        Scenario("gone", "Attempt 1 was rejected. Attempt 2 never arrives, and the provider's "
                 "record still names attempt 1.", second_gone),
        Scenario("faster", "Another worker has begun attempt 2 since this one read the row.",
                 somebody_faster),
        rejected("thrice", "The provider rejects all three attempts.", READABLE, times=3),
        rejected("day", "The new process asks a day later. This provider may have forgotten the "
                 "key by then.", KEYED, wait=DAY_MS),
        killed_anywhere("readable", ("REJECTION_LOST",),
                        "The rejection is lost, and the process is killed, once at every step."),
        killed_anywhere("readable", ("REJECTION_LOST", "LATE"),
                        "The same, and the second attempt arrives late."),
    ),
    mistakes=(
        Mistake(
            "a key of its own",
            "The new attempt went out under another key than the first. Neither the provider nor "
            "the ledger can see that the two belong together, and a lead can get two messages that "
            "both look right. The key names the intention: the new attempt has the same one.",
            lambda seen: (seen("rejected", OTHER_KEYS) or 0) > 0,
        ),
        Mistake(
            "sends by itself",
            "Your code called the provider itself, and the ledger does not know of that request. "
            "If its answer is lost as well, or the process dies, the next worker sends lead-202 a "
            "second message. Move the row, and let `execute` find it: `attempt` writes down "
            "before it sends.",
            lambda seen: (seen("rejected", REQUESTS) or 0) > (seen("rejected", ATTEMPTS) or 0)
            or (seen("keyed", REQUESTS) or 0) > (seen("keyed", ATTEMPTS) or 0),
        ),
        Mistake(
            "settles what was rejected",
            "The ledger says SETTLED, and the provider holds no message. Lead-202 never hears from "
            "us, and nobody will look. A rejection is the proof that nothing happened, so there is "
            "nothing to settle.",
            lambda seen: unsent(seen, "SETTLED"),
        ),
        Mistake(
            "the attempt left open",
            "The database refused the change: a row that is PREPARED has no open attempt, and this "
            "one would still have had one. So lead-202 stays UNKNOWN for ever, although the "
            "provider said what became of it. The column `send_by` says until when an attempt may "
            "be sent; what should it hold when none is open?",
            lambda seen: "send_by" in str(seen("rejected", DATABASE)),
        ),
        Mistake(
            "counts the attempts",
            "The database refused the change, because the number of attempts would have changed "
            "with it. So lead-202 stays UNKNOWN for ever, although the provider said what became "
            "of it. An attempt was made, and it did nothing: change the state and `send_by`, and "
            "let `attempts` stand.",
            lambda seen: "not a legal move" in str(seen("rejected", DATABASE)),
        ),
        Mistake(
            "returns the row",
            "Your code returned something that is neither an Outcome nor None, and `execute` "
            "cannot go on with it. `ledger.change` gives back the row as it is then; this "
            "function does not need it. What tells `execute` to look at the row again?",
            lambda seen: seen("rejected", CALLS) == UNFIT,
        ),
        Mistake(
            "nothing moves",
            "Your code told `execute` to look again, and the row was still UNKNOWN: the same "
            "question, the same answer, without end. The worker is busy for ever, and no other "
            "action gets its turn. Before `execute` looks again, the row has to be in another "
            "state.",
            lambda seen: CIRCLES in (seen(one, CALLS) for one in ("rejected", "old", "gone")),
        ),
        Mistake(
            "left to a person",
            "The provider proved that nothing happened, and your code left lead-202 to a person. "
            "No harm is done, and somebody spends minutes on what was certain, while the lead "
            "waits. There is no receipt to settle; which state means that every attempt so far is "
            "proved not executed?",
            lambda seen: unsent(seen, "REVIEW"),
        ),
        Mistake(
            "waits in spite of the proof",
            "The provider said that it rejected this attempt, and your code waited as if it had "
            "said nothing. Lead-202 gets the message a minute late, for no gain: there is nothing "
            "on its way. What does it mean that `readback.attempt` is the attempt that is open?",
            lambda seen: unsent(seen, "UNKNOWN") and seen("gone", ATTEMPTS) == 2,
        ),
        Mistake(
            "waits for ever",
            "The provider said what became of the attempt, and the ledger still says UNKNOWN. Each "
            "worker that comes asks again and gets the same answer, and lead-202 is never written "
            "to. Write down what you learned: where `readback.attempt` is the open attempt, "
            "`row.attempts`, move the row with `ledger.change`.",
            lambda seen: unsent(seen, "UNKNOWN") and seen("rejected", CALLS) == ENDS,
        ),
        Mistake(
            "more attempts than allowed",
            "The provider rejected three attempts, and a fourth was made: your code allowed one "
            "more each time. A message that is always rejected is then sent for ever, and nobody "
            "is told. How many attempts are allowed is decided elsewhere.",
            lambda seen: (seen("thrice", ATTEMPTS) or 0) > 3,
        ),
        Mistake(
            "the old refusal closes the new attempt",
            "The provider had rejected attempt 1, and attempt 2 was still on its way. Your code "
            "took the one for the end of the other and let attempt 3 go out, so lead-202 was "
            "written to twice. Which attempt does `readback.attempt` name, and which one is open?",
            lambda seen: (seen("old", EARLY) or 0) > 2,
        ),
        Mistake(
            "too early",
            "Attempt 2 arrived at the last moment at which it may, and by then your code had sent "
            "attempt 3: two messages for lead-202. An old rejection says nothing of attempt 2, so "
            "the rule for \"not there\" holds, and it waits until that moment is over. `on_absent` "
            "has this rule.",
            lambda seen: (seen("old", MESSAGES) or 0) > 1,
        ),
        Mistake(
            "an old refusal goes to a person",
            "Attempt 1 was rejected and nothing was known of attempt 2, and your code left "
            "lead-202 to a person at once. In a minute the provider could have told. An old "
            "rejection says nothing of attempt 2, so do what is done where the provider says "
            "\"not there\".",
            lambda seen: "REVIEW" in (seen("old", SAYS), seen("gone", SAYS)),
        ),
        Mistake(
            "an old refusal waits for ever",
            "Attempt 2 never arrived, and your code waits for it to this day. Lead-202 gets "
            "nothing. There is a moment after which \"not there\" is a proof, and `on_absent` "
            "knows it: hand the question on.",
            lambda seen: seen("gone", SAYS) == "UNKNOWN" and seen("gone", CALLS) == ENDS
        ),
        Mistake(
            "closes what another began",
            "Between the question and your change another worker had begun attempt 2. Your code "
            "read the row afresh and closed that attempt with proof about attempt 1, so lead-202 "
            "was written to twice. Change the row that you were given: if it has moved since, the "
            "ledger refuses, and that is right.",
            lambda seen: (seen("faster", MESSAGES) or 0) > 1,
        ),
        Mistake(
            "the day begins anew",
            "A day had passed, and this provider may forget a key after a day. Your code made the "
            "ledger forget when the first attempt began, so the message went out all the same. "
            "Change the state and the open attempt, and nothing else.",
            lambda seen: seen("day", MESSAGES) == 1,
        ),
        Mistake(
            "says sent",
            "The gateway answered \"sent\" at a moment when nothing had been sent. A workflow "
            "that hears this goes on as if lead-202 had its message. Return None: `execute` looks "
            "again, sends, and says so itself.",
            lambda seen: (seen("rejected", SENT) or 0) > 1,
        ),
    ),
    hints=(
        "The provider says that it rejected an attempt. Which one? And which one is open in the "
        "ledger?",
        "If they are the same, nothing that was sent can still take effect: by the table of moves "
        "the row goes from UNKNOWN back to PREPARED, and no attempt is open any more. Then "
        "`execute` does the rest, if it looks again. If they are not the same, you know as much "
        "as if the provider had said \"not there\".",
        "The older attempt first, then the move:\n"
        "    if readback.attempt != row.attempts:\n"
        "        return on_absent(...)\n"
        "    ledger.change(row, ..., ..., send_by=...)\n"
        "    return None",
    ),
    solved=(on_proved_not_executed,),
    why="The provider's own record says that this very attempt did nothing, so the row is PREPARED "
    "again and no attempt is open. `execute` looks again and makes one attempt, under the same "
    "key, written down before it is sent. What the record says of an older attempt proves nothing "
    "of this one, so there it is as if the provider had said \"not there\".",
)  # fmt: skip
