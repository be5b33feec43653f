"""A container for the nursery: no network, no file but the standard library and the gateway.

``python -m lab.grading.container SOCKET RULES FOLDER`` builds it around itself, and becomes the
nursery. Where the kernel lets nobody but bubblewrap do that, `in_bubblewrap` is the same.
"""

from __future__ import annotations

import glob
import importlib.util
import json
import os
import socket
import sys
import sysconfig
from pathlib import Path

import lab
from lab.guest import kernel
from lab.guest.walls import Rules

PYTHON, COURSE, LIFE = "/python", "/course", "/folder"
VERSION = f"python{sys.version_info.major}.{sys.version_info.minor}"
LIBRARY = f"{PYTHON}/lib/{VERSION}"
PROGRAM = f"{PYTHON}/bin/{VERSION}"
LAB = Path(lab.__file__).parent
SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache")
PARTS = ("__init__.py", "gateway", "guest", "faults/__init__.py", "faults/clock.py")
PACKAGES = ("site-packages", "dist-packages")  # what was installed beside the standard library
PYTEST = ("pytest", "_pytest", "iniconfig", "packaging", "pluggy", "py", "pygments")
"""What a test that the learner writes may use, with what it imports itself."""
NAME = "container"
ROOM_BYTES = 16 << 20  # for all that lives write
ROOM = f"size={ROOM_BYTES},nr_inodes=1000,mode=711"
ROOT = 0  # whoever begins it is root in there, and has no more power for it
USED_AT_START = ("/proc", *SYSTEM, COURSE, f"{PYTHON}/bin",
                 *(f"{LIBRARY}/{name}" for name in PACKAGES))  # fmt: skip
"""What the nursery needs to start, or lies in its way; a life sees nothing of it."""
ENVIRONMENT = {
    "PYTHONHOME": PYTHON, "PYTHONHASHSEED": "0", "LD_LIBRARY_PATH": f"{PYTHON}/lib",
    "LANG": "C.UTF-8", "TZ": "UTC",
}  # fmt: skip
START = f"import sys; sys.path[:0] = [{COURSE!r}]; from lab.guest.nursery import main; main()"


def visible() -> dict[str, str]:
    """Return what is shown in the container: the place of each thing there, and its own."""
    library = sysconfig.get_path("stdlib")
    shared = glob.glob(f"{glob.escape(sys.base_prefix)}/lib/libpython*.so*")
    return {
        LIBRARY: library,
        PROGRAM: os.path.realpath(sys.executable),
        **{f"{PYTHON}/lib/{Path(one).name}": os.path.realpath(one) for one in shared},
        **{one: one for one in SYSTEM if os.path.exists(one)},
        **{f"{COURSE}/lab/{part}": f"{LAB}/{part}" for part in PARTS},
        **{f"{COURSE}/{Path(one).name}": one for one in map(installed, PYTEST) if one},
    }


def installed(name: str) -> str:
    """Return the folder of an installed package, or the file of a module; empty: there is none."""
    found = importlib.util.find_spec(name)
    return next(iter(found.submodule_search_locations or [found.origin or ""])) if found else ""


def is_link(place: str) -> bool:
    """Tell whether a folder is a link to another one, as ``/lib`` may be."""
    return os.path.islink(place) and os.path.isdir(place)


def build(folder: str) -> None:
    """Make a folder the root of all that this process sees from here on.

    Raises:
        OSError: the kernel does not allow it.
    """
    kernel.keep_to_ourselves()
    kernel.mount("tmpfs", folder, "tmpfs", kernel.NO_SUID | kernel.NO_DEVICES, "size=1m,mode=755")
    for place in ("/proc", LIFE):
        os.makedirs(folder + place)
    for place, source in visible().items():
        target = Path(folder + place)
        target.parent.mkdir(parents=True, exist_ok=True)
        if is_link(source):
            target.symlink_to(os.readlink(source))
            continue
        target.mkdir() if os.path.isdir(source) else target.touch()
        kernel.show(source, str(target))
    null = Path(folder + os.devnull)
    null.parent.mkdir()
    null.touch()
    kernel.mount(os.devnull, str(null), flags=kernel.BIND)
    kernel.mount("proc", f"{folder}/proc", "proc", kernel.NO_SUID | kernel.NO_DEVICES)
    kernel.mount("tmpfs", folder + LIFE, "tmpfs", kernel.NO_SUID | kernel.NO_DEVICES, ROOM)
    kernel.change_root(folder)
    kernel.mount("", "/", flags=kernel.REMOUNT | kernel.BIND | kernel.READ_ONLY)


def hidden() -> tuple[str, ...]:
    """Return the folders that have to be emptied before a life's eyes."""
    library = sysconfig.get_path("stdlib")
    there = {"/proc", COURSE, f"{PYTHON}/bin"}
    there |= {f"{LIBRARY}/{name}" for name in PACKAGES if os.path.isdir(f"{library}/{name}")}
    there |= {one for one in SYSTEM if os.path.isdir(one) and not is_link(one)}
    return tuple(one for one in USED_AT_START if one in there)


def in_bubblewrap(end: int, rules: Rules) -> list[str]:
    """Return the command that lets bubblewrap (bwrap(1)) build the container; not for root."""
    command = [
        *("bwrap", "--unshare-all", "--as-pid-1", "--die-with-parent", "--clearenv"),
        *("--uid", "0", "--gid", "0", "--cap-add", "ALL", "--hostname", NAME, "--proc", "/proc"),
    ]
    for place, source in visible().items():
        link = ("--symlink", os.readlink(source)) if is_link(source) else ("--ro-bind", source)
        command += [*link, place]
    command += ["--dev-bind", os.devnull, os.devnull, "--perms", "0711"]
    command += ["--size", str(ROOM_BYTES), "--tmpfs", LIFE, "--remount-ro", "/"]
    for name, value in ENVIRONMENT.items():
        command += ["--setenv", name, value]
    shut_in = rules._replace(folder=LIFE, hidden=hidden(), private=True)
    return [*command, "--", *nursery(end, shut_in)]


def main() -> None:
    """Shut this process in, and let it become the nursery."""
    end, rules, folder = int(sys.argv[1]), Rules(**json.loads(sys.argv[2])), sys.argv[3]
    root, emptied = os.geteuid() == 0, hidden()
    user, group = os.geteuid(), os.getegid()
    kernel.die_with_parent()
    kernel.unshare(
        kernel.NEW_MOUNTS | kernel.NEW_IPC | kernel.NEW_NAMES | kernel.NEW_PIDS | kernel.NEW_NET
        | (0 if root else kernel.NEW_USERS)
    )  # fmt: skip
    if not root:
        kernel.one_user(ROOT, user, group)
    first = os.fork()  # the first process of the new namespace
    if first:
        os._exit(os.waitstatus_to_exitcode(os.waitpid(first, 0)[1]) & 0xFF)
    kernel.die_with_parent()
    socket.sethostname(NAME)
    build(folder)
    os.set_inheritable(end, True)
    shut_in = rules._replace(folder=LIFE, hidden=emptied, private=True, root=root)
    os.execve(PROGRAM, nursery(end, shut_in), ENVIRONMENT)


def nursery(end: int, rules: Rules) -> list[str]:
    """Return the command that starts the nursery inside."""
    command = [PROGRAM, "-s", "-S", "-B", "-P", "-c", START]
    return [*command, str(end), json.dumps(rules._asdict())]


if __name__ == "__main__":
    main()
