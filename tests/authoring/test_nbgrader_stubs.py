"""Real nbgrader gives the learner's edition no point before anything was written in it."""

import pytest

from lab.authoring.notebooks import learners, lessons, read
from tests.nbgrader.course import SCORED, Course, needed

pytestmark = needed

SOURCES = {path: read(path) for path in lessons() if path.name[:2] in SCORED}


@pytest.fixture(scope="module")
def scores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[float]]:
    sources = {path.stem: source for path, source in SOURCES.items()}
    course = Course(tmp_path_factory.mktemp("course"), sources)
    return course.scores("stubs", {path.stem: read(learners(path)) for path in SOURCES})


@pytest.mark.parametrize("name", [path.stem for path in SOURCES])
def test_a_stub_is_given_no_point(name: str, scores: dict[str, list[float]]) -> None:
    assert scores[name][0] == 0
