"""The explorer: the five lines, the strip of cells and the shortest run, as they were found."""

from importlib import import_module
from typing import Any

import pytest

from lab.faults import crashes
from lab.faults.crashes import by_point
from lab.faults.draw import said
from lab.faults.edits import EDITS, GATEWAYS, SAFE
from lab.faults.gateways import Gateway
from lab.faults.hostile import Judged
from lab.faults.story import Line
from lab.faults.world import Scene
from lab.gateway import CONTRACTS
from lab.widgets import retold
from lab.widgets.explorer import FAULTS, LINES, POINTS, SCHEDULE, STRIP, Explorer, Progress
from lab.widgets.panel import Strong, Table, View

module: Any = import_module("lab.widgets.explorer")  # its function has the same name
WINDOW = "after provider.perform"
TWO_WORKERS = Line(
    "steps", EDITS["change_without_version"], Scene("readable", prepared=True), tuple("ABABAB")
)


@pytest.fixture(autouse=True)
def found(monkeypatch: pytest.MonkeyPatch) -> dict[str, Line | None]:
    """Forget what other tests found."""
    found: dict[str, Line | None] = {}
    monkeypatch.setattr(module, "_found", found)
    return found


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Find the run of two workers at once, and keep what was searched."""
    names: list[str] = []

    def shortest(gateway: Gateway, progress: Progress) -> Line | None:
        names.append(gateway.name)
        progress.write("\rTwo workers  [###   ] 12 of 44 ")
        return TWO_WORKERS if gateway is TWO_WORKERS.gateway else None

    monkeypatch.setattr(module, "shortest", shortest)
    return names


def table(view: View, caption: str) -> Table:
    """Return the one table, of all that are shown, whose caption begins like this."""
    tables = (*view.first, *view.knows.tables, *view.holds.tables, *view.more)
    [found] = [one for one in tables if one.caption.startswith(caption)]
    return found


# --- the hostile test


def test_it_opens_on_the_safe_gateway_whose_five_lines_pass() -> None:
    view = Explorer().view()
    assert "CHECK says PASS" in view.happened
    lines = dict(table(view, "The five lines of the safe gateway").rows)
    assert list(lines) == ["BASELINE", "FIRST_RUN", "RESTART", "SUMMARY", "CHECK"]
    assert lines["CHECK"] == "PASS"
    assert view.knows.says == "2 SETTLED, 1 REVIEW"
    assert view.holds.says == "3 effects from 3 requests, 0 duplicates"
    assert view.knows.note == "Somebody has to look at 1 row."


def test_the_first_line_that_differs_is_marked_in_words_and_by_weight() -> None:
    panel = Explorer()
    panel.choose("edit", "blind_retry")
    view = panel.view()
    rows = table(view, "The five lines, beside").rows
    assert [(name, how == "the same") for name, how in rows] == [
        ("BASELINE", True), ("FIRST_RUN", True), ("RESTART", False), ("SUMMARY", False),
        ("CHECK", False),
    ]  # fmt: skip
    assert [name for name, how in rows if isinstance(how, Strong)] == ["RESTART"]
    assert "first" in str(dict(rows)["RESTART"])
    assert "RESTART is the first" in view.happened
    assert "FAIL" in view.happened


def test_where_a_line_begins_to_differ_stands_in_both_texts() -> None:
    view = Explorer(LINES, "blind_retry").view()
    assert table(view, "RESTART differs from here on").rows == [
        ("safe", '… "attempts":1,"key":"welcome:lead-203:v1","path":"manual","state":"REVIEW"}]'),
        (
            "blind_retry",
            '… "attempts":2,"key":"welcome:lead-203:v1","path":"sent","state":"SETTLED"}]',
        ),
    ]


def test_a_provider_that_compares_keys_hides_the_second_message_but_not_the_second_request() -> (
    None
):
    view = Explorer(LINES, "blind_retry").view()
    assert ("lead-203", 1, 2) in table(view, "Under the keys of").rows
    assert ("lead-203", "SETTLED", 2) in table(view, "Actions").rows


def test_the_promises_that_were_broken_are_named_with_their_contracts() -> None:
    view = Explorer(LINES, "blind_retry").view()
    broken = dict(table(view, "Promises that it broke").rows)
    promise = "without readback an action goes to REVIEW and is not sent again"
    assert broken[promise] == "every contract"
    assert "keyed" not in broken["no duplicate exists at the provider"]
    assert "blind" in broken["no duplicate exists at the provider"]


def test_effects_under_other_keys_are_counted_too() -> None:
    view = Explorer(LINES, "fresh_key_per_attempt").view()
    assert ("other keys", 3, "-") in table(view, "Under the keys of").rows
    assert view.holds.says == "3 effects, 3 duplicates"


@pytest.mark.parametrize("edit", EDITS)
def test_every_edit_says_what_is_wrong_and_is_told_in_every_look(edit: str) -> None:
    panel = Explorer(LINES, edit)
    for look in (LINES, STRIP, SCHEDULE):
        panel.choose("look", look)
        view = panel.view()
        assert table(view, edit).rows[0] == ("What is wrong", EDITS[edit].wrong)
        assert view.happened.endswith(".")


def test_where_no_line_differs_the_panel_says_where_to_look() -> None:
    view = Explorer(LINES, "unknown_after_failure").view()
    assert view.happened.startswith("No line differs")
    assert not [one for one in view.first if one.caption.startswith("Promises")]


def test_a_gateway_that_stops_with_an_error_is_told_without_a_run() -> None:
    safe = Judged({"BASELINE": "1", "FIRST_RUN": "2", "CHECK": "PASS"}, [], None)
    odd = Judged({"BASELINE": "1", "CHECK": "FAIL"}, ["the run came to an end: it stopped"], None)
    tables = retold.compared(Gateway("odd", "stops"), safe, odd)
    rows = dict(tables[0].rows)
    assert rows["FIRST_RUN"].startswith("missing")
    assert isinstance(rows["FIRST_RUN"], Strong)
    assert ("it stopped", "the run came to an end") in tables[-1].rows
    assert [side.says for side in retold.ends(odd)] == ["The run came to no end."] * 2


@pytest.mark.parametrize(
    ("old", "new", "start"),
    [
        ('{"a":1,"b":2}', '{"a":1,"b":3}', '"b":2}'),
        ('{"a":1}', '{"a":2}', '"a":1}'),
        ("PASS", "FAIL", "PASS"),
        ('[1,{"a":1}]', '[1,{"a":1},2]', ""),
    ],
)
def test_a_difference_is_shown_from_the_fact_that_differs(old: str, new: str, start: str) -> None:
    shown = old[retold.where_to_begin(old, new) :]
    assert shown.startswith(start)
    assert new[: len(old) - len(shown)] == old[: len(old) - len(shown)]


# --- one crash


@pytest.mark.parametrize("fault", [fault for _, fault in FAULTS])
def test_every_point_that_a_worker_comes_to_can_be_chosen(fault: str) -> None:
    reached = {point for gateway in GATEWAYS.values() for point in by_point(gateway, [fault])}
    assert reached <= set(POINTS)


def test_the_strip_says_what_was_found_and_looks_like_it() -> None:
    panel = Explorer(STRIP, "unknown_after_failure")
    points = by_point(EDITS["unknown_after_failure"])
    strip = panel.strip()
    assert list(strip) == list(points)
    for point, cells in strip.items():
        for contract, cell in zip(CONTRACTS, cells, strict=True):
            assert cell.says == said(points[point].get(contract))
            assert point in cell.tip
            assert contract in cell.tip
    assert [cell.look for cell in strip[WINDOW]] == ["held", "harm", "harm", "harm"]
    assert [cell.look for cell in strip["after ledger.begin"]] == ["held"] * 3 + ["review"]
    assert panel.view().happened.startswith("6 of 40 cells show harm")


def test_a_cell_tells_its_run_and_what_both_sides_then_have() -> None:
    panel = Explorer(STRIP, "unknown_after_failure")
    panel.pick(WINDOW, "readable")
    view = panel.view()
    assert view.happened.startswith("Worker A dies after provider.perform, on readable.")
    assert "duplicates 1" in view.happened
    assert view.knows.says == "SETTLED, 1 attempt"
    assert view.holds.says == "2 effects from 2 requests, 1 duplicate"
    assert ("receipt", "readable-2") in table(view, "The ledger's row").rows
    assert [beat.step for beat in view.beats].count("dies") == 1
    told = table(view, "The run, step by step").rows
    assert ("0 s", "A", "dies", "PREPARED", 1) in told
    assert len(told) == len(view.beats)
    [numbers] = table(view, "The five numbers").rows
    assert [str(number) for number in numbers] == ["1", "0", "0", "0", "0"]
    assert [isinstance(number, Strong) for number in numbers] == [True] + [False] * 4
    [(_, again)] = table(view, "The same run in a terminal").rows
    assert 'replay "lives unknown_after_failure / readable NONE plain new / 6 -"' in str(again)


def test_another_gateway_shows_the_same_cell() -> None:
    panel = Explorer(STRIP, "unknown_after_failure")
    panel.pick(WINDOW, "readable")
    panel.choose("edit", SAFE.name)
    view = panel.view()
    assert view.happened.startswith("Worker A dies after provider.perform")
    assert "are 0" in view.happened
    assert view.holds.says == "1 effect from 1 request"


def test_two_choices_choose_the_same_cell_one_after_the_other() -> None:
    panel = Explorer(STRIP)
    panel.choose("contract", "blind")
    assert "where a worker dies" in panel.view().happened
    panel.choose("point", WINDOW)
    assert "on blind" in panel.view().happened
    assert "left to a person" in panel.view().happened
    assert [cell.chosen for cell in panel.strip()[WINDOW]] == [False] * 3 + [True]
    panel.choose("contract", "")
    assert "the contract" in panel.view().happened


def test_a_point_that_nobody_comes_to_is_said_to_be_so() -> None:
    panel = Explorer(STRIP)
    panel.pick("after ledger.prepare", "keyed")
    view = panel.view()
    assert view.happened.startswith("No worker of this gateway comes to the point after ledger.pr")
    assert view.beats == ()


def test_a_contract_on_which_nobody_comes_to_a_point_has_a_cell_that_says_so() -> None:
    panel = Explorer(STRIP, "silence_is_failure")
    panel.choose("fault", "UNFORESEEN")
    nobody = [
        (point, contract)
        for point, cells in panel.strip().items()
        for contract, cell in zip(CONTRACTS, cells, strict=True)
        if cell.look == "nobody"
    ]
    assert nobody
    panel.pick(*nobody[0])
    assert panel.view().happened.startswith("No worker of this gateway")
    assert {
        panel.strip()[point][list(CONTRACTS).index(contract)].says for point, contract in nobody
    } == {"not reached"}


def test_the_provider_may_do_something_else() -> None:
    panel = Explorer(STRIP, "silence_is_failure")
    assert panel.view().happened.startswith("No crash shows this mistake here.")
    panel.choose("fault", "RESPONSE_LOST")
    assert "cells show harm" in panel.view().happened
    panel.pick(WINDOW, "readable")  # of two workers that come there, one does harm
    assert panel.strip()[WINDOW][1].says == "duplicates: 1 of 2"
    assert "duplicates 1" in panel.view().happened


def test_a_run_that_never_ends_is_cut_off_and_says_so() -> None:
    panel = Explorer(STRIP, "nothing_before_the_call")
    panel.choose("fault", "LATE")
    panel.pick("before ledger.find", "keyed")
    view = panel.view()
    assert "cut off" in view.happened
    assert "lost 1" in view.happened
    assert view.knows.says == "Nothing: it has no row."
    assert len(table(view, "The run, the last").rows) == retold.LAST_STEPS
    assert len(view.beats) > crashes.LIVES


# --- the shortest run


def test_the_shortest_run_is_found_told_and_kept(searched: list[str]) -> None:
    panel = Explorer(SCHEDULE)
    told: list[str] = []
    panel.tell = told.append
    panel.choose("edit", "change_without_version")
    assert "half a minute" in panel.view().happened
    panel.press("find")
    view = panel.view()
    assert view.happened.startswith("The shortest run that shows the mistake has 6 moves.")
    assert view.holds.says.startswith("2 effects")
    assert [beat.who for beat in view.beats] == list("ABABAB")
    assert panel.line == str(TWO_WORKERS)
    assert told[-1] == "Searching. Two workers: scene 12 of 44."
    assert "half a minute" in told[0]
    panel.press("find")
    panel.press("reset")
    assert panel.edit == SAFE.name
    panel.choose("edit", "change_without_version")
    assert panel.line == str(TWO_WORKERS)
    assert searched == ["change_without_version"]


def test_the_safe_gateway_is_not_searched(searched: list[str]) -> None:
    panel = Explorer(SCHEDULE)
    panel.press("find")
    assert "python3 -m lab explore" in panel.view().happened
    assert searched == []


@pytest.mark.usefixtures("searched")
def test_an_edit_that_no_run_shows_is_said_to_be_so() -> None:
    panel = Explorer(SCHEDULE, "blind_retry")
    panel.press("find")
    assert panel.view().happened == "No run that was explored shows this mistake."


def test_a_search_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "shortest", stop)
    panel = Explorer(SCHEDULE, "blind_retry")
    panel.press("find")
    assert panel.view().happened == "The search was stopped. Nothing was found so far."


def test_progress_is_a_sentence_and_what_wipes_the_bar_says_nothing() -> None:
    said_so: list[str] = []
    progress = Progress(said_so.append)
    progress.write("\rTwo workers, in every order  [##    ] 3 of 42 ")
    progress.write("\r" + " " * 70 + "\r")
    assert said_so == ["Searching. Two workers, in every order: scene 3 of 42."]


def test_the_real_search_reaches_the_panel() -> None:
    panel = Explorer(SCHEDULE, "nothing_before_the_call")
    panel.press("find")
    assert panel.line == "lives nothing_before_the_call / readable NONE plain new / 4 -"


@pytest.mark.usefixtures("searched")
def test_a_line_can_be_changed_and_replayed() -> None:
    panel = Explorer(SCHEDULE, "change_without_version")
    panel.press("find")
    panel.choose("line", str(TWO_WORKERS).replace("change_without_version", "none"))
    panel.press("again")
    view = panel.view()
    assert panel.edit == SAFE.name
    assert view.happened.startswith("The run happened again.")
    assert "not over" in view.happened
    assert view.holds.says.startswith("1 effect ")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("", "three parts"),
        ("<b>nonsense</b>", "three parts"),
        ("lives nobody / keyed NONE plain new / -", "nobody is none of"),
        ("steps none / keyed NONE plain new / O", "O cannot happen"),
    ],
)
def test_a_line_that_is_none_is_one_sentence(line: str, complaint: str) -> None:
    panel = Explorer(SCHEDULE)
    panel.choose("line", line)
    panel.press("again")
    view = panel.view()
    assert view.happened.startswith("This line cannot be replayed: ")
    assert complaint in view.happened
    assert view.beats == ()


def test_a_line_that_is_too_long_is_not_replayed() -> None:
    panel = Explorer(SCHEDULE)
    panel.choose("line", "lives none / keyed NONE plain new / " + "- " * 101)
    panel.press("again")
    assert panel.happened == ("This line cannot be replayed: it has 101 moves, and 100 are enough.")
    panel.choose("line", "x" * 10_000 + " none / keyed NONE plain new / -")
    panel.press("again")
    assert len(panel.happened) < 300


def test_what_was_shown_goes_when_the_next_line_is_no_line_or_something_else_is_looked_at() -> None:
    panel = Explorer(SCHEDULE)

    def shows_a_run() -> bool:
        return bool(panel.view().beats)

    for away in (("line", "nonsense"), ("look", LINES)):
        panel.choose("line", "lives none / keyed NONE plain new / - - -")
        panel.press("again")
        assert shows_a_run()
        panel.choose(*away)
        if away[0] == "line":
            panel.press("again")
        panel.choose("look", SCHEDULE)
        assert not shows_a_run()
