"""Lesson 13's `meaning` says the same as `lab.operations`, whatever happened and is promised."""

from itertools import chain, combinations

import pytest

from lab.exercises.asked.meaning import PROMISES, meaning
from lab.gateway import BLIND
from lab.operations.http_contract import over_http
from lab.operations.http_meaning import Happened, Phase
from lab.operations.http_meaning import meaning as full_meaning

SUBSETS = list(chain.from_iterable(combinations(PROMISES, size) for size in range(4)))


@pytest.mark.parametrize("promises", SUBSETS, ids=lambda given: " ".join(given) or "none")
def test_the_lessons_meaning_is_the_adapters_for_everything_that_can_happen(
    promises: tuple[str, ...],
) -> None:
    contract = over_http(BLIND, **{name: name in promises for name in PROMISES})
    for phase in Phase:
        for status in (None, *range(100, 600)):
            for receipt in (None, "mail-7"):
                kind = full_meaning(Happened(phase, status, receipt), contract).kind
                word = meaning(phase.name.lower(), status, receipt, promises)
                assert word == kind.name.lower(), (phase, status, receipt)
