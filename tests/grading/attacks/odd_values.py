# lesson: 01
# verdict: FAILED
# shows: Half a character, not-a-number, huge numbers and a list that holds itself are no numbers.


def count_duplicates(keys_of_effects, approved):
    if len(approved) == 1:
        return 10**100_000
    held = ["\ud800", float("nan"), float("-inf"), {None: 1, 1.5: 2, b"x": 3}, (), 1j, ..., len]
    if len(approved) == 2:
        held.append(held)
    return held
