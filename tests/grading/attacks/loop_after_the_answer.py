# lesson: 01
# verdict: PASSED
# shows: A loop for the end of the process never begins: the process is killed before.
import atexit


def count_duplicates(keys_of_effects, approved):
    atexit.register(lambda: [0 for _ in iter(int, 1)])
    held = list(keys_of_effects)
    return len(held) - len(set(held) & set(approved))
