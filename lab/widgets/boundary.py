"""The panel of lessons 05, 06, 08, 10, 13 and 15: one action, one provider, and what may cross."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle
from string import ascii_uppercase
from typing import Any

from lab.faults.beats import Recorder, Watched, seconds
from lab.faults.clock import SECOND_MS, ManualClock
from lab.faults.hostile import REVIEW_MINUTES, STAFF_USD_PER_HOUR, review_cost
from lab.faults.numbers import is_true
from lab.faults.show import held, known
from lab.faults.world import ACTION
from lab.gateway import (
    CONTRACTS,
    PREPARED,
    REVIEW,
    SETTLED,
    DecisionRefused,
    DemoProvider,
    Ledger,
    NotExecuted,
    Outcome,
    ProviderContract,
    ReadbackUnavailable,
    Reading,
    ResponseLost,
    ReviewDesk,
    Row,
    Verdict,
    attempt,
    count_duplicates,
    execute,
)
from lab.gateway.errors import BrokenContract, IllegalTransition, WrongProvider
from lab.gateway.ledger import writable
from lab.widgets.moves import next_moves
from lab.widgets.openings import FAULTS, OPENINGS, WAITS
from lab.widgets.panel import (
    RESET,
    Button,
    Choice,
    Entry,
    Group,
    Panel,
    Side,
    Table,
    Tick,
    View,
)


class Boundary(Panel):
    """Lead-202's welcome, a provider with a contract and a fault, and the calls that cross.

    ``opening`` names one of `OPENINGS`. The fault befalls the first attempt; later ones go well.
    """

    title = "Cross the boundary"

    def __init__(self, opening: str = "execute") -> None:
        if opening not in OPENINGS:
            raise ValueError(f"choose one of {', '.join(OPENINGS)}")
        self.opening = OPENINGS[opening]
        self.try_first = self.opening.try_first
        self.groups = (
            Group(
                "world",
                (
                    Choice("contract", "Contract", tuple((name, name) for name in CONTRACTS)),
                    Choice("fault", "Attempt 1 meets", tuple(FAULTS.items())),
                    Tick("answers", "the provider answers questions"),
                ),
            ),
            Group(
                "calls",
                (
                    Button("prepare", "Prepare", "Write the intention down"),
                    Button(self.opening.crosses, self.opening.label, self.opening.tip),
                    Button("read_back", "Read back", "Ask the provider; this sends nothing"),
                    Choice("wait", "Time", tuple(WAITS.items())),
                    Button("pass_time", "Let it pass"),
                    RESET,
                ),
            ),
            *DESK,
        )
        self.contract, self.fault = self.opening.contract, self.opening.fault
        self.answers, self.wait = self.opening.answers, SECOND_MS
        self.actor = self.grounds = self.receipt = ""
        self.reset()

    def reset(self) -> None:
        """Begin again: a new ledger, a new provider, the first moment."""
        self.clock = ManualClock()
        self.ledger = Ledger(":memory:", self.clock)
        later = self.opening.later if self.fault is self.opening.fault else ()
        faults = {ACTION.key: [self.fault, *later]}
        self.provider = DemoProvider(":memory:", CONTRACTS[self.contract], self.clock, faults)
        self.choose("answers", self.answers)
        self.recorder = Recorder.of(self.ledger, self.provider, ACTION.key)
        self.names = cycle(ascii_uppercase)
        self.looks, self.risk = 0, False
        self.happened = "Nothing yet. Lead-202 is owed one welcome message."

    def choose(self, name: str, value: Any) -> None:
        """Take a choice; another contract or fault is another world."""
        super().choose(name, value)
        if name in ("contract", "fault"):
            self.reset()
            self.happened = "Another world, from its first moment. Nothing has happened in it yet."
        if name == "answers":
            self.provider.unreadable = set() if value else {ACTION.key}

    def shows(self, group: str) -> bool:
        """Show the desk to a person as soon as a row needs one."""
        row = self.row
        return group not in [desk.name for desk in DESK] or (
            self.opening.crosses == "execute" and row is not None and row.state == REVIEW
        )

    @property
    def row(self) -> Row | None:
        """What the ledger knows of the action."""
        return self.ledger.get(ACTION.key)

    def prepare(self) -> None:
        """Write the intention down."""
        before = self.row
        ledger, _ = self._watched(self._next_name())
        ledger.prepare(ACTION)
        self.happened = (
            f"It was written down before, and is {before.state}. Nothing changed."
            if before
            else "The intention is written down. Nothing was sent."
        )

    def send(self) -> None:
        """Call the provider, and tell the ledger nothing."""
        sent = sum(beat.step == "provider.perform" for beat in self.recorder.beats)
        _, provider = self._watched("program")
        try:
            receipt = provider.perform(ACTION, sent + 1)
            came = receipt or "a receipt without a name"
            self.happened = f"The response came: {came}. The ledger was told nothing."
        except NotExecuted as refused:
            self.happened = f"The provider says: {refused}. Nothing happened, and nothing will."
        except (ResponseLost, RuntimeError) as silence:
            self.happened = f"Our program heard: {silence}. Was it done? It cannot say."

    def attempt(self) -> None:
        """Make one attempt, as lesson 06 builds it."""
        if self.row is not None and self.row.state == REVIEW:
            self.happened = "Nothing was sent: the row is in REVIEW, and waits for a person."
            return
        self._cross(lambda *both: attempt(ACTION, self.row, *both))

    def execute(self) -> None:
        """Do the action at most once."""
        self._cross(lambda *both: execute(ACTION, *both))

    def _cross(self, cross: Callable[..., Outcome | None]) -> None:
        name, before = self._next_name(), self.row
        try:
            outcome = cross(*self._watched(name))
        except (IllegalTransition, WrongProvider) as refused:
            self.recorder.ended(name, "refused")
            self.happened = f"Nothing was sent: {refused}."
            return
        said = f"{outcome.state}, {outcome.path}" if outcome else "look at the row again"
        self.recorder.ended(name, said)
        self.happened = self._told(outcome, before)

    def _told(self, outcome: Outcome | None, before: Row | None) -> str:
        if outcome is None:
            return "The provider will never do this. No attempt is left: look at the row again."
        asked = before is not None and before.state not in (PREPARED, SETTLED)
        again = before is not None and 0 < before.attempts < outcome.attempts
        if asked and again:
            heard = "the response came" if outcome.path == "sent" else "no answer came: UNKNOWN"
            return (
                f"Attempt {outcome.attempts - 1} is proved not executed, so one more was sent, "
                f"and {heard}."
            )
        if asked and outcome.path == "hold":
            return _WAITS if self._can_ask() else _NOBODY_ANSWERS
        row = self.row
        if outcome.path == "manual" and row is not None and row.send_by is None:
            return f"No further attempt may begin ({row.evidence}): REVIEW. A person must look."
        return _PATHS[outcome.path].format(receipt=outcome.receipt)

    def _next_name(self) -> str:
        return "program" if self.opening.crosses == "send" else next(self.names)

    def _can_ask(self) -> bool:
        return self.answers and self.provider.contract.readback is not Reading.NONE

    def read_back(self) -> None:
        """Ask the provider what it holds; this sends nothing."""
        try:
            found = self.provider.readback(ACTION)
            receipt = found.receipt or "an effect without a receipt"
            said = found.verdict.value + f" {receipt}" * (found.verdict is Verdict.FOUND)
        except ReadbackUnavailable as silent:
            self.recorder.add("you", "looks", "sees no answer")
            self.happened = f"No answer: {silent}. Asking sent nothing."
            return
        self.recorder.add("you", "looks", f"sees {said}")
        self.happened = (
            f"The provider says: {said}. {_VERDICTS[found.verdict]} Asking sent nothing."
        )

    def pass_time(self) -> None:
        """Let time pass."""
        then, done = self.clock(), len(self.provider.effects())
        self.clock.advance(self.wait)
        self.recorder.time(then, done)
        arrived = len(self.provider.effects()) > done
        [waited] = [name for name, wait in WAITS.items() if wait == self.wait]
        self.happened = f"{waited.capitalize()} went by." + (
            " Meanwhile the late request arrived." if arrived else ""
        )

    def record(self) -> None:
        """Let a person settle the row with a receipt that was found."""
        self._decide(
            lambda desk, row: desk.record_receipt(row, self.receipt.strip(), self.grounds),
            "recorded the receipt: SETTLED, on a person's word.",
        )

    def approve(self) -> None:
        """Let a person allow one more attempt."""
        contract, risk = self.provider.contract, self.risk
        self._decide(
            lambda desk, row: desk.approve_attempt(
                row, contract, self.grounds, self.clock(), accept_risk=risk
            ),
            "approved exactly one more attempt: PREPARED. Execute sends it.",
        )

    def _decide(self, decide: Callable[[ReviewDesk, Row], Row], done: str) -> None:
        row = self.row
        if row is None or row.state != REVIEW:
            self.happened = "Nothing waits for a person."
            return
        self.looks += bool(self.actor.strip() and self.grounds.strip())  # else nobody looked
        actor = writable(self.actor.strip())
        try:
            decide(ReviewDesk(self.ledger, actor), row)
        except (DecisionRefused, BrokenContract) as refused:
            self.recorder.add("you", "decides", "refused")
            self.happened = f"Refused: {refused}."
            return
        self.recorder.add("you", "decides", "decides")
        self.happened = f"{actor} {done}"

    def _watched(self, name: str) -> tuple[Any, Any]:
        def tell(answer: Any) -> None:
            self.recorder.called(name, answer)

        return Watched(self.ledger, "ledger", tell), Watched(self.provider, "provider", tell)

    def view(self) -> View:
        """Return both truths, the moves, and what looking costs so far."""
        more = (self._moves(),) if self.opening.crosses != "send" else ()
        if self.opening.crosses == "execute" and (self.looks or self.shows("desk")):
            more = (self._cost(), *more)
        return View(
            self.happened, self._knows(), self._holds(), tuple(self.recorder.beats), more=more
        )

    def _knows(self) -> Side:
        row, title = self.row, f"What the gateway knows, at {seconds(self.clock())}"
        if row is None:
            return Side(title, "no row")
        says = known(row)
        if not is_true(row, self.provider.effects()):
            says += ": its receipt names no effect"
        send_by = "no attempt is open" if row.send_by is None else seconds(row.send_by)
        facts = [
            ("attempts", f"{row.attempts} of {row.attempts_allowed} allowed"),
            ("send_by", send_by),
            ("receipt", row.receipt or "none"),
            ("evidence", row.evidence),
        ]
        events = [
            (
                seconds(event["at"]),
                event["actor"],
                f"{event['source'] or 'start'} → {event['target']}: {event['evidence']}",
            )
            for event in self.ledger.events(ACTION.key)
        ]
        return Side(
            title,
            says,
            (
                Table("Row", (), facts),
                Table("Events", ("at", "who", "what"), events),
            ),
        )

    def _holds(self) -> Side:
        effects, requests = self.provider.effects(), self.provider.requests()
        doubled = count_duplicates([effect["key"] for effect in effects], [ACTION.key])
        return Side(
            f"What the provider holds: {self.contract}",
            held(len(effects), len(requests), doubled),
            (
                Table(
                    "Requests",
                    ("attempt", "at", "came to"),
                    [(one["attempt"], seconds(one["at"]), one["outcome"]) for one in requests],
                ),
                Table(
                    "Effects",
                    ("receipt", "at"),
                    [(one["receipt"] or "no name", seconds(one["at"])) for one in effects],
                ),
            ),
            promised(self.provider.contract),
        )

    def _moves(self) -> Table:
        moves = next_moves(self.row, self.provider.contract, self.clock(), self.answers)
        here = self.row.state if self.row else None
        rows = [
            (f"{move.source or 'start'} → {move.target}", move.on, "open" if move.is_open else "no",
             move.why)
            for move in moves
            if move.source == here
        ]  # fmt: skip
        others = f"no other begins at {here}" if here else "no other begins without a row"
        rows.append(("all others", "", "no", others))
        whose = "Next moves of the finished gateway" if self.opening.crosses == "attempt" else ""
        return Table(whose or "Next moves", ("move", "on", "now", "why"), rows)

    def _cost(self) -> Table:
        cost = review_cost(self.looks, REVIEW_MINUTES, STAFF_USD_PER_HOUR)
        assumed = f"{REVIEW_MINUTES} minutes each, ${STAFF_USD_PER_HOUR} an hour (both assumed)"
        return Table(
            "What the desk costs so far",
            ("looks", "minutes", "cost", "reckoned with"),
            [(self.looks, self.looks * REVIEW_MINUTES, f"${cost}", assumed)],
        )


DESK = (
    Group("desk", (Entry("actor", "Your name"), Entry("grounds", "Grounds")), "The review desk"),
    Group("found", (Entry("receipt", "Receipt"), Button("record", "Record the receipt"))),
    Group(
        "not found", (Tick("risk", "I accept the risk"), Button("approve", "Approve one attempt"))
    ),
)
_PATHS = {
    "sent": "The response came: SETTLED, with the receipt {receipt}.",
    "hold": "No answer says what happened, so the ledger says UNKNOWN. It does not say failed.",
    "refused": "Refused, and nothing happened: PREPARED. Another attempt may come.",
    "reconciled": "The provider was asked and holds it: SETTLED. Nothing was sent again.",
    "cached": "SETTLED already, answered from the ledger: {receipt}. Nothing was sent or asked.",
    "manual": "Code cannot prove what happened, so it sends nothing: REVIEW. A person must look.",
}
_WAITS = "The provider was asked, and its answer proves nothing yet. Wait; send nothing."
_NOBODY_ANSWERS = "Nobody answers, and the attempt may still be on its way. Wait; send nothing."
_VERDICTS = {
    Verdict.FOUND: "It was done.",
    Verdict.PROVED_NOT_EXECUTED: "It recorded that it rejected the attempt.",
    Verdict.ABSENT: "What that proves depends on the contract and on the time.",
    Verdict.AMBIGUOUS: "Several records fit, and none is picked.",
    Verdict.MISMATCH: "A record is there, and it is another one.",
}


def promised(contract: ProviderContract) -> str:
    """Say what a provider promises."""
    asked = "can be asked" if contract.readback is not Reading.NONE else "cannot be asked"
    said = [asked]
    if contract.visibility_ms:
        said.append(f"shows an effect within {seconds(contract.visibility_ms)}")
    if contract.keeps_reference:
        said.append("keeps our key")
    if contract.deduplicates:
        said.append("makes one effect a key")
    bound = contract.in_flight_ms
    end = "promises no bound" if bound is None else f"lets nothing arrive after {seconds(bound)}"
    return f"It {', '.join(said)}, and {end}."
