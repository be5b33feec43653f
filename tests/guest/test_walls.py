"""The walls hold: a life computes, keeps, writes and opens no more than it may, and is alone."""

import re
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from lab.exercises import telling
from lab.grading.lives import Ended, Nursery
from lab.guest.walls import NO_KEYBOARD, Rules, no_keyboard, sweep
from tests.grading.containing import WAYS, contained
from tests.guest.living import call

RULES = Rules(cpu_s=1, memory=256 << 20, file=1 << 20, files=16)


@pytest.fixture(scope="module", params=WAYS)
def nursery(request: pytest.FixtureRequest) -> Iterator[Nursery]:
    nursery = Nursery(request.param, RULES)
    yield nursery
    nursery.close()


@pytest.fixture(scope="module")
def shut() -> Iterator[Nursery]:
    """Return a nursery in a container."""
    nursery = Nursery(True, RULES)
    yield nursery
    nursery.close()


def tried(nursery: Nursery, *lines: str) -> str:
    """Return ``done`` where some lines can be run, else the name of the error."""
    body = "".join(f"        {line}\n" for line in lines)
    code = (
        "import os, resource, signal, socket, subprocess, sys, threading\n"
        f"def f():\n    try:\n{body}    except BaseException as error:\n"
        "        return type(error).__name__\n    return 'done'"
    )
    return str(call(nursery, code))


def test_memory_has_a_limit(nursery: Nursery) -> None:
    assert tried(nursery, "held = bytearray(300 << 20)") == "MemoryError"
    assert tried(nursery, "held = bytearray(64 << 20)") == "done"


def test_a_file_has_a_limit(nursery: Nursery) -> None:
    write = "file.write(bytes(600_000))"
    assert tried(nursery, "file = open('x', 'wb', 0)", write) == "done"
    assert tried(nursery, "file = open('x', 'wb', 0)", write, write, write) == "OSError"


def test_only_so_many_files_are_open(nursery: Nursery) -> None:
    assert tried(nursery, "held = [open('x', 'w') for _ in range(20)]") == "OSError"
    assert tried(nursery, "held = [open('x', 'w') for _ in range(5)]") == "done"


@pytest.mark.parametrize("first", ["", "signal.signal(signal.SIGXCPU, signal.SIG_IGN)"])
def test_computing_has_a_limit(nursery: Nursery, first: str) -> None:
    with pytest.raises(Ended) as caught:
        tried(nursery, first or "pass", "while True: pass")
    assert str(caught.value) == telling.TOO_LONG


@contained
@pytest.mark.parametrize("name", ["CPU", "AS", "FSIZE", "NOFILE", "CORE"])
def test_no_limit_can_be_lifted(shut: Nursery, name: str) -> None:
    lift = f"resource.setrlimit(resource.RLIMIT_{name}, (1 << 40, 1 << 40))"
    assert tried(shut, lift) in ("ValueError", "PermissionError", "OSError")


@contained
@pytest.mark.parametrize(
    "start",
    ["os.fork()", "threading.Thread(target=print).start()", "subprocess.run(['/bin/sh'])",
     "os.posix_spawn(sys.executable, ['python'], {})", "os.system('true') and 1 / 0"],
)  # fmt: skip
def test_no_other_process_begins(shut: Nursery, start: str) -> None:
    assert tried(shut, start) not in ("done", "NameError")


@contained
@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "192.0.2.1"])
def test_there_is_no_network(shut: Nursery, host: str) -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as server:
        if host in ("127.0.0.1", "::1"):
            server.bind((host, 0))
            server.listen()
        port = server.getsockname()[1] if host != "192.0.2.1" else 80
        reach = f"socket.create_connection(({host!r}, {port}), timeout=1)"
        assert tried(shut, reach) != "done"


@contained
@pytest.mark.parametrize(
    "do",
    ["os.setuid(1)", "os.chroot('.')", "os.mknod('x', 0o020666, 259)", "os.listdir('/proc')[0]",
     "open('/x', 'w')", "open(os.__file__, 'a')", "os.remove(os.__file__)",
     "open('/dev/mem', 'rb')", "open('/etc/passwd')", "os.nice(-5)",
     "socket.sethostname('x')", "os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))"],
)  # fmt: skip
def test_no_privilege_is_left(shut: Nursery, do: str) -> None:
    assert tried(shut, do) not in ("done", "NameError", "TypeError", "SyntaxError")


@contained
@pytest.mark.parametrize("who", [1, -1])
def test_nobody_ends_the_nursery(shut: Nursery, who: int) -> None:
    tried(shut, f"os.kill({who}, 9)")  # the kernel may take the wish, and leaves it at that
    assert tried(shut, "pass") == "done"


@contained
def test_only_the_library_and_a_folder_of_its_own_can_be_seen(shut: Nursery) -> None:
    code = (
        "import os\ndef f():\n    seen = set()\n    for folder, _, files in os.walk('/'):\n"
        "        seen.update(folder + '/' + file for file in files)\n"
        "    return sorted(seen), os.getcwd(), os.listdir()"
    )
    seen, home, mine = call(shut, code)
    allowed = re.compile(r"(/python/lib/(libpython|python3\.\d+/)|/+dev/null|/etc/ld\.so\.cache)")
    assert [file for file in seen if not allowed.match(file)] == []
    assert not any("site-packages/" in file for file in seen)
    assert re.fullmatch(r"/folder/\d+", home)
    assert mine == []


@contained
def test_no_socket_of_the_grader_is_open(shut: Nursery) -> None:
    code = (
        "import os, stat\ndef f():\n    kinds = []\n    for n in range(64):\n        try:\n"
        "            kinds.append(stat.S_ISSOCK(os.fstat(n).st_mode))\n"
        "        except OSError:\n            pass\n    return kinds"
    )
    assert call(shut, code).count(True) == 1  # the talk with the life itself


def test_the_environment_says_nothing(nursery: Nursery) -> None:
    names, home, here = call(
        nursery,
        "import os\ndef f(): return sorted(os.environ), os.environ['HOME'], os.getcwd()",
    )
    assert names == ["HOME", "LANG", "TMPDIR", "TZ"]
    assert home == here


def test_the_standard_library_is_there(nursery: Nursery) -> None:
    code = (
        "import bz2, csv, ctypes, decimal, hashlib, lzma, random, sqlite3, ssl, uuid, zlib\n"
        "import asyncio, email, html, json, statistics, tempfile, xml.dom, zoneinfo\n"
        "def f():\n    with tempfile.TemporaryFile() as file: file.write(b'x')\n"
        "    sqlite3.connect(':memory:').execute('SELECT 1')\n"
        "    return hashlib.sha256().hexdigest()"
    )
    assert str(call(nursery, code)).startswith("e3b0c442")


def test_input_says_that_there_is_no_keyboard(nursery: Nursery) -> None:
    assert tried(nursery, "input('x')") == "EOFError"
    assert tried(nursery, "sys.stdin.read(1) or 1 / 0") in ("ZeroDivisionError", "AttributeError")
    with pytest.raises(EOFError, match=NO_KEYBOARD):
        no_keyboard("how many?")


def test_the_sweep_takes_away_whatever_is_nobodys_that_lives(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        (tmp_path / str(number)).mkdir()
    (tmp_path / "1" / "deep" / "deeper").mkdir(parents=True)
    (tmp_path / "1" / "deep" / "file").write_text("x")
    (tmp_path / "1" / "link").symlink_to(tmp_path / "3")
    (tmp_path / "3" / "file").write_text("x")
    (tmp_path / "3").chmod(0o750)
    (tmp_path / "file beside").write_text("x")
    (tmp_path / "link beside").symlink_to(tmp_path / "3")
    sweep(Rules(str(tmp_path)), [3])
    assert [one.name for one in tmp_path.iterdir()] == ["3"]
    assert (tmp_path / "3" / "file").exists()
    assert (tmp_path / "3").stat().st_mode & 0o777 == 0o750


def test_what_is_locked_up_is_opened_before_it_is_taken_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked = [tmp_path / "1" / "a" / "b", tmp_path / "1" / "a", tmp_path / "1"]
    locked[0].mkdir(parents=True)
    for one in locked:
        one.chmod(0)  # root enters it all the same, so the test looks at what is taken away
    modes: list[int] = []
    monkeypatch.setattr(
        shutil, "rmtree", lambda *_, **__: modes.extend(one.stat().st_mode for one in locked)
    )
    sweep(Rules(str(tmp_path)), [])
    assert [mode & 0o777 for mode in modes] == [0o700] * 3
