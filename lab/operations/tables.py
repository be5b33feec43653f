"""How values are written for people and for spreadsheets: times, cells, tables, and whole files."""

from __future__ import annotations

import csv
import io
import os
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

# A spreadsheet takes a cell for a formula that begins so, also after blanks and signs that nobody
# sees, and in the wide letters of other alphabets. Where it splits at ";" or at the end of a line,
# a cell begins there, too. What begins with a tab or an end of a line may be one in any case.
_BLANK = r"\s\x00-\x1f\x7f-\x9f\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"
_FORMULA = re.compile(
    rf"(?:\A|(?<=[;\t\r\n]))(?=[{_BLANK}]*[=+\-@\u2212＝﹦＋﹢－﹣＠﹫])|\A(?=[\t\r\n])"
)
_INSTEAD = "\ufffd"  # what Unicode has for a sign that cannot be shown
CONTROLS = {code: _INSTEAD for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n"}
"""For ``str.translate``: signs that no text has a use for, and what is written in their place."""
_UNSEEN = CONTROLS | dict.fromkeys((*range(8234, 8239), *range(8294, 8298)), _INSTEAD)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Unwritable(Exception):
    """A file cannot be written; the message says which, and what to do."""


def csv_table(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Return rows as RFC 4180 asks, with every text defused that a spreadsheet might run."""
    text = io.StringIO(newline="")
    # Excel takes a file for UTF-8 only where it begins with this mark; what else reads such
    # tables leaves it out (in Python: the encoding "utf-8-sig").
    text.write("\ufeff")
    writer = csv.DictWriter(text, columns, lineterminator="\r\n")
    writer.writeheader()
    for one in rows:
        writer.writerow({name: safe(value) for name, value in one.items()})
    return text.getvalue()


def safe(value: Any) -> Any:
    """Return a cell that no spreadsheet runs: "'" goes before what may begin a formula."""
    return _FORMULA.sub("'", value).translate(_UNSEEN) if isinstance(value, str) else value


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of texts as lines with columns for a terminal; the last column is not filled."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def moment(ms: int) -> str:
    """Return a time in ms since 1970 as ISO 8601 in UTC: 2026-09-01T12:30:00.000Z."""
    try:
        return f"{(_EPOCH + timedelta(milliseconds=ms)).isoformat(timespec='milliseconds')[:-6]}Z"
    except OverflowError:
        return f"{ms} ms"  # no calendar has a day for it


def in_ms(written: str) -> int:
    """Return a time that is written as `moment` writes it, in ms since 1970.

    Raises:
        ValueError: it is no time of ISO 8601 with a date and a zone.
    """
    time = datetime.fromisoformat(written)
    if time.tzinfo is None:
        raise ValueError("no zone")
    return (time - _EPOCH) // timedelta(milliseconds=1)


def span(ms: int) -> str:
    """Return a length of time in its two largest units: 3 d 4 h, 12 min 5 s, 250 ms."""
    left, parts = ms, list[str]()
    for unit, size in (("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1_000)):
        number, left = divmod(left, size)
        parts += [f"{number} {unit}"] if number or parts else []
    return " ".join(parts[:2]) or f"{ms} ms"


def put(path: Path, text: str) -> None:
    """Replace a file as a whole: it is written under a name that nobody has, then renamed.

    Half a character, which UTF-8 cannot hold, becomes "?".

    Raises:
        Unwritable: it cannot be written; the old file is as it was.
    """
    beside = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        number, beside = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)
        with open(number, "w", encoding="utf-8", errors="replace", newline="") as file:
            file.write(text)
        os.replace(beside, path)
    except OSError as error:
        with suppress(OSError):
            os.unlink(beside)
        raise Unwritable(
            f"{path} cannot be written ({error.strerror or error}). Is it open in another program, "
            "is the disk full, or may you not write there? Mend that, or name another folder."
        ) from None
