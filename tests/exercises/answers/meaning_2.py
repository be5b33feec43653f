"""More answers to lesson 13's exercise: statuses, and what nobody has foreseen."""

from tests.exercises.answering import unforeseen, wrong
from tests.exercises.answers.meaning_shared import INVALID, sure


@wrong("500 is final")
def meaning(phase, status, receipt, promises):
    if phase == "answered" and status == 500:
        return "final"
    return sure(phase, status, receipt, promises)


@wrong("500 is final", "every 5xx but 503")
def meaning(phase, status, receipt, promises):
    if phase == "answered" and status >= 500 and status != 503:
        return "final"
    return sure(phase, status, receipt, promises)


@wrong("500 read as not sent")
def meaning(phase, status, receipt, promises):
    if phase == "answered" and status in (500, 502, 504):
        return "retryable"
    return sure(phase, status, receipt, promises)


@wrong("500 read as not sent", "a gateway that ran out of time")
def meaning(phase, status, receipt, promises):
    if phase == "answered" and status == 504:
        return "retryable"
    return sure(phase, status, receipt, promises)


@wrong("409 is final")
def meaning(phase, status, receipt, promises):
    if phase == "answered" and status == 409:
        return "final"
    return sure(phase, status, receipt, promises)


@wrong("409 is final", "as it is a 4xx, where it is promised")
def meaning(phase, status, receipt, promises):
    if phase == "answered" and status in {*INVALID, 409} and "validates_first" in promises:
        return "final"
    return sure(phase, status, receipt, promises)


@wrong("409 is retryable")
def meaning(phase, status, receipt, promises):
    if phase == "answered" and status == 409:
        return "retryable"
    return sure(phase, status, receipt, promises)


@wrong("redirect followed")
def meaning(phase, status, receipt, promises):
    if phase == "answered" and 300 <= status < 400:
        return "retryable"
    return sure(phase, status, receipt, promises)


@wrong("redirect followed", "the two that keep the method")
def meaning(phase, status, receipt, promises):
    if phase == "answered" and status in (307, 308):
        return "retryable"
    return sure(phase, status, receipt, promises)


@wrong("refusals retried")
def meaning(phase, status, receipt, promises):
    found = sure(phase, status, receipt, promises)
    return "retryable" if found == "final" else found


@wrong("refusals retried", "404 and 422")
def meaning(phase, status, receipt, promises):
    if phase == "answered" and status in (404, 422) and "validates_first" in promises:
        return "retryable"
    return sure(phase, status, receipt, promises)


@wrong("429 or 503 without its promise")
def meaning(phase, status, receipt, promises):
    if phase == "answered" and status == 429:
        return "retryable"
    return sure(phase, status, receipt, promises)


@wrong("429 or 503 without its promise", "503")
def meaning(phase, status, receipt, promises):
    if phase == "answered" and status == 503:
        return "retryable"
    return sure(phase, status, receipt, promises)


@wrong("refusal without its promise")
def meaning(phase, status, receipt, promises):
    if phase == "answered" and status in INVALID:
        return "final"
    return sure(phase, status, receipt, promises)


@wrong("refusal without its promise", "nobody may, so nobody did")
def meaning(phase, status, receipt, promises):
    if phase == "answered" and status in (401, 403):
        return "final"
    return sure(phase, status, receipt, promises)


@wrong("any promise will do")
def meaning(phase, status, receipt, promises):
    if phase == "answered" and status in (429, 503) and promises:
        return "retryable"
    return sure(phase, status, receipt, promises)


@wrong("any promise will do", "the first one means all")
def meaning(phase, status, receipt, promises):
    every = ("validates_first", "rate_limit_first", "busy_first")
    given = every if "validates_first" in promises else promises
    return sure(phase, status, receipt, given)


@wrong("turned away is final")
def meaning(phase, status, receipt, promises):
    found = sure(phase, status, receipt, promises)
    return "final" if phase == "answered" and found == "retryable" else found


@wrong("a promise left unused")
def meaning(phase, status, receipt, promises):
    if phase == "answered" and status == 503:
        return "indefinite"
    return sure(phase, status, receipt, promises)


@wrong("a promise left unused", "refusals")
def meaning(phase, status, receipt, promises):
    return sure(phase, status, receipt, [one for one in promises if one != "validates_first"])


@wrong("told by its first digit")
def meaning(phase, status, receipt, promises):
    known = status in (409, 429) or status is None
    if phase == "answered" and not known and 400 <= status < 500 and "validates_first" in promises:
        return "final"
    return sure(phase, status, receipt, promises)


@unforeseen("a status that is None, compared")
def meaning(phase, status, receipt, promises):
    if status >= 500:
        return "indefinite"
    return sure(phase, status, receipt, promises)


@unforeseen("1xx says go on")
def meaning(phase, status, receipt, promises):
    if phase == "answered" and status < 200:
        return "retryable"
    return sure(phase, status, receipt, promises)


@unforeseen("a name that was not brought")
def meaning(phase, status, receipt, promises):
    if phase is Phase.BEFORE:  # noqa: F821
        return "retryable"
    return sure(phase, status, receipt, promises)


@unforeseen("a word of its own for what nobody speaks of")
def meaning(phase, status, receipt, promises):
    if phase == "answered" and status == 418:
        return "teapot"
    return sure(phase, status, receipt, promises)
