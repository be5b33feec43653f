"""The sample class of GRADING.md: writes what ten students hand in.

``make sample-class`` runs it. In ``class/answers`` a text stands for each file: what is written in
the cell of the exercise, where the rest is the lesson as it is shipped; two answers are parted by
`ANOTHER`. A name with two endings, ``answers.py.txt``, stands for that very file. A folder that is
named like a zip becomes one.
"""

from __future__ import annotations

import json
import re
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import nbformat

from tests.grading.papers import Book, lesson, place, solution

ANSWERS = Path(__file__).resolve().parent / "class" / "answers"
ANOTHER = "\n\n# %%\n"
DAY = (2026, 3, 2, 9, 15, 0)  # of what is in a zip: the same bytes each time
IN_A_NAME, NUMBER = re.compile(r"(?<!\d)(\d\d)_"), re.compile(r"\d\d")


def untouched(book: Book, at: int, text: str) -> None:
    """Leave it as it was shipped."""


def deleted(book: Book, at: int, text: str) -> None:
    """Take the cell away."""
    del book.cells[at]


def published(book: Book, at: int, text: str) -> None:
    """Copy the published solution."""
    book.cells[at].source = solution(book.cells[at].metadata.nbgrader.grade_id)


def without_mark(book: Book, at: int, text: str) -> None:
    """Write the answer into a cell of one's own."""
    book.cells[at] = nbformat.v4.new_code_cell(text)


def written(book: Book, at: int, text: str) -> None:
    """Write the answer; a second one goes into a copy of the cell."""
    cell = book.cells[at]
    book.cells[at : at + 1] = [{**cell, "source": one} for one in text.split(ANOTHER)]


WAYS: dict[str, Callable[[Book, int, str], None]] = {
    "(untouched)": untouched,
    "(the cell was deleted)": deleted,
    "(the published solution)": published,
    "(lesson 07, in a cell without its mark)": without_mark,
}
"""What may stand in the first line of a text, and is no answer."""


def notebook(name: str, text: str) -> str:
    """Return a notebook as it is handed in."""
    first, _, rest = text.partition("\n")
    way, answer = (WAYS[first], rest) if first in WAYS else (written, text)
    [number] = IN_A_NAME.findall(name)[-1:] or NUMBER.findall(first)
    book = lesson(number)
    way(book, place(book), answer.rstrip("\n"))
    return json.dumps(book, indent=1, ensure_ascii=False) + "\n"


def write(folder: Path) -> None:
    """Write every file that the class hands in."""
    for path in sorted(ANSWERS.rglob("*.txt")):
        place, text = path.relative_to(ANSWERS).with_suffix(""), path.read_text("utf-8")
        if not place.suffix:
            place, text = place.with_name(f"{place.name}.ipynb"), notebook(place.name, text)
        put(folder, place, text)


def put(folder: Path, place: Path, text: str) -> None:
    """Write one file, into a zip where a part of its place is named like one."""
    zipped = next((one for one in place.parents if one.suffix == ".zip"), None)
    target = folder / (zipped or place)
    target.parent.mkdir(parents=True, exist_ok=True)
    if zipped is None:
        target.write_text(text, "utf-8")
        return
    with zipfile.ZipFile(target, "a") as packed:
        packed.writestr(zipfile.ZipInfo(place.relative_to(zipped).as_posix(), DAY), text)


def main(folder: str) -> int:
    """Write the class into a new folder."""
    if Path(folder).exists():
        print(f"{folder} is there already. Delete it, or name another folder.", file=sys.stderr)
        return 1
    write(Path(folder))
    print(f"Ten students' files are in {folder}.")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
