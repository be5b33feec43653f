# lesson: 05
# verdict: FAILED
# shows: The names around a method of the course do not hold what is asked for.
from lab.gateway import DemoProvider


def verdict_of(action, held, rejected=None):
    return DemoProvider.readback.__globals__["verdict_of"](action, held, rejected)
