"""A new process remembers nothing: what the learner defined, as a fresh start would find it.

In a notebook the learner's functions share the kernel's memory, which no crash there wipes. So
each life gets copies of its own, and what a life writes into a list of the notebook is gone when
the life is over. The learner's own objects stay as they are.
"""

from __future__ import annotations

import builtins
import copy
import dis
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Mapping
from functools import cache
from itertools import count
from types import CellType, CodeType, FunctionType
from typing import Any

from lab.guest.later import Clocks, salted

_LIVES = count()
YEAR = 365
AROUND = ("LOAD_GLOBAL", "LOAD_NAME", "STORE_GLOBAL", "DELETE_GLOBAL")
CONTAINERS = (list, dict, set, bytearray, deque, Counter, defaultdict, OrderedDict)


class Worlds(dict[int, dict[str, Any]]):
    """What the copied functions find around them, by the names around the originals.

    ``life`` is the number of the life that they are for; None: they are only kept.
    """

    life: int | None = None


def kept(defined: Mapping[str, Any]) -> dict[str, Any]:
    """Return copies of functions and classes as they are now, whatever becomes of the originals."""
    worlds = Worlds()
    return {name: _fresh(value, worlds) for name, value in defined.items()}


def fresh(defined: Mapping[str, Any]) -> dict[str, Any]:
    """Return copies of functions and classes as a new process would have them."""
    worlds = Worlds()
    worlds.life = next(_LIVES)
    return {name: _fresh(value, worlds) for name, value in defined.items()}


def _fresh(value: Any, worlds: Worlds) -> Any:
    """Return a copy of what can remember something; anything else as it is."""
    if isinstance(value, FunctionType):
        return _fresh_function(value, worlds)
    if isinstance(value, type) and value.__module__ == "__main__":
        return _fresh_class(value, worlds)
    return _copied(value) if type(value) in CONTAINERS else value


def _copied(value: Any) -> Any:
    """Return a container of its own; where something in it cannot be copied, it is shared."""
    try:
        return copy.deepcopy(value)
    except Exception:
        return copy.copy(value)


def _fresh_class(original: type, worlds: Worlds) -> type:
    """Return a class with the same bases, whose functions know it by its name and by `super`."""
    parts = {
        name: part
        for name, part in vars(original).items()
        if name not in ("__dict__", "__weakref__") and not isinstance(part, FunctionType)
    }
    made = type(original)(
        original.__name__, original.__bases__,
        {name: _fresh(part, worlds) for name, part in parts.items()},
    )  # fmt: skip
    for name, part in vars(original).items():
        if isinstance(part, FunctionType):
            setattr(made, name, _fresh_function(part, worlds, made))
    for world in worlds.values():
        if world.get(original.__name__) is original:
            world[original.__name__] = made
    return made


def _fresh_function(
    function: FunctionType, worlds: Worlds, owner: type | None = None
) -> FunctionType:
    if function.__globals__.get("__name__") != "__main__":
        return function
    world = _world(function, worlds)
    made = FunctionType(
        function.__code__, world, function.__name__, _copied(function.__defaults__),
        _closure(function, owner),
    )  # fmt: skip
    made.__kwdefaults__ = _copied(function.__kwdefaults__)
    made.__dict__.update(_copied(vars(function)))
    return made


def _closure(function: FunctionType, owner: type | None) -> tuple[CellType, ...] | None:
    """Return what a function holds of the functions and the class around it: `super` asks it."""
    if function.__closure__ is None or owner is None:
        return function.__closure__
    pairs = zip(function.__code__.co_freevars, function.__closure__, strict=True)
    return tuple(CellType(owner) if name == "__class__" else cell for name, cell in pairs)


def _world(function: FunctionType, worlds: Worlds) -> dict[str, Any]:
    """Return the names that a function finds around it: those it uses are copies."""
    around = function.__globals__
    if id(around) not in worlds:
        worlds[id(around)] = dict(around) if worlds.life is None else _born(around, worlds.life)
    world = worlds[id(around)]
    for name in _names(function.__code__):
        value = around.get(name)
        if world.get(name) is value and (
            isinstance(value, FunctionType) or type(value) in CONTAINERS
        ):
            world[name] = None  # it is being copied: a function may call itself
            world[name] = _fresh(value, worlds)
    return world


def _born(around: Mapping[str, Any], life: int) -> dict[str, Any]:
    """Return the names around a function in a new process: later, and with another `hash`."""
    clocks = Clocks(life % YEAR)  # no key may grow with the lives before it
    own = {**vars(builtins), "hash": salted(life), "__import__": clocks.importing}
    return {**clocks.names(around), "__builtins__": own}


@cache
def _names(code: CodeType) -> frozenset[str]:
    """Return the names around it that a piece of code uses, and the functions inside it."""
    inner = (_names(part) for part in code.co_consts if isinstance(part, CodeType))
    own = {one.argval for one in dis.get_instructions(code) if one.opname in AROUND}
    return frozenset(own).union(*inner)
