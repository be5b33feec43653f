"""Lesson 14's exercise `redact`: the texts that are tried, and the mistakes that they show."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lab.exercises.exercise import Mistake, Seen

NOTE = "ada@example.com paid with 4111111111111111, key sk_live_example0202"
SECRETS = {
    "ada@example.com": "[address]", "4111111111111111": "[card]", "sk_live_example0202": "[token]"
}  # fmt: skip
COMMA, BRACKETS = "Write to ada@example.com, please", "Ada Lovelace (ada_l@example.com) called"
BESIDE = (COMMA, BRACKETS, "ben@example.org.")
PLUS = "ada.lovelace+invoices@mail.example.co.uk wrote"
RUNS = ("card 4222222222222", "card 378282246310005", "card 5555555555554444",
        "card 6304000000000000000")  # fmt: skip
GROUPS = ("card 4111 1111 1111 1111", "card 4111-1111-1111-1111",
          "card 5555 5555 5555 4444 12/27")  # fmt: skip
NO_CARDS = ("at 1767225600000", "order 4111111111111112", "order 4111 1111 1111 1112",
            "order 5555-5555-5555-4445")  # fmt: skip
BEGUN = ("sk_live_example0202", "sk_test_example0202", "ghp_example0202token",
         "xoxb-2024-example0202", "whsec_example0202")  # fmt: skip
BEARER = "header Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIyMDIifQ.c2lnbmVk failed"
WORD = "risk_live_report and task_test_2"
TOKENS = (*(f"used {token} twice" for token in BEGUN), BEARER)
TAGS = "<b>Ada</b> asked"
MARKUP = (TAGS, "2 < 3, and 3 > 2", "Ada <ada@example.com>")
ORDINARY = ("welcome:lead-202:v1#1 is UNKNOWN", "lead-202 and run-8841", WORD,
            "2026-09-01T12:30:00.000Z", "$1,999.00  and  19.99 EUR", "10 % @ Zoë's")  # fmt: skip
MANY = ("ada@example.com, ben@example.org, 4111111111111111, 5555 5555 5555 4444, "
        "ghp_example0202token ghp_example0303token")  # fmt: skip
FIRSTS = ("ada@example.com", "4111111111111111", "ghp_example0202token")
SECONDS = ("ben@example.org", "5555 5555 5555 4444", "ghp_example0303token")
AGAIN = "Ada <ada@example.com>: 4111 1111 1111 1111, Bearer abc123def456"
SECOND = "what the second time changes"

When = Callable[[Seen], bool]


def becomes(text: str) -> str:
    """Return the label under which it is told what became of a text."""
    return f'"{text}" becomes'


def said(seen: Seen, scenario: str, text: str) -> str:
    """Return what became of one text; an empty text where nothing is known of it."""
    fact = str(seen(scenario, becomes(text)) or "")
    return fact[1:-1] if fact.startswith('"') else fact


def comes_out(scenario: str, text: str, *answers: str) -> When:
    """Recognise a mistake by what became of one text."""
    return lambda seen: said(seen, scenario, text) in answers


def stays(scenario: str, given: Iterable[str]) -> When:
    """Recognise a mistake by a text that is given back as it was."""
    return lambda seen: any(said(seen, scenario, text) == text for text in given)


def changes(scenario: str, given: Iterable[str]) -> When:
    """Recognise a mistake by a text that should stay, and does not."""
    return lambda seen: any(said(seen, scenario, text) not in ("", text) for text in given)


def holds(scenario: str, text: str, *pieces: str) -> When:
    """Recognise a mistake by something that is left of a text."""
    return lambda seen: any(piece in said(seen, scenario, text) for piece in pieces)


def everything_stays(seen: Seen) -> bool:
    """Tell whether no text with a secret comes back without it."""
    tried = ("note", [NOTE]), ("runs", RUNS), ("tokens", TOKENS), ("addresses", BESIDE)
    return all(said(seen, name, text) == text for name, given in tried for text in given)


def everything_goes(seen: Seen) -> bool:
    """Tell whether the words beside the secrets are gone, too."""
    note = said(seen, "note", NOTE)
    return bool(note) and "paid with" not in note


def other_words(seen: Seen) -> bool:
    """Tell whether the secrets are gone, and other words than the agreed ones stand there."""
    note = said(seen, "note", NOTE)
    gone = bool(note) and not any(secret in note for secret in SECRETS)
    return gone and not all(word in note for word in SECRETS.values())


def first_only(seen: Seen) -> bool:
    """Tell whether of two of a kind only the first is taken out."""
    many = said(seen, "many", MANY)
    return any(
        one not in many and other in many for one, other in zip(FIRSTS, SECONDS, strict=True)
    ) and bool(many)


def beside_an_address(seen: Seen) -> bool:
    """Tell whether a sign beside an address is taken out with it."""
    comma, brackets = said(seen, "addresses", COMMA), said(seen, "addresses", BRACKETS)
    return ("[address]" in comma and "[address]," not in comma) or (
        "[address]" in brackets and "([address])" not in brackets
    )


def half_a_token(seen: Seen) -> bool:
    """Tell whether a word stands for the beginning of a token, and its end is there."""
    return any(
        "[token]" in said(seen, "tokens", text)
        and ("example" in said(seen, "tokens", text) or "eyJ" in said(seen, "tokens", text))
        for text in TOKENS
    )


def sixteen_only(seen: Seen) -> bool:
    """Tell whether a card of 16 digits is found, and one of another length is not."""
    found = [said(seen, "runs", text) for text in RUNS]
    return found[2] == "card [card]" and any(text in found for text in (*RUNS[:2], RUNS[3]))


mistakes = (
    Mistake(
        "no return",
        "Your function returned nothing, so the export has an empty field where a note should be. "
        "Is a `return` missing at its end?",
        comes_out("note", NOTE, "nothing"),
    ),
    Mistake(
        "no text",
        "Your function returns something that is no text. Whoever writes the export puts it into a "
        "field, and there it shows its brackets and quotes. Return the text itself.",
        lambda seen: said(seen, "note", NOTE).startswith("no text: "),
    ),
    Mistake(
        "nothing is taken out",
        "The note about Ada comes back as it was: her address, her card and the token go into a "
        "file that is passed around. A text never changes in place. `re.sub` and `replace` return "
        "a new one, which has to be kept.",
        everything_stays,
    ),
    Mistake(
        "everything is gone",
        "The note holds three secrets, and your code takes the words beside them as well. Whoever "
        "works with the export no longer reads that somebody paid. Replace what was found, and "
        "nothing else.",
        everything_goes,
    ),
    Mistake(
        "other words",
        "The secrets are gone, and other words stand in their places than those that were agreed: "
        "`[address]`, `[card]` and `[token]`. Whoever reads a hundred rows cannot tell what was "
        "there, and no program can count it.",
        other_words,
    ),
    Mistake(
        "escaped for a page",
        "`<` becomes `&lt;` with your code. That is right inside of a web page, and in a table "
        "people read `&lt;` and, the second time, `&amp;lt;`. Put `‹` and `›` there: they look "
        "like the signs, and no program takes them for markup.",
        holds("markup", TAGS, "&lt;"),
    ),
    Mistake(
        "tags removed",
        "`<b>` and `</b>` are gone with your code, and so is all that stands between a `<` and the "
        "next `>`. A note that says 2 < 3, and 3 > 2 then says something else. Replace the two "
        "signs, and leave what is between them.",
        comes_out("markup", TAGS, "Ada asked", " Ada  asked"),
    ),
    Mistake(
        "not the same twice",
        "What was redacted once changes when it is redacted again. One day somebody exports an "
        "export, and each makes another text of the same note. What is put in must not look like "
        "something that is taken out, and nothing may be added each time.",
        lambda seen: str(seen("twice", SECOND)).startswith("it becomes"),
    ),
    Mistake(
        "any long number",
        "A time in milliseconds, or the number of an order, becomes a card with your code. Whoever "
        "looks for the order finds nothing. Digits alone prove nothing: ask "
        "`holds_card_number(digits)`, without blanks and `-`, and give back what is no card.",
        changes("no cards", NO_CARDS),
    ),
    Mistake(
        "in the middle of a word",
        "`risk_live_report` is an ordinary word, and your code finds a token in it. Names of files "
        "and tasks get holes, and nobody knows why. A token *begins* so: `\\b` before it asks that "
        "no letter stands there.",
        changes("ordinary", [WORD]),
    ),
    Mistake(
        "what is no secret is changed",
        "A key, a date, an amount or a plain word comes back changed, though nothing in it has to "
        "go. Whoever compares the export with the ledger no longer finds the row. Leave all that "
        "fits no pattern as it is, blanks and capitals too.",
        changes("ordinary", ORDINARY),
    ),
    Mistake(
        "the date behind the card",
        "`5555 5555 5555 4444 12/27` is a card and its date, and your code gets it wrong: it takes "
        "the digits of the date for more of the card, so the check fails, or the date is gone. "
        "The number is still in the file, or the note is short of a word. A group has four "
        "digits, and there are four of them.",
        lambda seen: said(seen, "groups", GROUPS[2]) not in ("", "card [card] 12/27")
        and said(seen, "groups", GROUPS[0]) == "card [card]",
    ),
    Mistake(
        "cards in groups stay",
        "`4111 1111 1111 1111` and `4111-1111-1111-1111` are how people write a card, and at least "
        "one of them is still there. Cards are printed so, and people copy what they see. Allow a "
        "blank or a `-` between the groups, and leave it out before the check.",
        stays("groups", GROUPS[:2]),
    ),
    Mistake(
        "only the first",
        "The note names two people, and the second address, card or token is still there. A "
        "customer like Ben is no less private than Ada. `re.sub` without a count replaces all.",
        first_only,
    ),
    Mistake(
        "sixteen digits only",
        "A card of 16 digits is found, and one of 13, 15 or 19 is still there. Whoever has such a "
        "card finds it in the file. In one run, 13 to 19 digits may be a card: `\\d{13,19}`.",
        sixteen_only,
    ),
    Mistake(
        "half an address",
        "Of `ada.lovelace+invoices@mail.example.co.uk` something is left, and it still says who "
        "wrote. Before the @ may stand `.`, `+`, `-` and `_`, and behind it as many parts as the "
        "name has, each after a dot.",
        holds("addresses", PLUS, "ada", "lovelace", "invoices", "mail", ".co", ".uk"),
    ),
    Mistake(
        "the signs beside an address",
        "The comma or the bracket beside an address is gone with your code: it takes all that is "
        "no blank. In a list of people, two of them then become one. Say which signs an address "
        "may hold, `[\\w.+-]+` before the @, and stop there.",
        beside_an_address,
    ),
    Mistake(
        "half a token",
        "A word stands for the beginning of a token, and its end can still be read. Whoever knows "
        "the beginning, which is the same for all, has it whole again. A token reaches to the next "
        "blank: `\\S+`.",
        half_a_token,
    ),
    Mistake(
        "the word Bearer is gone",
        "`Bearer` itself says nothing secret, and your code takes it out with the token. Whoever "
        "reads the note no longer sees where the token stood. Replace what follows it: "
        "`(?<=Bearer )` looks at the word, and leaves it.",
        lambda seen: said(seen, "tokens", BEARER) == "header [token] failed",
    ),
    Mistake(
        "a bearer's token stays",
        "What follows `Bearer ` is still there. It begins with nothing that you know, and yet it "
        "opens the door to whoever holds it. Look for the word, and replace what comes next.",
        stays("tokens", [BEARER]),
    ),
    Mistake(
        "a kind of token stays",
        "One kind of token is still there: it begins with `sk_live_`, `sk_test_`, `ghp_`, `xoxb-` "
        "or `whsec_`. Whoever reads the export can use it. Compare your list with the lesson's, "
        "sign by sign.",
        stays("tokens", TOKENS[:5]),
    ),
    Mistake(
        "markup stays",
        "`<` or `>` is still there. A page that shows this text runs what somebody wrote between "
        "the two, and anybody can write a note. Replace both, `<` by `‹` and `>` by `›`.",
        lambda seen: any(
            sign in said(seen, "markup", text) for text in MARKUP for sign in "<>"
        ),
    ),
)  # fmt: skip
