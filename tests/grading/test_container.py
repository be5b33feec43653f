"""What a learner's code finds in the container, whoever built it: nearly nothing."""

import os
import shutil
import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from lab.grading import lives
from lab.grading.container import hidden, in_bubblewrap, visible
from lab.grading.lives import Answer, Nursery, by_kernel
from lab.guest import wire
from lab.guest.walls import Rules
from lab.guest.written import Asked, Source
from tests.grading.containing import contained

CODE = "import ctypes, os, socket\n\ndef f(x):\n    return eval(x)"
Ask = Callable[[str], Any]

pytestmark = contained


# A user who is not root, whoever runs the tests: in a namespace, and in the container in another.
AS_A_USER = """
import os, sys
from lab.guest import kernel
user, group = os.geteuid(), os.getegid()
kernel.unshare(kernel.NEW_USERS)
kernel.one_user(1000, user, group)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


def by_a_user(end: int, rules: Rules) -> list[str]:
    """Start it in a container of our own, as somebody who has no power on this machine."""
    program, *command = by_kernel(end, rules)
    return [program, "-c", AS_A_USER, *command]


@pytest.fixture(
    scope="module",
    params=[by_kernel, by_a_user, in_bubblewrap],
    ids=["kernel", "kernel, as a user", "bubblewrap"],
)
def ask(request: pytest.FixtureRequest) -> Iterator[Ask]:
    """Evaluate an expression in a life of its own; return its value, or its error's name."""
    missing = request.param is in_bubblewrap and not shutil.which("bwrap")
    if missing and os.environ.get("LAB_BUBBLEWRAP") != "required":
        pytest.skip("bubblewrap is not here")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lives, "by_kernel", request.param)
        nursery = Nursery(contained=True, rules=Rules(cpu_s=2))

    def asked(expression: str) -> Any:
        answer = Answer(nursery, Asked(("f",), ("x",)), [Source(1, CODE, (0, 1))], seed=1)
        answer.tried()
        life = answer()
        reply = wire.read(life.run(wire.write({"name": "f", "values": [expression]}), str))
        life.close()
        return reply["value"] if "value" in reply else reply["raised"].name

    yield asked
    nursery.close()


def test_it_works(ask: Ask) -> None:
    assert ask("[1 + 1, type(x).__name__]") == [2, "str"]


def test_of_files_only_the_standard_library_is_there(ask: Ask) -> None:
    assert (
        ask("[one for one in ('/home', '/root', '/tmp', '/etc/passwd') if os.path.exists(one)]")
        == []
    )
    for folder in hidden():
        assert ask(f"os.listdir({folder!r})") == []
    assert "json" in ask("sorted(os.listdir(os.path.dirname(os.__file__)))")
    assert os.__file__ not in ask("os.__file__")


def test_its_own_folder_is_empty_and_can_be_written(ask: Ask) -> None:
    for _ in range(2):
        assert ask("os.listdir('.')") == []
        assert ask("open('kept', 'w').write('x')") == 1


@pytest.mark.parametrize("place", ["/", "/python/lib", "/course", "/proc"])
def test_nothing_else_can_be_written(ask: Ask, place: str) -> None:
    assert ask(f"open({place + '/x'!r}, 'w')").endswith("Error")


def test_nobody_outside_can_be_reached(ask: Ask) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert ask(f"socket.create_connection({server.getsockname()!r}, 1)").endswith("Error")


def test_its_environment_and_its_host_tell_nothing(ask: Ask) -> None:
    assert ask("sorted(os.environ)") == ["HOME", "LANG", "TMPDIR", "TZ"]
    assert ask("socket.gethostname()") == "container"


def test_no_memory_is_shared_between_lives(ask: Ask) -> None:
    assert ask("ctypes.CDLL(None).shmget(7, 4096, 0o1600)") == -1
    assert ask("ctypes.CDLL(None).semget(7, 1, 0o1600)") == -1


def test_it_cannot_undo_what_hides_or_look_into_the_nursery(ask: Ask) -> None:
    for call in (
        "umount2(b'/proc', 2)",
        "mount(b'p', b'/proc', b'proc', 0, None)",
        "ptrace(16, 1, 0, 0)",
    ):
        assert ask(f"ctypes.CDLL(None).{call}") == -1
    assert ask("1 + 1") == 2


def test_it_has_no_privilege_and_nobody_like_it_may_look_into_it(ask: Ask) -> None:
    read_capabilities = (
        "(lambda head, held: (ctypes.CDLL(None).capget(head, held), *held))"
        "((ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)())"
    )
    assert ask(read_capabilities) == (0,) * 7
    is_dumpable, gets_no_privileges, refuses_calls = 3, 39, 21  # prctl(2)
    told = [f"ctypes.CDLL(None).prctl({one}, 0, 0, 0, 0)"
            for one in (is_dumpable, gets_no_privileges, refuses_calls)]  # fmt: skip
    assert ask(f"[{', '.join(told)}]") == [0, 1, 2]  # 2: by a filter


def test_what_is_shown_holds_no_exercise_and_no_lesson() -> None:
    shown = "\n".join(visible().values())
    assert "exercises" not in shown
    assert "notebooks" not in shown
