"""Gateways that keep one promise, and gateways that break it, each in its own way.

The promise: a key that was used and comes again with another template is refused with a
ValueError, each time; the ledger's row stays as it is, and nothing is sent.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, NoReturn

from lab.gateway import (
    REVIEW,
    SETTLED,
    STATES,
    UNKNOWN,
    Action,
    DemoProvider,
    Fault,
    KeyReused,
    Ledger,
    Outcome,
    Row,
    execute,
)
from lab.guest import wire

Execute = Callable[..., Outcome]
"""A gateway: called with an action, a ledger and a provider."""

Refusal = Callable[[Action, Row, Ledger, DemoProvider], Outcome | None]
Compared = Callable[[Action], object]


class Unguarded(Ledger):
    """A ledger that compares nothing; the gateways below compare, or do not."""

    def find(self, action: Action) -> Row | None:
        """Return the row of the key, whatever stands behind it."""
        return self.get(action.key)


class InItsOwnWords(ValueError):
    """A refusal of somebody else's."""


def content(action: Action) -> object:
    """Compare all that the action says."""
    return action.hash


def kind(action: Action) -> object:
    """Compare what kind of action it is, and nothing else."""
    return action.kind


def without_template(action: Action) -> object:
    """Compare all but the template."""
    return {name: value for name, value in action.payload.items() if name != "template"}


def refused(action: Action, row: Row, ledger: Ledger, provider: DemoProvider) -> NoReturn:
    """Refuse, in other words than lab's."""
    raise ValueError("no")


def refused_after_a_look(
    action: Action, row: Row, ledger: Ledger, provider: DemoProvider
) -> NoReturn:
    """Look around, then refuse with an error of its own."""
    ledger.events(action.key), provider.readback(action)
    raise InItsOwnWords


def another_error(action: Action, row: Row, ledger: Ledger, provider: DemoProvider) -> NoReturn:
    """Stop, and not as it was promised."""
    raise KeyError(action.key)


def answered(action: Action, row: Row, ledger: Ledger, provider: DemoProvider) -> Outcome:
    """Say "refused" in an outcome, which a workflow may overlook."""
    return Outcome(row.key, row.state, row.attempts, "refused", None)


def too_late(action: Action, row: Row, ledger: Ledger, provider: DemoProvider) -> NoReturn:
    """Send, then look."""
    provider.perform(action, row.attempts + 1)
    raise KeyReused(action.key)


def row_moved(action: Action, row: Row, ledger: Ledger, provider: DemoProvider) -> NoReturn:
    """Spoil the row of the approved action, then refuse."""
    ledger.change(row, REVIEW, "somebody brought other data")
    raise KeyReused(action.key)


def once(first: Refusal) -> Refusal:
    """Refuse what differs, and take whatever differs from then on."""
    asked = [0]

    def refusal(action: Action, row: Row, ledger: Ledger, provider: DemoProvider) -> Outcome | None:
        asked[0] += 1
        return first(action, row, ledger, provider) if asked[0] == 1 else None

    return refusal


def comparing(
    what: Compared,
    make_refusal: Callable[[], Refusal] = lambda: refused,
    states: tuple[str, ...] = STATES,
) -> Callable[[Action], Execute]:
    """Return what makes a gateway that compares ``what``, for rows in some states."""

    def make(approved: Action) -> Execute:
        first: dict[str, object] = {approved.key: what(approved)}
        refusal = make_refusal()

        def dispatch(action: Action, ledger: Ledger, provider: DemoProvider) -> Outcome:
            row = ledger.get(action.key)
            if row is None:
                first[action.key] = what(action)
            elif row.state in states and first.get(action.key) != what(action):
                outcome = refusal(action, row, ledger, provider)
                if outcome is not None:
                    return outcome
            return execute(action, ledger, provider)

        return dispatch

    return make


class Case(NamedTuple):
    """One gateway, and whether it keeps the promise. ``fault`` befalls its first request."""

    name: str
    title: str
    keeps: bool
    make: Callable[[Action], Execute]
    fault: Fault = Fault.NONE
    ledger: type[Ledger] = Unguarded


def lab_gateway(approved: Action) -> Execute:
    """Return the gateway of the course."""
    return execute


def refuses_all(approved: Action) -> Execute:
    """Return a gateway that refuses whatever it is brought."""

    def dispatch(action: Action, ledger: Ledger, provider: DemoProvider) -> NoReturn:
        raise ValueError("not today")

    return dispatch


SILENCE = Fault.REQUEST_LOST  # nothing arrives, so the row stays UNKNOWN, however often one asks

CASES = (
    Case("own", "Right: the gateway of this course.", True, lab_gateway, ledger=Ledger),
    Case("nothing", "Broken: it compares nothing.", False, comparing(content, states=())),
    Case("words", "Right: it refuses in other words.", True, comparing(content)),
    Case("look", "Right: it looks around first, and its error is a kind of ValueError.", True,
         comparing(content, lambda: refused_after_a_look)),
    Case("silence", "Right: the gateway of this course, and its first call got no answer.", True,
         lab_gateway, SILENCE, Ledger),
    Case("not yet", "Right: the same, and its first call was refused.", True,
         lab_gateway, Fault.REFUSED, Ledger),
    Case("nothing open", "Broken: it compares nothing, and its first call got no answer.", False,
         comparing(content, states=()), SILENCE),
    Case("kind", "Broken: it compares the kind, and not the payload.", False, comparing(kind)),
    Case("template", "Broken: it compares all but the template.", False,
         comparing(without_template)),
    Case("settled", "Broken: it compares only what is settled, and its first call got no answer.",
         False, comparing(content, states=(SETTLED,)), SILENCE),
    Case("open", "Broken: it compares only what is not settled.", False,
         comparing(content, states=tuple(state for state in STATES if state != SETTLED))),
    Case("error", "Broken: it raises a KeyError.", False,
         comparing(content, lambda: another_error)),
    Case("outcome", 'Broken: it raises nothing, and answers with the path "refused".', False,
         comparing(content, lambda: answered)),
    Case("all", "Broken: it refuses whatever it is brought.", False, refuses_all),
    Case("sent", "Broken: it sends first, and raises a ValueError then.", False,
         comparing(content, lambda: too_late)),
    Case("moved", "Broken: it raises a ValueError, and moves the row to REVIEW.", False,
         comparing(content, lambda: row_moved, (UNKNOWN, REVIEW)), SILENCE),
    Case("once", "Broken: it refuses the first time, and takes it the second time.", False,
         comparing(content, lambda: once(refused))),
)  # fmt: skip

THE_ACTION, OTHER_KEY, OTHER_KIND = "the action", "another key", "another kind"
OTHER_TEMPLATE, OTHER_CONTENT = "another template", "another content"


def in_words(action: Action, approved: Action) -> str:
    """Say how an action that was brought differs from the approved one."""
    if action.key != approved.key:
        return OTHER_KEY
    if action.kind != approved.kind:
        return OTHER_KIND
    if action.hash == approved.hash:
        return THE_ACTION
    same_rest = without_template(action) == without_template(approved)
    return OTHER_TEMPLATE if same_rest else OTHER_CONTENT


class Watched:
    """A gateway as the learner's test calls it; remembers what it was brought, and its error."""

    def __init__(
        self, gateway: Execute, approved: Action, ledger: Ledger, provider: DemoProvider
    ) -> None:
        self.gateway, self.approved = gateway, approved
        self.ledger, self.provider = ledger, provider
        self.brought: list[str] = []
        self.log: list[str] = []
        self.raised: Exception | None = None

    def execute(self) -> Execute:
        """Return the gateway as a function that takes its own ledger and provider, no others."""

        def execute(action: Action, ledger: Ledger, provider: DemoProvider) -> Outcome:
            if not isinstance(action, Action):
                raise TypeError("what execute is to do is an Action")
            if (ledger, provider) != (self.ledger, self.provider):
                raise TypeError("give execute the very ledger and provider that you were given")
            return self._done(action, in_words(action, self.approved))

        execute.__qualname__ = "execute"  # by this name Python speaks of it
        return execute

    def _done(self, action: Action, called: str) -> Outcome:
        self.brought.append(called)
        try:
            outcome = self.gateway(action, self.ledger, self.provider)
        except Exception as error:
            self.raised = error
            self.log.append(f"execute({called}) raises {type(error).__name__}")
            raise
        self.log.append(f"execute({called}) answers {outcome.path}, {outcome.state}")
        return outcome

    def passed_on(self, error: Exception) -> bool:
        """Tell whether an error that ended the test is the gateway's own."""
        if self.raised is None:
            return False
        own = wire.rebuilt(wire.raised(self.raised))
        return (type(error), error.args) == (type(own), own.args)
