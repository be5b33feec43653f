# lesson: 01
# verdict: PASSED
# shows: An answer makes no container of its own, changes no mount, and looks into no process.
import ctypes
import os

NEW_USERS, NEW_MOUNTS, NEW_NET, REMOUNT, DETACH, SEIZE = 1 << 28, 1 << 17, 1 << 30, 4128, 2, 16902
HIDDEN = (b"/proc", b"/course", b"/lib", b"/usr/lib")


def count_duplicates(keys_of_effects, approved):
    kernel = ctypes.CDLL(None, use_errno=True)
    tried = {
        "ptrace": kernel.ptrace(SEIZE, os.getppid(), None, None),
        "users": kernel.unshare(NEW_USERS),
        "mounts": kernel.unshare(NEW_MOUNTS),
        "a network": kernel.unshare(NEW_NET),
        "a room": kernel.mount(b"none", b".", b"tmpfs", 0, b"size=1g"),
        "remount": kernel.mount(None, b"/", None, REMOUNT, None),
        "root": kernel.setuid(0) if os.getuid() else -1,
        **{f"unmount {one}": kernel.umount2(one, DETACH) for one in HIDDEN},
    }
    done = [what for what, failed in tried.items() if not failed]
    done += [one for one in HIDDEN[:2] if os.path.isdir(one) and os.listdir(one)]
    if done:
        raise ValueError(f"done: {done}")
    held = list(keys_of_effects)
    return len(held) - len(set(held) & set(approved))
