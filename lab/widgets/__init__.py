"""Panels to click in: each lets one thing be broken, and shows what both sides then know.

A function here returns what a notebook shows; its logic, a plain class, is the frame's ``panel``.
"""

from __future__ import annotations

from lab.widgets.boundary import Boundary
from lab.widgets.explorer import LINES, Explorer
from lab.widgets.frame import Frame
from lab.widgets.restart import Restart
from lab.widgets.silence import Silence
from lab.widgets.strip import ExplorerFrame


def silence(keys: bool = False) -> Frame:
    """Show the panel that loses a response; with ``keys``, what is sent may have a key."""
    return Frame(Silence(keys))


def boundary(opening: str = "execute") -> Frame:
    """Show the panel that crosses the boundary; ``opening`` is one of `boundary.OPENINGS`."""
    return Frame(Boundary(opening))


def explorer(look: str = LINES, edit: str = "none") -> Frame:
    """Show the panel that breaks a gateway; ``look`` is ``lines``, ``strip`` or ``schedule``.

    ``edit`` names the gateway that is looked at first: ``none``, the safe one, or an unsafe edit.
    """
    return ExplorerFrame(Explorer(look, edit))


_restarts: list[Restart] = []


def restart() -> Frame:
    """Show the panel that kills a worker process at a step, and starts another on its files.

    What an earlier one in this kernel holds, a worker and a folder, is let go: its cell was run
    again, and nothing else would end it.
    """
    while _restarts:
        _restarts.pop().reset()
    panel = Restart()
    _restarts.append(panel)
    return Frame(panel)
