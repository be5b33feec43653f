"""The whole of what is explored: no harm, anywhere, and a review only where the table asks."""

from pathlib import Path

import pytest

from lab.faults.explore import PARTS, Part
from lab.faults.findings import Findings
from lab.faults.gateways import SAFE
from lab.gateway import CONTRACTS

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")


@pytest.mark.parametrize("contract", CONTRACTS)
@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.kind)
def test_no_run_does_harm(part: Part, contract: str) -> None:
    found = Findings()
    for _, of_scene in part.explore(SAFE, contracts=[contract]):
        found = found.plus(of_scene)
    assert found.failed == 0
    assert found.numbers.harm == (0, 0, 0, 0)
    assert found.numbers.in_review < found.runs, "some runs come to a good end by themselves"
    assert found.runs > 10_000
    assert f"{found.numbers.in_review:,}" in README, (
        "the figures in the README are of another gateway"
    )
