"""A panel on a page, used as a learner uses it: by mouse, or by keyboard alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

from tests.browser.lesson import Lesson

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.browser.server import Server

WAIT_MS = 30_000  # for what takes a tenth of a second, on a machine that is busy
STOPS = 60  # controls of a panel, and of JupyterLab before it, at most
LABEL = "() => document.activeElement.labels?.[0]?.innerText || document.activeElement.innerText"


class Shown:
    """The panel that a notebook shows."""

    def __init__(self, lesson: Lesson) -> None:
        self.page = lesson.page
        self.panel = lesson.page.locator(".lab-panel")
        self.panel.wait_for()

    def part(self, name: str) -> Locator:
        """Return one part of the panel: happened, knows, holds, picture, first or more."""
        return self.panel.locator(f".lab-{name}")

    def sees(self, **parts: str) -> None:
        """Wait until each part holds its text."""
        from playwright.sync_api import expect

        for name, text in parts.items():
            expect(self.part(name)).to_contain_text(text, timeout=WAIT_MS)

    def button(self, name: str) -> Locator:
        """Return a button by its label; a cell of the strip by the beginning of its title."""
        if name.startswith("A crash "):
            return self.panel.get_by_title(name)
        return self.panel.get_by_role("button", name=name, exact=True)

    def press(self, button: str) -> None:
        """Click a button."""
        self.button(button).click()

    def choose(self, label: str, option: str) -> None:
        """Choose an option of a list."""
        self.panel.get_by_label(label, exact=True).select_option(label=option)

    def write(self, label: str, text: str) -> None:
        """Write a text."""
        self.panel.get_by_label(label, exact=True).fill(text)

    def tick(self, label: str) -> None:
        """Click a box."""
        self.panel.get_by_label(label, exact=True).click()

    def tab_to(self, label: str) -> None:
        """Press Tab until a control has the focus; it is known by its label."""
        passed = []
        for _ in range(STOPS):
            self.page.keyboard.press("Tab")
            passed.append(self.page.evaluate(LABEL))
            if passed[-1] == label:
                return
        raise AssertionError(f"Tab does not reach {label}: {passed}")

    def key(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)


def shown(page: Page, server: Server, call: str) -> Shown:
    """Show the panel of an expression, such as ``silence()``, in a notebook of its own."""
    name = f"{re.sub(r'[^a-z]', '_', call)}.ipynb"
    cell = new_code_cell(
        f"from lab.widgets import boundary, explorer, restart, silence\n\n{call}", id="panel"
    )
    spec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = new_notebook(cells=[cell], metadata={"kernelspec": spec})
    nbformat.write(notebook, server.work / name)
    opened = Lesson(page, server, name)
    opened.open()
    opened.run_all()
    return Shown(opened)
