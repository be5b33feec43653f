"""What the panel says of each move is what the gateway then does."""

import random

import pytest

from lab.gateway import CONTRACTS, REVIEW, TRANSITIONS, UNKNOWN, Fault
from lab.widgets.boundary import Boundary
from lab.widgets.moves import next_moves
from lab.widgets.openings import FAULTS

PRESSES = ("execute", "1 s", "61 s", "361 s", "answers", "approve")
WAIT = {"1 s": 1_000, "61 s": 61_000, "361 s": 361_000}


def judged(panel: Boundary) -> dict[tuple[str | None, str], bool]:
    """Return, for each pair of states, whether some move between them is said to be open."""
    moves = next_moves(panel.row, panel.provider.contract, panel.clock(), panel.answers)
    found: dict[tuple[str | None, str], bool] = {}
    for move in moves:
        pair = (move.source, move.target)
        found[pair] = found.get(pair, False) or move.is_open
    return found


def act(panel: Boundary, press: str) -> None:
    if press in WAIT:
        panel.choose("wait", WAIT[press])
        panel.press("pass_time")
    elif press == "answers":
        panel.choose("answers", not panel.answers)
    else:
        panel.press(press)


@pytest.mark.parametrize("contract", CONTRACTS)
@pytest.mark.parametrize("fault", FAULTS.values(), ids=list(FAULTS))
def test_the_first_move_of_a_press_was_said_to_be_open(contract: str, fault: Fault) -> None:
    made = 0
    chance = random.Random(f"{contract} {fault.name}")
    for presses in (chance.choices(PRESSES, k=5) for _ in range(60)):
        panel = Boundary("rejected")
        panel.contract, panel.fault = contract, fault
        panel.reset()
        panel.actor, panel.grounds, panel.risk = "anna", "not there", True
        for press in ("execute", *presses):
            open_before, events = judged(panel), len(panel.ledger.events())
            act(panel, press)
            new = panel.ledger.events()[events:]
            moved = [(one["source"], one["target"]) for one in new]
            first = next((pair for pair in moved if pair[0] != pair[1]), None)
            if first is not None:
                made += 1
                assert open_before[first], (presses, press, first)
    assert made


def test_every_move_of_the_table_is_judged_once_and_open_ones_come_first() -> None:
    panel = Boundary("rejected")
    panel.press("execute")
    moves = next_moves(panel.row, panel.provider.contract, 0)
    assert sorted(map(str, TRANSITIONS)) == sorted(
        str((move.source, move.on, move.target)) for move in moves
    )
    assert [move.is_open for move in moves] == sorted(
        (move.is_open for move in moves), reverse=True
    )
    assert all(move.why for move in moves)


@pytest.mark.parametrize(
    ("contract", "now", "answers", "is_open", "why"),
    [
        (
            "readable",
            60_000,
            True,
            True,
            "if it recorded that it rejected the attempt; 'not there'",
        ),
        ("readable", 60_001, True, True, "if it is not there"),
        ("readable", 60_001, False, False, "nobody can be asked"),
        ("searchable", 999_999, True, False, "'not there' is never proof"),
        ("blind", 999_999, True, False, "nobody can be asked"),
    ],
)
def test_absence_is_said_to_prove_something_only_where_and_when_it_does(
    contract: str, now: int, answers: bool, is_open: bool, why: str
) -> None:
    panel = Boundary("rejected")
    panel.choose("contract", contract)
    panel.choose("fault", Fault.REQUEST_LOST)
    panel.press("execute")
    moves = next_moves(panel.row, CONTRACTS[contract], now, answers)
    [proof] = [move for move in moves if move.on == "proved not executed"]
    assert proof.is_open is is_open
    assert proof.why.startswith(why)


@pytest.mark.parametrize(
    ("contract", "on", "state", "now", "is_open"),
    [
        ("readable", "cannot be proved", UNKNOWN, 0, False),
        ("readable", "cannot be proved", UNKNOWN, 1, True),
        ("readable", "operator approves one attempt", REVIEW, 60_000, False),
        ("readable", "operator approves one attempt", REVIEW, 60_001, True),
        ("blind", "operator approves one attempt", REVIEW, 1, True),
    ],
)
def test_a_moment_is_too_early_up_to_its_last_millisecond(
    contract: str, on: str, state: str, now: int, is_open: bool
) -> None:
    panel = Boundary("execute")
    panel.choose("contract", contract)
    panel.press("execute")
    if state == REVIEW:
        panel.press("pass_time")
        panel.press("execute")
    assert panel.row is not None
    assert panel.row.state == state
    moves = next_moves(panel.row, CONTRACTS[contract], now, answers=False)
    [move] = [move for move in moves if move.on == on and move.source == state]
    assert move.is_open is is_open


@pytest.mark.parametrize(("now", "said"), [(360_000, False), (360_001, True)])
def test_a_search_that_lags_leaves_it_to_a_person_after_its_window(now: int, said: bool) -> None:
    panel = Boundary("rejected")
    panel.choose("contract", "searchable")
    panel.choose("fault", Fault.REQUEST_LOST)
    panel.press("execute")
    moves = next_moves(panel.row, CONTRACTS["searchable"], now)
    [move] = [move for move in moves if move.on == "cannot be proved"]
    assert ("though it should be shown by now" in move.why) is said
