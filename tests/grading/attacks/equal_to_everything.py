# lesson: 01
# verdict: FAILED
# shows: An object that says it equals everything is no number.


class Any:
    __class__ = int

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __hash__(self):
        return 0

    def __index__(self):
        return 1

    def __repr__(self):
        return "1"


def count_duplicates(keys_of_effects, approved):
    return Any()
