"""What several answers to one exercise are made of: `meaning`."""

INVALID = {400, 401, 403, 404, 422}


def sure(phase, status, receipt, promises):
    """Say what is right; the wrong answers below change it in one place."""
    if phase == "before":
        return "retryable"
    if phase == "answered":
        if status == 200 and receipt:
            return "accepted"
        if status in INVALID and "validates_first" in promises:
            return "final"
        if (status == 429 and "rate_limit_first" in promises) or (
            status == 503 and "busy_first" in promises
        ):
            return "retryable"
    return "indefinite"
