"""Keeps the lessons' code and `lab` in step: the same definitions, compared as syntax trees.

A build cell is tagged with what it shows: ``lab:gateway/dispatch.py:execute``, or each method of a
class that it shows: ``lab:gateway/ledger.py:Ledger.prepare``. It holds that one definition and
nothing else. A class may grow over cells (``class Ledger(Ledger): …``), and a table by rows.
Everything must be equal, token by token; a docstring in a cell may be lab's first paragraph.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lab.authoring.notebooks import ROOT, code_cells, lessons, read, tags

PREFIX = "lab:"
Definition = ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign

# Definitions of lab/gateway that a later lesson builds, and which.
WAITING: dict[str, str] = {}

# Definitions that a lesson uses and explains in a sentence, and need no lesson of their own.
PLUMBING = {
    "gateway/actions.py:frozen": "makes plain data unchangeable",
    "gateway/actions.py:holds_card_number": "the Luhn check, a standard",
    "gateway/actions.py:why_not_canonical": "the sentence of a refusal",
    "gateway/demo.py:DemoProvider.__init__": "keeps what it was given",
    "gateway/demo.py:DemoProvider.effects": "lists a table of the demo provider's file",
    "gateway/demo.py:DemoProvider.requests": "lists a table of the demo provider's file",
    "gateway/demo.py:DemoProvider.enter_by_hand": "plays a colleague, in tests and lessons",
    "gateway/ledger.py:Ledger.now": "the later of two times",
    "gateway/ledger.py:check_receipt": "refuses an empty text",
    "gateway/ledger.py:request_id": "joins a key and a number",
    "gateway/ledger.py:system_clock": "reads the machine's clock",
    "gateway/ledger.py:writable": "spells out half a character",
    "gateway/provider.py:Provider": "names the two calls, for type checkers",
    "gateway/review.py:ReviewDesk.__init__": "keeps what it was given",
    "gateway/review.py:ReviewDesk.close": "one line over Ledger.change",
    "gateway/store.py:Store": "opens an SQLite file durably and names its errors",
}


@dataclass(frozen=True)
class Build:
    """One tagged build cell: the lesson, the cell, the definition it names, and its text."""

    lesson: str
    cell: str
    target: str  # gateway/ledger.py:Ledger
    members: tuple[str, ...]  # the methods it shows, if it names some
    source: str

    @property
    def place(self) -> str:
        """Where it stands, for a person."""
        return f"{self.lesson}, cell {self.cell}"


def builds() -> Iterator[Build]:
    """Yield the tagged build cells of all lessons."""
    for path in lessons():
        for cell in code_cells(read(path)):
            shown = [tag.removeprefix(PREFIX) for tag in tags(cell) if tag.startswith(PREFIX)]
            if shown:
                target, *members = _target(shown)
                yield Build(path.name, cell.id, target, tuple(members), cell.source)


def _target(shown: list[str]) -> list[str]:
    """Split tags of one cell into the definition and, where they name them, its methods."""
    where, _, name = shown[0].partition(":")
    owner = name.partition(".")[0]
    names = [tag.partition(":")[2].partition(".")[2] for tag in shown]
    return [f"{where}:{owner}", *filter(None, names)]


def difference(build: Build) -> str | None:
    """Return what differs between a build cell and `lab`, as a sentence; None if nothing does."""
    path, _, name = build.target.partition(":")
    theirs = _top_level((ROOT / "lab" / path).read_text(encoding="utf-8")).get(name)
    try:
        ours = ast.parse(build.source).body
    except SyntaxError as error:
        return f"{build.place}: line {error.lineno} is not Python: {error.msg}"
    if theirs is None:
        return f"{build.place}: lab/{path} defines no {name}"
    if len(ours) != 1 or _name(ours[0]) != name:
        return f"{build.place}: the cell must hold one definition, {name}, and nothing else"
    wrong = _compared(ours[0], theirs, build.members)
    return f"{build.place}: {wrong} differs from lab/{path}" if wrong else None


def _compared(ours: ast.stmt, theirs: ast.stmt, members: tuple[str, ...]) -> str | None:
    """Return the name of what differs, or None."""
    if isinstance(ours, ast.ClassDef) and isinstance(theirs, ast.ClassDef):
        return _compared_classes(ours, theirs, members)
    if _is_table(ours) and _is_table(theirs):
        mine, all_rows = _rows(ours), _rows(theirs)
        missing = [row for row in mine if row not in all_rows]
        return f"{_name(ours)}: the row {missing[0][0]}" if missing else None
    return None if _dump(ours) == _dump(theirs, short=_is_short(ours, theirs)) else _name(ours)


def _compared_classes(
    ours: ast.ClassDef, theirs: ast.ClassDef, members: tuple[str, ...]
) -> str | None:
    grows = [base.id for base in ours.bases if isinstance(base, ast.Name)] == [ours.name]
    if not grows and _head(ours) != _head(theirs):
        return f"the head of class {ours.name}"
    documented = _docstring(ours) in (_docstring(theirs), _first(_docstring(theirs)))
    if not grows and not documented:
        return f"the docstring of class {ours.name}"
    mine, full = _members(ours), _members(theirs)
    if set(mine) != set(members or full):
        return f"{ours.name}: what the tags name ({', '.join(set(mine) ^ set(members or full))})"
    for name, member in mine.items():
        if name not in full:
            return f"{ours.name}.{name}: not in lab, it"
        if _dump(member) != _dump(full[name], short=_is_short(member, full[name])):
            return f"{ours.name}.{name}"
    return None


def missing() -> list[str]:
    """Return what is wrong with the coverage of lab/gateway by lessons, a line each."""
    built = set()
    for build in builds():
        built.add(build.target)
        node = ast.parse(build.source).body[0]
        if isinstance(node, ast.ClassDef):
            built |= {f"{build.target}.{member}" for member in _members(node)}
    problems = []
    public = set(_public())
    listed = {**WAITING, **PLUMBING}
    for name in sorted(public - built - set(listed)):
        if name.rpartition(".")[0] not in PLUMBING:  # a method of a class that is plumbing
            problems.append(f"lab/{name} is built in no lesson")
    for name in sorted(listed):
        if name not in public:
            problems.append(f"step.py lists {name}, which lab does not define")
        if name in built:
            problems.append(f"step.py lists {name}, which a lesson builds: take it off the list")
    return problems


def _public() -> Iterator[str]:
    """Yield the public definitions of lab/gateway, without exceptions and enumerations."""
    for path in sorted((ROOT / "lab" / "gateway").glob("*.py")):
        if path.name in {"__init__.py", "errors.py"}:
            continue
        for name, node in _top_level(path.read_text(encoding="utf-8")).items():
            if name.startswith("_") or isinstance(node, (ast.Assign, ast.AnnAssign)):
                continue
            where = f"gateway/{path.name}:{name}"
            if not isinstance(node, ast.ClassDef):
                yield where
            elif not any(isinstance(base, ast.Name) and base.id == "Enum" for base in node.bases):
                yield where
                yield from (
                    f"{where}.{member}"
                    for member, inner in _members(node).items()
                    if isinstance(inner, ast.FunctionDef)
                    and (member == "__init__" or not member.startswith("_"))
                )


def _top_level(text: str) -> dict[str, Definition]:
    return {_name(node): node for node in ast.parse(text).body if isinstance(node, Definition)}


def _name(node: ast.stmt) -> str:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return node.name
    target = getattr(node, "target", None) or getattr(node, "targets", [None])[0]
    return target.id if isinstance(target, ast.Name) else ""


def _members(node: ast.ClassDef) -> dict[str, ast.stmt]:
    return {_name(inner): inner for inner in node.body if _name(inner)}


def _is_table(node: ast.stmt) -> bool:
    return isinstance(getattr(node, "value", None), ast.Dict) and bool(_name(node))


def _rows(node: ast.stmt) -> list[tuple[str, str]]:
    table = getattr(node, "value", None)
    assert isinstance(table, ast.Dict)
    pairs = zip(table.keys, table.values, strict=True)
    return [(ast.unparse(key) if key else "**", ast.dump(value)) for key, value in pairs]


def _is_short(ours: ast.stmt, theirs: ast.stmt) -> bool:
    """Tell whether the cell shows the first paragraph of a longer docstring."""
    mine, full = _docstring(ours), _docstring(theirs)
    return bool(mine and full and mine != full and mine == _first(full))


def _first(docstring: str | None) -> str | None:
    return docstring.partition("\n\n")[0] if docstring else docstring


def _docstring(node: ast.stmt) -> str | None:
    documented = isinstance(node, (ast.FunctionDef, ast.ClassDef))
    return ast.get_docstring(node) if documented else None  # type: ignore[arg-type]


def _dump(node: ast.stmt, short: bool = False) -> str:
    """Write a node as text that is equal for equal code; ``short``: with a shortened docstring."""
    docstring = _docstring(node)
    if docstring is None:
        return ast.dump(node)
    assert isinstance(node, (ast.FunctionDef, ast.ClassDef))
    shown = _first(docstring) if short else docstring
    return f"{_head(node)}{shown}{[ast.dump(line) for line in node.body[1:]]}"


def _head(node: ast.FunctionDef | ast.ClassDef) -> str:
    marks = [ast.dump(mark) for mark in node.decorator_list]
    if isinstance(node, ast.ClassDef):
        return f"{node.name}{[ast.dump(base) for base in node.bases]}{marks}"
    returns = ast.dump(node.returns) if node.returns else ""
    return f"{node.name}{ast.dump(node.args)}{returns}{marks}"


def out_of_step(paths: list[Path] | None = None) -> list[str]:
    """Return every difference between the lessons and `lab`, a line each."""
    found = [difference(build) for build in builds()]
    return [line for line in found if line] + missing()
