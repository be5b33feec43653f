"""The readback table: what each verdict leads to, on every contract; and whose effect it is."""

from dataclasses import replace
from typing import Any

import pytest

from lab.faults.clock import ManualClock
from lab.gateway import (
    BLIND,
    KEYED,
    READABLE,
    REVIEW,
    SEARCHABLE,
    SETTLED,
    UNKNOWN,
    Action,
    Ledger,
    ProviderContract,
    Readback,
    ReadbackUnavailable,
    Verdict,
    execute,
)
from tests.gateway.conftest import RowIn


class Witness:
    """A provider that gives the answer it was told to give, and counts what is sent."""

    def __init__(self, contract: ProviderContract, answer: object) -> None:
        self.contract = contract
        self.answer = answer
        self.sent: list[int] = []

    def perform(self, action: Action, attempt: int) -> str:
        self.sent.append(attempt)
        return f"new-{attempt}"

    def readback(self, action: Action) -> Any:
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


FOUND = Readback(Verdict.FOUND, receipt="r-1")
ABSENT = Readback(Verdict.ABSENT)
REJECTED = Readback(Verdict.PROVED_NOT_EXECUTED, attempt=1)
REJECTED_OLDER = Readback(Verdict.PROVED_NOT_EXECUTED, attempt=0)
REJECTED_NAMELESS = Readback(Verdict.PROVED_NOT_EXECUTED)
AMBIGUOUS = Readback(Verdict.AMBIGUOUS, candidates=("r-1", "r-2"))
MISMATCH = Readback(Verdict.MISMATCH, candidates=("r-1",))
UNAVAILABLE = Readback(Verdict.UNAVAILABLE, note="a fire")
SILENCE = ReadbackUnavailable("not now")

FOUND_IT = (SETTLED, 1, "reconciled", "r-1")
SENT_ANEW = (SETTLED, 2, "sent", "new-2")
WAIT = (UNKNOWN, 1, "hold", None)
A_PERSON = (REVIEW, 1, "manual", None)

# What is answered, and what follows: while the attempt may still be sent, and when nothing of it
# can arrive or be hidden any more, under a contract whose absence is proof and under the others.
TABLE = [
    ("found", FOUND, FOUND_IT, FOUND_IT, FOUND_IT),
    ("rejected", REJECTED, SENT_ANEW, SENT_ANEW, SENT_ANEW),
    ("rejected before", REJECTED_OLDER, WAIT, SENT_ANEW, A_PERSON),
    ("rejected some time", REJECTED_NAMELESS, WAIT, SENT_ANEW, A_PERSON),
    ("absent", ABSENT, WAIT, SENT_ANEW, A_PERSON),
    ("ambiguous", AMBIGUOUS, A_PERSON, A_PERSON, A_PERSON),
    ("mismatch", MISMATCH, A_PERSON, A_PERSON, A_PERSON),
    ("unavailable", UNAVAILABLE, WAIT, A_PERSON, A_PERSON),
    ("silence", SILENCE, WAIT, A_PERSON, A_PERSON),
]
ROWS = pytest.mark.parametrize(
    ("answer", "early", "late", "late_without_proof"),
    [row[1:] for row in TABLE],
    ids=[row[0] for row in TABLE],
)
LATE_MS = 24 * 3_600_000 - 1


@ROWS
def test_while_the_attempt_may_be_sent_only_evidence_counts(
    ledger: Ledger,
    contract: ProviderContract,
    action: Action,
    row_in: RowIn,
    answer: object,
    early: tuple[Any, ...],
    late: tuple[Any, ...],
    late_without_proof: tuple[Any, ...],
) -> None:
    row_in(ledger, UNKNOWN, contract.name)
    provider = Witness(contract, answer)
    assert execute(action, ledger, provider)[1:] == early
    assert provider.sent == ([2] if early == SENT_ANEW else [])


@ROWS
def test_when_nothing_can_arrive_any_more_the_contract_says_what_absence_means(
    ledger: Ledger,
    clock: ManualClock,
    contract: ProviderContract,
    action: Action,
    row_in: RowIn,
    answer: object,
    early: tuple[Any, ...],
    late: tuple[Any, ...],
    late_without_proof: tuple[Any, ...],
) -> None:
    row_in(ledger, UNKNOWN, contract.name)
    clock.advance(LATE_MS)
    provider = Witness(contract, answer)
    expected = late if contract in (KEYED, READABLE) else late_without_proof
    assert execute(action, ledger, provider)[1:] == expected
    assert provider.sent == ([2] if expected == SENT_ANEW else [])


@ROWS
@pytest.mark.parametrize("closed", [0, 1])
def test_what_is_in_review_is_read_back_again_and_never_sent(
    ledger: Ledger,
    clock: ManualClock,
    contract: ProviderContract,
    action: Action,
    row_in: RowIn,
    closed: int,
    answer: object,
    early: tuple[Any, ...],
    late: tuple[Any, ...],
    late_without_proof: tuple[Any, ...],
) -> None:
    row = row_in(ledger, REVIEW, contract.name)
    row = ledger.change(row, REVIEW, "seen", closed=closed)
    events = ledger.events()
    clock.advance(LATE_MS)
    provider = Witness(contract, answer)
    outcome = execute(action, ledger, provider)
    assert outcome[1:] == (FOUND_IT if answer is FOUND else A_PERSON)
    assert provider.sent == []
    if answer is not FOUND:
        assert (ledger.rows(), ledger.events()) == ([row], events)


@pytest.mark.parametrize("answer", [AMBIGUOUS, MISMATCH], ids=["ambiguous", "mismatch"])
def test_every_candidate_is_named_in_the_event_and_none_is_picked(
    ledger: Ledger, contract: ProviderContract, action: Action, row_in: RowIn, answer: Readback
) -> None:
    row_in(ledger, UNKNOWN, contract.name)
    execute(action, ledger, Witness(contract, answer))
    event = ledger.events()[-1]
    assert ledger.get(action.key).receipt is None
    assert answer.verdict.value in event["evidence"]
    assert all(candidate in event["evidence"] for candidate in answer.candidates)


def test_the_reason_of_an_outage_is_kept_as_evidence(
    ledger: Ledger, clock: ManualClock, contract: ProviderContract, action: Action, row_in: RowIn
) -> None:
    row_in(ledger, UNKNOWN, contract.name)
    clock.advance(LATE_MS)
    execute(action, ledger, Witness(contract, SILENCE))
    assert ledger.events()[-1]["evidence"] == "unavailable: ReadbackUnavailable"


def test_a_rejection_of_an_older_attempt_is_not_written_down_as_proof(
    ledger: Ledger, clock: ManualClock, action: Action, row_in: RowIn
) -> None:
    row_in(ledger, UNKNOWN, "searchable")
    clock.advance(LATE_MS)
    execute(action, ledger, Witness(SEARCHABLE, REJECTED_OLDER))
    assert ledger.get(action.key).state == REVIEW
    assert "proved" not in ledger.events()[-1]["evidence"]


@pytest.mark.parametrize("contract", [KEYED, BLIND])
@pytest.mark.parametrize(
    "answer",
    [
        ValueError("not JSON"),
        TimeoutError(),
        AssertionError(),
        RecursionError(),
        None,
        "found",
        {},
        Readback("maybe", receipt="r-1"),  # type: ignore[arg-type]
    ],
    ids=lambda answer: ascii(answer)[:24],
)
def test_an_answer_that_is_none_counts_as_unavailable(
    ledger: Ledger,
    clock: ManualClock,
    contract: ProviderContract,
    action: Action,
    row_in: RowIn,
    answer: object,
) -> None:
    row_in(ledger, UNKNOWN, contract.name)
    provider = Witness(contract, answer)
    assert execute(action, ledger, provider)[1:] == WAIT
    clock.advance(LATE_MS)
    assert execute(action, ledger, provider)[1:] == A_PERSON
    assert provider.sent == []


@pytest.mark.parametrize("contract", [KEYED, SEARCHABLE])
@pytest.mark.parametrize("receipt", ["", " ", None, 0, 7, b"r", "\ud800"], ids=ascii)
def test_an_effect_without_a_receipt_settles_nothing(
    ledger: Ledger, contract: ProviderContract, action: Action, row_in: RowIn, receipt: Any
) -> None:
    row_in(ledger, UNKNOWN, contract.name)
    provider = Witness(contract, Readback(Verdict.FOUND, receipt=receipt))
    assert execute(action, ledger, provider)[1:] == A_PERSON
    assert "an effect without a receipt" in ledger.events()[-1]["evidence"]
    assert execute(action, ledger, provider)[1:] == A_PERSON
    assert provider.sent == []


@pytest.mark.parametrize("contract", [READABLE])
@pytest.mark.parametrize("odd", ["\ud800", "\udfff-1"], ids=ascii)
def test_candidates_that_cannot_be_written_down_do_not_keep_a_row_from_a_person(
    ledger: Ledger, contract: ProviderContract, action: Action, row_in: RowIn, odd: str
) -> None:
    row_in(ledger, UNKNOWN, contract.name)
    provider = Witness(contract, AMBIGUOUS._replace(candidates=("r-1", odd)))
    assert execute(action, ledger, provider)[1:] == A_PERSON


@pytest.mark.parametrize("state", [UNKNOWN, REVIEW])
def test_a_worker_that_is_stopped_during_a_readback_changes_nothing(
    ledger: Ledger, contract: ProviderContract, action: Action, row_in: RowIn, state: str
) -> None:
    row = row_in(ledger, state, contract.name)
    with pytest.raises(KeyboardInterrupt):
        execute(action, ledger, Witness(contract, KeyboardInterrupt()))
    assert ledger.rows() == [row]


@pytest.mark.parametrize("contract", [KEYED, READABLE])
def test_proof_after_proof_ends_when_the_attempts_are_used_up(
    ledger: Ledger, clock: ManualClock, contract: ProviderContract, action: Action, row_in: RowIn
) -> None:
    row = row_in(ledger, UNKNOWN, contract.name)
    ledger.change(row, UNKNOWN, "the last one", attempts_allowed=row.attempts)
    clock.advance(LATE_MS)
    provider = Witness(contract, ABSENT)
    assert execute(action, ledger, provider)[1:] == A_PERSON
    assert provider.sent == []


@pytest.mark.parametrize("contract", [replace(READABLE, in_flight_ms=None)], ids=["no bound"])
def test_absence_never_proves_anything_where_nobody_bounds_the_flight(
    ledger: Ledger, clock: ManualClock, contract: ProviderContract, action: Action, row_in: RowIn
) -> None:
    row_in(ledger, UNKNOWN, contract.name)
    clock.advance(LATE_MS)
    assert execute(action, ledger, Witness(contract, ABSENT))[1:] == A_PERSON


def test_no_verdict_is_needed_before_anything_was_begun(
    ledger: Ledger, contract: ProviderContract, action: Action
) -> None:
    provider = Witness(contract, AssertionError("nothing is to be asked"))
    ledger.prepare(action)
    assert execute(action, ledger, provider)[1:] == (SETTLED, 1, "sent", "new-1")


def test_a_blind_provider_leaves_every_silence_to_a_person(
    ledger: Ledger, clock: ManualClock, action: Action, row_in: RowIn
) -> None:
    row_in(ledger, UNKNOWN, "blind")
    clock.advance(LATE_MS)
    assert execute(action, ledger, Witness(BLIND, SILENCE))[1:] == A_PERSON
