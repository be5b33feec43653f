"""A provider we can break: a real file of its own, a contract, and faults on request."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any

from lab.gateway.actions import Action, payload_hash
from lab.gateway.errors import NotExecuted, ReadbackUnavailable, ResponseLost
from lab.gateway.ledger import Clock, request_id, system_clock
from lab.gateway.provider import ProviderContract, Readback, Reading, verdict_of
from lab.gateway.store import File, Store

_WHENEVER_MS = 3_600_000  # a late effect of a provider that promises no bound


class Fault(Enum):
    """What goes wrong with one request: how often it takes effect, and what the caller hears."""

    NONE = ("executed", "receipt")
    REFUSED = ("never arrives", "refused")
    REJECTED = ("rejected", "rejected")
    RATE_LIMITED = ("rejected", "too many")
    REJECTION_LOST = ("rejected", "silence")
    REQUEST_LOST = ("never arrives", "silence")
    RESPONSE_LOST = ("executed", "silence")
    LATE = ("executed late", "silence")
    UNFORESEEN = ("executed", "nonsense")
    EMPTY_RECEIPT = ("executed", "no receipt")
    SENT_TWICE = ("executed twice", "receipt")


ANSWERS: dict[str, Callable[[], Exception]] = {
    "refused": lambda: NotExecuted("refused before anything was sent"),
    "rejected": lambda: NotExecuted("rejected as invalid", retryable=False),
    "too many": lambda: NotExecuted("too many requests"),
    "silence": lambda: ResponseLost("no response"),
    "nonsense": lambda: RuntimeError("an answer nobody can read"),
}


class DemoProvider(Store):
    """An outside system in a file of its own, ``provider.sqlite3``; its effects are the truth.

    ``faults`` names by key what goes wrong, one fault an attempt; later attempts go well. Keys in
    ``unreadable`` cannot be read back. Both may be changed at any time. Nothing in the file is
    unique: a duplicate must be representable, or nothing that counts duplicates could fail.
    """

    APPLICATION = 0x6C616270
    SCHEMA = """
        CREATE TABLE requests (
            number INTEGER PRIMARY KEY, key TEXT NOT NULL, attempt INTEGER NOT NULL,
            request_id TEXT NOT NULL, at INTEGER NOT NULL, outcome TEXT NOT NULL
        ) STRICT;
        CREATE TABLE effects (
            number INTEGER PRIMARY KEY, receipt TEXT NOT NULL, key TEXT NOT NULL,
            payload_hash TEXT NOT NULL, request_id TEXT NOT NULL, at INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE on_the_way (
            key TEXT NOT NULL, payload_hash TEXT NOT NULL, request_id TEXT NOT NULL,
            lands_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX requests_of ON requests (key);
        CREATE INDEX effects_of ON effects (key);
        CREATE INDEX effects_like ON effects (payload_hash);
    """

    def __init__(
        self,
        path: File,
        contract: ProviderContract,
        clock: Clock = system_clock,
        faults: Mapping[str, Sequence[Fault]] | None = None,
        unreadable: Iterable[str] = (),
    ) -> None:
        self.contract = contract
        self.clock = clock
        self.faults = dict(faults or {})
        self.unreadable = set(unreadable)
        super().__init__(path)

    def perform(self, action: Action, attempt: int) -> str:
        """Take one request: do with it what the script says, and answer as it says.

        Raises:
            NotExecuted: nothing happened, and nothing will.
            ResponseLost, RuntimeError: who calls cannot know.
        """
        world, answer = self._scripted(action.key, attempt)
        with self.transaction():
            self._land()
            receipt = self._arrive(action, attempt, world, "" if answer == "no receipt" else None)
        if answer in ANSWERS:
            raise ANSWERS[answer]()
        if receipt is None:  # the key is known, with other content
            raise ANSWERS["rejected"]()
        return receipt

    def readback(self, action: Action) -> Readback:
        """Say what is held for this action, as far as the contract allows. Nothing is sent.

        Raises:
            ReadbackUnavailable: not offered, or not now.
        """
        if self.contract.readback is Reading.NONE:
            raise ReadbackUnavailable("this provider cannot be asked")
        if action.key in self.unreadable:
            raise ReadbackUnavailable("the provider does not answer questions now")
        with self.transaction():
            self._land()
            return verdict_of(action, self._held(action), self._rejected(action.key))

    def effects(self, key: str | None = None) -> list[dict[str, Any]]:
        """Return what was really done so far, oldest first: under one key, or in all."""
        return self._listed("effects", key)

    def requests(self, key: str | None = None) -> list[dict[str, Any]]:
        """Return what arrived, with or without an effect, oldest first."""
        return self._listed("requests", key)

    def enter_by_hand(self, action: Action, receipt: str | None = None) -> str:
        """Do the action as a colleague would, past the gateway; return the receipt."""
        with self.transaction():
            number = len(self._all("SELECT number FROM effects")) + 1
            receipt = f"by-hand-{number}" if receipt is None else receipt
            content = payload_hash(action.kind, action.payload)
            self._write(_EFFECT, (number, receipt, action.key, content, "by hand", self.clock()))
            return receipt

    def _scripted(self, key: str, attempt: int) -> tuple[str, str]:
        """Say what this attempt does to the world, and what its sender will hear."""
        script = self.faults.get(key, ())
        fault = script[attempt - 1] if attempt <= len(script) else Fault.NONE
        world, answer = fault.value
        if answer == "too many" and not self.contract.rate_limit_first:
            answer = "silence"  # it may have acted first: nobody can tell
        return world, answer

    def _arrive(self, action: Action, attempt: int, world: str, given: str | None) -> str | None:
        """Let a request arrive, or not; return the receipt where it took effect."""
        if world == "never arrives":
            return None
        if world == "executed twice":
            self._arrive(action, attempt, "executed", given)
        now, request, receipt = self.clock(), request_id(action.key, attempt), None
        content = payload_hash(action.kind, action.payload)  # what came, not what is claimed
        if world == "executed late":
            lands_at = now + (self.contract.in_flight_ms or _WHENEVER_MS)
            self._write(_DELAY, (action.key, content, request, lands_at))
        elif world != "rejected":
            receipt = self._take_effect(action.key, content, request, now, given)
            world = "rejected" if receipt is None else "executed"
        self._write(_ARRIVAL, (action.key, attempt, request, now, world))
        return receipt

    def _take_effect(
        self, key: str, content: str, request: str, at: int, given: str | None = None
    ) -> str | None:
        """Act; or, where the key is remembered, return its receipt, or None for other content."""
        if self.contract.deduplicates:
            since = at - (self.contract.retention_ms or at + 1)
            known = self._all(_REMEMBERED, key, since)
            if known:
                return known[0][0] if known[0][1] == content else None
        [[number]] = self._all("SELECT coalesce(max(number), 0) + 1 FROM effects")
        receipt = f"{self.contract.name}-{number}" if given is None else given
        self._write(_EFFECT, (number, receipt, key, content, request, at))
        return receipt

    def _land(self) -> None:
        """Let what was due before now take effect; who looks at the very moment is too early."""
        now = self.clock()
        for key, content, request, at in self._all(
            "SELECT * FROM on_the_way WHERE lands_at < ? ORDER BY lands_at", now
        ):
            self._take_effect(key, content, request, at)
        self._write("DELETE FROM on_the_way WHERE lands_at < ?", (now,))

    def _held(self, action: Action) -> list[tuple[str, str]]:
        """Find what is shown for an action: by our key, or else by its content."""
        column, value = ("key", action.key) if self.contract.keeps_reference else (
            "payload_hash", action.hash
        )  # fmt: skip
        shown = self.clock() - self.contract.visibility_ms
        return self._all(
            f"SELECT receipt, payload_hash FROM effects WHERE {column} = ? AND at <= ?",
            value,
            shown,
        )

    def _rejected(self, key: str) -> int | None:
        if not self.contract.keeps_reference:
            return None
        [[attempt]] = self._all(
            "SELECT max(attempt) FROM requests WHERE key = ? AND outcome = 'rejected'", key
        )
        return attempt  # type: ignore[no-any-return]

    def _listed(self, table: str, key: str | None) -> list[dict[str, Any]]:
        with self.transaction():
            self._land()
        where = "" if key is None else "WHERE key = ?"
        values = () if key is None else (key,)
        return self._dicts(f"SELECT * FROM {table} {where} ORDER BY number", *values)


_ARRIVAL = "INSERT INTO requests VALUES (NULL, ?, ?, ?, ?, ?)"
_DELAY = "INSERT INTO on_the_way VALUES (?, ?, ?, ?)"
_EFFECT = "INSERT INTO effects VALUES (?, ?, ?, ?, ?, ?)"
_REMEMBERED = """
    SELECT receipt, payload_hash FROM effects WHERE key = ? AND at > ? ORDER BY number LIMIT 1
"""
