"""What stands around a life of the learner's code: namespaces, limits, and nothing left open."""

from __future__ import annotations

import builtins
import contextlib
import importlib
import os
import pkgutil
import shutil
from collections.abc import Iterable
from typing import NamedTuple, NoReturn

import lab.gateway as gateway
from lab.guest import kernel

NO_KEYBOARD = "grading has no keyboard"
FIRST_USER = 2_000_000_000  # where root begins lives: each is a user whom nobody else is
NEEDED = ("lab.faults.clock", "bz2", "ctypes", "hashlib", "lzma", "sqlite3", "ssl", "uuid", "zlib")


class Rules(NamedTuple):
    """What a life may use: seconds of computing, bytes, open files; and how it is shut in.

    ``folder`` is where it lives; what it leaves there is gone before the next one begins.
    ``private``: the nursery is in a container, in which ``hidden`` folders are to look empty once
    it has started. ``root``: who begins it is the machine's root, and each life another user.
    ``also`` are modules from beside the standard library that a life may import; every life is
    the slower to begin for them.
    """

    folder: str = ""
    cpu_s: int = 5
    memory: int = 512 << 20
    file: int = 8 << 20
    files: int = 32
    hidden: tuple[str, ...] = ()
    private: bool = False
    root: bool = False
    also: tuple[str, ...] = ()


def preload(also: Iterable[str]) -> None:
    """Import what a life will not see: the course's own files, and what needs the system's.

    The rest of the standard library it can import itself.
    """
    for name in (*NEEDED, *also):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    for part in pkgutil.iter_modules(gateway.__path__, "lab.gateway."):
        importlib.import_module(part.name)


def no_keyboard(*_: object) -> NoReturn:
    """Stand for `input`."""
    raise EOFError(NO_KEYBOARD)


def shut_in(rules: Rules, number: int) -> None:
    """Shut this process in for ever; ``number`` tells it from every other life.

    Raises:
        OSError: the kernel does not allow it. Nothing of the learner's may run then.
    """
    home = f"{rules.folder}/{number}"
    os.mkdir(home, 0o700)
    os.chdir(home)
    _limits(rules)
    if rules.root:
        user = FIRST_USER + number
        os.chown(home, user, user)
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    if rules.private:
        kernel.give_up_privileges()
    builtins.input = no_keyboard
    os.environ.clear()
    os.environ.update(HOME=home, TMPDIR=home, LANG="C.UTF-8", TZ="UTC")


def _limits(rules: Rules) -> None:
    import resource  # which Windows does not have

    # At the first of the two a process may have the last word; at the second it is killed.
    limits = {
        "CPU": (rules.cpu_s, rules.cpu_s + 1),
        "AS": (rules.memory, rules.memory),
        "FSIZE": (rules.file, rules.file),
        "NOFILE": (rules.files, rules.files),
        "CORE": (0, 0),
        "MSGQUEUE": (0, 0),
        "MEMLOCK": (0, 0),
        **({"NPROC": (1, 1)} if rules.private else {}),  # where it counts ours alone
    }
    for name, limit in limits.items():
        with contextlib.suppress(AttributeError, ValueError):  # not every system knows each
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), limit)


def sweep(rules: Rules, living: Iterable[int]) -> None:
    """Take away whatever lives that are over have left, and nothing of those that live."""
    for name in set(os.listdir(rules.folder)).difference(map(str, living)):
        left = f"{rules.folder}/{name}"
        try:
            os.rmdir(left)  # as a rule it is empty
        except NotADirectoryError:
            os.unlink(left)
        except OSError:
            _unlock(left)
            shutil.rmtree(left, ignore_errors=True)


def _unlock(top: str) -> None:
    """Let the folders in a folder be entered, so that they can be taken away."""
    os.chmod(top, 0o700)
    for folder, inside, _ in os.walk(top):
        for place in (f"{folder}/{one}" for one in inside):
            if not os.path.islink(place):  # what it leads to is not ours
                os.chmod(place, 0o700)
