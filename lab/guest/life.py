"""The learner's side of the bench: their definitions, and proxies for all that is not theirs.

Between the two sides pass only the texts of `wire`. This module, like `wire`, needs nothing but
the standard library and ``lab.gateway``, so that it may run in a process of its own.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from lab.guest import wire

Step = Callable[[str], str]
"""Asks the bench for one step: a message there, a message back."""


class Offer(NamedTuple):
    """What may be asked of one thing: its methods, and values that are told when asked for."""

    methods: tuple[str, ...] = ()
    values: tuple[str, ...] = ()


OFFERED: Mapping[str, Offer] = {
    "ledger": Offer(
        ("get", "find", "has_twin", "rows", "events", "counts", "prepare", "begin", "change",
         "settle", "now", "clock"),
        ("actor", "path"),
    ),
    "provider": Offer(("perform", "readback"), ("contract",)),
    # For a test that the learner writes: it may look at what arrived, as the lessons do.
    "demo provider": Offer(("perform", "readback", "effects", "requests"), ("contract",)),
    "clock": Offer(("__call__",)),
    "execute": Offer(("__call__",)),
    "connection": Offer(("execute", "commit", "rollback"), ("in_transaction",)),
}  # fmt: skip
"""All that the learner's code can reach: the documented methods of each thing."""


class Proxy:
    """Stands for a thing of the bench; what is asked of it is asked there."""

    def __init__(self, name: str, step: Step) -> None:
        self._name, self._step = name, step

    def __getattr__(self, attribute: str) -> Any:
        offer = OFFERED[self._name]
        if attribute in offer.values:
            return self._ask(attribute)
        if attribute in offer.methods:
            return lambda *values, **named: self._ask(attribute, *values, **named)
        raise AttributeError(
            f"the {self._name} does not offer {attribute!r} here; it offers "
            f"{', '.join((*offer.methods, *offer.values))}"
        )

    def __call__(self, *values: Any, **named: Any) -> Any:
        """Call the thing itself, where it is one that can be called."""
        return self.__getattr__("__call__")(*values, **named)

    def __repr__(self) -> str:
        return f"the {self._name} itself"

    def _ask(self, do: str, *values: Any, **named: Any) -> Any:
        own = [_referred(value) for value in values]
        also = {name: _referred(value) for name, value in named.items()}
        message = wire.write({"of": self._name, "do": do, "values": own, "named": also})
        answer = wire.read(self._step(message), lambda name: Proxy(name, self._step))
        if "raised" in answer:
            raise wire.rebuilt(answer["raised"])
        return answer["value"]


def _referred(value: Any) -> Any:
    """Return what passes of a value: of a proxy, the name of what it stands for."""
    return wire.Ref(value._name) if isinstance(value, Proxy) else value


class Connection(Proxy):
    """Stands for the SQLite connection of a ledger."""

    def execute(self, sql: str, values: Any = ()) -> Cursor:
        """Run one statement at the bench, and return a cursor over its rows."""
        return self.cursor().execute(sql, values)

    def cursor(self) -> Cursor:
        """Return a new cursor."""
        return Cursor(self)

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._ask("commit" if kind is None else "rollback")


class Cursor:
    """Runs statements, and gives out the rows of the last one, each once."""

    rowcount = -1
    lastrowid: int | None = None
    description: list[tuple[Any, ...]] | None = None

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.rows: list[tuple[Any, ...]] = []

    def execute(self, sql: str, values: Any = ()) -> Cursor:
        """Run one statement at the bench; its rows come back at once."""
        given = dict(values) if isinstance(values, Mapping) else tuple(values)
        vars(self).update(self.connection._ask("execute", sql, given))
        return self

    def fetchall(self) -> list[tuple[Any, ...]]:
        """Return the rows that were not fetched yet."""
        return list(self)

    def fetchone(self) -> tuple[Any, ...] | None:
        """Return the first row that was not fetched yet, or None."""
        return next(self, None)

    def close(self) -> None:
        """Give no more rows."""
        self.rows.clear()

    def __iter__(self) -> Cursor:
        return self

    def __next__(self) -> tuple[Any, ...]:
        if not self.rows:
            raise StopIteration
        return self.rows.pop(0)


class Guest:
    """What the learner defined, by name, in one life of a process."""

    def __init__(self, defined: Mapping[str, Any]) -> None:
        self.defined = defined
        self.ledgers: dict[str, Any] = {}  # one of each class, as a worker has

    def run(self, message: str, step: Step) -> str:
        """Run one call of the learner's code, and return how it ended.

        A ledger made for it says what it told itself of errors to come, its ``otherwise``.
        """
        call = wire.read(message, lambda name: Proxy(name, step))
        owner, _, name = call["name"].rpartition(".")
        ledger: Any = None
        try:
            ledger = self._ledger(owner, call, step) if owner else None
            target = getattr(ledger, name) if owner else self.defined[name]
            return wire.write({"value": target(*call["values"]), **told_of(ledger)})
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # also those of test tools, which are no Exception
            raised = wire.raised(error, *place(error))
            return wire.write({"raised": raised, **told_of(ledger)})

    def close(self) -> None:
        """End this life; nothing of it is left."""

    def _ledger(self, owner: str, call: Mapping[str, Any], step: Step) -> Any:
        """Return this life's ledger of the learner's class, whose file is at the bench."""
        ledger = self.ledgers.setdefault(owner, object.__new__(self.defined[owner]))
        connection = Connection("connection", step)
        vars(ledger).update(
            path="operator.sqlite3", otherwise=call["otherwise"], actor=call["actor"],
            clock=Proxy("clock", step), _db=connection, _cursor=connection.cursor(),
        )  # fmt: skip
        return ledger


def told_of(ledger: Any) -> dict[str, str]:
    """Return what a ledger says that is true if its next statement fails, where it is a text."""
    otherwise = getattr(ledger, "otherwise", None)
    return {"otherwise": otherwise[: wire.SHORT]} if isinstance(otherwise, str) else {}


def place(error: BaseException) -> tuple[int, str]:
    """Return the line of the learner's own code that an error came from, and what stands there."""
    found, traceback = (0, ""), error.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if traceback.tb_frame.f_globals.get("__name__") == "__main__":
            line = traceback.tb_lineno
            found = line, linecache.getline(code.co_filename, line).strip()
        traceback = traceback.tb_next
    return found
