# lesson: 07
# verdict: FAILED
# shows: The table of verdicts does not hold what the exercise asks for.
from lab.gateway import VERDICTS


def on_found(action, row, readback, ledger, provider):
    return VERDICTS[Verdict.FOUND](action, row, readback, ledger, provider)
