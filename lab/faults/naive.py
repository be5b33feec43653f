"""The sender everybody writes first. It is wrong, and it is the baseline of every measure."""

from __future__ import annotations

from collections.abc import Callable

from lab.gateway import ResponseLost


def send_and_retry(send: Callable[[int], str], tries: int = 2) -> str:
    """Call ``send(attempt)`` until it answers, and read silence as failure.

    Returns what its user sees, "sent" or "failed" and the attempts made: "sent, attempts: 2".
    """
    for attempt in range(1, tries + 1):
        try:
            send(attempt)
        except ResponseLost:
            continue
        return f"sent, attempts: {attempt}"
    return f"failed, attempts: {tries}"
