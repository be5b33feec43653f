"""Measures, in the page itself, how long a click on a panel takes until the page has changed.

``make bench`` runs it. From the click to the last change that it makes to what the panel shows.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from itertools import cycle, islice
from pathlib import Path

from tests.browser import chromium
from tests.browser.conftest import SIZE
from tests.browser.lesson import enter, leave
from tests.browser.server import serving
from tests.browser.shown import Shown, shown

CLICKS = 40
# What a click changes is text; the time of the last change counts, once all is quiet.
MEASURED = """(button, quiet) => new Promise(done => {
  const panel = button.closest('.lab-panel');
  let clicked, last, waiting;
  const observer = new MutationObserver(() => {
    last = performance.now();
    clearTimeout(waiting);
    waiting = setTimeout(() => { observer.disconnect(); done(last - clicked); }, quiet);
  });
  for (const part of panel.querySelectorAll('.widget-html'))
    observer.observe(part, {childList: true, subtree: true});
  clicked = performance.now();
  button.click();
})"""
QUIET_MS = 150


PANELS: dict[str, tuple[str, ...]] = {
    "silence()": ("Send", "Read the provider"),
    "boundary('execute')": ("Execute", "Let it pass", "Read back", "Reset"),
    "restart()": ("Run to the step", "Kill it", "Restart", "Reset"),
    "explorer('strip', 'unknown_after_failure')": (
        "A crash after provider.perform, on readable:",
        "A crash before ledger.begin, on keyed:",
        "A crash after ledger.find, on blind:",
        "A crash after ledger.settle, on searchable:",
    ),
}


def times(panel: Shown, names: tuple[str, ...], number: int = CLICKS) -> list[float]:
    """Click, and return the milliseconds of each click; the first round is thrown away."""
    measured = []
    for name in islice(cycle(names), number + len(names)):
        measured.append(panel.button(name).evaluate(MEASURED, QUIET_MS))
    return measured[len(names) :]


def main() -> int:
    """Measure every panel, and print a small table; without a browser say so."""
    print("From a click to the last change of the page, ms, measured in the page")
    try:
        with (
            tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
            chromium.started() as browser,
        ):
            (Path(folder) / "work").mkdir()
            with serving(Path(folder)) as server:
                print(f"{'panel':46}{'clicks':>7}{'median':>8}{'p90':>7}")
                page = browser.new_page(viewport=SIZE)  # type: ignore[arg-type]
                enter(page, server)
                for call, names in PANELS.items():
                    took = times(shown(page, server, call), names)
                    middle, high = statistics.median(took), statistics.quantiles(took, n=10)[-1]
                    print(f"{call:46}{len(took):7}{middle:8.0f}{high:7.0f}")
                    leave(page)
    except RuntimeError as missing:
        print(f"not measured: {missing}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
