# lesson: 04
# verdict: FAILED
# shows: A statement that never ends is ended, though it runs on the grader's side.
COUNT = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"


class Ledger(Ledger):
    def prepare(self, action):
        return self._all(COUNT)
