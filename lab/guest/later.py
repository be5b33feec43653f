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


def replacements(lives: int) -> tuple[dict[int, Any], Any]:
    """Return what stands for each clock that code may have by a name, and an import that gives it.

    The first is by the identity of what it stands for.
    """
    modules = {module.__name__: Moved(module, names) for module, names in replaced(lives).items()}
    stand_ins: dict[int, Any] = {id(one._original): one for one in modules.values()}
    for one in modules.values():
        for name, value in vars(one).items():
            original = vars(one._original).get(name)
            if original is not None and not name.startswith("_"):
                stand_ins[id(original)] = value

    def importing(name: str, *details: Any) -> Any:
        return modules[name] if name in modules else builtins.__import__(name, *details)

    return stand_ins, importing
