"""What the command says where it cannot go on, and that no run is lost."""

import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lab.grading import main as module
from lab.grading import pool, report
from lab.grading.find import Found
from lab.grading.graded import Paper
from lab.grading.grader import Settings
from lab.grading.lives import Broken
from lab.grading.log import NAME
from lab.grading.main import FULL, WEAK, Refused, containment, digest, main, names, with_progress
from lab.operations.tables import Unwritable
from tests.exercises.books import ANSWER, MARK, book, code
from tests.grading.test_hidden import WHOLE

Printed = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def signals() -> Iterator[None]:
    """Leave this process as it was: the command says what it does when it is told to end."""
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def submissions(tmp_path: Path) -> Path:
    folder = tmp_path / "submissions"
    for student in ("anna", "berta", "carl"):
        (folder / student).mkdir(parents=True)
        written = book(code(ANSWER, MARK))
        (folder / student / "07_restart.ipynb").write_text(json.dumps(written))
    return folder


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


class Graders:
    """Stands for the pool. ``asked`` are the files that were to be graded, and by how many."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.workers: list[int] = []
        self.stop_after: int | None = None

    def __call__(self, files: Iterable[Found], settings: Settings, workers: int) -> Iterator[Paper]:
        self.workers.append(workers)
        for number, found in enumerate(files):
            if number == self.stop_after:
                raise KeyboardInterrupt
            self.asked.append(found.file)
            digest = module.hashlib.sha256(found.path.read_bytes()).hexdigest()
            yield Paper(found.student, found.file, digest)


@pytest.fixture
def graders(monkeypatch: pytest.MonkeyPatch) -> Graders:
    """Let nothing be graded, as on a machine that can contain it."""
    graders = Graders()
    monkeypatch.setattr(pool, "graded", graders)
    monkeypatch.setattr(module, "containment", lambda allow_weak: True)
    return graders


def broken(*_: object, **__: object) -> None:
    raise Broken("unshare: Operation not permitted")


def test_a_class_is_graded(submissions: Path, out: Path, graders: Graders, capsys: Printed) -> None:
    assert main(str(submissions), str(out), seed=5) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(f"{FULL}\n")
    assert re.findall(r"^(anna|berta|carl) +0 of 0", printed, re.MULTILINE) == [
        "anna", "berta", "carl",
    ]  # fmt: skip
    assert printed.endswith(
        f"Written to {out}: summary.html, feedback/, grades.csv, totals.csv, grades.json\n"
    )
    for name in ("summary.html", "grades.csv", "totals.csv", "grades.json", NAME):
        assert (out / name).is_file()
    assert len(list((out / "feedback").iterdir())) == 3


def test_no_more_workers_begin_than_there_are_files(
    submissions: Path, out: Path, graders: Graders
) -> None:
    main(str(submissions), str(out), workers=50)
    assert graders.workers == [3]


def test_a_file_that_is_no_submission_is_told_and_counts(
    submissions: Path, out: Path, graders: Graders, capsys: Printed
) -> None:
    (submissions / "carl" / "answers.py").write_text("x = 1")
    assert main(str(submissions), str(out)) == 1
    assert "not graded: carl/answers.py: it is a Python file" in capsys.readouterr().out


@pytest.mark.parametrize("place", ["", "results"])
def test_reports_are_not_written_among_the_submissions(
    submissions: Path, graders: Graders, capsys: Printed, place: str
) -> None:
    before = sorted(submissions.rglob("*"))
    assert main(str(submissions), str(submissions / place)) == 2
    assert "reports are no submissions. Name another --out" in capsys.readouterr().err
    assert sorted(submissions.rglob("*")) == before


@pytest.mark.parametrize("workers", [0, -1])
def test_somebody_has_to_work(
    submissions: Path, out: Path, graders: Graders, capsys: Printed, workers: int
) -> None:
    assert main(str(submissions), str(out), workers=workers) == 2
    assert capsys.readouterr().err == "--workers: at least 1\n"
    assert not out.exists()


def test_where_nothing_can_be_contained_it_is_refused(
    submissions: Path, out: Path, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "Nursery", broken)
    assert main(str(submissions), str(out)) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "cannot contain what it is to run (unshare: Operation not permitted)" in told.err
    assert "--allow-weak-sandbox" in told.err
    assert not out.exists()


def test_who_allows_it_grades_uncontained_and_every_report_says_so(
    submissions: Path, out: Path, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "Nursery", broken)
    submissions /= "anna"
    assert main(str(submissions), str(out), workers=1, allow_weak_sandbox=True) == 0
    assert capsys.readouterr().out.startswith(f"{WEAK}\n")
    assert "NOT contained" in (out / "summary.html").read_text("utf-8")
    held = json.loads((out / "grades.json").read_text("utf-8"))
    assert held["containment"] == WEAK
    assert held["totals"]["failed"] == 1  # graded for real, without walls


def test_a_machine_that_can_contain_does_so_whatever_is_allowed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Good:
        def __init__(self, contained: bool, rules: object) -> None:
            assert contained

        def close(self) -> None:
            """End it."""

    monkeypatch.setattr(module, "Nursery", Good)
    assert containment(allow_weak=True)
    assert containment(allow_weak=False)


UNSHARE = "unshare --user --map-root-user --net --pid --fork --mount-proc mount -t tmpfs none /mnt"


@pytest.mark.skipif(not shutil.which("unshare"), reason="the system's own tool is not here")
def test_where_the_systems_own_tool_makes_a_container_the_grader_makes_one() -> None:
    if subprocess.run(UNSHARE.split(), capture_output=True).returncode:
        pytest.skip("this machine has no user namespaces")
    assert containment(allow_weak=False)  # else the tests that need it would say no more than that


@pytest.mark.parametrize("allow", [True, False])
def test_windows_is_told_what_to_use(monkeypatch: pytest.MonkeyPatch, allow: bool) -> None:
    monkeypatch.delattr(os, "fork")
    with pytest.raises(Refused, match="Grade in WSL"):
        containment(allow)


def test_control_c_says_how_to_go_on_and_nothing_is_lost(
    submissions: Path, out: Path, graders: Graders, capsys: Printed
) -> None:
    graders.stop_after = 2
    assert main(str(submissions), str(out), seed=5) == 130
    assert capsys.readouterr().err.endswith("\nStopped. The same command goes on where it was.\n")
    graders.stop_after = None
    assert main(str(submissions), str(out), seed=5) == 0
    assert "2 of 3 files are graded already." in capsys.readouterr().out
    assert graders.asked == [f"{name}/07_restart.ipynb" for name in ("anna", "berta", "carl")]


def test_whoever_is_told_to_end_ends_as_with_control_c(
    submissions: Path, out: Path, graders: Graders
) -> None:
    main(str(submissions), str(out))
    assert signal.getsignal(signal.SIGTERM) is signal.default_int_handler


def test_another_content_is_graded_again(submissions: Path, out: Path, graders: Graders) -> None:
    main(str(submissions), str(out), seed=5)
    graders.asked.clear()
    (submissions / "berta" / "07_restart.ipynb").write_text("{}")
    main(str(submissions), str(out), seed=5)
    assert graders.asked == ["berta/07_restart.ipynb"]


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"seed": 6}, "another seed"),
        ({"submissions": "there is none"}, "there is none is not there"),
        ({"scenarios": "nowhere"}, "nowhere: there is no Python file with scenarios in it"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    submissions: Path, out: Path, graders: Graders, capsys: Printed, more: Any, says: str
) -> None:
    same = {"submissions": str(submissions), "out": str(out), "seed": 5}
    assert main(**same) == 0
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    capsys.readouterr()
    assert main(**{**same, **more}) == 2
    assert says in capsys.readouterr().err
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before


def test_a_wrong_scenario_stops_it_before_anything_is_written(
    submissions: Path, out: Path, graders: Graders, capsys: Printed, tmp_path: Path
) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "wrong.py").write_text("1 / 0")
    assert main(str(submissions), str(out), scenarios=str(own)) == 2
    assert f"{own / 'wrong.py'}: ZeroDivisionError" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("error", [Unwritable("no room"), pool.CannotStart("no room")])
def test_a_report_or_a_pool_that_fails_is_a_sentence(
    submissions: Path, out: Path, graders: Graders, capsys: Printed,
    monkeypatch: pytest.MonkeyPatch, error: Exception,
) -> None:  # fmt: skip
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(report, "write", fail)
    assert main(str(submissions), str(out)) == 2
    assert capsys.readouterr().err.endswith("no room\n")


def test_the_names_and_the_digest_of_scenarios_tell_one_folder_from_another(tmp_path: Path) -> None:
    assert (digest(None), names(None)) == ("", ())
    seen = set()
    for files in ({"b.py": WHOLE, "a.py": ""}, {"b.py": WHOLE}, {"c.py": WHOLE}, {"b.py": "x"}):
        folder = tmp_path / str(len(seen))
        folder.mkdir()
        for name, text in files.items():
            (folder / name).write_text(text)
        (folder / "notes.txt").write_text(str(len(seen)))
        assert names(folder) == tuple(sorted(files))
        assert digest(folder) == digest(folder)
        seen.add(digest(folder))
    assert len(seen) == 4


def test_progress_tells_number_rate_and_time_left(capsys: Printed) -> None:
    papers = [Paper("anna", str(n), "") for n in range(20)]
    taken: list[Paper] = []
    with_progress(papers, 20, taken.append)
    assert taken == papers
    assert re.search(r"Grading .*20/20 +[\d.]+ a second +\S+ left", capsys.readouterr().err)
