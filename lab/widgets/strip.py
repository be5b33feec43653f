"""The explorer's frame: a strip of cells that can be pressed, above the two truths."""

from __future__ import annotations

from importlib.resources import files

import ipywidgets

from lab.gateway import CONTRACTS
from lab.widgets.explorer import LINES, POINTS, STRIP, Cell, Explorer
from lab.widgets.frame import Frame, html

CHOSEN = "▸ "
HELD = "\N{NO-BREAK SPACE}of\N{NO-BREAK SPACE}"  # 1 of 2 is one word


class ExplorerFrame(Frame):
    """Shows the explorer; a press of a cell chooses it."""

    panel: Explorer

    def __init__(self, panel: Explorer) -> None:
        self.strip = Strip(panel)
        for place, button in self.strip.cells.items():
            button.on_click(lambda _, place=place: self._pick(*place))
        panel.tell = self.tell
        super().__init__(panel)
        self.add_class("lab-explorer")

    def before(self) -> list[ipywidgets.Widget]:
        """Return what stands above the two truths: what is wrong, and the strip."""
        return [self.first, self.strip]

    def refresh(self) -> None:
        """Show what is to be seen now."""
        super().refresh()
        look = self.panel.look
        self.strip.layout.display = None if look == STRIP else "none"
        self.picture.layout.display = "none" if look == LINES else None
        if look == STRIP:
            self.strip.show(self.panel.strip())

    def tell(self, sentence: str) -> None:
        """Show a sentence while something goes on."""
        self.happened.value = html("happened", text=sentence)

    def _pick(self, row: int, column: int) -> None:
        self.do(lambda: self.panel.pick(self.strip.points[row], list(CONTRACTS)[column]))


class Strip(ipywidgets.VBox):  # type: ignore[misc]
    """A grid of buttons: points down, contracts across. It is made once, and only changes.

    ``cells`` are the buttons by row and column, ``points`` what the rows now stand for.
    """

    def __init__(self, panel: Explorer) -> None:
        self.points: list[str] = []
        self.cells: dict[tuple[int, int], ipywidgets.Button] = {}
        style = files("lab.widgets").joinpath("strip.css").read_text("utf-8")
        head = ipywidgets.HTML(html("strip", style=style))
        names = [_named(html("label", text=name), "lab-contract") for name in CONTRACTS]
        self.rows = [Row(self.cells, number) for number in range(len(POINTS))]
        held = [widget for row in self.rows for widget in (row.name, *row.buttons)]
        grid = ipywidgets.Box([_named("", "lab-contract"), *names, *held])
        grid.add_class("lab-strip")
        super().__init__([head, grid])
        self.add_class("lab-strip-around")

    def show(self, rows: dict[str, list[Cell]]) -> None:
        """Show these rows, and hide what is not needed."""
        self.points = list(rows)
        for number, row in enumerate(self.rows):
            row.layout.display = None if number < len(rows) else "none"
            if number < len(rows):
                row.show(self.points[number], rows[self.points[number]])


class Row:
    """One row of the strip: its name, and a button for each contract; they share a layout."""

    def __init__(self, cells: dict[tuple[int, int], ipywidgets.Button], number: int) -> None:
        self.layout = ipywidgets.Layout()
        self.name = _named("", "lab-point", layout=self.layout)
        self.buttons = [ipywidgets.Button(layout=self.layout) for _ in CONTRACTS]
        for column, button in enumerate(self.buttons):
            cells[number, column] = button

    def show(self, point: str, cells: list[Cell]) -> None:
        """Show a point and its cells; what is shown already is not sent again."""
        self.name.value = html("label", text=point)
        for contract, button, cell in zip(CONTRACTS, self.buttons, cells, strict=True):
            classes = ("lab-cell", f"lab-at-{contract}", f"lab-is-{cell.look}")
            with button.hold_sync():
                button.description = CHOSEN * cell.chosen + cell.says.replace(" of ", HELD)
                button.tooltip = cell.tip
                button._dom_classes = (*classes, *(["lab-chosen"] if cell.chosen else []))


def _named(value: str, name: str, **more: ipywidgets.Layout) -> ipywidgets.HTML:
    text = ipywidgets.HTML(value, **more)
    text.add_class(name)
    return text
