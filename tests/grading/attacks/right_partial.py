# lesson: 01
# verdict: PASSED
# shows: What `functools.partial` returns can be called, and does.
from functools import partial


def general(keep, keys_of_effects, approved):
    held = keep(keys_of_effects)
    return len(held) - len(set(held) & set(approved))


count_duplicates = partial(general, list)
