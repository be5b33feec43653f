"""The panel that loses a response: what the program believes, and what the provider holds."""

from lab.widgets.panel import View
from lab.widgets.silence import KEY, Silence


def sent(panel: Silence, *loses: str) -> View:
    for lose in loses:
        panel.choose("lose", lose)
        panel.press("send")
    return panel.view()


def test_the_first_response_is_lost_unless_the_learner_chooses_otherwise() -> None:
    panel = Silence()
    panel.press("send")
    view = panel.view()
    assert view.knows.says == "Failed: no response."
    assert view.holds.says == "1 message, 0 duplicates"
    assert panel.lose == "nothing"


def test_a_blind_retry_makes_a_duplicate_that_the_program_does_not_see() -> None:
    view = sent(Silence(), "response", "nothing")
    assert view.knows.says == "Sent: msg-2."
    assert view.holds.says == "2 messages, 1 duplicate"
    assert "Lead-202 now has 2 messages" in view.happened


def test_a_lost_request_looks_the_same_to_the_program_and_does_nothing() -> None:
    view = sent(Silence(), "request")
    assert view.knows.says == sent(Silence(), "response").knows.says
    assert view.holds.says == "0 messages, 0 duplicates"
    assert "the provider did nothing" in view.happened


def test_the_same_key_gets_the_first_answer_again() -> None:
    panel = Silence(keys=True)
    view = sent(panel, "response", "nothing")
    assert view.knows.says == "Sent: msg-1."
    assert view.holds.says == "1 message, 0 duplicates"
    assert (
        view.happened
        == "The provider knows this key: it sent nothing, and answered msg-1, as before."
    )


def test_a_known_key_whose_answer_is_lost_sends_nothing_either() -> None:
    view = sent(Silence(keys=True), "response", "response")
    assert view.knows.says == "Failed: no response."
    assert view.holds.says == "1 message, 0 duplicates"
    assert "sent nothing" in view.happened


def test_another_key_is_another_message() -> None:
    panel = Silence(keys=True)
    sent(panel, "response")
    panel.choose("key", "welcome:lead-202:v2")
    view = sent(panel, "nothing")
    assert view.holds.says == "2 messages, 1 duplicate"
    assert [row[1] for row in view.holds.tables[0].rows] == [KEY, "welcome:lead-202:v2"]


def test_without_a_key_nothing_is_recognised() -> None:
    panel = Silence(keys=True)
    panel.choose("key", "")
    view = sent(panel, "response", "nothing", "nothing")
    assert view.holds.says == "3 messages, 2 duplicates"
    assert [row[1] for row in view.knows.tables[0].rows] == ["none"] * 3


def test_a_key_that_cannot_be_one_is_refused_in_a_sentence_and_nothing_is_sent() -> None:
    panel = Silence(keys=True)
    panel.choose("key", "anna@example.org")
    panel.press("send")
    assert panel.happened.startswith("Nothing was sent: 'anna@example.org' cannot be a key")
    assert panel.view().holds.says == "0 messages, 0 duplicates"
    assert panel.lose == "response"


def test_reading_the_provider_tells_the_program_the_truth_and_sends_nothing() -> None:
    panel = Silence()
    sent(panel, "response")
    panel.press("read")
    view = panel.view()
    assert view.knows.says == "The provider holds 1 message."
    assert view.holds.says == "1 message, 0 duplicates"
    assert view.happened.endswith("Asking sent nothing.")


def test_the_picture_shows_what_was_lost_and_where() -> None:
    beats = sent(Silence(), "request", "response", "nothing").beats
    assert [(beat.lost, beat.reached, beat.effects) for beat in beats] == [
        (True, "nowhere", 0),
        (True, "executed", 1),
        (False, "executed", 2),
    ]


def test_a_reset_begins_from_nothing() -> None:
    panel = Silence(keys=True)
    panel.choose("key", "other")
    sent(panel, "nothing", "nothing")
    panel.press("reset")
    fresh = Silence(keys=True)
    assert panel.view() == fresh.view()
    assert (panel.key, panel.lose) == (KEY, "response")
