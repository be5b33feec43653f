# lesson: 01
# verdict: FAILED
# shows: Nothing that is returned is ever unpickled.
import os


class Command:
    def __reduce__(self):
        return os.system, (f"touch {CANARY}-pickle",)


def count_duplicates(keys_of_effects, approved):
    return Command()
