# lesson: 04
# verdict: PASSED
# shows: A statement that is put together from names is a style.


class Ledger(Ledger):
    def find(self, action):
        known = self._all("SELECT payload_hash FROM actions WHERE key = ?", action.key)
        match known:
            case []:
                return None
            case [(digest,)] if digest == action.hash:
                return self.get(action.key)
        raise KeyReused(action.key)

    def prepare(self, action):
        held = {
            "key": action.key,
            "kind": action.kind,
            "payload_hash": action.hash,
            "updated_at": self.clock(),
            "actor": self.actor,
        }
        marks = ", ".join("?" for _ in held)
        sql = f"INSERT OR IGNORE INTO actions ({', '.join(held)}) VALUES ({marks})"
        self._write(sql, tuple(held.values()))
        return self.find(action)
