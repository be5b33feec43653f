"""The operator's command line: ``python -m lab review``, ``export`` and ``dispatch``.

Each command works on a ledger that is there, and never makes one. It returns 0 where it did what
was asked, 1 where the evidence or a file does not permit it, and 2 where it was asked wrongly; a
sentence on the standard error says why. What is printed of a ledger is redacted.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, NamedTuple, TextIO
from urllib.parse import urlsplit

from lab.gateway import errors
from lab.gateway.actions import Action
from lab.gateway.demo import DemoProvider
from lab.gateway.ledger import Row
from lab.gateway.provider import CONTRACTS, Provider, ProviderContract
from lab.gateway.review import ReviewDesk
from lab.gateway.states import PREPARED
from lab.operations import desk
from lab.operations import export as exporting
from lab.operations.http_adapter import HttpAdapter
from lab.operations.http_contract import HERE
from lab.operations.ledger import OperatorLedger, check_actor
from lab.operations.redact import redact
from lab.operations.tables import Unwritable, aligned, in_ms, moment, span

TOKEN = "LAB_PROVIDER_TOKEN"
"""The environment variable with the token for a provider behind HTTP; arguments can be seen."""

REFUSALS = (
    errors.BrokenContract, errors.DecisionRefused, errors.IllegalTransition, errors.KeyReused,
    errors.UncanonicalPayload, errors.UnsafeKey, errors.VersionConflict, errors.WrongProvider,
)  # fmt: skip
ABOUT_FILES = (errors.StoreError, Unwritable, exporting.WeakKey)

Given = Mapping[str, Any]
"""What stands on the command line, by the name of the option: its text, or True."""


class WrongUse(Exception):
    """A command line that asks for nothing that can be done; the message says what to write."""


def review(database: str, key: str | None = None, **options: Any) -> int:
    """List what waits for a person; or show one action; or decide about it, as `DECISIONS` says."""
    given = _given(options)

    def work(ledger: OperatorLedger) -> Iterator[str]:
        chosen = _chosen(key, given)
        if "actor" in given:
            given["actor"] = check_actor(given["actor"])
        if key is None:
            yield from listed(ledger)
            return
        if not chosen:
            yield from told(ledger, _row(ledger, key))
        for name in chosen:
            yield redact(DECISIONS[name].decide(ledger, _row(ledger, key), given))

    return _run(database, work)


def export(database: str, out: str, open_only: bool = False, digest_key: str | None = None) -> int:
    """Write what may be shown of a ledger into a folder; see `lab.operations.export`."""

    def work(ledger: OperatorLedger) -> Iterator[str]:
        secret = None if digest_key is None else exporting.read_key(digest_key)
        number = exporting.export(ledger, Path(out), open_only, secret)
        yield f"{_counted(number, 'action')}: {Path(out) / exporting.CSV_FILE} and its .json"

    return _run(database, work)


def dispatch(database: str, **options: Any) -> int:
    """Say whether attempts may begin, by whom and since when; or stop them, or allow them again."""
    given = _given(options)

    def work(ledger: OperatorLedger) -> Iterator[str]:
        turns = {"stop": ledger.stop_dispatch, "allow": ledger.allow_dispatch}
        asked = [name for name in turns if name in given]
        if len(asked) > 1:
            raise WrongUse("dispatch is stopped or allowed: give --stop or --allow, not both")
        if asked and not {"actor", "because"} <= given.keys():
            raise WrongUse(f"--{asked[0]} needs --actor NAME and --because TEXT")
        if given and not asked:
            raise WrongUse("nothing was changed: give --stop or --allow with --actor and --because")
        for name in asked:
            turns[name](given["actor"], given["because"])
        yield switched(ledger)

    return _run(database, work)


def listed(ledger: OperatorLedger) -> Iterator[str]:
    """Tell what waits for a person, as a table with what waits longest on top."""
    rows = [("no.", "key", "state", "for", "attempts", "what is known")]
    for row, _, age in desk.open_rows(ledger):
        of = f"{row.attempts} of {row.attempts_allowed}"
        rows.append((str(row.number), row.key, row.state, span(age), of, row.evidence))
    yield _table(rows) if len(rows) > 1 else "Nothing waits for a person."
    if prepared := ledger.counts()[PREPARED]:
        yield f"{_counted(prepared, 'action')} in PREPARED: for a worker, not for a person."
    if not ledger.may_dispatch():
        yield switched(ledger)


def told(ledger: OperatorLedger, row: Row) -> Iterator[str]:
    """Tell all that is known of one action, and what may be done about it now."""
    _, since, age = desk.waiting(ledger, row)
    yield _table(
        (
            ("key", row.key),
            ("kind", row.kind),
            ("state", f"{row.state}{' (closed)' * row.closed}"),
            ("since", f"{moment(since)}, {span(age)}"),
            ("attempts", f"{row.attempts} of {row.attempts_allowed}"),
            ("provider", row.provider or "none yet"),
            ("receipt", row.receipt or "none"),
            ("known", row.evidence),
        )
    )
    yield "\nWhat happened"
    yield _table(
        [
            (moment(one["at"]), one["actor"], one["source"] or "", one["target"], one["evidence"])
            for one in ledger.events(row.key)
        ]
    )
    if notes := ledger.notes(row.key):
        yield "\nNotes"
        yield _table([(moment(note.at), note.actor, note.text) for note in notes])
    yield "\nWhat may be done"
    yield _table(
        [
            (
                f"--{one.name}",
                "yes" if one.legal else "no",
                f"{one.does}{one.why and f' ({one.why})'}",
            )
            for one in desk.choices(row, ledger.now(row))
        ]
    )


def switched(ledger: OperatorLedger) -> str:
    """Say whether dispatch is allowed, by whom and since when."""
    turns = ledger.switches()
    if not turns:
        return "Dispatch is allowed; nobody ever stopped it."
    last = turns[-1]
    state = "allowed" if last.allowed else "stopped"
    return redact(f"Dispatch is {state} since {moment(last.at)}, by {last.actor}: {last.reason}")


class Decision(NamedTuple):
    """One thing to do about an action: what it needs besides, what it may have, and how."""

    needs: tuple[str, ...]
    may: tuple[str, ...]
    decide: Callable[[OperatorLedger, Row, Given], str]


def _recheck(ledger: OperatorLedger, row: Row, given: Given) -> str:
    action = _action(given["recheck"])
    if action.key != row.key:
        raise WrongUse(f"{given['recheck']} is about {redact(action.key)}, not {redact(row.key)}")
    ledger.actor = given["actor"]
    with _provider(given["provider"], _contract(row, given)) as provider:
        readback, row = desk.recheck(action, ledger, provider)
    said = ", ".join(readback.candidates) or readback.receipt or readback.note
    return f"The provider says: {readback.verdict.value}{said and f' ({said})'}. {_now(row)}"


def _receipt(ledger: OperatorLedger, row: Row, given: Given) -> str:
    person = ReviewDesk(ledger, given["actor"])
    return _now(person.record_receipt(row, given["receipt"], given["because"]))


def _approve(ledger: OperatorLedger, row: Row, given: Given) -> str:
    now, written = ledger.now(row), given["seen_at"]
    try:
        seen_at = now if written == "now" else in_ms(written)
    except ValueError:
        raise WrongUse(f"--seen-at {written} is no time: write now, or {moment(now)}") from None
    row = ReviewDesk(ledger, given["actor"]).approve_attempt(
        row, _contract(row, given), given["because"], seen_at, "accept_risk" in given
    )
    return f"{_now(row)} One more attempt may begin."


def _close(ledger: OperatorLedger, row: Row, given: Given) -> str:
    row = ReviewDesk(ledger, given["actor"]).close(row, given["because"])
    return f"{_now(row)} It is off the desk."


def _note(ledger: OperatorLedger, row: Row, given: Given) -> str:
    ledger.note(row.key, given["note"], given["actor"])
    return f"{row.key}: noted."


def _minutes(ledger: OperatorLedger, row: Row, given: Given) -> str:
    try:
        minutes = Decimal(given["minutes"])
    except InvalidOperation:
        raise WrongUse(f"--minutes {given['minutes']} is no number: write 4, or 2.5") from None
    ledger.reviewed(row.key, minutes, given["actor"], "incident" in given)
    return f"{row.key}: {minutes} minutes are recorded."


DECISIONS = {
    "recheck": Decision(("actor", "provider"), ("contract",), _recheck),
    "receipt": Decision(("actor", "because"), (), _receipt),
    "approve": Decision(("actor", "because", "seen_at"), ("contract", "accept_risk"), _approve),
    "close": Decision(("actor", "because"), (), _close),
    "note": Decision(("actor",), (), _note),
    "minutes": Decision(("actor",), ("incident",), _minutes),
}
"""By the name of the option. One a call; ``minutes`` may stand beside another."""


def _given(options: Given) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value not in (None, False)}


def _chosen(key: str | None, given: Given) -> list[str]:
    """Return the decisions that are asked for, once it is clear that they can be taken."""
    chosen = [name for name in DECISIONS if name in given]
    if len(set(chosen) - {"minutes"}) > 1:
        raise WrongUse(f"one decision a call: {_options(chosen)} are several")
    if chosen and key is None:
        raise WrongUse("a decision is about one action: name its KEY")
    for name in chosen:
        if missing := [need for need in DECISIONS[name].needs if need not in given]:
            raise WrongUse(f"{_options([name])} needs {_options(missing)}")
    used = {one for name in chosen for one in (name, *DECISIONS[name].needs, *DECISIONS[name].may)}
    if stray := [name for name in given if name not in used]:
        raise WrongUse(f"{_options(stray)} belongs to no decision on this line")
    return chosen


def _options(names: Sequence[str]) -> str:
    return " and ".join(f"--{name.replace('_', '-')}" for name in names)


def _row(ledger: OperatorLedger, key: str) -> Row:
    """Find an action by its key, or by its number in the list: a shown key may be redacted."""
    row = ledger.get(key)
    if row is None and key.isdecimal():
        row = next((one for one in ledger.rows() if str(one.number) == key), None)
    if row is None:
        raise errors.DecisionRefused(f"{key} is not in this ledger; check the key")
    return row


def _contract(row: Row, given: Given) -> ProviderContract:
    name = given.get("contract", row.provider)
    if name not in CONTRACTS:
        raise WrongUse(
            f"no contract is named {redact(str(name))}: give --contract {'|'.join(CONTRACTS)}"
        )
    return CONTRACTS[name]


@contextmanager
def _provider(place: str, contract: ProviderContract) -> Iterator[Provider]:
    """Open a provider to ask it: a demo provider's file, or one behind HTTP on this machine."""
    if "://" not in place:
        _check_there(place)
        with DemoProvider(place, contract) as provider:
            yield provider
        return
    try:
        address = urlsplit(place)
        if (address.scheme, address.hostname) != ("http", HERE):
            raise ValueError("a token in clear stays on this machine")
        where = (HERE, address.port or 80)
        adapter = HttpAdapter(where, contract, os.environ.get(TOKEN, ""))
    except ValueError as error:
        raise WrongUse(f"{place}: {error}; write http://{HERE}:PORT") from None
    yield adapter


def _action(file: str) -> Action:
    """Read an action from a file of JSON: {"key": …, "kind": …, "payload": {…}}."""
    try:
        data = json.loads(Path(file).read_text("utf-8"))
        return Action(**{name: data.pop(name) for name in ("key", "kind", "payload")}, **data)
    except OSError as error:
        raise WrongUse(f"{file} cannot be read: {error.strerror}") from None
    except REFUSALS:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise WrongUse(
            f'{file} holds no action: write {{"key": …, "kind": …, "payload": {{…}}}} as JSON'
        ) from None


def _now(row: Row) -> str:
    return f"{row.key} is {row.state}{f' with {row.receipt}' if row.receipt else ''}."


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _table(rows: Sequence[Sequence[str]]) -> str:
    return aligned([[redact(cell) for cell in row] for row in rows])


def _check_there(file: str) -> None:
    """Refuse a file that is not there, or is empty: opening it would make a new one."""
    if os.path.isdir(file):
        raise WrongUse(f"{file} is a folder; name the ledger in it, as in {file}/operator.sqlite3")
    if not os.path.isfile(file) or os.path.getsize(file) == 0:
        raise WrongUse(f"{file} is not there, or is empty; check the path. Nothing was made")


def _run(database: str, work: Callable[[OperatorLedger], Iterator[str]]) -> int:
    """Open a ledger, print what the work has to say, and return the exit code."""
    try:
        _check_there(database)
        with OperatorLedger(database, actor="operator") as ledger:
            for text in work(ledger):
                _say(text, sys.stdout)
        return 0
    except WrongUse as wrong:
        _say(f"{wrong}.", sys.stderr)
        return 2
    except ABOUT_FILES as trouble:
        _say(str(trouble), sys.stderr)
        return 1
    except REFUSALS as refusal:
        _say(redact(str(refusal)), sys.stderr)
        return 1


def _say(text: str, stream: TextIO) -> None:
    """Print a text; signs that the stream cannot write are spelled out."""
    encoding = stream.encoding or "utf-8"
    print(text.encode(encoding, "backslashreplace").decode(encoding), file=stream)
