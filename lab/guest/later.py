"""A new life begins later: the clocks that a piece of code may look at, moved on.

Two lives in one kernel follow each other within a millisecond; a worker that starts again does so
minutes or days later. Who builds a key from the time of day has to meet that.
"""

from __future__ import annotations

import builtins
import datetime
import os
import time
from collections.abc import Callable, Mapping
from functools import cached_property
from types import ModuleType
from typing import Any, Self

LATER_S = 90_061  # a day, an hour, a minute and a second: no unit of a clock stays the same
_hash, _getpid = hash, os.getpid
_time, _time_ns, _localtime = time.time, time.time_ns, time.localtime
_gmtime, _ctime, _asctime, _strftime = time.gmtime, time.ctime, time.asctime, time.strftime


class Moved(ModuleType):
    """A module of which some names are replaced; the rest is the original's."""

    def __init__(self, original: ModuleType, replaced: Mapping[str, Any]) -> None:
        super().__init__(original.__name__, original.__doc__)
        self._original = original
        vars(self).update(replaced)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._original, name)


def replaced(lives: int) -> dict[ModuleType, dict[str, Any]]:
    """Return what a life sees otherwise than those before it, by module and name.

    It is the life's own: what it writes on one of these classes, no other life may find.
    """
    seconds = lives * LATER_S
    return {
        os: {"getpid": lambda: _getpid() + lives},  # another process
        time: _time_functions(seconds),
        datetime: _datetime_classes(datetime.timedelta(seconds=seconds)),
    }


def salted(salt: int) -> Callable[[object], int]:
    """Return a `hash` that gives texts another number in every process, as Python's own does."""
    return lambda value: _hash((salt, value) if isinstance(value, (str, bytes, tuple)) else value)


def begin(life: int) -> None:
    """Let this whole process be a life that begins later, with another `hash`.

    Its number is another one than that of any other life, as that of every process is.
    """
    for module, names in replaced(life).items():
        if module is not os:
            vars(module).update(names)
    builtins.hash = salted(life)


def _time_functions(seconds: int) -> dict[str, Any]:
    def now() -> float:
        return _time() + seconds

    def at(given: Any) -> Any:
        return now() if given is None else given

    def localtime(given: float | None = None) -> time.struct_time:
        return _localtime(at(given))

    return {
        "time": now,
        "time_ns": lambda: _time_ns() + seconds * 1_000_000_000,
        "localtime": localtime,
        "gmtime": lambda given=None: _gmtime(at(given)),
        "ctime": lambda given=None: _ctime(at(given)),
        "asctime": lambda given=None: _asctime(localtime() if given is None else given),
        "strftime": lambda form, given=None: _strftime(
            form, localtime() if given is None else given
        ),
    }


def _datetime_classes(later: datetime.timedelta) -> dict[str, Any]:
    class Moment(datetime.datetime):
        """A date and a time; now is later."""

        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> Self:
            return super().now(tz) + later

        @classmethod
        def utcnow(cls) -> Self:
            return cls.now(datetime.UTC).replace(tzinfo=None)

        @classmethod
        def today(cls) -> Self:
            return cls.now()

    class Day(datetime.date):
        """A date; today is later."""

        @classmethod
        def today(cls) -> Self:
            return super().today() + later

    Moment.__name__, Day.__name__ = "datetime", "date"
    return {"datetime": Moment, "date": Day}


CLOCKED = {module.__name__: (module, tuple(names)) for module, names in replaced(0).items()}


class Clocks:
    """What a life sees of the clocks. It is made when the life first looks, which few ever do."""

    def __init__(self, lives: int) -> None:
        self._lives = lives

    @cached_property
    def _modules(self) -> dict[str, Moved]:
        return {
            module.__name__: Moved(module, own) for module, own in replaced(self._lives).items()
        }

    def names(self, around: Mapping[str, Any]) -> dict[str, Any]:
        """Return the names around a function; those of clocks stand for the life's own."""
        known: dict[int, tuple[str, str]] = {}  # by the identity of what has a name
        for module, (original, names) in CLOCKED.items():
            known[id(original)] = (module, "")
            known.update((id(vars(original)[name]), (module, name)) for name in names)
        found = {name: known[id(value)] for name, value in around.items() if id(value) in known}
        own = {
            name: vars(self._modules[module])[inside] if inside else self._modules[module]
            for name, (module, inside) in found.items()
        }
        return {**around, **own}

    def importing(self, name: str, *details: Any) -> Any:
        """Import as usual, but for the modules with a clock in them."""
        return self._modules[name] if name in CLOCKED else builtins.__import__(name, *details)
