"""A new life remembers nothing, and leaves the notebook as it was."""

import os
from typing import Any

import pytest

from lab.guest import memory


def notebook(code: str) -> dict[str, Any]:
    """Run code as a notebook would, and return its names."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(code, names)
    return names


def test_a_list_of_the_notebook_is_new_in_every_life() -> None:
    names = notebook("seen = []\ndef count():\n    seen.append(1)\n    return len(seen)")
    kept = memory.kept({"count": names["count"]})
    for _ in range(2):
        life = memory.fresh(kept)
        assert [life["count"](), life["count"]()] == [1, 2]
    assert names["seen"] == []


def test_what_stood_in_the_list_stands_there_at_every_start() -> None:
    names = notebook("seen = [7]\ndef count():\n    seen.append(1)\n    return len(seen)")
    assert memory.fresh({"count": names["count"]})["count"]() == 2
    assert memory.fresh({"count": names["count"]})["count"]() == 2


def test_a_default_that_remembers_is_new_in_every_life() -> None:
    names = notebook("def count(seen=[], *, also={}):\n    seen.append(1)\n    return len(seen)")
    for _ in range(2):
        assert memory.fresh({"count": names["count"]})["count"]() == 1
    assert names["count"].__defaults__ == ([],)


def test_a_number_that_is_declared_global_is_new_in_every_life() -> None:
    names = notebook("n = 0\ndef count():\n    global n\n    n += 1\n    return n")
    for _ in range(2):
        assert memory.fresh({"count": names["count"]})["count"]() == 1
    assert names["n"] == 0


def test_a_helper_shares_the_memory_of_its_life() -> None:
    names = notebook(
        "seen = set()\ndef note(x):\n    seen.add(x)\n"
        "def count():\n    note(1)\n    return len(seen)"
    )
    assert memory.fresh({"count": names["count"]})["count"]() == 1
    assert names["seen"] == set()


def test_a_function_inside_a_function_finds_the_same_memory() -> None:
    names = notebook(
        "seen = []\ndef count():\n    def inner():\n        seen.append(1)\n    inner()\n"
        "    return len(seen)"
    )
    assert memory.fresh({"count": names["count"]})["count"]() == 1
    assert names["seen"] == []


def test_what_a_function_keeps_on_itself_is_new_in_every_life() -> None:
    names = notebook("def count():\n    count.n = getattr(count, 'n', 0) + 1\n    return count.n")
    for _ in range(2):
        assert memory.fresh({"count": names["count"]})["count"]() == 1
    assert not hasattr(names["count"], "n")


def test_a_function_may_call_itself() -> None:
    names = notebook("def down(n):\n    return n and down(n - 1)")
    assert memory.fresh({"down": names["down"]})["down"](5) == 0


def test_a_class_of_the_notebook_has_a_memory_of_its_own_and_super_works() -> None:
    names = notebook(
        "class Base:\n    def n(self):\n        return 1\n"
        "class Mine(Base):\n    seen = []\n    def n(self):\n        self.seen.append(1)\n"
        "        return super().n() + len(self.seen)"
    )
    for _ in range(2):
        assert memory.fresh({"Mine": names["Mine"]})["Mine"]().n() == 2
    assert names["Mine"].seen == []


def test_a_hash_of_a_text_differs_from_life_to_life_and_not_within_one() -> None:
    names = notebook("def number():\n    return hash('lead-202'), hash('lead-202'), hash(7)")
    kept = memory.kept({"number": names["number"]})
    (one, same, seven), (other, _, _) = (memory.fresh(kept)["number"]() for _ in range(2))
    assert one == same != other
    assert seven == 7


def test_a_hash_of_the_learners_own_is_theirs() -> None:
    names = notebook("def hash(x):\n    return 5\ndef number():\n    return hash('a')")
    assert memory.fresh({"number": names["number"]})["number"]() == 5


def test_a_class_that_keeps_something_on_itself_forgets_it() -> None:
    names = notebook(
        "class Mine:\n    seen = 0\n"
        "    def n(self):\n        Mine.seen += 1\n        return Mine.seen"
    )
    kept = memory.kept({"Mine": names["Mine"]})
    for _ in range(2):
        assert memory.fresh(kept)["Mine"]().n() == 1
    assert names["Mine"].seen == 0


@pytest.mark.parametrize("up", ["super()", "super(Mine, self)"])
def test_a_class_that_grows_over_cells_finds_the_one_before(up: str) -> None:
    names = notebook(
        "class Mine:\n    def n(self):\n        return 1\n"
        f"class Mine(Mine):\n    def n(self):\n        return {up}.n() + 1"
    )
    if up == "super(Mine, self)":
        assert names["Mine"]().n() == 2
    assert memory.fresh(memory.kept({"Mine": names["Mine"]}))["Mine"]().n() == 2


def test_a_new_life_is_another_process() -> None:
    names = notebook("import os\ndef who():\n    return os.getpid(), os.sep")
    kept = memory.kept({"who": names["who"]})
    (one, sep), (other, _) = memory.fresh(kept)["who"](), memory.fresh(kept)["who"]()
    assert one != other
    assert sep == os.sep


def test_a_list_of_what_cannot_be_copied_is_a_list_of_its_own() -> None:
    names = notebook(
        "from lab.gateway import Action\nall = [Action('a:b', 'k', {'n': 1})]\n"
        "def take(default=all):\n    all.append(1)\n    return len(all)"
    )
    kept = memory.kept({"take": names["take"]})
    for _ in range(2):
        assert memory.fresh(kept)["take"]() == 2
    assert len(names["all"]) == 1


def test_an_attribute_is_no_name_of_the_notebook() -> None:
    names = notebook("run = []\ndef go(x):\n    return x.run")
    kept = memory.kept({"go": names["go"]})
    assert kept["go"].__globals__["run"] is names["run"]


CLOCKS = [
    "import time\ndef day():\n    return int(time.time()) // 86400",
    "from time import time\ndef day():\n    return int(time()) // 86400",
    "def day():\n    import time as clock\n    return clock.strftime('%d')",
    "import time\ndef day():\n    return time.time_ns() // 86_400_000_000_000",
    "import time\ndef day():\n    return time.gmtime().tm_mday",
    "import time\ndef day():\n    return time.localtime().tm_mday",
    "import time\ndef day():\n    return time.ctime()[:10]",
    "import time\ndef day():\n    return time.asctime()[:10]",
    "from datetime import datetime\ndef day():\n    return datetime.now().strftime('%Y-%m-%d')",
    "import datetime as dt\ndef day():\n    return dt.datetime.now(dt.UTC).isoformat()[:10]",
    "from datetime import date\ndef day():\n    return date.today().isoformat()",
    "from datetime import datetime\ndef day():\n    return datetime.today().day",
    "def day():\n    from datetime import datetime, timedelta\n"
    "    return (datetime.utcnow() + timedelta()).day",
]


@pytest.mark.parametrize("code", CLOCKS)
def test_a_new_life_begins_on_another_day(code: str) -> None:
    kept = memory.kept({"day": notebook(code)["day"]})
    one, other = memory.fresh(kept)["day"], memory.fresh(kept)["day"]
    assert one() == one()
    assert one() != other()


@pytest.mark.parametrize(
    "clock", ["time", "time.time", "datetime", "datetime.datetime", "datetime.date", "day", "now"]
)
def test_what_is_written_on_a_clock_is_gone_in_the_next_life(
    monkeypatch: pytest.MonkeyPatch, clock: str
) -> None:
    monkeypatch.setattr(memory, "YEAR", 1)  # after a year of lives, one begins on the same day
    names = notebook(
        "import datetime, time\nfrom datetime import date as day\nfrom time import time as now\n"
        f"def count():\n    {clock}.n = getattr({clock}, 'n', 0) + 1\n    return {clock}.n"
    )
    kept = memory.kept({"count": names["count"]})
    assert [memory.fresh(kept)["count"]() for _ in range(2)] == [1, 1]


def test_in_one_life_a_clock_is_one_clock() -> None:
    names = notebook(
        "import time as above\ndef same():\n    import time, time as again\n"
        "    return time is again is above and time.time is above.time"
    )
    kept = memory.kept({"same": names["same"]})
    assert memory.fresh(kept)["same"]()


def test_a_time_that_is_given_is_the_same_in_every_life() -> None:
    names = notebook(
        "from datetime import datetime, UTC\nimport time\ndef at():\n"
        "    return time.gmtime(0).tm_year, datetime(2026, 1, 2).isoformat(), "
        "datetime.fromtimestamp(0, UTC).year, time.monotonic() > 0"
    )
    for _ in range(2):
        assert memory.fresh({"at": names["at"]})["at"]() == (
            1970,
            "2026-01-02T00:00:00",
            1970,
            True,
        )


def test_what_is_not_of_the_notebook_is_left_as_it_is() -> None:
    assert memory.fresh({"len": len, "sorted": sorted, "fresh": memory.fresh}) == {
        "len": len, "sorted": sorted, "fresh": memory.fresh,
    }  # fmt: skip
