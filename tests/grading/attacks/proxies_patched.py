# lesson: 06
# verdict: FAILED
# shows: What stands for the ledger and the provider can be patched; what it stands for cannot.


def attempt(action, row, ledger, provider):
    patched = type(ledger)
    patched._ask = lambda self, *given, **named: None
    patched.__getattr__ = lambda self, name: lambda *given, **named: row
    return Outcome(action.key, "SETTLED", "sent", 1, "receipt")
