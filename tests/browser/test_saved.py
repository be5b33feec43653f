"""A lesson that was saved with a panel in it, and opened with nothing running behind it."""

from collections.abc import Callable

from lab.saving import VIEW
from tests.browser.lesson import Lesson, leave
from tests.browser.server import Server

TYPE_A_WORD = """() => jupyterapp.shell.currentWidget.content.model.cells.get(0).sharedModel
    .setSource('# a word of mine')"""
NAME = "01_silence_is_not_failure.ipynb"


def test_a_sentence_stands_where_a_panel_was(
    lesson: Callable[[str], Lesson], server: Server
) -> None:
    opened = lesson(NAME)
    opened.open()
    opened.run_all()
    opened.page.locator(".lab-panel").wait_for()
    opened.page.evaluate(TYPE_A_WORD)
    opened.save()
    saved = (server.work / NAME).read_bytes()
    assert b"a word of mine" in saved
    assert VIEW.encode() not in saved
    leave(opened.page)
    opened.open_without_kernel()
    sentence = opened.page.get_by_text("[Lose the response: a panel to click in.")
    sentence.wait_for()
    assert server.ask("api/sessions") == []  # nothing runs behind it
    assert opened.page.locator(".lab-panel").count() == 0
    assert "model not found" not in opened.page.locator(".jp-Notebook").inner_text()
