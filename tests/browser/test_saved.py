"""A lesson that was saved with a panel in it, and opened with nothing running behind it."""

from collections.abc import Callable

from tests.browser.lesson import Lesson
from tests.browser.server import Server

NAME = "01_silence_is_not_failure.ipynb"


def test_a_sentence_stands_where_a_panel_was(
    lesson: Callable[[str], Lesson], server: Server
) -> None:
    opened = lesson(NAME)
    opened.open()
    opened.run_all()
    opened.page.locator(".lab-panel").wait_for()
    opened.save()
    server.shut_down_kernels()
    opened.open_without_kernel()
    sentence = opened.page.get_by_text("[Lose the response: a panel to click in.")
    sentence.wait_for()
    assert server.ask("api/sessions") == []  # nothing runs behind it
    assert opened.page.locator(".lab-panel").count() == 0
    assert "model not found" not in opened.page.locator(".jp-Notebook").inner_text()
