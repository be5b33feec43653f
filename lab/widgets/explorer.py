"""The panel of lessons 09, 11 and 12: break a gateway, and see the run that shows it."""

from __future__ import annotations

import io
import re
import tempfile
import textwrap
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from lab.faults.crashes import by_point, crash_at
from lab.faults.draw import said
from lab.faults.edits import EDITS, GATEWAYS, SAFE, Gateway
from lab.faults.explore import shortest
from lab.faults.findings import Findings
from lab.faults.hostile import Judged, judge
from lab.faults.show import counted
from lab.faults.story import LIVES, Line, Told, replay
from lab.faults.world import Scene
from lab.gateway import CONTRACTS
from lab.widgets import retold
from lab.widgets.panel import RESET, Button, Choice, Entry, Group, Panel, View

LINES, STRIP, SCHEDULE = "lines", "strip", "schedule"
LOOKS = (
    ("the hostile test", LINES),
    ("one crash (lesson 11)", STRIP),
    ("the shortest run (lesson 12)", SCHEDULE),
)
STEPS = (
    "ledger.find",
    "ledger.prepare",
    "ledger.begin",
    "provider.perform",
    "ledger.change",
    "ledger.settle",
    "provider.readback",
    "ledger.has_twin",
)
POINTS = tuple(f"{when} {step}" for step in STEPS for when in ("before", "after"))
FAULTS = (
    ("acts, and answers", "NONE"),
    ("acts, and its response is lost", "RESPONSE_LOST"),
    ("acts, and its answer cannot be read", "UNFORESEEN"),
    ("gets the request late", "LATE"),
)
NOT_CHOSEN = ("choose", "")
# For each look: where the safe gateway is shown first, and where a mistake is.
TRY_FIRST = {
    LINES: (
        "say which of the five lines will be the first to differ with blind_retry. Then choose "
        "blind_retry as the gateway.",
        "see which of the five lines is the first to differ. Then choose another gateway.",
    ),
    STRIP: (
        "choose unknown_after_failure as the gateway. Then press a cell with a thick border, in "
        "the row after provider.perform.",
        "in the row after provider.perform, press the cell below readable, and follow its run. "
        "Then choose the safe one as the gateway, and compare.",
    ),
    SCHEDULE: (
        "choose change_without_version as the gateway, and press Find the shortest run.",
        "press Find the shortest run, and follow it in the picture.",
    ),
}


class Cell(NamedTuple):
    """One cell of the strip: what it says, its tip, how it looks, and whether it is chosen."""

    says: str
    tip: str
    look: str  # harm, review, held or nobody
    chosen: bool = False


class Progress(io.StringIO):
    """Tells a search's progress, as a sentence, to somebody who shows it."""

    def __init__(self, show: Callable[[str], None]) -> None:
        super().__init__()
        self.show = show

    def write(self, text: str) -> int:
        """Take what a terminal would be shown: a title, a bar, and how far it is."""
        far = re.sub(r"\s*\[.*?\]\s*", ": scene ", text.strip())
        if far:
            self.show(f"Searching. {far}.")
        return len(text)


class Explorer(Panel):
    """A gateway, safe or with one mistake, and three ways to look at what it does.

    ``look`` is one of `LOOKS`, ``edit`` the name of the gateway. ``fault``, ``point`` and
    ``contract`` choose a cell of the strip; ``line`` is a run that can be replayed. ``tell`` shows
    a sentence while a search goes on.
    """

    title = "Break the gateway"
    groups = (
        Group(
            "gateway",
            (
                Choice("edit", "Gateway", (("the safe one", SAFE.name), *((n, n) for n in EDITS))),
                Choice("look", "Show", LOOKS),
                RESET,
            ),
        ),
        Group(
            STRIP,
            (
                Choice("fault", "The provider", FAULTS),
                Choice("point", "Crash", (NOT_CHOSEN, *((p, p) for p in POINTS))),
                Choice("contract", "Contract", (NOT_CHOSEN, *((c, c) for c in CONTRACTS))),
            ),
        ),
        Group(
            SCHEDULE,
            (
                Button("find", "Find the shortest run", "First one crash, then every order"),
                Entry("line", "Line"),
                Button("again", "Replay", "Let this run happen again"),
            ),
        ),
    )

    def __init__(self, look: str = LINES, edit: str = SAFE.name) -> None:
        if look not in TRY_FIRST or edit not in GATEWAYS:
            raise ValueError(f"choose one of {', '.join(TRY_FIRST)}, and one of {list(GATEWAYS)}")
        self.opening = look, edit
        self.try_first = TRY_FIRST[look][edit != SAFE.name]
        self.tell: Callable[[str], None] = lambda sentence: None
        self.reset()

    def reset(self) -> None:
        """Begin again as the panel was opened; what was found is not searched again."""
        self.look, self.edit = self.opening
        self.fault, self.point, self.contract = "NONE", "", ""
        self._show_found()

    @property
    def gateway(self) -> Gateway:
        """The gateway that is looked at."""
        return GATEWAYS[self.edit]

    def choose(self, name: str, value: Any) -> None:
        """Take a choice; for another gateway the run that was found for it is shown."""
        super().choose(name, value)
        if name in ("edit", "look"):
            self._show_found()

    def shows(self, group: str) -> bool:
        """Show what belongs to the look."""
        return group in ("gateway", self.look)

    def view(self) -> View:
        """Return what is to be seen now."""
        return {LINES: self._lines, STRIP: self._strip, SCHEDULE: self._schedule}[self.look]()

    # --- the hostile test

    def _lines(self) -> View:
        safe, judged = judged_once(SAFE.name), judged_once(self.edit)
        first = retold.first_difference(safe, judged)
        all_lines = retold.lines(judged, self.edit if self.edit in EDITS else "the safe gateway")
        if self.gateway is SAFE:
            happened = "The safe gateway ran: CHECK says PASS. Choose an unsafe edit to compare."
            return View(happened, *retold.ends(judged), first=(all_lines,))
        happened = (
            f"{first} is the first line that differs. CHECK says {judged.lines['CHECK']}."
            if first
            else "No line differs: nothing in this test gives the mistake an occasion. Show one "
            "crash, or the shortest run."
        )
        tables = retold.about(self.gateway), *retold.compared(self.gateway, safe, judged)
        return View(happened, *retold.ends(judged), more=(all_lines,), first=tables)

    # --- one crash

    def pick(self, point: str, contract: str) -> None:
        """Choose a cell of the strip."""
        self.point, self.contract = point, contract

    def strip(self) -> dict[str, list[Cell]]:
        """Return the cells of each point that some worker comes to, a contract each."""
        return {
            point: [self._cell(point, name, of.get(name)) for name in CONTRACTS]
            for point, of in strip_once(self.edit, self.fault).items()
        }

    def _cell(self, point: str, contract: str, found: Findings | None) -> Cell:
        harm = "harm" if found and found.failed else ""
        review = "review" if found and found.numbers.in_review else ""
        look = harm or review or ("held" if found else "nobody")
        tip = f"A crash {point}, on {contract}: {said(found)}"
        return Cell(said(found), tip, look, (point, contract) == (self.point, self.contract))

    def _strip(self) -> View:
        run = crash_once(self.edit, self.fault, self.point, self.contract)
        first = (retold.about(self.gateway),)
        if run is None:
            truths = retold.two_truths(None, "Choose a cell of the strip, and its run is told.")
            return View(self._no_run(), *truths, first=first)
        line, told = run
        [dead] = [beat.who for beat in told.beats if beat.step == "dies"]
        happened = f"Worker {dead} dies {self.point}, on {self.contract}. {retold.verdict(told)}"
        return told_view(happened, line, told)._replace(first=first)

    def _no_run(self) -> str:
        if self.point and self.contract:
            return (
                f"No worker of this gateway comes to the point {self.point} on {self.contract}, "
                "so none can die there. Choose another cell."
            )
        if self.point or self.contract:
            return f"Now choose {'the contract' if self.point else 'where a worker dies'}, too."
        cells = [cell for row in self.strip().values() for cell in row if cell.look != "nobody"]
        harmful = sum(cell.look == "harm" for cell in cells)
        if not harmful and self.gateway is not SAFE:
            return (
                "No crash shows this mistake here. Let the provider do something else, or show "
                "the shortest run."
            )
        return f"{harmful} of {len(cells)} cells show harm. Choose one, and its run is told."

    # --- the shortest run

    def find(self) -> None:
        """Search for the shortest run that shows the mistake."""
        if self.gateway is not SAFE and self.edit not in _found:
            self.tell(f"Searching for the shortest run of {self.edit}. {PATIENCE}")
            try:
                _found[self.edit] = shortest(self.gateway, Progress(self.tell))
            except KeyboardInterrupt:
                self.happened = "The search was stopped. Nothing was found so far."
                return
        self._show_found()

    def again(self) -> None:
        """Let the run happen again that is written as a line."""
        self.shown = None
        try:
            line = Line.read(self.line)
            if len(line.moves) > LONGEST_LINE:
                raise ValueError(f"it has {len(line.moves)} moves, and {LONGEST_LINE} are enough")
            told = replay(line)
        except ValueError as error:
            why = textwrap.shorten(str(error), 200)
            self.happened = f"This line cannot be replayed: {why}."
            return
        self.edit, self.shown = line.gateway.name, (line, told)
        self.happened = f"The run happened again. {retold.verdict(told)}"

    def _show_found(self) -> None:
        line = _found.get(self.edit)
        self.line, self.shown = "", None
        if self.gateway is SAFE:
            self.happened = SEARCH_THE_SAFE_ONE
        elif self.edit not in _found:
            self.happened = f"Press Find the shortest run. {PATIENCE}"
        elif line is None:
            self.happened = "No run that was explored shows this mistake."
        else:
            self.line, self.shown = str(line), (line, replay(line))
            moves = counted(len(line.moves), "move")
            self.happened = f"The shortest run that shows the mistake has {moves}. "
            self.happened += retold.verdict(self.shown[1])

    def _schedule(self) -> View:
        first = (retold.about(self.gateway),)
        if self.shown is None:
            truths = retold.two_truths(None, "Find a run, or replay a line.")
            return View(self.happened, *truths, first=first)
        return told_view(self.happened, *self.shown)._replace(first=first)


PATIENCE = "It takes a few seconds; for some mistakes half a minute, and longer on a busy machine."
LONGEST_LINE = 100  # moves: a run that comes to rest has a third of it
SEARCH_THE_SAFE_ONE = (
    "Choose an unsafe edit to search. For the safe gateway all runs have to be tried: in a "
    "terminal, python3 -m lab explore does that, and takes a minute."
)
_found: dict[str, Line | None] = {}  # by the name of the edit; a search takes long


def told_view(happened: str, line: Line, told: Told) -> View:
    """Show a run: what each side has at its end, the picture, and the steps."""
    return View(happened, *retold.two_truths(told), told.beats, more=retold.story(line, told))


@cache
def judged_once(name: str) -> Judged:
    """Run the hostile test for a gateway, in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        return judge(Path(folder), GATEWAYS[name])


@cache
def strip_once(name: str, fault: str) -> dict[str, dict[str, Findings]]:
    """Return what one crash at each point comes to; see `by_point`."""
    return by_point(GATEWAYS[name], [fault])


@cache
def crash_once(name: str, fault: str, point: str, contract: str) -> tuple[Line, Told] | None:
    """Return the run whose one crash is at a point; None where nobody comes there."""
    if not (point and contract):
        return None
    scene = Scene(contract, (fault,))
    moves = crash_at(point, scene, GATEWAYS[name])
    if moves is None:
        return None
    line = Line(LIVES, GATEWAYS[name], scene, moves)
    return line, replay(line)
