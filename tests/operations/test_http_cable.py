"""The cable is pulled at every byte of the request and of the answer, under every contract."""

from collections import Counter
from collections.abc import Iterator
from itertools import count as numbers_from

import pytest

from lab.faults.clock import ManualClock
from lab.faults.numbers import count
from lab.gateway import REVIEW, SETTLED, Action, Ledger, ProviderContract, Reading
from lab.operations.http_adapter import HttpAdapter
from lab.operations.http_contract import HTTP_CONTRACTS, SCOPE
from lab.operations.http_meaning import Happened, Kind, meaning
from lab.operations.http_provider import HttpProvider
from tests.operations.cable import Cable, Pull, until_quiet
from tests.operations.conftest import START_MS

HOWS = {"request": ("reset", "silence"), "answer": ("reset", "silence", "end")}
LEAST = {"request": 250, "answer": 120}  # bytes; fewer would mean that something was left out
TOKENS = {"t": SCOPE}  # short, as every byte is a run


def pulls(side: str, contract: ProviderContract) -> Iterator[Pull]:
    """Yield a pull at every byte, without an end; each way of pulling comes to every byte once.

    That is, over the contracts: each begins with another way.
    """
    hows, first = HOWS[side], list(HTTP_CONTRACTS).index(contract.name)
    return (Pull(side, at, hows[(at + first) % len(hows)]) for at in numbers_from())


def end_of(pull: Pull, contract: ProviderContract) -> tuple[Kind, str, int, int]:
    """Say what a pull means, and how it ends: the state, the attempts, the effects."""
    if pull.side == "answer":  # it was done
        found = contract.readback is not Reading.NONE
        return Kind.INDEFINITE, SETTLED if found else REVIEW, 1, 1
    if pull.at == 0:
        return Kind.RETRYABLE, SETTLED, 2, 1
    if contract.absence_is_proof:
        return Kind.INDEFINITE, SETTLED, 2, 1
    return Kind.INDEFINITE, REVIEW, 1, 0


@pytest.mark.parametrize("contract", HTTP_CONTRACTS.values(), ids=HTTP_CONTRACTS)
def test_a_cable_pulled_at_any_byte_makes_no_duplicate_and_no_false_claim(
    contract: ProviderContract,
) -> None:
    clock, runs = ManualClock(START_MS), Counter[str]()
    with (
        HttpProvider(":memory:", contract, clock, tokens=TOKENS) as provider,
        Ledger(":memory:", clock) as ledger,
    ):
        for side in HOWS:
            for pull in pulls(side, contract):
                runs[side] += 1
                if not in_the_way(pull, provider, ledger):
                    break
        keys = [row.key for row in ledger.rows()]
        numbers = count(ledger.rows(), provider.effects(), keys)
    print(f"{contract.name}: {runs['request']} + {runs['answer']} runs, {numbers}")
    assert len(keys) == runs.total()
    assert runs >= Counter(LEAST)
    assert numbers.harm == (0, 0, 0, 0)


def in_the_way(pull: Pull, provider: HttpProvider, ledger: Ledger) -> bool:
    """Pull once, go on to the end, and check it; tell whether the pull was in the way at all."""
    cable, heard, contract = Cable(pull), list[Happened](), provider.contract
    adapter = HttpAdapter(
        provider.address, contract, provider.token, heard=heard.append, connect=cable
    )
    action = Action(f"{pull.side}:{pull.at:04}", "letter", {"pull": [*pull]})
    end = until_quiet(action, ledger, adapter, provider.clock)[-1]
    kind, effects = meaning(heard[0], contract).kind, len(provider.effects(action.key))
    expected = end_of(pull, contract) if cable.pulled else (Kind.ACCEPTED, SETTLED, 1, 1)
    assert (kind, end.state, end.attempts, effects) == expected, pull
    return cable.pulled
