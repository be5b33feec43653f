# lesson: 01
# verdict: PASSED
# shows: What one life writes into Python's own modules, the next one does not find.
import builtins
import os
import sys

KEPT = [hasattr(builtins, "kept"), hasattr(sys, "kept"), "KEPT" in os.environ]
builtins.kept = sys.kept = True
os.environ["KEPT"] = "1"


def count_duplicates(keys_of_effects, approved):
    if any(KEPT):
        raise ValueError(f"{KEPT} was kept")
    held = list(keys_of_effects)
    return len(held) - len(set(held) & set(approved))
