# lesson: 01
# verdict: COULD NOT RUN
# shows: An error whose text never ends is ended from outside.


class Endless(Exception):
    def __str__(self):
        while True:
            pass

    __repr__ = __str__


def count_duplicates(keys_of_effects, approved):
    raise Endless
