# lesson: 03
# verdict: FAILED
# shows: A class of the course that computes what is asked for cannot do so any more.
from lab.gateway import Action


def payload_hash(kind, payload):
    return Action("k", kind, payload).hash
