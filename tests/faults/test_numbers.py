"""The five numbers, on rows and effects made by hand, and on gateways that are safe and useless."""

from typing import Any

import pytest

from lab.faults.crashes import CrashExplorer, explore_crashes
from lab.faults.gateways import SAFE, Gateway
from lab.faults.numbers import (
    Numbers,
    boundaries_of,
    count,
    is_forgotten,
    is_true,
    is_used_up,
    review_is_due,
)
from lab.faults.world import ACTION, Scene, World
from lab.gateway import (
    BLIND,
    CONTRACTS,
    KEYED,
    PREPARED,
    READABLE,
    REVIEW,
    SEARCHABLE,
    SETTLED,
    UNKNOWN,
    Action,
    Ledger,
    Outcome,
    Provider,
    ProviderContract,
    Row,
)

KEY = ACTION.key
OPEN = {"state": UNKNOWN, "attempts": 1, "provider": "keyed", "send_by": 100, "retry_since": 70}


def row(**columns: Any) -> Row:
    """Make a row as `prepare` would; the rest as told."""
    known: dict[str, Any] = {
        "number": 1,
        "key": KEY,
        "kind": ACTION.kind,
        "payload_hash": ACTION.hash,
        "state": PREPARED,
        "attempts": 0,
        "attempts_allowed": 3,
        "version": 1,
        "provider": None,
        "send_by": None,
        "retry_since": None,
        "receipt": None,
        "risks_accepted": 0,
        "closed": 0,
        "updated_at": 0,
        "actor": "worker",
        "evidence": "prepared",
        "about": 0,
    }
    return Row(**{**known, **columns})


def settled(receipt: str = "r-1", **columns: Any) -> Row:
    return row(**{"state": SETTLED, "attempts": 1, "receipt": receipt, **columns})


def effect(receipt: str = "r-1", **columns: Any) -> dict[str, Any]:
    return {"receipt": receipt, "key": KEY, "payload_hash": ACTION.hash, **columns}


def test_an_action_that_is_done_once_and_settled_is_nought_everywhere() -> None:
    assert count([settled()], [effect()], [KEY]) == (0, 0, 0, 0, 0)
    assert count([], [], []) == Numbers()


def test_every_effect_beyond_one_for_an_accepted_key_is_a_duplicate() -> None:
    twice = [effect(), effect("r-2")]
    assert count([settled()], twice, [KEY]).duplicates == 1
    assert count([settled()], [*twice, effect("r-3")], [KEY]).duplicates == 2
    other = [effect(), effect("r-2", key="another:v1")]
    assert count([settled()], other, [KEY, "another:v1"]).duplicates == 0
    assert count([settled()], other, [KEY]).duplicates == 1  # nobody accepted it


def test_what_was_accepted_and_is_not_listed_is_lost() -> None:
    assert count([], [effect()], [KEY]) == Numbers(lost=1)
    assert count([settled()], [effect()], [KEY, "another:v1", "third:v1"]).lost == 2


@pytest.mark.parametrize(
    "done",
    [
        [],
        [effect("r-2")],
        [effect(key="another:v1")],
        [effect(payload_hash="of another payload")],
    ],
)
def test_a_claim_that_no_effect_bears_out_is_falsely_settled(done: list[dict[str, Any]]) -> None:
    assert count([settled()], done, [KEY]).falsely_settled == 1
    assert not is_true(settled(), done)
    assert is_true(row(**OPEN), done)  # it claims nothing


def test_a_receipt_that_names_nothing_proves_nothing() -> None:
    assert not is_true(settled(""), [effect("")])


@pytest.mark.parametrize("state", [PREPARED, UNKNOWN])
def test_what_is_at_rest_before_its_end_is_stuck(state: str) -> None:
    assert count([row(state=state)], [], [KEY]) == Numbers(stuck=1)


def test_what_waits_for_a_person_is_in_review() -> None:
    assert count([row(state=REVIEW)], [], [KEY]) == Numbers(in_review=1)


def test_several_rows_are_counted_together() -> None:
    rows = [row(key="a"), row(key="b", state=REVIEW), settled(key="c"), settled("r-4", key="d")]
    done = [effect("r-1", key="c"), effect("r-2", key="c")]
    assert count(rows, done, ["a", "b", "c", "d", "e"]) == (1, 1, 1, 1, 1)


def test_the_first_four_are_harm_and_numbers_are_added_one_by_one() -> None:
    numbers = Numbers(1, 2, 3, 4, 5)
    assert numbers.harm == (1, 2, 3, 4)
    assert numbers.plus(Numbers(10, 20, 30, 40, 50)) == (11, 22, 33, 44, 55)
    assert Numbers.names() == ("duplicates", "lost", "falsely settled", "stuck", "in review")


# --- review: only where the readback table says so

NOT_PROVED = row(**{**OPEN, "state": REVIEW})


@pytest.mark.parametrize(
    ("contract", "done", "due"),
    [
        (KEYED, [], False),  # its absence is proof
        (KEYED, [effect()], False),  # readback finds it
        (KEYED, [effect("")], True),  # it is there, and has no name
        (READABLE, [], False),
        (READABLE, [effect()], False),
        (READABLE, [effect("")], True),
        (SEARCHABLE, [], True),  # not shown is no proof
        (SEARCHABLE, [effect()], False),  # the search shows it
        (SEARCHABLE, [effect("")], True),
        (BLIND, [], True),  # nobody can be asked
        (BLIND, [effect()], True),
    ],
)
def test_an_open_attempt_is_for_a_person_where_readback_cannot_tell(
    contract: ProviderContract, done: list[dict[str, Any]], due: bool
) -> None:
    assert review_is_due(NOT_PROVED, contract, done) is due


@pytest.mark.parametrize("contract", CONTRACTS.values())
def test_it_is_for_a_person_where_the_provider_is_silent_or_shows_others(
    contract: ProviderContract,
) -> None:
    assert review_is_due(NOT_PROVED, contract, [effect()], unreadable=True)
    assert review_is_due(NOT_PROVED, contract, [effect()], in_doubt=True)


@pytest.mark.parametrize(
    ("columns", "done", "due"),
    [
        ({"attempts": 3}, [], True),  # used up, and every attempt proved
        ({"attempts": 2}, [], False),  # one is left
        ({"attempts": 1, "attempts_allowed": 1}, [], True),  # refused for good
        ({"attempts": 3}, [effect()], False),  # somebody took an effect for no effect
        ({"attempts": 3, "risks_accepted": 1}, [effect()], True),  # a person took that risk
    ],
)
def test_a_closed_attempt_is_for_a_person_where_no_other_may_follow(
    columns: dict[str, int], done: list[dict[str, Any]], due: bool
) -> None:
    assert review_is_due(row(state=REVIEW, **columns), READABLE, done) is due


def test_no_other_attempt_may_follow_where_the_key_may_be_forgotten() -> None:
    retention = KEYED.retention_ms
    assert retention is not None
    in_time = row(state=REVIEW, attempts=1, retry_since=50, updated_at=50 + retention - 1)
    late = in_time._replace(updated_at=50 + retention)
    assert (is_forgotten(in_time, KEYED), is_forgotten(late, KEYED)) == (False, True)
    assert (review_is_due(in_time, KEYED, []), review_is_due(late, KEYED, [])) == (False, True)
    assert not is_forgotten(late, READABLE)  # which never promised to remember
    assert not is_forgotten(late._replace(retry_since=None), KEYED)


def test_attempts_are_used_up_at_the_number_that_is_allowed() -> None:
    assert [is_used_up(row(attempts=made)) for made in (2, 3, 4)] == [False, True, True]


@pytest.mark.parametrize(
    ("contract", "moments"),
    [
        (KEYED, (100, 101, 60_100, 60_101, 60_100, 60_101)),
        (SEARCHABLE, (100, 101, 60_100, 60_101, 360_100, 360_101)),
        (BLIND, (100, 101, 100, 101, 100, 101)),
    ],
)
def test_the_boundaries_of_an_open_attempt(
    contract: ProviderContract, moments: tuple[int, ...]
) -> None:
    assert boundaries_of(row(**OPEN), contract) == moments


# --- sending nothing is safe, and must not pass


def report_and_do_nothing(action: Action, ledger: Ledger, *_: object) -> Outcome:
    ledger.find(action)
    return Outcome(action.key, REVIEW, 0, "manual", None)


def prepare_and_wait(action: Action, ledger: Ledger, *_: object) -> Outcome:
    return Outcome.of(ledger.prepare(action), "hold")


def begin_and_wait(action: Action, ledger: Ledger, provider: Provider, *_: object) -> Outcome:
    held = ledger.find(action)
    return Outcome.of(held or ledger.begin(action, None, provider.contract.name), "hold")


def call_a_person_at_once(action: Action, ledger: Ledger, *_: object) -> Outcome:
    held = ledger.prepare(action)
    if held.state == PREPARED:
        held = ledger.change(held, REVIEW, "to be on the safe side")
    return Outcome.of(held, "manual")


def refuse_everything(*_: object) -> Outcome:
    raise RuntimeError("not today")


@pytest.mark.parametrize("contract", CONTRACTS)
@pytest.mark.parametrize(
    ("useless", "number"),
    [
        (report_and_do_nothing, "lost"),
        (prepare_and_wait, "stuck"),
        (begin_and_wait, "stuck"),
        (call_a_person_at_once, "stuck"),
        (refuse_everything, "stuck"),
    ],
)
def test_a_gateway_that_never_sends_shows_it(useless: Any, number: str, contract: str) -> None:
    gateway = Gateway("useless", "never sends", dispatch=useless)
    with World(Scene(contract, ("NONE",)), gateway) as world:
        [found] = CrashExplorer(world).explore(0)
        assert world.provider.requests() == []
    assert found.numbers.duplicates == 0
    assert found.numbers[Numbers._fields.index(number)] > 0
    assert found.failed == found.runs == 1


def never_again(action: Action, held: Row | None, ledger: Ledger, *rest: Any) -> Outcome | None:
    """Send once; whatever is proved, a second attempt is left to a person."""
    if held is not None and held.attempts:
        return Outcome.of(ledger.change(held, REVIEW, "once is enough"), "manual")
    return SAFE.attempt(action, held, ledger, *rest)


def test_a_gateway_that_leaves_to_a_person_what_it_could_do_is_stuck() -> None:
    timid = Gateway("timid", "never tries again", attempt=never_again)
    by_scene = {
        str(scene): found.numbers for scene, found in explore_crashes(timid, ["readable"], 0)
    }
    for fault, stuck in (("NONE", 0), ("REQUEST_LOST", 1), ("REFUSED", 1), ("REJECTED", 0)):
        numbers = by_scene[f"readable {fault} plain new"]
        assert numbers.harm == (0, 0, 0, stuck), fault
    assert {numbers.duplicates for numbers in by_scene.values()} == {0}


def deaf(action: Action, held: Row, *_: Any) -> Outcome:
    """Found, and not kept."""
    return Outcome.of(held, "hold")


def test_a_gateway_that_does_not_take_the_evidence_it_could_have_is_stuck() -> None:
    verdicts = dict.fromkeys(SAFE.verdicts, deaf)
    gateway = Gateway("deaf", "never learns", verdicts=verdicts)
    for contract in CONTRACTS:
        with World(Scene(contract, ("RESPONSE_LOST",)), gateway) as world:
            [found] = CrashExplorer(world).explore(0)
        assert found.numbers == Numbers(stuck=1), contract
