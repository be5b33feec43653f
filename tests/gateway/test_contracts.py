"""What providers promise, and what follows from it: contracts and verdicts are data."""

from dataclasses import FrozenInstanceError, replace

import pytest

from lab.gateway import (
    BLIND,
    CONTRACTS,
    KEYED,
    READABLE,
    SEARCHABLE,
    VERDICTS,
    Action,
    ProviderContract,
    Readback,
    Reading,
    Verdict,
    count_duplicates,
    verdict_of,
)

MINUTE_MS = 60_000
DAY_MS = 24 * 60 * MINUTE_MS


def test_the_four_contracts_promise_what_the_course_says() -> None:
    promises = {
        name: (c.deduplicates, c.keeps_reference, c.readback.value, c.in_flight_ms, c.retention_ms)
        for name, c in CONTRACTS.items()
    }
    assert promises == {
        "keyed": (True, True, "authoritative", MINUTE_MS, DAY_MS),
        "readable": (False, True, "authoritative", MINUTE_MS, None),
        "searchable": (False, False, "eventual", MINUTE_MS, None),
        "blind": (False, False, "none", None, None),
    }


def test_only_an_eventual_reading_hides_what_is_held(contract: ProviderContract) -> None:
    assert (contract.visibility_ms > 0) == (contract.readback is Reading.EVENTUAL)


@pytest.mark.parametrize(
    ("contract", "proof"),
    [
        (KEYED, True),
        (READABLE, True),
        (SEARCHABLE, False),
        (BLIND, False),
        (replace(KEYED, in_flight_ms=None), False),
        (replace(KEYED, in_flight_ms=0), True),
        (replace(KEYED, readback=Reading.EVENTUAL), False),
        (replace(KEYED, deduplicates=False), True),  # deduplication is never the proof
        (replace(BLIND, deduplicates=True, in_flight_ms=1), False),
    ],
    ids=[
        "keyed",
        "readable",
        "searchable",
        "blind",
        "no bound",
        "no flight",
        "eventual",
        "no deduplication",
        "no reading",
    ],
)
def test_absence_proves_only_where_reading_is_authoritative_and_flight_is_bounded(
    contract: ProviderContract, proof: bool
) -> None:
    assert contract.absence_is_proof is proof


@pytest.mark.parametrize(
    ("contract", "later"),
    [
        (KEYED, MINUTE_MS),
        (READABLE, MINUTE_MS),
        (SEARCHABLE, 6 * MINUTE_MS),  # on its way, and then not shown yet
        (BLIND, 0),
        (replace(READABLE, in_flight_ms=0), 0),
        (replace(SEARCHABLE, in_flight_ms=None), 5 * MINUTE_MS),
    ],
    ids=["keyed", "readable", "searchable", "blind", "no flight", "no bound"],
)
def test_the_last_moment_adds_the_flight_and_the_visibility(
    contract: ProviderContract, later: int
) -> None:
    assert contract.last_moment(1_000) == 1_000 + later


def test_a_contract_cannot_be_changed_under_way() -> None:
    with pytest.raises(FrozenInstanceError):
        KEYED.in_flight_ms = 0  # type: ignore[misc]


def test_every_verdict_has_a_decision() -> None:
    assert set(VERDICTS) == set(Verdict)


MINE = Action("a", "k", {}).hash
THEIRS = Action("a", "k", {"other": 1}).hash


@pytest.mark.parametrize(
    ("held", "rejected", "expected"),
    [
        ([], None, Readback(Verdict.ABSENT)),
        ([], 2, Readback(Verdict.PROVED_NOT_EXECUTED, attempt=2)),
        ([("r-1", MINE)], None, Readback(Verdict.FOUND, receipt="r-1")),
        ([("r-1", MINE)], 2, Readback(Verdict.FOUND, receipt="r-1")),
        ([("r-1", THEIRS)], None, Readback(Verdict.MISMATCH, candidates=("r-1",))),
        ([("r-1", THEIRS)], 2, Readback(Verdict.MISMATCH, candidates=("r-1",))),
        (
            [("r-1", MINE), ("r-2", MINE)],
            None,
            Readback(Verdict.AMBIGUOUS, candidates=("r-1", "r-2")),
        ),
        (
            [("r-1", MINE), ("r-2", THEIRS)],
            1,
            Readback(Verdict.AMBIGUOUS, candidates=("r-1", "r-2")),
        ),
        ([("", MINE)], None, Readback(Verdict.FOUND, receipt="")),
    ],
    ids=[
        "nothing",
        "a rejection",
        "one",
        "one and an older rejection",
        "other content",
        "other content and a rejection",
        "two",
        "one of two has other content",
        "without a name",
    ],
)
def test_a_verdict_follows_from_what_is_held(
    held: list[tuple[str, str]], rejected: int | None, expected: Readback
) -> None:
    assert verdict_of(Action("a", "k", {}), held, rejected) == expected


@pytest.mark.parametrize(
    ("effects", "approved", "duplicates"),
    [
        ([], [], 0),
        ([], ["a"], 0),
        (["a"], ["a"], 0),
        (["a", "b"], ["a", "b", "c"], 0),
        (["a", "a"], ["a"], 1),
        (["a", "a", "a", "b", "b"], ["a", "b"], 3),
        (["a"], [], 1),  # nobody asked for it
        (["a", "x"], ["a"], 1),  # a fresh key for an old intention
    ],
    ids=str,
)
def test_duplicates_are_effects_beyond_one_for_each_approved_key(
    effects: list[str], approved: list[str], duplicates: int
) -> None:
    assert count_duplicates(effects, approved) == duplicates
    assert count_duplicates(iter(effects), iter(approved)) == duplicates
