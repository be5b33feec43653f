"""Every method of the ledger and the provider is one step; something may happen around each.

The gateway has no test hooks. Its two collaborators are wrapped instead, from the outside.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any, NamedTuple

# The methods that count as steps: what `execute` and the desk call, apart from reading a clock.
STEPS = frozenset(
    {
        "find",
        "get",
        "rows",
        "prepare",
        "begin",
        "change",
        "settle",
        "has_twin",
        "perform",
        "readback",
    }
)

HALF_STEPS = 400  # of one call of `execute`: the gateway makes less than a tenth of it

Hook = Callable[[str, str], None]
"""Called as hook("before" or "after", step) around every step; a step is ``ledger.begin``."""


class Answer(NamedTuple):
    """What a worker was told by one call: a value, or an error."""

    step: str
    value: Any = None
    error: Exception | None = None


class Crash(BaseException):
    """The process dies here. No ``except Exception`` sees it, as no program sees SIGKILL."""


class Endless(Crash):
    """A worker that never comes to an end is ended here."""


def limit(half_steps: int = HALF_STEPS) -> Hook:
    """Make a hook that ends who makes so many half steps."""
    made = count(1)

    def hook(when: str, step: str) -> None:
        if next(made) == half_steps:
            raise Endless

    return hook


class Stepped:
    """A ledger or a provider whose every step is announced to a hook, before and after."""

    def __init__(self, wrapped: Any, name: str, hook: Hook) -> None:
        self._wrapped = wrapped
        self._name = name
        self._hook = hook

    def __getattr__(self, attribute: str) -> Any:
        found = getattr(self._wrapped, attribute)
        if attribute not in STEPS:
            return found
        step = f"{self._name}.{attribute}"

        def announced(*values: Any, **named: Any) -> Any:
            self._hook("before", step)
            try:
                return found(*values, **named)
            finally:
                self._hook("after", step)  # also where it was refused, or got no answer

        return announced
