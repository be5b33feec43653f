"""Answers to lesson 13's exercise."""

from enum import Enum

from tests.exercises.answering import right, wrong
from tests.exercises.answers.meaning_shared import INVALID, sure


@right("one condition after the other")
def meaning(phase, status, receipt, promises):
    if phase == "before":
        return "retryable"
    if phase in ("sending", "waiting", "reading"):
        return "indefinite"
    if status == 200:
        if receipt is None:
            return "indefinite"
        return "accepted"
    if status == 429:
        return "retryable" if "rate_limit_first" in promises else "indefinite"
    if status == 503:
        return "retryable" if "busy_first" in promises else "indefinite"
    if status in (400, 401, 403, 404, 422) and "validates_first" in promises:
        return "final"
    return "indefinite"


@right("a table of rows")
def meaning(phase, status, receipt, promises):
    rows = [("before", None, None, "retryable"), ("answered", {200}, None, "accepted")]
    rows += [("answered", INVALID, "validates_first", "final")]
    rows += [("answered", {429}, "rate_limit_first", "retryable")]
    rows += [("answered", {503}, "busy_first", "retryable")]
    for of_phase, statuses, needs, kind in rows:
        if phase != of_phase or (statuses and status not in statuses):
            continue
        if kind == "accepted" and not receipt:
            continue
        if needs is None or needs in promises:
            return kind
    return "indefinite"


@right("match")
def meaning(phase, status, receipt, promises):
    match phase, status, receipt:
        case "before", _, _:
            return "retryable"
        case "answered", 200, str():
            return "accepted"
        case "answered", 400 | 401 | 403 | 404 | 422, _ if "validates_first" in promises:
            return "final"
        case "answered", 429, _ if "rate_limit_first" in promises:
            return "retryable"
        case "answered", 503, _ if "busy_first" in promises:
            return "retryable"
    return "indefinite"


@right("other names, and a print")
def meaning(how_far, code, name, promised):
    print(how_far, code, name, promised)
    answer = "indefinite"
    if how_far == "before":
        answer = "retryable"
    elif how_far == "answered" and code is not None:
        definite = {429: "rate_limit_first", 503: "busy_first"}
        if code == 200:
            answer = "accepted" if name else "indefinite"
        elif code in definite and definite[code] in promised:
            answer = "retryable"
        elif code in INVALID and "validates_first" in promised:
            answer = "final"
    return answer


@right("from what each promise proves")
def meaning(phase, status, receipt, promises):
    proofs = {"validates_first": INVALID, "rate_limit_first": {429}, "busy_first": {503}}
    if phase == "before":
        return "retryable"
    if phase != "answered":
        return "indefinite"
    if (status, receipt is None) == (200, False):
        return "accepted"
    for promise in promises:
        if status in proofs[promise]:
            return "final" if promise == "validates_first" else "retryable"
    return "indefinite"


right("a lambda")(
    lambda phase, status, receipt, promises: (
        "retryable" if phase == "before" else sure(phase, status, receipt, promises)
    )
)


@wrong("no return")
def meaning(phase, status, receipt, promises):
    print(sure(phase, status, receipt, promises))


@wrong("no return", "only where it was answered")
def meaning(phase, status, receipt, promises):
    if phase == "answered":
        return sure(phase, status, receipt, promises)


@wrong("another word", "in capitals")
def meaning(phase, status, receipt, promises):
    return sure(phase, status, receipt, promises).upper()


class Kind(Enum):
    ACCEPTED = "accepted"
    RETRYABLE = "retryable"
    FINAL = "final"
    INDEFINITE = "indefinite"


@wrong("another word", "an enumeration")
def meaning(phase, status, receipt, promises):
    return Kind(sure(phase, status, receipt, promises))


@wrong("another word", "true or false")
def meaning(phase, status, receipt, promises):
    return sure(phase, status, receipt, promises) == "retryable"


@wrong("everything indefinite")
def meaning(phase, status, receipt, promises):
    return "indefinite"


@wrong("everything indefinite", "only a receipt counts")
def meaning(phase, status, receipt, promises):
    return "accepted" if phase == "answered" and status == 200 and receipt else "indefinite"


@wrong("everything indefinite", "only answers count")
def meaning(phase, status, receipt, promises):
    return "indefinite" if phase != "answered" else sure(phase, status, receipt, promises)


@wrong("no connection is final")
def meaning(phase, status, receipt, promises):
    return "final" if phase == "before" else sure(phase, status, receipt, promises)


@wrong("accepted is not seen")
def meaning(phase, status, receipt, promises):
    found = sure(phase, status, receipt, promises)
    return "indefinite" if found == "accepted" else found


@wrong("accepted is not seen", "a receipt is asked for by its length")
def meaning(phase, status, receipt, promises):
    if phase == "answered" and status == 200:
        return "accepted" if len(receipt or "") > 20 else "indefinite"
    return sure(phase, status, receipt, promises)


@wrong("silence read as not sent")
def meaning(phase, status, receipt, promises):
    return "retryable" if status is None else sure(phase, status, receipt, promises)


@wrong("silence read as not sent", "a time-out has failed")
def meaning(phase, status, receipt, promises):
    return "final" if phase == "waiting" else sure(phase, status, receipt, promises)


@wrong("half sent read as not sent")
def meaning(phase, status, receipt, promises):
    if phase in ("before", "sending"):
        return "retryable"
    return sure(phase, status, receipt, promises)


@wrong("a receipt of half an answer believed")
def meaning(phase, status, receipt, promises):
    if receipt and status == 200:
        return "accepted"
    return sure(phase, status, receipt, promises)


@wrong("a receipt of half an answer believed", "a status is an answer")
def meaning(phase, status, receipt, promises):
    return sure("answered" if phase == "reading" else phase, status, receipt, promises)


@wrong("a status of half an answer believed")
def meaning(phase, status, receipt, promises):
    if phase == "reading" and status != 200:
        return sure("answered", status, receipt, promises)
    return sure(phase, status, receipt, promises)


@wrong("a status of half an answer believed", "broken off is sent again")
def meaning(phase, status, receipt, promises):
    return "retryable" if phase == "reading" else sure(phase, status, receipt, promises)


@wrong("200 without a receipt accepted")
def meaning(phase, status, receipt, promises):
    if phase == "answered" and status == 200:
        return "accepted"
    return sure(phase, status, receipt, promises)


@wrong("200 without a receipt taken for a refusal")
def meaning(phase, status, receipt, promises):
    if phase == "answered" and status == 200:
        return "accepted" if receipt else "final"
    return sure(phase, status, receipt, promises)


@wrong("200 without a receipt taken for a refusal", "and sent again")
def meaning(phase, status, receipt, promises):
    if phase == "answered" and status == 200 and receipt is None:
        return "retryable"
    return sure(phase, status, receipt, promises)


@wrong("a receipt beside an error believed")
def meaning(phase, status, receipt, promises):
    if phase == "answered" and receipt is not None:
        return "accepted"
    return sure(phase, status, receipt, promises)


@wrong("every 2xx accepted")
def meaning(phase, status, receipt, promises):
    if phase == "answered" and status // 100 == 2 and receipt:
        return "accepted"
    return sure(phase, status, receipt, promises)


@wrong("every 2xx accepted", "created")
def meaning(phase, status, receipt, promises):
    if phase == "answered" and status in (200, 201) and receipt:
        return "accepted"
    return sure(phase, status, receipt, promises)
