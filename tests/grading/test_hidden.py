"""An instructor's own scenarios are played beside the course's, or refused with the reason."""

from collections.abc import Callable
from pathlib import Path

import pytest

from lab.grading.hidden import OWN, NotPlayable, load

HEAD = "from lab.exercises.exercise import Scenario\n"
PLAY = (
    "def play(stage):\n"
    "    key = f'lead-{stage.number(202)}'\n"
    "    return {'duplicates': stage.answer('count_duplicates', [key, key], [key, key])}\n"
)
ASKED = 'EXERCISE = "count_duplicates"\n'
LISTED = 'SCENARIOS = (Scenario("twice", "One approval is listed twice.", play),)\n'
WHOLE = HEAD + PLAY + ASKED + LISTED
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes files of scenarios to a folder, and returns the folder."""

    def written(*texts: str) -> Path:
        folder = tmp_path / "own"
        folder.mkdir()
        for number, text in enumerate(texts):
            (folder / f"some_{number}.py").write_text(text, "utf-8")
        return folder

    return written


def refusal(folder: Path) -> str:
    with pytest.raises(NotPlayable) as caught:
        load(folder, 5)
    return str(caught.value)


def test_whoever_has_none_has_none() -> None:
    assert load(None, 5) == {}


def test_scenarios_are_found_by_their_exercise(write: Write) -> None:
    other = WHOLE.replace('"twice"', '"again"')
    [(name, own)] = load(write(WHOLE, other), 5).items()
    assert name == "count_duplicates"
    assert [one.scenario.name for one in own] == [f"{OWN}some_0: twice", f"{OWN}some_1: again"]


def test_none_is_shown_unless_it_is_marked(write: Write) -> None:
    two = 'SCENARIOS = [Scenario(name, "It is.", play) for name in ("one", "two")]\n'
    folder = write(HEAD + PLAY + ASKED + two + 'SHOWN = ("two",)\n')
    shown = {one.scenario.name: one.shown for one in load(folder, 5)["count_duplicates"]}
    assert shown == {f"{OWN}some_0: one": False, f"{OWN}some_0: two": True}


def test_none_is_the_gate_to_the_others(write: Write) -> None:
    folder = write(WHOLE.replace("play),", "play, live=True),"))
    assert [one.scenario.live for one in load(folder, 5)["count_duplicates"]] == [False]


def test_each_is_played_once_with_labs_piece(write: Write, tmp_path: Path) -> None:
    mark = f"    open({str(tmp_path / 'played')!r}, 'a').write('x')\n"
    load(write(WHOLE.replace("def play(stage):\n", f"def play(stage):\n{mark}")), 5)
    assert (tmp_path / "played").read_text() == "x"


def test_a_folder_without_any_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / "notes.txt").write_text("x")
    for folder in (empty, tmp_path / "none", empty / "notes.txt"):
        assert refusal(folder) == f"{folder}: there is no Python file with scenarios in it"


def facts(returned: str) -> str:
    """Return a file whose scenario returns something."""
    return f"{HEAD}def play(stage):\n    return {returned}\n{ASKED}{LISTED}"


WRONG = {
    "not Python": ("def play(:", "SyntaxError"),
    "an error": (f"{WHOLE}1 / 0\n", "ZeroDivisionError"),
    "a missing module": ("import not_there_at_all", "ModuleNotFoundError"),
    "an exit": ("raise SystemExit(3)", "SystemExit"),
    "not UTF-8": ("# coding: latin-99\n", "SyntaxError"),
    "an empty file": ("", "EXERCISE should be one of count_duplicates, action_key"),
    "no exercise": (HEAD + PLAY + LISTED, "EXERCISE should be one of"),
    "an unknown exercise": (WHOLE.replace("count_dup", "dup"), "EXERCISE should be one of"),
    "two exercises": (
        WHOLE.replace(ASKED, 'EXERCISE = ["count_duplicates"]\n'),
        "EXERCISE should be one of",
    ),
    "no list": (HEAD + PLAY + ASKED, "SCENARIOS should list at least one Scenario"),
    "an empty list": (f"{ASKED}SCENARIOS = ()\n", "SCENARIOS should list at least one"),
    "one without a comma": (
        WHOLE.replace("play),)", "play))"),
        "SCENARIOS should list at least one Scenario, and nothing else",
    ),
    "something else": (f"{ASKED}SCENARIOS = ('twice',)\n", "and nothing else"),
    "a number": (f"{ASKED}SCENARIOS = 5\n", "TypeError"),
    "an unknown one shown": (f"{WHOLE}SHOWN = ('thrice',)\n", "SHOWN names thrice, which is not"),
    "nothing to call": (WHOLE.replace(", play),", ", None),"), "TypeError"),
    "no name of a piece": (WHOLE.replace("answer('count_", "answer('"), "some_0.py"),
    "no facts": (facts("None"), "twice returns no facts: a dict by label, not empty"),
    "empty facts": (facts("{}"), "twice returns no facts"),
    "an error when played": (facts("stage.nothing"), "AttributeError"),
    "two of one name": (
        HEAD + PLAY + ASKED + f"SCENARIOS = 2 * {LISTED.partition(' = ')[2]}",
        "twice",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_said_with_the_file(write: Write, what: str) -> None:
    text, says = WRONG[what]
    folder = write(text)
    told = refusal(folder)
    assert told.startswith(f"{folder / 'some_0.py'}: ")
    assert says in told


def test_one_wrong_file_among_others_is_named(write: Write) -> None:
    assert "some_1.py: ZeroDivisionError" in refusal(write(WHOLE, "1 / 0", WHOLE))
