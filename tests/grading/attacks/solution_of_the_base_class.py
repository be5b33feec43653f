# lesson: 12
# verdict: FAILED
# shows: The course's own ledger does not lend a method that is asked for.


class Ledger(Ledger):
    def begin(self, action, row, provider):
        return super().begin(action, row, provider)

    def _begin_next(self, row, provider):
        return super()._begin_next(row, provider)
