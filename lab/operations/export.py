"""Writes what may be shown of a ledger: ``actions.csv`` and ``actions.json``, one action a row.

Both files hold the same `COLUMNS`, and nothing else:

- ``key``, ``kind``, ``state``, ``attempts``: as in the ledger
- ``receipt``: the provider's name for the effect; empty where there is none
- ``note``: what operators noted, oldest first, each with who wrote it
- ``actor``: who made the last change
- ``created``, ``updated``: the first and the last change, ISO 8601 in UTC
- ``events``: every change, oldest first; in JSON as objects with `EVENT`, in CSV as one text

A ledger holds no payloads, and their hashes stay in it: who guesses a payload knows it by its hash.
`DIGEST`, on request, is the hash under a key that only its owner has. Every text is redacted
(`lab.operations.redact`), with a ``'`` before it where a spreadsheet would take it for a formula.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lab.gateway.ledger import Row
from lab.operations.ledger import OperatorLedger
from lab.operations.redact import redact
from lab.operations.tables import csv_table, moment, put, safe

COLUMNS = ("key", "kind", "state", "attempts", "receipt", "note", "actor", "created", "updated",
           "events")  # fmt: skip
EVENT = ("sequence", "attempt", "from", "to", "actor", "at", "evidence", "request_id")
"""What is written of one event. ``from`` is empty in an action's first one, ``request_id`` where
no attempt was begun."""
DIGEST = "digest"
"""A further column on request: HMAC-SHA-256 (RFC 2104) of the payload hash, in hex."""
SHORTEST_KEY = 16  # bytes: 128 bits are out of reach of guessing
CSV_FILE, JSON_FILE = "actions.csv", "actions.json"


class WeakKey(ValueError):
    """A key for digests that could be guessed, or that cannot be read."""


def export(
    ledger: OperatorLedger, out: Path, open_only: bool = False, digest_key: bytes | None = None
) -> int:
    """Write both files into a folder, which is made if absent; return how many actions they hold.

    An earlier export is replaced, each file as a whole; nothing else in the folder is touched.
    ``open_only`` leaves out what is settled, or closed by a person.

    Raises:
        Unwritable: a file cannot be written.
        StoreError: the ledger cannot be read.
    """
    actions = exported(ledger, open_only, digest_key)
    columns = (*COLUMNS, DIGEST) if digest_key is not None else COLUMNS
    in_a_line = [{**action, "events": _line(action["events"])} for action in actions]
    put(out / CSV_FILE, csv_table(columns, in_a_line))
    put(out / JSON_FILE, json.dumps(actions, indent=1, ensure_ascii=False))
    return len(actions)


def exported(
    ledger: OperatorLedger, open_only: bool = False, digest_key: bytes | None = None
) -> list[dict[str, Any]]:
    """Return what may be shown of each action, oldest first, as `json` can write it."""
    actions = []
    for row in ledger.rows(open_only):
        actions.append(_action(row, ledger))
        if digest_key is not None:
            digest = hmac.new(digest_key, row.payload_hash.encode(), "sha256")
            actions[-1][DIGEST] = digest.hexdigest()
    return actions


def read_key(file: str) -> bytes:
    """Return the bytes of a key for digests.

    Raises:
        WeakKey: the file cannot be read, or holds fewer than `SHORTEST_KEY` bytes.
    """
    try:
        key = Path(file).read_bytes()
    except OSError as error:
        raise WeakKey(
            f"{file} cannot be read ({error.strerror}); name the file of the key"
        ) from None
    if len(key) < SHORTEST_KEY:
        raise WeakKey(
            f"{file} holds {len(key)} bytes, which could be guessed; a key has {SHORTEST_KEY} or "
            "more, of random bytes"
        )
    return key


def shown(value: Any) -> Any:
    """Return a value as it may be shown: a text redacted and defused, nothing as an empty text."""
    return safe(redact(value)) if isinstance(value, str) else "" if value is None else value


def _line(events: Iterable[dict[str, Any]]) -> str:
    """Write the events of one action as one text."""
    return " | ".join(
        f"{one['sequence']}: {one['at']} {one['from'] or 'start'} to {one['to']}, "
        f"attempt {one['attempt']}, by {one['actor']}: {one['evidence']}"
        + (f" ({one['request_id']})" if one["request_id"] else "")
        for one in events
    )


def _action(row: Row, ledger: OperatorLedger) -> dict[str, Any]:
    # Events that came after the row was read would contradict it.
    listed = [_event(one) for one in ledger.events(row.key) if one["sequence"] <= row.version]
    notes = (shown(f"{note.actor}: {note.text}") for note in ledger.notes(row.key))
    times = {"created": listed[0]["at"], "updated": moment(row.updated_at)}
    known = row._asdict() | times | {"note": " | ".join(notes)}
    return {name: shown(known[name]) for name in COLUMNS[:-1]} | {"events": listed}


def _event(event: dict[str, Any]) -> dict[str, Any]:
    names = {"from": event["source"], "to": event["target"], "at": moment(event["at"])}
    return {name: shown((event | names)[name]) for name in EVENT}
