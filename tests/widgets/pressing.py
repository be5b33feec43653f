"""Press what a learner presses, on a boundary panel without a browser."""

from lab.gateway import Fault
from lab.widgets.boundary import Boundary
from lab.widgets.openings import WAITS


def pressed(panel: Boundary, *presses: str) -> Boundary:
    """Press buttons; a word of `WAITS` lets that much time pass."""
    for press in presses:
        if press in WAITS:
            panel.choose("wait", WAITS[press])
            press = "pass_time"
        panel.press(press)
    return panel


def world(fault: Fault, contract: str = "readable", opening: str = "rejected") -> Boundary:
    panel = Boundary(opening)
    panel.choose("contract", contract)
    panel.choose("fault", fault)
    return panel


def in_review() -> Boundary:
    """Come to the desk as lesson 08 does: the request is lost, and nobody answers."""
    panel = pressed(Boundary("execute"), "execute", "1 s", "execute")
    panel.choose("actor", "anna")
    panel.choose("grounds", "not on their page")
    return panel
