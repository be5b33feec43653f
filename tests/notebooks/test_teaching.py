"""What a teacher is told is true: minutes add up, and what is quoted stands in the lessons."""

import functools
import itertools
import re
import tomllib
from pathlib import Path

import nbformat
import pytest

from lab.authoring.notebooks import NOTEBOOKS, lessons

TEACHING = (NOTEBOOKS / "TEACHING.md").read_text("utf-8")
MINUTES = {"The short path": 30, "Half a day": 210, "A full day": 420, "A further afternoon": 120}
each = pytest.mark.parametrize("source", lessons(), ids=lambda path: path.stem)


def section(title: str) -> str:
    """Return what stands below a heading, up to the next one that is not below it."""
    marks, below = re.split(rf"^(###?) {title}.*\n", TEACHING, flags=re.MULTILINE)[1:3]
    return re.split(rf"^#{{2,{len(marks)}}} ", below, flags=re.MULTILINE)[0]


def rows(text: str) -> list[list[str]]:
    """Return the rows of the tables in a text, without their heads."""
    lines = re.findall(r"^\| (.+) \|$", text, re.MULTILINE)
    return [line.split(" | ") for line in lines]


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"[*`]", "", text))


@functools.cache
def said(source: Path) -> str:
    """Return all that a lesson says: texts, code, and what its cells print."""
    notebook = nbformat.read(source, as_version=4)
    parts = [cell.source for cell in notebook.cells]
    parts += [
        output.get("text") or output.get("data", {}).get("text/plain", "")
        for cell in notebook.cells
        for output in cell.get("outputs", ())
    ]
    return plain("\n".join(parts))


@pytest.mark.parametrize("title", MINUTES)
def test_a_timetable_has_no_gap_and_ends_on_time(title: str) -> None:
    spans = [row[0].split("–") for row in rows(section(title)) if "–" in row[0]]
    minutes = [tuple(map(int, span)) for span in spans]
    assert minutes[0][0] == 0
    assert all(a[1] == b[0] and b[0] < b[1] for a, b in itertools.pairwise(minutes))
    assert minutes[-1][1] == MINUTES[title]


@each
def test_each_lesson_has_a_section_with_questions_and_stumbles(source: Path) -> None:
    title = re.search(r"^# (.+)$", nbformat.read(source, as_version=4).cells[0].source, re.M)
    assert title
    text = section(f"{source.name[:2]} {re.escape(title[1])}")
    assert f"]({source.name})" in text
    assert sum(row[0] not in ("pause", "---") for row in rows(text)) >= 2
    assert text.count("**Stumble") == text.count("**Say.**") >= 2


@each
def test_what_is_on_the_screen_at_a_pause_stands_in_the_lesson(source: Path) -> None:
    text = section(source.name[:2])
    screens = [row[0] for row in rows(text) if row[0] not in ("pause", "---")]
    quoted = [quote for screen in screens for quote in re.findall(r"[`*]([^`*]+)[`*]", screen)]
    assert [quote for quote in quoted if plain(quote) not in said(source)] == []


@each
def test_whoever_is_late_finds_the_place_in_the_lesson(source: Path) -> None:
    places = re.findall(rf"\b{source.name[:2]}, at \*([^*]+)\*", TEACHING)
    texts = "\n".join(cell.source for cell in nbformat.read(source, as_version=4).cells)
    titles = "\n".join(re.findall(r"^#+ (.+)$", texts, re.MULTILINE))
    assert [place for place in places if place not in titles] == []


def test_the_commands_for_windows_are_those_of_the_readme() -> None:
    """Apart from what is told of wheels."""
    readme = (NOTEBOOKS.parent / "README.md").read_text("utf-8")
    [course] = re.findall(r"```bat\n(.+?-m lab course\n)", readme, re.DOTALL)
    assert course in TEACHING


def test_the_commands_for_wheels_bring_what_builds_the_course() -> None:
    project = tomllib.loads((NOTEBOOKS.parent / "pyproject.toml").read_text("utf-8"))
    needed = " ".join(f'"{one}"' for one in project["build-system"]["requires"])
    commands = re.findall(r"^.*-r requirements.txt .*flit.*$", TEACHING, re.MULTILINE)
    assert len(commands) == 3
    assert all(f"-r requirements.txt {needed} pip" in command for command in commands)
