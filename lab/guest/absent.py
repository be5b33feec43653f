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


class Places:
    """Where the gateway's modules hold each of their functions: in names, tables and defaults.

    They are looked for once, by whoever begins lives, and a life only has to go there.
    """

    def __init__(self) -> None:
        self.front = vars(sys.modules[ROOM])
        self.names: dict[int, list[tuple[dict[Any, Any], Any]]] = {}
        self.defaults: dict[int, list[FunctionType]] = {}
        modules = [vars(one) for name, one in sys.modules.items() if name.startswith(ROOM)]
        tables = [value for names in modules for value in names.values() if type(value) is dict]
        for held in (*modules, *tables):
            for name, value in held.items():
                if isinstance(value, FunctionType):
                    self.names.setdefault(id(value), []).append((held, name))
                    for given in value.__defaults__ or ():
                        self.defaults.setdefault(id(given), []).append(value)

    def stand_in(self, asked: Asked) -> None:
        """Take away lab's own pieces of what an exercise asks for."""
        for name in asked.defines:
            owner, _, own = name.rpartition(".")
            holder = vars(self.front[owner]) if owner in self.front else self.front
            why = f"{name} is what this exercise asks for, and lab does not lend it here"
            if owner and own in holder:
                setattr(self.front[owner], own, Absent(name, why))
            elif own in holder:
                self._replace(holder[own], Absent(name, why))

    def _replace(self, original: object, by: Absent) -> None:
        for held, name in self.names.get(id(original), ()):
            held[name] = by
        for function in self.defaults.get(id(original), ()):
            given = function.__defaults__ or ()
            function.__defaults__ = tuple(by if one is original else one for one in given)


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
