"""From what happened on the wire to what it means: one table, and one function that reads it.

Statuses are those of RFC 9110, section 15; 429 is in RFC 6585, section 4.
"""

from __future__ import annotations

from collections.abc import Container
from enum import Enum
from typing import NamedTuple

from lab.gateway import NotExecuted, ProviderContract, ResponseLost
from lab.operations.http_contract import HttpContract, over_http


class Phase(Enum):
    """How far one exchange came."""

    BEFORE = "no byte of the request was handed over"
    SENDING = "a part of the request was handed over"
    WAITING = "the request was handed over, no status came back"
    READING = "a status came back, its answer broke off"
    ANSWERED = "the answer was read to its end"


class Happened(NamedTuple):
    """What one exchange came to, and the evidence of it. It holds no token and no content."""

    phase: Phase
    status: int | None = None
    receipt: str | None = None
    retry_after_ms: int | None = None
    cause: str = ""  # the name of the error that ended it
    request_id: str = ""  # our name for the request
    answer_id: str = ""  # the provider's name for it

    def __str__(self) -> str:
        said = [str(self.status)] if self.status else []
        wait = [f"retry after {self.retry_after_ms} ms"] if self.retry_after_ms is not None else []
        return ", ".join(filter(None, [*said, self.cause, self.answer_id, *wait]))


class Kind(Enum):
    """What the caller may conclude."""

    ACCEPTED = "accepted"
    RETRYABLE = "definite, another attempt may work"
    FINAL = "definite, no further attempt will work"
    INDEFINITE = "indefinite"


class Meaning(NamedTuple):
    """What something that happened means, and why; ``receipt`` where it was accepted."""

    kind: Kind
    reason: str
    receipt: str | None = None


class Rule(NamedTuple):
    """One row of the table. It holds for one phase and, of answers, for some statuses."""

    phase: Phase
    statuses: Container[int] | None  # None: whatever the status, or none
    needs: str  # the fact of the contract that it rests on; empty: it needs none
    kind: Kind
    reason: str
    otherwise: str = ""  # why it is indefinite where the contract does not promise the fact

    def covers(self, happened: Happened) -> bool:
        """Tell whether this row is about what happened."""
        if self.kind is Kind.ACCEPTED and happened.receipt is None:
            return False
        return happened.phase is self.phase and (
            self.statuses is None or happened.status in self.statuses
        )


_UNCHECKED = "nobody promises that this is said before anything is done"
RULES = (
    Rule(Phase.BEFORE, None, "", Kind.RETRYABLE, "nothing was sent, so nothing can have happened"),
    Rule(Phase.SENDING, None, "", Kind.INDEFINITE, "nobody knows how much of it was read"),
    Rule(Phase.WAITING, None, "", Kind.INDEFINITE, "it may have been read and done"),
    Rule(Phase.READING, None, "", Kind.INDEFINITE, "half an answer is none: the rest may differ"),
    Rule(Phase.ANSWERED, (200,), "", Kind.ACCEPTED, "the provider names the effect"),
    Rule(Phase.ANSWERED, (200,), "", Kind.INDEFINITE, "without a receipt it names no effect"),
    Rule(
        Phase.ANSWERED, range(300, 400), "", Kind.INDEFINITE,
        "it may have been done here; following it would be a second send",
    ),
    Rule(Phase.ANSWERED, (400,), "validates_first", Kind.FINAL, "the request is wrong", _UNCHECKED),
    Rule(Phase.ANSWERED, (401,), "validates_first", Kind.FINAL, "the token is wrong", _UNCHECKED),
    Rule(
        Phase.ANSWERED, (403,), "validates_first", Kind.FINAL,
        "the token does not permit this", _UNCHECKED,
    ),
    Rule(
        Phase.ANSWERED, (404,), "validates_first", Kind.FINAL,
        "there is no such place to send to", _UNCHECKED,
    ),
    Rule(
        Phase.ANSWERED, (409,), "", Kind.INDEFINITE,
        "a request with this key is still being worked on, and may end either way",
    ),
    # This request did nothing, and what earlier attempts did was settled before it was sent. So
    # the attempt is closed, and a person looks at whose record has the key: readback names it.
    Rule(
        Phase.ANSWERED, (422,), "validates_first", Kind.FINAL,
        "not this content: it is invalid, or the key holds another", _UNCHECKED,
    ),
    Rule(
        Phase.ANSWERED, (429,), "rate_limit_first", Kind.RETRYABLE,
        "turned away before anything was done", _UNCHECKED,
    ),
    Rule(
        Phase.ANSWERED, (500, 502, 504), "", Kind.INDEFINITE,
        "it broke on the way, and nobody says where",
    ),
    Rule(
        Phase.ANSWERED, (503,), "busy_first", Kind.RETRYABLE,
        "turned away before anything was done", _UNCHECKED,
    ),
    Rule(Phase.ANSWERED, None, "", Kind.INDEFINITE, "no contract says what this means"),
)  # fmt: skip
"""What happened, and what it means; the first row that covers it holds."""


def meaning(happened: Happened, contract: HttpContract) -> Meaning:
    """Say what follows from what happened, by what the provider promises; a pure function."""
    rule = next(rule for rule in RULES if rule.covers(happened))
    if rule.needs and not getattr(contract, rule.needs):
        return Meaning(Kind.INDEFINITE, rule.otherwise)
    accepted = rule.kind is Kind.ACCEPTED
    return Meaning(rule.kind, rule.reason, happened.receipt if accepted else None)


def receipt_of(happened: Happened, contract: ProviderContract) -> str:
    """Return the receipt, or raise what the gateway expects; the text holds the evidence.

    Raises:
        NotExecuted: definite; retryable or not.
        ResponseLost: indefinite.
    """
    means = meaning(happened, over_http(contract))
    if means.receipt is not None:
        return means.receipt
    evidence = f"{happened}: {means.reason}"
    if means.kind is Kind.INDEFINITE:
        raise ResponseLost(evidence)
    raise NotExecuted(evidence, retryable=means.kind is Kind.RETRYABLE)
