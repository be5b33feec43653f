"""The frame shows what the panel's logic says, escapes it, and takes what the learner does."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import ipywidgets
import pytest

from lab.gateway import Fault
from lab.widgets import boundary, silence
from lab.widgets.frame import LAST_BEATS, Frame
from lab.widgets.panel import RESET, Button, Choice, Entry, Group, Panel, Side, Strong, Table, View


class Recorded(Panel):
    """A panel that shows what a stranger wrote, and keeps what it was told."""

    title = "<b>Title</b>"
    try_first = "press <i>Go</i>"
    groups = (
        Group("one", (Button("go", "Go", "goes"), Entry("text", "Text"), RESET)),
        Group("two", (Choice("pick", "Pick", (("a", 1), ("b", 2))),), "Two"),
    )

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.text, self.pick, self.went = "<script>alert(1)</script>", 1, 0

    def go(self) -> None:
        self.went, self.pick = self.went + 1, 2

    def shows(self, group: str) -> bool:
        return group == "one" or self.went > 0

    def view(self) -> View:
        side = Side(
            self.text, self.text, (Table(self.text, (self.text,), [(self.text,)]),), self.text
        )
        return View(self.text, side, side, more=(Table("", (), [(self.text, Strong(self.text))]),))


def values(frame: Frame) -> str:
    """Return all the HTML of a frame."""
    found, left = [], [frame]
    while left:
        widget = left.pop()
        left += getattr(widget, "children", ())
        if isinstance(widget, ipywidgets.HTML):
            found.append(widget.value)
    return "".join(found)


def test_whatever_is_shown_is_escaped() -> None:
    html = values(Frame(Recorded()))
    assert "<script>" not in html
    assert html.count("&lt;script&gt;") == 15
    assert "&lt;b&gt;Title&lt;/b&gt;" in html
    assert "press &lt;i&gt;Go&lt;/i&gt;" in html


def test_a_press_reaches_the_panel_and_what_changed_is_shown() -> None:
    frame = Frame(Recorded())
    assert frame.groups["two"].layout.display == "none"
    frame.controls["go"].click()
    assert frame.panel.went == 1
    assert frame.groups["two"].layout.display is None
    assert frame.controls["pick"].value == 2


def test_what_a_learner_writes_reaches_the_panel_and_a_reset_takes_it_back() -> None:
    frame = Frame(Recorded())
    frame.controls["text"].value = "mine"
    assert frame.panel.text == "mine"
    assert "mine" in frame.happened.value
    frame.controls["reset"].click()
    assert frame.controls["text"].value.startswith("<script>")


def test_what_the_panel_sets_itself_is_not_taken_for_a_choice() -> None:
    chosen: list[str] = []
    panel = Recorded()
    panel.choose = lambda name, value: chosen.append(name)  # type: ignore[method-assign]
    frame = Frame(panel)
    frame.controls["go"].click()
    assert frame.controls["pick"].value == 2
    assert chosen == []


@pytest.mark.parametrize("frame", [silence(), silence(keys=True), boundary("send"), boundary()])
def test_without_a_front_end_a_fixed_sentence_stands_in_its_place(frame: Frame) -> None:
    shown = frame._repr_mimebundle_()
    assert shown["text/plain"] == repr(frame) == frame.sentence
    assert frame.panel.title in frame.sentence
    assert max(map(len, frame.sentence.splitlines())) <= 74


def test_a_panel_has_what_every_panel_has() -> None:
    for frame in (silence(), boundary()):
        html = values(frame)
        for part in (frame.panel.title, "Try first:", "What happened:", "Who told whom"):
            assert part in html
        assert "reset" in frame.controls


def test_a_side_says_nothing_yet_where_there_is_nothing() -> None:
    html = values(boundary())
    assert "<strong>Requests</strong>: nothing yet" in html
    assert "Nothing has happened yet." in html


def test_a_long_story_is_drawn_from_its_end_and_says_so() -> None:
    frame = silence()
    for _ in range(LAST_BEATS + 3):
        frame.controls["send"].click()
    assert "The first 3 steps are left out" in frame.picture.value
    assert frame.picture.value.count("no answer") == 0  # the first was lost


def test_choices_show_words_and_hold_what_they_stand_for() -> None:
    frame = boundary()
    assert frame.controls["fault"].value is Fault.REQUEST_LOST
    assert dict(frame.controls["fault"].options)["the request is lost"] is Fault.REQUEST_LOST
    frame.controls["fault"].value = Fault.NONE
    assert frame.panel.fault is Fault.NONE


def test_who_cannot_see_the_page_is_told_what_happened_and_what_a_row_is_about() -> None:
    frame = Frame(Recorded())
    assert '<p role="status">' in frame.happened.value
    assert '<th scope="row">' in frame.more.value
    assert '<th scope="col">' in frame.knows.value


def test_a_text_is_taken_when_it_is_finished_and_not_letter_by_letter() -> None:
    assert Frame(Recorded()).controls["text"].continuous_update is False


def test_a_panel_that_stumbles_says_so_and_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = silence()

    def fails(name: str) -> None:
        raise RuntimeError("<b>no disk</b>")

    monkeypatch.setattr(frame.panel, "press", fails)
    frame.controls["send"].click()
    assert (
        "stumbled (RuntimeError: &lt;b&gt;no disk&lt;/b&gt;). Press Reset" in frame.happened.value
    )


def test_what_comes_in_another_thread_is_done_in_the_thread_of_the_panel() -> None:
    async def cell() -> tuple[str, object]:
        made = boundary()
        other = threading.Thread(target=made.controls["execute"].click)
        other.start()
        await asyncio.to_thread(other.join)
        await asyncio.sleep(0)
        return made.happened.value, made.panel.row

    # A thread of its own: where a browser's tests ran before, this one has a loop already.
    with ThreadPoolExecutor() as threads:
        happened, row = threads.submit(lambda: asyncio.run(cell())).result()
    assert "stumbled" not in happened
    assert row is not None


def test_a_panel_that_cannot_even_begin_says_so_and_is_no_error_in_the_cell() -> None:
    class Broken(Recorded):
        def view(self) -> View:
            raise OSError("no folder for temporary files")

    assert "stumbled (OSError: no folder for temporary files)" in Frame(Broken()).happened.value
