"""The boundary panel's desk: what a person may decide, and what it costs."""

import pytest

from lab.gateway import REVIEW, Fault
from lab.widgets.boundary import Boundary
from tests.widgets.pressing import in_review, pressed, world


def test_the_desk_opens_when_a_person_is_needed_and_closes_when_not() -> None:
    panel = Boundary("execute")
    assert not panel.shows("desk")
    assert not pressed(panel, "execute").shows("desk")
    assert pressed(panel, "1 s", "execute").shows("desk")
    assert panel.shows("calls")


def test_a_person_who_looks_too_early_is_refused_and_later_approves_one_attempt() -> None:
    panel = pressed(in_review(), "approve")
    assert panel.happened.startswith("Refused: the open attempt may arrive until 60000 ms")
    pressed(panel, "61 s", "approve")
    assert panel.happened == "anna approved exactly one more attempt: PREPARED. Execute sends it."
    assert pressed(panel, "execute").view().knows.says == "SETTLED, 2 attempts"
    assert panel.view().holds.says == "1 effect from 1 request"


@pytest.mark.parametrize(
    ("name", "value", "refusal"),
    [
        ("actor", " ", "Refused: a decision needs the name of who takes it."),
        ("grounds", "", "Refused: a decision needs grounds that somebody else can check."),
        ("receipt", "", "Refused: a receipt is a text that names an effect"),
    ],
)
def test_a_decision_without_name_grounds_or_receipt_is_refused(
    name: str, value: str, refusal: str
) -> None:
    panel = in_review()
    panel.choose("receipt", "readable-1")
    panel.choose(name, value)
    assert pressed(panel, "record").happened.startswith(refusal)
    assert panel.row is not None
    assert panel.row.state == REVIEW


def test_a_receipt_that_names_nothing_at_the_provider_shows_as_such() -> None:
    panel = in_review()
    panel.choose("receipt", "made-up")
    pressed(panel, "record")
    assert panel.happened == "anna recorded the receipt: SETTLED, on a person's word."
    assert panel.view().knows.says == "SETTLED, 1 attempt: its receipt names no effect"


def test_a_risk_has_to_be_accepted_and_its_duplicate_is_counted() -> None:
    panel = pressed(world(Fault.RESPONSE_LOST, "blind"), "execute", "1 s", "execute")
    panel.choose("actor", "anna")
    panel.choose("grounds", "rather two than none")
    assert "accept the risk" in pressed(panel, "approve").happened
    panel.choose("risk", True)
    pressed(panel, "approve", "execute")
    assert panel.view().holds.says == "2 effects from 2 requests, 1 duplicate"


def test_every_look_costs_also_one_that_is_refused() -> None:
    panel = in_review()
    [cost, _] = panel.view().more
    assert cost.rows[0][:3] == (0, 0, "$0.00")
    pressed(panel, "approve", "61 s", "approve")
    [cost, _] = panel.view().more
    assert cost.rows[0][:3] == (2, 8, "$4.00")


def test_the_desk_does_not_decide_what_needs_nobody() -> None:
    panel = pressed(Boundary(), "prepare", "approve")
    assert panel.happened == "Nothing waits for a person."
    assert panel.looks == 0


def test_a_reset_forgets_the_desk_and_begins_with_worker_a() -> None:
    panel = in_review()
    panel.choose("risk", True)
    pressed(panel, "approve", "reset", "prepare")
    assert (panel.looks, panel.risk) == (0, False)
    assert panel.view().beats[0].who == "A"


def test_a_receipt_is_taken_without_the_blanks_around_it() -> None:
    panel = in_review()
    panel.choose("receipt", " readable-1 ")
    pressed(panel, "record")
    assert panel.row is not None
    assert panel.row.receipt == "readable-1"


@pytest.mark.parametrize("name", ["A", "ledger", "provider", "n" * 500, "<b>", "\ud800", "a\0b"])
def test_a_name_of_any_kind_stands_in_the_events_and_not_in_the_picture(name: str) -> None:
    panel = in_review()
    panel.choose("actor", name)
    pressed(panel, "61 s", "approve")
    assert "approved exactly one more attempt" in panel.happened
    assert {beat.who for beat in panel.view().beats if beat.who} == {"A", "B", "you"}
    assert panel.ledger.events()[-1]["actor"]


def test_a_form_without_a_name_or_without_grounds_is_no_look() -> None:
    panel = in_review()
    for name in ("actor", "grounds"):
        kept = getattr(panel, name)
        panel.choose(name, " ")
        assert pressed(panel, "approve").happened.startswith("Refused: a decision needs")
        panel.choose(name, kept)
    assert panel.looks == 0
    assert pressed(panel, "approve").looks == 1
