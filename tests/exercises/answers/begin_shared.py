"""What several answers to one exercise are made of: `begin`."""

from lab.gateway import PREPARED, UNKNOWN, IllegalTransition
from lab.gateway import Ledger as Base
from lab.gateway.ledger import ASK_FIRST, NOTHING_SENT, SEND_WINDOW_MS


class Good(Base):
    """Right; each answer below changes something in it."""

    def begin(self, action, row, provider):
        if row is not None and row.state != PREPARED:
            raise IllegalTransition(f"{row.key} is {row.state}")
        self.otherwise = NOTHING_SENT
        if row is None:
            begun = self._begin_new(action, provider)
        else:
            begun = self._begin_next(row, provider)
        self.otherwise = f"{begun.key} is UNKNOWN: {ASK_FIRST}"
        return begun

    def _begin_next(self, row, provider):
        return self.changed(row, provider)

    def changed(self, row, provider, **other):
        now = self.now(row)
        columns = {
            "attempts": row.attempts + 1,
            "provider": provider,
            "send_by": now + SEND_WINDOW_MS,
            "retry_since": now if row.retry_since is None else row.retry_since,
            **other,
        }
        return self.change(row, UNKNOWN, "attempt begins", **columns)
