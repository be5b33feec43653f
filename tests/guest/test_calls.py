"""The filter refuses each call that is named, on both machines, and lets the others pass."""

import struct

import pytest

from lab.guest.calls import MACHINES, NUMBERS, OTHER_NUMBERS, filter_for, number

LOAD, IF_EQUAL, IF_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
KILL, REFUSE, ALLOW = 0x80000000, 0x00050001, 0x7FFF0000
OF_READING = {"x86_64": 0, "aarch64": 63}


def said(program: bytes, call: int, machine: int) -> int:
    """Run a filter as the kernel does, and return what it says of a call."""
    instructions = list(struct.iter_unpack("=HBBI", program))
    at = held = 0
    while True:
        code, then, otherwise, value = instructions[at]
        at += 1
        if code == RETURN:
            return int(value)
        if code == LOAD:
            held = {0: call, 4: machine}[value]
        else:
            holds = {IF_EQUAL: held == value, IF_LEAST: held >= value}[code]
            at += then if holds else otherwise


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("call", NUMBERS)
def test_a_call_that_no_answer_needs_is_refused(machine: str, call: str) -> None:
    assert said(filter_for(machine), number(call, machine), MACHINES[machine][1]) == REFUSE


@pytest.mark.parametrize("machine", MACHINES)
def test_every_other_call_passes(machine: str) -> None:
    named = {number(call, machine) for call in NUMBERS}
    passed = [
        call
        for call in range(500)
        if said(filter_for(machine), call, MACHINES[machine][1]) == ALLOW
    ]
    assert OF_READING[machine] in passed
    assert set(passed) == set(range(500)) - named


@pytest.mark.parametrize("machine", MACHINES)
def test_calls_under_other_numbers_are_refused_or_end_the_process(machine: str) -> None:
    program, known = filter_for(machine), MACHINES[machine][1]
    assert said(program, OTHER_NUMBERS + OF_READING[machine], known) == REFUSE
    assert said(program, OF_READING[machine], known ^ 1) == KILL


def test_the_numbers_of_a_machine_are_all_different() -> None:
    for machine in MACHINES:
        assert len({number(call, machine) for call in NUMBERS}) == len(NUMBERS)
