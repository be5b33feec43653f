"""What a provider promises, and what it says when it is asked what it holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, Protocol

from lab.gateway.actions import Action

MINUTE_MS = 60_000
DAY_MS = 24 * 60 * MINUTE_MS


class Reading(Enum):
    """How far the provider's answer to "what do you hold?" can be trusted."""

    NONE = "none"  # it cannot be asked
    EVENTUAL = "eventual"  # what it holds is shown, after a while
    AUTHORITATIVE = "authoritative"  # what it does not show, it does not hold


@dataclass(frozen=True)
class ProviderContract:
    """What one provider promises; the right move after silence follows from it. Times in ms.

    ``name`` is the provider's name in the ledger. ``in_flight_ms``: nothing that was sent takes
    effect later than this after it was sent; None where nobody promises that.
    """

    name: str
    readback: Reading
    in_flight_ms: int | None
    visibility_ms: int = 0  # an effect is shown at the latest this long after it happened
    keeps_reference: bool = False  # our key is stored with the effect, and can be asked for
    deduplicates: bool = False  # the same key twice is one effect: a second wall, never the proof
    retention_ms: int | None = None  # ... for this long; None: no end is known
    rate_limit_first: bool = True  # "too many requests" is said before anything is done

    @property
    def absence_is_proof(self) -> bool:
        """True if "not there" can ever prove that nothing happened."""
        return self.readback is Reading.AUTHORITATIVE and self.in_flight_ms is not None

    def last_moment(self, send_by: int) -> int:
        """Return the last moment (ms) at which "not there" may still mean "not there yet"."""
        return send_by + (self.in_flight_ms or 0) + self.visibility_ms


# As payment APIs: Stripe documents that keys may be removed after 24 hours.
KEYED = ProviderContract(
    "keyed", Reading.AUTHORITATIVE, MINUTE_MS,
    keeps_reference=True, deduplicates=True, retention_ms=DAY_MS,
)  # fmt: skip
READABLE = ProviderContract("readable", Reading.AUTHORITATIVE, MINUTE_MS, keeps_reference=True)
SEARCHABLE = ProviderContract(
    "searchable", Reading.EVENTUAL, MINUTE_MS, visibility_ms=5 * MINUTE_MS
)
BLIND = ProviderContract("blind", Reading.NONE, None)
CONTRACTS = {contract.name: contract for contract in (KEYED, READABLE, SEARCHABLE, BLIND)}


class Verdict(Enum):
    """What a readback says about one action."""

    FOUND = "found"
    PROVED_NOT_EXECUTED = "proved not executed"
    ABSENT = "absent"
    AMBIGUOUS = "ambiguous"
    MISMATCH = "mismatch"
    UNAVAILABLE = "unavailable"


class Readback(NamedTuple):
    """One answer of the provider to "what do you hold for this action?"."""

    verdict: Verdict
    receipt: str | None = None  # FOUND: the provider's name for the effect
    attempt: int | None = None  # PROVED_NOT_EXECUTED: the attempt that the provider rejected
    candidates: tuple[str, ...] = ()  # AMBIGUOUS, MISMATCH: the receipts that were found
    note: str = ""
    asked_at: int = 0  # ms, when the question was put: the caller fills it in


def verdict_of(
    action: Action, held: Sequence[tuple[str, str]], rejected: int | None = None
) -> Readback:
    """Judge what a provider holds for one action; a pure function.

    ``held`` are the effects it found, each as (receipt, payload hash); ``rejected`` is the last
    attempt that it recorded as rejected, if any.
    """
    receipts = tuple(receipt for receipt, _ in held)
    if len(held) > 1:
        return Readback(Verdict.AMBIGUOUS, candidates=receipts)
    if held and held[0][1] != action.hash:
        return Readback(Verdict.MISMATCH, candidates=receipts)
    if held:
        return Readback(Verdict.FOUND, receipt=receipts[0])
    if rejected is not None:
        return Readback(Verdict.PROVED_NOT_EXECUTED, attempt=rejected)
    return Readback(Verdict.ABSENT)


class Provider(Protocol):
    """The outside system: two calls, and nothing else of it is known here."""

    contract: ProviderContract

    def perform(self, action: Action, attempt: int) -> str:
        """Send the action once, and return the receipt.

        Raises:
            NotExecuted: definite: nothing happened, and nothing will.
            ResponseLost: indefinite. Any other exception is indefinite too.
        """

    def readback(self, action: Action) -> Readback:
        """Say what is held for this action; this never sends anything.

        Raises:
            ReadbackUnavailable: the provider cannot be asked.
        """


def count_duplicates(keys_of_effects: Iterable[str], approved: Iterable[str]) -> int:
    """Count the effects beyond one for each approved key, from the provider's own records."""
    held = list(keys_of_effects)
    return len(held) - len(set(held) & set(approved))
