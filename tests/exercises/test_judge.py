"""A verdict is one of four; a broken answer gets a plain sentence and the learner's own line."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lab import exercises
from lab.exercises import count_duplicates as exercise
from lab.exercises import on_found as handler
from lab.exercises import prepare as method
from lab.exercises.bench import Player
from lab.exercises.exercise import Mistake, Scenario
from lab.exercises.judge import played_out, same
from lab.exercises.verdict import COULD_NOT_RUN, FAILED, NOT_ATTEMPTED, PASSED
from lab.gateway import Ledger, count_duplicates

STUB = "def count_duplicates(keys_of_effects, approved):\n    "


def written(code: str, name: str = "count_duplicates") -> Any:
    """Return what a cell of a notebook defines."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(code, names)
    return names[name]


def test_an_untouched_exercise_is_not_attempted() -> None:
    code = STUB + '"""Count."""\n    # YOUR CODE HERE\n    raise NotImplementedError()'
    verdict = exercise.judged(written(code))
    assert (verdict.status, verdict.earned) == (NOT_ATTEMPTED, 0)
    assert "exercise.hint()" in verdict.says


def test_an_untouched_method_is_not_attempted() -> None:
    code = (
        "from lab.gateway import Ledger as Base\nclass Ledger(Base):\n"
        "    def prepare(self, action):\n        raise NotImplementedError()"
    )
    assert method.judged(written(code, "Ledger")).status == NOT_ATTEMPTED


def test_a_line_that_was_left_over_is_named() -> None:
    code = STUB + "held = list(keys_of_effects)\n    raise NotImplementedError()\n    return 0"
    verdict = exercise.judged(written(code))
    assert verdict.status == FAILED
    assert "line 3" in verdict.says
    assert "Delete it" in verdict.says


def test_a_line_left_over_below_a_right_answer_does_no_harm() -> None:
    code = (
        STUB + "held = list(keys_of_effects)\n    return len(held) - len(set(held) & set(approved))"
        "\n    raise NotImplementedError()"
    )
    assert exercise.judged(written(code)).status == PASSED


@pytest.mark.parametrize(
    "given", [(), (3,), (None,), ("count_duplicates",), (len, len), (int,)], ids=repr
)
def test_what_is_no_answer_could_not_run_and_is_told_how(given: tuple[Any, ...]) -> None:
    verdict = exercise.judged(*given)
    assert verdict.status == COULD_NOT_RUN
    assert verdict.says


def test_labs_own_piece_is_not_an_answer() -> None:
    for one, given in ((exercise, count_duplicates), (method, Ledger)):
        verdict = one.judged(given)
        assert verdict.status == COULD_NOT_RUN
        assert "not yours" in verdict.says


def test_a_class_that_lacks_the_method_is_told_so() -> None:
    code = "from lab.gateway import Ledger as Base\nclass Ledger(Base):\n    pass"
    verdict = method.judged(written(code, "Ledger"))
    assert verdict.status == COULD_NOT_RUN
    assert "no prepare of its own" in verdict.says


def test_every_exercise_is_tried_four_ways() -> None:
    asked = [
        name
        for path in sorted(Path(__file__).parent.glob("test_four_ways_*.py"))
        for name in re.findall(r'"(\w+)"', path.read_text("utf-8").partition("ASKED")[2])
    ]
    assert sorted(asked) == sorted(exercises.NAMES)


@pytest.mark.parametrize("takes", ["", "a", "a, b, c", "*, keys_of_effects, approved"])
def test_another_signature_could_not_run(takes: str) -> None:
    verdict = exercise.judged(written(f"def count_duplicates({takes}):\n    return 0"))
    assert verdict.status == COULD_NOT_RUN
    assert "keys_of_effects, approved" in verdict.says
    assert "does not fit" in verdict.says


@pytest.mark.parametrize("takes", ["a, b", "*a", "a, b, c=1", "a, b, **c"])
def test_other_names_and_more_that_may_be_left_out_are_welcome(takes: str) -> None:
    code = f"from lab import gateway\ndef count_duplicates({takes}):\n    return 0"
    assert exercise.judged(written(code)).status == FAILED


@pytest.mark.parametrize(
    ("body", "name"),
    [("return lenn(approved)", "NameError"), ("return None + 1", "TypeError"),
     ("return approved.size", "AttributeError"), ("import nowhere", "ModuleNotFoundError"),
     ("return [][1]", "IndexError"), ("return count_duplicates(0, 0)", "RecursionError"),
     ("raise SystemExit", "SystemExit"), ("return 1 / 0", "ZeroDivisionError"),
     ("raise ValueError('mine')", "ValueError")],
)  # fmt: skip
def test_an_error_is_told_with_the_learners_own_line(body: str, name: str) -> None:
    verdict = exercise.judged(written(STUB + body))
    assert verdict.status == FAILED
    assert name in verdict.says, verdict
    assert "line 2 " in verdict.says


def test_an_error_in_a_helper_of_the_learners_is_told_with_its_line() -> None:
    code = f"def helper():\n    return 1 + 'x'\n\n{STUB}return helper()"
    assert "line 2 " in exercise.judged(written(code)).says


def test_what_a_piece_of_the_gateway_may_not_return_is_shown() -> None:
    code = "def on_found(action, row, readback, ledger, provider):\n    return 'settled'"
    verdict = handler.judged(written(code, "on_found"))
    assert verdict.status == FAILED
    assert "'settled'" in repr(verdict.played)


@pytest.mark.parametrize(
    "body",
    ["while True: ledger.get(row.key)", "pass", "return on_found(action, row, readback, ledger, "
     "provider)"],
)  # fmt: skip
def test_what_goes_round_in_circles_is_ended(body: str) -> None:
    code = f"def on_found(action, row, readback, ledger, provider):\n    {body}"
    verdict = handler.judged(written(code, "on_found"))
    assert (verdict.status, verdict.earned) == (FAILED, 0)


def test_a_known_mistake_that_lets_an_error_out_says_where() -> None:
    code = (
        "def on_found(action, row, readback, ledger, provider):\n"
        "    provider.perform(action, row.attempts)\n    return None"
    )
    verdict = handler.judged(written(code, "on_found"))
    assert verdict.mistake
    assert "ResponseLost came out of line 2" in verdict.says


def test_a_mistake_is_shown_where_it_was_recognised() -> None:
    negative = Mistake("negative", "Look again. It is.", lambda seen: seen("b", "n") == -1)
    scenarios = tuple(
        Scenario(name, name.upper(), lambda stage, n=n: {"n": stage.answer("double", n)})
        for name, n in (("a", 1), ("b", -1))
    )
    asked = replace(exercise, defines=("double",), takes=("n",), scenarios=scenarios,
                    mistakes=(negative,), solved=(double,))  # fmt: skip
    assert asked.judged(written("def double(n):\n    return n", "double")).about == "b"
    assert asked.judged(written("def double(n):\n    return 0", "double")).about == "a"


def double(n: int) -> int:
    return 2 * n


def test_the_interrupt_button_ends_it_in_a_sentence() -> None:
    code = STUB + "raise KeyboardInterrupt"
    verdict = exercise.judged(written(code))
    assert verdict.status == COULD_NOT_RUN
    assert "loop" in verdict.says


def test_a_check_changes_nothing_of_the_learners() -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(f"seen = []\n{STUB}seen.append(1)\n    return 0", names)
    before = set(names)
    exercise.judged(names["count_duplicates"])
    assert names["seen"] == []
    assert set(names) == before


def test_safety_alone_earns_nothing() -> None:
    code = STUB + "return 0"  # right wherever nothing was done twice
    verdict = exercise.judged(written(code))
    assert any(one.passed for one in verdict.played)
    assert verdict.earned == 0


@pytest.mark.parametrize(("seed", "in_order"), [(None, True), (3, False), (4, False)])
def test_a_test_of_the_learners_does_not_know_whose_turn_it_is(
    seed: int | None, in_order: bool
) -> None:
    turns: list[str] = []
    played = tuple(
        one._replace(play=lambda stage, name=one.name: {"turn": turns.append(name)})
        for one in exercises.reuse_test.scenarios
    )
    learners_test = replace(exercises.reuse_test, scenarios=played)
    played_out(learners_test, Player(lambda: None), seed)
    assert (list(dict.fromkeys(turns)) == [one.name for one in played]) == in_order
    assert set(turns) == {one.name for one in played}


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, True), (0, False), (1, 1.0), ((1,), [1]), ([1, [True]], [1, [1]]), ("1", 1), (None, 0),
     ({"a": 1}, {"a": True}), ({}, []), (b"", "")],
)  # fmt: skip
def test_values_are_compared_by_exact_type(one: Any, other: Any) -> None:
    assert not same(one, other)
    assert same(one, one)
    assert same(other, other)
