"""The Chromium of this machine, started so that it talks to this machine alone."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",  # a container's root has no other way; the pages are ours
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
INSTALL = (
    "there is no Chromium on this machine (Debian: apt install chromium); "
    "LAB_CHROMIUM names one that lies elsewhere"
)


def found() -> str | None:
    """Return the path of a Chromium: the one that LAB_CHROMIUM names, else one on the path."""
    names = (os.environ["LAB_CHROMIUM"],) if "LAB_CHROMIUM" in os.environ else NAMES
    return next(filter(None, map(shutil.which, names)), None)


@contextmanager
def started() -> Iterator[Browser]:
    """Start the browser, and end it with the block.

    Raises:
        RuntimeError: there is none, or nothing to drive it with; the message says what to install.
    """
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as missing:
        raise RuntimeError("playwright is not installed; `make test` installs it") from missing
    path = found()
    if path is None:
        raise RuntimeError(INSTALL)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()
