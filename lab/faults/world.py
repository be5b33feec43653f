"""A small world to break things in: one ledger, one provider, one action, one clock.

The ledger is the real one, on a real SQLite database in memory. Whatever is done to a world can be
taken back, so that every way on from one moment is tried from that very moment.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, Self, TypeGuard

from lab.faults.clock import MINUTE_MS, ManualClock
from lab.faults.gateways import SAFE, Gateway
from lab.faults.numbers import (
    Effect,
    Numbers,
    boundaries_of,
    count,
    is_forgotten,
    is_true,
    review_is_due,
)
from lab.faults.steps import Endless, Stepped, limit
from lab.gateway import (
    CONTRACTS,
    REVIEW,
    SETTLED,
    Action,
    DemoProvider,
    Fault,
    Outcome,
    ProviderContract,
    Row,
)

ACTION = Action("welcome:lead-202:v1", "welcome_email", {"lead": "lead-202", "template": "v1"})
OTHERS = {  # what may never pass under the same key
    "another payload": Action(ACTION.key, ACTION.kind, {**ACTION.payload, "template": "v2"}),
    "another kind": Action(ACTION.key, "refund", ACTION.payload),
}
SETTINGS = {
    "plain": "nothing else is at the provider",
    "silent": "the provider never says what it holds",
    "taken": "another record stands under our key before we begin",
    "alike": "two records of the same content, made by somebody else, stand there before we begin",
}
START_MS = 10 * MINUTE_MS  # what stands there before has been there for long
A_DAY_MS = 24 * 60 * MINUTE_MS  # by then the latest request has landed, whatever the contract


class Scene(NamedTuple):
    """What a run starts from: the provider's contract and faults, and what stands there before.

    ``faults`` are names of `Fault`, one an attempt; ``setting`` is one of `SETTINGS`;
    ``prepared`` says that the ledger knows the action before the first worker comes.
    """

    contract: str
    faults: tuple[str, ...] = ("NONE",)
    setting: str = "plain"
    prepared: bool = False

    def __str__(self) -> str:
        start = "prepared" if self.prepared else "new"
        return f"{self.contract} {','.join(self.faults)} {self.setting} {start}"

    @classmethod
    def read(cls, text: str) -> Self:
        """Read a scene as it is printed.

        Raises:
            ValueError: the text names no scene; the message says what is wrong.
        """
        words = text.split()
        if len(words) != 4:
            raise ValueError(f"a scene has four words, contract faults setting start: {text!r}")
        contract, faults, setting, start = words
        for word, known in (
            (contract, tuple(CONTRACTS)),
            (setting, tuple(SETTINGS)),
            (start, ("new", "prepared")),
            *((fault, tuple(Fault.__members__)) for fault in faults.split(",")),
        ):
            if word not in known:
                raise ValueError(f"{word} is none of {', '.join(known)}")
        return cls(contract, tuple(faults.split(",")), setting, start == "prepared")


class RewoundProvider(DemoProvider):
    """A demo provider whose transactions are part of a larger one, which may be taken back.

    ``given`` is the last receipt that it gave away.
    """

    clock: ManualClock
    given = ""

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Do all of it; who takes the world back takes this back, too."""
        yield

    def perform(self, action: Action, attempt: int) -> str:
        """Take one request, and remember the receipt; see `DemoProvider.perform`."""
        self.given = ""
        self.given = super().perform(action, attempt)
        return self.given

    def land(self) -> None:
        """Let arrive what is due."""
        self._land()

    def land_early(self) -> None:
        """Let what is on its way arrive now, and not at the last moment."""
        for key, content, request, _ in self._all("SELECT * FROM on_the_way"):
            self._take_effect(key, content, request, self.clock())
        self._write("DELETE FROM on_the_way")

    def state(self) -> tuple[Any, ...]:
        """Return what decides how the provider goes on, and how many effects it made for us."""
        ages = bool(self.contract.visibility_ms or self.contract.retention_ms)
        now = self.clock.time
        [told] = self._all(_ALL, ages, now, now, ACTION.hash)
        return told  # type: ignore[no-any-return]

    def _scripted(self, key: str, attempt: int) -> tuple[str, str]:
        return super()._scripted(ACTION.key, attempt)  # whatever name an attempt goes by


_ALL = """SELECT
    (SELECT group_concat(key || payload_hash || receipt || (? * (at - ?))) FROM effects),
    (SELECT group_concat(key || payload_hash || request_id || (lands_at - ?)) FROM on_the_way),
    (SELECT max(attempt) FROM requests WHERE outcome = 'rejected'),
    (SELECT count(*) FROM effects WHERE payload_hash = ? AND request_id <> 'by hand')
"""


class State(NamedTuple):
    """All that outlives the workers; two worlds of the same state go on the same way.

    Times are told from now, for nothing in the gateway asks for the date.
    """

    said: tuple[bool, ...]
    row: Row | None
    effects: str | None
    late: str | None  # what is on its way
    rejected: int | None
    done: int  # effects of our own requests


class World:
    """One scene, for one gateway.

    ``heard``: a worker that lived on was given a receipt. ``unlisted``: one gave an outcome for
    what the ledger does not list. ``lied``: one said SETTLED, and named no effect. ``raised``: one
    ended in an error that nobody foresaw.
    """

    def __init__(self, scene: Scene, gateway: Gateway = SAFE) -> None:
        self.scene, self.gateway = scene, gateway
        self.contract = CONTRACTS[scene.contract]
        self.clock = ManualClock(0)
        self.heard = self.unlisted = self.lied = self.raised = False
        self.rows_told: dict[Row, Any] = {}  # what was told of rows before: see `Hand.row`
        faults = {ACTION.key: [Fault[name] for name in scene.faults]}
        unreadable = [ACTION.key] if scene.setting == "silent" else []
        self.ledger = gateway.ledger(":memory:", self.clock)
        self.provider = RewoundProvider(":memory:", self.contract, self.clock, faults, unreadable)
        self._stand_there_before()
        self.clock.advance(START_MS)
        if scene.prepared:
            self.ledger.prepare(ACTION)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.ledger.close()
        self.provider.close()

    def _stand_there_before(self) -> None:
        if self.scene.setting == "taken":
            self.provider.enter_by_hand(OTHERS["another payload"])
        if self.scene.setting == "alike":
            for number in (1, 2):
                self.provider.enter_by_hand(Action(f"hand:{number}", ACTION.kind, ACTION.payload))

    @contextmanager
    def rewound(self) -> Iterator[None]:
        """Take back, at its end, all that was done in a ``with`` block."""
        before = self.clock.time, self.said, self.provider.given
        databases = (self.ledger._db, self.provider._db)
        for database in databases:
            database.execute("SAVEPOINT before")
        try:
            yield
        finally:
            for database in databases:
                database.execute("ROLLBACK TO before")
                database.execute("RELEASE before")
            self.clock.time, self.said, self.provider.given = before

    @property
    def said(self) -> tuple[bool, ...]:
        """What was heard of workers so far: see the class."""
        return self.heard, self.unlisted, self.lied, self.raised

    @said.setter
    def said(self, said: tuple[bool, ...]) -> None:
        self.heard, self.unlisted, self.lied, self.raised = said

    def row(self) -> Row | None:
        """Return the action's row, or None."""
        return self.ledger.get(ACTION.key)

    def effects(self) -> list[Effect]:
        """Return what our own requests did so far; each counts as this action's, however named."""
        done = self.provider._dicts("SELECT * FROM effects WHERE payload_hash = ?", ACTION.hash)
        return [{**one, "key": ACTION.key} for one in done if one["request_id"] != "by hand"]

    def next_moment(self, state: State) -> int | None:
        """Return the next time (ms) at which something may change by itself, or None."""
        row, now = state.row, self.clock.time
        ahead = [now + wait for wait in boundaries_of(row, self.contract)] if opened(row) else []
        if self.contract.visibility_ms:
            ahead += [done["at"] + self.contract.visibility_ms for done in self.effects()]
        return min((moment for moment in ahead if moment > now), default=None)

    def state(self) -> State:
        """Return the state of the world."""
        row = self.row()
        told = from_now(essence(row, self.contract), self.clock.time) if row else None
        return State(self.said, told, *self.provider.state())

    def numbers(self) -> Numbers:
        """Count what the world has come to: at rest, or where harm cut the run short."""
        row, effects = self.row(), self.effects()
        accepted = [ACTION.key] if row or effects or self.unlisted else []
        numbers = count([row] if row else [], effects, accepted)
        false = max(numbers.falsely_settled, int(self.lied))
        numbers = numbers._replace(lost=numbers.lost + self._let_pass(), falsely_settled=false)
        if self.harm_is_done(self.state()):
            return numbers._replace(stuck=0, in_review=0)  # nobody waited for the end
        if row is None or self.raised:  # never taken, or an error that nobody foresaw
            return numbers._replace(stuck=1)
        if row.state == SETTLED or numbers.stuck:
            return numbers
        return numbers._replace(stuck=int(self.heard or not self._review_is_due(row, effects)))

    def wait(self, until: int) -> None:
        """Let time pass until a moment (ms); what is due by then has arrived."""
        self.clock.time = until
        self.provider.land()

    def harm_is_done(self, state: State) -> bool:
        """Tell whether something was done that nothing can undo: a duplicate, a false claim."""
        row = state.row
        if state.done > 1 or self.lied or row is None:
            return state.done > 1 or self.lied
        return row.state == SETTLED and not is_true(row, self.effects())

    def hear(self, outcome: Outcome, given: bool) -> None:
        """Hear what a worker says at its end, and whether it was given a receipt.

        Who says SETTLED must name an effect.
        """
        self.unlisted = self.unlisted or self.row() is None
        self.heard = self.heard or given
        done = [effect["receipt"] for effect in self.effects()]
        self.lied = self.lied or (outcome.state == SETTLED and outcome.receipt not in done)

    def _let_pass(self) -> int:
        """Bring other actions under a used key; count what is not refused without a trace."""
        if self.row() is None:
            return 0
        before, passed = self.state(), 0
        for other in OTHERS.values():
            with self.rewound():
                ledger: Any = Stepped(self.ledger, "ledger", limit())
                try:
                    self.gateway.execute(other, ledger, self.provider)
                    passed += 1
                except (Exception, Endless):
                    passed += self.state() != before
        return passed

    def _review_is_due(self, row: Row, effects: list[Effect]) -> bool:
        held_by_others = self.scene.setting == (
            "taken" if self.contract.keeps_reference else "alike"
        )
        silent = self.scene.setting == "silent"
        return row.state == REVIEW and review_is_due(
            row, self.contract, effects, silent, held_by_others
        )


def opened(row: Row | None) -> TypeGuard[Row]:
    """Tell whether an attempt is open whose end is not known."""
    return row is not None and row.send_by is not None


def essence(row: Row, contract: ProviderContract) -> Row:
    """Return what decides about a row.

    Nothing asks who wrote it. When it was last changed matters to a clock that goes back, and no
    clock does here; and to whether the provider had forgotten the key by then.
    """
    since = row.retry_since if contract.retention_ms is not None else None
    return row._replace(actor="", updated_at=int(is_forgotten(row, contract)), retry_since=since)


def from_now(row: Row, now: int) -> Row:
    """Return a row with its times told from now."""
    since, send_by = row.retry_since, row.send_by
    return row._replace(
        retry_since=None if since is None else since - now,
        send_by=None if send_by is None else send_by - now,
    )
