# lesson: 01
# verdict: PASSED
# shows: Recursion is a style.


def count_duplicates(keys_of_effects, approved):
    def extra(keys, left):
        if not keys:
            return 0
        first, *rest = keys
        return (first not in left) + extra(rest, left - {first})

    return extra(list(keys_of_effects), frozenset(approved))
