"""Prints a run as text: what each side knows, and what happened to one action."""

from __future__ import annotations

import textwrap

from lab.gateway import DemoProvider, Ledger, Row


def two_truths(ledger: Ledger, provider: DemoProvider, *keys: str) -> None:
    """Print, side by side, what the gateway knows and what the provider holds for each key."""
    named = keys or tuple(row.key for row in ledger.rows())
    lines = [("key", "the gateway knows", "the provider holds")]
    for key in named:
        row = ledger.get(key)
        done = held(len(provider.effects(key)), len(provider.requests(key)))
        lines.append((key, known(row) if row else "nothing", done))
    first, second = (max(len(line[column]) for line in lines) for column in (0, 1))
    for key, knows, holds in lines:
        print(f"{key:{first}}  {knows:{second}}  {holds}")


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


def known(row: Row) -> str:
    """Say what the ledger knows of an action: PREPARED, 1 attempt."""
    return f"{row.state}, {counted(row.attempts, 'attempt')}"


def held(effects: int, requests: int, duplicates: int = 0) -> str:
    """Say what the provider holds: 2 effects from 3 requests, and duplicates where there are."""
    said = f"{counted(effects, 'effect')} from {counted(requests, 'request')}"
    return said + (f", {counted(duplicates, 'duplicate')}" if duplicates else "")


def counted(number: int, thing: str) -> str:
    """Write a number of things: 1 effect, 2 effects."""
    return f"{number} {thing}{'' if number == 1 else 's'}"
