"""The stage of a random history: one ledger, one provider, a few workers, and one clock."""

from collections import Counter
from typing import Any, NamedTuple

from hypothesis.stateful import RuleBasedStateMachine

from lab.faults.clock import ManualClock
from lab.gateway import (
    SETTLED,
    Action,
    DemoProvider,
    Fault,
    KeyReused,
    Ledger,
    ProviderContract,
    ReviewDesk,
    Row,
    request_id,
)
from tests.gateway import world
from tests.gateway.puppet import Call, Puppet

WORKERS = 3
OPEN_ACTIONS = 2  # as many as it takes to be mistaken for each other
TO_THE_END = 200  # half steps; nothing that ends takes so many
START_MS = 10 * 24 * 3_600_000  # so that no clock is ever set back to before 1970

PATH_OF = {
    "PREPARED": {"refused"},
    "UNKNOWN": {"hold"},
    "SETTLED": {"sent", "cached", "reconciled"},
    "REVIEW": {"manual"},
}


class Look(NamedTuple):
    """What an operator saw: the row, the receipts at the provider, and when."""

    row: Row
    effects: list[dict]
    at: int


class Stage(RuleBasedStateMachine):
    """Who is on it, and how they are moved; what happens is up to the histories."""

    contract: ProviderContract

    def __init__(self) -> None:
        super().__init__()
        self.clock = ManualClock(START_MS)
        self.has_just_waited = True  # for nothing
        self.behind = 0  # how far the gateway's clock was set back
        self.ledger = Ledger(":memory:", lambda: self.clock() - self.behind)
        self.provider = DemoProvider(":memory:", self.contract, self.clock)
        self.desk = ReviewDesk(self.ledger, "operator")
        self.workers: list[Puppet] = []
        self.promises: dict[Puppet, Row] = {}
        self.answers: dict[Puppet, Any] = {}
        self.looks: list[Look] = []
        self.accepted: dict[str, Action] = {}
        self.calls: Counter[str] = Counter()
        self.receipts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.once_unreadable: set[str] = set()

    def _start(self, action: Action, half_steps: int) -> Puppet:
        worker = Puppet(action, self.ledger, self.provider)
        self.workers.append(worker)
        self._move(worker, half_steps)
        return worker

    def _make_room_for(self, workers: int) -> None:
        while len(self.workers) + workers > WORKERS:
            self._move(self.workers[0], TO_THE_END)

    def _move(self, worker: Puppet, half_steps: int) -> None:
        for _ in range(half_steps):
            if worker.call is None:
                return  # it has ended
            self._move_once(worker, worker.call)
        assert half_steps < TO_THE_END, "it goes round in circles"

    def _move_once(self, worker: Puppet, call: Call) -> None:
        step = worker.about_to
        result = worker.half_step()
        if step == "ledger.begin" and isinstance(result, Row):
            self.accepted.setdefault(result.key, worker.action)
            self.promises[worker] = result
        elif step == "provider.perform":
            self.calls[request_id(call.values[0].key, call.values[1])] += 1
            self.answers[worker] = result
        if worker.about_to == "provider.perform":
            assert not self._too_late(worker), "it sends after its send_by"
        if worker.call is None:
            self.workers.remove(worker)
            self._check_end(worker)

    def _check_end(self, worker: Puppet) -> None:
        if isinstance(worker.end, KeyReused):
            assert self.accepted[worker.action.key].hash != worker.action.hash
            return
        assert worker.end is not None
        assert worker.end.path in PATH_OF[worker.end.state]
        answer = self.answers.get(worker)
        if isinstance(answer, str) and answer:
            assert worker.end.state == SETTLED, "a receipt came, however late, and was not kept"

    def _kill(self, worker: Puppet) -> None:
        worker.kill()
        self.workers.remove(worker)

    def _wait(self, milliseconds: int) -> None:
        self.clock.advance(max(0, milliseconds))
        for worker in list(self.workers):
            if worker.about_to == "provider.perform" and self._too_late(worker):
                self._kill(worker)

    def _wait_for_a_boundary(self, number: int) -> None:
        boundaries = {
            moment
            for row in self._open_rows()
            for moment in world.boundaries_of(row, self.contract)
        }
        ahead = sorted(moment for moment in boundaries if moment > self.ledger.now())
        if ahead:
            self._wait(self._one_of(ahead, number) - self.ledger.now())

    def _too_late(self, worker: Puppet) -> bool:
        row = self.promises.get(worker)
        assert row is not None, "it is about to call, and has written nothing down"
        return self.ledger.now(row) > (row.send_by or 0)

    def _action(self, number: int, twin: bool, other: bool) -> Action:
        """Return an unsettled action, or a new one, or other data under a key in use."""
        if other and self.accepted:
            known = self._one_of(list(self.accepted.values()), number)
            return Action(known.key, "welcome_email", {**known.payload, "template": "v2"})
        fresh = f"welcome:lead-{len(self.accepted)}:v1"
        keys = [*self._unsettled(), fresh][:OPEN_ACTIONS]
        key = self._one_of(keys, number)
        content = {"lead": "the same" if twin else key, "template": "v1"}
        return self.accepted.get(key) or Action(key, "welcome_email", content)

    def _unsettled(self) -> list[str]:
        return [row.key for row in self.ledger.rows() if row.state != SETTLED]

    def _script(self, key: str, fault: Fault, silent: bool) -> None:
        """Say what befalls the next attempt, and whether the provider answers questions now."""
        if silent:
            self.provider.unreadable.add(key)
            self.once_unreadable.add(key)
        else:
            self.provider.unreadable.discard(key)
        row = self.ledger.get(key)
        before = row.attempts if row else 0
        script = [*self.provider.faults.get(key, ()), *[Fault.NONE] * before][:before]
        self.provider.faults[key] = [*script, fault]

    def _prepare(self, action: Action) -> None:
        known = self.accepted.setdefault(action.key, action)
        try:
            assert self.ledger.prepare(action).payload_hash == known.hash
        except KeyReused:
            assert known.hash != action.hash

    def _nothing_can_come_any_more(self, row: Row) -> bool:
        """Tell whether a person may do it by hand: it is not there, and never will be."""
        if self.contract.in_flight_ms is None or self.provider.effects(row.key):
            return False
        if self.ledger.get(row.key) != row:
            return False  # the person would see that, too
        return row.send_by is None or self.ledger.now() > self.contract.last_moment(row.send_by)

    def _rows(self, state: str) -> list[Row]:
        return [row for row in self.ledger.rows() if row.state == state]

    def _open_rows(self) -> list[Row]:
        return [row for row in self.ledger.rows() if row.send_by is not None]

    def _row(self, key: str) -> Row:
        row = self.ledger.get(key)
        assert row is not None
        return row

    def _has_twin(self, row: Row) -> bool:
        return sum(action.hash == row.payload_hash for action in self.accepted.values()) > 1

    @staticmethod
    def _one_of(things: list, number: int) -> Any:
        return things[number % len(things)]
