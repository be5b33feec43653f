"""The known mistakes of lesson 15's exercise, told apart by the figures that they come to."""

from __future__ import annotations

from collections.abc import Callable

from lab.exercises.exercise import Mistake, Seen
from lab.exercises.stage import STOPPED

ANSWER = "it returns"
MISSING, BESIDE = "figures that are missing", "figures that nobody asked for"
ATTEMPTED, RECEIVED, EFFECTS = "calls_attempted", "requests_received", "effects_found"
DUPLICATES, COMPLETED, EACH = "duplicates", "completed_actions", "attempts_per_completed"
ORDINARY, INCIDENT = "ordinary_cost_usd", "incident_cost_usd"
AMOUNTS = (EACH, ORDINARY, INCIDENT)
NO_FIGURE = "None"  # how a figure that is None is told
When = Callable[[Seen], bool]


def comes_to(figure: str, **wanted: object) -> When:
    """Recognise a mistake by what one figure comes to; ``_`` stands for a blank in a name."""
    return lambda seen: all(
        seen(name.replace("_", " "), figure) == one for name, one in wanted.items()
    )


def either(*ways: When) -> When:
    """Recognise a mistake in any of several ways."""
    return lambda seen: any(way(seen) for way in ways)


def begins(*begin: str) -> When:
    """Recognise a mistake by the type of an amount, as it is told."""
    return lambda seen: any(str(seen("plain", name)).startswith(begin) for name in AMOUNTS)


def other_names(seen: Seen) -> bool:
    """Tell whether a figure has another name than it should, or one too many is there."""
    return bool(seen("plain", MISSING) or seen("plain", BESIDE))


def made_up(scenario: str, figure: str) -> When:
    """Recognise a figure that stands where there is nothing to count."""
    return lambda seen: seen(scenario, figure) not in (None, NO_FIGURE)


def not_in_cents(seen: Seen) -> bool:
    """Tell whether an amount has other than two places."""
    found = [seen(name, figure) for name in ("plain", "halves", "looks") for figure in AMOUNTS]
    return any(one not in (None, NO_FIGURE) and str(one)[-3:-2] != "." for one in found)


MISTAKES = (
    Mistake(
        "no return",
        "Your function returned nothing, so whoever asks what the day came to gets no figure. Is "
        "a `return` missing at its end?",
        comes_to(ANSWER, plain="nothing"),
    ),
    Mistake(
        "no dictionary",
        "Your function returns something else than a plain dictionary. Whoever reads it would have "
        'to know which figure stands where. Return `{"actions_requested": ..., ...}`, a name for '
        "each figure.",
        lambda seen: str(seen("plain", ANSWER)).startswith("no dictionary"),
    ),
    Mistake(
        "other names",
        "The names of your figures are not those of the list. Two people who call one figure by "
        "two names compare nothing. Below stands which are missing, and which nobody asked for.",
        other_names,
    ),
    Mistake(
        "a text",
        "An amount in your dictionary is a text. It looks like one, but whoever adds up two days "
        "of it gets 2.002.00. Keep the Decimal; a text is made where it is printed.",
        begins("the text"),
    ),
    Mistake(
        "a float",
        "An amount in your dictionary is a float. Most cents are not exact in it, and whoever adds "
        "up a year of them gets a sum that is in no book. Divide Decimals, as `share` and "
        "`review_cost` do.",
        begins("the float"),
    ),
    Mistake(
        "minutes for money",
        "Four minutes at $30 an hour come to 4 with your code: it adds up minutes and calls them "
        "dollars. Whoever pays by that figure pays twice. `review_cost` turns minutes into "
        "dollars.",
        either(comes_to(ORDINARY, plain="4"), comes_to(ORDINARY, plain="4.00")),
    ),
    Mistake(
        "minutes for hours",
        "Four minutes cost $120 with your code: it takes them for four hours. Whoever plans with "
        "that will think that a person is too dear to look. The rate is for an hour, and an hour "
        "has 60 minutes.",
        either(comes_to(ORDINARY, plain="120"), comes_to(ORDINARY, plain="120.00")),
    ),
    Mistake(
        "both kinds mixed",
        "An ordinary look took 4 minutes and an incident 30, and your code puts both into one "
        "figure. Whoever plans an ordinary day then plans for a bad one, and the incident has "
        "disappeared. Split the looks by their second part.",
        either(comes_to(ORDINARY, plain="17.00"), comes_to(INCIDENT, plain="17.00")),
    ),
    Mistake(
        "kinds swapped",
        "The cost of the incident stands under ordinary, and the other way round. A bad day then "
        "looks like every day. The second part of a look is True where it was at an incident.",
        comes_to(ORDINARY, plain="15.00"),
    ),
    Mistake(
        "requests for attempts",
        "Six attempts began and four requests arrived, and your code says that 4 were attempted. "
        "What got lost on the way is missing from it, and that is what this course is about. "
        "Attempts stand in the ledger, in each row.",
        comes_to(ATTEMPTED, plain=4),
    ),
    Mistake(
        "one attempt each",
        "Lead-202 was tried twice, and your code counts one attempt for each row. The retries are "
        "missing, so every gateway seems to need none. Add up `row.attempts`.",
        comes_to(ATTEMPTED, plain=5),
    ),
    Mistake(
        "attempts for requests",
        "Six attempts began, and your code says that the provider received 6 requests. Two of them "
        "never arrived, and the ledger cannot know that. Count what stands in the provider's own "
        "list.",
        comes_to(RECEIVED, plain=6),
    ),
    Mistake(
        "calls for effects",
        "Your code counts six effects, because six calls were made. Three leads have a message: a "
        "call is not a message. Count what the provider holds.",
        comes_to(EFFECTS, plain=6),
    ),
    Mistake(
        "requests for effects",
        "Your code counts four effects, because four requests arrived. One of them was refused at "
        "the door, and nobody has a message of it. Effects stand in a list of their own.",
        comes_to(EFFECTS, plain=4),
    ),
    Mistake(
        "UNKNOWN for failed",
        "Lead-202 is UNKNOWN and has a message, and your code does not count it. What nobody "
        "heard of is taken for what did not happen, and lead-202 will be sent another one. Count "
        "every effect, whatever the ledger says of its key.",
        comes_to(EFFECTS, unknown=1),
    ),
    Mistake(
        "doubled effects once",
        "Lead-202 has two messages, and your code counts one: it counts keys. The second message "
        "is then in no figure at all. An effect is an effect, also where its key had one.",
        comes_to(EFFECTS, twice=2),
    ),
    Mistake(
        "no receipt is unknown",
        "Two rows are PREPARED, for their attempts are proved not executed, and your code counts "
        "them as unknown. Whoever reads that waits for answers that have come. UNKNOWN is a "
        "state, so ask for `row.state`.",
        comes_to("unknown", plain=2),
    ),
    Mistake(
        "known to the provider",
        "Lead-202 is UNKNOWN, the provider holds its message, and your code leaves it out. But the "
        "gateway does not know that yet, and nobody may send meanwhile. This figure says what the "
        "ledger does not know.",
        comes_to("unknown", unknown=1),
    ),
    Mistake(
        "closed ones left out",
        "A row that a person has closed is in REVIEW, and your code leaves it out. It was not "
        "done, so it would then be in no figure at all. Ask for the state alone.",
        comes_to("review", review=2),
    ),
    Mistake(
        "duplicates from the ledger",
        "Lead-202 was sent for twice and has one message, and your code finds a duplicate; where "
        "one call made two messages, it finds none. The ledger counts attempts, and a duplicate "
        "is an effect. `count_duplicates` asks the provider's record.",
        lambda seen: seen("plain", DUPLICATES) != 0 and seen("twice", DUPLICATES) == 0,
    ),
    Mistake(
        "requests for duplicates",
        "Your code finds a duplicate where a request was refused. Nobody has a message of it. A "
        "duplicate is an effect too many, and not a request too many.",
        comes_to(DUPLICATES, plain=1, twice=1),
    ),
    Mistake(
        "missing makes up",
        "Lead-201 has two messages and lead-202 has none, and your code says that all is well. "
        "What is missing for one made up for what is doubled for the other. `count_duplicates` "
        "looks at each key.",
        comes_to(DUPLICATES, twice=1, missing=0),
    ),
    Mistake(
        "strangers pass",
        "Lead-999 got a message that nobody approved, and your code does not see it. Somebody got "
        "mail that nobody here wanted. Approved are the keys of the rows, and no others.",
        comes_to(DUPLICATES, twice=1, stranger=0),
    ),
    Mistake(
        "all of a doubled key",
        "Lead-202 has two messages, and your code calls both of them duplicates. One of them was "
        "wanted, so the harm looks twice as large as it is. One effect for each approved key is "
        "as it should be.",
        comes_to(DUPLICATES, twice=2),
    ),
    Mistake(
        "REVIEW for done",
        "Three rows wait for a person or were closed, and your code counts them as completed. "
        "Whoever sends every case to a person would then have done everything. To pass it on is "
        "not to do it: only SETTLED can be completed.",
        lambda seen: seen("review", COMPLETED) in (3, 4),
    ),
    Mistake(
        "an effect is enough",
        "Lead-202 is UNKNOWN, and your code counts it as completed because the provider holds its "
        "message. Nobody here knows that yet, so somebody is still waiting. Completed asks both "
        "sides: SETTLED in the ledger, and held by the provider.",
        comes_to(COMPLETED, unknown=2),
    ),
    Mistake(
        "SETTLED is enough",
        "Lead-202 is SETTLED with a receipt that the provider never gave, and your code counts it "
        "as completed. Lead-202 waits for a message that nobody will send. Look for the pair of "
        "key and receipt among the provider's effects.",
        comes_to(COMPLETED, not_there=2),
    ),
    Mistake(
        "receipt alone",
        "Lead-202 is SETTLED with the receipt of somebody else's message, and your code counts it "
        "as completed. It has no message. The receipt and the key must stand on the same effect.",
        comes_to(COMPLETED, **{"another's": 2}),
    ),
    Mistake(
        "key alone",
        "Lead-202 is SETTLED with a receipt that names nothing, and your code counts it as "
        "completed because some effect has its key. Whoever asks the provider about this receipt "
        "gets no answer. Compare the receipt, too.",
        comes_to(COMPLETED, other_receipt=2),
    ),
    Mistake(
        "for each request",
        "Six attempts for five actions are 1.20 with your code: it divides by what was asked for. "
        "A gateway that does nothing looks best by that figure. Divide by what was completed.",
        comes_to(EACH, plain="1.20"),
    ),
    Mistake(
        "for each effect",
        "Two messages are at the provider and one action is completed, and your code divides by "
        "the messages. A duplicate would make the figure look better. Divide by what was "
        "completed.",
        comes_to(EACH, unknown="2.00"),
    ),
    Mistake(
        "upside down",
        "Six attempts for three completed actions come to 0.50 with your code. Whoever reads it "
        "as attempts thinks that half of one was enough. Divide the attempts by the actions.",
        comes_to(EACH, plain="0.50"),
    ),
    Mistake(
        "divided by nothing",
        "Nothing was completed, your code divides by it, and the report of a bad day is an error. "
        "On such a day somebody needs the other figures most. `share` returns None where there is "
        "no whole.",
        lambda seen: seen("person", STOPPED) in ("ZeroDivisionError", "ArithmeticError"),
    ),
    Mistake(
        "a made-up ratio",
        "All cases were left to a person and nothing was completed, and your code still says how "
        "many attempts each completed action took. There is no such action, and a 0 there looks "
        "better than any gateway that works. The figure is None.",
        made_up("person", EACH),
    ),
    Mistake(
        "a made-up cost",
        "Nobody measured a look, and your code says what looking cost. An amount of 0.00 reads as "
        "if looking were free; what nobody measured is not known. The figure is None.",
        either(made_up("nobody", ORDINARY), made_up("person", INCIDENT)),
    ),
    Mistake(
        "no time is no measure",
        "One look was measured at 0 minutes, and your code says that nothing was measured. Then "
        "somebody will measure it again. Ask whether there was a look, and not whether its "
        "minutes are 0.",
        comes_to(ORDINARY, no_time=NO_FIGURE),
    ),
    Mistake(
        "look by look",
        "One minute at $25 costs 41 cents and two thirds. Your code makes 42 of it, twice: $0.84 "
        "instead of $0.83, and a thousand looks make it dollars. Add up the minutes, and round "
        "once.",
        comes_to(ORDINARY, looks="0.84"),
    ),
    Mistake(
        "half not up",
        "Nine attempts for eight messages are 1.125, and a look of 66 cents and a half costs half "
        "a cent more: your code rounds such a half down. Whoever checks it by hand finds another "
        "figure. `rounded` rounds a half up.",
        either(comes_to(EACH, halves="1.12"), comes_to(ORDINARY, halves="0.66")),
    ),
    Mistake(
        "not two places",
        "Not every amount has two places. Whoever lines them up in a column has to guess, and "
        "nobody can pay a third of a cent. `rounded` gives every amount two places.",
        not_in_cents,
    ),
)
