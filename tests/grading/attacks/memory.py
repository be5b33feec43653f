# lesson: 01
# verdict: COULD NOT RUN
# shows: Memory has a limit, and the reason is told.


def count_duplicates(keys_of_effects, approved):
    held = []
    for _ in range(100):
        held.append(bytearray(10_000_000))
    return len(held)
