# lesson: 01
# verdict: COULD NOT RUN
# shows: A segmentation fault ends one process, and is told as its end.
import ctypes


def count_duplicates(keys_of_effects, approved):
    return ctypes.string_at(0)
