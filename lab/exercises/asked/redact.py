"""Lesson 14: what may not leave the house is taken out of a text, and nothing else is."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable

from lab.exercises.asked.redact_mistakes import (
    AGAIN,
    BESIDE,
    GROUPS,
    MANY,
    MARKUP,
    NO_CARDS,
    NOTE,
    ORDINARY,
    PLUS,
    RUNS,
    SECOND,
    TOKENS,
    becomes,
    mistakes,
)
from lab.exercises.exercise import Exercise, Scenario
from lab.exercises.stage import Facts, Stage
from lab.gateway import holds_card_number
from lab.guest import wire


def redact(text: str) -> str:
    """Take out of a text what may not leave the house, and leave the rest as it is."""

    def card(found: re.Match[str]) -> str:
        digits = re.sub(r"[ -]", "", found[0])
        return "[card]" if holds_card_number(digits) else found[0]

    text = re.sub(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", "[address]", text)
    text = re.sub(r"\b(?:\d{13,19}|\d{4}(?:[ -]\d{4}){3})\b", card, text)
    text = re.sub(r"\b(?:sk_live_|sk_test_|ghp_|xoxb-|whsec_)\S+", "[token]", text)
    text = re.sub(r"(?<=\bBearer )\S+", "[token]", text)
    return text.replace("<", "‹").replace(">", "›")


def redacted(stage: Stage, text: str) -> str:
    """Ask for one text; what is no text is told as it shows itself."""
    answer = stage.call("redact", text)
    if answer is None:
        return "nothing"
    return answer if isinstance(answer, str) else f"no text: {wire.shown(answer).text}"


def quoted(answer: str) -> str:
    """Return a text between quotes, so that it can be told from the words beside it."""
    return answer if answer == "nothing" or answer.startswith("no text: ") else f'"{answer}"'


def texts(name: str, title: str, given: Iterable[str], live: bool = False) -> Scenario:
    """Return a scenario that asks for some texts."""
    return Scenario(name, title, lambda stage: all_of(stage, given), live)


def all_of(stage: Stage, given: Iterable[str]) -> Facts:
    """Ask for some texts, in one life."""
    with stage.life():
        return {becomes(text): quoted(redacted(stage, text)) for text in given}


def twice(stage: Stage) -> Facts:
    """Ask for one text, and then for what came of it."""
    with stage.life():
        once = redacted(stage, AGAIN)
        again = redacted(stage, once)
    return {SECOND: "nothing" if once == again else f"it becomes {again}"}


def drawn(stage: Stage) -> Facts:
    """Ask for notes that no lesson shows, one for each kind of token and of card."""
    return all_of(stage, [note(stage.draw, *kind) for kind in KINDS])


def note(draw: random.Random, begin: str, between: str) -> str:
    """Write a note with an address, a card, a token, and an order that looks like a card."""
    sender = f"{draw.choice(NAMES)}.{draw.randint(1, 99)}+crm@mail.example.org"
    digits, order = numbers(draw, True), numbers(draw, False)
    card = between.join(digits[at : at + 4] for at in range(0, 16, 4))
    token = "".join(draw.choices("abcdefghkmnpqrstuvwxyz", k=9)) + str(draw.randint(100, 999))
    return f"order {order}: {sender}, {card}, {begin}{token} for lead-{draw.randint(1, 999)}"


def numbers(draw: random.Random, valid: bool) -> str:
    """Return 16 digits that pass the check of a card, or do not."""
    while True:
        digits = f"4{draw.randrange(10**15):015}"
        if holds_card_number(digits) is valid:
            return digits


NAMES = ("mia", "noor", "jan", "li")
KINDS = (("sk_live_", ""), ("sk_test_", " "), ("ghp_", "-"), ("xoxb-", ""), ("whsec_", " "),
         ("Bearer ", "-"))  # fmt: skip

exercise = Exercise(
    name="redact",
    lesson="14",
    title="Take out what may not leave the house",
    defines=("redact",),
    takes=("text",),
    scenarios=(
        texts("note", "A note with an address, a card and a token.", [NOTE], live=True),
        texts("addresses", "Addresses, with signs beside them and in them.", [*BESIDE, PLUS]),
        texts("runs", "Cards of 13, 15, 16 and 19 digits, in one run.", RUNS),
        texts("groups", "Cards in four groups of four, and one with its date behind it.", GROUPS),
        texts("no cards", "A time in milliseconds, and orders that look like cards.", NO_CARDS),
        texts("tokens", "Tokens of each kind.", TOKENS),
        texts("markup", "Texts with < and >.", MARKUP),
        texts("ordinary", "Keys, dates, amounts and words: nothing to take out.", ORDINARY),
        texts("many", "Two of each kind in one text.", [MANY]),
        Scenario("twice", "What was redacted is redacted again.", twice),
        Scenario("drawn", "Six notes that were drawn.", drawn),
    ),
    mistakes=mistakes,
    hints=(
        "What does each of the four kinds look like, and where does it end? And what looks like "
        "it, and is something else?",
        "`re.sub(pattern, instead, text)` replaces every place that fits. `instead` may be a "
        "function: it is given what was found, `found[0]`, and returns what stands there "
        "afterwards. So it can ask `holds_card_number`, and give back what is no card.",
        "One line a kind, and a function for the cards:\n"
        "    text = re.sub(r\"[\\w.+-]+@...\", \"[address]\", text)\n"
        "    text = re.sub(r\"\\b(?:\\d{13,19}|...)\\b\", card, text)\n"
        "    text = re.sub(r\"\\b(?:sk_live_|...)\\S+\", \"[token]\", text)\n"
        "    text = re.sub(r\"(?<=Bearer )...\", \"[token]\", text)\n"
        "    return text.replace(\"<\", ...).replace(...)",
    ),
    solved=(redact,),
    why="Each kind is known by how it looks, and the pattern ends where the thing ends, so the "
    "words beside it stay. Digits alone prove nothing: a card also passes its check. And no "
    "word that is put in looks like anything that is taken out, so a second time changes nothing.",
)  # fmt: skip
