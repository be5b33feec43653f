# lesson: 01
# verdict: COULD NOT RUN
# shows: An error whose class refuses to be asked for its name ends the answer, and nothing else.


class Hostile(type):
    def __getattribute__(cls, name):
        if name in ("__name__", "__qualname__", "__module__", "__mro__"):
            raise RuntimeError("no")
        return type.__getattribute__(cls, name)


class Refuses(Exception, metaclass=Hostile):
    pass


def count_duplicates(keys_of_effects, approved):
    raise Refuses
