"""Workers that are real processes: they do an errand, or are killed at a step of it."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lab.faults import worker
from lab.faults.worker import LEDGER_FILE, PROVIDER_FILE, Errand, Forker, work
from lab.gateway import KEYED, DemoProvider, Ledger

KEY = "welcome:lead-202:v1"


@pytest.fixture
def errand(tmp_path: Path) -> Errand:
    return Errand(str(tmp_path), KEY, "welcome_email", {"lead": "lead-202"})


@pytest.fixture(params=["a fresh Python", "a fork"])
def workers(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Return what has ``run`` and ``run_until``: both ways must do the same."""
    if request.param == "a fresh Python":
        yield worker
    elif hasattr(os, "fork"):
        with Forker() as forker:
            yield forker
    else:
        pytest.skip("this system cannot fork")


def states(errand: Errand) -> list[str]:
    with Ledger(Path(errand.folder) / LEDGER_FILE) as ledger:
        return [row.state for row in ledger.rows()]


def effects(errand: Errand) -> int:
    with DemoProvider(Path(errand.folder) / PROVIDER_FILE, KEYED) as provider:
        return len(provider.effects())


def test_a_worker_does_its_errand_and_tells_the_outcome(workers: Any, errand: Errand) -> None:
    assert workers.run(errand) == {
        "key": KEY,
        "state": "SETTLED",
        "attempts": 1,
        "path": "sent",
        "receipt": "keyed-1",
    }
    assert (states(errand), effects(errand)) == (["SETTLED"], 1)


def test_a_worker_suffers_the_faults_of_its_errand(workers: Any, errand: Errand) -> None:
    silent = replace(errand, faults=["RESPONSE_LOST"], readable=False)
    assert workers.run(silent)["path"] == "hold"
    assert workers.run(replace(silent, at=10**6))["path"] == "manual"
    assert workers.run(replace(errand, at=10**6))["path"] == "reconciled"


@pytest.mark.parametrize(
    ("when", "step", "left"),
    [
        ("before", "ledger.begin", ([], 0)),
        ("after", "ledger.begin", (["UNKNOWN"], 0)),
        ("before", "provider.perform", (["UNKNOWN"], 0)),
        ("after", "provider.perform", (["UNKNOWN"], 1)),
        ("after", "ledger.settle", (["SETTLED"], 1)),
    ],
)
def test_a_worker_killed_at_a_step_leaves_what_was_done_before_it(
    workers: Any, errand: Errand, when: str, step: str, left: tuple[list[str], int]
) -> None:
    assert workers.run_until(errand, when, step)
    assert (states(errand), effects(errand)) == left


def test_the_second_time_a_worker_comes_to_a_step_can_be_meant(
    workers: Any, errand: Errand
) -> None:
    refused = replace(errand, faults=["REJECTED"])
    assert workers.run_until(refused, "before", "ledger.find", nth=2)
    assert states(errand) == ["PREPARED"]


def test_a_worker_that_never_comes_to_the_step_finishes(workers: Any, errand: Errand) -> None:
    assert not workers.run_until(errand, "before", "provider.readback")
    assert states(errand) == ["SETTLED"]


def test_a_worker_that_fails_is_no_outcome(workers: Any, errand: Errand) -> None:
    nowhere = replace(errand, folder=errand.folder + "/nowhere")
    with pytest.raises(RuntimeError, match="the worker failed"):
        workers.run(nowhere)
    with pytest.raises(RuntimeError, match="the worker failed"):
        workers.run_until(nowhere, "before", "ledger.find")


def test_the_complaint_of_a_worker_that_fails_is_told(errand: Errand) -> None:
    with pytest.raises(RuntimeError, match=r"StoreUnreachable.*cannot be opened"):
        worker.run(replace(errand, folder=errand.folder + "/nowhere"))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forker_goes_on_after_a_worker_that_failed(errand: Errand) -> None:
    with Forker() as forker:
        with pytest.raises(RuntimeError):
            forker.run(replace(errand, contract="unheard of"))
        assert forker.run(errand)["path"] == "sent"


def test_an_errand_can_be_done_in_this_process_with_a_hook(errand: Errand) -> None:
    passed: list[str] = []
    assert work(errand, lambda when, step: passed.append(step)).path == "sent"
    assert passed[::2] == ["ledger.find", "ledger.begin", "provider.perform", "ledger.settle"]


def test_a_worker_signs_with_its_name(errand: Errand) -> None:
    work(replace(errand, actor="night shift"))
    with Ledger(Path(errand.folder) / LEDGER_FILE) as ledger:
        assert {event["actor"] for event in ledger.events(KEY)} == {"night shift"}
