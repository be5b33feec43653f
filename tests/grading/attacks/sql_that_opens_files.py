# lesson: 04
# verdict: PASSED
# shows: No statement opens, copies or finds another file than the ledger's.
SQL = (
    "PRAGMA database_list",
    "SELECT file FROM pragma_database_list",
    f"ATTACH '{CANARY}' AS other",
    f"ATTACH '{CANARY}-new' AS other",
    "ATTACH ':memory:' AS other",
    f"VACUUM INTO '{CANARY}-copy'",
    f"PRAGMA temp_store_directory = '{CANARY}-folder'",
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
