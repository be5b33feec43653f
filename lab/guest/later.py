"""A new life begins later: the clocks that a piece of code may look at, moved on.

Two lives in one kernel follow each other within a millisecond; a worker that starts again does so
minutes or days later. Who builds a key from the time of day has to meet that.
"""

from __future__ import annotations

import builtins
import datetime
import os
import time
from collections.abc import Mapping
from types import ModuleType
from typing import Any, Self

LATER_S = 90_061  # a day, an hour, a minute and a second: no unit of a clock stays the same


class Moved(ModuleType):
    """A module of which some names are replaced; the rest is the original's."""

    def __init__(self, original: ModuleType, replaced: Mapping[str, Any]) -> None:
        super().__init__(original.__name__, original.__doc__)
        self._original = original
        vars(self).update(replaced)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._original, name)


def moved(lives: int) -> dict[str, Moved]:
    """Return the modules that a life sees otherwise than those before it."""
    seconds = lives * LATER_S
    return {
        "os": Moved(os, {"getpid": lambda: os.getpid() + lives}),  # another process
        "time": Moved(time, _time_functions(seconds)),
        "datetime": Moved(datetime, _datetime_classes(datetime.timedelta(seconds=seconds))),
    }


def _time_functions(seconds: int) -> dict[str, Any]:
    def now() -> float:
        return time.time() + seconds

    def at(given: Any) -> Any:
        return now() if given is None else given

    def localtime(given: float | None = None) -> time.struct_time:
        return time.localtime(at(given))

    return {
        "time": now,
        "time_ns": lambda: time.time_ns() + seconds * 1_000_000_000,
        "localtime": localtime,
        "gmtime": lambda given=None: time.gmtime(at(given)),
        "ctime": lambda given=None: time.ctime(at(given)),
        "asctime": lambda given=None: time.asctime(localtime() if given is None else given),
        "strftime": lambda form, given=None: time.strftime(
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
    modules = moved(lives)
    stand_ins: dict[int, Any] = {id(one._original): one for one in modules.values()}
    for one in modules.values():
        for name, value in vars(one).items():
            original = vars(one._original).get(name)
            if original is not None and not name.startswith("_"):
                stand_ins[id(original)] = value

    def importing(name: str, *details: Any) -> Any:
        return modules[name] if name in modules else builtins.__import__(name, *details)

    return stand_ins, importing
