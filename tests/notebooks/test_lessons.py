"""Every lesson keeps the anatomy, the voice and the house rules of the course.

nbval runs the lessons themselves: ``make test`` gives it the folder ``notebooks``.
"""

import ast
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from nbformat import NotebookNode

from lab.authoring.diagram import out_of_step
from lab.authoring.hygiene import flaws
from lab.authoring.notebooks import NOTEBOOKS, code_cells, lessons, read, tags
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
    "11": "every_crash_point",
    "12": "two_workers_one_key",
}
PARTS = ("Fail", "Predict", "Build", "Exercise", "Break", "What changed", "Still unsafe")
# Words that make a reader who does not find it so feel slow.
UNKIND = re.compile(
    r"\b(simply|just|obviously|easy|easily|of course|trivial(?:ly)?|clearly)\b", re.I
)

ALL = lessons()
BUILT = [path for path in ALL if path.name[:2] != "00"]


def lesson_id(path: Path) -> str:
    return path.stem


each = pytest.mark.parametrize("path", ALL, ids=lesson_id)
each_built = pytest.mark.parametrize("path", BUILT, ids=lesson_id)


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
    assert [path.stem for path in ALL] == [f"{n}_{name}" for n, name in NAMES.items()]


@each
def test_a_stored_lesson_was_run_and_holds_nothing_that_varies(path: Path) -> None:
    assert flaws(read(path), path.name) == []


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


@each
def test_a_lesson_is_short(path: Path) -> None:
    notebook = read(path)
    assert len(notebook.cells) <= 30
    long = [c.id for c in code_cells(notebook) if len(c.source.splitlines()) > 25]
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
    assert sum("exercise" in t for t in marked) == 1


@each_built
def test_a_build_cell_is_shorter_than_25_lines(path: Path) -> None:
    long = [c.id for c in code_cells(read(path)) if tags(c) and len(c.source.splitlines()) >= 25]
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
def test_a_lesson_leads_to_the_next_and_every_link_to_a_file_that_is_there(path: Path) -> None:
    source = "\n".join(c.source for c in read(path).cells if c.cell_type == "markdown")
    targets = re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", source)
    local = [target for target in targets if "://" not in target]
    assert [target for target in local if not (NOTEBOOKS / target).exists()] == []
    following = f"{int(path.name[:2]) + 1:02}_"
    if any(other.name.startswith(following) for other in ALL):
        assert any(target.startswith(following) for target in local)


def test_three_sends_print_what_the_seed_case_prints() -> None:
    expected = (Path(__file__).parent / "expected/three_sends.stdout").read_text()
    assert expected in printed("02")


def test_the_hostile_test_prints_its_five_lines() -> None:
    expected = (Path(__file__).parents[1] / "faults/hostile_test.stdout").read_text()
    assert expected in printed("09")


def printed(lesson: str) -> list[str]:
    """Return what each code cell of a lesson prints."""
    [path] = NOTEBOOKS.glob(f"{lesson}_*.ipynb")
    return ["".join(o.get("text", "") for o in c.outputs) for c in code_cells(read(path))]


def test_the_database_refuses_the_second_careful_worker() -> None:
    assert "Ben: refused, UNIQUE constraint failed: actions.key" in "".join(printed("04"))


@each
def test_an_output_fits_beside_an_open_list_of_files(path: Path) -> None:
    exact = {"09-all"}  # these lines are what the hostile test prints, byte for byte
    for cell in code_cells(read(path)):
        text = "".join(output.get("text", "") for output in cell.outputs)
        long = [line for line in text.splitlines() if len(line) > 110]
        assert cell.id in exact or long == [], cell.id
