"""Draws a run as a sequence diagram, an SVG text, and says in few words what was found.

A picture takes its colour from the text around it (``currentColor``), so it can be read on light
and on dark; what it says is written in it, so it can be read without colour, and aloud. In a
notebook: ``display(HTML(sequence(told.beats, "One lost response")))``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any
from xml.etree import ElementTree

from lab.faults.beats import Beat, seconds
from lab.faults.findings import Findings
from lab.faults.numbers import Numbers

Element = ElementTree.Element
SIDES = ("ledger", "provider")
COLUMN, ROW, TOP, LEFT, RIGHT = 150, 28, 44, 92, -46


def sequence(
    beats: Sequence[Beat], title: str, description: str = "", sides: Sequence[str] = SIDES
) -> str:
    """Return a run as an SVG text: time goes down, a line each for workers, ledger, provider.

    ``sides``: ``provider`` alone, where nobody keeps a ledger.

    A response that is lost stops half way, with a cross; so does a request that never arrives. A
    late request is on its way until it arrives. A worker that dies ends in a cross; whoever comes
    after it stands on the same line, under a name of its own.
    """
    return Drawing(beats, title, description, sides).text()


def said(found: Findings | None) -> str:
    """Say in a few words what was found."""
    if found is None:
        return "not reached"
    for number, name in zip(found.numbers.harm, Numbers.names(), strict=False):
        if number:
            return f"{name}: {found.failed} of {found.runs}"
    if found.numbers.in_review:
        return f"in review: {found.numbers.in_review} of {found.runs}"
    return "held"


class Drawing:
    """A sequence diagram while it is drawn."""

    def __init__(
        self, beats: Sequence[Beat], title: str, description: str, sides: Sequence[str]
    ) -> None:
        self.beats = list(beats)
        last = len(self.beats)
        self.ends = {beat.who: row for row, beat in enumerate(beats) if beat.step in ENDS}
        self.starts: dict[str, int] = {}
        for row, beat in enumerate(beats):
            if beat.who:
                self.starts.setdefault(beat.who, row)
        self.lane: dict[str, int] = {}
        free: list[int] = []  # by lane: the row from which on it is free
        for who, start in self.starts.items():
            open_to = [lane for lane, row in enumerate(free) if row <= start and len(who) == 1]
            lane = open_to[0] if open_to else len(free)
            alone = len(who) > 1  # a person does not stand where workers come and go
            free[lane : lane + 1] = [last if alone else self.ends.get(who, last) + 1]
            self.lane[who] = lane
        self.lane |= {side: lane for lane, side in enumerate(sides, len(free))}
        answered = [beat.step == "provider.perform" for beat in self.beats]  # these take two rows
        self.rows = list(accumulate((1 + two for two in answered), initial=0))
        size = (LEFT + COLUMN * (len(free) + len(sides)) + RIGHT, TOP + ROW * (self.rows[-1] + 1))
        told = description or ". ".join(f"{beat.who} {beat.what}".strip() for beat in beats)
        self.svg = picture(size, title, told)

    def text(self) -> str:
        """Return the picture."""
        for name in self.lane:
            self._line(name)
        known, done = "", 0
        for row, beat in enumerate(self.beats):
            y = self._y(row)
            if row == 0 or beat.at != self.beats[row - 1].at:
                write(self.svg, LEFT - 16, y + 4, seconds(beat.at), anchor="end", opacity=0.7)
            self._beat(beat, y)
            if beat.state != known:
                write(self.svg, self._x("ledger") + 8, y + 12, beat.state, "start", "bold")
            if beat.effects > done:
                add(self.svg, "circle", cx=self._x("provider"), cy=y, r=5, fill="currentColor")
                named = f"effect {beat.effects}"
                write(self.svg, self._x("provider") + 10, y + 4, named, "start", "bold")
            known, done = beat.state, beat.effects
        return ElementTree.tostring(self.svg, encoding="unicode")

    def _line(self, name: str) -> None:
        start, x = self.starts.get(name, 0), self._x(name)
        first, last = self._y(start) - 12, self._y(self.ends.get(name, len(self.beats)))
        if len(name) == 1 and start == min(self.starts[who] for who in self._on_lane_of(name)):
            write(self.svg, x, TOP - 24, f"worker {name}", weight="bold")
        elif len(name) > 1:
            write(self.svg, x, TOP - 24, name, weight="bold")
        else:
            write(self.svg, x - 8, first + 8, name, "end", "bold")
        stroke(self.svg, x, first, x, last, opacity=0.6)

    def _on_lane_of(self, name: str) -> list[str]:
        return [who for who, lane in self.lane.items() if lane == self.lane[name]]

    def _beat(self, beat: Beat, y: float) -> None:
        if beat.step == "time":
            right = self._x("provider") + 20
            stroke(self.svg, LEFT - 8, y, right, y, dashed="1 5", opacity=0.8)
            write(self.svg, LEFT - 4, y - 4, beat.what, "start", opacity=0.8)
        elif beat.step == "late":
            middle = self._x("provider") - COLUMN - 20
            self._arrow(middle, self._x("provider"), y, "the late request arrives")
        elif beat.step == "dies":
            self._cross(self._x(beat.who), y)
            write(self.svg, self._x(beat.who) + 10, y + 4, "dies", "start", "bold")
        elif beat.step == "ends":
            x = self._x(beat.who)
            stroke(self.svg, x - 6, y, x + 6, y)
            write(self.svg, x + 10, y + 4, beat.what.removeprefix("ends: "), "start")
        elif beat.step == "provider.perform":
            self._send(beat, y)
        else:
            side = "provider" if beat.step in ("provider.readback", "looks") else "ledger"
            self._arrow(self._x(beat.who), self._x(side), y, label(beat))

    def _send(self, beat: Beat, y: float) -> None:
        here, there = self._x(beat.who), self._x("provider")
        if beat.reached in ("nowhere", "executed late"):
            middle = there - COLUMN / 2  # between the provider and whoever stands beside it
            late = beat.reached == "executed late"
            self._arrow(here, middle, y, "send: on its way" if late else "send: never arrives")
            if not late:
                self._cross(middle + 8, y)
            stroke(self.svg, here + 60, y + ROW, here + 24, y + ROW, dashed="5 3")
            write(self.svg, here + 72, y + ROW + 4, "no response", "start")
            return self._cross(here + 14, y + ROW)
        self._arrow(here, there, y, f"send: {beat.reached}")
        middle = there - COLUMN / 2 if beat.lost else here
        answer = "no answer" if beat.lost else beat.what.rpartition(": ")[2]
        self._arrow(there, middle, y + ROW, answer, dashed="5 3")
        return self._cross(middle - 8, y + ROW) if beat.lost else None

    def _arrow(self, start: float, end: float, y: float, label: str, dashed: str = "") -> None:
        way = 1 if end > start else -1
        stroke(self.svg, start, y, end - 2 * way, y, dashed=dashed)
        tip = f"{end},{y} {end - 8 * way},{y - 4} {end - 8 * way},{y + 4}"
        add(self.svg, "polygon", points=tip, fill="currentColor")
        write(self.svg, start + 8 * way, y - 6, label, "start" if way > 0 else "end")

    def _cross(self, x: float, y: float) -> None:
        for way in (1, -1):
            stroke(self.svg, x - 6, y - 6 * way, x + 6, y + 6 * way, width=2.5)

    def _x(self, name: str) -> float:
        return LEFT + COLUMN * self.lane[name] + 30

    def _y(self, row: int) -> float:
        return TOP + ROW * self.rows[row] + 8


ENDS = ("dies", "ends")
# Around a text, in the colour of the page: JupyterLab's, or the browser's own.
HALO = "paint-order: stroke; stroke: var(--jp-layout-color0, Canvas); stroke-width: 4px"


def label(beat: Beat) -> str:
    """Say in two or three words what one call did."""
    name = beat.step.partition(".")[2]
    told = beat.what.rpartition(": ")[2]
    if name == "readback" or told.startswith("too late"):
        return f"{name}: {told.partition(',')[0].removeprefix('found ')}"
    if not name or name == "has_twin":
        return beat.what.removesuffix(" attempt").removesuffix(" there").partition(":")[0]
    return f"{name}: {beat.state or 'nothing'}"


def picture(size: tuple[float, float], title: str, description: str) -> Element:
    """Begin a picture of a size, with what it is called and what it shows, in words."""
    width, height = size
    svg = ElementTree.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "role": "img",
            "viewBox": f"0 0 {width:g} {height:g}",
            "width": f"{width:g}",
            "style": "max-width: 100%; height: auto",
            "font-family": "sans-serif",
            "font-size": "12",
        },
    )
    ElementTree.SubElement(svg, "title").text = title
    ElementTree.SubElement(svg, "desc").text = description
    return svg


def add(svg: Element, tag: str, **attributes: float | str) -> Element:
    """Add an element; numbers are written short, and ``_`` in names is a hyphen."""
    named = {
        name.replace("_", "-"): f"{value:g}" if isinstance(value, (int, float)) else value
        for name, value in attributes.items()
    }
    return ElementTree.SubElement(svg, tag, named)


def stroke(
    svg: Element,
    x1: float,
    y1: float,
    x2: float,
    y2: float,
    dashed: str = "",
    width: float = 1.25,
    opacity: float = 1,
) -> None:
    """Draw a line."""
    style: dict[str, Any] = {"stroke": "currentColor", "stroke_width": width, "opacity": opacity}
    line = add(svg, "line", x1=x1, y1=y1, x2=x2, y2=y2, **style)
    if dashed:
        line.set("stroke-dasharray", dashed)


def write(
    svg: Element,
    x: float,
    y: float,
    text: str,
    anchor: str = "middle",
    weight: str = "normal",
    opacity: float = 1,
) -> None:
    """Write a text; x is where its ``anchor`` lies. Lines do not go through it."""
    style: dict[str, Any] = {"text_anchor": anchor, "font_weight": weight, "opacity": opacity}
    add(svg, "text", x=x, y=y, fill="currentColor", style=HALO, **style).text = text
