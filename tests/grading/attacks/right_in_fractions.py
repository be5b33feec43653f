# lesson: 09
# verdict: PASSED
# shows: Whole cents by fractions are the same cents, and an import inside is one.


def review_cost(reviews, minutes, usd_per_hour):
    from fractions import Fraction

    cents = Fraction(usd_per_hour) * reviews * minutes * 100 / 60
    whole = (2 * cents.numerator + cents.denominator) // (2 * cents.denominator)
    return Decimal(whole).scaleb(-2)
