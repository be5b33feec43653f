"""Lesson 01: how many effects are one too many, by the provider's own records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lab.exercises.exercise import Exercise, Mistake, Scenario, Seen
from lab.exercises.stage import CIRCLES, RAISES, Facts, Stage
from lab.gateway import count_duplicates

COUNTED = "duplicates"
FIRST, NEXT = "duplicates, counted first", "duplicates, counted again"


def records(name: str, title: str, effects: str, approved: str, live: bool = False) -> Scenario:
    """Return a scenario that counts in one provider's record; leads are written ``201 202-b``."""

    def play(stage: Stage) -> Facts:
        held = [reference(stage, lead) for lead in effects.split()]
        wanted = [reference(stage, lead) for lead in approved.split()]
        stage.story = lambda: [
            f"the provider did something for: {', '.join(held) or 'nobody'}",
            f"approved: {', '.join(wanted) or 'nothing'}",
        ]
        return {COUNTED: in_words(stage.answer("count_duplicates", held, wanted))}

    return Scenario(name, title, play, live)


def in_words(answer: Any) -> Any:
    """Return an answer so that a text that looks like a number is seen to be a text."""
    is_text = isinstance(answer, str) and answer != CIRCLES and not answer.startswith(RAISES)
    return f"the text {answer!r}" if is_text else answer


def reference(stage: Stage, lead: str) -> str:
    """Return a customer's reference: ``202-b`` is lead-202-b."""
    number, dash, letter = lead.partition("-")
    return f"lead-{stage.number(int(number))}{dash}{letter}"


def drawn(stage: Stage) -> Facts:
    """Count in a record that no lesson shows."""
    leads = [f"lead-{stage.number(300 + n)}" for n in range(12)]
    held, wanted = stage.draw.choices(leads, k=30), stage.draw.sample(leads, 8)
    return {COUNTED: in_words(stage.answer("count_duplicates", held, wanted))}


def day_after_day(stage: Stage) -> Facts:
    """Count in the same record twice, in one process."""
    keys = [reference(stage, lead) for lead in ("201", "202", "202")]
    with stage.life():
        counts = [stage.answer("count_duplicates", keys, keys[:2]) for _ in range(2)]
    return dict(zip((FIRST, NEXT), counts, strict=True))


def counted(**wanted: Callable[[int], bool]) -> Callable[[Seen], bool]:
    """Recognise by whole numbers: one test for the count of each scenario that is named."""

    def when(seen: Seen) -> bool:
        counts = {name: seen(name, COUNTED) for name in wanted}
        return all(type(n) is int and wanted[name](n) for name, n in counts.items())

    return when


def instead_of_a_number(seen: Seen) -> bool:
    """Recognise an answer of another type."""
    found = [seen(name, COUNTED) for name in ("twice", "thrice")]
    return all(
        value is not None and type(value) is not int and not str(value).startswith(RAISES)
        for value in found
    )


exercise = Exercise(
    name="count_duplicates",
    lesson="01",
    title="Count duplicates from the provider's record",
    defines=("count_duplicates",),
    takes=("keys_of_effects", "approved"),
    scenarios=(
        records("twice", "Lead-202 has two messages, lead-201 has one.",
                "201 202 202", "201 202", live=True),
        records("once", "Everybody has the one message that was wanted.", "201 202", "201 202",
                live=True),
        records("none", "The provider did nothing yet.", "", "201 202"),
        records("missing", "Lead-202 has two messages, lead-201 has none.", "202 202", "201 202"),
        records("stranger", "Lead-999 got a message that nobody approved.",
                "201 202 999", "201 202"),
        records("strangers", "Nobody approved anything, and the same lead got three messages.",
                "999 999 999", ""),
        records("thrice", "Lead-201 has three messages, lead-202 has two, in no order.",
                "201 202 201 202 201", "202 201"),
        records("alike", "Lead-202 got the message that was approved for lead-202-b.",
                "201 201-b 202", "201 201-b 202-b"),
        Scenario("drawn", "Thirty messages went to a dozen leads, and eight were approved.", drawn),
        Scenario("again", "One process counts twice, and the record is the same.", day_after_day),
    ),
    mistakes=(
        Mistake(
            "no return",
            "Your function returned nothing, so whoever asks for duplicates gets no figure. Is a "
            "`return` missing at its end?",
            lambda seen: all(seen(s, COUNTED) is None for s in ("twice", "once", "none")),
        ),
        Mistake(
            "no number",
            "Lead-202 has two messages, and your function answers with something else than a whole "
            "number. Whoever adds up the harm of a week needs to know how many effects were too "
            "many, not which, and not whether. Return the number alone.",
            instead_of_a_number,
        ),
        Mistake(
            "only strangers",
            "Lead-202 has two messages, and your count does not see the second: its key is "
            "approved, so all of its effects pass. The customer who was written to twice is not in "
            "your figure. An approval is used up by the first effect.",
            counted(twice=lambda n: n == 0, stranger=lambda n: n == 1),
        ),
        Mistake(
            "missing counted",
            "The provider did nothing yet, and your count is not 0. What is missing is another "
            "trouble; this figure is about what was done once too often. Begin with what the "
            "provider holds, not with what was approved.",
            counted(none=lambda n: n > 0),
        ),
        Mistake(
            "missing makes up",
            "Lead-202 has two messages and lead-201 has none, and your count says that all is "
            "well: what is missing for one made up for what is doubled for the other. The customer "
            "who was written to twice is not in your figure. A key without an effect takes nothing "
            "off the count.",
            counted(twice=lambda n: n == 1, missing=lambda n: n == 0),
        ),
        Mistake(
            "only neighbours",
            "Lead-201 has three messages, with other leads' messages between them, and your count "
            "finds fewer than if they stood side by side. A record holds the work of many, so two "
            "effects of one key seldom stand together. Look at all that came before, not at the "
            "last one alone.",
            counted(twice=lambda n: n == 1, missing=lambda n: n == 1, thrice=lambda n: n == 0),
        ),
        Mistake(
            "keys instead of effects",
            "Lead-201 has three messages and lead-202 has two: three of the five were too many, "
            "and your count says fewer. Each of them reached a person. Count effects, not the keys "
            "that have too many of them.",
            counted(twice=lambda n: n == 1, once=lambda n: n == 0, thrice=lambda n: 0 < n < 3),
        ),
        Mistake(
            "strangers count as wanted",
            "Lead-999 was sent a message that nobody approved, and your count does not see it. "
            "Somebody got mail that nobody here wanted. An effect whose key is not among the "
            "approved is one too many, every time.",
            counted(twice=lambda n: n == 1, stranger=lambda n: n == 0),
        ),
        Mistake(
            "never nought",
            "Everybody has exactly the one message that was wanted, and your count still finds "
            "duplicates. A measure that never says 0 is soon ignored. One effect for each approved "
            "key is as it should be.",
            counted(once=lambda n: n > 0),
        ),
        Mistake(
            "all effects of a doubled key",
            "Lead-202 has two messages, and one of them was wanted. Your count calls both of them "
            "duplicates, so the harm looks twice as large as it is. Take one off for each approved "
            "key that has an effect.",
            counted(twice=lambda n: n == 2, once=lambda n: n == 0),
        ),
        Mistake(
            "first stranger is free",
            "Nobody approved anything, the same lead got three messages, and your count says "
            "fewer. Each of them reached somebody who was to get none. Where a key is not "
            "approved, its first effect is too many as well.",
            counted(twice=lambda n: n == 1, thrice=lambda n: n == 3, strangers=lambda n: 0 < n < 3),
        ),
        Mistake(
            "references that begin alike",
            "Lead-202 and lead-202-b are two customers, and your count takes one for the other, "
            "because their references begin alike. So a message that nobody approved passes, or "
            "one that was wanted is called too many. Compare whole keys: `in` a list or a set does "
            "that, `in` a text does not.",
            counted(twice=lambda n: n == 1, thrice=lambda n: n == 3, alike=lambda n: n != 1),
        ),
        Mistake(
            "remembers",
            "The same record was counted twice, and the second count is another one. Whoever "
            "compares this week with the last finds harm that nobody did. Begin each count anew: "
            "what is kept outside of the function, or as the default of a parameter, lives on.",
            lambda seen: seen("again", FIRST) == 1 and seen("again", NEXT) != 1,
        ),
    ),
    hints=(
        "How many effects are there in all? And how many of them were wanted, at the most?",
        "An effect is wanted if its key is approved and it is the first one with that key. So for "
        "each key that is both approved and in the record, exactly one effect is wanted.",
        "All effects, less one for each approved key that has an effect:\n"
        "    held = list(keys_of_effects)\n"
        "    return len(held) - (the number of keys in both held and approved)",
    ),
    solved=(count_duplicates,),
    why="One effect is wanted for each approved key that has any; all others are too many. Both "
    "figures come from the provider's record, and none from what a caller believes.",
)  # fmt: skip
