# lesson: 01
# verdict: FAILED
# shows: A value of five million characters is longer than what may pass.


def count_duplicates(keys_of_effects, approved):
    return "x" * 5_000_000
