"""A small class is graded as notebooks/GRADING.md says, and everybody gets what is theirs."""

import csv
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from lab.exercises.verdict import COULD_NOT_RUN, FAILED, NOT_ATTEMPTED, PASSED
from lab.grading.find import find
from lab.grading.lives import WALL_S
from lab.grading.log import NAME as LOG
from lab.grading.report import GRADES, TOTALS
from lab.guest.walls import Rules
from tests.grading import classroom
from tests.grading.classroom import write
from tests.grading.containing import CAN_CONTAIN, NOT_HERE

ROOT = Path(__file__).resolve().parent.parent.parent
CLASS = Path(__file__).resolve().parent / "class"
GRADING = (ROOT / "notebooks" / "GRADING.md").read_text("utf-8")
SEED = 7

# What each answer comes to: its verdict, points, and known mistake, or how the reason begins.
VERDICTS = {
    ("amara-okafor", "count_duplicates"): (PASSED, 10, ""),
    ("amara-okafor", "payload_hash"): (PASSED, 10, ""),
    ("amara-okafor", "on_found"): (PASSED, 10, ""),
    ("amara-okafor", "review_cost"): (PASSED, 10, ""),
    ("bruno-lind", "count_duplicates"): (PASSED, 10, ""),
    ("bruno-lind", "on_found"): (PASSED, 10, ""),
    ("carla-meyer", "count_duplicates"): (PASSED, 10, ""),
    ("carla-meyer", "on_found"): (FAILED, 0, "sends again"),
    ("delgadodaniel", "on_found"): (NOT_ATTEMPTED, 0, "There is no cell for it"),
    ("delgadodaniel", "review_cost"): (FAILED, 0, "a float"),
    ("Eva Novak", "payload_hash"): (FAILED, 0, "kind left out"),
    ("Eva Novak", "on_found"): (PASSED, 10, ""),
    ("finn-oduya", "count_duplicates"): (FAILED, 7, "keys instead of effects"),
    ("finn-oduya", "payload_hash"): (PASSED, 10, ""),
    ("finn-oduya", "review_cost"): (FAILED, 0, "minutes for hours"),
    ("grace-lim", "on_found"): (PASSED, 10, ""),
    ("hugo-stein", "count_duplicates"): (COULD_NOT_RUN, 0, "Its process ended without a word"),
    ("hugo-stein", "payload_hash"): (COULD_NOT_RUN, 0, "Line 7 of cell 15 is not Python"),
    ("hugo-stein", "on_found"): (COULD_NOT_RUN, 0, "It did not come to an end"),
    ("ines-costa", "count_duplicates"): (NOT_ATTEMPTED, 0, "Nothing is written there yet"),
    ("ines-costa", ""): (COULD_NOT_RUN, 0, "It is no notebook"),
    ("jonas-berg", "count_duplicates"): (FAILED, 6, "strangers count as wanted"),
    ("jonas-berg", "on_found"): (FAILED, 0, "sends again"),
}
NOTES = {
    ("bruno-lind", "count_duplicates"): "Its text is the published solution.",
    ("bruno-lind", "on_found"): "Its text is the published solution.",
    ("Eva Novak", "on_found"): "The last of several answers counts",
    ("grace-lim", "on_found"): "The cell has lost its mark",
}
STUDENTS = sorted({student for student, _ in VERDICTS}, key=str.casefold)


class Run(NamedTuple):
    """One run of the command: its folder, what it printed, and the code that it ended with."""

    out: Path
    printed: str
    code: int

    def files(self) -> dict[str, bytes]:
        """Return every file that was written, by its place."""
        found = sorted(path for path in self.out.rglob("*") if path.is_file())
        return {path.relative_to(self.out).as_posix(): path.read_bytes() for path in found}

    def reports(self) -> dict[str, bytes]:
        """Return what is written at the end; the log has a line for each file as it came."""
        return {name: content for name, content in self.files().items() if name != LOG}

    def pages(self) -> dict[str, str]:
        """Return each student's page, by the student."""
        return {one["student"]: (self.out / one["page"]).read_text() for one in self.students()}

    def students(self) -> list[dict[str, Any]]:
        held = json.loads((self.out / "grades.json").read_text("utf-8"))
        return list(held["students"])

    def graded(self, exercise: str) -> dict[str, dict[str, Any]]:
        """Return all that is known of each student's answer to one exercise."""
        return {
            one["student"]: graded
            for one in self.students()
            for paper in one["papers"]
            for graded in paper["graded"]
            if graded["exercise"] == exercise
        }

    def table(self, name: str) -> list[dict[str, str]]:
        with (self.out / name).open(encoding="utf-8-sig", newline="") as file:
            return list(csv.DictReader(file))


def grade(submissions: Path, out: Path, *arguments: str) -> Run:
    """Grade as an instructor does, from a terminal in the course's folder."""
    command = [sys.executable, "-m", "lab", "grade", str(submissions), "--out", str(out)]
    ran = subprocess.run(
        [*command, "--seed", str(SEED), "--workers", "2", *arguments],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert ran.returncode in (0, 1), ran.stderr
    return Run(out, ran.stdout, ran.returncode)


@pytest.fixture(scope="module")
def submissions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not CAN_CONTAIN:
        pytest.skip(NOT_HERE)
    folder = tmp_path_factory.mktemp("class") / "submissions"
    write(folder)
    return folder


@pytest.fixture(scope="module")
def run(submissions: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    return grade(submissions, tmp_path_factory.mktemp("graded") / "out")


@pytest.fixture(scope="module")
def with_own(submissions: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Grade three students with the instructor's own scenario besides."""
    some = tmp_path_factory.mktemp("some")
    for name in ("carla-meyer", "jonas-berg"):
        shutil.copytree(submissions / name, some / name)
    shutil.copy(submissions / "finn-oduya.zip", some)
    out = tmp_path_factory.mktemp("with-own") / "out"
    return grade(some, out, "--scenarios", str(CLASS / "scenarios"))


def test_every_answer_has_its_verdict(run: Run) -> None:
    rows = {(row["student"], row["exercise"]): row for row in run.table("grades.csv")}
    found = {
        who: (row["status"], int(row["earned"]), row["mistake"] or row["reason"])
        for who, row in rows.items()
    }
    assert found.keys() == VERDICTS.keys()
    for who, (status, earned, why) in VERDICTS.items():
        assert found[who][:2] == (status, earned), who
        assert found[who][2].startswith(why), who
    assert {who: bool(row["notes"]) for who, row in rows.items()} == {
        who: who in NOTES for who in rows
    }
    assert [who for who, note in NOTES.items() if not rows[who]["notes"].startswith(note)] == []


def test_the_totals_are_the_sums_of_the_grades(run: Run) -> None:
    rows = {row["student"]: row for row in run.table("totals.csv")}
    assert list(rows) == STUDENTS
    for student, row in rows.items():
        mine = [verdict for (who, _), verdict in VERDICTS.items() if who == student]
        assert int(row["earned"]) == sum(earned for _, earned, _ in mine)
        for status in (PASSED, FAILED, NOT_ATTEMPTED, COULD_NOT_RUN):
            assert int(row[status.lower()]) == sum(found == status for found, _, _ in mine)
    assert rows["ines-costa"]["points"] == "10"  # a file that is no notebook has none to earn


def test_what_a_person_has_to_look_at_is_told_three_times(run: Run) -> None:
    summary = (run.out / "summary.html").read_text("utf-8")
    held = json.loads((run.out / "grades.json").read_text("utf-8"))["for_a_person"]
    assert run.code == 1
    assert len(held["could_not_run"]) == sum(one[0] == COULD_NOT_RUN for one in VERDICTS.values())
    assert [one["file"] for one in held["unrecognised"]] == ["ines-costa/answers.py"]
    assert "not graded: ines-costa/answers.py" in run.printed
    for one in (*held["could_not_run"], *held["unrecognised"]):
        assert one["file"] in summary


def test_a_page_holds_nobody_elses_data(run: Run) -> None:
    pages = run.pages()
    assert sorted(pages, key=str.casefold) == STUDENTS
    strangers = {
        (student, other)
        for student, page in pages.items()
        for other in STUDENTS
        if other != student and other in page
    }
    assert strangers == set()


def test_no_file_tells_of_the_instructors_machine(run: Run, with_own: Run) -> None:
    places = (ROOT, run.out.parent, with_own.out.parent, tempfile.gettempdir(), sys.prefix)
    for one in (run, with_own):
        for name, content in one.files().items():
            assert [str(place) for place in places if str(place) in content.decode()] == [], name


def test_the_same_seed_gives_the_same_bytes_whoever_is_done_first(
    submissions: Path, run: Run, tmp_path: Path
) -> None:
    again = grade(submissions, tmp_path / "again", "--workers", "1")
    assert again.reports() == run.reports()
    mine, others = (sorted(one.files()[LOG].splitlines()) for one in (again, run))
    assert mine == others


def test_a_run_that_was_cut_off_goes_on(submissions: Path, run: Run, tmp_path: Path) -> None:
    log = (run.out / LOG).read_bytes()
    cut = log[: log.rindex(b"\n", 0, len(log) * 3 // 4) + 100]  # in the middle of a line
    out = tmp_path / "out"
    out.mkdir()
    (out / LOG).write_bytes(cut)
    on = grade(submissions, out)
    graded = len(cut.splitlines()) - 2  # but for the first line and the last
    assert f"{graded} of {len(log.splitlines()) - 1} files are graded already." in on.printed
    assert on.reports() == run.reports()


def test_own_scenarios_change_points(run: Run, with_own: Run) -> None:
    before, after = run.graded("count_duplicates"), with_own.graded("count_duplicates")
    for student, graded in after.items():
        tried = [one["passed"] for one in graded["runs"]]
        assert len(tried) == len(before[student]["runs"]) + 1
        assert graded["earned"] == graded["points"] * sum(tried) // len(tried)
    # Her count takes two messages for wanted where one approval is listed twice.
    assert (before["carla-meyer"]["status"], before["carla-meyer"]["earned"]) == (PASSED, 10)
    assert (after["carla-meyer"]["status"], after["carla-meyer"]["earned"]) == (FAILED, 9)


def test_own_scenarios_do_not_change_what_feedback_says(run: Run, with_own: Run) -> None:
    before, after = (
        {student: graded["told"] for student, graded in one.graded("count_duplicates").items()}
        for one in (run, with_own)
    )
    for student in ("finn-oduya", "jonas-berg"):  # they failed, and fail
        assert without_points(after[student]) == without_points(before[student])
    # She passed, and fails: what is listed is what the course tried, and it all came out right.
    assert listed(after["carla-meyer"]) == listed(before["carla-meyer"])
    for page in with_own.pages().values():
        for word in ("approved twice", "approved_twice", "One approval"):
            assert word not in page
    assert "0 of 1 came out as they should" in with_own.pages()["carla-meyer"]


def without_points(told: str) -> str:
    return re.sub(r"\d+ of \d+ points", "", told)


def listed(told: str) -> list[str]:
    return re.findall(r"^(?:ok|NO) .*$", told, re.MULTILINE)


def test_a_class_is_written_into_no_folder_that_is_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert classroom.main(str(tmp_path)) == 1
    assert capsys.readouterr().err.startswith(f"{tmp_path} is there already.")
    assert list(tmp_path.iterdir()) == []
    assert classroom.main(str(tmp_path / "new")) == 0
    handed_in, _ = find(tmp_path / "new")
    assert {one.student for one in handed_in} == set(STUDENTS)


# What GRADING.md says of it


def columns_in(heading: str) -> list[str]:
    """Return the first cells of the table below a heading of GRADING.md."""
    below = GRADING.partition(f"\n### {heading}\n")[2].partition("\n#")[0]
    return re.findall(r"^\| `([^`]+)` \|", below, re.MULTILINE)


def test_the_columns_are_told_in_order() -> None:
    assert columns_in("grades.csv") == list(GRADES)
    assert columns_in("totals.csv") == list(TOTALS)


def test_what_it_shows_of_a_run_is_what_is_printed(run: Run) -> None:
    shown = GRADING.partition("```\nContained:")[2].partition("```")[0]
    assert f"Contained:{shown}" == run.printed.replace(str(run.out), "out/class")


def test_the_scenario_that_it_shows_is_the_one_that_works() -> None:
    scenario = (CLASS / "scenarios" / "approved_twice.py").read_text("utf-8")
    assert f"```python\n{scenario}```" in GRADING


def test_the_limits_that_it_tells_are_the_limits() -> None:
    rules = Rules()
    for limit in (
        f"| {rules.cpu_s} seconds of computing",
        f"| {WALL_S} seconds",
        f"| {rules.memory >> 20} MB |",
        f"| {rules.file >> 20} MB |",
        f"| {rules.files} |",
    ):
        assert limit in GRADING
