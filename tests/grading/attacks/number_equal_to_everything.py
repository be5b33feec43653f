# lesson: 01
# verdict: FAILED
# shows: A number of a class of its own, which equals everything, is not of the exact type.


class Number(int):
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __hash__ = int.__hash__


def count_duplicates(keys_of_effects, approved):
    return Number(1)
