# lesson: 01
# verdict: PASSED
# shows: A lambda under the name that is asked for is a function.
count_duplicates = lambda keys, wanted: (lambda held: len(held) - len(set(held) & set(wanted)))(
    list(keys)
)
