"""More of what happened to somebody: about data, receipts, settings and what is counted."""

from pathlib import Path
from typing import Any

import pytest

from lab.faults.clock import ManualClock
from lab.gateway import (
    BLIND,
    READABLE,
    REVIEW,
    SETTLED,
    UNKNOWN,
    Action,
    DemoProvider,
    Fault,
    Ledger,
    UncanonicalPayload,
    count_duplicates,
    execute,
    payload_hash,
)


# reported: joulenap, pull request 41
def test_the_last_commits_are_not_lost_at_a_power_cut(ledger_path: Path, action: Action) -> None:
    Ledger(ledger_path).close()
    with Ledger(ledger_path) as ledger:  # what the file remembers is not enough: FULL is not in it
        assert ledger._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert ledger._db.execute("PRAGMA synchronous").fetchone() == (2,)


SAME = [({"a": 1, "b": 2}, {"b": 2, "a": 1}), ({"a": "\u00e9"}, {"a": "e\u0301"})]
DIFFERENT = [({"a": [1, 2]}, {"a": [2, 1]}), ({"a": 1}, {"a": "1"})]
REFUSED = [{"a": float("nan")}, {"a": 1.5}, {1: "a"}]


# reported: mojaloop/project#2463, ShieldCortex#202
@pytest.mark.parametrize(("one", "other"), SAME, ids=["order of names", "composed or not"])
def test_the_hash_is_of_what_is_meant_not_of_how_it_was_written(one: Any, other: Any) -> None:
    assert payload_hash("k", one) == payload_hash("k", other)


# reported: mojaloop/project#2463, ShieldCortex#202
@pytest.mark.parametrize(("one", "other"), DIFFERENT, ids=["order of a list", "number or text"])
def test_nothing_that_means_something_is_left_out_of_the_hash(one: Any, other: Any) -> None:
    assert payload_hash("k", one) != payload_hash("k", other)
    assert payload_hash("k", one) != payload_hash("another kind", one)


# reported: mojaloop/project#2463, ShieldCortex#202
@pytest.mark.parametrize("payload", REFUSED, ids=["not a number", "fraction", "name no text"])
def test_what_has_two_written_forms_is_refused_and_never_hashed(payload: Any) -> None:
    with pytest.raises(UncanonicalPayload):
        payload_hash("k", payload)


# reported: atlassian-mcp-server#132, n8n-io/n8n#19602
@pytest.mark.parametrize("contract", [READABLE, BLIND])
def test_duplicates_are_counted_at_the_provider_whatever_the_caller_believes(
    ledger: Ledger, provider: DemoProvider, action: Action
) -> None:
    provider.faults = {action.key: [Fault.SENT_TWICE]}
    outcome = execute(action, ledger, provider)
    assert (outcome.state, outcome.attempts) == (SETTLED, 1)  # the caller believes in one
    effects = [effect["key"] for effect in provider.effects()]
    assert count_duplicates(effects, [row.key for row in ledger.rows()]) == 1


# reported: several, under "falsy values"
def test_an_empty_receipt_is_a_broken_contract_then_unknown_then_review(
    ledger: Ledger, provider: DemoProvider, clock: ManualClock, action: Action
) -> None:
    provider.faults = {action.key: [Fault.EMPTY_RECEIPT]}
    assert execute(action, ledger, provider)[1:] == (UNKNOWN, 1, "hold", None)
    clock.advance(12 * 3_600_000)
    assert execute(action, ledger, provider)[1:] == (REVIEW, 1, "manual", None)
    assert len(provider.requests()) == len(provider.effects()) == 1
