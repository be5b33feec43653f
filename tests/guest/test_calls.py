"""The filter refuses each call that is named, on both machines, and lets the others pass."""

import re
import struct
from pathlib import Path

import pytest

from lab.guest.calls import MACHINES, NUMBERS, OTHER_NUMBERS, filter_for, number

LOAD, IF_EQUAL, IF_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
KILL, REFUSE, ALLOW = 0x80000000, 0x00050001, 0x7FFF0000
OF_READING = {"x86_64": 0, "aarch64": 63}
BEYOND = [
    "unshare", "setns", "chroot", "pivot_root", "mount", "umount2", "move_mount",
    "mount_setattr", "open_tree", "fsopen", "fsmount", "ptrace", "pidfd_getfd",
    "process_vm_readv", "process_vm_writev", "userfaultfd", "perf_event_open",
    "open_by_handle_at", "add_key", "keyctl", "request_key", "shmget", "semget", "msgget",
    "mq_open", "bpf", "io_uring_setup", "kexec_load", "init_module", "finit_module",
    "delete_module",
]  # fmt: skip
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}


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


def test_no_call_is_missing_that_reaches_beyond_a_life() -> None:
    assert sorted(NUMBERS) == sorted(BEYOND)


def test_the_numbers_of_a_machine_are_all_different() -> None:
    for machine in MACHINES:
        assert len({number(call, machine) for call in NUMBERS}) == len(NUMBERS)


def test_a_machine_is_called_what_its_programs_say_of_themselves() -> None:
    in_elf_files, little_and_of_64_bits = {"x86_64": 62, "aarch64": 183}, 0xC0000000
    called = {machine: called - little_and_of_64_bits for machine, (_, called) in MACHINES.items()}
    assert called == in_elf_files


@pytest.mark.parametrize("machine", MACHINES)
def test_the_numbers_are_those_of_the_kernels_headers(machine: str) -> None:
    if not HEADERS[machine].exists():
        pytest.skip("the kernel's headers are not here")
    text = HEADERS[machine].read_text("ascii")
    known = {name: int(at) for name, at in re.findall(r"define __NR_(\w+)\s+(\d+)", text)}
    assert {call: number(call, machine) for call in NUMBERS} == {
        call: known[call] for call in NUMBERS
    }
