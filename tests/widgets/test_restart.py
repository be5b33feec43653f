"""The restart panel: real workers, killed at a step, and what both files say then and now."""

import gc
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from lab.faults.kills import workers
from lab.faults.worker import LEDGER_FILE, Forker, Fresh, Simulated, Workers
from lab.widgets import restart
from lab.widgets.frame import Frame
from lab.widgets.panel import Choice, Table
from lab.widgets.restart import WAITS, Restart, shared, stops

AFTER_91_S = WAITS["91 s"]
HISTORIES, PRESSES = 12, 12  # that nobody chose


@pytest.fixture(scope="module")
def start() -> Iterator[Workers]:
    with workers() as started:
        yield started


@pytest.fixture
def panel(start: Workers) -> Iterator[Restart]:
    made = Restart(start)
    yield made
    made.reset()


def press(panel: Restart, *presses: str) -> str:
    """Press one button after the other ("run_to after ledger.begin"); return what happened."""
    for one in presses:
        name, _, place = one.partition(" ")
        if place:
            panel.choose("stop_at", place)
        panel.press(name)
    return panel.happened


def says(panel: Restart) -> tuple[str, str]:
    view = panel.view()
    return view.knows.says, view.holds.says


def facts(table: Table) -> dict[str, tuple[str, ...]]:
    return {str(name): tuple(map(str, values)) for name, *values in table.rows}


def test_every_half_step_can_be_chosen_and_those_of_a_restart_are_marked() -> None:
    assert [place for place, label in stops().items() if place == label] == [
        f"{when} {step}"
        for step in ("ledger.find", "ledger.begin", "provider.perform", "ledger.settle")
        for when in ("before", "after")
    ]
    assert [label for place, label in stops().items() if place != label] == [
        f"{when} {step} (restarts only)"
        for step in ("provider.readback", "ledger.change")
        for when in ("before", "after")
    ]


def test_what_is_tried_first_settles_without_a_second_write(panel: Restart) -> None:
    assert "UNKNOWN; the provider holds 1 effect" in press(panel, "run_to", "kill")
    assert says(panel) == ("UNKNOWN, 1 attempt", "1 effect from 1 request")
    assert "nothing was sent a second time" in press(panel, "restart")
    assert says(panel) == ("SETTLED, 1 attempt", "1 effect from 1 request")


def test_each_file_is_shown_as_it_was_at_the_kill_and_as_it_is_now(panel: Restart) -> None:
    press(panel, "run_to")
    assert panel.view().knows.tables[0].head == ("fact", "now")
    press(panel, "kill", "restart")
    [ledger], [provider] = panel.view().knows.tables, panel.view().holds.tables
    assert ledger.head == provider.head == ("fact", "when A died", "now")
    assert facts(ledger) == {
        "state": ("UNKNOWN", "SETTLED"),
        "attempts": ("1", "1"),
        "receipt": ("none", "readable-1"),
        "evidence": ("attempt begins", "readback"),
    }
    assert facts(provider) == {
        "requests": ("1", "1"),
        "effects": ("1", "1"),
        "receipts": ("readable-1", "readable-1"),
        "duplicates": ("0", "0"),
    }


def test_the_picture_tells_what_the_processes_wrote(panel: Restart) -> None:
    press(panel, "run_to", "kill", "pass_time", "restart")
    assert [f"{beat.who} {beat.step}".strip() for beat in panel.view().beats] == [
        "A ledger.find", "A ledger.begin", "A provider.perform", "A dies", "time",
        "B ledger.find", "B provider.readback", "B ledger.settle", "B ends",
    ]  # fmt: skip
    assert [beat.at for beat in panel.view().beats] == [0] * 4 + [5000] * 5


def test_a_worker_that_is_held_is_a_process_of_its_own_and_named(panel: Restart) -> None:
    assert "Worker A (process " in press(panel, "run_to")
    pid = int(panel.happened.partition("(process ")[2].partition(")")[0])
    assert pid != os.getpid()
    assert panel.view().more[0].rows == [("A", "alive, held after provider.perform")]
    press(panel, "kill")
    if hasattr(os, "fork"):
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    assert panel.view().more[0].rows == [("A", "killed after provider.perform")]


def test_there_are_no_files_before_a_worker_ran(panel: Restart) -> None:
    press(panel, "pass_time", "reset")
    assert not panel.folder
    assert says(panel) == ("no file", "0 effects from 0 requests")
    assert not panel.view().beats
    press(panel, "run_to before ledger.find")
    assert says(panel) == ("no row", "0 effects from 0 requests")


@pytest.mark.parametrize("place", stops())
def test_no_kill_makes_a_second_effect_and_time_settles_it(panel: Restart, place: str) -> None:
    press(panel, f"run_to {place}", "kill", "restart")
    panel.choose("wait", AFTER_91_S)
    press(panel, "pass_time", "restart", "restart")
    assert panel.view().knows.says.startswith("SETTLED")
    assert panel.view().holds.says.startswith("1 effect from")


def test_a_worker_that_repairs_can_be_killed_and_the_next_one_too(panel: Restart) -> None:
    press(panel, "run_to", "kill", "run_to before ledger.settle", "kill")
    assert panel.view().knows.tables[0].head[1] == "when B died"
    told = press(panel, "run_to after provider.readback", "kill", "restart")
    assert told.startswith("Worker D opened the two files. It asked the provider, which holds")
    assert says(panel) == ("SETTLED, 1 attempt", "1 effect from 1 request")


def test_absence_is_no_proof_until_nothing_can_arrive_any_more(panel: Restart) -> None:
    told = press(panel, "run_to before provider.perform", "kill", "restart")
    assert "may still arrive until 90 s, so it waits" in told
    panel.choose("wait", AFTER_91_S)
    assert press(panel, "pass_time") == "91 s went by: it is 91 s now."
    assert "never executed, and it sent attempt 2" in press(panel, "restart")
    assert says(panel) == ("SETTLED, 2 attempts", "1 effect from 1 request")


def test_a_worker_killed_after_the_proof_leaves_an_action_that_is_free_to_be_sent(
    panel: Restart,
) -> None:
    press(panel, "run_to before provider.perform", "kill")
    panel.choose("wait", AFTER_91_S)
    press(panel, "pass_time", "run_to after ledger.change", "kill")
    assert panel.view().knows.says == "PREPARED, 1 attempt"
    assert "found PREPARED" in press(panel, "restart")


def test_when_every_attempt_dies_before_it_sends_a_person_must_look(panel: Restart) -> None:
    panel.choose("wait", AFTER_91_S)
    press(panel, *["run_to before provider.perform", "kill", "pass_time"] * 3)
    assert "all 3 attempts are used up. REVIEW" in press(panel, "restart")
    assert "REVIEW" in press(panel, "restart")
    assert says(panel) == ("REVIEW, 3 attempts", "0 effects from 0 requests")


def test_what_is_settled_is_answered_from_the_ledger(panel: Restart) -> None:
    assert "found no row" in press(panel, "restart")
    assert "It asked nobody, and sent nothing" in press(panel, "restart")


def test_a_step_that_is_never_reached_is_told(panel: Restart) -> None:
    told = press(panel, "run_to before provider.readback")
    assert told.startswith("Worker A never came to 'before provider.readback': it found no row")
    assert panel.view().more[0].rows == [("A", "ended: SETTLED, sent")]


@pytest.mark.parametrize("name", ["run_to", "restart", "pass_time"])
def test_while_a_worker_is_alive_it_has_to_be_killed_first(panel: Restart, name: str) -> None:
    press(panel, "run_to")
    before = panel.view()._replace(happened="")
    assert "is still alive: kill it first." in press(panel, name)
    assert panel.view()._replace(happened="") == before


def test_without_a_worker_there_is_nobody_to_kill(panel: Restart) -> None:
    nobody = "No worker is alive to be killed: press Run to the step."
    assert press(panel, "kill") == nobody
    assert press(panel, "restart", "kill") == f"Worker A has ended. {nobody}"


def test_a_worker_that_somebody_else_killed_is_dead_all_the_same(panel: Restart) -> None:
    press(panel, "run_to")
    panel.workers.kill(*panel._held)
    assert "was gone already" in press(panel, "kill")
    assert "holds readable-1" in press(panel, "restart")


def test_a_reset_kills_who_is_alive_and_begins_again_in_another_folder(panel: Restart) -> None:
    press(panel, "run_to")
    folder, [pid] = panel.folder, panel._held
    press(panel, "reset")
    assert not panel.workers.kill(pid)
    assert not Path(folder).exists()
    assert says(panel) == ("no file", "0 effects from 0 requests")
    assert press(panel, "run_to").startswith("Worker A ")
    assert panel.folder != folder


def test_a_panel_that_nobody_has_any_more_leaves_nothing(start: Workers) -> None:
    panel = Restart(start)
    press(panel, "run_to")
    folder, [pid] = panel.folder, panel._held
    del panel
    gc.collect()
    assert not Path(folder).exists()
    assert not start.kill(pid)


def test_a_damaged_file_is_told_in_a_sentence(panel: Restart) -> None:
    press(panel, "run_to", "kill")
    Path(panel.folder, LEDGER_FILE).write_text("no database " * 100)
    for name in ("restart", "run_to", "pass_time"):
        told = press(panel, name)
        assert told.startswith("This went wrong: ")
        assert told.endswith("Press Reset to begin again.")
    assert panel.view().more[0].rows[-1] == ("C", "failed")
    assert press(panel, "reset", "run_to", "kill", "restart").startswith("Worker B opened")


def refuse(*_: Any, **__: Any) -> Any:
    raise OSError("no more processes")


@pytest.mark.parametrize("way", [Fresh, Forker])
def test_where_no_process_can_be_started_the_same_is_simulated(
    way: type[Workers], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(subprocess, "Popen", refuse)
        panel = Restart(way())
        told = press(panel, "run_to")
        assert told.startswith("No process can be started here (no more processes). So the workers")
        assert "Worker A (simulated) is alive, and held after provider.perform." in told
        assert panel.view().knows.note.startswith("The workers are simulated")
        assert press(panel, "kill").startswith("Worker A (simulated) was killed")
        assert says(panel) == ("UNKNOWN, 1 attempt", "1 effect from 1 request")
        assert "nothing was sent a second time" in press(panel, "restart")
        assert says(panel) == ("SETTLED, 1 attempt", "1 effect from 1 request")
    press(panel, "reset")
    assert panel.view().knows.note == ""


def test_a_worker_that_fails_before_it_begins_is_simulated_too(
    panel: Restart, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> Any:
        raise RuntimeError("the worker failed: no memory")

    monkeypatch.setattr(panel.workers, "hold", fail)
    assert "(the worker failed: no memory)" in press(panel, "run_to")
    assert says(panel) == ("UNKNOWN, 1 attempt", "1 effect from 1 request")


def test_a_worker_that_fails_later_is_not_done_again(
    panel: Restart, monkeypatch: pytest.MonkeyPatch
) -> None:
    workers = panel.workers

    def fail_later(errand: Any) -> Any:
        workers.run_until(errand, "after", "provider.perform")
        raise RuntimeError("the worker failed: no memory")

    with monkeypatch.context() as patch:
        patch.setattr(workers, "run", fail_later)
        told = press(panel, "restart")
    assert told == "This went wrong: the worker failed: no memory. Press Reset to begin again."
    assert panel.view().more[0].rows == [("A", "failed")]
    assert panel.view().beats[-1].what == "ends: failed"
    assert says(panel) == ("UNKNOWN, 1 attempt", "1 effect from 1 request")


def test_whatever_is_pressed_is_answered_and_does_no_harm() -> None:
    chance = Random("restart")
    for _ in range(HISTORIES):
        panel = Restart(Simulated())
        for _ in range(PRESSES):
            panel.choose("stop_at", chance.choice(list(stops())))
            panel.choose("wait", chance.choice(list(WAITS.values())))
            told = press(panel, chance.choice(["run_to", "kill", "kill", "restart", "pass_time"]))
            assert "went wrong" not in told
            assert panel.seen.duplicates == 0
            assert len(panel.seen.effects) <= 1
        panel.reset()


def test_all_panels_share_one_starter_of_workers() -> None:
    assert restart().panel._real is restart().panel._real is shared()


def test_the_frame_kills_and_restarts(panel: Restart) -> None:
    frame = Frame(panel)
    for choice in panel.controls():
        if isinstance(choice, Choice):
            assert getattr(panel, choice.name) in dict(choice.options).values()
    frame.controls["stop_at"].value = "before ledger.settle"
    for name in ("run_to", "kill", "restart"):
        frame.controls[name].click()
    assert "nothing was sent a second time" in frame.happened.value
    assert "<strong>SETTLED</strong>" in frame.knows.value
    assert "when A died" in frame.holds.value
    assert "killed before ledger.settle" in frame.more.value
    assert "dies" in frame.picture.value


def test_a_saved_notebook_shows_a_sentence_without_a_process() -> None:
    assert repr(restart()) == (
        "[Kill a worker, and restart: a panel to click in. Run this cell, and it is\nhere.]"
    )


def test_what_a_restart_says_is_what_it_did(panel: Restart) -> None:
    press(panel, "run_to before provider.perform", "kill")
    assert press(panel, "restart") == (
        "Worker B opened the two files. It asked the provider: not there. The request may still "
        "arrive until 90 s, so it waits, and sends nothing. UNKNOWN."
    )
    panel.choose("wait", AFTER_91_S)
    press(panel, "pass_time")
    assert [beat.passed for beat in panel.view().beats if beat.step == "time"] == [AFTER_91_S]
    press(panel, "restart")
    assert press(panel, "restart").endswith(
        "It read SETTLED and readable-1 in the ledger. It asked nobody, and sent nothing."
    )


def test_three_workers_that_die_before_they_send_leave_it_to_a_person(panel: Restart) -> None:
    panel.choose("wait", AFTER_91_S)
    for _ in range(3):
        press(panel, "run_to before provider.perform", "kill", "pass_time")
    assert press(panel, "restart").endswith(
        "found that all 3 attempts are used up. REVIEW: a person must look."
    )
    assert says(panel) == ("REVIEW, 3 attempts", "0 effects from 0 requests")


def test_files_that_are_gone_are_not_shown_as_if_they_were_there(panel: Restart) -> None:
    press(panel, "run_to", "kill")
    for file in Path(panel.folder).iterdir():
        file.unlink()
    press(panel, "pass_time")
    assert says(panel) == ("no file", "0 effects from 0 requests")


def test_a_cell_that_is_run_again_leaves_no_worker_and_no_folder_behind() -> None:
    first = restart().panel
    assert isinstance(first, Restart)
    first.press("run_to")
    folder, [pid] = first.folder, list(first._held)
    second = restart().panel
    assert not Path(folder).exists()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    second.reset()
