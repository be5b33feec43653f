"""One JupyterLab and one Chromium for each process that tests; a page of its own for each test."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from tests.browser import chromium
from tests.browser.lesson import PATIENCE_MS, Lesson
from tests.browser.server import Server, copy_lessons, serving
from tests.browser.shown import Shown, shown

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

ELSEWHERE = re.compile(r"^(https?|wss?)://(?!127\.0\.0\.1[:/])")
SIZE = {"width": 1024, "height": 900}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start Chromium; without one skip, or fail where LAB_BROWSER says that it is required."""
    with ExitStack() as stack:
        try:
            started = stack.enter_context(chromium.started())
        except RuntimeError as missing:
            if os.environ.get("LAB_BROWSER") == "required":
                raise
            pytest.skip(str(missing))
        yield started


@pytest.fixture(scope="session")
def server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start JupyterLab as learners do, on fresh copies of the lessons."""
    root = tmp_path_factory.mktemp("course")
    copy_lessons(root)
    with serving(root) as running:
        yield running


@pytest.fixture
def wrong() -> list[str]:
    """Return what a page complained of, or asked of another machine; the test fails on any."""
    return []


@pytest.fixture
def page(browser: Browser, wrong: list[str]) -> Iterator[Page]:
    """Open an empty page that tells what goes wrong on it, and asks this machine alone."""

    def refuse(route: Route) -> None:
        wrong.append(f"asked for {route.request.url}")
        route.abort()

    with browser.new_context(viewport=SIZE) as context:  # type: ignore[arg-type]
        context.route(ELSEWHERE, refuse)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", lambda said: said.type == "error" and wrong.append(said.text))
        page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
        page.on(
            "websocket",
            lambda socket: ELSEWHERE.match(socket.url) and wrong.append(f"asked {socket.url}"),
        )
        yield page
    assert wrong == []


@pytest.fixture
def lesson(page: Page, server: Server) -> Iterator[Callable[[str], Lesson]]:
    """Return a function that names the notebook to open; its kernel ends with the test."""
    yield lambda name: Lesson(page, server, name)
    server.shut_down_kernels()


@pytest.fixture
def show(lesson: Callable[[str], Lesson], page: Page, server: Server) -> Callable[[str], Shown]:
    """Return a function that shows the panel of an expression, in a notebook of its own."""
    return lambda call: shown(page, server, call)
