"""What an export shows, what it never shows, and how its files come to stand there."""

import csv
import hashlib
import hmac
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from lab.faults.clock import ManualClock
from lab.gateway import REVIEW, SETTLED, UNKNOWN, Action, Ledger, ReviewDesk
from lab.operations.export import (
    COLUMNS,
    DIGEST,
    EVENT,
    WeakKey,
    export,
    exported,
    read_key,
)
from lab.operations.ledger import OperatorLedger
from lab.operations.tables import Unwritable, aligned, in_ms, moment, safe, span

RAW = (
    "ada@example.com",
    "ａｄａ＠ｅｘａｍｐｌｅ．ｏｒｇ",
    "+49 151 23456789",
    "127.0.0.1",
    "4111111111111111",
    "4111 1111 1111 1111",
    "3782-822463-10005",
    "sk_live_51HqLyjWDarjtT1",
    "ghp_abcdefghijklmnop",
    "password=hunter2",
    "Bearer abcdef123456",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
    "d41d8cd98f00b204e9800998ecf8427e",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\x1b[31mred\x1b[0m",
    "\u202eevil\u202c",
)
FORMULAS = ("=1+1", "+1", "-1+2", "@SUM(A1)", "\t=1", "  =1", "＝1", "x;=1", '=HYPERLINK("h","x")')


@pytest.fixture
def seeded(ledger_path: Path, clock: ManualClock) -> Iterator[OperatorLedger]:
    """Return a ledger with something raw in every text that can be written, by any way there is."""
    with OperatorLedger(ledger_path, clock, actor="worker") as ledger:
        for number, raw in enumerate((*RAW, *FORMULAS)):
            through_the_api(ledger, f"a-{number}", raw)
        for raw in (*RAW, *FORMULAS):
            by_sql(ledger_path, raw)
        yield ledger


def through_the_api(ledger: OperatorLedger, key: str, raw: str) -> None:
    """Write a text wherever a method takes it: evidence, actor, receipt, note."""
    row = ledger.begin(Action(key, "welcome_email", {"to": raw}), None, "keyed")
    row = ledger.change(row, UNKNOWN, raw, actor=raw)
    row = ledger.change(row, REVIEW, f"{raw} {raw}", actor=raw)
    ledger.note(key, raw, "ada")
    ledger.note(key, f"told {raw} so", "ada")
    row = ReviewDesk(ledger, raw).close(row, raw)
    if raw.isprintable():
        ledger.settle(row, f"{raw}, {key}", raw, actor=raw)


def by_sql(path: Path, raw: str) -> None:
    """Write a text where the API refuses it: key, kind, and the names of people."""
    with sqlite3.connect(path) as db:
        db.execute(
            "INSERT INTO actions (number, key, kind, payload_hash, updated_at, actor, evidence) "
            "VALUES ((SELECT max(number) + 1 FROM actions), ?, ?, 'hash', 1000, ?, ?)",
            (raw, raw, raw, raw),
        )
        db.execute("INSERT INTO notes (actor, at, key, text) VALUES (?, 1, ?, ?)", (raw, raw, raw))
        db.execute(
            "UPDATE actions SET state = 'UNKNOWN', attempts = 1, version = 2, about = 1, "
            "provider = ?, send_by = 0 WHERE key = ?",
            (raw, raw),
        )
        db.execute(
            "UPDATE actions SET state = 'SETTLED', version = 3, receipt = ?, send_by = NULL, "
            "evidence = ? WHERE key = ?",
            (raw, raw, raw),
        )
    db.close()


def cells(out: Path) -> list[dict[str, str]]:
    with (out / "actions.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def texts(value: object) -> Iterator[str]:
    """Yield every text in data of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from texts(one)


def test_nothing_raw_is_in_an_export(seeded: OperatorLedger, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert export(seeded, out, digest_key=b"0123456789abcdef") == 2 * len(RAW + FORMULAS)
    for name in ("actions.csv", "actions.json"):
        text = (out / name).read_text("utf-8-sig")
        assert [raw for raw in RAW if raw in text] == []
        assert not {"<", ">", "\x1b", "\u202e"} & set(text)
        for raw in ("hunter2", "1111", "example", "23456789", "51Hq", "klmnop", "d41d8cd9"):
            assert raw not in text


def test_no_text_of_an_export_is_run_by_a_spreadsheet(
    seeded: OperatorLedger, tmp_path: Path
) -> None:
    export(seeded, tmp_path)
    data = json.loads((tmp_path / "actions.json").read_text("utf-8"))
    for text in (*texts(cells(tmp_path)), *texts(data)):
        assert text == safe(text)
        assert not text.lstrip().startswith(("=", "+", "-", "@"))


def test_each_seeded_text_reached_the_ledger(seeded: OperatorLedger) -> None:
    everything = list(texts([*seeded.events(), *(row._asdict() for row in seeded.rows())]))
    everything += [note.text for row in seeded.rows() for note in seeded.notes(row.key)]
    for raw in (*RAW, *FORMULAS):
        assert sum(raw in text for text in everything) > 8


def test_payloads_and_their_hashes_are_not_in_an_export(
    ledger: OperatorLedger, action: Action, tmp_path: Path
) -> None:
    ledger.prepare(action)
    export(ledger, tmp_path)
    for name in ("actions.csv", "actions.json"):
        text = (tmp_path / name).read_text("utf-8-sig")
        assert action.hash not in text
        assert "template" not in text


def test_both_files_hold_the_allowed_columns_and_say_the_same(
    ledger: OperatorLedger, action: Action, clock: ManualClock, tmp_path: Path
) -> None:
    row = ledger.begin(action, None, "keyed")
    clock.advance(1_500)
    ledger.settle(row, "keyed-1", "response")
    ledger.note(action.key, "asked ada@example.com", "Bob")
    assert export(ledger, tmp_path / "new" / "out") == 1
    [told] = json.loads((tmp_path / "new" / "out" / "actions.json").read_text("utf-8"))
    assert tuple(told) == COLUMNS
    assert {name: told[name] for name in COLUMNS[:-1]} == {
        "key": action.key,
        "kind": "welcome_email",
        "state": SETTLED,
        "attempts": 1,
        "receipt": "keyed-1",
        "note": "Bob: asked [address]",
        "actor": "worker",
        "created": "1970-01-01T00:16:40.000Z",
        "updated": "1970-01-01T00:16:41.500Z",
    }
    assert [tuple(event) for event in told["events"]] == [EVENT] * 3
    assert told["events"][2] == {
        "sequence": 3,
        "attempt": 1,
        "from": UNKNOWN,
        "to": SETTLED,
        "actor": "worker",
        "at": "1970-01-01T00:16:41.500Z",
        "evidence": "response",
        "request_id": f"{action.key}#1",
    }
    [row] = cells(tmp_path / "new" / "out")
    assert {**told, "attempts": "1", "events": row["events"]} == row
    assert row["events"].count(" | ") == 2
    assert row["events"].endswith(
        "3: 1970-01-01T00:16:41.500Z UNKNOWN to SETTLED, attempt 1, by worker: response "
        f"({action.key}#1)"
    )


def test_what_is_taken_out_of_a_note_takes_nothing_of_the_next(
    ledger: OperatorLedger, action: Action
) -> None:
    ledger.prepare(action)
    ledger.note(action.key, 'their password="hunter two', "ada")
    ledger.note(action.key, "asked again", "bob")
    assert exported(ledger)[0]["note"] == "ada: their password=[token] | bob: asked again"


def test_the_table_is_rfc_4180_and_says_that_it_is_utf_8(
    ledger: OperatorLedger, action: Action, tmp_path: Path
) -> None:
    ledger.prepare(action)
    ledger.note(action.key, 'he said "no", twice', "ada")
    export(ledger, tmp_path)
    raw = (tmp_path / "actions.csv").read_bytes()
    assert raw.startswith(b"\xef\xbb\xbfkey,kind,state,")
    assert raw.endswith(b"\r\n")
    assert raw.count(b"\n") == raw.count(b"\r\n") == 2
    assert cells(tmp_path)[0]["note"] == 'ada: he said "no", twice'


def test_what_is_settled_or_closed_can_be_left_out(ledger: OperatorLedger, tmp_path: Path) -> None:
    actions = [Action(f"a-{number}", "note", {"n": number}) for number in range(4)]
    rows = [ledger.begin(action, None, "keyed") for action in actions[:3]]
    ledger.settle(rows[0], "keyed-1", "response")
    ReviewDesk(ledger, "ada").close(ledger.change(rows[1], REVIEW, "in doubt"), "not to be done")
    ledger.prepare(actions[3])
    assert export(ledger, tmp_path, open_only=True) == 2
    assert [row["key"] for row in cells(tmp_path)] == ["a-2", "a-3"]
    assert export(ledger, tmp_path) == 4


def test_a_digest_is_there_on_request_and_needs_its_key(
    ledger: OperatorLedger, action: Action, tmp_path: Path
) -> None:
    ledger.prepare(action)
    secret = tmp_path / "digest.key"
    secret.write_bytes(bytes(range(16)))
    export(ledger, tmp_path / "out", digest_key=read_key(str(secret)))
    expected = hmac.new(bytes(range(16)), action.hash.encode(), hashlib.sha256).hexdigest()
    assert cells(tmp_path / "out")[0][DIGEST] == expected
    assert exported(ledger, digest_key=bytes(range(16)))[0][DIGEST] == expected
    assert exported(ledger, digest_key=bytes(range(17)))[0][DIGEST] != expected
    assert DIGEST not in exported(ledger)[0]


@pytest.mark.parametrize("size", [0, 15])
def test_a_key_that_could_be_guessed_is_refused(tmp_path: Path, size: int) -> None:
    (tmp_path / "key").write_bytes(b"k" * size)
    with pytest.raises(WeakKey, match=f"holds {size} bytes"):
        read_key(str(tmp_path / "key"))


def test_a_key_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(WeakKey, match=r"no\.key cannot be read"):
        read_key(str(tmp_path / "no.key"))


def test_an_earlier_export_is_replaced_and_nothing_else_is_touched(
    ledger: OperatorLedger, action: Action, tmp_path: Path
) -> None:
    out, kept = tmp_path / "out", ("actions.csv.part", "actions.txt", "actions.csv.bak")
    out.mkdir()
    elsewhere = tmp_path / "elsewhere.csv"
    elsewhere.write_text("mine")
    (out / "actions.csv").symlink_to(elsewhere)
    for name in kept:
        (out / name).write_text("mine")
    export(ledger, out)
    ledger.prepare(action)
    export(ledger, out)
    assert [row["key"] for row in cells(out)] == [action.key]
    assert sorted(path.name for path in out.iterdir()) == sorted(
        (*kept, "actions.csv", "actions.json")
    )
    assert [(out / name).read_text() for name in kept] == ["mine"] * 3
    assert elsewhere.read_text() == "mine"


def test_a_file_that_cannot_be_written_is_named_and_leaves_nothing_behind(
    ledger: OperatorLedger, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Unwritable, match=r"actions\.csv cannot be written"):
        export(ledger, tmp_path / "file")
    (tmp_path / "out" / "actions.json").mkdir(parents=True)
    with pytest.raises(Unwritable, match=r"actions\.json cannot be written"):
        export(ledger, tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "actions.csv",
        "actions.json",
    ]


def test_what_happens_while_an_export_is_made_does_not_make_it_contradict_itself(
    ledger: OperatorLedger, action: Action, ledger_path: Path, clock: ManualClock
) -> None:
    ledger.prepare(action)
    rows = ledger.rows

    def read_and_be_overtaken(open_only: bool = False) -> list:
        found = rows(open_only)
        with Ledger(ledger_path, clock) as worker:
            worker.begin(action, worker.get(action.key), "keyed")
        return found

    ledger.rows = read_and_be_overtaken
    [told] = exported(ledger)
    assert (told["state"], told["attempts"], len(told["events"])) == ("PREPARED", 0, 1)


def test_times_are_written_in_utc_to_the_millisecond_and_read_back() -> None:
    assert moment(0) == "1970-01-01T00:00:00.000Z"
    assert moment(1_788_265_800_001) == "2026-09-01T12:30:00.001Z"
    assert moment(2**62) == f"{2**62} ms"
    assert in_ms(moment(1_788_265_800_001)) == 1_788_265_800_001
    assert in_ms("2026-09-01T14:30:00+02:00") == 1_788_265_800_000
    for written in ("2026-09-01T12:30:00", "yesterday", ""):
        with pytest.raises(ValueError, match=r"zone|[Ii]soformat"):
            in_ms(written)


def test_spans_have_their_two_largest_units() -> None:
    written = {0: "0 ms", 999: "999 ms", 1_000: "1 s", 65_250: "1 min 5 s", 3_600_000: "1 h 0 min"}
    assert {ms: span(ms) for ms in written} == written
    assert span(90 * 3_600_000) == "3 d 18 h"


def test_a_table_for_a_terminal_has_columns_and_no_blanks_at_its_end() -> None:
    assert aligned([("key", "state"), ("a", "UNKNOWN"), ("", "")]) == "key  state\na    UNKNOWN\n"
