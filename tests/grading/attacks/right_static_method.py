# lesson: 03
# verdict: PASSED
# shows: A static method under the name that is asked for is a function.
import hashlib


class Hasher:
    @staticmethod
    def of(kind, payload):
        digest = hashlib.new("sha256")
        digest.update(canonical_json({"kind": kind, "payload": payload}).encode())
        return digest.hexdigest()


payload_hash = Hasher.of
