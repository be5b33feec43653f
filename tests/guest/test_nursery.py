"""A nursery begins lives, ends them for real, and outlives them all; a life keeps nothing."""

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from lab.exercises.bench import Player
from lab.grading.lives import Broken, Ended, Nursery
from lab.guest import wire
from lab.guest.nursery import LONGEST_PRINT, packed, unpacked
from lab.guest.walls import Rules
from lab.guest.written import Unusable
from tests.grading.containing import WAYS
from tests.guest.living import RULES, call, tried, written


@pytest.fixture(scope="module", params=WAYS)
def nursery(request: pytest.FixtureRequest) -> Iterator[Nursery]:
    nursery = Nursery(request.param, RULES)
    yield nursery
    nursery.close()


def test_a_call_comes_back_with_its_value(nursery: Nursery) -> None:
    assert call(nursery, "def f(a, b): return a, [b]", 1, "x") == (1, ["x"])


def test_what_was_written_may_use_what_stands_above_it(nursery: Nursery) -> None:
    code = "import math\nONE = 1\ndef up(x): return x + ONE\ndef f(x): return up(math.floor(x))"
    assert call(nursery, code, 1.5) == 2


def test_an_error_comes_back_with_its_class_and_line(nursery: Nursery) -> None:
    player = Player(tried(nursery, "def f(x):\n    return x['a']"))
    with pytest.raises(KeyError):
        player.call("f", {})
    assert player.said is not None
    assert (player.said.name, player.said.line, player.said.code) == (
        "KeyError",
        2,
        "return x['a']",
    )


def test_an_error_tells_no_place_in_memory(nursery: Nursery) -> None:
    player = Player(tried(nursery, "def f():\n    raise ValueError(object())"))
    with pytest.raises(ValueError, match="object object at 0x0>"):
        player.call("f")


def test_calls_of_one_life_share_a_memory_and_lives_do_not(nursery: Nursery) -> None:
    player = Player(tried(nursery, "seen = []\ndef f():\n    seen.append(1)\n    return len(seen)"))
    for _ in range(2):
        with player.life():
            assert [player.call("f"), player.call("f")] == [1, 2]


BESIDE = "os.path.join(os.path.dirname(os.getcwd()), 'x')"
KEEPS = {  # whether it is there already, and how it comes to be there
    "a builtin": ("hasattr(builtins, 'x')", "builtins.x = 1"),
    "a module": ("hasattr(json, 'x')", "json.x = 1"),
    "a module that is new": ("'colorsys' in sys.modules", "import colorsys"),
    "an environment": ("'X' in os.environ", "os.environ['X'] = ''"),
    "a class of ours": ("hasattr(Ledger, 'x')", "Ledger.x = 1"),
    "a file": ("os.path.exists('x')", "open('x', 'w')"),
    "a file that is locked up": ("os.path.exists('a')", "os.makedirs('a/b'); os.chmod('a', 0)"),
    "a file beside": (f"os.path.exists({BESIDE})", f"open({BESIDE}, 'w')"),
}


@pytest.mark.parametrize("what", KEEPS)
def test_a_life_leaves_nothing_to_the_next(nursery: Nursery, what: str) -> None:
    there, leave = KEEPS[what]
    code = (
        "import builtins, json, os, sys\nfrom contextlib import suppress\n"
        "from lab.gateway import Ledger\n"
        f"def f():\n    there = {there}\n    with suppress(OSError):\n        {leave}\n"
        "    return there"
    )
    player = Player(tried(nursery, code, seed=100 + list(KEEPS).index(what)))
    assert [player.call("f") for _ in range(3)] == [False] * 3
    assert os.listdir(nursery.place.name) == []


def test_lives_are_of_different_processes_times_and_hashes(nursery: Nursery) -> None:
    code = "import os, time\ndef f(): return os.getpid(), int(time.time()) // 3600, hash('a')"
    player = Player(tried(nursery, code))
    for one, other in zip(player.call("f"), player.call("f"), strict=True):
        assert one != other


def test_one_seed_draws_the_same_lives(nursery: Nursery) -> None:
    code = "def f(): return hash('a')"
    first, same = (Player(tried(nursery, code, seed=7)).call("f") for _ in range(2))
    assert first == same


def test_no_more_is_kept_of_a_print_than_there_is_room_for(
    nursery: Nursery, capsys: pytest.CaptureFixture[str]
) -> None:
    call(nursery, "import sys\ndef f():\n    print('x' * 10**6)\n    print('y', file=sys.stderr)")
    assert capsys.readouterr().out == "x" * LONGEST_PRINT


def test_each_call_prints_for_itself(nursery: Nursery, capsys: pytest.CaptureFixture[str]) -> None:
    player = Player(tried(nursery, "def f(x): print(x)"))
    with player.life():
        for text in ("one", "two"):
            player.call("f", text)
            assert capsys.readouterr().out == f"{text}\n"


def test_a_life_that_is_killed_says_by_what(nursery: Nursery) -> None:
    life = written(nursery, "def f(): pass")()
    life.begin()
    assert life.close()["signal"] == signal.SIGKILL
    assert life.close() == {}


@pytest.mark.parametrize(
    "end",
    ["os._exit(0)", "os.kill(os.getpid(), 9)", "os.abort()", "os.closerange(0, 64)",
     "signal.raise_signal(9)"],
)  # fmt: skip
def test_a_life_may_end_as_it_likes_and_the_next_one_works(nursery: Nursery, end: str) -> None:
    with pytest.raises(Ended, match="ended without a word"):
        call(nursery, f"import os, signal\ndef f(): {end}")
    assert call(nursery, "def f(): return 1") == 1


def test_every_wait_counts_towards_what_the_whole_answer_may_take(nursery: Nursery) -> None:
    answer = tried(nursery, "import time\n\ndef f(x):\n    time.sleep(x)")
    left_s = answer.left_s
    for _ in range(2):
        Player(answer).call("f", 0.05)
    assert answer.left_s <= left_s - 2 * 0.05


def test_what_cannot_be_defined_is_unusable(nursery: Nursery) -> None:
    for code, says in {
        "def g(): pass": "cell 1 does not define f",
        "def f(): pass\n1 / 0": r"ZeroDivisionError \(division by zero\) in line 2 of cell 1",
        "x = there": "there is not defined in any cell above",
        "f = 5": "f should be the function itself",
        "import sys\nsys.exit()": "SystemExit",
    }.items():
        with closing(written(nursery, code)) as answer, pytest.raises(Unusable, match=says):
            answer.tried()


def test_a_stub_is_untouched(nursery: Nursery) -> None:
    stub = "def f():\n    raise NotImplementedError()"
    with closing(written(nursery, stub)) as answer, pytest.raises(Unusable) as caught:
        answer.tried()
    assert caught.value.untouched


def test_what_was_tried_is_compiled_once_for_all_lives(nursery: Nursery) -> None:
    answer = written(nursery, "def f(): return 1")
    assert "code" not in answer.told
    answer.tried()
    answer.told["sources"] = [[1, "what is not read any more", [0]]]
    assert [Player(answer).call("f") for _ in range(2)] == [1, 1]


def test_code_is_packed_as_text() -> None:
    codes = [compile("x = 1", "cell 1", "exec")]
    assert unpacked(packed(codes)) == codes


def test_a_dead_nursery_is_broken_and_says_so() -> None:
    nursery = Nursery(False, RULES)
    nursery.process.kill()
    nursery.process.wait()
    with pytest.raises(Broken):
        call(nursery, "def f(): return 1")
    nursery.close()


class Other(Rules):
    """Rules that a nursery does not understand."""

    def _asdict(self) -> dict[str, Any]:
        return {"seconds": 1}


def test_a_nursery_that_cannot_begin_says_why() -> None:
    with pytest.raises(Broken, match="unexpected keyword argument 'seconds'"):
        Nursery(False, Other(""))


@pytest.mark.parametrize("shut", WAYS)
def test_a_closed_nursery_leaves_no_process_and_no_folder(shut: bool) -> None:
    nursery = Nursery(shut, RULES)
    life = tried(nursery, "def f(): pass")()
    life.run(wire.write({"name": "f", "values": []}), str)
    place, process = nursery.place.name, nursery.process
    nursery.close()
    assert process.poll() is not None
    assert not os.path.exists(place)
    life.channel.end.settimeout(10)
    assert life.channel.end.recv(1) == b""
