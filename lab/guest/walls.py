"""What stands around a life of the learner's code: namespaces, limits, and nothing left open."""

from __future__ import annotations

import contextlib
import importlib
import os
import resource
import shutil
from pathlib import Path
from typing import NamedTuple

from lab.guest import kernel

FIRST_USER = 2_000_000_000  # where root begins lives: each is a user whom nobody else is
INODES = 1_000  # files in the life's folder
NEED_LIBRARIES = ("bz2", "ctypes", "hashlib", "lzma", "sqlite3", "ssl", "uuid", "zlib")


class Rules(NamedTuple):
    """What a life may use: seconds of computing, bytes, open files; and how it is shut in.

    ``folder`` is where it lives: empty at its start. ``private``: it gets namespaces of its own,
    in which ``hidden`` folders look empty; else its folder is emptied between lives. ``root``: who
    begins it is the machine's root, and each life another user.
    """

    folder: str
    cpu_s: int = 5
    memory: int = 512 << 20
    file: int = 8 << 20
    room: int = 16 << 20
    files: int = 32
    hidden: tuple[str, ...] = ()
    private: bool = False
    root: bool = False


def preload() -> None:
    """Import what needs libraries of the system, which a life will not see.

    The rest of the standard library a life can import itself.
    """
    for name in NEED_LIBRARIES:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def shut_in(rules: Rules, number: int) -> None:
    """Shut this process in for ever; ``number`` tells it from every other life.

    Raises:
        OSError: the kernel does not allow it. Nothing of the learner's may run then.
    """
    if rules.private:
        _alone(rules)
    os.chdir(rules.folder)
    _limits(rules)
    if rules.root:
        os.setgroups([])
        os.setresgid(*[FIRST_USER + number] * 3)
        os.setresuid(*[FIRST_USER + number] * 3)
    if rules.private:
        kernel.give_up_privileges()
    os.environ.clear()
    os.environ.update(HOME=rules.folder, TMPDIR=rules.folder, LANG="C.UTF-8", TZ="UTC")


def _alone(rules: Rules) -> None:
    user, group = os.getuid(), os.getgid()
    kernel.unshare(kernel.NEW_MOUNTS | kernel.NEW_IPC | (0 if rules.root else kernel.NEW_USERS))
    if not rules.root:
        kernel.one_user(user, user, group)
    kernel.keep_to_ourselves()
    for folder in rules.hidden:
        kernel.hide(folder)
    room = f"size={rules.room},nr_inodes={INODES},mode=1777"
    kernel.mount("tmpfs", rules.folder, "tmpfs", kernel.NO_SUID | kernel.NO_DEVICES, room)


def _limits(rules: Rules) -> None:
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


def sweep(rules: Rules) -> None:
    """After the last of the lives: empty the folder, where they shared one."""
    if not rules.private:
        for one in Path(rules.folder).iterdir():
            with contextlib.suppress(OSError):
                shutil.rmtree(one) if one.is_dir() and not one.is_symlink() else one.unlink()
