"""Every lesson, in both editions, keeps the anatomy, the voice and the rules of the course.

nbval runs the lessons themselves: ``make test`` gives it the folder ``notebooks``.
"""

import ast
import itertools
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from nbformat import NotebookNode

from lab.authoring.diagram import out_of_step
from lab.authoring.editions import malformed, without_markers
from lab.authoring.hygiene import flaws
from lab.authoring.notebooks import (
    ROOT,
    called,
    code_cells,
    learners,
    leftovers,
    lessons,
    read,
    tags,
)
from lab.exercises.questions import QUESTIONS

NAMES = {
    "00": "start_here",
    "01": "silence_is_not_failure",
    "02": "one_intention_one_key",
    "03": "same_key_same_payload",
    "04": "write_it_down_first",
    "05": "a_provider_we_can_break",
    "06": "unknown_is_a_state",
    "07": "restart",
    "08": "when_nobody_can_say",
    "09": "the_hostile_test",
    "10": "your_turn",
    "11": "every_crash_point",
    "12": "two_workers_one_key",
    "13": "a_real_provider",
    "14": "a_person_decides",
    "15": "what_it_costs",
}
PARTS = ("Fail", "Predict", "Build", "Exercise", "Break", "What changed", "Still unsafe")
ASKS_TWICE = {"02", "10"}
# Words that make a reader who does not find it so feel slow.
UNKIND = re.compile(
    r"\b(simply|just|obviously|easy|easily|of course|trivial(?:ly)?|clearly)\b", re.I
)

SOLVED = lessons()
ALL = [edition for path in SOLVED for edition in (path, learners(path))]
BUILT = [path for path in ALL if path.name[:2] != "00"]

each = pytest.mark.parametrize("path", ALL, ids=called)
each_built = pytest.mark.parametrize("path", BUILT, ids=called)
each_solved = pytest.mark.parametrize("path", SOLVED, ids=called)


def texts(notebook: NotebookNode) -> Iterator[str]:
    """Yield the prose, without code, diagrams and links' targets."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            text = re.sub(r"```.*?```|`[^`]*`", "", cell.source, flags=re.DOTALL)
            yield re.sub(r"\]\([^)]*\)", "]", text)


def headings(notebook: NotebookNode) -> list[tuple[int, str]]:
    found = []
    for text in texts(notebook):
        for marks, title in re.findall(r"^(#+) (.+)$", text, re.MULTILINE):
            found.append((len(marks), title.strip()))
    return found


def test_the_lessons_are_all_there() -> None:
    assert [path.stem for path in SOLVED] == [f"{n}_{name}" for n, name in NAMES.items()]
    assert leftovers() == []


@each_solved
def test_a_learners_edition_can_be_made(path: Path) -> None:
    assert malformed(read(path), called(path)) == []


@each_solved
def test_a_learner_is_shown_no_solution_and_no_hidden_test(path: Path) -> None:
    for cell in read(learners(path)).cells:
        assert without_markers(cell.source) == cell.source
        assert "exercise.passes(" not in cell.source


def test_nbval_runs_both_editions() -> None:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "--nbval", "notebooks"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    collected = {line.partition("::")[0] for line in listed.splitlines() if "::" in line}
    assert collected == {path.relative_to(ROOT).as_posix() for path in ALL}


@each
def test_a_stored_lesson_was_run_and_holds_nothing_that_varies(path: Path) -> None:
    assert flaws(read(path), called(path)) == []


@each
def test_a_lesson_is_run_from_top_to_bottom(path: Path) -> None:
    counts = [cell.execution_count for cell in code_cells(read(path))]
    assert counts == list(range(1, len(counts) + 1))


@each
def test_a_lesson_has_one_title_and_skips_no_level(path: Path) -> None:
    levels = [level for level, _ in headings(read(path))]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in itertools.pairwise(levels))


def length(cell: NotebookNode) -> int:
    """Count the lines that a reader reads."""
    return len(without_markers(cell.source).splitlines())


@each
def test_a_lesson_is_short(path: Path) -> None:
    notebook = read(path)
    assert len(notebook.cells) <= 30
    long = [cell.id for cell in code_cells(notebook) if length(cell) > 25]
    assert long == []


@each
def test_a_cell_has_an_id_of_its_own_that_a_person_can_read(path: Path) -> None:
    ids = [cell.id for cell in read(path).cells]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(rf"{path.name[:2]}-[a-z0-9-]+", one) for one in ids), ids


@each
def test_a_head_names_the_minutes_and_what_the_reader_will_be_able_to_do(path: Path) -> None:
    head = read(path).cells[0].source
    assert re.search(r"\b\d+ minutes\b", head)
    objectives = re.findall(r"^- \w+", head, re.MULTILINE)
    assert len(objectives) == 3, objectives


@each_built
def test_a_lesson_has_its_parts_in_their_order(path: Path) -> None:
    titles = [title for level, title in headings(read(path)) if level == 2]
    found = [part for title in titles for part in PARTS if re.match(rf"{part}\b", title)]
    assert list(dict.fromkeys(found)) == list(PARTS)


@each_built
def test_a_lesson_builds_little_and_asks_once(path: Path) -> None:
    marked = [tags(cell) for cell in code_cells(read(path))]
    built = [t for t in marked if t and "exercise" not in t]
    assert 1 <= len(built) <= 3, built
    assert sum("exercise" in t for t in marked) == (2 if path.name[:2] in ASKS_TWICE else 1)


@each_built
def test_the_check_of_an_exercise_follows_it(path: Path) -> None:
    cells = read(path).cells
    asked = [n for n, cell in enumerate(cells) if "exercise" in tags(cell)]
    marked = [n for n, cell in enumerate(cells) if "nbgrader" in cell.metadata]
    assert marked == [number for n in asked for number in (n, n + 1)]
    for exercise, check in (
        (cells[n].metadata.nbgrader, cells[n + 1].metadata.nbgrader) for n in asked
    ):
        assert exercise.solution
        assert check.grade
        assert check.grade_id == f"{exercise.grade_id}-check"


@each_built
def test_a_build_cell_is_shorter_than_25_lines(path: Path) -> None:
    long = [cell.id for cell in code_cells(read(path)) if tags(cell) and length(cell) >= 25]
    assert long == []


@each
def test_a_prediction_is_prepared_and_stored_unanswered(path: Path) -> None:
    asked = 0
    for cell in code_cells(read(path)):
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "predict":
                asked += 1
                assert ast.literal_eval(node.args[0]) in QUESTIONS
                answer = {k.arg: k.value for k in node.keywords}["answer"]
                assert isinstance(answer, ast.Constant)
                assert answer.value is None
    assert asked


@each
def test_a_diagram_has_a_title_and_a_description_and_a_picture_a_text(path: Path) -> None:
    for cell in read(path).cells:
        if cell.cell_type == "markdown":
            for fence in re.findall(r"```mermaid\n(.*?)```", cell.source, re.DOTALL):
                assert "accTitle: " in fence
                assert "accDescr: " in fence
            assert not re.search(r"!\[\s*\]\(|<img(?![^>]*\balt=\"[^\"]+\")", cell.source)


@each
def test_a_state_diagram_is_the_tables(path: Path) -> None:
    assert out_of_step(path) == []


@each
def test_a_lesson_is_kind(path: Path) -> None:
    for text in texts(read(path)):
        assert not UNKIND.search(text), UNKIND.search(text)
        assert "!" not in text, text


@each
def test_a_dollar_is_a_dollar_and_no_formula(path: Path) -> None:
    for text in texts(read(path)):
        assert not re.search(r"(?<!\\)\$", text), text


@each
def test_a_lesson_leads_to_the_next_and_every_link_to_a_file_that_is_there(path: Path) -> None:
    source = "\n".join(c.source for c in read(path).cells if c.cell_type == "markdown")
    targets = re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", source)
    local = [target for target in targets if "://" not in target]
    assert [target for target in local if not (path.parent / target).exists()] == []
    following = f"{int(path.name[:2]) + 1:02}_"
    if any(other.name.startswith(following) for other in ALL):
        assert any(target.startswith(following) for target in local)


def printed(lesson: str) -> Iterator[list[str]]:
    """Yield, for each edition of a lesson, what its code cells print."""
    for path in (path for path in ALL if path.name.startswith(lesson)):
        yield ["".join(o.get("text", "") for o in c.outputs) for c in code_cells(read(path))]


def test_three_sends_print_what_the_seed_case_prints() -> None:
    expected = (Path(__file__).parent / "expected/three_sends.stdout").read_text()
    assert [expected in outputs for outputs in printed("02")] == [True, True]


def test_the_hostile_test_prints_its_five_lines() -> None:
    expected = (Path(__file__).parents[1] / "faults/hostile_test.stdout").read_text()
    assert [expected in outputs for outputs in printed("09")] == [True, True]


def test_the_database_refuses_the_second_careful_worker() -> None:
    refusal = "Ben: refused, UNIQUE constraint failed: actions.key"
    assert [refusal in "".join(outputs) for outputs in printed("04")] == [True, True]


@each
def test_an_output_fits_beside_an_open_list_of_files(path: Path) -> None:
    exact = {"09-all"}  # these lines are what the hostile test prints, byte for byte
    for cell in code_cells(read(path)):
        text = "".join(output.get("text", "") for output in cell.outputs)
        long = [line for line in text.splitlines() if len(line) > 110]
        assert cell.id in exact or long == [], cell.id
