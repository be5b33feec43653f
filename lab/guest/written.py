"""From the cells of a notebook to the functions and classes that an exercise asks for."""

from __future__ import annotations

import ast
import inspect
import linecache
from collections.abc import Iterable, Mapping, Sequence
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from lab.guest import wire
from lab.guest.life import place

STUB = "NotImplementedError"
MODULE = "__main__"  # as in a notebook


class Unusable(Exception):
    """What was written is no answer; the message says what to do.

    ``untouched``: nothing was written yet.
    """

    def __init__(self, says: str = "", untouched: bool = False) -> None:
        super().__init__(says)
        self.untouched = untouched


class Asked(NamedTuple):
    """What an exercise asks for: names (``attempt``, ``Ledger.prepare``), and their arguments."""

    defines: tuple[str, ...]
    takes: tuple[str, ...]

    @property
    def owners(self) -> tuple[str, ...]:
        """What is given to be judged: functions, or the classes whose methods are asked for."""
        return tuple(dict.fromkeys(name.partition(".")[0] for name in self.defines))


class Source(NamedTuple):
    """What is run of one cell: its number, its text, and which of its statements, from 0."""

    number: int
    text: str
    kept: Sequence[int]


def compiled(sources: Sequence[Source]) -> list[CodeType]:
    """Return the statements of each cell as code. Nothing is run.

    Raises:
        Unusable: they stand where Python does not allow them.
    """
    found = []
    for one in sources:
        body = ast.parse(one.text).body
        try:
            code = compile(ast.Module([body[at] for at in one.kept], []), _file(one), "exec")
        except (SyntaxError, ValueError) as error:
            line = getattr(error, "lineno", 0)
            raise Unusable(f"Line {line} of {_file(one)} is not Python ({error}).") from None
        found.append(code)
    return found


def defined(asked: Asked, sources: Sequence[Source], codes: Iterable[CodeType]) -> list[Any]:
    """Run the code of each cell, and return what was asked for.

    Raises:
        Unusable: an error came out of it, or it does not define what was asked for.
    """
    namespace: dict[str, Any] = {"__name__": MODULE}
    for source, code in zip(sources, codes, strict=True):
        lines = source.text.splitlines(keepends=True)
        linecache.cache[_file(source)] = (len(source.text), None, lines, _file(source))
        run(code, namespace)
    for owner in asked.owners:
        if owner not in namespace:
            file = _file(sources[-1])
            raise Unusable(f"{file} does not define {owner}. Write it, with that very name.")
    return [namespace[owner] for owner in asked.owners]


def _file(source: Source) -> str:
    return f"cell {source.number}"


def run(code: CodeType, namespace: dict[str, Any]) -> None:
    """Run the code of one cell.

    Raises:
        Unusable: an error came out of it.
    """
    file = code.co_filename
    try:
        exec(code, namespace)
    except NameError as error:
        line, text = place(error)
        raise Unusable(
            f"{error.name or 'a name'} is not defined in any cell above (line {line} of {file}: "
            f"{text}). If it works in JupyterLab, it is there from a cell that was changed or "
            "deleted since: restart the kernel and run all cells."
        ) from None
    except (Exception, SystemExit) as error:
        line, text = place(error)
        what = f"{type(error).__name__} ({wire.raised(error).text})"
        raise Unusable(f"{what} in line {line} of {file}: {text}.") from None


def given_as(asked: Asked, given: Sequence[Any]) -> Mapping[str, Any]:
    """Return what was given to be judged, by its names.

    Raises:
        Unusable: it is not what was asked for, or it is untouched.
    """
    call = f"exercise.check({', '.join(asked.owners)})"
    if len(given) != len(asked.owners):
        raise Unusable(f"Give what you wrote, and nothing else: {call}")
    for name, value in zip(asked.owners, given, strict=True):
        kind = "class" if f"{name}." in "".join(asked.defines) else "function"
        is_class = isinstance(value, type)
        right = is_class if kind == "class" else callable(value) and not is_class
        if not right:
            raise Unusable(
                f"{name} should be the {kind} itself, and this is {wire.shown(value).text}. Write "
                f"its name without brackets behind it: {call}"
            )
        if is_labs(value):
            raise Unusable(
                f"This {name} is the one from lab, not yours. Run the cell with your own {name} "
                "first, and read what it prints if it does not run; then run this one again."
            )
    named = dict(zip(asked.owners, given, strict=True))
    if wrong := wrong_signature(asked, named):
        raise Unusable(wrong)
    if is_stub(asked.defines, named):
        raise Unusable(untouched=True)
    return named


def is_labs(value: Any) -> bool:
    """Tell whether a function or class is one of this package's."""
    return str(getattr(value, "__module__", "")).startswith("lab.")


def wrong_signature(asked: Asked, given: Mapping[str, Any]) -> str:
    """Return why the first thing asked for cannot be called as it will be, or an empty text."""
    name = asked.defines[0]
    owner, _, method = name.rpartition(".")
    function = found(name, given)
    if function is None or is_labs(function):
        return f"Your class {owner} has no {method} of its own. Write it, with that very name."
    takes = ("self", *asked.takes) if owner else asked.takes
    try:
        signature = inspect.signature(function)
    except ValueError:
        return ""  # it does not say what it takes
    try:
        signature.bind(*takes)
    except TypeError as error:
        mine = list(signature.parameters.values())
        plain = all(one.kind is one.POSITIONAL_OR_KEYWORD for one in mine)
        names = ", ".join(one.name for one in mine)
        why = f"yours takes {names or 'nothing'}" if plain else str(error)
        return f"{name} is called with {', '.join(takes)}, and that does not fit: {why}."
    return ""


def found(name: str, given: Mapping[str, Any]) -> Any:
    """Return what the learner wrote under a name, ``attempt`` or ``Ledger.prepare``."""
    owner, _, method = name.rpartition(".")
    return getattr(given[owner], method, None) if owner else given[method]


def is_stub(names: Iterable[str], given: Mapping[str, Any]) -> bool:
    """Tell whether nothing was written yet: the body does nothing but raise NotImplementedError."""
    functions = [inspect.unwrap(found(name, given)) for name in names]
    return all(isinstance(one, FunctionType) and _only_raises(one.__code__) for one in functions)


def _only_raises(code: CodeType) -> bool:
    lines = {line for *_, line in code.co_lines() if line} - {code.co_firstlineno}
    return STUB in code.co_names and len(lines) == 1
