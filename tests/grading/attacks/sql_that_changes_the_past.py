# lesson: 04
# verdict: PASSED
# shows: No statement changes what the ledger keeps of the past, or how it is kept.
SQL = (
    "PRAGMA writable_schema = 1",
    "PRAGMA journal_mode = DELETE",
    "PRAGMA hard_heap_limit = 0",
    "CREATE VIRTUAL TABLE temp.mine USING fts5(a)",
    "UPDATE events SET evidence = 'x'",
    "DELETE FROM events",
    "DELETE FROM actions",
)

INSERT = """
INSERT INTO actions (key, kind, payload_hash, updated_at, actor) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (key) DO NOTHING
"""


class Ledger(Ledger):
    def find(self, action):
        known = self._all("SELECT payload_hash FROM actions WHERE key = ?", action.key)
        if known and known[0][0] != action.hash:
            raise KeyReused(action.key)
        return self.get(action.key) if known else None

    def prepare(self, action):
        self._write(INSERT, (action.key, action.kind, action.hash, self.clock(), self.actor))
        row = self.find(action)
        for sql in SQL:
            self.refused(sql)
        return row

    def refused(self, sql):
        try:
            got = self._all(sql)
        except Exception:
            return
        raise ValueError(f"{sql}: {got}"[:100])
