# lesson: 06
# verdict: FAILED
# shows: A hundred thousand requests are answered up to a limit, and the grader goes on.


def attempt(action, row, ledger, provider):
    for _ in range(100_000):
        try:
            provider.perform(action, 1)
        except Exception:
            pass
    return None
