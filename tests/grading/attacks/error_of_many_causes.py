# lesson: 01
# verdict: FAILED
# shows: An error of a hundred thousand causes, which holds itself, is told as one.


def count_duplicates(keys_of_effects, approved):
    error = None
    for _ in range(100_000):
        later = ValueError("x")
        later.__cause__ = error
        error = later
    error.args = (error, [error])
    raise error
