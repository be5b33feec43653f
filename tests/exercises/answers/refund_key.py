"""Answers to lesson 02's second exercise."""

import hashlib
import json
import random
import time
import uuid

from lab.gateway import action_key
from tests.exercises.answering import right, unforeseen, wrong


@right("the order beside the entry")
def refund_key(refund):
    return action_key("refund", refund["order"], refund["entry"])


@right("by hand, and a print")
def refund_key(request):
    key = f"refund:{request['entry']}"
    print("key:", key)
    return key


@right("a digest of the entry, which any process can make again")
def refund_key(refund):
    named = json.dumps([refund["order"], refund["entry"]])
    return action_key("refund", hashlib.sha256(named.encode()).hexdigest())


@right("an id that is derived, not drawn")
def refund_key(refund):
    return action_key("refund", str(uuid.uuid5(uuid.NAMESPACE_URL, refund["entry"])))


NAMING = ("customer", "order", "entry")


def named_by(record, *fields):
    return [str(record[field]) for field in fields]


@right("a list of fields and a helper")
def refund_key(refund):
    return action_key("refund", *named_by(refund, *NAMING), "v1")


right("a lambda")(lambda r: action_key("refund", r["entry"].removeprefix("entry-")))


@right("taken out of a copy")
def refund_key(refund, what="refund"):
    rest = dict(refund)
    return action_key(what, rest.pop("entry"))


@wrong("a fresh key each time")
def refund_key(refund):
    return action_key("refund", str(uuid.uuid4()))


@wrong("a fresh key each time", "beside the entry")
def refund_key(refund):
    return action_key("refund", refund["entry"], uuid.uuid4().hex[:8])


@wrong("a fresh key each time", "the time to the nanosecond")
def refund_key(refund):
    return action_key("refund", refund["entry"], str(time.time_ns()))


@wrong("a fresh key each time", "drawn")
def refund_key(refund):
    return action_key("refund", f"r{random.randint(1, 10**9)}")


@wrong("dies with the process", "the second in which it is asked")
def refund_key(refund):
    return action_key("refund", refund["entry"], str(int(time.time())))


@wrong("dies with the process", "the day on which it is asked")
def refund_key(refund):
    from datetime import date

    return action_key("refund", refund["entry"], date.today().isoformat())


drawn = {}


@wrong("dies with the process")
def refund_key(refund):
    return action_key("refund", drawn.setdefault(refund["entry"], uuid.uuid4().hex[:8]))


@wrong("dies with the process", "Python's hash")
def refund_key(refund):
    return action_key("refund", str(hash(refund["entry"]) % 10**9))


@wrong("dies with the process", "Python's hash of several")
def refund_key(refund):
    return f"refund:{hash((refund['order'], refund['entry'])) % 10**9}"


numbers = []


@wrong("names the attempt", "a list that grows")
def refund_key(refund):
    numbers.append(refund)
    return action_key("refund", str(len(numbers)))


@wrong("names the attempt")
def refund_key(refund):
    return action_key("refund", refund["entry"], str(refund["attempt"]))


@wrong("names the attempt", "its number alone")
def refund_key(refund):
    return action_key("refund", refund["order"], f"attempt-{refund['attempt']}")


@wrong("names the attempt", "its time")
def refund_key(refund):
    return action_key("refund", refund["entry"], refund["at"].replace(":", "-"))


@wrong("names the attempt", "all fields")
def refund_key(refund):
    return action_key("refund", *(str(value).replace(":", "") for value in refund.values()))


@wrong("names the attempt", "a digest of everything")
def refund_key(refund):
    text = json.dumps(refund, sort_keys=True)
    return action_key("refund", hashlib.sha256(text.encode()).hexdigest())


@wrong("made of the arguments")
def refund_key(refund):
    return action_key("refund", refund["order"], str(refund["amount"]))


@wrong("made of the arguments", "customer, amount and currency")
def refund_key(refund):
    return action_key("refund", refund["customer"], f"{refund['amount']}-{refund['currency']}")


@wrong("made of the arguments", "the order alone")
def refund_key(refund):
    return action_key("refund", refund["order"])


@wrong("made of the arguments", "the amount alone")
def refund_key(refund):
    return action_key("refund", str(refund["amount"]))


@wrong("one key for all")
def refund_key(refund):
    return action_key("refund")


@wrong("names the run", "its step alone")
def refund_key(refund):
    return action_key("refund", refund["step"], "v1")


@wrong("one key for all", "the names of the fields")
def refund_key(refund):
    return action_key("refund", *refund)


@wrong("names the run")
def refund_key(refund):
    return action_key("refund", refund["run"], refund["step"])


@wrong("names the run", "the order and the day")
def refund_key(refund):
    return action_key("refund", refund["order"], refund["at"][:10])


@wrong("the run stands in it")
def refund_key(refund):
    return action_key("refund", refund["run"], refund["step"], refund["entry"])


@wrong("the run stands in it", "the day")
def refund_key(refund):
    return action_key("refund", refund["entry"], refund["at"][:10])


@wrong("the run stands in it", "all but attempt and time")
def refund_key(refund):
    kept = {k: v for k, v in refund.items() if k not in ("attempt", "at")}
    return action_key("refund", hashlib.sha256(json.dumps(kept).encode()).hexdigest())


@wrong("the amount stands in it")
def refund_key(refund):
    return action_key("refund", refund["entry"], str(refund["amount"]))


@wrong("the amount stands in it", "all that is no attempt's and no run's")
def refund_key(refund):
    other = ("attempt", "at", "run", "step", "asked_by")
    return action_key("refund", *(str(v) for k, v in refund.items() if k not in other))


@wrong("who asked stands in it")
def refund_key(refund):
    return action_key("refund", refund["entry"], refund["asked_by"])


@wrong("who asked stands in it", "as a digest")
def refund_key(refund):
    text = refund["entry"] + refund["asked_by"]
    return action_key("refund", hashlib.sha256(text.encode()).hexdigest())


@wrong("a person's name in the key")
def refund_key(refund):
    return action_key("refund", refund["entry"], "lovelace")


@wrong("not fit to be stored")
def refund_key(refund):
    return f"refund: {refund['entry']}"


@wrong("not fit to be stored", "the dictionary as text")
def refund_key(refund):
    return str({"refund": refund["entry"]})


@wrong("what is done is not said")
def refund_key(refund):
    return refund["entry"]


@wrong("what is done is not said", "with action_key")
def refund_key(refund):
    return action_key(refund["order"], refund["entry"])


@wrong("what is done is not said", "joined by something else")
def refund_key(refund):
    return action_key(f"refund-{refund['entry']}")


@wrong("what is done is not said", "capitals")
def refund_key(refund):
    return action_key("Refund", refund["entry"])


@wrong("no return")
def refund_key(refund):
    action_key("refund", refund["entry"])


@wrong("no return", "printed")
def refund_key(refund):
    print(action_key("refund", refund["entry"]))


@wrong("no text", "the parts")
def refund_key(refund):
    return "refund", refund["entry"]


@unforeseen("a number is no part")
def refund_key(refund):
    return action_key("refund", refund["order"], refund["amount"])


@unforeseen("the time as it is")
def refund_key(refund):
    return action_key("refund", refund["entry"], refund["at"])


@unforeseen("a field that is not there")
def refund_key(refund):
    return action_key("refund", refund["id"])


@unforeseen("an attribute, not a field")
def refund_key(refund):
    return action_key("refund", refund.entry)


@wrong("a piece of the entry", "its last two digits")
def refund_key(refund):
    return action_key("refund", refund["order"], refund["entry"][-2:])


@wrong("the run stands in it", "the entry and the step")
def refund_key(refund):
    return action_key("refund", refund["entry"], refund["step"])
