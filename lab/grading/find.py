"""Which files in a folder, or a zip, of submissions belong to which student."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import stat
import tempfile
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from lab.grading.unpack import (
    OF_A_CLASS,
    OF_A_STUDENT,
    NotUnpacked,
    Unpacked,
    Unrecognised,
    shown,
    unpack,
)

__all__ = ["Found", "NoSubmissions", "Unrecognised", "find"]

SENT = tuple(
    re.compile(pattern)
    for pattern in (
        # Moodle, a folder or the start of a file: Anna Ba_123456_assignsubmission_file_
        r"(?P<student>.+?)(?:_(?P<id>\d+))?_assignsubmission_[a-z]+(?:_|$)",
        # Blackboard: hw1_s123_attempt_2024-05-01-10-00-00_07_restart
        r".+_(?P<student>[^_]+)_attempt_\d{4}(?:-\d\d){5}(?:_|$)",
        # Brightspace, a folder or the start of a file: 397063-25573 - Anna Ba - May 1, 2024 926 PM
        r"(?P<id>\d+-\d+) - (?P<student>.+?) - .*\d{4}",
        # Canvas, graded without names: anon_aB3cD_67890_07_restart
        r"(?:LATE_)?(?P<student>anon_[^_]+)_\d+_.",
        # Canvas: baanna_LATE_12345_67890_07_restart-1
        r"(?P<student>.+?)(?:_LATE)?_(?P<id>\d+)_\d{3,}_.",
    )
)
"""How the names begin that learning platforms give to what they send."""

BEFORE_A_LESSON = re.compile(r"(?P<student>.+?)[ _.-]*(?<!\d)\d\d_[^\W\d_]")
NO_STUDENTS = ("submitted", "submissions")
LEFT_OUT = ("__MACOSX", "__pycache__", "node_modules", "site-packages", "venv", "timestamp.txt")
OF_BLACKBOARD = re.compile(r".+_attempt_\d{4}(?:-\d\d){5}\.txt")  # it adds one to each attempt
DEEPEST = 2  # a zip, and a zip in it

NOTEBOOK, ZIP = ".ipynb", ".zip"
ASK = "Ask for the notebook (.ipynb)."
NOT_GRADED = {
    ".py": f"it is a Python file. {ASK}",
    **dict.fromkeys(
        (".txt", ".html", ".htm", ".pdf", ".docx", ".doc", ".odt", ".rtf", ".md"),
        f"it is a page, which cannot be run. {ASK}",
    ),
    **dict.fromkeys(
        (".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz"),
        "only a zip is unpacked here. Unpack it by hand.",
    ),
    ".json": "if it is a notebook, end its name in .ipynb.",
    "": "its name has no ending. If it is a notebook, end its name in .ipynb.",
}
RENAMED = "it may be a notebook that was renamed on its way. End its name in .ipynb."


class NoSubmissions(Exception):
    """There is nothing to grade; the message says why, and what to do."""


class Found(NamedTuple):
    """A notebook: whose it is, its place among the submissions, with slashes, where to read it."""

    student: str
    file: str
    path: Path


class _File(NamedTuple):
    """A file by its folders and name; one that was left in a zip has no path."""

    parts: tuple[str, ...]
    path: Path | None

    @property
    def file(self) -> str:
        return shown("/".join(self.parts))

    def ends(self, ending: str) -> bool:
        return self.parts[-1].casefold().endswith(ending)


_Gathered = tuple[list[_File], list[Unrecognised]]


def find(submissions: Path, room: Path | None = None) -> tuple[list[Found], list[Unrecognised]]:
    """Return the notebooks of a folder, a zip, or one notebook, and what is none of them; sorted.

    A student is the first folder or zip below ``submissions``, or what a learning platform put
    before a file's name, or what stands before the lesson's name, or the file's own name.

    Zips are unpacked to ``room``, a folder; by default to one that is removed when this process
    ends.

    Raises:
        NoSubmissions: there is nothing there, or it cannot be read.
    """
    name = shown(submissions.as_posix())
    try:
        files, refused = _gathered(submissions, room)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise NoSubmissions(f"{name} cannot be read or unpacked: {reason}.") from None
    notebooks = [one for one in files if one.ends(NOTEBOOK)]
    own = _stem(submissions.name) if submissions.suffix.casefold() == ZIP else ""
    students = _students(notebooks, own)
    found = [
        Found(student, one.file, one.path)
        for student, one in zip(students, notebooks, strict=True)
        if one.path
    ]
    refused += [
        Unrecognised(one.file, reason) for one in files if (reason := _not_graded(one.parts[-1]))
    ]
    if not found and not refused:
        raise NoSubmissions(
            f"There is no notebook in {name}. Give the folder or the zip that holds one folder "
            "for each student, or the download of your learning platform."
        )
    return sorted(found), sorted(refused)


# Which files


def _gathered(submissions: Path, room: Path | None) -> _Gathered:
    if submissions.is_dir():
        return _with_zips(*_in_folder(submissions), room)
    name = shown(submissions.as_posix())
    if not submissions.exists():
        raise NoSubmissions(f"{name} is not there. Give the folder of the submissions.")
    given = _File((submissions.name,), submissions)
    if given.ends(NOTEBOOK):
        return [given], []
    if not given.ends(ZIP):
        raise NoSubmissions(f"{name} is no folder, no zip and no notebook (.ipynb).")
    room = room or _until_the_end()
    try:
        files, refused = unpack(submissions, room, OF_A_CLASS, _wanted)
    except NotUnpacked as reason:
        raise NoSubmissions(f"{name}: {reason}") from None
    return _with_zips(_kept(files), refused, room, depth=2)


def _in_folder(top: Path) -> _Gathered:
    """Return the files below a folder; links are not followed."""
    files: list[_File] = []
    refused: list[Unrecognised] = []
    folders: list[tuple[tuple[str, ...], Path]] = [((), top)]
    while folders:
        above, folder = folders.pop()
        try:
            with os.scandir(folder) as listed:
                entries = [(one, one.stat(follow_symlinks=False).st_mode) for one in listed]
        except OSError as error:
            if folder == top:
                raise
            reason = f"it cannot be read: {error.strerror}."
            refused.append(Unrecognised(shown("/".join(above)), reason))
            continue
        for entry, mode in entries:
            one = _File((*above, entry.name), Path(entry.path))
            if _left_out(entry.name):
                continue
            if stat.S_ISDIR(mode):
                folders.append((one.parts, Path(entry.path)))
            elif stat.S_ISREG(mode):
                files.append(one)
            else:
                reason = "it is a link, or no ordinary file. Put the file itself there."
                refused.append(Unrecognised(one.file, reason))
    return files, refused


def _with_zips(
    files: list[_File], refused: list[Unrecognised], room: Path | None, depth: int = 1
) -> _Gathered:
    """Unpack the zips among some files, and those in them, and so on down to the deepest."""
    kept = [one for one in files if not one.ends(ZIP)]
    for one in files:
        if not one.ends(ZIP) or one.path is None:
            continue
        if depth > DEEPEST:
            refused.append(Unrecognised(one.file, "it is a zip in other zips. Unpack it by hand."))
            continue
        room = room or _until_the_end()
        try:
            inner, not_inner = unpack(one.path, room, OF_A_STUDENT, _wanted, "/".join(one.parts))
        except NotUnpacked as reason:
            refused.append(Unrecognised(one.file, str(reason)))
            continue
        more, refused = _with_zips(_kept(inner, one.parts), refused + not_inner, room, depth + 1)
        kept += more
    return kept, refused


def _kept(files: Iterable[Unpacked], above: tuple[str, ...] = ()) -> list[_File]:
    return [
        _File((*above, *one.parts), one.path) for one in files if not any(map(_left_out, one.parts))
    ]


def _wanted(parts: tuple[str, ...]) -> bool:
    is_wanted = parts[-1].casefold().endswith((NOTEBOOK, ZIP))
    return is_wanted and not any(map(_left_out, parts))


def _left_out(name: str) -> bool:
    """Tell whether a file or folder was written by a program, or set aside by ``reset``."""
    set_aside = name.startswith(".") or name in LEFT_OUT or ".kept-" in name
    return set_aside or OF_BLACKBOARD.fullmatch(name) is not None


def _not_graded(name: str) -> str:
    """Say why a file that looks like a submission is not graded; nothing of any other file."""
    name = name.casefold()
    if name.endswith((NOTEBOOK, ZIP)):
        return ""
    return RENAMED if NOTEBOOK in name else NOT_GRADED.get(Path(name).suffix, "")


def _until_the_end() -> Path:
    """Return a new folder that is removed when this process ends, and not when a child does."""
    folder, owner = Path(tempfile.mkdtemp(prefix="submissions-")), os.getpid()
    atexit.register(
        lambda: shutil.rmtree(folder, ignore_errors=True) if os.getpid() == owner else None
    )
    return folder


# Whose they are


def _students(files: list[_File], own: str) -> list[str]:
    """Return whose each file is; people of one name are told apart by their platform's number."""
    places = _places([one.parts for one in files], own)
    # Where a folder holds nothing but what a platform sent, it is a download and no student's.
    depth = int(bool(places) and all(len(one) > 1 and _sent(one[1]) for one in places))
    names = [_named(one[depth], is_folder=len(one) > depth + 1) for one in places]
    numbers = defaultdict(set)
    for place, (name, number) in zip(places, names, strict=True):
        numbers[place[:depth], name].add(number)
    namesakes = {name for (_, name), several in numbers.items() if len(several) > 1}
    return [f"{name} {number}".strip() if name in namesakes else name for name, number in names]


def _places(places: list[tuple[str, ...]], own: str) -> list[tuple[str, ...]]:
    """Leave out leading folders that are no student: nbgrader's, and the zip's own."""
    if places and all(
        one[0] == own and (len(one) > 2 or (len(one) > 1 and _named(one[1])[0] != _stem(one[1])))
        for one in places
    ):
        places = [one[1:] for one in places]
    return [one[1:] if one[0] in NO_STUDENTS and len(one) > 1 else one for one in places]


def _named(name: str, is_folder: bool = False) -> tuple[str, str]:
    """Return the student that a name tells of, and the platform's number for them, or nothing."""
    is_zip = name.casefold().endswith(ZIP)
    stem = name if is_folder and not is_zip else _stem(name)
    match = _sent(stem)
    if match is None and (is_zip or not is_folder):
        match = BEFORE_A_LESSON.match(stem)
    told = match.groupdict() if match else {}
    student = told.get("student", "").strip(" _.-") or stem
    return unicodedata.normalize("NFC", shown(student)), told.get("id") or ""


def _sent(name: str) -> re.Match[str] | None:
    """Return what a platform's name tells, if it is one."""
    return next((match for one in SENT if (match := one.match(name))), None)


def _stem(name: str) -> str:
    ending = Path(name).suffix
    return name.removesuffix(ending) if ending.casefold() in (NOTEBOOK, ZIP) else name
