"""The bench answers for what it offers, and for nothing else; who is dead makes no further step."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from lab.exercises.bench import Circles, Player, SqlConnection, Unfit, in_this_process
from lab.exercises.stage import fit
from lab.faults.clock import ManualClock
from lab.faults.steps import STEPS, Crash
from lab.gateway import (
    KEYED,
    Action,
    DemoProvider,
    KeyReused,
    Ledger,
    NotExecuted,
    Outcome,
    Row,
    VersionConflict,
)
from lab.guest import wire
from lab.guest.life import OFFERED

ACTION = Action("welcome:lead-202:v1", "welcome_email", {"lead": "lead-202"})
PARTS = ("action", "row", "ledger", "provider")


def player_of(code: str) -> Player:
    """Return a player of what some code of a notebook defines under the name ``piece``."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(code, names)
    return Player(in_this_process({"piece": names["piece"]}))


@pytest.fixture
def things() -> Mapping[str, Any]:
    clock = ManualClock()
    return {
        "ledger": Ledger(":memory:", clock),
        "provider": DemoProvider(":memory:", KEYED, clock),
        "clock": clock,
    }


def call(code: str, things: Mapping[str, Any], *values: Any) -> Any:
    held = [*values, things["ledger"], things["provider"]]
    return player_of(code).call("piece", *held, things=things)


def test_a_step_is_made_at_the_bench(things: Mapping[str, Any]) -> None:
    row = call("def piece(a, ledger, p): return ledger.prepare(a)", things, ACTION)
    assert type(row) is Row
    assert things["ledger"].get(ACTION.key) == row


def test_the_contract_is_told_and_the_clock_is_read(things: Mapping[str, Any]) -> None:
    things["clock"].advance(7)
    told = call("def piece(ledger, p): return p.contract, ledger.now(), ledger.clock()", things)
    assert told == (KEYED, 7, 7)


def test_an_error_of_a_step_reaches_the_learner_as_itself(things: Mapping[str, Any]) -> None:
    other = Action(ACTION.key, ACTION.kind, {"lead": "lead-999"})
    code = (
        "from lab.gateway import KeyReused\n"
        "def piece(a, b, ledger, p):\n    ledger.prepare(a)\n    try:\n        ledger.prepare(b)\n"
        "    except KeyReused as refusal:\n        return str(refusal)"
    )
    assert call(code, things, ACTION, other) == str(KeyReused(ACTION.key))


@pytest.mark.parametrize("error", ["VersionConflict('k')", "NotExecuted('no', retryable=False)"])
def test_an_error_of_the_learner_reaches_the_gateway_as_itself(
    things: Mapping[str, Any], error: str
) -> None:
    code = f"from lab.gateway import *\ndef piece(ledger, p):\n    raise {error}"
    with pytest.raises((VersionConflict, NotExecuted)) as caught:
        call(code, things)
    assert getattr(caught.value, "retryable", False) is False


@pytest.mark.parametrize(
    "ask",
    ["ledger._db", "ledger._write('DELETE FROM actions')", "ledger.close()", "provider.effects()",
     "provider.faults", "provider.requests()", "provider.clock", "ledger.transaction()",
     "provider.enter_by_hand(action)", "ledger.settle.__self__", "ledger.SCHEMA"],
)  # fmt: skip
def test_nothing_else_is_offered(things: Mapping[str, Any], ask: str) -> None:
    code = f"def piece(action, ledger, provider): return {ask}"
    with pytest.raises(AttributeError):
        call(code, things, ACTION)


def test_the_bench_refuses_what_it_does_not_offer_even_when_it_is_asked_past_the_proxy(
    things: Mapping[str, Any],
) -> None:
    code = (
        "def piece(action, ledger, provider):\n"
        "    object.__getattribute__(provider, '_ask')('effects')"
    )
    with pytest.raises(wire.CannotPass):
        call(code, things, ACTION)


def test_what_is_offered_is_there_and_is_documented() -> None:
    kinds = {"ledger": Ledger, "provider": DemoProvider, "connection": SqlConnection}
    for name, kind in kinds.items():
        for method in OFFERED[name].methods:
            if (name, method) != ("ledger", "clock"):
                assert getattr(kind, method).__doc__, (name, method)
    assert set(OFFERED["ledger"].methods) | set(OFFERED["provider"].methods) >= STEPS


def test_only_text_passes(things: Mapping[str, Any]) -> None:
    passed: list[str] = []
    player = player_of("def piece(action, ledger, provider): return ledger.prepare(action)")
    spawn = player.spawn

    class Listening:
        def __init__(self) -> None:
            self.life = spawn()

        def run(self, message: str, step: Any) -> str:
            def heard(asked: str) -> str:
                passed.extend((asked, step(asked)))
                return passed[-1]

            passed.append(message)
            passed.append(self.life.run(message, heard))
            return passed[-1]

        def close(self) -> None:
            self.life.close()

    player.spawn = Listening
    player.call("piece", ACTION, things["ledger"], things["provider"], things=things)
    assert len(passed) == 4
    for text in passed:
        assert type(text) is str
        json.loads(text)


SWALLOWS = """
def piece(action, ledger, provider):
    try:
        ledger.prepare(action)
    except BaseException:
        pass
    try:
        provider.perform(action, 1)
    except BaseException:
        pass
    return "alive"
"""


def test_who_was_killed_makes_no_further_step_and_says_nothing(things: Mapping[str, Any]) -> None:
    player = player_of(SWALLOWS)

    asked: list[str] = []

    def die(thing: str, step: str) -> None:
        asked.append(step)
        if step == "prepare":
            raise Crash

    player.watch = die
    with pytest.raises(Crash):
        player.call("piece", ACTION, things["ledger"], things["provider"], things=things)
    assert things["ledger"].rows() == []
    assert things["provider"].requests() == []
    assert asked == ["prepare"]


def test_a_worker_has_one_ledger_all_its_life(things: Mapping[str, Any]) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(
        "from lab.gateway import Ledger as Base\nclass Ledger(Base):\n"
        "    def prepare(self, action):\n"
        "        self.calls = getattr(self, 'calls', 0) + 1\n        return self.calls\n",
        names,
    )
    player = Player(in_this_process({"Ledger": names["Ledger"]}))
    ledger = things["ledger"]
    held = {"self": ledger, "connection": SqlConnection(ledger), "clock": ledger.clock}
    for _ in range(2):
        with player.life():
            told = [player.call("Ledger.prepare", ACTION, things=held) for _ in range(2)]
        assert told == [1, 2]


def test_who_asks_for_ever_is_ended(things: Mapping[str, Any]) -> None:
    player = player_of("def piece(ledger, p):\n    while True:\n        ledger.get('a')")
    with pytest.raises(Circles):
        player.call("piece", things["ledger"], things["provider"], things=things)
    assert player.endless


def test_calls_of_one_life_share_a_memory_and_lives_do_not() -> None:
    player = player_of("seen = []\ndef piece():\n    seen.append(1)\n    return len(seen)")
    with player.life():
        assert [player.call("piece"), player.call("piece")] == [1, 2]
    assert player.call("piece") == 1


def test_an_error_says_the_learners_own_line(things: Mapping[str, Any]) -> None:
    player = player_of("def piece(ledger, p):\n    x = 1\n    ledger.get(x, x)\n")
    with pytest.raises(TypeError):
        player.call("piece", things["ledger"], things["provider"], things=things)
    assert player.said is not None
    assert (player.said.name, player.said.line) == ("TypeError", 3)


@pytest.mark.parametrize(
    "value", ["'sent'", "5", "object()", "[None]", "('a', 'b')", "NotImplemented"]
)
def test_a_piece_of_the_gateway_returns_an_outcome_or_nothing(value: str) -> None:
    with pytest.raises(Unfit):
        fit(player_of(f"def piece(): return {value}").call("piece"))


def test_an_outcome_and_nothing_are_fit() -> None:
    assert fit(None) is None
    assert fit(Outcome("k", "SETTLED", 1, "sent", "r")) is not None


def test_a_statement_is_made_at_the_bench_and_its_rows_come_back(things: Mapping[str, Any]) -> None:
    ledger = things["ledger"]
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(
        "from lab.gateway import Ledger as Base\nclass Ledger(Base):\n"
        "    def prepare(self, action):\n"
        "        one = self._db.execute('SELECT 1 UNION SELECT 2 ORDER BY 1')\n"
        "        return [one.fetchone(), one.fetchall(), list(self._db.execute('SELECT 3')),\n"
        "                self._dicts('SELECT 4 AS four'), self.clock(), self.actor]\n",
        names,
    )
    player = Player(in_this_process({"Ledger": names["Ledger"]}))
    held = {"self": ledger, "connection": SqlConnection(ledger), "clock": ledger.clock}
    told = player.call("Ledger.prepare", ACTION, things=held)
    assert told == [(1,), [(2,)], [(3,)], [{"four": 4}], 0, "worker"]
