"""What the explorer's tables say of a run, and of a gateway's five lines, word for word."""

from pathlib import Path

import pytest

from lab.faults.crashes import crash_at
from lab.faults.edits import EDITS, SAFE
from lab.faults.gateways import Gateway
from lab.faults.hostile import judge
from lab.faults.story import Line, replay
from lab.faults.world import Scene
from lab.widgets.retold import ends, verdict

RECOGNISED = "It knows a key that it saw before: a second request made no second effect."


@pytest.mark.parametrize(
    ("gateway", "note"),
    [(EDITS["blind_retry"], RECOGNISED), (SAFE, ""), (EDITS["fresh_key_per_attempt"], "")],
    ids=lambda one: one.name if isinstance(one, Gateway) else "",
)
def test_only_a_second_request_without_a_second_effect_is_said_to_be_recognised(
    tmp_path: Path, gateway: Gateway, note: str
) -> None:
    _, holds = ends(judge(tmp_path, gateway))
    assert holds.title == "What the provider holds: keyed"
    assert holds.note == note


@pytest.mark.parametrize(
    ("gateway", "contract", "said"),
    [
        (SAFE, "readable", "SETTLED, 1 effect. The four numbers that have to be 0 are 0."),
        (SAFE, "blind", "REVIEW, 1 effect. It is left to a person."),
        (EDITS["blind_retry"], "blind", "duplicates 1. That has to be 0."),
    ],
)
def test_a_run_is_summed_up_by_its_state_and_effects_or_by_its_harm(
    gateway: Gateway, contract: str, said: str
) -> None:
    scene = Scene(contract)
    moves = crash_at("after provider.perform", scene, gateway)
    assert moves is not None
    told = replay(Line("lives", gateway, scene, moves))
    assert verdict(told).startswith(f"In the end: {said}")
