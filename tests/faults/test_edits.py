"""Unsafe edits: each is caught by the number it names, in a run that can be told again."""

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from lab.faults.crashes import CrashExplorer, explore_crashes
from lab.faults.edits import EDITS
from lab.faults.explore import shortest, shortest_of
from lab.faults.findings import Findings
from lab.faults.gateways import SAFE, Around, Gateway, unsafe
from lab.faults.numbers import Numbers
from lab.faults.schedules import ScheduleExplorer
from lab.faults.story import LIVES, STEPS, Line, replay
from lab.faults.world import Scene, World
from lab.gateway import Verdict

NAMES = (
    "no_hash_check",
    "hash_ignores_kind",
    "fresh_key_per_attempt",
    "nothing_before_the_call",
    "unknown_after_failure",
    "only_response_lost_caught",
    "silence_is_failure",
    "resend_before_readback",
    "review_resent",
    "settled_resent",
    "blind_retry",
    "absence_is_proof_at_once",
    "in_flight_forgotten",
    "proof_at_the_last_moment",
    "send_by_ignored",
    "first_candidate_picked",
    "payload_unchecked",
    "old_refusal_closes_the_new",
    "change_without_version",
    "late_receipt_dropped",
    "operator_does_not_wait",
)
# What no single worker can show, however often it dies: the scene, and how many moves it takes,
# up to the last one that anybody chooses.
IN_ORDERS = {
    "send_by_ignored": ("readable LATE plain new", 6),
    "change_without_version": ("readable NONE plain prepared", 6),
    "late_receipt_dropped": ("blind NONE plain new", 12),
    "operator_does_not_wait": ("readable LATE silent new", 11),
}
PARTS = ("ledger", "attempt", "verdicts", "dispatch", "desk")
# The others show with one provider, that stores our key and keeps nobody from sending twice; but
# one of several candidates is met where only the content can be searched for.
SEARCHED = {"first_candidate_picked", "absence_is_proof_at_once"}


def number_of(gateway: Gateway) -> int:
    return Numbers.names().index(gateway.number)


@functools.cache
def caught(name: str) -> Line:
    """Return the shortest run that shows an edit's number."""
    gateway = EDITS[name]
    which = number_of(gateway)
    if name in IN_ORDERS:
        scene, at_most = Scene.read(IN_ORDERS[name][0]), IN_ORDERS[name][1]
        found = [(scene, in_every_order(scene, gateway, at_most))]
        line = shortest_of(STEPS, found, gateway, which)
    else:
        contract = "searchable" if name in SEARCHED else "readable"
        found = list(explore_crashes(gateway, [contract], crashes=1))
        line = shortest_of(LIVES, found, gateway, which)
    assert line is not None, f"no run shows {gateway.number}"
    return line


def in_every_order(scene: Scene, gateway: Gateway, at_most: int) -> Findings:
    with World(scene, gateway) as world:
        return ScheduleExplorer(world).explore(at_most=at_most)


def with_one_crash(scene: Scene, gateway: Gateway) -> Findings:
    with World(scene, gateway) as world:
        return CrashExplorer(world).explore(1)[1]


def changed_parts(gateway: Gateway) -> list[str | Verdict]:
    """Name the parts in which a gateway differs from the safe one; of verdicts, which."""
    changed: list[str | Verdict] = [
        part
        for part in PARTS
        if part != "verdicts" and getattr(gateway, part) is not getattr(SAFE, part)
    ]
    assert gateway.verdicts.keys() == SAFE.verdicts.keys()
    return changed + [
        verdict for verdict in Verdict if gateway.verdicts[verdict] is not SAFE.verdicts[verdict]
    ]


def mended(gateway: Gateway) -> Gateway:
    """Put back the one part that the edit replaced."""
    [part] = changed_parts(gateway)
    if isinstance(part, Verdict):
        verdicts: Mapping[Verdict, Any] = {**gateway.verdicts, part: SAFE.verdicts[part]}
        return gateway._replace(verdicts=verdicts)
    return gateway._replace(**{part: getattr(SAFE, part)})


def test_no_edit_is_missing() -> None:
    assert tuple(EDITS) == NAMES


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_is_one_mistake_in_one_part_with_a_sentence_and_a_number(name: str) -> None:
    gateway = EDITS[name]
    assert gateway.name == name
    assert len(changed_parts(gateway)) == 1
    assert gateway.number in Numbers.names()[:4]
    assert gateway.wrong.endswith(".")
    assert len(gateway.wrong.split()) > 10
    assert not gateway.wrong.startswith(" ")
    assert "  " not in gateway.wrong


def test_no_two_edits_say_or_do_the_same() -> None:
    assert len({gateway.wrong for gateway in EDITS.values()}) == len(EDITS)
    assert len({(*gateway[3:4], *map(repr, gateway[4:])) for gateway in EDITS.values()}) == len(
        EDITS
    )


def test_the_safe_gateway_is_the_real_one() -> None:
    assert changed_parts(SAFE) == []
    assert (SAFE.name, SAFE.number) == ("none", "")
    assert SAFE.name not in EDITS


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_is_caught_by_its_number_in_a_run_that_can_be_told_again(name: str) -> None:
    line = caught(name)
    assert line.gateway is EDITS[name]
    assert line.kind == (STEPS if name in IN_ORDERS else LIVES)
    again = Line.read(str(line))
    assert again == line
    assert replay(again).numbers[number_of(EDITS[name])] > 0


@pytest.mark.parametrize("name", EDITS)
def test_the_same_run_does_no_harm_once_the_edit_is_undone(name: str) -> None:
    line = caught(name)
    healthy = mended(EDITS[name])
    assert changed_parts(healthy) == []
    found = (
        in_every_order(line.scene, healthy, IN_ORDERS[name][1])
        if name in IN_ORDERS
        else with_one_crash(line.scene, healthy)
    )
    assert (found.numbers.harm, found.failed) == ((0, 0, 0, 0), 0)
    assert found.runs > 5


@pytest.mark.parametrize("name", IN_ORDERS)
def test_one_worker_alone_does_not_show_what_it_takes_two_for(name: str) -> None:
    scene = Scene.read(IN_ORDERS[name][0])
    assert with_one_crash(scene, EDITS[name]).failed == 0


@pytest.mark.parametrize("name", IN_ORDERS)
def test_fewer_moves_do_not_show_it(name: str) -> None:
    scene, moves = IN_ORDERS[name]
    fewer = in_every_order(Scene.read(scene), EDITS[name], moves - 1)
    assert fewer.numbers[number_of(EDITS[name])] == 0


@pytest.mark.parametrize("name", ["nothing_before_the_call", "change_without_version"])
def test_the_shortest_run_is_found_in_all_scenes_crashes_first(name: str) -> None:
    line = shortest(EDITS[name])
    assert line is not None
    assert line.kind == caught(name).kind
    assert len(line.moves) <= len(caught(name).moves)
    assert replay(line).numbers[number_of(EDITS[name])] > 0


def test_no_run_is_found_where_there_is_none() -> None:
    found = list(explore_crashes(SAFE, ["blind"], crashes=1))
    assert shortest_of(LIVES, found, SAFE, 0) is None


def test_an_edit_is_registered_under_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(EDITS, "blind_retry")
    replacement = unsafe("blind_retry", "stuck", "It is wrong.", part=Verdict.FOUND)(explode)
    assert replacement is explode
    edit = EDITS["blind_retry"]
    assert (edit.name, edit.number, edit.wrong) == ("blind_retry", "stuck", "It is wrong.")
    assert changed_parts(edit) == [Verdict.FOUND]


def explode(*_: object) -> None:
    raise RuntimeError


def test_what_stands_around_another_passes_on_all_else() -> None:
    assert Around("text").upper() == "TEXT"
    with pytest.raises(AttributeError):
        Around("text").no_such_thing()


def test_the_readme_says_how_many_there_are() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    assert f"there are {len(EDITS)} **unsafe edits**" in readme
