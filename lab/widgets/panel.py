"""What a panel is, without a browser: controls that a learner uses, and what is to be seen then.

A panel is a plain class. A test, or a program, drives it through `Panel.press` and
`Panel.choose`, and looks at `Panel.view`; `lab.widgets.frame` does the same for a learner.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from lab.faults.beats import Beat
from lab.faults.draw import SIDES


class Button(NamedTuple):
    """Pressed, it calls the panel's method ``name``."""

    name: str
    label: str
    tip: str = ""  # what it does, where the label does not say all of it


class Choice(NamedTuple):
    """One of several values of the panel's attribute ``name``; an option is (text, value)."""

    name: str
    label: str
    options: tuple[tuple[str, Any], ...]


class Entry(NamedTuple):
    """A text of the learner's, in the panel's attribute ``name``."""

    name: str
    label: str


class Tick(NamedTuple):
    """Yes or no, in the panel's attribute ``name``."""

    name: str
    label: str


Control = Button | Choice | Entry | Tick
RESET = Button("reset", "Reset", "Begin again from nothing")


class Group(NamedTuple):
    """Controls that stand in one row, and are shown or hidden together."""

    name: str
    controls: tuple[Control, ...]
    label: str = ""


class Strong(str):
    """A value of a table that is to be seen first: it is set in bold."""

    bold = True


class Table(NamedTuple):
    """Facts in rows; a value is a text or a number. Without a head, a row names its value."""

    caption: str
    head: tuple[str, ...]
    rows: Sequence[Sequence[object]] = ()


class Side(NamedTuple):
    """One of the two truths: who it is that knows, what it comes to, and the facts."""

    title: str
    says: str
    tables: tuple[Table, ...] = ()
    note: str = ""


class View(NamedTuple):
    """All that is to be seen of a panel, apart from its controls."""

    happened: str  # in one or two sentences
    knows: Side
    holds: Side
    beats: Sequence[Beat] = ()
    sides: Sequence[str] = SIDES  # the lines of the picture, besides those of who acts
    more: tuple[Table, ...] = ()
    first: tuple[Table, ...] = ()  # above the two truths


class Panel:
    """The logic of a panel; ``title``, ``try_first`` and ``groups`` never change."""

    title = ""
    try_first = ""
    groups: tuple[Group, ...] = ()
    happened = ""

    def press(self, name: str) -> None:
        """Do what a button says."""
        getattr(self, name)()

    def choose(self, name: str, value: Any) -> None:
        """Take a value that the learner chose or wrote."""
        setattr(self, name, value)

    def shows(self, group: str) -> bool:
        """Tell whether a group of controls is of use now."""
        return True

    def reset(self) -> None:
        """Begin again from nothing."""
        raise NotImplementedError

    def view(self) -> View:
        """Return what is to be seen now."""
        raise NotImplementedError

    def controls(self) -> Iterable[Control]:
        """Return every control of every group."""
        return [control for group in self.groups for control in group.controls]
