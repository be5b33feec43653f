"""Answers to lesson 09's exercise."""

import decimal
import math
from decimal import ROUND_DOWN, ROUND_HALF_DOWN, ROUND_HALF_UP, ROUND_UP, Decimal
from fractions import Fraction

from tests.exercises.answering import right, unforeseen, wrong

CENT = Decimal("0.01")


def cents(amount, rounding=ROUND_HALF_UP):
    return amount.quantize(CENT, rounding=rounding)


@wrong("divided too early", "hours first, not rounded")
def review_cost(reviews, minutes, usd_per_hour):
    hours = Decimal(reviews) * Decimal(minutes) / Decimal(60)
    return (hours * usd_per_hour).quantize(Decimal("0.01"), decimal.ROUND_HALF_UP)


@right("the rate of a minute first, not rounded")
def review_cost(rows, per_row, rate):
    rate_per_minute = rate / 60
    total = Decimal("0")
    for _ in range(rows):
        total += per_row * rate_per_minute
    print("total", total)
    return total.quantize(Decimal(".01"), rounding="ROUND_HALF_UP")


@right("whole cents, by integers")
def review_cost(reviews, minutes, usd_per_hour):
    number, places = usd_per_hour.as_integer_ratio()
    doubled = 2 * reviews * minutes * number * 100
    whole = (doubled + 60 * places) // (2 * 60 * places)
    return Decimal(whole) / 100 if whole % 100 and whole % 10 else Decimal(whole).scaleb(-2)


@right("a fraction")
def review_cost(reviews, minutes, usd_per_hour):
    exact = Fraction(usd_per_hour) * reviews * minutes / 60
    return Decimal(math.floor(exact * 100 + Fraction(1, 2))).scaleb(-2)


@right("the context says how")
def review_cost(reviews, minutes, usd_per_hour):
    with decimal.localcontext() as context:
        context.rounding = decimal.ROUND_HALF_UP
        return round(reviews * minutes * usd_per_hour / 60, 2)


@right("few digits, set for good")
def review_cost(reviews, minutes, usd_per_hour):
    decimal.getcontext().prec = 12
    return cents(reviews * minutes * usd_per_hour / Decimal("60"))


right("a lambda")(lambda n, m, usd: cents(n * m * usd / 60))


@wrong("no return")
def review_cost(reviews, minutes, usd_per_hour):
    print(cents(reviews * minutes * usd_per_hour / 60))


@wrong("a text")
def review_cost(reviews, minutes, usd_per_hour):
    return f"{reviews * minutes * usd_per_hour / 60:.2f}"


@wrong("a text", "with a dollar")
def review_cost(reviews, minutes, usd_per_hour):
    return f"${cents(reviews * minutes * usd_per_hour / 60)}"


@wrong("a float")
def review_cost(reviews, minutes, usd_per_hour):
    return round(reviews * minutes * float(usd_per_hour) / 60, 2)


@wrong("a float", "at the end")
def review_cost(reviews, minutes, usd_per_hour):
    return float(cents(reviews * minutes * usd_per_hour / 60))


@wrong("a whole number", "round without places")
def review_cost(reviews, minutes, usd_per_hour):
    return round(reviews * minutes * usd_per_hour / 60)


@wrong("a whole number", "in cents")
def review_cost(reviews, minutes, usd_per_hour):
    return int(100 * cents(reviews * minutes * usd_per_hour / 60))


@wrong("places of a float")
def review_cost(reviews, minutes, usd_per_hour):
    return (reviews * minutes * usd_per_hour / 60).quantize(Decimal(0.01), ROUND_HALF_UP)  # noqa: RUF032


@wrong("minutes for hours")
def review_cost(reviews, minutes, usd_per_hour):
    return cents(reviews * minutes * usd_per_hour)


@wrong("whole hours only")
def review_cost(reviews, minutes, usd_per_hour):
    hours = reviews * minutes // 60
    return cents(hours * usd_per_hour)


@wrong("whole hours only", "rounded to hours")
def review_cost(reviews, minutes, usd_per_hour):
    return cents(round(reviews * minutes / 60) * usd_per_hour)


@wrong("billed by the hour")
def review_cost(reviews, minutes, usd_per_hour):
    return cents(math.ceil(reviews * minutes / 60) * usd_per_hour)


@wrong("hours rounded")
def review_cost(reviews, minutes, usd_per_hour):
    hours = cents(Decimal(reviews * minutes) / 60)
    return cents(hours * usd_per_hour)


@wrong("one row's cost")
def review_cost(reviews, minutes, usd_per_hour):
    return cents(minutes * usd_per_hour / 60) if reviews else cents(Decimal(0))


@wrong("rate rounded")
def review_cost(reviews, minutes, usd_per_hour):
    return reviews * minutes * cents(usd_per_hour / 60)


@wrong("rounded row by row")
def review_cost(reviews, minutes, usd_per_hour):
    return reviews * cents(minutes * usd_per_hour / 60)


@wrong("rounded row by row", "a sum of rounded rows")
def review_cost(reviews, minutes, usd_per_hour):
    return sum((cents(minutes * usd_per_hour / 60) for _ in range(reviews)), Decimal("0.00"))


@wrong("not rounded")
def review_cost(reviews, minutes, usd_per_hour):
    return reviews * minutes * usd_per_hour / 60


@wrong("not rounded", "quantize, and forget what it gave")
def review_cost(reviews, minutes, usd_per_hour):
    cost = reviews * minutes * usd_per_hour / 60
    cost.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
    return cost


@wrong("cut off")
def review_cost(reviews, minutes, usd_per_hour):
    return cents(reviews * minutes * usd_per_hour / 60, ROUND_DOWN)


@wrong("cut off", "by whole cents")
def review_cost(reviews, minutes, usd_per_hour):
    return Decimal(int(reviews * minutes * usd_per_hour * 100 / 60)).scaleb(-2)


@wrong("always up")
def review_cost(reviews, minutes, usd_per_hour):
    return cents(reviews * minutes * usd_per_hour / 60, ROUND_UP)


@wrong("half down")
def review_cost(reviews, minutes, usd_per_hour):
    return cents(reviews * minutes * usd_per_hour / 60, ROUND_HALF_DOWN)


@wrong("half to even", "round")
def review_cost(reviews, minutes, usd_per_hour):
    return round(reviews * minutes * usd_per_hour / 60, 2)


@wrong("half to even", "quantize alone")
def review_cost(reviews, minutes, usd_per_hour):
    return (reviews * minutes * usd_per_hour / 60).quantize(Decimal("0.01"))


@wrong("half to even", "a format")
def review_cost(reviews, minutes, usd_per_hour):
    return Decimal(f"{reviews * minutes * usd_per_hour / 60:.2f}")


@wrong("a float on the way", "the hours")
def review_cost(reviews, minutes, usd_per_hour):
    return cents(Decimal(reviews * minutes / 60) * usd_per_hour)


@wrong("a float on the way", "the hours as a text")
def review_cost(reviews, minutes, usd_per_hour):
    return cents(Decimal(str(reviews * minutes / 60)) * usd_per_hour)


@wrong("a float on the way", "the whole amount")
def review_cost(reviews, minutes, usd_per_hour):
    return cents(Decimal(reviews * minutes * float(usd_per_hour) / 60))


@wrong("a float on the way", "the rate")
def review_cost(reviews, minutes, usd_per_hour):
    return cents(reviews * minutes * Decimal(float(usd_per_hour)) / 60)


@wrong("a float on the way", "round, then a text")
def review_cost(reviews, minutes, usd_per_hour):
    return cents(Decimal(str(round(reviews * minutes * float(usd_per_hour) / 60, 2))))


@wrong("not in cents", "without the zeros")
def review_cost(reviews, minutes, usd_per_hour):
    return cents(reviews * minutes * usd_per_hour / 60).normalize()


@wrong("not in cents", "nothing costs 0")
def review_cost(reviews, minutes, usd_per_hour):
    if not reviews:
        return Decimal(0)
    return cents(reviews * minutes * usd_per_hour / 60)


@wrong("not in cents", "a thousandth")
def review_cost(reviews, minutes, usd_per_hour):
    cost = cents(reviews * minutes * usd_per_hour / 60)
    return cost.quantize(Decimal("0.001"))


@wrong("a figure of the example", "two dollars, whatever happened")
def review_cost(reviews, minutes, usd_per_hour):
    return Decimal("2.00")


@unforeseen("a sum for a product")
def review_cost(reviews, minutes, usd_per_hour):
    return cents((reviews + minutes) * usd_per_hour / 60)


@unforeseen("an hour of 3600 minutes")
def review_cost(reviews, minutes, usd_per_hour):
    return cents(reviews * minutes * usd_per_hour / 3600)


@unforeseen("a float times a Decimal")
def review_cost(reviews, minutes, usd_per_hour):
    return cents(reviews * (minutes / 60) * usd_per_hour)


@unforeseen("a name that was not brought")
def review_cost(reviews, minutes, usd_per_hour):
    return (reviews * minutes * usd_per_hour / 60).quantize(CENTS, rounding=ROUND_HALF_UP)  # noqa: F821


@wrong("no row, no amount", "refuses no rows")
def review_cost(reviews, minutes, usd_per_hour):
    if reviews == 0:
        raise ValueError("nothing to pay")
    return cents(reviews * minutes * usd_per_hour / 60)


@unforeseen("a fraction")
def review_cost(reviews, minutes, usd_per_hour):
    return Fraction(usd_per_hour) * reviews * minutes / 60


@right("the context says how to round")
def review_cost(reviews, minutes, usd_per_hour):
    with decimal.localcontext() as context:
        context.rounding = ROUND_HALF_UP
        return round(reviews * minutes * usd_per_hour / 60, 2)


@wrong("rounded twice")
def review_cost(reviews, minutes, usd_per_hour):
    return cents((reviews * minutes * usd_per_hour / 60).quantize(Decimal("0.001"), ROUND_HALF_UP))


@wrong("cents for dollars")
def review_cost(reviews, minutes, usd_per_hour):
    return cents(reviews * minutes * usd_per_hour * 100 / 60)


@wrong("one minute's cost")
def review_cost(reviews, minutes, usd_per_hour):
    return cents(reviews * usd_per_hour / 60)


@wrong("a figure of the example", "4 minutes, whatever was measured")
def review_cost(reviews, minutes, usd_per_hour):
    return cents(reviews * 4 * usd_per_hour / 60)


@wrong("a figure of the example", "$30, whatever is paid")
def review_cost(reviews, minutes, usd_per_hour):
    return cents(reviews * minutes * Decimal(30) / 60)


@wrong("a figure of the example", "$2 a row")
def review_cost(reviews, minutes, usd_per_hour):
    return Decimal("2.00") * reviews


@wrong("no row, no amount", "None")
def review_cost(reviews, minutes, usd_per_hour):
    if reviews:
        return cents(reviews * minutes * usd_per_hour / 60)


@wrong("no row, no amount", "never less than one row")
def review_cost(reviews, minutes, usd_per_hour):
    return cents(max(reviews, 1) * minutes * usd_per_hour / 60)


@wrong("dollars or dimes", "dollars")
def review_cost(reviews, minutes, usd_per_hour):
    return (reviews * minutes * usd_per_hour / 60).quantize(Decimal("1"), ROUND_HALF_UP)


@wrong("dollars or dimes", "ten cents")
def review_cost(reviews, minutes, usd_per_hour):
    return (reviews * minutes * usd_per_hour / 60).quantize(Decimal("0.1"), ROUND_HALF_UP)


@wrong("cents of the rate dropped")
def review_cost(reviews, minutes, usd_per_hour):
    return cents(Decimal(reviews * minutes * int(usd_per_hour)) / 60)
