"""Pictures say what they show in words, take their colour from the page, and lose nothing."""

import re
from xml.etree import ElementTree

import pytest

from lab.faults.beats import Beat
from lab.faults.draw import said, sequence
from lab.faults.findings import Findings
from lab.faults.numbers import Numbers
from lab.faults.story import Line, replay

SVG = "{http://www.w3.org/2000/svg}"
DEAD = "lives unknown_after_failure / readable NONE plain new / 6 - - -"
LATE = "lives in_flight_forgotten / readable LATE plain new / - - - - -"
LOST = "lives none / readable RESPONSE_LOST plain new / - - -"
NOWHERE = "lives none / keyed REQUEST_LOST plain new / - -"
TOGETHER = "steps send_by_ignored / readable NONE plain new / A A B + + + + B A B B B B"
PERSON = "steps operator_does_not_wait / readable LATE silent new / A A A A B + B B O O late rest -"


def drawn(line: str) -> ElementTree.Element:
    return ElementTree.fromstring(sequence(replay(Line.read(line)).beats, line))


def texts(picture: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in picture.iter(f"{SVG}text")]


def dashed(picture: ElementTree.Element) -> list[ElementTree.Element]:
    lines = picture.iter(f"{SVG}line")
    return [line for line in lines if line.get("stroke-dasharray") == "5 3"]


@pytest.mark.parametrize("line", [DEAD, LATE, LOST, NOWHERE, TOGETHER, PERSON])
def test_a_run_is_a_picture_with_a_name_and_a_description(line: str) -> None:
    picture = drawn(line)
    assert picture.get("role") == "img"
    assert picture.findtext(f"{SVG}title") == line
    assert "reads the ledger: nothing is there" in (picture.findtext(f"{SVG}desc") or "")
    assert {"ledger", "provider"} <= set(texts(picture))


@pytest.mark.parametrize("line", [DEAD, LATE, LOST, NOWHERE, TOGETHER, PERSON])
def test_its_colours_are_those_of_the_page(line: str) -> None:
    svg = sequence(replay(Line.read(line)).beats, line)
    assert set(re.findall(r'(?:fill|stroke)="([^"]*)"', svg)) <= {"currentColor", "none"}
    assert not re.search(r"#[0-9a-fA-F]{3,6}\b", svg)


@pytest.mark.parametrize("line", [DEAD, LATE, LOST, NOWHERE, TOGETHER, PERSON])
def test_nothing_lies_outside_the_picture(line: str) -> None:
    picture = drawn(line)
    _, _, width, height = map(float, str(picture.get("viewBox")).split())
    for element in picture.iter():
        for names, most in ((("x", "x1", "x2", "cx"), width), (("y", "y1", "y2", "cy"), height)):
            places = [float(str(element.get(name))) for name in names if element.get(name)]
            assert all(0 <= place <= most for place in places)


def test_every_effect_is_marked_and_counted() -> None:
    picture = drawn(DEAD)
    assert len(list(picture.iter(f"{SVG}circle"))) == 2
    assert {"effect 1", "effect 2"} <= set(texts(picture))


def test_a_response_that_is_lost_stops_half_way() -> None:
    [answer] = dashed(drawn(LOST))
    provider = max(float(str(line.get("x1"))) for line in drawn(LOST).iter(f"{SVG}line"))
    worker = min(float(str(line.get("x1"))) for line in drawn(LOST).iter(f"{SVG}line"))
    assert float(str(answer.get("x1"))) > float(str(answer.get("x2"))) > worker + 40
    assert provider > worker
    assert "no answer" in texts(drawn(LOST))


def test_a_request_says_where_it_went() -> None:
    assert {"send: on its way", "no response"} <= set(texts(drawn(LATE)))
    assert "send: never arrives" in texts(drawn(NOWHERE))
    assert "the late request arrives" in texts(drawn(PERSON))


def test_a_dead_worker_ends_there_and_the_next_takes_its_line_under_its_own_name() -> None:
    picture = drawn(DEAD)
    assert "dies" in texts(picture)
    assert texts(picture).count("worker A") == 1
    assert "worker B" not in texts(picture)
    assert "B" in texts(picture)


def test_workers_of_one_time_and_a_person_have_lines_of_their_own() -> None:
    assert {"worker A", "worker B"} <= set(texts(drawn(TOGETHER)))
    assert {"worker A", "operator"} <= set(texts(drawn(PERSON)))


def test_what_comes_from_outside_is_text_and_no_markup() -> None:
    beat = Beat(0, "A", "ledger.find", "reads <b>: & more", "UNKNOWN", 0)
    svg = sequence([beat], "<script>alert(1)</script>")
    assert "<script>" not in svg
    assert ElementTree.fromstring(svg).findtext(f"{SVG}title") == "<script>alert(1)</script>"


def test_a_run_in_which_nothing_happened_is_drawn_too() -> None:
    assert texts(ElementTree.fromstring(sequence([], "nothing"))) == ["ledger", "provider"]


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (None, "not reached"),
        (Findings(2), "held"),
        (Findings(3, Numbers(in_review=2)), "in review: 2 of 3"),
        (Findings(3, Numbers(duplicates=2, stuck=1), 2), "duplicates: 2 of 3"),
        (Findings(3, Numbers(stuck=1, in_review=2), 1), "stuck: 1 of 3"),
    ],
)
def test_a_cell_names_the_worst_first(found: Findings | None, words: str) -> None:
    assert said(found) == words


@pytest.mark.parametrize("line", [LOST, NOWHERE, LATE])
def test_what_is_lost_on_the_way_ends_on_nobodys_line(line: str) -> None:
    picture = drawn(line)
    texts_at = {text.text: float(str(text.get("x"))) for text in picture.iter(f"{SVG}text")}
    ledger, provider = texts_at["ledger"], texts_at["provider"]
    tips = [str(one.get("points")).split()[0] for one in picture.iter(f"{SVG}polygon")]
    ends = {float(tip.partition(",")[0]) for tip in tips}
    between = {end for end in ends if ledger < end < provider}
    assert between == {(ledger + provider) / 2}
