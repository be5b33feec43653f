"""Every lesson opens in a real browser, runs from top to bottom, and can be read by everybody."""

from collections.abc import Callable

import pytest

from lab.authoring.notebooks import learners, lessons
from tests.browser.access import flaws
from tests.browser.lesson import Lesson

NAMES = [learners(path).name for path in lessons()]


@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_runs_to_its_end_and_axe_finds_nothing_grave(
    name: str, lesson: Callable[[str], Lesson]
) -> None:
    opened = lesson(name)
    opened.open()
    opened.run_all()
    assert opened.not_run() == []
    assert flaws(opened.page) == []
