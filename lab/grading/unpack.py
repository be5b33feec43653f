"""Unpacks a zip that may come from anybody, into a folder that the caller owns.

No name in the zip becomes a path: each file gets a folder with a number, so names that lead
elsewhere, are long, or differ in case only, do no harm. Bytes are counted as they are written, and
what the zip says of its sizes is not believed.
"""

from __future__ import annotations

import errno
import io
import re
import stat
import tempfile
import unicodedata
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

MB = 1_000_000
CHUNK = 256 * 1024
DIRECTORY_BYTES = 8 * MB  # the list of what is in a zip: some 50 000 files with ordinary names
NAME_CHARACTERS = 1000
# Text that repeats itself packs well, and a notebook with a large output does: only what is large
# too is a bomb.
RATIO, RATIO_FROM = 300, 60 * MB

UTF_8 = 0x800  # flags of a file in a zip
ENCRYPTED = 0x1
ORDINARY = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
# They turn the direction of a line, and make one name look like another.
TURNING = {chr(one) for one in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}


class Unrecognised(NamedTuple):
    """A file that is not graded: its place among the submissions, why, and what to do."""

    file: str
    reason: str


class Unpacked(NamedTuple):
    """A file of a zip: its folders and name there, and where it is now; None if not wanted."""

    parts: tuple[str, ...]
    path: Path | None


class Limits(NamedTuple):
    """What one zip may hold: how many files, and bytes in one and in all of them."""

    files: int
    bytes_in_one: int
    bytes_in_all: int


OF_A_CLASS = Limits(50_000, 100 * MB, 4000 * MB)
OF_A_STUDENT = Limits(1_000, 100 * MB, 500 * MB)


class NotUnpacked(Exception):
    """Nothing of the zip can be read; the message says why, and what to do."""


class _Refused(Exception):
    """One file of the zip cannot be unpacked; ``read`` is how many bytes that took."""

    def __init__(self, reason: str, read: int = 0) -> None:
        super().__init__(reason)
        self.read = read


class _Reader(io.BufferedReader):
    """A file that is not read in one large piece, which is how `zipfile` reads a zip's list."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is None or size < 0:
            size = DIRECTORY_BYTES  # of the end of a zip, which is shorter
        if size > DIRECTORY_BYTES:
            raise NotUnpacked("it lists too many files, or is damaged. Unpack it by hand.")
        return super().read(size)


def unpack(
    archive: Path,
    room: Path,
    limits: Limits = OF_A_CLASS,
    wanted: Callable[[tuple[str, ...]], bool] = lambda parts: True,
    place: str = "",
) -> tuple[list[Unpacked], list[Unrecognised]]:
    """Unpack the wanted files of a zip to a new folder in ``room``.

    ``wanted`` is asked with a file's folders and name. ``place`` stands before the names of what
    is refused, with a slash.

    Raises:
        NotUnpacked: the zip as a whole cannot be read.
        OSError: the disk is full, or ``room`` is no folder.
    """
    try:
        with _Reader(io.FileIO(archive)) as file, zipfile.ZipFile(file) as packed:
            return _unpacked(packed, Path(tempfile.mkdtemp(dir=room)), limits, wanted, place)
    except OSError as error:
        if error.errno in NO_ROOM or not Path(room).is_dir():
            raise
        raise NotUnpacked(f"it cannot be read: {error.strerror or error}.") from None
    except NotUnpacked:
        raise
    except Exception:  # whatever `zipfile` says of bytes that are no zip
        raise NotUnpacked("it is damaged, or no zip. Download it again, or ask for it.") from None


def _unpacked(
    packed: zipfile.ZipFile,
    folder: Path,
    limits: Limits,
    wanted: Callable[[tuple[str, ...]], bool],
    place: str,
) -> tuple[list[Unpacked], list[Unrecognised]]:
    listed = [one for one in packed.infolist() if not one.filename.endswith(("/", "\\"))]
    last = {_name(one): number for number, one in enumerate(listed)}
    found: list[Unpacked] = []
    refused: list[Unrecognised] = []
    files, left = 0, limits.bytes_in_all
    for number, one in enumerate(listed):
        try:
            parts = _parts(one)
            if not wanted(parts):
                found.append(Unpacked(parts, None))
                continue
            if last[_name(one)] != number:
                raise _Refused("its name is there again later in the zip, and that one was taken.")
            files += 1
            if files > limits.files or left <= 0:
                rest = "the rest of it is not read: it is too large. Unpack it by hand."
                refused.append(Unrecognised(shown(place) or "(the zip)", rest))
                break
            path = folder / str(number) / _plain(parts[-1])
            left -= _write(packed, one, path, min(left, limits.bytes_in_one))
            found.append(Unpacked(parts, path))
        except _Refused as reason:
            left -= reason.read
            name = "/".join(filter(None, (place, _name(one)[:NAME_CHARACTERS])))
            refused.append(Unrecognised(shown(name), str(reason)))
    return found, refused


def shown(name: str) -> str:
    """Return a name as it can be printed in one line and saved; different ones stay different."""
    return "".join(map(_shown, name))


def _shown(character: str) -> str:
    hidden = unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")
    if hidden or character in TURNING or character == "\\":
        return character.encode("unicode_escape").decode()
    return character


def _name(one: zipfile.ZipInfo) -> str:
    """Return the name of a file in a zip; many programs write UTF-8 and do not say so."""
    if not one.flag_bits & UTF_8:
        with suppress(UnicodeError):
            return one.orig_filename.encode("cp437").decode("utf-8")
    return one.orig_filename


def _parts(one: zipfile.ZipInfo) -> tuple[str, ...]:
    """Return a file's folders and name; refuse what is no plain file inside of the zip."""
    name = _name(one).replace("\\", "/")
    parts = name.split("/")
    kind = stat.S_IFMT(one.external_attr >> 16)
    refusals = {
        "its name is too long.": len(name) > NAME_CHARACTERS,
        "its name leads out of the zip. Ask for it again.": name.startswith("/")
        or ".." in parts
        or bool(re.match("[A-Za-z]:", name)),
        "its name is not readable.": "\0" in name or not name.strip("/. "),
        "it is a link to another file. Ask for the file itself.": kind == stat.S_IFLNK,
        "it is no ordinary file.": kind not in (0, stat.S_IFREG, stat.S_IFLNK),
        "it is locked with a password. Ask for it without one.": bool(one.flag_bits & ENCRYPTED),
        "it is packed in a rare way. Unpack it by hand.": one.compress_type not in ORDINARY,
    }
    for reason, applies in refusals.items():
        if applies:
            raise _Refused(reason)
    return tuple(part for part in parts if part not in ("", "."))


def _plain(name: str) -> str:
    """Return a name that every disk can hold, with the end of the one given."""
    return "of_" + re.sub(r"[^A-Za-z0-9._-]", "_", name)[-80:]


def _write(packed: zipfile.ZipFile, one: zipfile.ZipInfo, path: Path, most: int) -> int:
    """Unpack one file; return how many bytes it has."""
    written = 0
    path.parent.mkdir()
    try:
        with packed.open(one) as source, path.open("xb") as target:
            while chunk := source.read(CHUNK):
                written += len(chunk)
                packs_too_well = written > RATIO * max(one.compress_size, 1)
                if written > most or (written > RATIO_FROM and packs_too_well):
                    raise _Refused(
                        "it is too large. Clear its outputs, and save it again.", written
                    )
                target.write(chunk)
    except _Refused:
        path.unlink()
        raise
    except Exception as error:  # whatever `zipfile` says of damaged bytes
        path.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno in NO_ROOM:
            raise
        raise _Refused("it is damaged. Ask for it again.", written) from None
    return written
