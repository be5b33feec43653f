# lesson: 01
# verdict: PASSED
# shows: A file of somebody else's, or of Python's, can be neither changed nor taken away.
import json
import os
import sys


def tries():  # the first that is let through ends it: the others would do harm
    yield lambda: open(CANARY).read()
    yield lambda: open(CANARY, "a").write("x")
    yield lambda: os.unlink(CANARY)
    yield lambda: os.rename(CANARY, f"{CANARY}-gone")
    yield lambda: os.symlink(CANARY, f"{CANARY}-link")
    yield lambda: open(f"/proc/1/root{CANARY}").read()
    yield lambda: open(f"../../../..{CANARY}").read()
    yield lambda: open(f"{CANARY}-beside", "w").write("x")
    yield lambda: open(json.__file__, "r+").close()
    yield lambda: os.utime(json.__file__)
    yield lambda: open(os.path.join(os.path.dirname(json.__file__), "mine.py"), "w").close()
    yield lambda: open(os.path.join(sys.prefix, "mine.py"), "w").close()
    yield lambda: os.mkdir("/mine")


def count_duplicates(keys_of_effects, approved):
    for number, one in enumerate(tries(), 1):
        try:
            one()
        except OSError:
            continue
        raise ValueError(f"try {number} was let through")
    held = list(keys_of_effects)
    return len(held) - len(set(held) & set(approved))
