"""Answers to the exercises as learners write them, right and wrong: a file for each exercise.

They run as in a notebook: their module is ``__main__``. What several files of one exercise are
made of is imported from ``NAME_shared.py``.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

FOLDER = Path(__file__).parent / "answers"
Definition = TypeVar("Definition")


class Answer(NamedTuple):
    """What a learner might write; ``mistake`` is the one that should be told, empty: none."""

    what: str
    mistake: str
    given: Any


_collected: list[Answer] = []


def right(style: str) -> Callable[[Definition], Definition]:
    """Mark an answer that is right, in a style of its own."""

    def collect(given: Definition) -> Definition:
        _collected.append(Answer(style, "", given))
        return given

    return collect


def wrong(mistake: str, what: str = "") -> Callable[[Definition], Definition]:
    """Mark an answer that makes a known mistake; ``what`` tells two of the same mistake apart."""

    def collect(given: Definition) -> Definition:
        _collected.append(Answer(what or mistake, mistake, given))
        return given

    return collect


def unforeseen(what: str) -> Callable[[Definition], Definition]:
    """Mark an answer that is wrong in a way that no known mistake describes."""

    def collect(given: Definition) -> Definition:
        _collected.append(Answer(what, "unforeseen", given))
        return given

    return collect


@cache
def answers_to(name: str) -> tuple[Answer, ...]:
    """Return the answers to one exercise, always the same; a long list goes on in ``name_2.py``."""
    _collected.clear()
    for path in (FOLDER / f"{name}.py", *sorted(FOLDER.glob(f"{name}_[0-9].py"))):
        namespace = {"__name__": "__main__", "__file__": str(path)}
        exec(compile(path.read_text("utf-8"), str(path), "exec"), namespace)
    return tuple(_collected)
