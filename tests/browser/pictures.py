"""Takes the README's pictures of the panels, each after what is tried first.

``make pictures`` runs it, and writes ``notebooks/pictures``.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.browser import chromium
from tests.browser.conftest import SIZE
from tests.browser.server import serving
from tests.browser.shown import Shown, shown

FOLDER = Path(__file__).resolve().parents[2] / "notebooks" / "pictures"
TALL = {**SIZE, "height": 2400}  # all of a panel is on the screen


def silence(panel: Shown) -> None:
    """Send, hear nothing, and send again."""
    panel.press("Send")
    panel.press("Send")
    panel.sees(holds="1 duplicate")


def boundary(panel: Shown) -> None:
    """Come to the desk, and be refused."""
    for button in ("Execute", "Let it pass", "Execute"):
        panel.press(button)
    panel.sees(knows="REVIEW")
    panel.write("Your name", "anna")
    panel.write("Grounds", "not on their page")
    panel.press("Approve one attempt")
    panel.sees(happened="Refused")


def restart(panel: Shown) -> None:
    """Kill a worker after it has sent, and start another."""
    for button in ("Run to the step", "Kill it", "Restart"):
        panel.press(button)
    panel.sees(knows="SETTLED")


def explorer(panel: Shown) -> None:
    """Choose a cell that shows harm."""
    panel.press("A crash after provider.perform, on readable:")
    panel.sees(happened="dies after provider.perform")


# The panel, what is done to it, and the height of the picture: the upper part of a long one.
PICTURES: dict[str, tuple[str, Callable[[Shown], None], int]] = {
    "silence": ("silence()", silence, 637),
    "boundary": ("boundary('execute')", boundary, 760),
    "restart": ("restart()", restart, 910),
    "explorer": ("explorer('strip', 'unknown_after_failure')", explorer, 860),
}


def main() -> int:
    """Take every picture; without a browser say so, and change nothing."""
    FOLDER.mkdir(exist_ok=True)
    try:
        with tempfile.TemporaryDirectory() as folder, chromium.started() as browser:
            (Path(folder) / "work").mkdir()
            with serving(Path(folder)) as server:
                for name, (call, use, height) in PICTURES.items():
                    page = browser.new_page(viewport=TALL)  # type: ignore[arg-type]
                    panel = shown(page, server, call)
                    use(panel)
                    page.mouse.move(0, 0)  # no button looks as if it were pressed
                    taken = {**panel.panel.bounding_box(), "height": height}  # type: ignore[dict-item]
                    page.screenshot(path=FOLDER / f"{name}.png", clip=taken)  # type: ignore[arg-type]
                    print(f"{name}.png: {(FOLDER / f'{name}.png').stat().st_size // 1000} kB")
                    server.shut_down_kernels()
                    page.close()
    except RuntimeError as missing:
        print(f"no picture was taken: {missing}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
