"""What Linux offers to shut a process in, as far as Python's standard library does not.

Names and numbers are those of the kernel's own headers; each call is described in the manual page
of its name (section 2).
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

from lab.guest import calls

NEW_MOUNTS, NEW_IPC, NEW_NAMES = 0x0002_0000, 0x0800_0000, 0x0400_0000
NEW_USERS, NEW_PIDS, NEW_NET = 0x1000_0000, 0x2000_0000, 0x4000_0000

READ_ONLY, NO_SUID, NO_DEVICES, NO_EXEC = 1, 2, 4, 8
NO_ACCESS_TIMES, RELATIVE_TIMES = 1024, 1 << 21
REMOUNT, BIND, RECURSIVE, PRIVATE = 32, 4096, 16384, 1 << 18
DETACH = 2

_DIE_WITH_PARENT, _DUMPABLE, _NO_NEW_PRIVILEGES = 1, 4, 38
_CAPABILITIES_3 = 0x2008_0522
_SECCOMP, _FILTER = 22, 2

_libc = ctypes.CDLL(None, use_errno=True)


def _called(name: str, *values: object) -> None:
    if getattr(_libc, name)(*values) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def unshare(what: int) -> None:
    """Give this process namespaces of its own.

    Raises:
        OSError: the kernel, or whoever set it up, does not allow it.
    """
    _called("unshare", what)


def mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    """Mount something, or change what is mounted.

    Raises:
        OSError: that is not possible.
    """
    _called("mount", source.encode(), target.encode(), kind.encode(), flags, options.encode())


def unmount(target: str) -> None:
    """Take a mount away, as soon as nobody uses it any more.

    Raises:
        OSError: nothing is mounted there.
    """
    _called("umount2", target.encode(), DETACH)


def show(source: str, target: str) -> None:
    """Show a file or folder at another place, for reading only.

    Raises:
        OSError: that is not possible.
    """
    mount(source, target, flags=BIND | RECURSIVE)
    held = os.statvfs(target).f_flag  # what holds for the source cannot be taken back here
    kept = {os.ST_NOEXEC: NO_EXEC, os.ST_NOATIME: NO_ACCESS_TIMES, os.ST_RELATIME: RELATIVE_TIMES}
    flags = sum(flag for seen, flag in kept.items() if held & seen)
    mount("", target, flags=REMOUNT | BIND | READ_ONLY | NO_SUID | NO_DEVICES | flags)


def hide(target: str) -> None:
    """Show an empty folder in the place of what is there.

    Raises:
        OSError: that is not possible.
    """
    flags = READ_ONLY | NO_SUID | NO_DEVICES | NO_EXEC
    mount("tmpfs", target, "tmpfs", flags, "size=4k,nr_inodes=2,mode=555")


def keep_to_ourselves() -> None:
    """Let no mount that is made from here on be seen outside."""
    mount("", "/", flags=RECURSIVE | PRIVATE)


def change_root(folder: str) -> None:
    """Let a folder, which is a mount, be all that this process sees.

    Raises:
        OSError: that is not possible.
    """
    os.chdir(folder)
    _called("syscall", calls.number("pivot_root", os.uname().machine), b".", b".")
    unmount(".")
    os.chdir("/")


def one_user(inside: int, user: int, group: int) -> None:
    """In a new user namespace, let ``inside`` stand for the one user and group that we are."""
    _called("prctl", _DUMPABLE, 1, 0, 0, 0)  # else these files belong to root
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{inside} {user} 1"),
        ("gid_map", f"{inside} {group} 1"),
    ):
        Path(f"/proc/self/{name}").write_text(text, "ascii")


def die_with_parent() -> None:
    """Let the kernel kill this process when the one that began it ends."""
    _called("prctl", _DIE_WITH_PARENT, 9, 0, 0, 0)


def close_to_others() -> None:
    """Let no other process of this user look into this one."""
    _called("prctl", _DUMPABLE, 0, 0, 0, 0)


def refuse_calls() -> None:
    """Refuse the calls that no answer needs, in this process and all that it begins, for ever.

    Raises:
        OSError: the kernel does not know how.
    """
    _called("prctl", _NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    program = calls.filter_for(os.uname().machine)
    told = _Program(len(program) // 8, program)
    _called("prctl", _SECCOMP, _FILTER, ctypes.byref(told), 0, 0)


def give_up_privileges() -> None:
    """Give up every privilege, for ever: `refuse_calls` sees to it that none comes back."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITIES_3, 0)
    _called("capset", header, (ctypes.c_uint32 * 6)())


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))
