"""One JupyterLab and one Chromium for each process that tests; a page of its own for each test."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from tests.browser import chromium
from tests.browser.lesson import Lesson, enter, leave
from tests.browser.server import Server, copy_lessons, serving
from tests.browser.shown import Shown, shown

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

ELSEWHERE = re.compile(r"^(https?|wss?)://(?!127\.0\.0\.1[:/])")
# What is not ours to mend, each with its reason. ipywidgets' manager asks for the kernel of every
# notebook that is opened, also of one that is opened without.
KNOWN = (re.compile(r"of null \(reading 'kernel'\).*@jupyter-widgets/jupyterlab-manager/", re.S),)
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


@pytest.fixture(scope="session")
def wrong() -> list[str]:
    """Return what the page complains of, or asks of another machine; a test fails on any."""
    return []


@pytest.fixture(scope="session")
def jupyterlab(browser: Browser, server: Server, wrong: list[str]) -> Iterator[Page]:
    """Open JupyterLab on a page that tells what goes wrong, and asks this machine alone."""

    def refuse(route: Route) -> None:
        wrong.append(f"asked for {route.request.url}")
        route.abort()

    with browser.new_context(viewport=SIZE) as context:  # type: ignore[arg-type]
        context.route(ELSEWHERE, refuse)
        page = context.new_page()
        page.on("console", lambda said: said.type == "error" and wrong.append(said.text))
        page.on("pageerror", lambda error: wrong.append(f"error: {error.stack or error}"))
        page.on(
            "websocket",
            lambda socket: ELSEWHERE.match(socket.url) and wrong.append(f"asked {socket.url}"),
        )
        enter(page, server)
        yield page


@pytest.fixture
def page(jupyterlab: Page, wrong: list[str]) -> Iterator[Page]:
    """Return JupyterLab with nothing open in it; afterwards nothing may have gone wrong."""
    jupyterlab.set_viewport_size(SIZE)  # type: ignore[arg-type]
    yield jupyterlab
    leave(jupyterlab)
    heard, wrong[:] = list(wrong), []
    assert [one for one in heard if not any(known.search(one) for known in KNOWN)] == []


@pytest.fixture
def lesson(page: Page, server: Server) -> Callable[[str], Lesson]:
    """Return a function that names the notebook to open."""
    return lambda name: Lesson(page, server, name)


@pytest.fixture
def show(page: Page, server: Server) -> Callable[[str], Shown]:
    """Return a function that shows the panel of an expression, in a notebook of its own."""
    return lambda call: shown(page, server, call)
