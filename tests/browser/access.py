"""What axe-core finds in what is ours: rendered text and outputs.

JupyterLab's own parts of the page (menus, list of files, toolbars, prompts, editors) are left out:
they are not the course's to mend.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

OURS = ":is(.jp-MarkdownOutput, .jp-OutputArea-output)"
GRAVE = ("serious", "critical")
# JupyterLab's body has no height, so axe takes the whole notebook for hidden, and checks no colour.
SEEN = "body { height: 100vh }"
# It takes for hidden, too, what was scrolled out of the window.
HEIGHT = "() => document.querySelector('.jp-WindowedPanel-viewport').scrollHeight"
IN_SIGHT = """ours => {
  document.querySelector('.jp-WindowedPanel-outer').scrollTop = 0;
  return [...document.querySelectorAll(ours)].every(one => {
    const place = one.getBoundingClientRect();
    return place.top >= 0 && place.bottom <= window.innerHeight;
  });
}"""
CELL = """target => jupyterapp.shell.currentWidget.content.widgets
  .find(cell => cell.node.contains(document.querySelector(target)))?.model.id"""


def flaws(page: Page) -> list[str]:
    """Return what axe calls serious or critical, a line for each element: cell, rule, element."""
    from axe_playwright_python.sync_playwright import Axe

    show_all(page)
    found = Axe().run(page, context=OURS).response
    return [
        f"{page.evaluate(CELL, place['target'][0])}: {rule['id']}: {place['html'][:300]}"
        for rule in found["violations"]
        if rule["impact"] in GRAVE
        for place in rule["nodes"]
    ]


def show_all(page: Page) -> None:
    """Make the window so high that all of the notebook is in sight, and axe believe it."""
    page.add_style_tag(content=SEEN)
    assert page.viewport_size
    width, around = page.viewport_size["width"], page.viewport_size["height"]
    page.set_viewport_size({"width": width, "height": page.evaluate(HEIGHT) + around})
    page.wait_for_function(IN_SIGHT, arg=OURS)
