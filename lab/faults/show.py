"""Prints a run as text: what each side knows, and what happened to one action."""

from __future__ import annotations

from lab.gateway import DemoProvider, Ledger


def two_truths(ledger: Ledger, provider: DemoProvider, *keys: str) -> None:
    """Print, side by side, what the gateway knows and what the provider holds for each key."""
    named = keys or tuple(row.key for row in ledger.rows())
    width = max([len("key"), *map(len, named)])
    print(f"{'key':{width}}  {'the gateway knows':26}  the provider holds")
    for key in named:
        row = ledger.get(key)
        known = f"{row.state}, {_count(row.attempts, 'attempt')}" if row else "nothing"
        effects, requests = len(provider.effects(key)), len(provider.requests(key))
        held = f"{_count(effects, 'effect')} from {_count(requests, 'request')}"
        print(f"{key:{width}}  {known:26}  {held}")


def story(ledger: Ledger, key: str) -> None:
    """Print what happened to one action, a line an event, oldest first."""
    for event in ledger.events(key):
        move = f"{event['source'] or 'start'} -> {event['target']}"
        seconds = f"{event['at'] / 1000:g} s"
        attempt = f"attempt {event['attempt']}" if event["attempt"] else "no attempt"
        print(f"{seconds:>7}  {event['actor']:8}  {move:20}  {attempt:10}  {event['evidence']}")


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"
