"""The panel of lessons 00 to 02: send, lose the response, and see who knows what."""

from __future__ import annotations

from lab.faults.beats import Recorder
from lab.faults.clock import ManualClock
from lab.faults.show import counted
from lab.gateway import (
    Action,
    DemoProvider,
    Fault,
    ProviderContract,
    Reading,
    ResponseLost,
    UnsafeKey,
    count_duplicates,
)
from lab.widgets.panel import RESET, Button, Choice, Entry, Group, Panel, Side, Table, View

KEY = "welcome:lead-202:v1"
MAIL = ProviderContract(
    "msg", Reading.AUTHORITATIVE, 60_000, keeps_reference=True, deduplicates=True
)
LOSE = (("the response", "response"), ("the request", "request"), ("nothing", "nothing"))
FAULTS = {"response": Fault.RESPONSE_LOST, "request": Fault.REQUEST_LOST, "nothing": Fault.NONE}


class Silence(Panel):
    """A program that sends lead-202 one welcome message, and a connection that loses things.

    ``keys``: the learner may send under a key, which the provider remembers. ``lose`` says what
    gets lost next, once; ``key`` is what the next attempt is sent under, empty: no key.
    """

    title = "Lose the response"

    def __init__(self, keys: bool = False) -> None:
        self.keys = keys
        self.try_first = (
            "press Send, and no answer comes. Press Send again: same key. Then write another key, "
            "and send once more."
            if keys
            else "press Send, and no answer comes. Do what most programs do: press Send again."
        )
        named = (Entry("key", "Key (empty: none)"),) if keys else ()
        self.groups = (
            Group("lose", (Choice("lose", "Lose, once", LOSE), *named)),
            Group(
                "send",
                (
                    Button("send", "Send", "Send lead-202 the welcome message, once more"),
                    Button("read", "Read the provider", "Ask what it holds; this sends nothing"),
                    RESET,
                ),
            ),
        )
        self.reset()

    def reset(self) -> None:
        """Begin again: nothing was sent."""
        self.lose, self.key = "response", KEY if self.keys else ""
        self.provider = DemoProvider(":memory:", MAIL, ManualClock())
        self.recorder = Recorder(
            self.provider.clock, lambda: None, self.provider.effects, self.provider.requests
        )
        self.heard: list[tuple[int, str, str]] = []  # attempt, key, what the program heard
        self.believes = "Nothing was sent."
        self.happened = "Nothing yet. Lead-202 is owed one welcome message."

    def send(self) -> None:
        """Send the message, and lose on the way what is to be lost."""
        number = len(self.heard) + 1
        under = self.key if self.keys and self.key else f"without-a-key-{number}"
        try:
            action = Action(under, "welcome_email", {"lead": "lead-202", "template": "v1"})
        except UnsafeKey as refused:
            self.happened = f"Nothing was sent: {refused}"
            return
        self.provider.faults[under] = [Fault.NONE] * (number - 1) + [FAULTS[self.lose]]
        before = len(self.provider.effects()), len(self.provider.requests())
        try:
            answer = self.provider.perform(action, number)
        except ResponseLost:
            answer = ""
        reached = "nowhere"
        if len(self.provider.requests()) > before[1]:
            reached = "executed" if len(self.provider.effects()) > before[0] else "known key"
        self._keep(number, under if self.keys and self.key else "none", answer, reached)
        self.lose = "nothing"

    def _keep(self, number: int, key: str, answer: str, reached: str) -> None:
        heard = answer or "no response"
        self.recorder.add(
            "program", "provider.perform", f"sends, and hears: {heard}",
            lost=not answer, reached=reached,
        )  # fmt: skip
        self.heard.append((number, key, heard))
        self.believes = f"Sent: {answer}." if answer else "Failed: no response."
        self.happened = self._told(reached, answer)

    def _told(self, reached: str, answer: str) -> str:
        held = len(self.provider.effects())
        if reached == "nowhere":
            return "The request was lost. Our program heard nothing, and the provider did nothing."
        if reached == "known key":
            again = f"answered {answer}, as before" if answer else "its answer was lost, once more"
            return f"The provider knows this key: it sent nothing, and {again}."
        did = "sent the message" if held == 1 else "sent it again"
        now = f" Lead-202 now has {held} messages." if held > 1 else ""
        if not answer:
            return f"The provider {did}. Its response was lost, so our program says 'failed'.{now}"
        return f"The provider {did}, and answered {answer}. Our program says 'sent'.{now}"

    def read(self) -> None:
        """Let the program ask the provider what it holds."""
        held = counted(len(self.provider.effects()), "message")
        self.recorder.add("program", "looks", f"sees {held}")
        self.believes = f"The provider holds {held}."
        self.happened = f"Our program asked: {self.believes[0].lower()}{self.believes[1:-1]}. "
        self.happened += "Asking sent nothing."

    @property
    def duplicates(self) -> int:
        """Messages beyond the one that lead-202 is owed, counted at the provider."""
        return count_duplicates(["lead-202"] * len(self.provider.effects()), ["lead-202"])

    def view(self) -> View:
        """Return what the program believes beside what the provider holds."""
        attempts, done = self._tables()
        held = f"{counted(len(done.rows), 'message')}, {counted(self.duplicates, 'duplicate')}"
        return View(
            self.happened,
            Side("What our program believes", self.believes, (attempts,)),
            Side("What the provider holds", held, (done,)),
            tuple(self.recorder.beats),
            sides=("provider",),
        )

    def _tables(self) -> tuple[Table, Table]:
        """Return the attempts, and the messages; with the keys, where there are keys."""
        did = [(effect["receipt"], _shown(effect["key"])) for effect in self.provider.effects()]
        if self.keys:
            return (
                Table("Attempts", ("no.", "key", "heard"), self.heard),
                Table("Messages to lead-202", ("message", "key"), did),
            )
        return (
            Table(
                "Attempts", ("no.", "heard"), [(number, heard) for number, _, heard in self.heard]
            ),
            Table("Messages to lead-202", ("message",), [(message,) for message, _ in did]),
        )


def _shown(key: str) -> str:
    return "none" if key.startswith("without-a-key-") else key
