"""Every move of the state machine: which are open now, and why each other one is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from lab.faults.beats import seconds
from lab.gateway import (
    PREPARED,
    REVIEW,
    TRANSITIONS,
    UNKNOWN,
    ProviderContract,
    Reading,
    Row,
    no_attempt_left,
)


class Situation(NamedTuple):
    """What decides which moves are open: the row, the provider, and the time (ms)."""

    row: Row
    contract: ProviderContract
    now: int
    answers: bool  # the provider answers questions now

    @property
    def can_ask(self) -> bool:
        """Tell whether the provider can be asked now."""
        return self.answers and self.contract.readback is not Reading.NONE

    @property
    def last_moment(self) -> int:
        """The last moment (ms) at which the open attempt may arrive, or not yet be shown."""
        return self.contract.last_moment(self.row.send_by or 0)


class Move(NamedTuple):
    """One legal move: from where, on what, to where; ``why`` it is open now, or is not."""

    source: str | None
    on: str
    target: str
    is_open: bool
    why: str


Judged = tuple[bool, str]


def next_moves(
    row: Row | None, contract: ProviderContract, now: int, answers: bool = True
) -> list[Move]:
    """Return every move of the table, those that are open now first."""
    moves = []
    for source, on, target in TRANSITIONS:
        if row is None or source is None or row.state != source:
            judged = _elsewhere(row, source)
        else:
            judged = _OPEN[source, on](Situation(row, contract, now, answers))
        moves.append(Move(source, on, target, *judged))
    return sorted(moves, key=lambda move: not move.is_open)


def _elsewhere(row: Row | None, source: str | None) -> Judged:
    """Judge a move that does not begin where the row is."""
    if row is None:
        return source is None, "the first worker does it" if source is None else "there is no row"
    if source is None:
        return False, "it is prepared; to prepare it again changes nothing"
    return False, f"the row is {row.state}"


def _begin(at: Situation) -> Judged:
    reason = no_attempt_left(at.row, at.contract, at.now)
    left = at.row.attempts_allowed - at.row.attempts
    return not reason, reason or f"{left} of {at.row.attempts_allowed} attempts are left"


def _give_up(at: Situation) -> Judged:
    reason = no_attempt_left(at.row, at.contract, at.now)
    return bool(reason), reason or "an attempt is left"


def _late_receipt(at: Situation) -> Judged:
    return False, "no response of an earlier attempt is still on its way to a worker"


def _found(at: Situation) -> Judged:
    if at.contract.readback is Reading.NONE:
        return False, "this provider cannot be asked; only a response could bring a receipt"
    if not at.answers:
        return False, "the provider does not answer questions now"
    return True, "if the provider, when asked, holds it"


def _proved(at: Situation) -> Judged:
    if not at.can_ask:
        return False, "nobody can be asked for a proof"
    if at.contract.absence_is_proof and at.now > at.last_moment:
        return True, "if it is not there: nothing can arrive any more"
    absence = (
        f"'not there' proves nothing until {seconds(at.last_moment)} have passed"
        if at.contract.absence_is_proof
        else "'not there' is never proof from this provider"
    )
    if at.contract.keeps_reference:
        return True, f"if it recorded that it rejected the attempt; {absence}"
    return False, absence


def _doubt(at: Situation) -> Judged:
    send_by = at.row.send_by or 0
    if not at.can_ask and at.now <= send_by:
        return False, f"the attempt may still be sent until {seconds(send_by)}"
    if not at.can_ask:
        return True, "nobody answers, and the attempt was begun"
    unclear = "if what it shows is unclear: several records, another's, one without a receipt"
    if at.contract.readback is Reading.EVENTUAL and at.now > at.last_moment:
        return True, f"{unclear}, or nothing, though it should be shown by now"
    return True, unclear


def _record(at: Situation) -> Judged:
    return True, "if a person finds the receipt at the provider"


def _approve(at: Situation) -> Judged:
    if at.row.send_by is None:
        return True, "if a person has proof that nothing was executed"
    if at.contract.in_flight_ms is None:
        return True, "only as a risk that a person accepts: nothing can prove it"
    if at.now <= at.last_moment:
        return False, f"a look proves nothing until {seconds(at.last_moment)} have passed"
    return True, "if a person looks now, and it is not there"


_OPEN: dict[tuple[str, str], Callable[[Situation], Judged]] = {
    (PREPARED, "attempt begins"): _begin,
    (UNKNOWN, "receipt"): _found,
    (UNKNOWN, "proved not executed"): _proved,
    (UNKNOWN, "cannot be proved"): _doubt,
    (PREPARED, "no attempt left"): _give_up,
    (PREPARED, "receipt after all"): _late_receipt,
    (REVIEW, "receipt after all"): _found,
    (REVIEW, "operator records a receipt"): _record,
    (REVIEW, "operator approves one attempt"): _approve,
}
