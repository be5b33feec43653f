# lesson: 01
# verdict: COULD NOT RUN
# shows: A computation inside of C code, where Python looks for no signal, is ended from outside.


def count_duplicates(keys_of_effects, approved):
    return sum(range(10**18))
