"""The clock that stands still until it is told to move."""

from lab.faults.clock import MINUTE_MS, SECOND_MS, ManualClock


def test_it_starts_where_it_is_told_and_at_nought_otherwise() -> None:
    assert ManualClock()() == 0
    assert ManualClock(1_700_000_000_000)() == 1_700_000_000_000


def test_it_stands_still_however_often_it_is_read() -> None:
    clock = ManualClock(5)
    assert [clock(), clock(), clock()] == [5, 5, 5]


def test_it_moves_by_what_it_is_told_and_says_where_it_is() -> None:
    clock = ManualClock()
    assert clock.advance(MINUTE_MS) == 60 * SECOND_MS == 60_000
    assert clock() == 60_000


def test_it_can_be_set_back() -> None:
    clock = ManualClock(100)
    clock.advance(-30)
    assert clock() == 70
