"""The sender everybody writes first. It is wrong, and it is the baseline of every measure."""

from __future__ import annotations

from collections.abc import Callable

from lab.gateway import ResponseLost


def send_and_retry(send: Callable[[int], str], tries: int = 2) -> str:
    """Call ``send(attempt)`` until it answers, reading silence as failure; report as its user sees.

    Returns "sent" or "failed", and how many attempts it made: "sent after 2 attempts".
    """
    for attempt in range(1, tries + 1):
        try:
            send(attempt)
        except ResponseLost:
            continue
        return f"sent after {attempt} attempts"
    return f"failed after {tries} attempts"
