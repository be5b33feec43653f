"""The four states of an action, and every legal move between them."""

from __future__ import annotations

PREPARED = "PREPARED"  # written down; every attempt so far is proved not executed
UNKNOWN = "UNKNOWN"  # an attempt was begun; nobody has evidence of how it ended
SETTLED = "SETTLED"  # there is a receipt: the provider accepted it
REVIEW = "REVIEW"  # code cannot prove whether another attempt is safe; a person must
STATES = (PREPARED, UNKNOWN, SETTLED, REVIEW)

TRANSITIONS = (
    (None, "prepare", PREPARED),
    (PREPARED, "attempt begins", UNKNOWN),
    (UNKNOWN, "receipt", SETTLED),
    (UNKNOWN, "proved not executed", PREPARED),
    (UNKNOWN, "cannot be proved", REVIEW),
    (PREPARED, "no attempt left", REVIEW),
    (PREPARED, "receipt after all", SETTLED),
    (REVIEW, "receipt after all", SETTLED),
    (REVIEW, "operator records a receipt", SETTLED),
    (REVIEW, "operator approves one attempt", PREPARED),
)
"""(from, on, to): the ledger, its triggers, the diagrams and the tests are made from these rows."""

LEGAL = frozenset((source, target) for source, _, target in TRANSITIONS)
