"""The checks of the other files here can fail: what they look for is put on a page, and found."""

from collections.abc import Callable

from tests.browser.access import flaws
from tests.browser.shown import Shown

PALE = """panel => {
  const text = document.createElement('p');
  text.textContent = 'pale';
  text.style.cssText = 'color: #ccc; background: #fff; margin-top: 3000px';
  panel.append(text);
}"""
COMPLAINTS = """async () => {
  console.error('a complaint');
  await fetch('https://example.org/').catch(() => null);
}"""


def test_a_pale_text_is_found_also_far_below_the_window(show: Callable[[str], Shown]) -> None:
    panel = show("silence()")
    assert flaws(panel.page) == []
    panel.panel.evaluate(PALE)
    assert ["color-contrast" in flaw and "pale" in flaw for flaw in flaws(panel.page)] == [True]


def test_a_complaint_and_a_request_elsewhere_are_heard(
    show: Callable[[str], Shown], wrong: list[str]
) -> None:
    show("silence()").page.evaluate(COMPLAINTS)
    heard, wrong[:] = list(wrong), []
    assert "a complaint" in heard
    assert "asked for https://example.org/" in heard
