"""Lesson 02: parts that name one intention, joined so that no two lists of parts share a key."""

from __future__ import annotations

import json
import re
from typing import Any

from lab.exercises.exercise import Exercise, Mistake, Scenario, Seen
from lab.exercises.stage import RAISES, UNFINISHED, Facts, Stage
from lab.gateway import action_key

REFUSED = f"{RAISES}UnsafeKey"
THREE, ONE, AGAIN = "welcome, the lead and v1", "one part alone", "the same three parts again"
LONGEST = 60  # characters of a key that is shown as it is
LONG, TOO_LONG = "200 characters", "201 characters"


def label(parts: tuple[Any, ...]) -> str:
    """Return a call as it is written: ``action_key("a:b", "c")``."""
    written = [json.dumps(p, ensure_ascii=False) if isinstance(p, str) else repr(p) for p in parts]
    return f"action_key({', '.join(written)})"


def written(answer: Any) -> Any:
    """Return an answer as it fits on a page: its length where it is long, signs that are seen."""
    if not isinstance(answer, str) or answer.startswith(RAISES):
        return answer
    if len(answer) > LONGEST:
        return f"a key of {len(answer)} characters"
    return answer if answer.isprintable() else repr(answer)


COLON, MENDED = ("a:b", "c"), ("a", "b:c")
EMPTY, ONLY_EMPTY, NO_PART = ("welcome", "", "v1"), ("",), ()
ADDRESS, BLANK, LINE_END = ("welcome", "ada@example.com"), ("lead 202", "v1"), ("welcome", "v1\n")
BRACKET = ("welcome", "lead[202]")
ALPHABET, DIGITS = ("welcome", "zoë"), ("welcome", "lead-２０２")
NUMBER, NOTHING = ("lead", 202), ("welcome", None, "v1")
OTHERS = (True,), ("welcome", b"v1"), ("welcome", ["lead-202", "v1"])
CARD, GROUPS = ("refund", "4111111111111111"), ("refund", "4111-1111-1111-1111")
SPREAD = ("refund", "4111", "1111", "1111", "1111")
SIGNS, CASE = ("refund.v2", "order_77", "return-1"), ("Invoice", "INV-7")
ORDER, TWICE, NO_CARD = ("v1", "b", "a"), ("v1", "v1"), ("refund", "4111111111111112")
ONLY_SIGNS = ("welcome", "lead-202", "-")


def joined(stage: Stage) -> Facts:
    """Make the keys that the lesson speaks of."""
    lead = f"lead-{stage.number(202)}"
    with stage.life():
        return {
            THREE: stage.answer("action_key", "welcome", lead, "v1"),
            AGAIN: stage.answer("action_key", "welcome", lead, "v1"),
            ONE: stage.answer("action_key", "digest"),
        }


def drawn(stage: Stage) -> Facts:
    """Make a key of parts that no lesson names."""
    signs = "abcdefghijkmnopqrstuvwxyzABCXYZ._-"
    parts = ["".join(stage.draw.choices(signs, k=stage.draw.randint(1, 9))) for _ in range(5)]
    return {"five parts that were drawn": stage.answer("action_key", *parts)}


def length(stage: Stage) -> Facts:
    """Make the longest key that may be stored, and one that is longer by one."""
    return {
        LONG: written(stage.answer("action_key", "a" * 100, "b" * 99)),
        TOO_LONG: written(stage.answer("action_key", "a" * 100, "b" * 100)),
    }


def asked(name: str, title: str, *lists: tuple[Any, ...]) -> Scenario:
    """Return a scenario that asks for the keys of lists of parts."""
    return Scenario(
        name,
        title,
        lambda stage: {
            label(parts): written(stage.answer("action_key", *parts)) for parts in lists
        },
    )


def takes(seen: Seen, scenario: str, *lists: tuple[Any, ...]) -> bool:
    """Tell whether a key was made of one of these lists."""
    found = [seen(scenario, label(parts)) for parts in lists]
    return any(isinstance(key, str) and not key.startswith(RAISES) for key in found)


def raised(seen: Seen, scenario: str, *lists: tuple[Any, ...]) -> list[str]:
    """Return the errors that came out for these lists."""
    found = [str(seen(scenario, label(parts))) for parts in lists]
    return [text.removeprefix(RAISES) for text in found if text.startswith(RAISES)]


def kept_quiet(seen: Seen) -> bool:
    """Recognise a refusal by a value: nothing, False, an empty text, an error that is returned."""
    answers = [seen("colon", label(parts)) for parts in (COLON, MENDED)]
    made = isinstance(seen("joined", THREE), str)
    return made and all(not isinstance(answer, str) or not answer for answer in answers)


def of_another_kind(seen: Seen) -> bool:
    """Recognise refusals by an error of another class."""
    found = raised(seen, "colon", COLON) + raised(seen, "empty", EMPTY)
    return any(name not in ("UnsafeKey", *UNFINISHED) for name in found)


def formed(seen: Seen) -> bool:
    """Tell whether the first key has the form that was asked for, whoever the lead is."""
    return bool(re.fullmatch(r"welcome:lead-\d+:v1", str(seen("joined", THREE))))


def changed(seen: Seen, scenario: str, *lists: tuple[str, ...]) -> bool:
    """Recognise keys in which the parts are not what and where they were."""
    return any(
        takes(seen, scenario, parts) and seen(scenario, label(parts)) != written(":".join(parts))
        for parts in lists
    )


def mended(seen: Seen) -> bool:
    """Recognise keys that were made of unsafe parts by leaving out or replacing signs."""
    return (
        changed(seen, "colon", COLON, MENDED)
        or changed(seen, "signs", ADDRESS, BLANK, BRACKET, LINE_END)
        or changed(seen, "alphabet", ALPHABET, DIGITS)
    )


exercise = Exercise(
    name="action_key",
    lesson="02",
    title="Name one intention",
    defines=("action_key",),
    takes=("first_part", "second_part", "third_part"),
    scenarios=(
        Scenario("joined", "A welcome for lead-202 gets its key, twice the same; a key may have "
                 "one part.", joined, live=True),
        asked("colon", "A part holds the colon that joins the parts.", COLON, MENDED),
        asked("empty", "A part is empty, or there is none.", EMPTY, ONLY_EMPTY, NO_PART),
        asked("signs", "A part holds an address, a blank, a bracket, or the end of a line.",
              ADDRESS, BLANK, BRACKET, LINE_END),
        asked("alphabet", "A part holds letters or digits of another alphabet.", ALPHABET, DIGITS),
        asked("no text", "A part is not a text.", NUMBER, NOTHING, *OTHERS),
        asked("cards", "A card number stands in a part, or appears when the parts are joined.",
              CARD, GROUPS, SPREAD),
        Scenario("length", "The key is as long as it may be, and longer by one.", length),
        Scenario("drawn", "Five parts that were drawn, of all the signs that are allowed.", drawn),
        asked("kept", "Whatever is allowed is kept as it is, and in its order.",
              SIGNS, CASE, ORDER, TWICE, NO_CARD, ONLY_SIGNS),
    ),
    mistakes=(
        Mistake(
            "no return",
            "Your function made no key: it returned nothing. Whoever asked for one sends without "
            "it, and no second attempt is ever recognised. Is a `return` missing at its end?",
            lambda seen: seen("joined", THREE) is None and seen("joined", ONE) is None,
        ),
        Mistake(
            "another key each time",
            "The same parts were given twice, and two different keys came out. Each attempt would "
            "look like a new thing, and lead-202 gets a message from each of them. Use what was "
            "given, and nothing that changes from call to call.",
            lambda seen: isinstance(seen("joined", THREE), str)
            and isinstance(seen("joined", AGAIN), str)
            and not seen("joined", AGAIN).startswith(RAISES)
            and seen("joined", THREE) != seen("joined", AGAIN),
        ),
        Mistake(
            "refuses what is safe",
            "Your function refuses the key of a welcome for lead-202, though every sign in it is "
            "allowed. Nobody gets a message at all. Letters, digits, `.`, `_` and `-` may stand in "
            "a part.",
            lambda seen: seen("joined", THREE) == REFUSED,
        ),
        Mistake(
            "three parts only",
            "Your function makes a key of three parts and of no other number. The next intention "
            "that is named by one part, or by four, stops the program. `*parts` in the first line "
            "takes any number.",
            lambda seen: formed(seen) and seen("joined", ONE) == f"{RAISES}TypeError",
        ),
        Mistake(
            "another form",
            "The key of a welcome for lead-202 does not read as it was agreed. A colleague's "
            "program derives the key `welcome:lead-202:v1` for the same welcome, so the two do not "
            "recognise each other, and lead-202 gets two. Join the parts as they are by `:`.",
            lambda seen: isinstance(seen("joined", THREE), str)
            and not seen("joined", THREE).startswith(RAISES)
            and not formed(seen),
        ),
        Mistake(
            "refused without an error",
            "A part held a colon, and your function gave back something that is no key instead of "
            "an error. The program goes on with it, and the next unsafe key gets the same one: two "
            "intentions, one name. `raise UnsafeKey(...)` stops it there.",
            kept_quiet,
        ),
        Mistake(
            "another error",
            "The part was refused with an error of another kind than `UnsafeKey`. Whoever wants to "
            "tell a bad key from any other trouble waits for `UnsafeKey`, so this one ends the "
            "whole run. Raise `UnsafeKey` with a sentence.",
            of_another_kind,
        ),
        Mistake(
            "mended",
            "A part held a sign that is not allowed, and your function made a key of it all the "
            "same, with the sign replaced or dropped. So two different intentions can get one key, "
            "and the second customer hears nothing. Refuse the part; whoever gave it knows what it "
            "should be.",
            mended,
        ),
        Mistake(
            "nothing refused",
            "`ada@example.com` became part of a key, and so did a part that holds a colon. Keys "
            "are stored and shown in clear, here and at the provider, so an address in one is an "
            "address in every log. Look at each part before you join them.",
            lambda seen: takes(seen, "colon", COLON) and takes(seen, "signs", ADDRESS, BLANK),
        ),
        Mistake(
            "checked after joining",
            'The parts were checked when they were joined already, and by then `("a:b", "c")` and '
            '`("a", "b:c")` are the same text. Two intentions have one key, and the second '
            "customer hears nothing. Check each part by itself, and then the key.",
            lambda seen: takes(seen, "colon", COLON) and takes(seen, "empty", EMPTY),
        ),
        Mistake(
            "colon in a part",
            'A part may hold a colon in your function, so `("a:b", "c")` and `("a", "b:c")` get '
            "one key. That is one name for two intentions, and one of the two customers hears "
            "nothing. Every sign of a part has to be a letter, a digit or one of `.`, `_` and `-`: "
            "is it read to its end?",
            lambda seen: takes(seen, "colon", COLON, MENDED),
        ),
        Mistake(
            "a missing part is dropped",
            "An empty part was left out of the key, so a welcome whose lead is missing has the key "
            "`welcome:v1`. Every lead that got lost on the way shares it, and one of them gets a "
            "message. A part that is empty is a mistake of the caller's: refuse it.",
            lambda seen: seen("empty", label(EMPTY)) == "welcome:v1",
        ),
        Mistake(
            "text made of anything",
            "A part that is no text was made into one. Where a lead's id is missing, `None` "
            "becomes part of the key, and all leads without an id share one welcome. Refuse what "
            "is not a text, and let the caller write it.",
            lambda seen: takes(seen, "no text", NUMBER, NOTHING, *OTHERS),
        ),
        Mistake(
            "empty part",
            "A part was empty, and the key was made. A lead whose id got lost on the way is empty "
            "too, so all of them share one key, and one of them gets a message. A part has at "
            "least one sign.",
            lambda seen: takes(seen, "empty", EMPTY, ONLY_EMPTY),
        ),
        Mistake(
            "no part",
            "No part was given, and your function returned an empty key. It names nothing, so it "
            "names everything: all who forget the parts share it. `check_key` refuses it, if you "
            "give it the joined key.",
            lambda seen: takes(seen, "empty", NO_PART),
        ),
        Mistake(
            "stops at what is not text",
            "A part was the number 202 and not a text, and Python's own error came out in place of "
            "`UnsafeKey`. Whoever called gets a message about strings that does not name the part. "
            "Look whether a part is a text before you do anything else with it.",
            lambda seen: bool(set(raised(seen, "no text", NUMBER, NOTHING, *OTHERS))
                              & {"TypeError", "AttributeError"}),
        ),
        Mistake(
            "other signs",
            "An address or a blank became part of a key. Keys are stored and shown in clear, here "
            "and at the provider, so an address in one is an address in every log. Say which signs "
            "are allowed, not which are forbidden.",
            lambda seen: takes(seen, "signs", ADDRESS, BLANK),
        ),
        Mistake(
            "six signs too many",
            "A bracket became part of a key. `check_key` refuses it, here and in every other "
            "program, so the action is never written down and the customer hears nothing. In a "
            "pattern, `A-z` holds the six signs that stand between `Z` and `a` as well: write "
            "`A-Za-z`.",
            lambda seen: takes(seen, "signs", BRACKET),
        ),
        Mistake(
            "sees a key once",
            "The key was asked for a second time in one process, and your function refused it. So "
            "a second attempt cannot name what it is about, and a message whose answer was lost "
            "is never sent. Whether a key was seen before is for others to say: make the same one, "
            "each time.",
            lambda seen: formed(seen) and seen("joined", AGAIN) == REFUSED,
        ),
        Mistake(
            "any alphabet",
            "A letter or a digit of another alphabet became part of a key. Some are written in two "
            "ways that look the same, and a provider may write them in its own way, so that one "
            "intention has two keys. Only `A-Z`, `a-z` and `0-9` are the same everywhere; `\\w` "
            "and `isalnum()` allow many more.",
            lambda seen: takes(seen, "alphabet", ALPHABET, DIGITS),
        ),
        Mistake(
            "end of a line",
            "A part ended with the end of a line, as texts read from a file do, and it became part "
            "of the key. The same part without it makes another key, and the customer gets two. In "
            "a pattern, `$` allows such an end; `re.fullmatch` does not.",
            lambda seen: takes(seen, "signs", LINE_END),
        ),
        Mistake(
            "written otherwise",
            "The parts did not come out as they went in: their order, their capitals or one of "
            "them was changed. So two lists of parts have one key, which names two intentions, and "
            "the second one is never done. Take each part as it is, and in its place.",
            lambda seen: changed(seen, "kept", SIGNS, CASE, ORDER, TWICE),
        ),
        Mistake(
            "card number in the joined key",
            "Four parts of four digits each passed, and joined they are a card number, stored and "
            "shown in clear. It can be seen in the whole key alone. Give the joined key to "
            "`check_key`, and return what it returns.",
            lambda seen: takes(seen, "cards", SPREAD) and not takes(seen, "cards", CARD, GROUPS),
        ),
        Mistake(
            "card number",
            "A card number became part of a key. It is stored and shown in clear, by us and by the "
            "provider, and its owner was never asked. Give the joined key to `check_key`, which "
            "refuses it.",
            lambda seen: takes(seen, "cards", CARD, GROUPS, SPREAD),
        ),
        Mistake(
            "too long",
            "The parts come to 201 characters, and a key was made of them; 200 is the most. A key "
            "that is cut off, here or at the provider, can be the name of two intentions, and one "
            "of the two customers hears nothing. `check_key` refuses it, if you give it the joined "
            "key.",
            lambda seen: isinstance(seen("length", TOO_LONG), str)
            and not seen("length", TOO_LONG).startswith(RAISES),
        ),
    ),
    hints=(
        'What would you see of the parts once they are joined? Take `("a:b", "c")` and '
        '`("a", "b:c")`: at which moment can you still tell them apart?',
        "Look at each part before you join: is it a text, and is every sign of it allowed? "
        "`re.fullmatch(pattern, part)` says whether a pattern fits the whole of a text. What can "
        "be seen in the whole key alone is for `check_key`.",
        "The parts first, then the key:\n"
        "    for part in parts:\n"
        "        if not isinstance(part, str) or not re.fullmatch(r\"[...]+\", part):\n"
        "            raise UnsafeKey(...)\n"
        "    return check_key(...)",
    ),
    solved=(action_key,),
    why="No part holds the sign that joins the parts, so the key can be taken apart in one way "
    "only: two different lists of parts never share a key. What concerns the whole key, its "
    "length and card numbers, is left to check_key.",
)  # fmt: skip
