"""From the cells of a notebook, the statements that an answer needs: nothing else is run."""

from __future__ import annotations

import ast
import symtable
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from lab.guest.written import Source

Statement = ast.stmt
BOUND = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom,
         ast.Assign, ast.AnnAssign, ast.AugAssign)  # fmt: skip


class Cell(NamedTuple):
    """A code cell: its number among all cells, from 1, and its text without magics."""

    number: int
    text: str


class Broken(Exception):
    """The cell of an answer is not Python; the message says where and why."""


@lru_cache(maxsize=128)  # a lesson's cells are asked for several times
def parsed(cell: Cell) -> list[Statement]:
    """Return the statements of a cell; nobody changes them.

    Raises:
        Broken: it is not Python.
    """
    try:
        return ast.parse(cell.text).body
    except (RecursionError, MemoryError):
        raise Broken(f"Cell {cell.number} is not Python: it is nested too deeply.") from None
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", 0) or 0
        lines = cell.text.splitlines()
        code = f": {lines[line - 1].strip()}" if 0 < line <= len(lines) else ""
        reason = getattr(error, "msg", str(error))
        raise Broken(f"Line {line} of cell {cell.number} is not Python ({reason}){code}.") from None


def needed(cells: Iterable[Cell], answer: Cell) -> list[Source]:
    """Return what has to be run before an answer, and the answer: imports, definitions, values.

    Of the cells before it, only what binds a name that the answer uses, directly or by way of
    another, in their order. A cell that is not Python is left out.

    Raises:
        Broken: the answer's own cell is not Python.
    """
    before: list[tuple[Cell, int, Statement]] = []
    for cell in cells:
        with suppress(Broken):
            before += [(cell, at, one) for at, one in binding(cell)]
    mine = binding(answer)
    wanted = {name for _, one in mine for name in used(one)}
    kept: set[tuple[int, int]] = set()
    grown = True
    while grown:
        grown = False
        for cell, at, one in before:
            place = cell.number, at
            if place not in kept and (bound(one) & wanted or "*" in bound(one)):
                kept.add(place)
                wanted |= used(one)
                grown = True
    texts = {cell.number: cell.text for cell, _, _ in before}
    numbers = sorted({number for number, _ in kept})
    return [
        *(Source(one, texts[one], sorted(at for n, at in kept if n == one)) for one in numbers),
        Source(answer.number, answer.text, [at for at, _ in mine]),
    ]


def binding(cell: Cell) -> list[tuple[int, Statement]]:
    """Return the statements of a cell that bind a name, each with its place in it.

    Raises:
        Broken: it is not Python.
    """
    return [(at, one) for at, one in enumerate(parsed(cell)) if isinstance(one, BOUND)]


def bound(statement: Statement) -> set[str]:
    """Return the names that a statement binds; ``*`` for an import of everything."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {(one.asname or one.name).partition(".")[0] for one in statement.names}
    return {
        node.id
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def used(statement: Statement) -> set[str]:
    """Return the names that a statement reads from the notebook, also inside of functions.

    What a function calls by the name of a parameter, or of a variable of its own, is not among
    them.
    """
    try:
        return _read_in(symtable.symtable(ast.unparse(statement), "cell", "exec"))
    except SyntaxError:  # it stands where it cannot stand; then all that looks like a name
        names = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
        return {node.id for node in names if isinstance(node.ctx, ast.Load)}


def _read_in(table: symtable.SymbolTable) -> set[str]:
    inside = table.get_type() == "function"  # a class may read a name before it binds it
    own = {
        one.get_name()
        for one in table.get_symbols()
        if one.is_referenced() and (one.is_global() or not inside)
    }
    return own.union(*map(_read_in, table.get_children()))
