"""The self-test: what it finds out about a provider, and what is left of the contract."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from lab.faults.clock import ManualClock
from lab.gateway import (
    BLIND,
    CONTRACTS,
    KEYED,
    SEARCHABLE,
    Action,
    DemoProvider,
    Provider,
    ProviderContract,
    Readback,
    ReadbackUnavailable,
    Reading,
    Verdict,
    execute,
)
from lab.gateway.ledger import Ledger
from lab.operations.http_adapter import HttpAdapter
from lab.operations.http_contract import HTTP_CONTRACTS, KEY_HEADER, HttpContract
from lab.operations.http_provider import HttpProvider
from lab.operations.http_records import FINE, RESPONSE_DROPPED, answered
from lab.operations.selftest import GRACE_MS, PROMISES, Finding, Grade, downgraded, selftest
from tests.operations.boundary import adapter_to
from tests.operations.conftest import ACTION

EVERY = pytest.mark.parametrize("contract", HTTP_CONTRACTS.values(), ids=HTTP_CONTRACTS)
ONE_EFFECT, SAME_CONTENT = "one key, one effect", "a key keeps its content"
SHOWN, KEPT_KEY = "what was done is shown in time", "the key is kept with the effect"
FOUND_LATER, NOT_MADE_UP = "what was done is found in time", "what was never sent is not shown"
TRIED = {
    "keyed": {ONE_EFFECT, SAME_CONTENT, SHOWN, KEPT_KEY, NOT_MADE_UP},
    "readable": {SHOWN, KEPT_KEY, NOT_MADE_UP},
    "searchable": {FOUND_LATER, NOT_MADE_UP},
    "blind": set[str](),
}


def grades(provider: Provider, clock: ManualClock) -> dict[str, Grade]:
    return {one.promise: one.grade for one in selftest(provider, clock.advance, "run-1")}


def left_of(provider: Provider, clock: ManualClock) -> HttpContract:
    return downgraded(provider.contract, selftest(provider, clock.advance, "run-1"))


@EVERY
def test_a_provider_that_keeps_its_contract_keeps_all_of_it(
    contract: ProviderContract, clock: ManualClock
) -> None:
    with HttpProvider(":memory:", contract, clock) as provider:
        adapter = adapter_to(provider)
        findings = selftest(adapter, clock.advance)
        assert {one.grade for one in findings} <= {Grade.KEPT}
        assert downgraded(adapter.contract, findings) == adapter.contract == contract
        tried = {one.promise for one in findings}
    assert tried == TRIED[contract.name]


def test_a_provider_that_promises_nothing_is_sent_nothing(clock: ManualClock) -> None:
    with HttpProvider(":memory:", HTTP_CONTRACTS["blind"], clock) as provider:
        assert selftest(adapter_to(provider), clock.advance) == ()
        assert provider.requests() == []


def test_what_it_sends_is_clearly_a_test_and_its_own_in_every_run(clock: ManualClock) -> None:
    with HttpProvider(":memory:", HTTP_CONTRACTS["keyed"], clock) as provider:
        for _ in range(2):
            selftest(adapter_to(provider), clock.advance)
        keys = {effect["key"] for effect in provider.effects()}
        assert all(key.startswith("selftest:") for key in keys)
        assert len(keys) == len(provider.effects())


class Dropped(HttpAdapter):
    """An adapter that takes the key, and never passes it on."""

    def _exchange(self, method: str, path: str, name: str, headers: Any, body: bytes = b"") -> Any:
        sent = {header: value for header, value in headers.items() if header != KEY_HEADER}
        return super()._exchange(method, path, name, sent, body)


# reported: intuit/QuickBooks-V3-PHP-SDK#352, agentmail-mcp#49
def test_a_key_that_is_never_forwarded_is_found_out_and_the_contract_downgraded(
    clock: ManualClock,
) -> None:
    with HttpProvider(":memory:", HTTP_CONTRACTS["keyed"], clock) as provider:
        adapter = Dropped(provider.address, provider.contract, provider.token)
        findings = selftest(adapter, clock.advance)
        broken = {one.promise: one for one in findings if one.grade is Grade.BROKEN}
        assert broken.keys() == {ONE_EFFECT, SAME_CONTENT, SHOWN, KEPT_KEY}
        assert "gave the receipts keyed-1 and keyed-2" in broken[ONE_EFFECT].seen
        assert "does the key arrive?" in broken[KEPT_KEY].seen
        left = downgraded(adapter.contract, findings)
    assert (left.deduplicates, left.keeps_reference, left.readback) == (False, False, Reading.NONE)
    assert left.retention_ms is None
    assert len(left.withdrawn) == 4
    assert all(sentence.split(":")[0] in broken for sentence in left.withdrawn)


def test_with_the_contract_that_is_left_a_silence_goes_to_a_person(clock: ManualClock) -> None:
    troubles = {ACTION.key: [RESPONSE_DROPPED]}
    with HttpProvider(":memory:", HTTP_CONTRACTS["keyed"], clock, troubles) as provider:
        left = left_of(Dropped(provider.address, provider.contract, provider.token), clock)
        adapter = Dropped(provider.address, left, provider.token)
        with Ledger(":memory:", clock) as ledger:
            paths = []
            for _ in range(3):
                paths.append(execute(ACTION, ledger, adapter).path)
                clock.advance(600_000)
    assert paths == ["hold", "manual", "manual"]


class Double:
    """A provider of a claimed contract, whose two calls are a demo provider's, or other ones."""

    def __init__(self, contract: ProviderContract, real: DemoProvider, **calls: Any) -> None:
        self.contract = contract
        self.perform, self.readback = real.perform, real.readback
        vars(self).update(calls)


@pytest.fixture
def plain(clock: ManualClock) -> Iterator[DemoProvider]:
    """Return a provider that keeps our key, and does not deduplicate."""
    with DemoProvider(":memory:", CONTRACTS["readable"], clock) as opened:
        yield opened


def test_a_provider_that_only_says_it_deduplicates_is_read_and_not_sent_to_twice(
    plain: DemoProvider, clock: ManualClock
) -> None:
    left = left_of(Double(KEYED, plain), clock)
    assert not left.deduplicates
    assert (left.readback, left.keeps_reference) == (Reading.AUTHORITATIVE, True)
    assert [sentence.split(":")[0] for sentence in left.withdrawn] == [ONE_EFFECT, SAME_CONTENT]


def test_the_same_receipt_twice_does_not_hide_two_effects(
    plain: DemoProvider, clock: ManualClock
) -> None:
    def same(action: Action, attempt: int) -> str:
        plain.perform(action, attempt)
        return "always this"

    findings = selftest(Double(KEYED, plain, perform=same), clock.advance)
    assert findings[0].grade is Grade.BROKEN
    assert findings[0].seen.endswith("what is held is ambiguous")


def test_one_effect_under_two_names_is_not_what_was_promised(
    plain: DemoProvider, clock: ManualClock
) -> None:
    def renamed(action: Action, attempt: int) -> str:
        if attempt == 1:
            plain.perform(action, attempt)
        return f"name-{attempt}"

    findings = selftest(Double(KEYED, plain, perform=renamed), clock.advance)
    assert findings[0].grade is Grade.BROKEN
    assert findings[0].seen.endswith("the receipts name-1 and name-2; what is held is found")


def test_a_readback_that_is_late_is_evidence_and_no_proof(clock: ManualClock) -> None:
    late = replace(CONTRACTS["readable"], visibility_ms=GRACE_MS)
    with DemoProvider(":memory:", late, clock) as provider:
        left = left_of(Double(CONTRACTS["readable"], provider), clock)
    assert (left.readback, left.keeps_reference) == (Reading.EVENTUAL, True)
    assert not left.absence_is_proof


def test_a_search_that_outlasts_its_window_is_not_asked(clock: ManualClock) -> None:
    later = replace(SEARCHABLE, visibility_ms=2 * SEARCHABLE.visibility_ms)
    with DemoProvider(":memory:", later, clock) as provider:
        left = left_of(Double(SEARCHABLE, provider), clock)
    assert (left.readback, left.visibility_ms) == (Reading.NONE, 0)


def test_a_readback_that_says_yes_to_everything_is_not_asked(
    plain: DemoProvider, clock: ManualClock
) -> None:
    def yes(action: Action) -> Readback:
        return Readback(Verdict.FOUND, receipt="not what was given")

    said = grades(Double(CONTRACTS["readable"], plain, readback=yes), clock)
    assert (said[NOT_MADE_UP], said[SHOWN]) == (Grade.BROKEN, Grade.BROKEN)
    assert left_of(Double(CONTRACTS["readable"], plain, readback=yes), clock).readback is (
        Reading.NONE
    )


def test_what_could_not_be_tried_is_not_relied_on(plain: DemoProvider, clock: ManualClock) -> None:
    def closed(*_: object) -> None:
        raise ReadbackUnavailable("closed on Sundays")

    double = Double(CONTRACTS["readable"], plain, readback=closed)
    findings = selftest(double, clock.advance)
    assert {one.grade for one in findings} == {Grade.UNSEEN}
    assert all("closed on Sundays" in one.seen for one in findings)
    assert downgraded(double.contract, findings).readback is Reading.NONE


def test_turned_away_for_another_reason_is_no_refusal_of_other_content(
    clock: ManualClock,
) -> None:
    script = {"selftest:run-1:other-content": [FINE, answered(429)]}
    with HttpProvider(":memory:", HTTP_CONTRACTS["keyed"], clock, script) as provider:
        assert grades(adapter_to(provider), clock)[SAME_CONTENT] is Grade.UNSEEN


def test_a_provider_that_is_not_there_ends_with_the_blind_contract(clock: ManualClock) -> None:
    with HttpProvider(":memory:", HTTP_CONTRACTS["keyed"], clock) as provider:
        adapter = adapter_to(provider)
    left = left_of(adapter, clock)
    known = ("readback", "deduplicates", "keeps_reference", "visibility_ms", "retention_ms")
    assert [getattr(left, name) for name in known] == [getattr(BLIND, name) for name in known]
    assert left.in_flight_ms == KEYED.in_flight_ms  # nothing was found out about that


def test_where_the_key_is_not_kept_neither_is_what_rests_on_it() -> None:
    keyed = HTTP_CONTRACTS["keyed"]
    left = downgraded(keyed, (Finding(KEPT_KEY, Grade.BROKEN, "it is lost"),))
    assert left == replace(
        keyed,
        deduplicates=False,
        retention_ms=None,
        readback=Reading.NONE,
        keeps_reference=False,
        withdrawn=(f"{KEPT_KEY}: broken; it is lost",),
    )


@EVERY
def test_no_finding_makes_a_contract_better(contract: HttpContract) -> None:
    def worth(one: ProviderContract) -> tuple[int, bool, bool]:
        readings = [Reading.NONE, Reading.EVENTUAL, Reading.AUTHORITATIVE]
        return readings.index(one.readback), one.keeps_reference, one.deduplicates

    for number in range(1 << len(PROMISES)):
        some = [promise for bit, promise in enumerate(PROMISES) if number >> bit & 1]
        left = downgraded(contract, tuple(Finding(one.name, Grade.BROKEN, "no") for one in some))
        assert all(less <= more for less, more in zip(worth(left), worth(contract), strict=True))
        assert bool(left.withdrawn) == any(promise.made(contract) for promise in some)
