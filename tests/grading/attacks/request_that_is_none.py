# lesson: 06
# verdict: FAILED
# shows: A request that is no request is an error of the answer's own, and no more.


def attempt(action, row, ledger, provider):
    ledger._step('{"of": "ledger", "do": NaN, "values": [' + "[" * 100_000)
    return None
