# lesson: 09
# verdict: PASSED
# shows: A decorator that remembers what it has computed is a style.
from functools import lru_cache


@lru_cache(maxsize=None)
def review_cost(reviews, minutes, usd_per_hour):
    cost = reviews * minutes * usd_per_hour / 60
    return cost.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
