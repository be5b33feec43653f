"""What happened on the wire, and what it means: the table, row by row and fact by fact."""

from collections.abc import Iterable
from dataclasses import fields, replace

import pytest

from lab.gateway import BLIND, CONTRACTS, KEYED, NotExecuted, ProviderContract, ResponseLost
from lab.operations.http_contract import HTTP_CONTRACTS, HttpContract, over_http
from lab.operations.http_meaning import RULES, Happened, Kind, Phase, meaning, receipt_of

NOTHING_PROMISED = over_http(replace(KEYED, rate_limit_first=False))
ALL_PROMISED = over_http(KEYED, validates_first=True, busy_first=True, stores_errors=True)
DEFINITE = {
    **dict.fromkeys((400, 401, 403, 404, 422), (Kind.FINAL, "validates_first")),
    429: (Kind.RETRYABLE, "rate_limit_first"),
    503: (Kind.RETRYABLE, "busy_first"),
}
"""Every status that can be definite, what it is then, and the fact that this rests on."""


def answered(status: int, receipt: str | None = None) -> Happened:
    return Happened(Phase.ANSWERED, status, receipt)


def test_before_the_first_byte_nothing_can_have_happened_whatever_the_contract() -> None:
    for contract in (NOTHING_PROMISED, ALL_PROMISED, over_http(BLIND)):
        assert meaning(Happened(Phase.BEFORE), contract).kind is Kind.RETRYABLE


@pytest.mark.parametrize("phase", [Phase.SENDING, Phase.WAITING, Phase.READING])
@pytest.mark.parametrize("status", [None, 200, 400, 429])
def test_after_the_first_byte_only_a_whole_answer_is_evidence(
    phase: Phase, status: int | None
) -> None:
    happened = Happened(phase, status, receipt="keyed-1")
    assert meaning(happened, ALL_PROMISED).kind is Kind.INDEFINITE


def test_a_200_is_accepted_by_its_receipt_and_not_by_its_status() -> None:
    accepted = meaning(answered(200, "keyed-1"), NOTHING_PROMISED)
    assert (accepted.kind, accepted.receipt) == (Kind.ACCEPTED, "keyed-1")
    nothing = meaning(answered(200), ALL_PROMISED)
    assert (nothing.kind, nothing.receipt) == (Kind.INDEFINITE, None)


def test_every_other_status_is_indefinite_unless_a_fact_of_the_contract_says_otherwise() -> None:
    for status in range(100, 600):
        kind, fact = DEFINITE.get(status, (Kind.INDEFINITE, ""))
        happened = answered(status, "keyed-1" if status != 200 else None)
        assert meaning(happened, NOTHING_PROMISED).kind is Kind.INDEFINITE
        assert meaning(happened, ALL_PROMISED).kind is kind
        if fact:
            assert meaning(happened, replace(NOTHING_PROMISED, **{fact: True})).kind is kind
            without = meaning(happened, replace(ALL_PROMISED, **{fact: False}))
            assert without.kind is Kind.INDEFINITE


@pytest.mark.parametrize(
    ("statuses", "why"),
    [
        ((200,), "it names no effect"),
        (range(300, 400), "would be a second send"),
        ((409,), "still being worked on"),
        ((500, 502, 504), "it broke on the way"),
        ((100, 201, 299, 402, 418, 451, 501, 505, 599), "no contract says what this means"),
    ],
)
def test_what_is_indefinite_whatever_the_contract_says_why(
    statuses: Iterable[int], why: str
) -> None:
    assert all(why in meaning(answered(status), ALL_PROMISED).reason for status in statuses)


def test_a_receipt_beside_an_error_is_none() -> None:
    for status in (*range(100, 200), *range(201, 600)):
        assert meaning(answered(status, "keyed-1"), ALL_PROMISED).receipt is None


def test_each_row_says_why_in_words_and_also_why_not_where_it_rests_on_a_fact() -> None:
    facts = {field.name for field in fields(HttpContract)}
    for rule in RULES:
        assert rule.reason
        assert bool(rule.needs) == bool(rule.otherwise)
        assert not rule.needs or rule.needs in facts
    assert {rule.phase for rule in RULES} == set(Phase)


def test_every_row_is_there_for_something() -> None:
    seen = [Happened(phase) for phase in Phase]
    seen += [answered(status, receipt) for status in range(100, 600) for receipt in (None, "r-1")]
    used = {next(rule for rule in RULES if rule.covers(happened)) for happened in seen}
    assert used == set(RULES)


@pytest.mark.parametrize(
    ("happened", "error", "retryable"),
    [
        (Happened(Phase.BEFORE), NotExecuted, True),
        (answered(400), NotExecuted, False),
        (answered(429), NotExecuted, True),
        (answered(500), ResponseLost, None),
        (Happened(Phase.WAITING, cause="TimeoutError"), ResponseLost, None),
    ],
    ids=lambda value: str(value),
)
def test_the_gateway_hears_a_meaning_as_one_of_its_own_errors(
    happened: Happened, error: type[Exception], retryable: bool | None
) -> None:
    with pytest.raises(error) as raised:
        receipt_of(happened, ALL_PROMISED)
    assert getattr(raised.value, "retryable", None) is retryable
    assert meaning(happened, ALL_PROMISED).reason in str(raised.value)


def test_the_error_holds_what_support_will_ask_for() -> None:
    happened = answered(429)._replace(retry_after_ms=3_000, answer_id="req-7")
    with pytest.raises(NotExecuted, match=r"^429, req-7, retry after 3000 ms: turned away"):
        receipt_of(happened, ALL_PROMISED)


@pytest.mark.parametrize("contract", CONTRACTS.values(), ids=CONTRACTS)
def test_a_contract_keeps_all_it_promised_when_facts_about_http_are_added(
    contract: ProviderContract,
) -> None:
    http = over_http(contract, stores_errors=True)
    for field in fields(contract):
        assert getattr(http, field.name) == getattr(contract, field.name)
    assert (http.validates_first, http.busy_first, http.stores_errors) == (False, False, True)
    assert over_http(http) == http
    assert HTTP_CONTRACTS[contract.name] == over_http(contract, validates_first=True)


def test_a_fact_that_there_is_not_is_refused() -> None:
    with pytest.raises(TypeError, match="always_works"):
        over_http(KEYED, always_works=True)
