"""Proposals, decisions, clocks, switches and attempts in any order, against a plain memory."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from lab.faults.clock import ManualClock
from lab.gateway import (
    PREPARED,
    READABLE,
    UNKNOWN,
    Action,
    DecisionRefused,
    DemoProvider,
    Fault,
    KeyReused,
)
from lab.operations.approvals import Approvals
from lab.operations.errors import NotApproved
from lab.operations.gateway import Gateway
from lab.operations.ledger import APPROVED, OperatorLedger
from tests.operations.conftest import HOUR_MS, SCOPE

CONTENTS = [Action("a:1", "welcome_email", {"text": text}) for text in ("yes", "yes!")]
contents = st.sampled_from([CONTENTS[0], *CONTENTS])
people = st.sampled_from(["ada", "bob", "bob", "ADA "])
lives = st.sampled_from([1, 50, 50, HOUR_MS])
scopes = st.sampled_from([SCOPE, SCOPE, SCOPE, "messages:read"])
verdicts = st.sampled_from([APPROVED, APPROVED, APPROVED, "declined"])
seen = st.sampled_from([None, None, None, *CONTENTS])
pauses = st.sampled_from([1, 1, 49, HOUR_MS, -1, -HOUR_MS])
faults = st.sampled_from([Fault.NONE, Fault.REFUSED, Fault.REFUSED, Fault.REQUEST_LOST])
steps = st.one_of(
    st.tuples(st.just("propose"), people, contents, scopes, lives),
    st.tuples(st.just("decide"), people, st.integers(0, 2), verdicts, seen),
    st.tuples(st.just("agree"), contents, lives),
    st.tuples(st.just("execute"), contents, faults),
    st.tuples(st.just("execute"), st.just(CONTENTS[0]), faults),
    st.tuples(st.just("wait"), pauses),
    st.tuples(st.just("turn"), st.sampled_from([True, True, False])),
)


@dataclass
class Office:
    """People, one key, and a plain memory of what they did: the ledger is held against it."""

    clock: ManualClock = field(default_factory=lambda: ManualClock(10 * HOUR_MS))
    allowed: bool = True
    asked: dict[int, tuple[str, Action, str, int]] = field(default_factory=dict)
    decided: list[tuple[int, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ledger = OperatorLedger(":memory:", self.clock)
        self.provider = DemoProvider(":memory:", READABLE, self.clock)
        self.gateway = Gateway(self.ledger, self.provider, {"welcome_email": SCOPE})

    def propose(self, who: str, what: Action, scope: str, life: int) -> None:
        proposal = Approvals(self.ledger, who).propose(what, scope, self.clock() + life)
        self.asked[proposal.number] = (who, what, scope, proposal.expires_at)

    def decide(self, who: str, back: int, verdict: str, seen: Action | None) -> None:
        if len(self.asked) <= back:
            return
        number = len(self.asked) - back
        proposer, what, _, expires_at = self.asked[number]
        seen, desk = seen or what, Approvals(self.ledger, who)
        held = desk.approve(number, seen) if verdict == APPROVED else desk.decline(number, "no")
        assert proposer.strip().casefold() != who.strip().casefold()
        assert number not in [one for one, _ in self.decided]
        assert held.decided_at is not None
        assert held.decided_at < expires_at
        assert verdict != APPROVED or seen == what
        self.decided.append((number, verdict))

    def agree(self, what: Action, life: int) -> None:
        self.propose("ada", what, SCOPE, life)
        self.decide("bob", 0, APPROVED, what)

    def wait(self, milliseconds: int) -> None:
        self.clock.advance(milliseconds)

    def turn(self, allowed: bool) -> None:
        self.allowed = allowed
        (self.ledger.allow_dispatch if allowed else self.ledger.stop_dispatch)("ada", "turned")

    def approved(self, what: Action, at: int) -> bool:
        last = False
        for number, verdict in self.decided:
            _, content, scope, expires_at = self.asked[number]
            if (content, scope) == (what, SCOPE):
                last = verdict == APPROVED and at < expires_at
        return last

    def execute(self, what: Action, fault: Fault) -> None:
        row, before, now = self.ledger.find(what), self.begun(), self.now(what)
        self.provider.faults[what.key] = [fault] * (row.attempts + 1 if row else 1)
        try:
            outcome = self.gateway.execute(what)
        finally:
            for at in self.begun()[len(before) :]:
                assert self.allowed
                assert self.approved(what, at)
        if row is None or (row.state == PREPARED and row.attempts < row.attempts_allowed):
            assert self.approved(what, now)
            assert len(self.begun()) == len(before) + self.allowed
            assert self.allowed or outcome.path == "refused"

    def now(self, what: Action) -> int:
        return self.ledger.now(self.ledger.get(what.key))

    def begun(self) -> Sequence[int]:
        return [
            event["at"]
            for event in self.ledger.events()
            if (event["source"], event["target"]) == (PREPARED, UNKNOWN)
        ]


@settings(max_examples=120, deadline=None, derandomize=True, database=None)
@given(st.lists(steps, min_size=10, max_size=30))
def test_no_attempt_begins_without_an_approval_whatever_the_order(history: list[Any]) -> None:
    office = Office()
    with office.ledger, office.provider:
        for name, *values in history:
            try:
                getattr(office, name)(*values)
            except (DecisionRefused, KeyReused):
                continue
            except NotApproved:
                assert name == "execute"
                assert not office.approved(values[0], office.now(values[0]))
        assert len(office.provider.requests()) <= len(office.begun())
        assert len(office.provider.effects()) <= 1
