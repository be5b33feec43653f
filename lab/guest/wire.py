"""What passes between the bench and the learner's code: plain values, each as JSON text.

The bench trusts nothing but this text, so that the two sides may as well be two processes. JSON
has no word for most of what a gateway speaks of; each such value is written as an object that has
the name of its form under ``"$"``. The forms are listed once, in `FORMS`.
"""

from __future__ import annotations

import builtins
import json
import math
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import suppress
from decimal import Decimal
from enum import Enum
from types import MappingProxyType
from typing import Any, NamedTuple

import lab.gateway as gateway
from lab.gateway import Action, Outcome, ProviderContract, Readback, Reading, Row, Verdict

LONGEST = 1_000_000  # characters of one message: what asks for more is no answer to an exercise
DEEPEST = 40  # values inside values
KEPT = ("retryable", "sqlite_errorcode", "sqlite_errorname")  # what callers ask of an error
SHORT = 200  # characters of what is told of a value that cannot pass
MARK = "$"

UNREADABLE = (
    ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError,
)  # fmt: skip
Plain = Any
"""What `json` can write."""


class CannotPass(Exception):
    """A message that is too long, too deep, or no message; the text says which."""


class Ref(NamedTuple):
    """A thing that stays where it is; what passes is its name, ``ledger``."""

    name: str


class Other(NamedTuple):
    """Stands for a value that cannot pass: its type, and how it shows itself."""

    type: str
    text: str

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{self.type!r} object has no attribute {name!r}")


class Raised(NamedTuple):
    """An error as plain values: the names of its classes, most special first, and what it holds.

    ``line`` is the line of the learner's code that it came from (0: not known), ``code`` what
    stands there.
    """

    classes: tuple[str, ...]
    text: str
    args: tuple[Any, ...] = ()
    attributes: Mapping[str, Any] = MappingProxyType({})
    line: int = 0
    code: str = ""

    @property
    def name(self) -> str:
        """The name of its class."""
        return self.classes[0]


RECORDS: dict[str, type[Any]] = {"row": Row, "readback": Readback, "outcome": Outcome}
ENUMS: dict[str, type[Enum]] = {"verdict": Verdict, "reading": Reading}
ERRORS: dict[str, type[Exception]] = {
    name: kind
    for module in (builtins, sqlite3, gateway)
    for name, kind in vars(module).items()
    if isinstance(kind, type) and issubclass(kind, Exception)
}
"""The errors that keep their class on the way, by name."""


def write(value: Any) -> str:
    """Return a value as one line of text.

    Raises:
        CannotPass: it is longer than `LONGEST`, or deeper than `DEEPEST`.
    """
    text = json.dumps(plain(value), allow_nan=False, separators=(",", ":"))
    if len(text) > LONGEST:
        raise CannotPass(f"it is longer than {LONGEST:,} characters")
    return text


def read(text: str, refs: Callable[[str], Any] = Ref) -> Any:
    """Return the value that a text stands for; ``refs`` says what stands for a thing's name.

    Raises:
        CannotPass: the text is no such message.
    """
    if len(text) > LONGEST:
        raise CannotPass(f"it is longer than {LONGEST:,} characters")
    try:
        return _valued(json.loads(text), refs)
    except UNREADABLE as error:
        raise CannotPass(f"it is no message: {type(error).__name__}") from error


def plain(value: Any, depth: int = 0) -> Plain:
    """Return a value as what `json` can write; what cannot pass becomes an `Other`."""
    if depth > DEEPEST:
        raise CannotPass(f"it holds values inside values, {DEEPEST} deep")
    kind = type(value)
    if value is None or kind in (bool, int, str) or (kind is float and math.isfinite(value)):
        return value
    if kind is list:
        return [plain(item, depth + 1) for item in value]
    if kind is dict and MARK not in value and all(type(name) is str for name in value):
        return {name: plain(item, depth + 1) for name, item in value.items()}
    form = _form_of(value)
    return {MARK: form, "is": plain(FORMS[form].taken_apart(value), depth + 1)}


def _valued(value: Plain, refs: Callable[[str], Any]) -> Any:
    if isinstance(value, list):
        return [_valued(item, refs) for item in value]
    if not isinstance(value, dict):
        return value
    if MARK not in value:
        return {name: _valued(item, refs) for name, item in value.items()}
    parts = _valued(value["is"], refs)
    return refs(parts) if value[MARK] == "ref" else FORMS[value[MARK]].put_together(parts)


class Form(NamedTuple):
    """One tagged form: how a value is taken apart into plain ones, and put together again."""

    taken_apart: Callable[[Any], Any]
    put_together: Callable[[Any], Any]


def _record(kind: type[Any]) -> Form:
    return Form(list, lambda parts: kind(*parts))


def _enumeration(kind: type[Enum]) -> Form:
    return Form(lambda value: value.name, lambda name: kind[name])


def _fields(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in ProviderContract.__dataclass_fields__}


FORMS: dict[str, Form] = {
    "tuple": Form(list, tuple),
    "dict": Form(lambda value: [list(pair) for pair in value.items()], dict),
    "set": Form(lambda value: sorted(value, key=repr), frozenset),
    "decimal": Form(str, Decimal),
    "float": Form(repr, float),  # not a number, and the two infinities
    "bytes": Form(lambda value: bytes(value).hex(), bytes.fromhex),
    "class": Form(lambda value: value.__name__, lambda name: ERRORS[name]),
    "action": Form(
        lambda value: [value.key, value.kind, thawed(value.payload)], lambda parts: Action(*parts)
    ),
    "contract": Form(_fields, lambda fields: ProviderContract(**fields)),
    "raised": Form(
        lambda value: [*value[:3], dict(value.attributes), *value[4:]],
        lambda parts: checked(*parts),
    ),
    "other": Form(lambda value: list(shown(value)), lambda parts: Other(*parts)),
    "ref": Form(lambda value: value.name, Ref),
    **{name: _record(kind) for name, kind in RECORDS.items()},
    **{name: _enumeration(kind) for name, kind in ENUMS.items()},
}
"""Every tagged form, by the name under which it passes."""

_BUILTIN = {tuple: "tuple", dict: "dict", set: "set", frozenset: "set", float: "float",
            bytes: "bytes", bytearray: "bytes", Decimal: "decimal"}  # fmt: skip
_NAMED = {Ref: "ref", Other: "other", Raised: "raised"}


def _form_of(value: Any) -> str:
    """Say in which form a value passes.

    A lesson builds some of these classes itself, so they are known by name and fields.
    """
    kind = type(value)
    if known := _BUILTIN.get(kind) or _NAMED.get(kind):
        return known
    if isinstance(value, type):
        return "class" if ERRORS.get(value.__name__) is value else "other"
    name = kind.__name__.lower()
    if name in RECORDS and getattr(kind, "_fields", None) == RECORDS[name]._fields:
        return name
    if isinstance(value, Enum) and name in ENUMS and value.name in ENUMS[name].__members__:
        return name
    if name == "action" and isinstance(getattr(value, "payload", None), Mapping):
        return "action"
    return "contract" if name == "providercontract" else "other"


def shown(value: Any) -> Other:
    """Return what is told of a value that cannot pass; whatever it does, this comes to an end."""
    if type(value) is Other:
        return value
    if type(value) in RECORDS.values():  # its fields are many, and of no interest
        return Other(type(value).__name__, f"a {type(value).__name__}")
    try:
        text = repr(value)[:SHORT]
    except Exception as error:
        text = f"it cannot be shown: {type(error).__name__}"
    return Other(type(value).__name__, text)


def raised(error: BaseException, line: int = 0, code: str = "") -> Raised:
    """Return an error as plain values."""
    kinds = [kind.__name__ for kind in type(error).__mro__ if kind not in (BaseException, object)]
    try:
        text = str(error)[:SHORT]
    except Exception:
        text = ""
    held = {name: value for name, value in vars(error).items() if name in KEPT}
    return Raised(tuple(kinds) or ("BaseException",), text, error.args, held, line, code)


def checked(classes: Any, text: Any, args: Any, attributes: Any, line: Any, code: Any) -> Raised:
    """Return what the other side says of an error, if it is of the form that is told here.

    Raises:
        TypeError: it is not.
    """
    texts = (text, code, *classes, *attributes)
    kinds = (type(classes), type(args), type(attributes), type(line), *map(type, texts))
    if kinds != (tuple, tuple, dict, int, *[str] * len(texts)) or not set(attributes) <= set(KEPT):
        raise TypeError("it is no error")
    short = tuple(name[:SHORT] for name in classes[:DEEPEST])
    return Raised(short or ("BaseException",), text[:SHORT], args, attributes, line, code[:SHORT])


def rebuilt(told: Raised) -> Exception:
    """Return the error again: of its own class where that is known, else of the next one up.

    Its text, its arguments and what callers ask of it are the same.
    """
    kind = next((ERRORS[name] for name in told.classes if name in ERRORS), Exception)
    error = _made(kind, told)
    vars(error).update(told.attributes)
    return error


def _made(kind: type[Exception], told: Raised) -> Exception:
    """Return an error of a class whose own `__init__` may want other arguments than it kept."""
    with suppress(Exception):
        error = kind(*told.args)
        if str(error) == told.text:
            return error
    error = kind.__new__(kind, *told.args)
    error.args = told.args or (told.text,)
    return error


def thawed(value: Any) -> Any:
    """Return what was frozen as plain data again: dictionaries and lists."""
    if isinstance(value, (dict, MappingProxyType)):
        return {name: thawed(item) for name, item in value.items()}
    return [thawed(item) for item in value] if isinstance(value, (list, tuple)) else value
