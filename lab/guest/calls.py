"""Calls of the kernel that no answer needs, and that reach beyond a life: they are refused.

What they would give: other namespaces and mounts, another process's memory, keys and memory that
outlive a process, and parts of the kernel that have often been a way out. The filter is Linux's
seccomp (seccomp(2)), in the language of its packet filters (networking/filter.txt of the kernel).
"""

from __future__ import annotations

import struct

NUMBERS: dict[str, tuple[int, int]] = {
    "add_key": (248, 217),
    "bpf": (321, 280),
    "chroot": (161, 51),
    "delete_module": (176, 106),
    "finit_module": (313, 273),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "init_module": (175, 105),
    "io_uring_setup": (425, 425),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "mq_open": (240, 180),
    "msgget": (68, 186),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "request_key": (249, 218),
    "semget": (64, 190),
    "setns": (308, 268),
    "shmget": (29, 194),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}
"""The number of each call, on x86-64 and on ARM64."""
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""The column of a machine's numbers, and what its programs are called in a filter."""
OTHER_NUMBERS = 0x4000_0000  # from here on, x86-64 counts its calls a second time

_LOAD, _IF_EQUAL, _IF_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_KILL, _REFUSE, _ALLOW = 0x8000_0000, 0x0005_0001, 0x7FFF_0000  # refused: EPERM
_CALL, _MACHINE = 0, 4  # places in what a filter is given


def number(name: str, machine: str) -> int:
    """Return the number of a call on a machine, as `os.uname` names it.

    Raises:
        KeyError: the machine is none of `MACHINES`.
    """
    column, _ = MACHINES[machine]
    return NUMBERS[name][column]


def filter_for(machine: str) -> bytes:
    """Return the filter that refuses every call of `NUMBERS`: eight bytes an instruction.

    Raises:
        KeyError: the machine is none of `MACHINES`.
    """
    _, called = MACHINES[machine]
    refused = sorted(number(name, machine) for name in NUMBERS)
    tests = [(_IF_LEAST, OTHER_NUMBERS), *((_IF_EQUAL, one) for one in refused)]
    program = [
        (_LOAD, 0, 0, _MACHINE),
        (_IF_EQUAL, 1, 0, called),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _CALL),
        *((test, len(tests) - at, 0, value) for at, (test, value) in enumerate(tests)),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSE),
    ]
    return b"".join(struct.pack("=HBBI", *one) for one in program)
