# Is a file of Python all right, too?


def payload_hash(kind: str, payload: Any) -> str:
    """Return the SHA-256, in hex, of the canonical JSON of kind and payload together.

    Raises:
        UncanonicalPayload: see `canonical_json`.
    """
    both = {"payload": payload, "kind": kind}
    written = canonical_json(both)
    return hashlib.sha256(written.encode("utf-8")).hexdigest()
