"""The hostile test prints its five lines, counts what it prints, and can fail."""

import subprocess
import sys
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from lab.faults import hostile
from lab.faults.clock import MINUTE_MS
from lab.faults.edits import EDITS, SAFE, Gateway
from lab.faults.hostile import Run, main, review_cost, run
from lab.gateway import KEYED, READABLE, Action, Fault, Ledger, Outcome, Provider, execute

EXPECTED = (Path(__file__).parent / "hostile_test.stdout").read_text()


def test_it_prints_exactly_its_five_lines_and_leaves_two_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(str(tmp_path / "new" / "out")) == 0
    printed = capsys.readouterr()
    assert printed.out == EXPECTED
    assert printed.err == ""
    files = sorted(file.name for file in (tmp_path / "new" / "out").iterdir())
    assert files == ["operator.sqlite3", "provider.sqlite3"]


def test_it_runs_as_a_command_with_nothing_installed(tmp_path: Path, checkout: Path) -> None:
    command = [sys.executable, "-S", "-m", "lab", "run", str(tmp_path / "out")]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, EXPECTED, "")


# What the hostile test cannot show: one worker at a time that never dies, three actions of
# different content, one way to lose a response. The explorers show every one of these.
OUT_OF_SIGHT = {
    "unknown_after_failure": "no worker dies between the call and what it writes of it",
    "only_response_lost_caught": "every response that is lost is lost as a ResponseLost",
    "proof_at_the_last_moment": "nobody asks at the very last moment",
    "send_by_ignored": "no worker sleeps between its begin and its call",
    "first_candidate_picked": "no two records have the same content",
    "payload_unchecked": "nobody else writes a record under our key",
    "old_refusal_closes_the_new": "the provider rejects nothing",
    "change_without_version": "no two workers are at work at the same time",
    "late_receipt_dropped": "nobody moves a row while its worker waits for the response",
    "operator_does_not_wait": "no person decides anything",
}


@pytest.mark.parametrize("name", [name for name in EDITS if name not in OUT_OF_SIGHT])
def test_an_unsafe_edit_in_its_sight_fails_it_and_the_broken_promise_is_named(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(str(tmp_path), name) == 1
    printed = capsys.readouterr()
    assert printed.out.endswith("CHECK FAIL\n")
    assert "CHECK PASS" not in printed.out
    assert printed.err.startswith("broken: ")


@pytest.mark.parametrize("name", OUT_OF_SIGHT)
def test_an_unsafe_edit_out_of_its_sight_passes_it(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(str(tmp_path), name) == 0, f"it can be shown, though {OUT_OF_SIGHT[name]}"
    printed = capsys.readouterr()
    assert printed.out == EXPECTED
    assert printed.err == ""


@pytest.mark.parametrize("name", EDITS)
def test_an_unsafe_edit_says_what_is_wrong_and_whom_it_hurts(name: str) -> None:
    assert EDITS[name].name == name
    assert len(EDITS[name].wrong.split()) > 10


def five_times(action: Action, ledger: Ledger, provider: Provider, *_: object) -> Outcome:
    """Report nothing but success, and send five times."""
    for number in range(5):
        provider.perform(Action(f"{action.key}-{number}", action.kind, action.payload), 1)
    return execute(action, ledger, provider)


def test_a_gateway_that_sends_five_times_fails_whatever_it_reports(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = hostile.hostile_test(
        tmp_path, Gateway("five", "sends five times", dispatch=five_times)
    )
    assert "CHECK FAIL" in capsys.readouterr().out
    assert any("no duplicate exists" in promise for promise in broken)


def explode(*_: object) -> Outcome:
    raise RuntimeError("nobody foresaw this")


def test_a_gateway_that_stops_with_an_error_fails_and_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    [broken] = hostile.hostile_test(tmp_path, Gateway("odd", "stops", dispatch=explode))
    assert capsys.readouterr().out.endswith("CHECK FAIL\n")
    assert "RuntimeError: nobody foresaw this" in broken


def test_what_is_judged_is_what_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = (tmp_path / name for name in ("one", "two"))
    one.mkdir()
    two.mkdir()
    judged = hostile.judge(one, EDITS["blind_retry"])
    assert capsys.readouterr().out == ""
    assert hostile.hostile_test(two, EDITS["blind_retry"]) == judged.broken
    printed = capsys.readouterr().out.splitlines()
    assert printed == [f"{name} {line}" for name, line in judged.lines.items()]
    assert judged.run is not None
    assert judged.run.requests[hostile.WELCOMES[2].key] == 2


def test_a_run_that_came_to_no_end_is_judged_without_one(tmp_path: Path) -> None:
    judged = hostile.judge(tmp_path, Gateway("odd", "stops", dispatch=explode))
    assert (list(judged.lines), judged.run) == (["BASELINE", "CHECK"], None)


def spoiled(kept: Run) -> dict[str, Run]:
    """Return, for each promise, a run in which that one is broken."""
    key = hostile.WELCOMES[1].key
    sent = [outcome._replace(path="sent", receipt="other") for outcome in kept.restart]
    return {
        "three actions make exactly three provider records": replace(kept, effects=["a", "b"]),
        "no duplicate exists at the provider": replace(kept, effects=[*kept.effects, key]),
        "every request is an attempt that the ledger knows": replace(
            kept, requests={**kept.requests, key: 2}
        ),
        "a lost response leaves UNKNOWN, not failed": replace(kept, first=kept.restart),
        "what is settled is answered from the ledger, with its receipt": replace(
            kept, restart=[sent[0], *kept.restart[1:]]
        ),
        "without readback an action goes to REVIEW and is not sent again": replace(
            kept, restart=[*kept.restart[:2], kept.restart[2]._replace(attempts=2)]
        ),
        "asking once more changes nothing": replace(kept, again=kept.first),
        "a key reused with other data is rejected": replace(kept, reuse_refused=False),
    }


def test_every_promise_can_be_broken(tmp_path: Path) -> None:
    kept = run(SAFE, KEYED, tmp_path, MINUTE_MS)
    assert spoiled(kept).keys() == hostile.PROMISES.keys()
    for promise, holds in hostile.PROMISES.items():
        assert holds(kept), promise
        assert not holds(spoiled(kept)[promise]), promise


def test_duplicates_are_counted_at_the_provider(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    twice = {action.key: [Fault.SENT_TWICE] for action in hostile.WELCOMES}
    monkeypatch.setattr(hostile, "SILENT", twice)
    doubled = run(SAFE, READABLE, tmp_path, MINUTE_MS)
    assert doubled.duplicates == 3
    assert not hostile.PROMISES["every request is an attempt that the ledger knows"](doubled)


def test_the_baseline_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    assert hostile.baseline() == {"attempts": 2, "duplicates": 1, "external_actions": 2}
    monkeypatch.setattr(hostile, "SILENT", {})
    assert hostile.baseline() == {"attempts": 1, "duplicates": 0, "external_actions": 1}


def test_a_folder_that_holds_a_run_is_refused_and_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(str(tmp_path)) == 0
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    capsys.readouterr()
    assert main(str(tmp_path)) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "already holds a run" in printed.err
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_a_folder_that_cannot_be_made_is_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert main(str(tmp_path / "file" / "out")) == 2
    assert "cannot be made" in capsys.readouterr().err


def test_an_unknown_edit_is_a_sentence_that_lists_the_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(str(tmp_path), "no_such_edit") == 2
    assert "blind_retry" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("reviews", "minutes", "rate", "cost"),
    [(1, 4, "30", "2.00"), (0, 4, "30", "0.00"), (3, 7, "45.50", "15.93"), (1, 1, "1", "0.02")],
)
def test_the_review_cost_is_computed_in_decimal(
    reviews: int, minutes: int, rate: str, cost: str
) -> None:
    assert review_cost(reviews, minutes, Decimal(rate)) == Decimal(cost)
