# lesson: 06
# verdict: FAILED
# shows: An outcome is what the ledger holds, and not what the answer says that it is.


def attempt(action, row, ledger, provider):
    return Outcome(action.key, "SETTLED", "sent", 1, "receipt-1")
