"""Every error the gateway raises, each with a sentence a person can act on."""

from __future__ import annotations


class KeyReused(ValueError):
    """The key already names another intention: its kind or its payload differs."""

    def __init__(self, key: str) -> None:
        super().__init__(
            f"{key} already names an action with different data (kind or payload). Nothing was "
            "written, nothing was sent. A new intention needs a key of its own; for the old one, "
            "bring the data that was approved."
        )


class UnsafeKey(ValueError):
    """A key, kind or part that may not be stored: it could hold personal data, or be misread."""


class UncanonicalPayload(ValueError):
    """A payload that two programs could write in two ways, so that its hash would mean nothing."""


class WrongProvider(ValueError):
    """The action's attempts went to another provider; asking this one would prove nothing."""

    def __init__(self, key: str, theirs: str | None, ours: str) -> None:
        super().__init__(
            f"{key} was begun with the provider {theirs}; {ours} knows nothing of it. "
            "Nothing was written, nothing was sent."
        )


class NotExecuted(Exception):
    """Definite: nothing happened, and nothing will. ``retryable``: another attempt may work."""

    def __init__(self, reason: str, retryable: bool = True) -> None:
        super().__init__(reason)
        self.retryable = retryable


class ResponseLost(Exception):
    """Indefinite: no response arrived. The provider may or may not have acted."""


class ReadbackUnavailable(Exception):
    """The provider cannot be asked: not now, or never."""


class BrokenContract(Exception):
    """The provider answered what its contract rules out; the answer is no evidence."""


class VersionConflict(Exception):
    """Somebody else changed the row since it was read. Read it again, then decide."""

    def __init__(self, key: str) -> None:
        super().__init__(f"{key} was changed by somebody else; read it again, then decide")


class IllegalTransition(Exception):
    """A change that the table of transitions does not list."""


class DecisionRefused(Exception):
    """A person's decision that the evidence does not permit; the message says why."""


class StoreError(Exception):
    """A file the gateway depends on cannot be used; the message names it and says what to do."""


class StoreLocked(StoreError):
    """Another program holds the file."""


class StoreReadOnly(StoreError):
    """The file cannot be written."""


class StoreFull(StoreError):
    """No room is left on the disk."""


class StoreCorrupt(StoreError):
    """The file is damaged."""


class StoreUnreachable(StoreError):
    """The file cannot be opened or created, or the disk failed."""


class WrongStore(StoreError):
    """The file is no database, or another program's."""


class NewerStore(StoreError):
    """The file was written by a newer version of this program."""
