"""Random histories: actions, faults, crashes, interleaved workers, operators, and time.

Hypothesis plays them against a real ledger and a real provider and shrinks what goes wrong. A
longer hunt: ``LAB_HYPOTHESIS=deep python -m pytest tests/gateway/test_machine.py`` (ten minutes).

Two assumptions of the gateway are kept here too: no time passes for a worker between its look at
the clock and its call (where it would, the worker is killed), and no clock jumps forward.
"""

import os
from collections import Counter
from contextlib import suppress
from itertools import pairwise

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from lab.gateway import (
    BLIND,
    KEYED,
    LEGAL,
    READABLE,
    REVIEW,
    SEARCHABLE,
    SETTLED,
    STATES,
    Action,
    BrokenContract,
    DecisionRefused,
    Fault,
    Outcome,
    ProviderContract,
    Reading,
    VersionConflict,
    count_duplicates,
    request_id,
)
from lab.gateway.ledger import SEND_WINDOW_MS
from tests.gateway import world
from tests.gateway.stage import TO_THE_END, WORKERS, Look, Stage

HISTORIES = {"fast": (120, 25), "deep": (1_500, 30)}  # examples of each contract, rules in each
DEPTH = os.environ.get("LAB_HYPOTHESIS", "fast")
EXAMPLES, RULES = HISTORIES[DEPTH]
DECISIONS = ["approve", "approve", "approve", "close", "do by hand"]

rarely = st.integers(0, 9).map(lambda drawn: drawn == 9)
faults = st.sampled_from(world.FAULTS)
numbers = st.integers(0, WORKERS - 1)
schedules = st.lists(numbers, max_size=30)
pauses = st.sampled_from([None] * 6 + [1, SEND_WINDOW_MS, 3_600_000, world.LONG_MS, -30_000])
half_steps = st.one_of(st.just(TO_THE_END), st.integers(0, 9))
bookings = st.fixed_dictionaries({"number": numbers, "twin": st.booleans(), "other": rarely})
lucks = st.fixed_dictionaries({"fault": faults, "silent": st.sampled_from([False, False, True])})


class History(Stage):
    """What may happen, one thing after the other, and what must hold after each of them."""

    # Workers come, move, stop anywhere and die. Nothing else happens before the first has come.

    @rule(booking=bookings, luck=lucks, half_steps=half_steps)
    def work(self, booking: dict, luck: dict, half_steps: int) -> None:
        self.has_just_waited = False
        action = self._action(**booking)
        self._script(action.key, **luck)
        self._make_room_for(1)
        if half_steps == 0:
            self._prepare(action)
        else:
            self._start(action, half_steps)

    @precondition(lambda self: self.accepted)
    @rule(booking=bookings, luck=lucks, schedule=schedules)
    def race(self, booking: dict, luck: dict, schedule: list[int]) -> None:
        self.has_just_waited = False
        action = self._action(**booking)
        self._script(action.key, **luck)
        self._make_room_for(WORKERS)
        racers = [self._start(action, 1) for _ in range(WORKERS)]
        for number in schedule:
            self._move(racers[number], 1)

    @precondition(lambda self: self.workers)
    @rule(number=numbers, half_steps=half_steps, killed=rarely)
    def go_on(self, number: int, half_steps: int, killed: bool) -> None:
        self.has_just_waited = False
        worker = self._one_of(self.workers, number)
        if killed:
            self._kill(worker)
        else:
            self._move(worker, half_steps)

    # Time passes between these, mostly to where something changes.

    @precondition(lambda self: not self.has_just_waited)
    @rule(pause=pauses, number=numbers)
    def wait(self, pause: int | None, number: int) -> None:
        self.has_just_waited = True
        if pause is None:
            self._wait_for_a_boundary(number)
        elif pause < 0:
            self.behind -= pause
        else:
            self._wait(pause)

    # An operator looks, thinks, and decides; the world may have moved on by then.

    @precondition(lambda self: len(self.looks) < 2 and self._rows(REVIEW))
    @rule(number=numbers)
    def look(self, number: int) -> None:
        row = self._one_of(self._rows(REVIEW), number)
        self.looks.append(Look(row, self.provider.effects(row.key), self.ledger.now()))

    @precondition(lambda self: self.looks)
    @rule(number=numbers, what=st.sampled_from(DECISIONS), risk=st.booleans())
    def decide(self, number: int, what: str, risk: bool) -> None:
        row, effects, at = self.looks.pop(number % len(self.looks))
        with suppress(DecisionRefused, VersionConflict, BrokenContract):  # too early, too late
            if what == "close":
                self.desk.close(row, "not wanted any more")
            elif what == "do by hand" and self._nothing_can_come_any_more(row):
                receipt = self.provider.enter_by_hand(self.accepted[row.key])
                self.desk.record_receipt(row, receipt, "done by hand")
            elif effects:
                self.desk.record_receipt(row, effects[0]["receipt"], "seen at the provider")
            else:
                self.desk.approve_attempt(row, self.contract, "not at the provider", at, risk)

    # What must hold after every one of these.

    @invariant()
    def nothing_is_done_twice(self) -> None:
        risks = {row.key: row.risks_accepted for row in self.ledger.rows()}
        done = Counter(effect["key"] for effect in self.provider.effects())
        without_risk = [key for key in done.elements() if not risks.get(key)]
        assert count_duplicates(without_risk, self.accepted) == 0
        assert all(done[key] <= 1 + risks[key] for key in risks)

    @invariant()
    def nothing_accepted_is_lost(self) -> None:
        assert {row.key: row.payload_hash for row in self.ledger.rows()} == {
            key: action.hash for key, action in self.accepted.items()
        }

    @invariant()
    def what_is_settled_was_really_done_and_stays_settled(self) -> None:
        effects = self.provider.effects()
        rows = self.ledger.rows()
        assert all(world.is_true(row, effects) for row in rows)
        settled = {row.key: row.receipt for row in rows if row.state == SETTLED}
        assert settled.items() >= self.receipts.items()
        self.receipts = settled

    @invariant()
    def there_is_at_most_one_request_an_attempt(self) -> None:
        attempts = {row.key: row.attempts for row in self.ledger.rows()}
        arrived = Counter(request["request_id"] for request in self.provider.requests())
        assert arrived <= self.calls
        assert set(self.calls.values()) <= {1}
        assert set(self.calls) <= {
            request_id(key, number + 1) for key in attempts for number in range(attempts[key])
        }
        assert all(row.attempts <= row.attempts_allowed for row in self.ledger.rows())

    @invariant()
    def events_tell_the_whole_story_of_each_row(self) -> None:
        for row in self.ledger.rows():
            if self.versions.get(row.key) == row.version:
                continue  # told and checked before
            self.versions[row.key] = row.version
            events = self.ledger.events(row.key)
            chain = [None, *(event["target"] for event in events)]
            assert [event["sequence"] for event in events] == list(range(1, row.version + 1))
            assert [event["source"] for event in events] == chain[:-1]
            assert all(a == b or (a, b) in LEGAL for a, b in pairwise(chain))
            times = [event["at"] for event in events]
            assert times == sorted(times)
            last = events[-1]
            told = (last["target"], last["at"], last["actor"], last["evidence"], last["attempt"])
            assert told == (row.state, row.updated_at, row.actor, row.evidence, row.about)

    @invariant()
    def counts_and_lists_agree_with_the_rows(self) -> None:
        rows = self.ledger.rows()
        states = Counter(row.state for row in rows)
        assert self.ledger.counts() == {state: states[state] for state in STATES}
        still_open = [row for row in rows if row.state != SETTLED and not row.closed]
        assert self.ledger.rows(open_only=True) == still_open

    @invariant()
    def a_person_is_asked_only_where_code_cannot_tell(self) -> None:
        for row in self.ledger.rows():
            assert row.state != REVIEW or world.review_is_due(
                row,
                self.contract,
                self.provider.effects(row.key),
                unreadable=row.key in self.once_unreadable,
                in_doubt=self._has_twin(row),
            ), row.evidence

    def teardown(self) -> None:
        """When all is well again, everything comes to rest, and nothing needless is left."""
        for worker in list(self.workers):
            self._kill(worker)
        for key in self.provider.faults:
            self._script(key, Fault.NONE, silent=False)
        self._wait(self.behind + world.past_all(self.contract))
        for action in self.accepted.values():
            self._come_to_rest(action)
        self._wait(world.LONG_MS)
        self.nothing_is_done_twice()
        self.what_is_settled_was_really_done_and_stays_settled()
        self.a_person_is_asked_only_where_code_cannot_tell()
        for store in (self.ledger, self.provider):
            store.close()

    def _come_to_rest(self, action: Action) -> None:
        def once() -> str:
            worker = self._start(action, TO_THE_END)
            assert isinstance(worker.end, Outcome)
            return worker.end.state

        waits = world.pauses(self.contract, self.clock, lambda: self.ledger.get(action.key))
        world.until_quiet(once, waits, self.clock)
        row, effects = self._row(action.key), self.provider.effects(action.key)
        if row.state == REVIEW and self.contract.readback is not Reading.NONE:
            found = len(effects) == 1 and effects[0]["receipt"] and not self._has_twin(row)
            assert not found, f"left to a person, though it can be read: {row.evidence}"
        assert row.state in (SETTLED, REVIEW), f"stuck in {row.state}"


def histories_with(contract: ProviderContract) -> type:
    machine = type(f"HistoryWith{contract.name.title()}", (History,), {"contract": contract})
    machine.TestCase.settings = settings(
        max_examples=EXAMPLES,
        stateful_step_count=RULES,
        derandomize=DEPTH == "fast",  # the same histories every time; a hunt takes new ones
        database=None,
        report_multiple_bugs=False,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    return machine.TestCase


TestKeyed = histories_with(KEYED)
TestReadable = histories_with(READABLE)
TestSearchable = histories_with(SEARCHABLE)
TestBlind = histories_with(BLIND)
