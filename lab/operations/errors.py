"""What stands between an action and its attempt, each with a sentence a person can act on."""

from __future__ import annotations


class NotApproved(Exception):
    """No approval covers this action now. No attempt began."""

    def __init__(self, key: str, why: str) -> None:
        super().__init__(f"{key} is not approved: {why}. Nothing was sent.")


class DispatchStopped(Exception):
    """Somebody stopped dispatch: no attempt begins until it is allowed again."""

    def __init__(self, actor: str, reason: str) -> None:
        super().__init__(f"{actor} stopped dispatch: {reason}. Nothing was sent.")


class WrongScope(ValueError):
    """A scope that does not name one verb for one type of resource."""
