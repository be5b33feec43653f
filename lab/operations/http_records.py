"""What the HTTP provider holds, what it may be told to do wrong, and what it answers to a request.

Nothing here knows of sockets: a request comes in as values and leaves as a status and an object.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from lab.gateway import Action, DemoProvider, canonical_json, request_id
from lab.gateway.ledger import Clock
from lab.gateway.store import File
from lab.operations.http_contract import HttpContract

OK = 200
REJECTIONS = (400, 401, 403, 404, 422, 429)  # the provider keeps a record of these


@dataclass(frozen=True)
class Trouble:
    """What befalls one request, as data; by itself nothing does.

    ``world`` is what the provider does: "executed", "executed late" (at the end of the contract's
    bound), "executed twice", "rejected" (and it keeps a record of that) or "failed" (and it keeps
    none). The rest is what the caller sees. ``reads`` and ``answers`` are the byte at which the
    request, or the answer, is cut, from its end where it is negative; None: it is whole. ``end`` is
    how a cut connection ends.
    """

    world: str = "executed"
    reads: int | None = None
    status: int = OK
    receipt: str | None = None  # what it says instead of the receipt
    body: bytes | None = None  # what it says instead of anything it could mean
    headers: tuple[tuple[str, str], ...] = ()
    pause_ms: int = 0  # between two bytes of the answer
    answers: int | None = None
    end: str = "reset"  # or "close", or "hang": say nothing more, until the caller gives up

    @property
    def is_cut(self) -> bool:
        """True if the connection ends before the answer does."""
        return self.reads is not None or self.answers is not None


FINE = Trouble()
RESET_BEFORE_READ = Trouble(reads=0)
HANG = Trouble(answers=0, end="hang")  # done, and never said
HANG_UNDONE = Trouble("failed", answers=0, end="hang")
HANG_LATE = Trouble("executed late", answers=0, end="hang")
RESPONSE_DROPPED = Trouble(answers=0)
ERROR_AFTER_COMMIT = Trouble(status=500)
EMPTY_RECEIPT = Trouble(receipt="")
SENT_TWICE = Trouble("executed twice")
IN_PROGRESS = Trouble("executed late", status=409)


def cut_request(at: int) -> Trouble:
    """Reset the connection after so many bytes of the request; nobody reads the rest."""
    return Trouble(reads=at)


def cut_answer(at: int) -> Trouble:
    """Do it, and end the connection after so many bytes of the answer."""
    return Trouble(answers=at, end="close")


def answered(status: int, retry_after_s: int | None = None) -> Trouble:
    """Do nothing, and answer a status."""
    wait = () if retry_after_s is None else (("Retry-After", str(retry_after_s)),)
    world = "rejected" if status in REJECTIONS else "failed"
    return Trouble(world, status=status, headers=wait)


class Answer(NamedTuple):
    """What the provider says: a status, and an object."""

    status: int
    body: dict[str, Any]


class Asked(NamedTuple):
    """What a question names: our key, or a content; the other is empty."""

    key: str = ""
    hash: str = ""


class Records(DemoProvider):
    """The demo provider's file; beside it, the errors that are said again under the same key."""

    contract: HttpContract

    def __init__(self, path: File, contract: HttpContract, clock: Clock) -> None:
        super().__init__(path, contract, clock)
        self._write(_FAILURES)  # a plain demo provider opens the file as well

    def take(self, action: Action, attempt: int, trouble: Trouble) -> Answer:
        """Take one request that was found valid: do what the trouble says, and answer."""
        with self.transaction():
            self._land()
            if self.contract.deduplicates and (known := self._failure(action)):
                self._note(action.key, attempt, "replayed")
                return known
            receipt = self._done(action, attempt, trouble)
            if trouble.status >= 500 and self.contract.stores_errors:
                self._keep_failure(action, trouble.status)
        if trouble.world == "executed" and receipt is None:
            return OTHER_CONTENT
        if trouble.status != OK:
            return as_told(trouble)
        return Answer(OK, {"receipt": receipt})

    def held(self, asked: Asked) -> Answer:
        """Answer what is held under a key, or with a payload hash."""
        with self.transaction():
            self._land()
            held = self._held(cast(Action, asked))
            rejected = self._rejected(asked.key)
        listed = [{"receipt": receipt, "payload_hash": hash_} for receipt, hash_ in held]
        return Answer(OK, {"held": listed, "rejected": rejected})

    def unnamed(self) -> str:
        """Return a key for a request that came without one: each is another intention."""
        return f"unnamed-{len(self.requests()) + 1}"

    def _done(self, action: Action, attempt: int, trouble: Trouble) -> str | None:
        """Do what the trouble says; return the receipt where that took effect."""
        if trouble.world != "failed":
            return self._arrive(action, attempt, trouble.world, trouble.receipt)
        self._note(action.key, attempt, "failed")
        return None

    def _failure(self, action: Action) -> Answer | None:
        """Return the error that was said first under this key, while it is remembered."""
        now = self.clock()
        since = now - (self.contract.retention_ms or now + 1)
        known = self._all(
            "SELECT status, payload_hash FROM failures WHERE key = ? AND at > ? ORDER BY number",
            action.key,
            since,
        )
        if not known:
            return None
        status, content = known[0]
        if content != action.hash:
            return OTHER_CONTENT
        return error(status, "said again: the first result under this key")

    def _keep_failure(self, action: Action, status: int) -> None:
        self._write(
            "INSERT INTO failures VALUES (NULL, ?, ?, ?, ?)",
            (action.key, action.hash, status, self.clock()),
        )

    def _note(self, key: str, attempt: int, outcome: str) -> None:
        """Write down that a request arrived, and did nothing."""
        self._write(
            "INSERT INTO requests VALUES (NULL, ?, ?, ?, ?, ?)",
            (key, attempt, request_id(key, attempt), self.clock(), outcome),
        )


def error(status: int, reason: str) -> Answer:
    """Answer that it was not done, or not known to be; the reason is for a person."""
    return Answer(status, {"error": reason})


def as_told(trouble: Trouble) -> Answer:
    """Answer the status that a trouble names."""
    return error(trouble.status, "this provider was told to say so")


OTHER_CONTENT = error(422, "this key names another content")


def written(answer: Answer) -> bytes:
    """Return an answer's body."""
    return canonical_json(answer.body).encode()


_FAILURES = """
    CREATE TABLE IF NOT EXISTS failures (
        number INTEGER PRIMARY KEY, key TEXT NOT NULL, payload_hash TEXT NOT NULL,
        status INTEGER NOT NULL, at INTEGER NOT NULL
    ) STRICT
"""
