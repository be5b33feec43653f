# lesson: 01
# verdict: FAILED
# shows: An error whose text is an error again is told all the same.


class Refuses(Exception):
    def __str__(self):
        raise Refuses

    __repr__ = __str__


def count_duplicates(keys_of_effects, approved):
    raise Refuses
