# lesson: 04
# verdict: PASSED
# shows: A statement reads and changes rows, and does nothing else.
SQL = (
    # No statement changes what the ledger keeps of the past, or how it is kept.
    "PRAGMA writable_schema = 1",
    "PRAGMA journal_mode = DELETE",
    "PRAGMA hard_heap_limit = 0",
    "CREATE VIRTUAL TABLE temp.mine USING fts5(a)",
    "UPDATE events SET evidence = 'x'",
    "DELETE FROM events",
    "DELETE FROM actions",
    # No statement takes away what guards the ledger.
    "DROP TRIGGER keep_actions",
    "DROP TRIGGER freeze_events",
    "DROP TABLE events",
    # No statement opens, copies or finds another file than the ledger's.
    "PRAGMA database_list",
    "SELECT file FROM pragma_database_list",
    f"ATTACH '{CANARY}' AS other",
    f"ATTACH '{CANARY}-new' AS other",
    "ATTACH ':memory:' AS other",
    f"VACUUM INTO '{CANARY}-copy'",
    f"PRAGMA temp_store_directory = '{CANARY}-folder'",
    # Functions of SQLite that load programs, read files or make huge values are not there.
    "SELECT load_extension('/x')",
    "SELECT readfile('/etc/passwd')",
    "SELECT printf('%.*c', 100000000, 'a')",
    "SELECT format('%*d', 100000000, 1)",
    "SELECT zeroblob(90000000)",
    "SELECT hex(zeroblob(40000000))",
    "SELECT replace(hex(zeroblob(5000)), '0', hex(zeroblob(5000)))",
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
