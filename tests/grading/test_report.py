"""What an instructor gets: every file says what it has to, and nothing that it must not."""

import csv
import json
import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from rich.cells import cell_len

from lab import exercises
from lab.exercises.verdict import COULD_NOT_RUN, FAILED, PASSED
from lab.grading.book import RunFacts, Student, students_of
from lab.grading.graded import Paper, Run
from lab.grading.report import GRADES, TOTALS, line, write
from lab.operations.tables import Unwritable, safe
from tests.grading.test_book import FACTS, FORMULAS, HIDDEN, HOSTILE, a_class, graded, paper

VOID = {"meta", "br", "hr", "img", "input", "link"}


class Balanced(HTMLParser):
    """Reads a page, and fails where a tag is closed that is not the open one."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.ids += [value or "" for name, value in attrs if name == "id"]
        assert not any(name.startswith("on") for name, _ in attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def read(page: Path) -> str:
    """Return a page's text, once it is known to be whole and to ask nothing of anybody."""
    text = page.read_text("utf-8")
    parser = Balanced()
    parser.feed(text)
    parser.close()
    assert parser.open == []
    assert not {"script", "link", "img", "iframe"} & set(parser.seen)
    assert len(set(parser.ids)) == len(parser.ids)
    assert "http://" not in text
    assert "https://" not in text
    assert text.startswith('<!DOCTYPE html>\n<html lang="en">')
    return text


def rows(table: Path) -> list[dict[str, str]]:
    with table.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def written(out: Path) -> dict[str, bytes]:
    files = (path for path in out.rglob("*") if path.is_file())
    return {str(path.relative_to(out)): path.read_bytes() for path in files}


def page_of(name: str) -> str:
    return f"feedback/{Student(name, []).page}"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Return a folder with the report of the small class."""
    write(tmp_path / "new" / "report", a_class(), FACTS)
    return tmp_path / "new" / "report"


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """Return the report of a class whose every text is an attack."""
    papers = [
        paper(
            name,
            graded("on_found", FAILED, 1, mistake=name, says=name, told=name, notes=(name,)),
            file=f"{number}/{name}",
        )
        for number, name in enumerate(HOSTILE)
    ]
    papers += [paper(name, file=f"{name}/broken", problem=name) for name in HOSTILE]
    strangers = tuple((name, name) for name in HOSTILE)
    write(tmp_path, papers, RunFacts(1, HOSTILE[0], HOSTILE, strangers))
    return tmp_path


def test_grades_have_a_row_for_each_exercise_of_each_student(out: Path) -> None:
    found = rows(out / "grades.csv")
    assert tuple(found[0]) == GRADES
    assert [(row["student"], row["exercise"], row["status"]) for row in found] == [
        ("Ada Lovelace", "attempt", "FAILED"),
        ("Ada Lovelace", "on_found", "PASSED"),
        ("Alan Turing", "attempt", "PASSED"),
        ("Alan Turing", "on_found", "FAILED"),
        ("Barbara Liskov", "", "COULD NOT RUN"),
        ("Edsger Dijkstra", "attempt", "COULD NOT RUN"),
        ("Edsger Dijkstra", "on_found", "NOT ATTEMPTED"),
        ("Grace Hopper", "on_found", "FAILED"),
    ]
    assert found[4]["reason"] == "It is no notebook."
    assert found[3]["mistake"] == "twin settled"
    assert found[3]["file"] == "Alan Turing/work.ipynb"
    assert found[1]["notes"].startswith("Its text is the published solution")


def test_totals_have_a_row_for_each_student(out: Path) -> None:
    found = rows(out / "totals.csv")
    assert tuple(found[0]) == TOTALS
    assert list(found[0].values()) == ["Ada Lovelace", "13", "20", "1", "1", "0", "0"]
    assert list(found[2].values()) == ["Barbara Liskov", "0", "0", "0", "0", "0", "1"]


def test_tables_are_rfc_4180_and_say_that_they_are_utf_8(out: Path) -> None:
    for name in ("grades.csv", "totals.csv"):
        raw = (out / name).read_bytes()
        assert raw.startswith(b"\xef\xbb\xbfstudent,")
        assert raw.endswith(b"\r\n")
        assert raw.count(b"\n") == raw.count(b"\r\n")


@pytest.mark.parametrize("cell", FORMULAS)
def test_a_cell_that_begins_as_a_formula_is_defused(cell: str) -> None:
    assert safe(cell).startswith("'")


def test_a_cell_is_defused_where_another_separator_would_begin_one() -> None:
    assert safe("a;=1\n=2\t=3") == "a;'=1\n'=2\t'=3"


def test_a_cell_holds_no_sign_that_turns_what_is_read() -> None:
    assert safe("a\u202eb\x1b") == "a\ufffdb\ufffd"


@pytest.mark.parametrize("cell", ["Ada", "a = b", "x-y", "", 0, -1, "Adá, 2 of 3; then more"])
def test_any_other_cell_stays_as_it_is(cell: object) -> None:
    assert safe(cell) == cell


def test_no_cell_of_a_hostile_class_is_run(hostile: Path) -> None:
    for name in ("grades.csv", "totals.csv"):
        found = rows(hostile / name)
        assert len({row["student"] for row in found}) == len(HOSTILE)
        for cell in (cell for row in found for cell in row.values()):
            assert not re.match(r"[\s\u200f]*[=+\-@]", cell)


def test_the_data_hold_everything(out: Path) -> None:
    data = json.loads((out / "grades.json").read_text("utf-8"))
    assert (data["schema"], data["seed"], data["containment"]) == (1, 7, "full")
    assert data["scenarios"] == ["ours.py"]
    assert data["totals"] == {
        "students": 5, "passed": 2, "failed": 3, "not attempted": 1, "could not run": 2,
    }  # fmt: skip
    papers = [Paper.of(one) for student in data["students"] for one in student["papers"]]
    assert sorted(papers) == sorted(a_class())
    assert [row["reason"] for row in data["for_a_person"]["could_not_run"]] == [
        "It is no notebook.",
        "It did not come to an end in 20 seconds.",
    ]
    assert data["for_a_person"]["unrecognised"] == [
        {"file": "notes.txt", "reason": "it is no notebook"}
    ]
    for student in data["students"]:
        assert (out / student["page"]).is_file()


def test_the_same_papers_give_the_same_bytes_in_any_order_and_place(tmp_path: Path) -> None:
    write(tmp_path / "a", a_class(), FACTS)
    write(tmp_path / "b", a_class()[::-1], FACTS)
    write(tmp_path / "b", a_class()[::-1], FACTS)
    assert written(tmp_path / "a") == written(tmp_path / "b")
    assert not any(str(tmp_path).encode() in text for text in written(tmp_path / "a").values())


def test_the_summary_says_what_a_teacher_needs(out: Path) -> None:
    text = unescape(read(out / "summary.html"))
    for said in (
        "5 students</strong>, seed 7",
        "What contained the submissions: full",
        "Your own hidden scenarios: ours.py",
        "It did not come to an end in 20 seconds.",
        "It is no notebook.",
        "notes.txt",
        "<strong>twin settled</strong>: 2 students",
        next(one.says for one in exercises.on_found.mistakes if one.name == "twin settled"),
        '<tr><th scope="row">Lesson 07: Settle what the provider holds</th>'
        '<td class="number">1</td><td class="number">2</td><td class="number">1</td>'
        '<td class="number">0</td><td class="number">1</td></tr>',
    ):
        assert said in text


def test_each_verdict_is_a_letter_that_links_to_the_students_page(out: Path) -> None:
    text = read(out / "summary.html")
    page = page_of("Ada Lovelace")
    assert f'<a href="{page}#on_found" title="PASSED">P 10</a>' in text
    assert f'<a href="{page}#attempt" title="FAILED">F 3</a>' in text
    assert 'title="NOT ATTEMPTED">– 0</a>' in text
    assert 'title="COULD NOT RUN">! 0</a>' in text
    assert 'id="on_found"' in (out / page).read_text("utf-8")


def test_a_page_for_a_student_has_the_words_of_check(out: Path) -> None:
    text = read(out / page_of("Ada Lovelace"))
    assert "13 of 20 points" in text
    assert "<pre>What was tried.</pre>" in text, "the heading says the first line already"
    assert "Its text is the published solution" in text
    assert "Your instructor's own runs: 0 of 1 came out as they should." in text
    assert "work.ipynb" in text
    assert "Ada Lovelace/work.ipynb" not in text


def test_a_student_learns_why_a_file_could_not_be_graded(out: Path) -> None:
    text = read(out / page_of("Barbara Liskov"))
    assert "It is no notebook." in text
    assert "COULD NOT RUN" in text


def test_no_page_for_a_student_names_another_or_what_is_hidden(out: Path) -> None:
    names = [student.name for student in students_of(a_class())]
    assert HIDDEN in (out / "grades.json").read_text("utf-8")
    for name in names:
        text = unescape((out / page_of(name)).read_text("utf-8"))
        assert HIDDEN not in text
        assert "hidden" not in re.sub(r"<style>.*?</style>", "", text, flags=re.S)
        assert [other for other in names if other in text] == [name]


def test_every_text_is_escaped(hostile: Path) -> None:
    pages = [hostile / "summary.html", *(hostile / "feedback").iterdir()]
    assert len(pages) == 1 + len(HOSTILE)
    for page in pages:
        text = read(page)
        assert not re.search(r"<script|<img|[\x00-\x08\x0b-\x1f\x7f]|>49<", text)
    assert json.loads((hostile / "grades.json").read_text("utf-8"))["students"]


def test_a_file_is_replaced_as_a_whole(out: Path) -> None:
    before = (out / "totals.csv").stat().st_ino
    write(out, a_class()[:1], FACTS)
    assert (out / "totals.csv").stat().st_ino != before
    assert len(rows(out / "totals.csv")) == 1
    assert not list(out.rglob("*.part"))


def test_a_file_that_cannot_be_written_is_named_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Unwritable, match=r"grades\.csv cannot be written .*another folder"):
        write(tmp_path / "file", a_class(), FACTS)
    (tmp_path / "out" / "totals.csv").mkdir(parents=True)
    with pytest.raises(Unwritable, match=r"totals\.csv cannot be written"):
        write(tmp_path / "out", a_class(), FACTS)
    assert not list(tmp_path.rglob("*.part"))


def test_a_class_without_students_has_a_report(tmp_path: Path) -> None:
    write(tmp_path, [], RunFacts(0, "full"))
    assert "Every answer could run." in read(tmp_path / "summary.html")
    assert rows(tmp_path / "grades.csv") == []


def test_a_student_whose_notebooks_hold_nothing_has_a_page(tmp_path: Path) -> None:
    write(tmp_path, [paper("Ada")], FACTS)
    assert "No exercise was found" in read(tmp_path / page_of("Ada"))


def test_two_thousand_students_are_a_class(tmp_path: Path) -> None:
    answers = [graded(name, PASSED, 10, runs=(Run("a", True),)) for name in exercises.NAMES[:4]]
    write(tmp_path, [paper(f"Student {n}", *answers) for n in range(2000)], FACTS)
    assert len(list((tmp_path / "feedback").iterdir())) == 2000
    assert len(rows(tmp_path / "grades.csv")) == 2000 * 4


def test_a_line_is_one_line_with_columns_whatever_the_name() -> None:
    for name in HOSTILE:
        (student,) = students_of([paper(name, graded("attempt", COULD_NOT_RUN))])
        shown = line(student)
        assert shown.isprintable()
        assert cell_len(shown.partition("  0 of 10")[0]) == 24
    assert line(students_of(a_class())[0]) == (
        "Ada Lovelace              13 of 20    1 PASSED, 1 FAILED"
    )
