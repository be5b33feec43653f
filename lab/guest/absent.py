"""What is not to be had while an answer is judged: what it is asked for, and all that is not shown.

Whoever imports such a thing, with others or by a star, is told so only where it is used.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import FunctionType, ModuleType
from typing import Any, NoReturn

from lab.guest.written import Asked

ROOM = "lab.gateway"
ELSEWHERE = ("lab", "IPython", "ipywidgets")  # what lessons import, and answers do not need


class Absent:
    """Stands for a thing, and says why it is not there, whatever is tried with it."""

    def __init__(self, name: str, why: str) -> None:
        vars(self).update(__name__=name, __module__=ROOM, why=why)

    def __call__(self, *_: object, **__: object) -> NoReturn:
        """Say why it is not there."""
        raise RuntimeError(self.why)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise RuntimeError(self.why)


def stand_in(asked: Asked) -> None:
    """Take away lab's own pieces of what an exercise asks for."""
    for name in asked.defines:
        owner, _, own = name.rpartition(".")
        front = vars(sys.modules[ROOM])
        holder = vars(front[owner]) if owner in front else front
        original = holder.get(own)
        why = f"{name} is what this exercise asks for, and lab does not lend it here"
        if original is not None and owner:
            setattr(front[owner], own, Absent(name, why))
        elif original is not None:
            _replace(original, Absent(name, why))


def _replace(original: object, by: object) -> None:
    """Replace a function wherever a module of the gateway holds it, in tables and defaults too."""
    modules = [vars(one) for name, one in sys.modules.items() if name.startswith(ROOM)]
    values = [value for names in modules for value in names.values()]
    tables = [value for value in values if type(value) is dict]
    for function in (value for value in values if isinstance(value, FunctionType)):
        given = function.__defaults__ or ()
        function.__defaults__ = tuple(by if one is original else one for one in given) or None
    for held in (*modules, *tables):
        for name, value in list(held.items()):
            if value is original:
                held[name] = by


class Elsewhere(MetaPathFinder, Loader):
    """Finds modules that a lesson imports and that are not here; all their names are absent."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a module for what nothing else found, if a lesson might import it."""
        if fullname.partition(".")[0] not in ELSEWHERE:
            return None
        return ModuleSpec(fullname, self, is_package=True)

    def exec_module(self, module: ModuleType) -> None:
        """Let the module answer every name."""

        def absent(name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            why = f"{name} of {module.__name__} is not there while an answer is graded"
            return Absent(name, why)

        vars(module)["__getattr__"] = absent
