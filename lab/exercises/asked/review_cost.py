"""Lesson 09: what it costs that people look, to the cent."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, getcontext, localcontext
from typing import Any

from lab.exercises.exercise import Exercise, Mistake, Scenario, Seen
from lab.exercises.stage import STOPPED, Facts, Stage
from lab.faults.hostile import review_cost
from lab.guest.wire import Other, shown

COST, TYPE = "the cost", "its type"
DIGITS = 28  # what Decimal computes with, where nobody changed it


def amount(
    name: str, title: str, reviews: int, minutes: int, usd_per_hour: str, live: bool = False
) -> Scenario:
    """Return a scenario that asks for one amount."""
    return Scenario(name, title, lambda stage: cost(stage, reviews, minutes, usd_per_hour), live)


def cost(stage: Stage, reviews: int, minutes: int, usd_per_hour: str) -> Facts:
    """Ask for one amount. What the learner sets in decimal's context ends with the call."""
    with localcontext(prec=max(DIGITS, getcontext().prec)):
        value = stage.call("review_cost", reviews, minutes, Decimal(usd_per_hour))
    kind = value.type if isinstance(value, Other) else type(value).__name__
    return {COST: written(value), TYPE: kind}


def written(value: Any) -> str:
    """Return a value as it is written, with all its places."""
    return str(value) if isinstance(value, (Decimal, int, float, str)) else shown(value).text


def many(stage: Stage) -> Facts:
    """Ask for the cost, in whole cents, of a number of rows that no lesson names."""
    return cost(stage, stage.number(1_250), 4, "31.50")


def drawn(stage: Stage) -> Facts:
    """Ask for three costs that no lesson names."""

    def one() -> Facts:
        draw = stage.draw
        rate = f"{draw.randint(20, 90)}.{draw.randint(0, 99):02}"
        return cost(stage, draw.randint(2, 99), draw.randint(2, 59), rate)

    return {f"{label} ({place} of 3)": fact for place in (1, 2, 3) for label, fact in one().items()}


AMOUNTS = (
    amount("one", "One row, 4 minutes, $30 an hour.", 1, 4, "30", live=True),
    amount("none", "No row at all.", 0, 4, "30"),
    amount("rows", "Seven rows, 1 minute each, $25 an hour.", 7, 1, "25"),
    amount("minutes", "One row, 7 minutes, $25 an hour.", 1, 7, "25"),
    amount("below", "One row, 1 minute, $30.10 an hour: 50 cents, and a sixth of one.",
           1, 1, "30.10"),
    amount("above", "One row, 1 minute, $40 an hour: 66 cents, and two thirds of one.",
           1, 1, "40"),
    amount("odd half", "One row, 1 minute, $39.30 an hour: 65 cents and a half.", 1, 1, "39.30"),
    amount("even half", "One row, 1 minute, $39.90 an hour: 66 cents and a half.", 1, 1, "39.90"),
    amount("nearly half", "One row, 1 minute, $30.28 an hour: 50 cents, and less than half of one.",
           1, 1, "30.28"),
    amount("early", "One row, 2 minutes, $2.85 an hour: 9 cents and a half.", 1, 2, "2.85"),
    amount("third half", "One row, 3 minutes, $29.50 an hour: 147 cents and a half.",
           1, 3, "29.50"),
)  # fmt: skip

When = Callable[[Seen], bool]


def comes_to(**costs: str) -> When:
    """Recognise a mistake by what some amounts come to; ``_`` stands for a blank in a name."""
    return lambda seen: all(
        seen(name.replace("_", " "), COST) in one.split() for name, one in costs.items()
    )


def of_type(name: str) -> When:
    """Recognise a mistake by the type of what is returned."""
    return lambda seen: seen("one", TYPE) == name


def nothing_for_nothing(seen: Seen) -> bool:
    """Tell whether one row costs what it should, and no row does not."""
    return seen("one", COST) == "2.00" and seen("none", COST) not in ("0", "0.0", "0.00")


def not_in_cents(seen: Seen) -> bool:
    """Tell whether an amount is written with other than two places."""
    found = [seen(one.name, COST) for one in AMOUNTS if seen(one.name, TYPE) == "Decimal"]
    return any(Decimal(one).as_tuple().exponent != -2 for one in found)


exercise = Exercise(
    name="review_cost",
    lesson="09",
    title="Say what looking costs, to the cent",
    defines=("review_cost",),
    takes=("reviews", "minutes", "usd_per_hour"),
    scenarios=(*AMOUNTS, Scenario("many", "More than a thousand rows, 4 minutes each.", many),
               Scenario("drawn", "Rows, minutes and a rate that were drawn, three times.", drawn)),
    mistakes=(
        Mistake(
            "no return",
            "Your function returned nothing, so the line about the run has no figure, and looking "
            "at rows seems to be free. Is a `return` missing at its end?",
            of_type("NoneType"),
        ),
        Mistake(
            "a text",
            "Your function returns a text. It looks like an amount, but whoever adds up two months "
            "of it gets 2.002.00. Return the Decimal itself; a text is made where it is printed.",
            of_type("str"),
        ),
        Mistake(
            "a float",
            "Your function returns a float. Most cents are not exact in it, and whoever adds up a "
            "year of them gets a sum that is in no book. Stay with Decimal to the end: whole "
            "numbers and the rate are exact in it.",
            of_type("float"),
        ),
        Mistake(
            "a whole number",
            "Your function returns a whole number. Whoever reads it cannot tell dollars from "
            "cents, and cents that were cut off are gone. Return a Decimal, `Decimal(\"2.00\")` "
            "for two dollars.",
            of_type("int"),
        ),
        Mistake(
            "places of a float",
            "Decimal refused the operation. Often that is `Decimal(0.01)`: a float has dozens of "
            "places, and `quantize` is told to keep them all. Write the number in quotes, "
            "`Decimal(\"0.01\")`.",
            lambda seen: seen("one", STOPPED) == "ArithmeticError",  # the nearest class that passes
        ),
        Mistake(
            "minutes for hours",
            "One look of 4 minutes costs $120.00 with your code: it takes the 4 minutes for 4 "
            "hours. Whoever plans with that will think that a person is too dear to look. The rate "
            "is for an hour, and an hour has 60 minutes.",
            comes_to(one="120 120.0 120.00"),
        ),
        Mistake(
            "cents for dollars",
            "One look of 4 minutes costs $200 with your code: it counts cents, and the amount is "
            "read as dollars. Whoever plans with that will think that a person is too dear to "
            "look. Leave out the 100; `quantize` takes care of the cents.",
            comes_to(one="200 200.0 200.00"),
        ),
        Mistake(
            "one minute's cost",
            "A look of 4 minutes costs as much as one of 1 minute with your code. Three quarters "
            "of the time that somebody spent are missing from the bill. Multiply by `minutes`.",
            comes_to(one="0.50", minutes="0.42"),
        ),
        Mistake(
            "whole hours only",
            "One look of 4 minutes costs nothing with your code: it counts whole hours, as `//` "
            "does, and 4 minutes make none. Somebody was paid for them all the same. Divide by 60 "
            "with `/`, and round only the amount, at the end.",
            comes_to(one="0 0.0 0.00"),
        ),
        Mistake(
            "billed by the hour",
            "One look of 4 minutes costs a whole hour with your code. Fifteen such rows would fit "
            "into it, so the review looks far dearer than it is. Round only the amount, at the "
            "end.",
            comes_to(one="30 30.0 30.00"),
        ),
        Mistake(
            "hours rounded",
            "4 minutes are 0.0666 of an hour, and your code goes on with 0.07: one look costs "
            "$2.10. Rounded early, the error is multiplied by the rate and ends up in the bill. "
            "Round once, at the end.",
            comes_to(one="2.10 2.1"),
        ),
        Mistake(
            "one row's cost",
            "Seven rows cost as much as one with your code. The more the gateway leaves to people, "
            "the more of their time is missing from the figure. Multiply by `reviews`.",
            comes_to(one="2.00", rows="0.42"),
        ),
        Mistake(
            "a figure of the example",
            "Four minutes at $30 come to the right amount with your code, and other minutes or "
            "another rate do not: a figure of the example stands in it. Whoever puts in their own "
            "figures gets the cost of somebody else's reviews. Use `minutes` and `usd_per_hour`.",
            comes_to(one="2.00", rows="2.00 3.50 11.67 14.00"),
        ),
        Mistake(
            "no row, no amount",
            "With no row to look at, your code does not say that it costs 0.00. A day on which "
            "nobody had to look is the good case, and the line about the run has a wrong figure "
            "or none. The same two steps come to Decimal(\"0.00\") by themselves.",
            nothing_for_nothing,
        ),
        Mistake(
            "dollars or dimes",
            "Seven minutes at $25 come to $2.92, and your code rounds that to whole dollars or to "
            "ten cents. Whoever adds up such amounts is soon off by dollars. Round to the cent: "
            "`Decimal(\"0.01\")`.",
            comes_to(minutes="2.9 2.90 3 3.0 3.00"),
        ),
        Mistake(
            "rate rounded",
            "$25 an hour is 41 cents and two thirds a minute, and your code goes on with 42. Seven "
            "minutes then cost $2.94 instead of $2.92, and every further minute adds to it. Round "
            "once, at the end.",
            comes_to(minutes="2.94"),
        ),
        Mistake(
            "rounded row by row",
            "One minute at $25 costs 41 cents and two thirds. Your code makes 42 of it and takes "
            "that seven times: $2.94 instead of $2.92, and a thousand rows make it dollars. "
            "Multiply first, and round once, at the end.",
            comes_to(rows="2.94", minutes="2.92"),
        ),
        Mistake(
            "not rounded",
            "Seven minutes at $25 come to 2.916 and two dozen digits more with your code. Nobody "
            "can pay that, and two people will write down two different amounts. `quantize(...)` "
            "gives it the places of a cent.",
            lambda seen: str(seen("minutes", COST)).startswith("2.9166"),
        ),
        Mistake(
            "cut off",
            "66 cents and two thirds become 66 with your code: what is left over is cut off, every "
            "time. The review then always looks cheaper than it was. Tell `quantize` how to "
            "round: `rounding=ROUND_HALF_UP`.",
            comes_to(above="0.66"),
        ),
        Mistake(
            "always up",
            "50 cents and a sixth of one become 51 with your code. The review then always looks "
            "dearer than it was. Only half a cent and more goes up: `rounding=ROUND_HALF_UP`.",
            comes_to(below="0.51"),
        ),
        Mistake(
            "rounded twice",
            "50 cents and less than half of one become 51 with your code: it rounds once to more "
            "places, which makes a half of it, and then that half goes up. Whoever checks the "
            "figure finds a cent that nobody earned. Round once, to the cent.",
            comes_to(nearly_half="0.51"),
        ),
        Mistake(
            "cents of the rate dropped",
            "An hour at $39.30 costs as much as one at $39 with your code: the cents of the rate "
            "are lost, as `int(...)` loses them. The review then looks cheaper than it was. "
            "`usd_per_hour` is exact as it is.",
            comes_to(odd_half="0.65", third_half="1.45"),
        ),
        Mistake(
            "half down",
            "Half a cent goes down with your code, in every case. Whoever checks the figure by "
            "hand rounds it up and finds another one. The text asks for `rounding=ROUND_HALF_UP`.",
            comes_to(odd_half="0.65", even_half="0.66", third_half="1.47"),
        ),
        Mistake(
            "half to even",
            "65 cents and a half become 66, and 66 and a half become 66 as well: half a cent goes "
            "to the even neighbour. That is what `round` and `quantize` do if nobody tells them, "
            "and two bills differ by a cent. Write `rounding=ROUND_HALF_UP`.",
            comes_to(odd_half="0.66", even_half="0.66"),
        ),
        Mistake(
            "a float on the way",
            "65 cents and a half become 65 with your code, though it rounds half a cent up "
            "elsewhere. Somewhere on the way stands a float that is a little less than the half: "
            "division of two whole numbers makes one, and so does `float(...)`. Let every step be "
            "Decimal.",
            comes_to(odd_half="0.65"),
        ),
        Mistake(
            "divided too early",
            "9 cents and a half become 9 with your code. It divides by 60 "
            "before it has multiplied all: a thirtieth of an hour has no last digit, so what is "
            "left of it is a little too small. Multiply first, divide then, round at the end.",
            comes_to(early="0.09"),
        ),
        Mistake(
            "not in cents",
            "Not every amount is written in dollars and cents: 2 is not 2.00 on a bill, and nor is "
            "0. Whoever lines them up in a column has to guess at the places. "
            "`quantize(Decimal(\"0.01\"), ...)` gives every amount two.",
            not_in_cents,
        ),
    ),
    hints=(
        "4 minutes at $30 an hour: which part of an hour is that? And at which step does an amount "
        "become dollars and cents?",
        "Multiply rows, minutes and rate; that is exact. Divide by 60, for the rate is for an "
        "hour. Then round once, with `quantize`, and say how half a cent is rounded.",
        "One line for the amount, one for the cents:\n"
        "    cost = reviews * minutes * ... / ...\n"
        "    return cost.quantize(Decimal(\"0.01\"), rounding=...)",
    ),
    solved=(review_cost,),
    why="Whole numbers and a Decimal multiply exactly. What has to be rounded is rounded once, at "
    "the end, and in a way that is written down, so that everybody comes to the same cent.",
)  # fmt: skip
