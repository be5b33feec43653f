"""Prints a run as text: what each side knows, and what happened to one action."""

from __future__ import annotations

import textwrap

from lab.gateway import DemoProvider, Ledger


def two_truths(ledger: Ledger, provider: DemoProvider, *keys: str) -> None:
    """Print, side by side, what the gateway knows and what the provider holds for each key."""
    named = keys or tuple(row.key for row in ledger.rows())
    lines = [("key", "the gateway knows", "the provider holds")]
    for key in named:
        row = ledger.get(key)
        known = f"{row.state}, {_count(row.attempts, 'attempt')}" if row else "nothing"
        effects, requests = len(provider.effects(key)), len(provider.requests(key))
        held = f"{_count(effects, 'effect')} from {_count(requests, 'request')}"
        lines.append((key, known, held))
    first, second = (max(len(line[column]) for line in lines) for column in (0, 1))
    for key, known, held in lines:
        print(f"{key:{first}}  {known:{second}}  {held}")


def story(ledger: Ledger, key: str) -> None:
    """Print what happened to one action, a line an event, oldest first."""
    events = ledger.events(key)
    width = max((len(event["actor"]) for event in events), default=0)
    for event in events:
        move = f"{event['source'] or 'start'} -> {event['target']}"
        seconds = f"{event['at'] / 1000:g} s"
        attempt = f"attempt {event['attempt']}" if event["attempt"] else ""
        who = f"{event['actor']:{width}}"
        print(f"{seconds:>5}  {who}  {move:19}  {attempt:9}  {event['evidence']}")


def say(text: str, width: int = 74, indent: str = "  ") -> None:
    """Print a text in lines that fit beside an open list of files, at 1024 pixels."""
    print(textwrap.fill(text, width, subsequent_indent=indent, break_on_hyphens=False))


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"
