# lesson: 01
# verdict: PASSED
# shows: No file of the machine can be seen, nor the environment of its user.
import os
import pwd

PLACES = ("/etc/passwd", "/etc/hostname", "/home", "/root", "/tmp", "/proc/1/environ", "/sys")
KNOWN = ("PATH", "USER", "LOGNAME", "PWD", "VIRTUAL_ENV", "SHELL")


def count_duplicates(keys_of_effects, approved):
    seen = [one for one in (*PLACES, CANARY, os.path.dirname(CANARY)) if os.path.exists(one)]
    seen += [one for one in KNOWN if one in os.environ]
    try:
        seen.append(pwd.getpwuid(os.getuid()).pw_name)
    except KeyError:
        pass
    if seen:
        raise ValueError(f"seen: {seen}")
    held = list(keys_of_effects)
    return len(held) - len(set(held) & set(approved))
