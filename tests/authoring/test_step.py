"""The lessons' code and `lab` are in step, and one changed token on either side shows."""

import ast
import io
import keyword
import shutil
import tokenize
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lab.authoring import step
from lab.authoring.step import Build, builds, difference

ALL = list(builds())


def changed_tokens(text: str, rows: set[int] | None = None) -> Iterator[str]:
    """Yield the text once for every token that carries meaning, each time with that one changed.

    ``rows`` are the lines to change, counted from 1; all of them where none are named.
    """
    lines = text.splitlines(keepends=True)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        other = another(token)
        if other is None or token.start[0] != token.end[0]:
            continue
        if rows is not None and token.start[0] not in rows:
            continue
        row, start, end = token.start[0] - 1, token.start[1], token.end[1]
        line = lines[row][:start] + other + lines[row][end:]
        changed = "".join([*lines[:row], line, *lines[row + 1 :]])
        if parses(changed):
            yield changed


def another(token: tokenize.TokenInfo) -> str | None:
    if token.type == tokenize.NAME:
        return None if keyword.iskeyword(token.string) else f"{token.string}x"
    if token.type == tokenize.NUMBER:
        return f"{token.string}7"
    if token.type == tokenize.STRING:
        return f"{token.string[:-1]}x{token.string[-1]}"
    return {"==": "!=", "<": "<=", ">": ">=", "+": "-", "|": "&"}.get(token.string)


def parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


@pytest.mark.parametrize("build", ALL, ids=lambda build: f"{build.cell}")
def test_a_build_cell_is_what_lab_has(build: Build) -> None:
    assert difference(build) is None


def test_every_public_definition_is_built_or_listed() -> None:
    assert step.missing() == []


@pytest.mark.parametrize("build", ALL, ids=lambda build: f"{build.cell}")
def test_one_changed_token_in_the_lesson_shows(build: Build) -> None:
    changed = [replace(build, source=source) for source in changed_tokens(build.source)]
    assert changed
    assert [one.source for one in changed if difference(one) is None] == []


@pytest.mark.parametrize("build", ALL, ids=lambda build: f"{build.cell}")
def test_one_changed_token_in_lab_shows(
    build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path("lab") / build.target.partition(":")[0]
    definition, rows = shown(build, (step.ROOT / path).read_text(encoding="utf-8"))
    (tmp_path / path).parent.mkdir(parents=True)
    monkeypatch.setattr(step, "ROOT", tmp_path)
    unseen, seen = [], 0
    for changed in changed_tokens(definition, rows):
        (tmp_path / path).write_text(changed, encoding="utf-8")
        if difference(build) is None:
            unseen.append(changed)
        seen += 1
    assert seen
    assert unseen == []


def shown(build: Build, text: str) -> tuple[str, set[int]]:
    """Return lab's definition, and the lines of it that the cell shows, without docstrings."""
    cell = ast.parse(build.source).body[0]
    [theirs] = [node for node in ast.parse(text).body if step._name(node) == step._name(cell)]
    definition = ast.get_source_segment(text, theirs) + "\n"
    node = ast.parse(definition).body[0]
    nodes: list[ast.stmt] = [node]
    if isinstance(cell, ast.ClassDef) and isinstance(node, ast.ClassDef):
        names = step._members(cell)
        nodes = [inner for name, inner in step._members(node).items() if name in names]
    rows: set[int] = set()
    for one in nodes:
        body = (
            one.body[bool(ast.get_docstring(one)) :] if isinstance(one, ast.FunctionDef) else [one]
        )
        for inner in body:
            if inner is node and step._is_table(node):
                rows |= rows_of_table(inner, {key for key, _ in step._rows(cell)})
            else:
                rows |= set(range(inner.lineno, (inner.end_lineno or inner.lineno) + 1))
    return definition, rows


def rows_of_table(table: ast.stmt, keys: set[str]) -> set[int]:
    pairs = zip(table.value.keys, table.value.values, strict=True)  # type: ignore[attr-defined]
    return {
        line
        for key, value in pairs
        if ast.unparse(key) in keys
        for line in range(key.lineno, value.end_lineno + 1)
    }


def test_a_build_cell_with_a_second_definition_is_refused() -> None:
    build = next(build for build in ALL if build.target.endswith(":attempt"))
    twice = replace(build, source=f"{build.source}\nx = 1\n")
    assert "one definition" in (difference(twice) or "")


def test_a_definition_that_lab_does_not_have_is_named() -> None:
    build = replace(ALL[0], target="gateway/ledger.py:Nothing")
    assert "defines no Nothing" in (difference(build) or "")


def test_a_listed_definition_must_exist_and_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    built = next(build.target for build in ALL if build.target.startswith("gateway/"))
    monkeypatch.setattr(step, "WAITING", {"gateway/ledger.py:nobody": "12", built: "12"})
    found = "\n".join(step.missing())
    assert "lists gateway/ledger.py:nobody, which lab does not define" in found
    assert f"lists {built}, which a lesson builds" in found


def test_a_new_public_definition_must_be_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(step.ROOT / "lab", tmp_path / "lab", ignore=shutil.ignore_patterns("*.pyc"))
    with (tmp_path / "lab/gateway/states.py").open("a") as file:
        file.write("\n\ndef brand_new():\n    pass\n")
    monkeypatch.setattr(step, "ROOT", tmp_path)
    assert "lab/gateway/states.py:brand_new is built in no lesson" in step.missing()
