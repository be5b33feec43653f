"""The frame of every panel: a thin view, made of widgets, on a plain class.

Everything that is seen is the value of a widget; nothing is printed. What comes from a ledger, a
provider or a learner is escaped by the template.
"""

from __future__ import annotations

import asyncio
import textwrap
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import Any

import ipywidgets
from jinja2 import Environment, PackageLoader, StrictUndefined

from lab.faults.draw import sequence
from lab.widgets.panel import Button, Choice, Control, Entry, Group, Panel, Tick, View

LAST_BEATS = 24  # what is drawn: more would push the rest of the lesson off the screen

_templates = Environment(
    loader=PackageLoader("lab.widgets", ""),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def html(template: str, **values: Any) -> str:
    """Fill one of the parts of ``frame.html``; every value is escaped."""
    part = getattr(_templates.get_template("frame.html").module, template)
    return str(part(**values))


class Frame(ipywidgets.VBox):  # type: ignore[misc]
    """Shows a panel, and lets a learner drive it.

    ``panel`` is the logic. Without a front end, as in a saved notebook, a sentence stands in its
    place: ``sentence``.
    """

    def __init__(self, panel: Panel) -> None:
        self.panel = panel
        self._thread, self._loop = threading.get_ident(), _running_loop()
        self.sentence = textwrap.fill(
            f"[{panel.title}: a panel to click in. Run this cell, and it is here.]", 74
        )
        self.controls = {one.name: self._control(one) for one in panel.controls()}
        self.groups = {group.name: self._group(group) for group in panel.groups}
        self.happened, self.first, self.knows, self.holds, self.picture, self.more = (
            _text(name) for name in ("happened", "first", "knows", "holds", "picture", "more")
        )
        truths = ipywidgets.Box([self.knows, self.holds])
        truths.add_class("lab-truths")
        style = files("lab.widgets").joinpath("frame.css").read_text("utf-8")
        head = ipywidgets.HTML(html("head", panel=panel, style=style))
        below = (*self.before(), truths, self.picture, self.more)
        super().__init__([head, *self.groups.values(), self.happened, *below])
        self.add_class("lab-panel")
        self._now(lambda: None)

    def before(self) -> list[ipywidgets.Widget]:
        """Return what stands above the two truths: tables, if there are any."""
        return [self.first]

    def refresh(self) -> None:
        """Show what is to be seen now."""
        view = self.panel.view()
        self.happened.value = html("happened", text=view.happened)
        self.knows.value = html("side", side=view.knows)
        self.holds.value = html("side", side=view.holds)
        self.picture.value = drawn(view, self.panel.title)
        self.first.value = html("tables", tables=view.first)
        self.more.value = html("tables", tables=view.more)
        for name, group in self.groups.items():
            group.layout.display = None if self.panel.shows(name) else "none"
        with self._quiet():
            for name, control in self.controls.items():
                if not isinstance(control, ipywidgets.Button):
                    control.value = getattr(self.panel, name)

    def _repr_mimebundle_(self, **how: Any) -> dict[str, Any]:
        return {**super()._repr_mimebundle_(**how), "text/plain": self.sentence}

    def __repr__(self) -> str:
        return self.sentence

    def _group(self, group: Group) -> ipywidgets.Box:
        held = [self.controls[control.name] for control in group.controls]
        if group.label:
            held.insert(0, ipywidgets.HTML(html("label", text=group.label)))
        box = ipywidgets.Box(held)
        box.add_class("lab-group")
        return box

    def _control(self, control: Control) -> ipywidgets.Widget:
        if isinstance(control, Button):
            button = ipywidgets.Button(description=control.label, tooltip=control.tip or None)
            button.on_click(lambda _: self._press(control.name))
            return button
        made = _made(control, getattr(self.panel, control.name))
        made.observe(lambda change: self._choose(control.name, change["new"]), "value")
        return made

    def _press(self, name: str) -> None:
        self.do(lambda: self.panel.press(name))

    def _choose(self, name: str, value: Any) -> None:
        if not self._silent:
            self.do(lambda: self.panel.choose(name, value))

    def do(self, what: Callable[[], object]) -> None:
        """Do what the learner asked for, in the thread that made the panel, and show the result.

        A front end may bring a message in another thread, and a database belongs to one.
        """
        if self._loop is None or threading.get_ident() == self._thread:
            self._now(what)
        else:
            self._loop.call_soon_threadsafe(self._now, what)

    def _now(self, what: Callable[[], object]) -> None:
        try:
            what()
            self.refresh()
        except Exception as error:  # nobody would see it: a panel's errors reach no cell
            said = f"This panel stumbled ({type(error).__name__}: {error}). Press Reset, or run "
            self.happened.value = html("happened", text=f"{said}the cell again.")

    _silent = False

    @contextmanager
    def _quiet(self) -> Iterator[None]:
        """Let controls show what the panel says, without taking that for a learner's choice."""
        self._silent = True
        try:
            yield
        finally:
            self._silent = False


def _running_loop() -> asyncio.AbstractEventLoop | None:
    """Return the loop that a kernel runs its cells in; there is none outside of a kernel."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def drawn(view: View, title: str) -> str:
    """Draw what happened, the last of it where it was much."""
    if not view.beats:
        return html("nothing_drawn")
    beats = view.beats[-LAST_BEATS:]
    left_out = len(view.beats) - len(beats)
    picture = sequence(beats, f"{title}: what happened so far", sides=view.sides)
    return html("picture", left_out=left_out) + picture


def _text(name: str) -> ipywidgets.HTML:
    text = ipywidgets.HTML()
    text.add_class(f"lab-{name}")
    return text


def _made(control: Choice | Entry | Tick, value: Any) -> ipywidgets.Widget:
    style = {"description_width": "initial"}
    named = {"description": control.label, "style": style, "value": value}
    if isinstance(control, Choice):
        return ipywidgets.Dropdown(options=control.options, **named)
    if isinstance(control, Tick):
        return ipywidgets.Checkbox(indent=False, **named)
    return ipywidgets.Text(continuous_update=False, **named)
