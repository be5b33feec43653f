"""The glossary defines every word of the course once, and says in which lesson it is at home."""

import ast
import functools
import inspect
import itertools
import re

import nbformat
import pytest

from lab.authoring.notebooks import NOTEBOOKS, lessons
from lab.faults.numbers import Numbers
from lab.gateway import CONTRACTS, STATES, Verdict, dispatch

GLOSSARY = (NOTEBOOKS / "GLOSSARY.md").read_text("utf-8")
ENTRIES = dict(re.findall(r"^### (.+)\n+((?:(?!#).*\n?)*)", GLOSSARY, re.MULTILINE))
# Words that make a reader who does not find it so feel slow, and noise.
UNKIND = re.compile(
    r"\b(simply|just|obviously|easy|easily|of course|trivial(?:ly)?|clearly)\b|!", re.I
)


def paths() -> set[str]:
    """Return the paths that outcomes are given: the gateway names each where it reports."""
    calls = (
        node for node in ast.walk(ast.parse(inspect.getsource(dispatch)))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Outcome.of"
    )  # fmt: skip
    said = (part for call in calls for part in ast.walk(call.args[1]))
    return {part.value for part in said if isinstance(part, ast.Constant)}


def plain(text: str) -> str:
    """Return a text in which ``in_review``, ``in review`` and a line break are the same."""
    return re.sub(r"[\s_]+", " ", text)


@functools.cache
def lesson_text(name: str) -> str:
    """Return what a lesson says, in its texts and in its code, as its source has it."""
    [source] = [path for path in lessons() if path.name == name]
    return plain("\n".join(cell.source for cell in nbformat.read(source, as_version=4).cells))


def homes(term: str) -> list[str]:
    """Return the lessons that an entry names."""
    return re.findall(r"\]\((\d\d_\w+\.ipynb)\)", ENTRIES[term])


each = pytest.mark.parametrize("term", ENTRIES)


def test_every_word_of_the_gateway_has_an_entry() -> None:
    words = {*STATES, *CONTRACTS, *(verdict.name for verdict in Verdict), *paths()}
    words |= {plain(name) for name in Numbers.names()}
    assert len(paths()) == 6
    assert words - set(ENTRIES) == set()


def test_entries_stand_in_the_order_of_the_alphabet_below_their_letters() -> None:
    terms = re.findall(r"^### (.+)$", GLOSSARY, re.MULTILINE)
    assert terms == sorted(set(terms), key=str.lower)
    letter, strayed = "", []
    for marks, title in re.findall(r"^(##+) (.+)$", GLOSSARY, re.MULTILINE):
        letter = title if marks == "##" else letter
        strayed += [title] if title[0].upper() != letter else []
    assert strayed == []


def test_no_two_entries_have_one_address() -> None:
    """``GLOSSARY.md#in-flight``: capitals do not count everywhere."""
    addresses = [term.lower().replace(" ", "-") for term in ENTRIES]
    assert len(addresses) == len(set(addresses))
    assert all(re.fullmatch(r"[a-z_-]+", address) for address in addresses)


@each
def test_an_entry_is_short_and_names_its_lesson(term: str) -> None:
    definition, _, home = ENTRIES[term].strip().rpartition("\n")
    assert re.fullmatch(r"\[Lesson (\d\d)\]\(\1_\w+\.ipynb\)", home)
    assert 1 <= len(re.findall(r"[.?](?=\s|$)", definition)) <= 2


@each
def test_a_term_occurs_in_the_lesson_that_its_entry_names(term: str) -> None:
    # "event" may stand there as "events"; what is written in capitals, only in capitals.
    capitals = 0 if term.isupper() else re.IGNORECASE
    word = re.compile(rf"(?<![A-Za-z]){re.escape(plain(term))}s?(?![A-Za-z])", capitals)
    assert homes(term)
    assert [name for name in homes(term) if not word.search(lesson_text(name))] == []


@pytest.mark.parametrize("name", ["GLOSSARY.md", "TEACHING.md"])
def test_a_page_links_to_what_is_there(name: str) -> None:
    text = (NOTEBOOKS / name).read_text("utf-8")
    links = re.findall(r"\]\(([^)#]*)(?:#([^)]*))?\)", text)
    assert links
    near = [file for file, _ in links if file and "://" not in file]
    assert [file for file in near if not (NOTEBOOKS / file).is_file()] == []
    terms = {term.lower().replace(" ", "-") for term in ENTRIES}
    marks = [mark for file, mark in links if mark and file == "GLOSSARY.md"]
    assert [mark for mark in marks if mark.lower() not in terms] == []


@pytest.mark.parametrize("name", ["GLOSSARY.md", "GRADING.md", "TEACHING.md"])
def test_a_page_keeps_the_voice_and_skips_no_heading(name: str) -> None:
    text = re.sub(r"```.*?```", "", (NOTEBOOKS / name).read_text("utf-8"), flags=re.DOTALL)
    assert UNKIND.findall(re.sub(r"`[^`]*`", "", text)) == []
    levels = [len(marks) for marks in re.findall(r"^(#+) ", text, re.MULTILINE)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(deeper - level <= 1 for level, deeper in itertools.pairwise(levels))
