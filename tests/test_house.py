"""The house rules that no formatter checks: who imports whom, and how long things are."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).resolve().parent.parent
# What decides, from the key to the desk, is read in one sitting; the rest is files, errors, the
# demo provider and the front door. Blank lines are not counted, docstrings are.
CORE = ("actions", "states", "ledger", "provider", "dispatch", "review")
CORE_LINES = 700
GATEWAY_LINES = 1300
FILE_LINES = 400
FUNCTION_LINES = 40

SOURCES = sorted(path for room in ("lab", "tests") for path in (ROOT / room).rglob("*.py"))
# What these import may come from the standard library and the rooms named here:
# they run where nothing is installed, and the gateway can be copied out.
BARE = {
    "lab/gateway/**/*.py": ("lab.gateway",),
    "lab/faults/**/*.py": ("lab.faults", "lab.gateway"),
    "lab/guest/**/*.py": ("lab.guest", "lab.gateway"),
    "lab/*.py": ("lab",),
}


def imported(source: str, package: tuple[str, ...]) -> Iterator[str]:
    """Yield the full name of every module that a source imports, relative ones resolved."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            yield ".".join([*base, *filter(None, [node.module])])


def strangers(source: str, package: tuple[str, ...], rooms: tuple[str, ...]) -> list[str]:
    """Return what is imported from outside the standard library and the given rooms."""
    return [
        name
        for name in imported(source, package)
        if name.partition(".")[0] not in sys.stdlib_module_names
        and not any(name == room or name.startswith(f"{room}.") for room in rooms)
    ]


def lines(path: Path) -> int:
    """Return how many lines a file has."""
    return len(path.read_text("utf-8").splitlines())


def functions(source: str) -> Iterator[tuple[str, int]]:
    """Yield the name and the number of lines of every function, methods included."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno:
            yield node.name, node.end_lineno - node.lineno + 1


def test_rooms_import_downwards_only() -> None:
    assert lint_imports(str(ROOT / "pyproject.toml"), no_cache=True) == 0


@pytest.mark.parametrize("pattern", BARE)
def test_what_runs_on_a_bare_machine_imports_the_standard_library_only(pattern: str) -> None:
    found = {}
    for path in ROOT.glob(pattern):
        place = path.relative_to(ROOT)
        names = strangers(path.read_text("utf-8"), place.parent.parts, BARE[pattern])
        if names:
            found[str(place)] = names
    assert found == {}


def test_a_stranger_in_the_gateway_would_be_seen() -> None:
    source = (
        "import sqlite3, requests.api\nfrom lab.faults import a\nfrom . import b\nfrom .. import c"
    )
    found = strangers(source, ("lab", "gateway"), ("lab.gateway",))
    assert found == ["requests.api", "lab.faults", "lab"]


def written(path: Path) -> int:
    return sum(bool(line.strip()) for line in path.read_text("utf-8").splitlines())


def test_the_gateway_can_be_read_in_one_sitting() -> None:
    gateway = ROOT / "lab" / "gateway"
    assert sum(written(gateway / f"{name}.py") for name in CORE) < CORE_LINES
    assert sum(map(written, gateway.rglob("*.py"))) < GATEWAY_LINES


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_file_and_no_function_is_long(path: Path) -> None:
    source = path.read_text("utf-8")
    assert lines(path) <= FILE_LINES
    assert {name: n for name, n in functions(source) if n > FUNCTION_LINES} == {}


def test_methods_and_inner_functions_are_measured_too() -> None:
    source = "class A:\n    async def b(self):\n        def c():\n            pass\n\n\nx = 1\n"
    assert dict(functions(source)) == {"b": 3, "c": 2}
