# lesson: 01
# verdict: PASSED
# shows: No other process can be begun; a right answer that tries it fifty times passes.
import os
import subprocess
import sys
import time


def count_duplicates(keys_of_effects, approved):
    begun = 0
    for _ in range(50):
        try:
            if os.fork() == 0:
                time.sleep(1)
                os._exit(0)
            begun += 1
        except OSError:
            pass
    try:
        begun += subprocess.call([sys.executable, "-c", ""]) == 0
    except OSError:
        pass
    if begun:
        raise ValueError(f"{begun} processes were begun")
    held = list(keys_of_effects)
    return len(held) - len(set(held) & set(approved))
