"""Lesson 08: nobody answers. Wait, then stop, and never send again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from lab.exercises.asked.on_unavailable_mistakes import EARLY, LATE, MISTAKES, WAITING, labels
from lab.exercises.exercise import Exercise, Scenario
from lab.exercises.stage import Facts, Site, Stage, as_handler
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

HOUR_MS = 60 * MINUTE_MS


def came_to(scenario: str, site: Site) -> Facts:
    """Return what each call came to, and what both sides hold in the end."""
    facts = site.facts()
    del facts["the gateway answers"]
    told = dict(zip(labels(scenario), site.told, strict=True))
    return {**told, **facts}


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
        seen = site.row()
        site.execute()
        kept = "as it was" if site.row() == seen else "changed"
        for wait in (1, 1):
            site.execute(wait=wait)
        return {WAITING: kept, **came_to("boundary", site)}


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
    """A person wants one more attempt, at once and right after the provider's bound."""
    with stage.site(READABLE, [Fault.REQUEST_LOST], unreadable=True) as site:
        site.execute()
        row = site.row()
        last = READABLE.last_moment(row.send_by or 0) if row else 0
        site.execute(wait=SECOND_MS)
        early = approval(site)
        site.clock.time = last + 1
        late = approval(site) if early == "refused" else "not needed any more"
        site.execute()
        return {EARLY: early, LATE: late, **came_to("desk", site)}


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


exercise = Exercise(
    name="on_unavailable",
    lesson="08",
    title="Refuse the blind retry",
    defines=("on_unavailable",),
    takes=("action", "row", "readback", "ledger", "provider"),
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
        Scenario("desk", "It is a person's turn, and she wants one more attempt: at once, and as "
                 "soon as the first can no longer arrive.", on_a_desk),
        killed_anywhere("keyed", "RESPONSE_LOST"),
        killed_anywhere("readable", "LATE"),
        killed_anywhere("searchable", "UNFORESEEN"),
        killed_anywhere("blind", "RESPONSE_LOST"),
    ),
    mistakes=MISTAKES,
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
