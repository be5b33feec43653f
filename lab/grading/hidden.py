"""An instructor's own scenarios: Python files that are played beside the course's.

A file says for which exercise it is, and lists scenarios as those of ``lab/exercises/asked``::

    from lab.exercises.exercise import Scenario

    EXERCISE = "on_found"
    SCENARIOS = (Scenario("twice", "The same receipt is found twice.", play),)
    SHOWN = ("twice",)      # those that feedback may name; left out, none

``play`` takes a `Stage` and returns facts; what should be is what lab's own piece makes of it.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from lab import exercises
from lab.exercises.exercise import Scenario
from lab.exercises.judge import due
from lab.exercises.stage import RAISES

OWN = "own: "
"""Stands before the name of each, so that none has the name of one of the course's."""


class NotPlayable(Exception):
    """A file of scenarios cannot be used; the message says which, and why."""


class Hidden(NamedTuple):
    """One scenario of an instructor's; ``shown``: feedback may name it."""

    scenario: Scenario
    shown: bool


def load(folder: Path | None, seed: int) -> Mapping[str, tuple[Hidden, ...]]:
    """Return the scenarios of a folder's files, by exercise; each was played once with lab's piece.

    Raises:
        NotPlayable: the folder holds none, or one of them is wrong.
    """
    if folder is None:
        return {}
    files = sorted(folder.glob("*.py")) if folder.is_dir() else []
    if not files:
        raise NotPlayable(f"{folder}: there is no Python file with scenarios in it")
    found: dict[str, tuple[Hidden, ...]] = {}
    for file in files:
        try:
            name, listed = _read(file, seed)
        except NotPlayable:
            raise
        except (Exception, SystemExit) as error:
            raise NotPlayable(f"{file}: {type(error).__name__}: {error}") from error
        found[name] = (*found.get(name, ()), *listed)
    return found


def _read(file: Path, seed: int) -> tuple[str, tuple[Hidden, ...]]:
    module = _imported(file)
    name = getattr(module, "EXERCISE", None)
    if name not in exercises.NAMES:
        raise NotPlayable(f"{file}: EXERCISE should be one of {', '.join(exercises.NAMES)}")
    return name, tuple(_checked(file, module, name, seed))


def _checked(file: Path, module: ModuleType, name: str, seed: int) -> Iterator[Hidden]:
    given = getattr(module, "SCENARIOS", ())
    shown = getattr(module, "SHOWN", ())
    if not given or not all(isinstance(one, Scenario) for one in given):
        raise NotPlayable(f"{file}: SCENARIOS should list at least one Scenario, and nothing else")
    if unknown := set(shown) - {one.name for one in given}:
        raise NotPlayable(f"{file}: SHOWN names {', '.join(sorted(unknown))}, which is not there")
    names = [one.name for one in given]
    for one in given:
        if names.count(one.name) > 1:
            raise NotPlayable(f"{file}: two of the scenarios have the name {one.name}")
        own = one._replace(name=f"{OWN}{file.stem}: {one.name}", live=False)
        facts, _ = due(getattr(exercises, name), own, seed)
        if not isinstance(facts, dict) or not facts:
            raise NotPlayable(f"{file}: {one.name} returns no facts: a dict by label, not empty")
        if f"{RAISES}KeyError" in facts.values():
            raise NotPlayable(f"{file}: {one.name} calls something by a name that nothing has")
        yield Hidden(own, one.name in shown)


def _imported(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"scenarios_{file.stem}", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
