"""``python -m lab explore``: what it prints, what it returns, and how far it says it is."""

import gc
import io
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from lab.__main__ import main as lab
from lab.faults import crashes, explore, schedules
from lab.faults.edits import EDITS
from lab.faults.explore import Explored, Part, main, table
from lab.faults.findings import Findings
from lab.faults.gateways import SAFE, Gateway
from lab.faults.numbers import Numbers
from lab.faults.schedules import ScheduleExplorer
from lab.faults.story import LIVES, STEPS, Line
from lab.faults.world import Scene, World
from lab.gateway import CONTRACTS

SCENES = (
    Scene("keyed", ("RESPONSE_LOST",)),
    Scene("readable", ("RESPONSE_LOST",)),
    Scene("blind", ("RESPONSE_LOST",)),
)
PREPARED_ONE = Scene("readable", ("NONE",), prepared=True)


def few_lives(gateway: Gateway, *_: Any) -> Explored:
    for scene in SCENES:
        with World(scene, gateway) as world:
            yield scene, crashes.CrashExplorer(world).explore(1)[1]


def few_steps(gateway: Gateway, *_: Any) -> Explored:
    with World(PREPARED_ONE, gateway) as world:
        yield PREPARED_ONE, ScheduleExplorer(world).explore(at_most=6)


PARTS = (
    Part(LIVES, "A few lives", few_lives, len(SCENES)),
    Part(STEPS, "A few steps", few_steps, 1),
)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Explore next to nothing."""
    monkeypatch.setattr(explore, "PARTS", PARTS)


class Terminal(io.StringIO):
    """A stream that says it is a terminal, and shows what one would show."""

    def isatty(self) -> bool:
        return True

    def line(self) -> str:
        """Return the one line that is seen, where all was written."""
        seen: list[str] = []
        for part in self.getvalue().split("\r"):
            seen[: len(part)] = part
        return "".join(seen)


# --- what it prints


@pytest.mark.usefixtures("small")
def test_a_gateway_that_holds_is_told_in_a_table_with_what_that_rests_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main() == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    head, _, assumptions = printed.out.partition("This holds as far as these hold:\n")
    assert assumptions.splitlines() == [f"- {one}" for one in explore.ASSUMPTIONS]
    assert len(explore.ASSUMPTIONS) > 3
    lines = head.rstrip().splitlines()
    assert lines[0].split() == list(CONTRACTS)
    assert [line for line in lines if line in ("A few lives", "A few steps")] == [
        "A few lives",
        "A few steps",
    ]


def rows(lines: list[str]) -> dict[str, list[str]]:
    """Return the cells of each row of one part, by its name; all columns are as wide."""
    return {
        line[:22].strip(): [line[start : start + 16].strip() for start in range(22, len(line), 16)]
        for line in lines
    }


@pytest.mark.usefixtures("small")
def test_the_table_has_a_column_for_each_contract_and_a_row_for_each_number(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main()
    lines = capsys.readouterr().out.splitlines()
    start = lines.index("A few lives")
    told = rows(lines[start + 1 : lines.index("A few steps")])
    assert list(told) == [*Numbers.names(), "runs", "seconds"]
    for name in Numbers.names()[:4]:
        assert told[name] == ["0"] * 4
    runs = {scene.contract: found.runs for scene, found in few_lives(SAFE)}
    assert told["runs"] == [str(runs.get(name, 0)) for name in CONTRACTS]
    assert told["in review"] == ["0", "0", "0", told["runs"][3]]
    assert re.fullmatch(r"\d+\.\d", told["seconds"][0])
    assert lines[start + 1].endswith("0")
    assert {len(line) for line in lines[start + 1 : start + 7]} == {22 + 4 * 16}


def test_large_numbers_are_written_with_commas() -> None:
    found = Findings(1_234_567, Numbers(in_review=1_000))
    result = explore.Result(PARTS[0], dict.fromkeys(CONTRACTS, found), None, 1.25)
    told = rows(list(table([result]))[2:])
    assert told["runs"] == ["1,234,567"] * 4
    assert told["in review"] == ["1,000"] * 4


def test_the_scenes_of_one_contract_are_added_up() -> None:
    def twice(gateway: Gateway) -> Explored:
        yield from few_lives(gateway)
        yield from few_lives(gateway)

    once = explore.explore(PARTS[0])
    both = explore.explore(Part(LIVES, "Twice", twice, 6))
    assert both.by_contract["keyed"].runs == 2 * once.by_contract["keyed"].runs > 0
    assert both.by_contract["searchable"] == Findings()
    assert both.failing is None
    assert gc.isenabled()


@pytest.mark.usefixtures("small")
def test_the_results_are_json_where_that_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(as_data=True) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    told = json.loads(printed.out)
    assert told["gateway"] == "none"
    assert told["assumptions"] == list(explore.ASSUMPTIONS)
    assert [part["title"] for part in told["parts"]] == ["A few lives", "A few steps"]
    for part in told["parts"]:
        assert part["failing"] is None
        assert part["seconds"] >= 0
        assert list(part["contracts"]) == list(CONTRACTS)
        for of in part["contracts"].values():
            assert of.keys() == {*Numbers._fields, "runs", "failed"}
            assert [of[name] for name in Numbers._fields[:4]] == [0, 0, 0, 0]
    assert told["parts"][0]["contracts"]["blind"]["in_review"] > 0
    assert told["parts"][1]["contracts"]["readable"]["runs"] > 0


# --- a gateway that breaks a promise


def replayable(complaint: str) -> str:
    found = re.fullmatch(r'broken: python -m lab explore --replay "(.*)"', complaint)
    assert found, complaint
    return found[1]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("as_data", [False, True])
@pytest.mark.parametrize(
    ("edit", "kinds"),
    [("silence_is_failure", [LIVES]), ("change_without_version", [STEPS])],
)
def test_a_broken_promise_is_one_line_that_can_be_replayed(
    edit: str,
    kinds: list[str],
    as_data: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(explore, "SAFE", EDITS[edit])
    assert main(as_data=as_data) == 1
    printed = capsys.readouterr()
    lines = [replayable(line) for line in printed.err.splitlines()]
    assert [line.split()[:2] for line in lines] == [[kind, edit] for kind in kinds]
    if as_data:
        parts = json.loads(printed.out)["parts"]
        assert [part["failing"] for part in parts if part["failing"]] == lines
        assert any(of["failed"] for part in parts for of in part["contracts"].values())
    for line in lines:
        assert main(replay=line) == 1
        story = capsys.readouterr()
        assert story.out.startswith(f"{line}\n")
        assert re.search(r"\bduplicates [1-9]", story.out.splitlines()[-1])
        assert story.err == ""


def test_of_all_that_failed_the_shortest_is_told() -> None:
    result = explore.explore(PARTS[0], EDITS["silence_is_failure"])
    runs = [
        run
        for _, found in few_lives(EDITS["silence_is_failure"])
        for run in found.shortest
        if run is not None
    ]
    assert result.failing is not None
    assert len(result.failing.moves) == min(map(len, runs))


# --- one run, or one edit


def test_a_run_that_holds_is_told_and_returns_nought(capsys: pytest.CaptureFixture[str]) -> None:
    line = "lives none / keyed NONE plain new / 6 - - -"
    assert lab(["explore", "--replay", line]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == line
    assert told[1] == ""
    assert told[-1] == "duplicates 0, lost 0, falsely settled 0, stuck 0, in review 0"


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("nonsense", "three parts"),
        ("", "three parts"),
        ("lives nobody / keyed NONE plain new / -", "nobody is none of"),
        ("lives none / keyed NONE plain new / x", "x is neither"),
        ("lives none / keyed NONE plain new / ²", "²"),
        ("steps none / keyed NONE plain new / O", "O cannot happen"),
        ("lives none / keyed OOPS plain new / -", "OOPS is none of"),
    ],
)
def test_a_line_that_cannot_be_replayed_is_one_sentence(
    line: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(replay=line) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    [sentence] = printed.err.splitlines()
    assert sentence.startswith("This line cannot be replayed: ")
    assert complaint in sentence
    assert sentence.endswith(".")


def test_an_unknown_edit_is_one_sentence_that_lists_the_known(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert lab(["explore", "--edit", "no_such_edit"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    [sentence] = printed.err.splitlines()
    assert "no_such_edit" in sentence
    assert all(name in sentence for name in EDITS)


def test_an_edit_is_told_by_its_shortest_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    edit = EDITS["silence_is_failure"]
    found = Line(LIVES, edit, SCENES[1], ("-", "-"))
    monkeypatch.setattr(explore, "shortest", lambda gateway, *_: found if gateway is edit else None)
    assert main(edit="silence_is_failure") == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0] == f"silence_is_failure: {edit.wrong}"
    assert edit.number in told[1]
    assert str(found) in told
    assert told[-1].startswith("duplicates 1")


def test_an_edit_that_no_run_shows_is_said_to_be_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(explore, "shortest", lambda *_: None)
    assert main(edit="silence_is_failure") == 0
    assert "No run" in capsys.readouterr().out


# --- how far it is


@pytest.mark.usefixtures("small")
def test_a_terminal_sees_how_far_it_is_and_nothing_of_it_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream = Terminal()
    seen: list[str] = []
    monkeypatch.setattr(explore, "BAR_AFTER_S", -1.0)

    def watched_by_a_reader(gateway: Gateway) -> Iterator[tuple[Scene, Findings]]:
        for one in few_lives(gateway):
            yield one
            seen.append(stream.line())

    explore.explore(Part(LIVES, "A few lives", watched_by_a_reader, 3), SAFE, stream)
    assert [re.sub(r"#+ *", "#", line).strip() for line in seen] == [
        f"A few lives  [#] {number} of 3" for number in (1, 2, 3)
    ]
    assert [line.count("#") for line in seen] == [10, 20, 30]
    assert len({line.index("]") for line in seen}) == 1
    assert stream.line().strip() == ""
    assert stream.getvalue().endswith("\r")
    assert "\n" not in stream.getvalue()


def test_the_longest_bar_is_wiped_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explore, "BAR_AFTER_S", -1.0)
    for part in (*explore.PARTS, explore.KILLS):
        stream = Terminal()
        many: Any = range(part.scenes)
        assert list(explore.watched(many, part, stream)) == list(range(part.scenes))
        assert f"{part.scenes} of {part.scenes}" in stream.getvalue()
        assert stream.line().strip() == ""


def test_who_is_done_within_a_second_sees_no_bar() -> None:
    stream = Terminal()
    explore.explore(PARTS[1], SAFE, stream)
    assert stream.getvalue() == ""


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("terminal", [True, False])
def test_only_a_terminal_is_shown_a_bar(terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal() if terminal else io.StringIO()
    monkeypatch.setattr(explore, "BAR_AFTER_S", -1.0)
    monkeypatch.setattr("sys.stderr", stream)
    assert main() == 0
    assert ("A few lives  [" in stream.getvalue()) is terminal
    assert ("A few steps  [" in stream.getvalue()) is terminal
    if terminal:
        assert stream.getvalue().split("\r")[-1] == ""


# --- what is explored


def test_it_explores_lives_and_steps_of_all_contracts() -> None:
    lives, steps = explore.PARTS
    assert (lives.kind, steps.kind) == (LIVES, STEPS)
    assert lives.explore is crashes.explore_crashes
    assert steps.explore is schedules.explore_schedules
    assert lives.scenes == sum(len(list(crashes.scenes(name))) for name in CONTRACTS)
    assert steps.scenes == sum(len(list(schedules.scenes(name))) for name in CONTRACTS)
    assert lives.title.endswith("up to 3 crashes")


def fail(gateway: Gateway) -> Explored:
    raise ZeroDivisionError


def test_an_exploration_that_fails_leaves_the_garbage_collector_on() -> None:
    try:
        with pytest.raises(ZeroDivisionError):
            explore.explore(Part(LIVES, "It fails", fail, 1))
        assert gc.isenabled()
    finally:
        gc.enable()


@pytest.mark.parametrize(
    "asked",
    [
        {"edit": "blind_retry", "replay": "x"}, {"edit": "blind_retry", "kill": True},
        {"replay": "x", "kill": True}, {"replay": "x", "as_data": True},
    ],
)  # fmt: skip
def test_what_does_not_go_together_is_refused_and_not_left_out(
    capsys: pytest.CaptureFixture[str], asked: dict[str, Any]
) -> None:
    assert main(**asked) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.startswith("--edit, --kill and --replay")) == ("", True)
