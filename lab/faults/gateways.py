"""What can be broken: the gateway that the course builds, or one with a single mistake in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from lab.gateway import (
    VERDICTS,
    Action,
    Handler,
    Ledger,
    Outcome,
    Provider,
    ReviewDesk,
    Row,
    Verdict,
    attempt,
    execute,
)

Attempt = Callable[[Action, Row | None, Ledger, Provider], Outcome | None]
Execute = Callable[..., Outcome]
Part = TypeVar("Part")


class Gateway(NamedTuple):
    """A gateway to be broken: the real one, or one with a single mistake (``wrong``).

    ``number`` names the one of the five numbers that shows the mistake.
    """

    name: str
    wrong: str
    number: str = ""
    ledger: type[Ledger] = Ledger
    attempt: Attempt = attempt
    verdicts: Mapping[Verdict, Handler] = VERDICTS
    dispatch: Execute = execute
    desk: type[ReviewDesk] = ReviewDesk

    def execute(self, action: Action, ledger: Ledger, provider: Provider) -> Outcome:
        """Do the action as this gateway would."""
        return self.dispatch(action, ledger, provider, self.attempt, self.verdicts)


class Around:
    """Stands around a ledger or a provider; what it does not define is theirs."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def resend(state: str) -> Execute:
    """Make an `execute` that sends again what is in one state, before it looks anywhere."""

    def execute_again(
        action: Action, ledger: Ledger, provider: Provider, *collaborators: Any
    ) -> Outcome:
        row = ledger.find(action)
        if row is not None and row.state == state:
            provider.perform(action, row.attempts + 1)
        return execute(action, ledger, provider, *collaborators)

    return execute_again


SAFE = Gateway("none", "nothing: this is the gateway the course builds")
EDITS: dict[str, Gateway] = {}
"""The unsafe edits by name; `lab.faults.edits` fills it."""


def unsafe(name: str, number: str, wrong: str, part: str | Verdict) -> Callable[[Part], Part]:
    """Put what is decorated in the place of one part of the gateway, under a name.

    ``part`` is a field of `Gateway`, or the verdict whose function is replaced.
    """

    def register(replacement: Part) -> Part:
        changed: dict[str, Any] = (
            {"verdicts": {**VERDICTS, part: replacement}}
            if isinstance(part, Verdict)
            else {part: replacement}
        )
        EDITS[name] = Gateway(name, wrong, number, **changed)
        return replacement

    return register
