# lesson: 01
# verdict: COULD NOT RUN
# shows: A KeyboardInterrupt of the answer's own does not end the grader.


def count_duplicates(keys_of_effects, approved):
    raise KeyboardInterrupt
