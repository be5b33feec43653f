"""Messages come out as they went in; what is none, or never comes, has a name."""

import json
import socket
import time
from collections.abc import Iterator

import pytest

from lab.guest.talk import HEAD, MOST, Channel, HungUp, TooSlow
from lab.guest.wire import LONGEST, CannotPass

Ends = tuple[Channel, socket.socket]


@pytest.fixture
def ends() -> Iterator[Ends]:
    """Return a channel, and the bare other end of it."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield Channel(ours), theirs


def framed(body: bytes) -> bytes:
    return HEAD.pack(len(body)) + body


@pytest.mark.parametrize("text", ["", "plain", "Zoë\n\0", "\ud800", "x" * 100_000, '["a", "b"]'])
def test_a_message_comes_out_as_it_went_in(ends: Ends, text: str) -> None:
    channel, theirs = ends
    channel.say("step", text)
    assert Channel(theirs).hear() == ("step", text)


def test_messages_keep_their_order_and_their_bounds(ends: Ends) -> None:
    channel, theirs = ends
    for text in ("a", "", "b"):
        channel.say("step", text)
    assert [Channel(theirs).hear()[1] for _ in range(3)] == ["a", "", "b"]


def test_a_message_may_come_in_pieces(ends: Ends) -> None:
    channel, theirs = ends
    channel.until = time.monotonic() + 60
    for byte in framed(b'["end","x"]'):
        theirs.sendall(bytes([byte]))
    assert channel.hear() == ("end", "x")


def test_the_longest_text_fits_whatever_letters_it_has() -> None:
    assert len(json.dumps(["a kind", "é" * LONGEST])) <= MOST


def test_a_message_that_is_too_long_is_refused_before_it_is_read(ends: Ends) -> None:
    channel, theirs = ends
    theirs.sendall(HEAD.pack(MOST + 1))  # and nothing behind it
    with pytest.raises(CannotPass, match="longer than"):
        channel.hear()


@pytest.mark.parametrize(
    "body",
    [b"", b"\xff\xfe", b"end", b"5", b"null", b"{}", b'"ab"', b'{"a": 1, "b": 2}', b'["end"]',
     b'["end", 5]', b'[null, "x"]', b'["end", "x", "y"]', b"[" * 100_000, b'["end", ["x"]]'],
)  # fmt: skip
def test_what_is_no_message_cannot_pass(ends: Ends, body: bytes) -> None:
    channel, theirs = ends
    theirs.sendall(framed(body))
    with pytest.raises(CannotPass, match="no message"):
        channel.hear()


@pytest.mark.parametrize("sent", [b"", b"\0", HEAD.pack(5), HEAD.pack(5) + b"ab"])
def test_who_hangs_up_has_hung_up_wherever_that_was(ends: Ends, sent: bytes) -> None:
    channel, theirs = ends
    theirs.sendall(sent)
    theirs.close()
    with pytest.raises(HungUp):
        channel.hear()


def test_nothing_can_be_said_to_who_hung_up(ends: Ends) -> None:
    channel, theirs = ends
    theirs.close()
    with pytest.raises(HungUp):
        channel.say("step", "x")


@pytest.mark.parametrize("sent", [b"", b"\0", HEAD.pack(5) + b"ab"])
def test_who_does_not_go_on_is_too_slow(ends: Ends, sent: bytes) -> None:
    channel, theirs = ends
    theirs.sendall(sent)
    channel.until = time.monotonic() + 0.05
    with pytest.raises(TooSlow):
        channel.hear()


def test_who_does_not_listen_is_too_slow(ends: Ends) -> None:
    channel, _ = ends
    channel.until = time.monotonic() + 0.05
    with pytest.raises(TooSlow):
        channel.say("step", "x" * LONGEST)


@pytest.mark.parametrize("late", [0.0, 5.0])
def test_after_the_time_nothing_is_said_or_heard(ends: Ends, late: float) -> None:
    channel, theirs = ends
    theirs.sendall(framed(b'["end","x"]'))
    channel.until = time.monotonic() - late
    with pytest.raises(TooSlow):
        channel.hear()
    with pytest.raises(TooSlow):
        channel.say("step", "x")
