"""The boundary panel: the gateway's own calls, and what both sides know after each."""

import pytest

from lab.faults.clock import SECOND_MS
from lab.faults.world import ACTION
from lab.gateway import CONTRACTS, PREPARED, REVIEW, SETTLED, UNKNOWN, Action, Fault
from lab.widgets.boundary import Boundary, promised
from lab.widgets.openings import FAULTS, OPENINGS
from tests.widgets.pressing import pressed, world


def test_a_prepared_action_is_a_row_and_nothing_is_sent() -> None:
    panel = pressed(Boundary(), "prepare")
    assert panel.view().knows.says == "PREPARED, 0 attempts"
    assert panel.view().holds.says == "0 effects from 0 requests"
    assert pressed(panel, "prepare").happened == (
        "It was written down before, and is PREPARED. Nothing changed."
    )


def test_a_lost_response_leaves_unknown_and_the_next_call_settles_without_sending() -> None:
    panel = pressed(world(Fault.RESPONSE_LOST), "execute")
    assert panel.view().knows.says == "UNKNOWN, 1 attempt"
    assert panel.view().holds.says == "1 effect from 1 request"
    assert pressed(panel, "execute").happened == (
        "The provider was asked and holds it: SETTLED. Nothing was sent again."
    )
    assert panel.view().holds.says == "1 effect from 1 request"
    assert pressed(panel, "execute").happened.startswith("SETTLED already")


def test_absence_is_waited_for_and_then_one_more_attempt_is_sent() -> None:
    panel = pressed(world(Fault.REQUEST_LOST), "execute", "execute")
    assert "proves nothing yet" in panel.happened
    pressed(panel, "61 s", "execute")
    assert panel.happened == (
        "Attempt 1 is proved not executed, so one more was sent, and the response came."
    )
    assert panel.view().knows.says == "SETTLED, 2 attempts"
    assert panel.view().holds.says == "1 effect from 1 request"


def test_a_late_request_arrives_while_time_passes() -> None:
    panel = pressed(world(Fault.LATE), "execute", "61 s")
    assert panel.happened == "61 s went by. Meanwhile the late request arrived."
    assert pressed(panel, "execute").view().holds.says == "1 effect from 1 request"


def test_a_rejection_that_was_not_heard_allows_one_more_attempt_and_closes_no_later_one() -> None:
    panel = pressed(Boundary("rejected"), "execute", "execute")
    assert panel.happened == (
        "Attempt 1 is proved not executed, so one more was sent, and no answer came: UNKNOWN."
    )
    assert panel.view().holds.says == "0 effects from 2 requests"
    assert "proves nothing yet" in pressed(panel, "1 s", "execute").happened
    pressed(panel, "61 s", "execute")
    assert panel.view().knows.says == "SETTLED, 2 attempts"
    assert panel.view().holds.says == "1 effect from 2 requests"


def test_a_refusal_for_good_says_to_look_again_and_then_waits_for_a_person() -> None:
    panel = pressed(world(Fault.REJECTED, opening="attempt"), "attempt")
    assert panel.happened.startswith("The provider will never do this.")
    assert pressed(panel, "attempt").happened == (
        "No further attempt may begin (no attempt left: rejected as invalid): REVIEW. "
        "A person must look."
    )
    assert pressed(panel, "attempt", "attempt").happened == (
        "Nothing was sent: the row is in REVIEW, and waits for a person."
    )
    assert len(panel.ledger.events()) == 4


def test_an_attempt_on_an_unknown_row_is_refused_in_a_sentence() -> None:
    panel = pressed(world(Fault.RESPONSE_LOST, opening="attempt"), "attempt", "attempt")
    assert panel.happened == (f"Nothing was sent: {ACTION.key} is UNKNOWN: no attempt may begin.")
    assert panel.view().holds.says == "1 effect from 1 request"


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Fault.NONE, "The response came: readable-1. The ledger was told nothing."),
        (Fault.RESPONSE_LOST, "Our program heard: no response. Was it done? It cannot say."),
        (Fault.UNFORESEEN, "Our program heard: an answer nobody can read. Was it done?"),
        (Fault.REFUSED, "The provider says: refused before anything was sent."),
    ],
)
def test_a_plain_call_tells_the_ledger_nothing(fault: Fault, said: str) -> None:
    panel = pressed(world(fault, opening="send"), "prepare", "send")
    assert panel.happened.startswith(said)
    assert panel.view().knows.says == "PREPARED, 0 attempts"


def test_reading_back_changes_nothing_on_either_side() -> None:
    panel = pressed(world(Fault.RESPONSE_LOST), "execute")
    before = panel.view()
    pressed(panel, "read_back")
    assert panel.happened.startswith("The provider says: found readable-1. It was done.")
    assert (panel.view().knows, panel.view().holds) == (before.knows, before.holds)


def test_who_cannot_be_asked_says_nothing() -> None:
    assert pressed(world(Fault.NONE, "blind"), "read_back").happened == (
        "No answer: this provider cannot be asked. Asking sent nothing."
    )
    assert "does not answer questions now" in pressed(Boundary("execute"), "read_back").happened


def test_another_contract_or_fault_is_another_world() -> None:
    panel = pressed(Boundary("rejected"), "execute")
    panel.choose("contract", "blind")
    assert panel.view().knows.says == "no row"
    assert panel.happened.startswith("Another world")
    pressed(panel, "execute")
    panel.choose("fault", Fault.NONE)
    assert panel.view().knows.says == "no row"


def test_an_outage_may_begin_and_end_at_any_time() -> None:
    panel = pressed(world(Fault.RESPONSE_LOST), "execute", "1 s")
    panel.choose("answers", False)
    assert pressed(panel, "execute").row.state == REVIEW  # type: ignore[union-attr]
    panel.choose("answers", True)
    assert pressed(panel, "execute").row.state == SETTLED  # type: ignore[union-attr]


@pytest.mark.parametrize("opening", OPENINGS)
def test_every_opening_begins_with_nothing_and_resets_to_it(opening: str) -> None:
    panel = Boundary(opening)
    fresh = panel.view()
    assert fresh.knows.says == "no row"
    assert fresh.holds.says == "0 effects from 0 requests"
    pressed(panel, OPENINGS[opening].crosses, "1 s", "reset")
    assert panel.view() == fresh


@pytest.mark.parametrize("contract", CONTRACTS)
@pytest.mark.parametrize("fault", FAULTS.values(), ids=list(FAULTS))
@pytest.mark.parametrize("crosses", ["send", "attempt", "execute"])
def test_no_press_ends_in_an_error_whatever_the_world(
    contract: str, fault: Fault, crosses: str
) -> None:
    opening = {"send": "send", "attempt": "attempt", "execute": "execute"}[crosses]
    panel = world(fault, contract, opening)
    for press in ("prepare", crosses, "read_back", "1 s", crosses, "361 s", crosses, "record"):
        pressed(panel, press)
        view = panel.view()
        assert view.happened.endswith((".", "?"))
        assert view.beats


def test_a_record_by_hand_under_our_content_is_no_receipt_of_ours() -> None:
    panel = world(Fault.REQUEST_LOST)
    panel.provider.enter_by_hand(Action(ACTION.key, "refund", ACTION.payload), "theirs")
    pressed(panel, "execute", "1 s", "execute")
    assert panel.row is not None
    assert panel.row.state == REVIEW
    assert "mismatch: theirs" in panel.row.evidence


def test_what_a_provider_promises_is_said_from_its_contract() -> None:
    assert promised(CONTRACTS["blind"]) == "It cannot be asked, and promises no bound."
    assert promised(CONTRACTS["keyed"]) == (
        "It can be asked, keeps our key, makes one effect a key, "
        "and lets nothing arrive after 60 s."
    )
    assert "shows an effect within 300 s" in promised(CONTRACTS["searchable"])


def test_states_are_those_of_the_gateway() -> None:
    panel = pressed(world(Fault.REFUSED), "execute")
    assert panel.row is not None
    assert panel.row.state == PREPARED
    assert pressed(world(Fault.UNFORESEEN), "execute").row.state == UNKNOWN  # type: ignore[union-attr]
    assert panel.wait == SECOND_MS


@pytest.mark.parametrize(
    ("fault", "contract", "presses", "said"),
    [
        (
            Fault.REFUSED,
            "readable",
            "execute",
            "Refused, and nothing happened: PREPARED. Another attempt may come.",
        ),
        (
            Fault.RESPONSE_LOST,
            "readable",
            "execute",
            "No answer says what happened, so the ledger says UNKNOWN. It does not say failed.",
        ),
        (
            Fault.NONE,
            "readable",
            "execute",
            "The response came: SETTLED, with the receipt readable-1.",
        ),
        (
            Fault.NONE,
            "readable",
            "read_back",
            "The provider says: absent. What that proves depends on the contract and on the time. "
            "Asking sent nothing.",
        ),
        (Fault.NONE, "readable", "361 s", "361 s went by."),
        (
            Fault.REJECTION_LOST,
            "keyed",
            "execute read_back",
            "The provider says: proved not executed. It recorded that it rejected the attempt. "
            "Asking sent nothing.",
        ),
    ],
)
def test_what_happened_is_said_in_these_words(
    fault: Fault, contract: str, presses: str, said: str
) -> None:
    panel = world(fault, contract)
    words = ["361 s"] if presses == "361 s" else presses.split()
    assert pressed(panel, *words).happened == said


def test_of_several_records_none_is_picked() -> None:
    panel = world(Fault.NONE, "searchable")
    for number in (1, 2):
        panel.provider.enter_by_hand(Action(f"hand:{number}", ACTION.kind, ACTION.payload))
    pressed(panel, "361 s", "read_back")
    assert panel.happened.startswith(
        "The provider says: ambiguous. Several records fit, and none is picked."
    )


def test_a_row_says_how_many_attempts_are_allowed() -> None:
    def allowed(panel: Boundary) -> object:
        return panel.view().knows.tables[0].rows[0][1]

    assert allowed(pressed(world(Fault.REFUSED), "execute")) == "1 of 3 allowed"
    assert allowed(pressed(world(Fault.REJECTED, opening="attempt"), "attempt")) == "1 of 1 allowed"


def test_a_second_plain_call_is_attempt_two_and_meets_no_fault() -> None:
    panel = pressed(world(Fault.RESPONSE_LOST, opening="send"), "send", "send")
    assert panel.happened == "The response came: readable-2. The ledger was told nothing."


def test_a_refused_call_ends_in_the_picture_too() -> None:
    panel = pressed(world(Fault.RESPONSE_LOST, opening="attempt"), "attempt", "attempt")
    assert panel.view().beats[-1].what == "ends: refused"


def test_the_moves_are_those_of_the_state_and_the_last_row_speaks_of_all_others() -> None:
    [table] = pressed(Boundary("rejected"), "prepare").view().more
    assert {str(row[0]).partition(" ")[0] for row in table.rows[:-1]} == {"PREPARED"}
    assert table.rows[-1] == ("all others", "", "no", "no other begins at PREPARED")
    [table] = Boundary("rejected").view().more
    assert table.rows[0][:3] == ("start → PREPARED", "prepare", "open")


def test_where_nobody_can_be_asked_nobody_is_said_to_have_been_asked() -> None:
    for panel in (world(Fault.REQUEST_LOST, "blind"), Boundary("execute")):
        assert pressed(panel, "execute", "execute").happened == (
            "Nobody answers, and the attempt may still be on its way. Wait; send nothing."
        )


def test_a_receipt_without_a_name_is_called_so() -> None:
    panel = pressed(world(Fault.EMPTY_RECEIPT, opening="send"), "send")
    assert panel.happened.startswith("The response came: a receipt without a name.")
    assert "found an effect without a receipt" in pressed(panel, "read_back").happened


def test_a_request_that_never_arrived_was_an_attempt_too() -> None:
    panel = pressed(world(Fault.REQUEST_LOST, opening="send"), "send", "send")
    assert panel.happened == "The response came: readable-1. The ledger was told nothing."
    assert {beat.who for beat in panel.view().beats} == {"program"}


def test_who_names_no_opening_is_told_which_there_are() -> None:
    with pytest.raises(ValueError, match="choose one of send, attempt, execute, rejected"):
        Boundary("exceute")


@pytest.mark.parametrize("press", ["prepare", "send"])
def test_where_one_program_sends_no_worker_has_a_letter(press: str) -> None:
    panel = pressed(world(Fault.NONE, opening="send"), press)
    assert {beat.who for beat in panel.view().beats} == {"program"}
