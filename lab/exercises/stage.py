"""Where a scenario is played: a world with the learner's piece put into the gateway.

What a scenario returns are *facts*: plain values by a label that a person can read, such as
``{"messages at the provider": 1}``. The same scenario is played with lab's own piece, and its facts
are what should be. So a scenario lists only what the exercise asks for; whatever else the learner's
code does is its own affair.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from typing import Any

from lab.exercises.bench import LentLedger, Player, SqlConnection, Unfit
from lab.faults.clock import MINUTE_MS, ManualClock
from lab.faults.crashes import CrashExplorer
from lab.faults.gateways import SAFE, Gateway
from lab.faults.numbers import Numbers
from lab.faults.show import story
from lab.faults.steps import Endless, Stepped, limit
from lab.faults.story import LIVES, Line, replay, written
from lab.faults.world import Scene, World
from lab.gateway import (
    KEYED,
    VERDICTS,
    Action,
    DemoProvider,
    Fault,
    Ledger,
    Outcome,
    Provider,
    ProviderContract,
    Readback,
    Row,
    Verdict,
    action_key,
    execute,
)
from lab.guest import wire

Facts = dict[str, Any]
STOPPED = "it stops with"
"""The label of an error that came out of the learner's code where none should."""

CIRCLES = "it goes round in circles"
RAISES = "the error "
"""With the name of an error behind it: what a call came to that raised it."""

RETURNS = "it returns "
"""With a value behind it: what a piece of the gateway returned that is no outcome."""

# Errors of a program that does not work yet; what the world came to then says nothing.
UNFINISHED = frozenset(
    ("NameError", "TypeError", "AttributeError", "ImportError", "NotImplementedError", "IndexError",
     "RecursionError", "ZeroDivisionError", "KeyError", "CannotPass", "SystemExit")
)  # fmt: skip
LONGEST_PRINT = 2_000  # characters of what the learner's code printed


class Stage:
    """One playing of one scenario: with the learner's piece, or with lab's.

    ``plugged`` makes a gateway of a player; ``seed`` draws other leads than the lessons', and what
    ``draw`` gives, which is the same in every playing with one seed.
    ``story()`` tells what happened, a line each; ``printed`` is what the learner's code printed.
    """

    def __init__(
        self, player: Player, plugged: Callable[[Player], Gateway], seed: int | None = None
    ) -> None:
        self.player = player
        self.gateway = plugged(player)
        self.draw = random.Random(seed or 0)
        self._shift = 0 if seed is None else 1_000 * random.Random(seed).randint(1, 899)
        self.story: Callable[[], list[str]] = list
        self._printed = StringIO()

    @property
    def printed(self) -> str:
        """What the learner's code printed, or the beginning of it."""
        return self._printed.getvalue()[:LONGEST_PRINT]

    def number(self, told: int) -> int:
        """Return a number that names somebody: the lessons' own, or another where a seed is given.

        The same number means the same lead all through one playing.
        """
        return told + self._shift

    def action(
        self, number: int = 202, template: str = "warm-hello", kind: str = "welcome_email"
    ) -> Action:
        """Return one intention: a welcome message to lead-202, and so on."""
        lead = f"lead-{self.number(number)}"
        return Action(action_key("welcome", lead, "v1"), kind, {"lead": lead, "template": template})

    def call(self, name: str, *values: Any, things: Mapping[str, Any] | None = None) -> Any:
        """Call the learner's piece by itself; return what it returns.

        Each call is made in a life of its own, but for those inside of `life`.

        Raises:
            Unfit, Endless, or what the learner's code raised.
        """
        with redirect_stdout(self._printed):
            return self.player.call(name, *values, things=things)

    @contextmanager
    def life(self) -> Iterator[None]:
        """Let all calls of a ``with`` block be made in one life of one process."""
        with redirect_stdout(self._printed), self.player.life():
            yield

    def answer(self, name: str, *values: Any) -> Any:
        """Call it, and return what it returns, or in words the error that it raises.

        An error of the gateway's own is told by its name; of an unfamiliar class, by the nearest
        one above it that is known.
        """
        try:
            return self.call(name, *values)
        except Endless:
            self.player.endless = True
            return CIRCLES
        except Exception as error:
            return f"{RAISES}{type(error).__name__}"

    def explored(self, scene: Scene, crashes: int = 1) -> Facts:
        """Let the process die at every step of every run in a scene; return four numbers."""
        with redirect_stdout(self._printed), World(scene, self.gateway) as world:
            found = CrashExplorer(world).explore(crashes)[crashes]
        shown = [run for run in found.shortest if run is not None]
        if shown:
            line = Line(LIVES, self.gateway, scene, min(shown, key=len))
            self.story = lambda: self._replayed(line)
        return dict(zip(Numbers.names(), found.numbers.harm, strict=False))

    def _replayed(self, line: Line) -> list[str]:
        with redirect_stdout(self._printed):
            return list(written(replay(line)))

    @contextmanager
    def site(
        self,
        contract: ProviderContract = KEYED,
        faults: Sequence[Fault] = (),
        unreadable: bool = False,
        number: int = 202,
    ) -> Iterator[Site]:
        """Open a ledger and a provider for one action, both in memory."""
        with redirect_stdout(self._printed):
            site = Site(self, contract, faults, unreadable, self.action(number))
            self.story = site.story
            yield site
            site.close()


class Site:
    """A ledger and a provider in memory, one action, and a gateway with the learner's piece.

    ``told`` lists what each call of the gateway came to.
    """

    def __init__(
        self, stage: Stage, contract: ProviderContract, faults: Sequence[Fault],
        unreadable: bool, action: Action,
    ) -> None:  # fmt: skip
        self.stage, self.action = stage, action
        self.clock = ManualClock(10 * MINUTE_MS)
        self.ledger = self.opened()
        silent = [action.key] if unreadable else []
        self.provider = DemoProvider(":memory:", contract, self.clock, {action.key: faults}, silent)
        self.told: list[str] = []
        self._story: list[str] = []

    def opened(self) -> Ledger:
        """Open the ledger: a new one, in memory."""
        return self.stage.gateway.ledger(":memory:", self.clock)

    def execute(self, action: Action | None = None, wait: int = 0) -> str:
        """Let time pass (ms), let the gateway do the action, and return what it came to, in words.

        ``sent, SETTLED`` is the path and the state that it reports.
        """
        self.clock.advance(wait)
        self.told.append(self._executed(action or self.action))
        return self.told[-1]

    def _executed(self, action: Action) -> str:
        ledger: Any = Stepped(self.ledger, "ledger", limit())
        try:
            outcome = self.stage.gateway.execute(action, ledger, self.provider)
        except Endless:
            self.stage.player.endless = True
            return CIRCLES
        except Unfit as unfit:
            return f"{RETURNS}{wire.shown(unfit.value).text}"
        except Exception as error:
            return f"{STOPPED} {type(error).__name__}"
        return f"{outcome.path}, {outcome.state}"

    def row(self) -> Row | None:
        """Return what the ledger says of the action."""
        return Ledger.get(self.ledger, self.action.key)

    def facts(self, *also: str) -> Facts:
        """Return what both sides hold for the action, and what each call came to.

        ``also`` names columns of the row that matter as well.
        """
        row, key = self.row(), self.action.key
        effects = self.provider.effects(key)
        receipts = [effect["receipt"] for effect in effects]
        facts: Facts = {
            "the gateway answers": list(self.told),
            "the ledger says": row.state if row else "nothing",
            "attempts in the ledger": row.attempts if row else 0,
            "requests at the provider": len(self.provider.requests(key)),
            "messages at the provider": len(effects),
            "the ledger's receipt": _whose(row.receipt if row else None, receipts),
        }
        return {**facts, **{name: getattr(row, name, None) for name in also}}

    def story(self) -> list[str]:
        """Tell what the ledger wrote down, a line an event."""
        return self._story

    def close(self) -> None:
        """Close both, and keep what the ledger wrote down."""
        text = StringIO()
        with redirect_stdout(text):
            story(self.ledger, self.action.key)
        self._story = text.getvalue().splitlines()
        self.ledger.close()
        self.provider.close()


def _whose(receipt: str | None, given: Sequence[str]) -> str:
    if receipt is None:
        return "none"
    return (
        "the provider's"
        if receipt in given
        else f"{receipt or 'an empty text'}, which the provider never gave"
    )


# How a piece is put into the gateway. Each of these makes a gateway of a player.

Plug = Callable[[Player], Gateway]


def _alive(player: Player) -> Callable[..., Outcome]:
    """Return an `execute` whose calls of the learner's piece are made in one life."""

    def dispatch(action: Action, ledger: Ledger, provider: Provider, *parts: Any) -> Outcome:
        with player.life():
            return execute(action, ledger, provider, *parts)

    return dispatch


def fit(value: Any) -> Outcome | None:
    """Return what a piece of the gateway returned, if it may.

    Raises:
        Unfit: it is neither an Outcome nor None.
    """
    if value is None or isinstance(value, Outcome):
        return value
    raise Unfit(value)


def alone(player: Player) -> Gateway:
    """The piece stands by itself, and is called by itself."""
    return SAFE


def as_attempt(player: Player) -> Gateway:
    """The piece is the gateway's `attempt`."""

    def attempt(
        action: Action, row: Row | None, ledger: Ledger, provider: Provider
    ) -> Outcome | None:
        things = {"ledger": ledger, "provider": provider}
        return fit(player.call("attempt", action, row, ledger, provider, things=things))

    return SAFE._replace(name="yours", attempt=attempt, dispatch=_alive(player))


def as_handler(verdict: Verdict, name: str) -> Plug:
    """The piece is the function for one verdict."""

    def plug(player: Player) -> Gateway:
        def handler(
            action: Action, row: Row, readback: Readback, ledger: Ledger, provider: Provider
        ) -> Outcome | None:
            things = {"ledger": ledger, "provider": provider}
            return fit(player.call(name, action, row, readback, ledger, provider, things=things))

        verdicts = {**VERDICTS, verdict: handler}
        return SAFE._replace(name="yours", verdicts=verdicts, dispatch=_alive(player))

    return plug


def as_ledger_method(method: str) -> Plug:
    """The piece is a method of the ledger; it reaches the database by a connection of the bench."""

    def plug(player: Player) -> Gateway:
        def borrowed(self: Ledger, *values: Any) -> Row:
            things = {"self": self, "connection": SqlConnection(self), "clock": self.clock}
            row = player.call(f"Ledger.{method}", *values, things=things)
            if not isinstance(row, Row):
                raise Unfit(row)
            return row

        ledger = type("Ledger", (LentLedger,), {method: borrowed})
        return SAFE._replace(name="yours", ledger=ledger, dispatch=_alive(player))

    return plug
