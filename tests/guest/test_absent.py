"""What an exercise asks for is not lent, however it is imported; all else is there and works."""

import importlib.util
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from lab import gateway
from lab.exercises.bench import Player
from lab.grading.lives import Answer, Nursery
from lab.guest.absent import Absent, Elsewhere
from lab.guest.walls import Rules
from lab.guest.written import Asked, Source
from tests.grading.containing import WAYS, contained

OWN = {
    "on_found": "def on_found(*_): return 1",
    "attempt": "def attempt(*_): return 1",
    "Ledger.prepare": "class Ledger:\n    def prepare(self, action): return 1",
}


@pytest.fixture(scope="module", params=WAYS)
def nursery(request: pytest.FixtureRequest) -> Iterator[Nursery]:
    nursery = Nursery(request.param, Rules(cpu_s=2))
    yield nursery
    nursery.close()


def look(nursery: Nursery, asked: str, above: str, says: str) -> object:
    """Return what ``says``, an expression, comes to where something is asked for.

    ``above`` is run before the learner's own definition of it.
    """
    parts = [*above.splitlines(), OWN[asked], f"def f(): return {says}"]
    wanted = Asked((asked, "f"), ("action",) if "." in asked else ())
    answer = Answer(nursery, wanted, [Source(1, "\n".join(parts), range(len(parts)))], 5)
    answer.tried()
    return Player(answer).call("f")


IMPORTED = [
    "from lab.gateway import on_found as theirs",
    "from lab.gateway import *\ntheirs = on_found",
    "import lab.gateway\ntheirs = lab.gateway.on_found",
    "import lab.gateway as g\ntheirs = getattr(g, 'on_found')",
    "from lab.gateway.dispatch import on_found as theirs",
    "from lab.gateway import dispatch\ntheirs = dispatch.on_found",
    "import importlib\ntheirs = importlib.import_module('lab.gateway.dispatch').on_found",
    "theirs = __import__('lab.gateway').gateway.on_found",
    "import sys\ntheirs = vars(sys.modules['lab.gateway'])['on_found']",
    "from lab.gateway import VERDICTS, Verdict\ntheirs = VERDICTS[Verdict.FOUND]",
]


@pytest.mark.parametrize("above", IMPORTED)
def test_what_is_asked_for_is_not_lent(nursery: Nursery, above: str) -> None:
    with pytest.raises(RuntimeError, match=r"^on_found is what this exercise asks for"):
        look(nursery, "on_found", above, "theirs(1, 2)")


def test_no_default_lends_it(nursery: Nursery) -> None:
    above = "from lab.gateway import execute"
    says = "[type(one).__name__ for one in execute.__defaults__]"
    assert "Absent" in look(nursery, "attempt", above, says)


def test_a_method_is_not_lent_and_the_others_are(nursery: Nursery) -> None:
    above = "from lab.gateway import Ledger as Theirs, Action"
    with pytest.raises(RuntimeError, match=r"^Ledger\.prepare is what this exercise asks for"):
        look(nursery, "Ledger.prepare", above, "Theirs(':memory:').prepare(Action('a:b', 'k', {}))")
    assert look(nursery, "Ledger.prepare", above, "Theirs(':memory:').rows()") == []


def test_all_else_is_there(nursery: Nursery) -> None:
    above = "import lab.gateway as g"
    says = "[name for name, one in vars(g).items() if type(one).__name__ == 'Absent']"
    assert look(nursery, "on_found", above, says) == ["on_found"]
    key = look(nursery, "on_found", above, "g.action_key('welcome', 'lead-202', 'v1')")
    assert key == gateway.action_key("welcome", "lead-202", "v1")


@contained
@pytest.mark.parametrize(
    ("above", "says"),
    [
        ("from lab.widgets import restart", "restart()"),
        ("from lab.exercises import predict as ask", "ask(1)"),
        ("from lab.exercises.asked.on_found import exercise", "exercise.solved"),
        ("import lab.faults.world as world", "world.World(1)"),
        ("from IPython.display import display", "display(1)"),
        ("import ipywidgets", "ipywidgets.Button()"),
    ],
)
def test_what_lessons_import_is_missed_only_where_it_is_used(above: str, says: str) -> None:
    nursery = Nursery(True, Rules(cpu_s=2))
    try:
        assert look(nursery, "on_found", above, "1") == 1
        with pytest.raises(RuntimeError, match="is not there while an answer is graded"):
            look(nursery, "on_found", above, says)
    finally:
        nursery.close()


def test_an_absent_thing_says_why_whatever_is_tried() -> None:
    absent = Absent("on_found", "it is asked for")
    with pytest.raises(RuntimeError, match="it is asked for"):
        absent(1, two=2)
    with pytest.raises(RuntimeError, match="it is asked for"):
        print(absent.anything)
    assert not hasattr(absent, "__wrapped__")  # tools that look for such names are not stopped


def test_other_modules_are_left_to_others() -> None:
    assert Elsewhere().find_spec("numpy", None) is None
    assert Elsewhere().find_spec("laboratory", None) is None


def test_a_module_from_elsewhere_answers_every_name() -> None:
    spec = Elsewhere().find_spec("lab.widgets", None)
    assert spec is not None
    module: ModuleType = importlib.util.module_from_spec(spec)
    assert spec.loader is not None
    spec.loader.exec_module(module)
    with pytest.raises(RuntimeError, match=r"^restart of lab\.widgets is not there"):
        module.restart()
    assert not hasattr(module, "__all__")
    assert module.__name__ != getattr(sys.modules.get("lab.gateway"), "__name__", "")
