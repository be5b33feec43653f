"""What was graded stays written down, and only the same run goes on with it."""

import json
from pathlib import Path

import pytest

from lab.grading import log as module
from lab.grading.graded import Graded, Paper, Run
from lab.grading.log import NAME, CannotGoOn, Log

GRADED = Graded(
    "on_found", "07", "Settle", "FAILED", 10, 4, "It – says “so”.\u2028", "sends again",
    (Run("One.", True), Run("Own.", False, True)), "page\n", ("note",),
)  # fmt: skip
PAPERS = (
    Paper("anna", "anna/07.ipynb", "d1", graded=(GRADED,)),
    Paper("Zoë", "Zoë/x.ipynb", "", "It is no notebook."),
)


def logged(out: Path, *papers: Paper, seed: int | None = 5) -> None:
    log = Log(out, seed)
    for paper in papers:
        log.add(paper)
    log.close()


def held(out: Path) -> dict[str, Paper]:
    log = Log(out, 5)
    log.close()
    return log.papers


def cut(out: Path, by: int) -> None:
    """Cut off the end of the file, as it is where a machine stops."""
    path = out / NAME
    path.write_bytes(path.read_bytes()[:-by])


def test_papers_come_back_as_they_were(tmp_path: Path) -> None:
    out = tmp_path / "a" / "new" / "folder"
    logged(out, *PAPERS)
    assert held(out) == {paper.file: paper for paper in PAPERS}
    assert (out / NAME).stat().st_mode & 0o777 == 0o600  # nobody else's to read


def test_a_paper_is_on_the_disk_as_soon_as_it_is_added(tmp_path: Path) -> None:
    log = Log(tmp_path, 5)
    log.add(PAPERS[0])
    assert len((tmp_path / NAME).read_text("utf-8").splitlines()) == 2
    assert log.papers == {PAPERS[0].file: PAPERS[0]}
    log.close()


def test_the_later_line_of_a_file_counts(tmp_path: Path) -> None:
    again = PAPERS[0]._replace(digest="d2")
    logged(tmp_path, *PAPERS, again)
    assert held(tmp_path)[again.file] == again


@pytest.mark.parametrize("by", [1, 2, 40])
def test_a_line_that_was_cut_off_is_read_over_and_mended(tmp_path: Path, by: int) -> None:
    logged(tmp_path, *PAPERS)
    cut(tmp_path, by)
    whole = [PAPERS[0].file, *([PAPERS[1].file] if by == 1 else [])]
    assert list(held(tmp_path)) == whole
    logged(tmp_path, PAPERS[1])
    assert held(tmp_path) == {paper.file: paper for paper in PAPERS}


def test_an_end_that_is_cut_off_twice_is_mended_twice(tmp_path: Path) -> None:
    logged(tmp_path, *PAPERS)
    cut(tmp_path, 40)
    logged(tmp_path, PAPERS[1])
    cut(tmp_path, 40)
    assert list(held(tmp_path)) == [PAPERS[0].file]


def test_without_a_seed_one_is_drawn_and_kept(tmp_path: Path) -> None:
    log = Log(tmp_path, None)
    log.close()
    for seed in (None, log.seed):
        same = Log(tmp_path, seed)
        same.close()
        assert same.seed == log.seed


def refusal(out: Path, seed: int | None = 5, scenarios: str = "") -> str:
    with pytest.raises(CannotGoOn) as caught:
        Log(out, seed, scenarios)
    return str(caught.value)


def test_another_run_is_refused_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logged(tmp_path, *PAPERS)
    before = (tmp_path / NAME).read_bytes()
    ends = "Name another folder"
    assert refusal(tmp_path, seed=6) == f"{tmp_path} holds a run with another seed. {ends}"
    assert "with other scenarios of your own." in refusal(tmp_path, scenarios="digest")
    monkeypatch.setattr(module, "__version__", "another")
    assert "with another version of the course." in refusal(tmp_path)
    assert "another seed and other scenarios" in refusal(tmp_path, 6, "digest")
    assert (tmp_path / NAME).read_bytes() == before


@pytest.mark.parametrize(
    "content",
    [b"\n", b"hello", b"5\n", b"[]\n", b"{}\n", b'{"seed": 5}\n', b"\xff\xfe\x00", b"null\n",
     b'{"lab": "1", "se'],
)  # fmt: skip
def test_what_is_no_file_of_results_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / NAME).write_bytes(content)
    assert refusal(tmp_path) == f"{tmp_path / NAME} is no file of results. Name another folder"
    assert (tmp_path / NAME).read_bytes() == content


@pytest.mark.parametrize("line", ["5", "{}", "null", '{"student": "anna"}', '["x"]'])
def test_a_line_that_is_no_paper_is_refused(tmp_path: Path, line: str) -> None:
    logged(tmp_path)
    with (tmp_path / NAME).open("a") as file:
        file.write(f"{line}\n{json.dumps(PAPERS[0].as_data())}\n")
    assert "is no file of results" in refusal(tmp_path)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    assert refusal(tmp_path / "file").startswith(f"{tmp_path / 'file'}: it cannot be written (")
    (tmp_path / NAME).mkdir()
    assert refusal(tmp_path).startswith(f"{tmp_path}: it cannot be written (")
