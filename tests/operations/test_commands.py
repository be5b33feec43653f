"""The operator's command line: what it prints, writes and refuses, and how it ends."""

import io
import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from decimal import Decimal
from functools import partial
from pathlib import Path

import pytest

from lab.__main__ import COMMANDS, main
from lab.gateway import (
    BLIND,
    KEYED,
    PREPARED,
    READABLE,
    REVIEW,
    SETTLED,
    UNKNOWN,
    Action,
    DemoProvider,
    Fault,
    Row,
    execute,
)
from lab.operations.commands import DECISIONS
from lab.operations.http_provider import HttpProvider
from lab.operations.ledger import OperatorLedger
from tests.operations.misuse import (
    ADA,
    KEYS,
    REFUSED,
    REVIEW_KEY,
    UNKNOWN_KEY,
    WRONG_USE,
)

Lab = Callable[..., tuple[int, str, str]]


def action_of(key: str) -> Action:
    return Action(key, "welcome_email", {"lead": key.split(":")[1], "template": "v1"})


@pytest.fixture
def lab(capsys: pytest.CaptureFixture[str]) -> Lab:
    """Run ``python -m lab``; return the exit code, and what was printed on both streams."""

    def run(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main([str(one) for one in arguments])
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def db(ledger: OperatorLedger, tmp_path: Path) -> Path:
    """Return a ledger with one action SETTLED, one UNKNOWN, one in REVIEW, and their provider."""
    faults = {key: [Fault.RESPONSE_LOST] for key in KEYS[1:]}
    path = tmp_path / "provider.sqlite3"
    with DemoProvider(path, READABLE, ledger.clock, faults, [REVIEW_KEY]) as provider:
        for key in KEYS:
            execute(action_of(key), ledger, provider)
        ledger.clock.advance(1)
        execute(action_of(REVIEW_KEY), ledger, provider)
    return tmp_path / "operator.sqlite3"


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., Path]:
    """Write an action as JSON, with what is different; return the file."""

    def write(key: str = REVIEW_KEY, **others: object) -> Path:
        action = action_of(key)
        data = {"key": key, "kind": action.kind, "payload": dict(action.payload), **others}
        (tmp_path / "action.json").write_text(json.dumps(data))
        return tmp_path / "action.json"

    return write


def row_of(db: Path, key: str = REVIEW_KEY) -> Row:
    with OperatorLedger(db) as ledger:
        return ledger.get(key)


def test_the_list_shows_what_waits_with_age_attempts_and_what_is_known(lab: Lab, db: Path) -> None:
    code, out, err = lab("review", db)
    assert (code, err) == (0, "")
    head, *lines = out.splitlines()
    assert head.split() == ["no.", "key", "state", "for", "attempts", "what", "is", "known"]
    assert [line.split()[:3] for line in lines] == [
        ["2", UNKNOWN_KEY, UNKNOWN],
        ["3", REVIEW_KEY, REVIEW],
    ]
    assert lines[0].endswith("1 of 3    no answer: ResponseLost")
    assert lines[1].endswith("1 of 3    unavailable: ReadbackUnavailable")
    assert {line.index("1 of 3") for line in lines} == {head.index("attempts")}


def test_an_empty_desk_says_so_and_counts_what_waits_for_a_worker(
    lab: Lab, ledger: OperatorLedger, ledger_path: Path, action: Action
) -> None:
    assert lab("review", ledger_path) == (0, "Nothing waits for a person.\n", "")
    ledger.prepare(action)
    code, out, _ = lab("review", ledger_path)
    assert (code, out.splitlines()) == (
        0,
        ["Nothing waits for a person.", "1 action in PREPARED: for a worker, not for a person."],
    )


def test_one_action_is_shown_with_its_events_its_notes_and_what_may_be_done(
    lab: Lab, db: Path
) -> None:
    lab("review", db, REVIEW_KEY, "--note", "asked the provider", "--actor", "ada")
    code, out, _ = lab("review", db, REVIEW_KEY)
    assert code == 0
    assert lab("review", db, "3")[1] == out, "the number in the list names it, too"
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert f"key {REVIEW_KEY}" in lines
    assert "1970-01-01T00:16:40.000Z worker PREPARED UNKNOWN attempt begins" in lines
    assert any(line.endswith("ada asked the provider") for line in lines)
    assert "--close yes take it off the desk; it stays in REVIEW" in lines


def test_what_comes_from_a_ledger_cannot_speak_to_the_terminal(
    lab: Lab, db: Path, ledger: OperatorLedger
) -> None:
    raw = "\x1b[2J\x1b]0;owned\x07<b>ada@example.com</b>\u202e 4111 1111 1111 1111"
    row = ledger.change(ledger.get(REVIEW_KEY), REVIEW, raw, actor=raw)
    ledger.note(row.key, raw, "ada")
    ledger.stop_dispatch("ada", raw)
    for arguments in (("review", db), ("review", db, REVIEW_KEY), ("dispatch", db)):
        code, out, _ = lab(*arguments)
        assert code == 0
        assert "[2J]0;owned‹b›[address]‹/b› [card]" in out
        assert all(sign.isprintable() for sign in out.replace("\n", ""))
    _, _, err = lab("review", db, "no\x1b[2Jne")
    assert err == "no[2Jne is not in this ledger; check the key\n"


def test_a_stream_that_cannot_write_a_sign_spells_it_out(
    db: Path, ledger: OperatorLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger.note(REVIEW_KEY, "李雷 <b>", "ada")
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    assert main(["review", str(db), REVIEW_KEY]) == 0
    stream.flush()
    assert b"\\u674e\\u96f7 \\u2039b\\u203a" in stream.buffer.getvalue()


@pytest.mark.parametrize(
    ("decision", "says", "state", "grounds"),
    [
        (("--receipt", "readable-3"), "SETTLED with readable-3.", SETTLED, ""),
        (("--approve", "--seen-at", "now"), "PREPARED. One more attempt may begin.", PREPARED,
         "proved not executed: "),
        (("--close",), "REVIEW. It is off the desk.", REVIEW, "closed: "),
    ],
)  # fmt: skip
def test_a_decision_is_written_with_who_took_it_and_on_what_grounds(
    lab: Lab, db: Path, decision: tuple[str, ...], says: str, state: str, grounds: str
) -> None:
    assert lab("review", db, REVIEW_KEY, *decision, *ADA) == (0, f"{REVIEW_KEY} is {says}\n", "")
    row = row_of(db)
    assert (row.state, row.actor, row.evidence) == (state, "ada", f"{grounds}seen in the list")
    assert row.attempts_allowed == (2 if state == PREPARED else 3)
    assert REVIEW_KEY not in lab("review", db)[1]


def test_a_proof_that_was_seen_too_early_is_refused(lab: Lab, db: Path) -> None:
    early = ("--seen-at", "1970-01-01T00:17:40.000Z")
    code, out, err = lab("review", db, REVIEW_KEY, "--approve", *ADA, *early)
    assert (code, out) == (1, "")
    assert err == "the open attempt may arrive until 1060000 ms: look after that\n"
    assert row_of(db).state == REVIEW
    late = ("--seen-at", "1970-01-01T01:17:40.001+01:00")
    assert lab("review", db, REVIEW_KEY, "--approve", *ADA, *late)[0] == 0


def test_a_risk_is_taken_only_in_so_many_words(
    lab: Lab, ledger: OperatorLedger, ledger_path: Path, action: Action
) -> None:
    row = ledger.begin(action, None, BLIND.name)
    ledger.change(row, REVIEW, "unavailable: ReadbackUnavailable")
    approve = ("review", ledger_path, action.key, "--approve", *ADA, "--seen-at", "now")
    assert lab(*approve)[::2] == (1, "nothing can prove this; accept the risk, or leave it\n")
    assert lab(*approve, "--accept-risk")[0] == 0
    assert ledger.get(action.key).risks_accepted == 1


def test_minutes_are_recorded_alone_or_beside_a_decision(
    lab: Lab, db: Path, ledger: OperatorLedger
) -> None:
    assert lab("review", db, "3", "--minutes", "2.5", "--actor", "ada")[0] == 0
    assert lab("review", db, "3", "--close", *ADA, "--minutes", "30", "--incident")[0] == 0
    found = [(one.key, one.actor, one.minutes, one.incident) for one in ledger.reviews()]
    assert found == [
        (REVIEW_KEY, "ada", Decimal("2.5"), 0),
        (REVIEW_KEY, "ada", Decimal("30"), 1),
    ]


@pytest.mark.parametrize("key", [UNKNOWN_KEY, REVIEW_KEY])
def test_a_recheck_settles_what_a_providers_file_holds(
    lab: Lab, db: Path, written: Callable[..., Path], key: str
) -> None:
    place = db.with_name("provider.sqlite3")
    asks = ("--recheck", written(key), "--provider", place, "--actor", "ada")
    code, out, _ = lab("review", db, key, *asks)
    receipt = f"readable-{KEYS.index(key) + 1}"
    assert (code, out) == (
        0,
        f"The provider says: found ({receipt}). {key} is SETTLED with {receipt}.\n",
    )
    row = row_of(db, key)
    assert (row.actor, row.evidence, row.attempts) == ("ada", "readback", 1)
    with DemoProvider(place, READABLE) as provider:
        assert len(provider.requests()) == 3


def test_a_recheck_asks_a_provider_behind_http(
    lab: Lab,
    ledger: OperatorLedger,
    ledger_path: Path,
    written: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ledger.change(ledger.begin(action_of(REVIEW_KEY), None, "keyed"), REVIEW, "in doubt")
    with HttpProvider(":memory:", KEYED) as provider:
        asks = ("--provider", f"http://127.0.0.1:{provider.address[1]}", "--actor", "ada")
        recheck = ("review", ledger_path, "1", "--recheck", written(), *asks)
        monkeypatch.delenv("LAB_PROVIDER_TOKEN", raising=False)
        assert "The provider says: unavailable" in lab(*recheck)[1], "nobody may ask"
        monkeypatch.setenv("LAB_PROVIDER_TOKEN", provider.token)
        assert lab(*recheck)[1].startswith("The provider says: absent.")
    assert "The provider says: unavailable" in lab(*recheck)[1], "nobody is there"
    assert row_of(ledger_path).state == REVIEW


def test_a_recheck_with_other_data_is_refused(
    lab: Lab, db: Path, written: Callable[..., Path]
) -> None:
    asks = ("--provider", db.with_name("provider.sqlite3"), "--actor", "ada")
    code, _, err = lab("review", db, "3", "--recheck", written(payload={"lead": "x"}), *asks)
    assert code == 1
    assert f"{REVIEW_KEY} already names an action with different data" in err
    wrong = ("--contract", "keyed")
    code, _, err = lab("review", db, "3", "--recheck", written(), *asks, *wrong)
    assert (code, "was begun with the provider readable" in err) == (1, True)


@pytest.mark.parametrize("arguments", REFUSED.values(), ids=REFUSED)
def test_what_the_evidence_does_not_permit_is_a_sentence_and_1(
    lab: Lab, db: Path, arguments: tuple[str, ...]
) -> None:
    code, out, err = lab("review", db, *arguments)
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert "Traceback" not in err
    assert [row_of(db, key).state for key in KEYS] == [SETTLED, UNKNOWN, REVIEW]


@pytest.mark.parametrize("arguments", WRONG_USE.values(), ids=WRONG_USE)
def test_what_was_asked_wrongly_is_a_sentence_and_2(
    lab: Lab, db: Path, written: Callable[..., Path], arguments: tuple[str, ...]
) -> None:
    before = db.read_bytes()
    given = [one.replace("{json}", str(written())) for one in arguments]
    code, out, err = lab("review", db, *given)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert row_of(db).state == REVIEW
    assert not Path("no.db").exists()
    assert db.read_bytes() == before


def test_a_decision_without_a_key_is_wrong_use(lab: Lab, db: Path) -> None:
    assert lab("review", db, "--close", *ADA)[::2] == (
        2,
        "a decision is about one action: name its KEY.\n",
    )


@pytest.mark.parametrize(
    "text",
    ["", "[]", "null", "{", '{"key": "a"}', '{"key": "a", "kind": "b", "payload": {}, "x": 1}',
     "[" * 100_000, "\xff"],
)  # fmt: skip
def test_a_file_that_holds_no_action_is_named(
    lab: Lab, db: Path, tmp_path: Path, text: str
) -> None:
    (tmp_path / "broken.json").write_bytes(text.encode("latin-1"))
    asks = ("--recheck", tmp_path / "broken.json", "--provider", "p", "--actor", "ada")
    code, _, err = lab("review", db, REVIEW_KEY, *asks)
    assert code == 2
    assert "broken.json holds no action: write {" in err


@pytest.mark.parametrize("command", [("review",), ("export", "out"), ("dispatch",)])
def test_a_command_never_makes_a_ledger(lab: Lab, tmp_path: Path, command: tuple[str, ...]) -> None:
    name, *others = command
    empty = tmp_path / "empty.sqlite3"
    empty.touch()
    for file in (tmp_path / "operator.sqlite3", empty, tmp_path):
        code, out, err = lab(name, file, *(tmp_path / one for one in others))
        assert (code, out) == (2, "")
        said = ("is not there, or is empty", "is a folder; name the ledger")[file is tmp_path]
        assert f"{file} {said}" in err
    assert [path.name for path in tmp_path.iterdir()] == ["empty.sqlite3"]
    assert empty.stat().st_size == 0


def test_a_file_that_is_no_ledger_is_named(lab: Lab, db: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database at all" * 100)
    for name in ("text", "provider.sqlite3"):
        code, _, err = lab("review", tmp_path / name)
        assert (code, str(tmp_path / name) in err, "Traceback" in err) == (1, True, False)


def test_a_ledger_that_another_program_holds_is_named(
    lab: Lab, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "lab.operations.commands.OperatorLedger", partial(OperatorLedger, busy_ms=20)
    )
    with closing(sqlite3.connect(db)) as other:
        other.execute("BEGIN IMMEDIATE")
        code, out, err = lab("review", db, REVIEW_KEY, "--close", *ADA)
        assert (code, out) == (1, "")
        assert f"{db}: another program holds it" in err
    assert row_of(db).closed == 0


def test_dispatch_is_stopped_and_allowed_by_name_with_a_reason(
    lab: Lab, db: Path, ledger: OperatorLedger
) -> None:
    assert lab("dispatch", db) == (0, "Dispatch is allowed; nobody ever stopped it.\n", "")
    code, out, _ = lab("dispatch", db, "--stop", *ADA)
    assert (code, ledger.may_dispatch()) == (0, False)
    assert out.startswith("Dispatch is stopped since 2")
    assert out.endswith("Z, by ada: seen in the list\n")
    assert lab("dispatch", db)[1] == out
    assert lab("review", db)[1].endswith(out)
    assert lab("dispatch", db, "--allow", "--actor", "bob", "--because", "mended")[0] == 0
    assert ledger.may_dispatch()
    assert "Dispatch is allowed since" in lab("dispatch", db)[1]


@pytest.mark.parametrize(
    "arguments",
    [("--stop",), ("--stop", "--allow", *ADA), ("--allow", "--actor", "ada"), ADA],
)
def test_the_switch_is_not_turned_without_all_it_needs(
    lab: Lab, db: Path, ledger: OperatorLedger, arguments: tuple[str, ...]
) -> None:
    code, out, err = lab("dispatch", db, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert ledger.switches() == []


def test_an_export_says_where_it_is(lab: Lab, db: Path, tmp_path: Path) -> None:
    code, out, _ = lab("export", db, tmp_path / "out")
    assert (code, out) == (0, f"3 actions: {tmp_path / 'out' / 'actions.csv'} and its .json\n")
    assert lab("export", db, tmp_path / "out", "--open-only")[1].startswith("2 actions: ")
    (tmp_path / "short.key").write_text("secret")
    code, out, err = lab("export", db, tmp_path / "new", "--digest-key", tmp_path / "short.key")
    assert (code, out, "holds 6 bytes" in err) == (1, "", True)
    assert not (tmp_path / "new").exists()
    assert lab("export", db, db)[0] == 1


def test_every_option_of_review_is_known_to_a_decision() -> None:
    [command] = [one for one in COMMANDS if one.name == "review"]
    options = {
        one.names[0].lstrip("-").replace("-", "_")
        for one in command.arguments
        if one.names[0].startswith("--")
    }
    known = {one for name, made in DECISIONS.items() for one in (name, *made.needs, *made.may)}
    assert options == known


def test_the_commands_work_where_nothing_is_installed(
    checkout: Path, db: Path, tmp_path: Path
) -> None:
    lab = [sys.executable, "-S", "-E", "-m", "lab"]
    for arguments in (["review", db], ["dispatch", db], ["export", db, tmp_path / "out"]):
        ran = subprocess.run([*lab, *arguments], cwd=checkout, capture_output=True, text=True)
        assert (ran.returncode, ran.stderr) == (0, "")
