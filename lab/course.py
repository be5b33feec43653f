"""The learner's own copies of the lessons, and JupyterLab opened on them.

A learner never edits a tracked file: the lessons in ``notebooks/`` are copied
to ``work/``, which git ignores. A copy is never overwritten; ``reset`` gives a
fresh one and keeps the old one beside it.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from lab.jupyter import Problem, headless, open_lesson

ROOT = Path(__file__).resolve().parent.parent
# Which edition of a lesson was copied, so that a newer one can be told apart
# from one that the learner changed.
RECORD = ".shipped.json"


def main(
    no_browser: bool = False,
    port: int | None = None,
    copy_only: bool = False,
    root: Path = ROOT,
) -> int:
    """Copy the lessons to ``work/`` and open the first; return the exit code."""

    def go() -> int:
        copy_lessons(root)
        if copy_only:
            return 0
        first = root / "work" / shipped_lessons(root)[0].name
        return open_lesson(first, root, port, browser=not (no_browser or headless()))

    return in_plain_words(go)


def reset(lesson: str, root: Path = ROOT) -> int:
    """Give a fresh copy of one lesson, keep the old one; return the exit code."""
    return in_plain_words(lambda: reset_lesson(lesson, root))


def in_plain_words(go: Callable[[], int]) -> int:
    """Return what ``go`` returns, or print what went wrong as a sentence and return 1."""
    try:
        return go()
    except Problem as problem:
        print(problem, file=sys.stderr)
    except OSError as error:
        print(
            f"A file or folder could not be used: {error}\n"
            "`python -m lab doctor` looks for the reason.",
            file=sys.stderr,
        )
    return 1


def shipped_lessons(root: Path) -> list[Path]:
    """Return the lessons as they were shipped, in order; there is at least one."""
    lessons = sorted((root / "notebooks").glob("[0-9][0-9]_*.ipynb"))
    if not lessons:
        raise Problem(
            f"There are no lessons in {root / 'notebooks'}.\n"
            "This command needs the whole course folder: fetch it again, and run it there."
        )
    return lessons


def copy_lessons(root: Path) -> None:
    """Copy to ``work/`` what is not there yet, and say what was done."""
    shipped_lessons(root)
    work = root / "work"
    work.mkdir(exist_ok=True)
    record = read_record(work)
    copied = 0
    for source in sorted((root / "notebooks").glob("*.*")):
        if source.suffix not in (".ipynb", ".md"):
            continue
        if copy_new(as_copied(source), work / source.name):
            copied += 1
            record[source.name] = digest(source)
        elif record.get(source.name, digest(source)) != digest(source):
            print(newer_edition(source))
    write_record(work, record)
    print(f"Files copied to {work}: {copied}" if copied else "Your lessons are as you left them.")


def newer_edition(source: Path) -> str:
    """Say that the shipped lesson changed and how to have it."""
    text = f"There is a newer edition of {source.name}. Your copy was left alone."
    if source.suffix == ".ipynb":
        number = source.stem.partition("_")[0]
        command = f"make reset LESSON={number}"
        if os.name == "nt":
            command = f".venv\\Scripts\\python -m lab reset {number}"
        text += f" To have the new one, and keep yours: {command}"
    return text


def as_copied(source: Path) -> bytes:
    """Return what a learner gets of a file: a lesson without the answers to its predictions.

    What the cells after a prediction print is left out, up to the next text; and pictures, which
    JupyterLab shows as a heap of words until their cell was run. Everything else stays, for
    learners compare their own outputs with it.
    """
    content, asked = source.read_bytes(), False
    try:
        lesson = json.loads(content) if source.suffix == ".ipynb" else None
    except ValueError:
        lesson = None  # JupyterLab will say what is wrong with it
    if lesson is None:
        return content
    for cell in lesson["cells"]:
        if cell["cell_type"] != "code":
            asked = False
            continue
        if asked or any("text/html" in one.get("data", ()) for one in cell["outputs"]):
            cell["outputs"], cell["execution_count"] = [], None
        asked = asked or "predict(" in "".join(cell["source"])
    return (json.dumps(lesson, indent=1, ensure_ascii=False) + "\n").encode()


def copy_new(content: bytes, target: Path) -> bool:
    """Write a new file unless ``target`` exists, and say whether it was written."""
    try:
        opened = target.open("xb")
    except FileExistsError:
        return False
    try:
        with opened as file:
            file.write(content)
    except OSError:
        # A full disk: half a lesson would later pass for the learner's own.
        target.unlink(missing_ok=True)
        raise
    return True


def digest(path: Path) -> str:
    """Return a name for what a file holds: the SHA-256 of its bytes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def read_record(work: Path) -> dict[str, str]:
    """Return which edition of each lesson was copied; unknown where nothing says so."""
    try:
        record = json.loads((work / RECORD).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def write_record(work: Path, record: Mapping[str, str]) -> None:
    """Write down which edition of each lesson was copied."""
    (work / RECORD).write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", "utf-8")


def reset_lesson(wanted: str, root: Path) -> int:
    """Replace the learner's copy by a fresh one, the old one kept aside."""
    source = find_lesson(wanted, shipped_lessons(root))
    work = root / "work"
    work.mkdir(exist_ok=True)
    copy = work / source.name
    if not copy_new(as_copied(source), copy):
        if copy.read_bytes() == as_copied(source):
            print(f"{copy.name} is as it was shipped; there is nothing to reset.")
            return 0
        print(f"Your copy is kept as {keep_aside(copy)}.")
        fresh = copy.with_name(f".{copy.name}.fresh")
        fresh.write_bytes(as_copied(source))
        fresh.replace(copy)
    write_record(work, {**read_record(work), source.name: digest(source)})
    print(f"{copy} is fresh. If it is open in JupyterLab, close its tab and open it again.")
    return 0


def find_lesson(wanted: str, lessons: list[Path]) -> Path:
    """Return the lesson with this number or name."""
    name = wanted.strip().removesuffix(".ipynb")
    for lesson in lessons:
        same_number = name.isdecimal() and int(lesson.stem[:2]) == int(name)
        if same_number or lesson.stem == name:
            return lesson
    known = "\n".join(f"  {lesson.stem[:2]}  {lesson.stem}" for lesson in lessons)
    raise Problem(f"There is no lesson {wanted!r}. These are the lessons:\n{known}")


def keep_aside(copy: Path) -> Path:
    """Copy the learner's lesson to the next free name and return that name."""
    for number in itertools.count(1):
        kept = copy.with_name(f"{copy.stem}.kept-{number}{copy.suffix}")
        if copy_new(copy.read_bytes(), kept):
            return kept
    raise AssertionError("numbers do not end")
