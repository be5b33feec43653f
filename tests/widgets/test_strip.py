"""The explorer as a learner sees it: cells to press, in step with the choices beside them."""

from importlib import import_module
from typing import Any

import pytest

from lab.faults.crashes import by_point
from lab.faults.edits import EDITS, SAFE
from lab.faults.gateways import Gateway
from lab.faults.story import Line
from lab.faults.world import Scene
from lab.widgets import explorer
from lab.widgets.explorer import LINES, SCHEDULE, STRIP, Progress
from lab.widgets.strip import CHOSEN, ExplorerFrame

module: Any = import_module("lab.widgets.explorer")  # its function has the same name
WINDOW = "after provider.perform"
TWO_WORKERS = Line(
    "steps", EDITS["change_without_version"], Scene("readable", prepared=True), tuple("ABABAB")
)


def test_a_panel_opens_where_a_lesson_wants_it() -> None:
    for look in (LINES, STRIP, SCHEDULE):
        panel = explorer(look, "blind_retry").panel
        assert (panel.look, panel.edit) == (look, "blind_retry")
        panel.choose("look", LINES)
        panel.press("reset")
        assert (panel.look, panel.edit) == (look, "blind_retry")
    firsts = [
        explorer(look, edit).panel.try_first
        for look in (LINES, STRIP, SCHEDULE)
        for edit in ("none", "blind_retry")
    ]
    assert len(set(firsts)) == 6
    for wrong in (("strips", "none"), (LINES, "no_such_edit")):
        with pytest.raises(ValueError, match="choose one of"):
            explorer(*wrong)


def shown(frame: ExplorerFrame) -> list[str]:
    """Return the points of the rows that are not hidden."""
    rows = zip(frame.strip.points, frame.strip.rows, strict=False)
    assert all(row.layout.display == "none" for row in frame.strip.rows[len(frame.strip.points) :])
    return [point for point, row in rows if row.layout.display is None and point in row.name.value]


def test_the_grid_shows_the_rows_that_a_gateway_has() -> None:
    frame = explorer(STRIP)
    assert isinstance(frame, ExplorerFrame)
    assert shown(frame) == list(by_point())
    frame.controls["edit"].value = "unknown_after_failure"
    assert shown(frame) == list(by_point(EDITS["unknown_after_failure"]))
    assert len(shown(frame)) == 10
    frame.controls["edit"].value = SAFE.name
    assert len(shown(frame)) == 8


def test_a_press_of_a_cell_and_the_two_choices_stay_in_step() -> None:
    frame = explorer(STRIP, "unknown_after_failure")
    row = frame.strip.points.index(WINDOW)
    cell = frame.strip.cells[row, 1]
    assert cell.description == "duplicates: 1\N{NO-BREAK SPACE}of\N{NO-BREAK SPACE}1"
    assert cell.tooltip == f"A crash {WINDOW}, on readable: duplicates: 1 of 1"
    assert {"lab-is-harm", "lab-at-readable"} <= set(cell._dom_classes)
    cell.click()
    assert (frame.controls["point"].value, frame.controls["contract"].value) == (WINDOW, "readable")
    assert "Worker A dies" in frame.happened.value
    assert "<svg" in frame.picture.value
    frame.controls["contract"].value = "keyed"
    chosen = [at for at, one in frame.strip.cells.items() if one.description.startswith(CHOSEN)]
    assert chosen == [(row, 0)]
    assert "lab-chosen" not in cell._dom_classes


def test_a_press_of_a_cell_changes_two_cells_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = explorer(STRIP, "unknown_after_failure")
    frame.strip.cells[0, 0].click()
    sent: list[object] = []
    button = type(frame.strip.cells[0, 0])
    monkeypatch.setattr(button, "_send", lambda self, *_, **__: sent.append(self))
    frame.strip.cells[5, 1].click()
    assert sorted(map(id, sent)) == sorted(
        map(id, (frame.strip.cells[at] for at in ((0, 0), (5, 1))))
    )


def test_what_belongs_to_another_look_is_hidden() -> None:
    frame = explorer()
    hidden = {LINES: (True, True), STRIP: (False, False), SCHEDULE: (True, False)}
    for look, (strip, picture) in hidden.items():
        frame.controls["look"].value = look
        assert (frame.strip.layout.display == "none") is strip
        assert (frame.picture.layout.display == "none") is picture
        assert (frame.groups[STRIP].layout.display == "none") is strip
        assert (frame.groups[SCHEDULE].layout.display == "none") is (look != SCHEDULE)


def test_the_first_difference_is_bold_on_the_page() -> None:
    html = explorer(LINES, "blind_retry").first.value
    assert html.count("<strong>") == 1
    assert "<strong>different: the first" in html


def test_a_search_shows_how_far_it_is_while_it_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = explorer(SCHEDULE, "change_without_version")
    seen: list[str] = []

    def shortest(gateway: Gateway, progress: Progress) -> Line:
        progress.write("\rTwo workers  [#    ] 1 of 42 ")
        seen.append(frame.happened.value)
        return TWO_WORKERS

    monkeypatch.setattr(module, "shortest", shortest)
    monkeypatch.setattr(module, "_found", {})
    frame.controls["find"].click()
    assert "scene 1 of 42" in seen[0]
    assert "6 moves" in frame.happened.value
    assert frame.controls["line"].value == str(TWO_WORKERS)


def test_what_a_learner_writes_as_a_line_is_escaped() -> None:
    frame = explorer(SCHEDULE)
    frame.controls["line"].value = "lives <script> / keyed NONE plain new / -"
    frame.controls["again"].click()
    assert "&lt;script&gt;" in frame.happened.value
    assert "<script>" not in frame.happened.value
