"""Takes the README's pictures of the panels, each after what is tried first.

``make pictures`` runs it, and writes ``notebooks/pictures``.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.browser import chromium
from tests.browser.conftest import SIZE
from tests.browser.lesson import enter, leave
from tests.browser.server import serving
from tests.browser.shown import shown

FOLDER = Path(__file__).resolve().parents[2] / "notebooks" / "pictures"
TALL = {**SIZE, "height": 2400}  # all of a panel is on the screen


def presses(*buttons: str) -> tuple[tuple[str, str], ...]:
    """Name buttons to press, as calls of `Shown`."""
    return tuple(("press", button) for button in buttons)


SAYS_WHO = ("write", "Your name", "anna")
GROUNDS = ("write", "Grounds", "not on their page")
WINDOW = "A crash after provider.perform, on readable:"
# The panel, what is done to it, what is seen then, and the height of the picture: the upper part
# of a long one.
PICTURES: dict[str, tuple[str, tuple[tuple[str, ...], ...], dict[str, str], int]] = {
    "silence": ("silence()", presses("Send", "Send"), {"holds": "1 duplicate"}, 637),
    "boundary": (
        "boundary('execute')",
        (
            *presses("Execute", "Let it pass", "Execute"),
            SAYS_WHO,
            GROUNDS,
            *presses("Approve one attempt"),
        ),
        {"happened": "Refused"},
        760,
    ),
    "restart": (
        "restart()",
        presses("Run to the step", "Kill it", "Restart"),
        {"knows": "SETTLED"},
        910,
    ),
    "explorer": (
        "explorer('strip', 'unknown_after_failure')",
        presses(WINDOW),
        {"happened": "dies after provider.perform"},
        860,
    ),
}


def main() -> int:
    """Take every picture; without a browser say so, and change nothing."""
    FOLDER.mkdir(exist_ok=True)
    try:
        with tempfile.TemporaryDirectory() as folder, chromium.started() as browser:
            (Path(folder) / "work").mkdir()
            with serving(Path(folder)) as server:
                page = browser.new_page(viewport=TALL)  # type: ignore[arg-type]
                enter(page, server)
                for name, (call, uses, sees, height) in PICTURES.items():
                    panel = shown(page, server, call)
                    for method, *values in uses:
                        getattr(panel, method)(*values)
                    panel.sees(**sees)
                    page.mouse.move(0, 0)  # no button looks as if it were pressed
                    taken = {**panel.panel.bounding_box(), "height": height}  # type: ignore[dict-item]
                    page.screenshot(path=FOLDER / f"{name}.png", clip=taken)  # type: ignore[arg-type]
                    print(f"{name}.png: {(FOLDER / f'{name}.png').stat().st_size // 1000} kB")
                    leave(page)
    except RuntimeError as missing:
        print(f"no picture was taken: {missing}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
