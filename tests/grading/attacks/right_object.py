# lesson: 07
# verdict: PASSED
# shows: An object that can be called is as good as a function.


class OnFound:
    def __call__(self, action, row, readback, ledger, provider):
        if not provider.contract.keeps_reference and ledger.has_twin(row):
            return on_doubt(action, row, readback, ledger, provider)
        settled = ledger.settle(row=row, receipt=readback.receipt, evidence="readback")
        return Outcome.of(settled, "reconciled")


on_found = OnFound()
