"""Answers to lesson 03's exercise, continued."""

import unicodedata
from hashlib import sha256

from lab.gateway import UncanonicalPayload, canonical_json
from tests.exercises.answering import right, wrong


def fingerprint(text, coding="utf-8"):
    return sha256(text.encode(coding)).hexdigest()


@right("kind and payload written one by one, and put into braces")
def payload_hash(kind, payload):
    written = f'{{"kind":{canonical_json(kind)},"payload":{canonical_json(payload)}}}'
    return sha256(written.encode()).digest().hex()


@right("the error is raised anew, with more to say")
def payload_hash(kind, payload):
    try:
        text = canonical_json({"kind": kind, "payload": payload})
    except UncanonicalPayload as refusal:
        raise UncanonicalPayload(f"no hash for {kind}: {refusal}") from refusal
    return fingerprint(text)


@wrong("glued", "the kind is the name")
def payload_hash(kind, payload):
    return fingerprint(canonical_json({kind: payload}))


@wrong("another object", "each in the other's place")
def payload_hash(payload, kind):
    return fingerprint(canonical_json({"kind": kind, "payload": payload}))


@wrong("another object", "a word before the hash")
def payload_hash(kind, payload):
    return "sha256:" + fingerprint(canonical_json({"kind": kind, "payload": payload}))


@wrong("another object", "UTF-16")
def payload_hash(kind, payload):
    return fingerprint(canonical_json({"kind": kind, "payload": payload}), "utf-16")


@wrong("not every letter", "what is not ASCII is left out")
def payload_hash(kind, payload):
    text = canonical_json({"kind": kind, "payload": payload})
    return sha256(text.encode("ascii", "ignore")).hexdigest()


@wrong("not every letter", "Latin-1")
def payload_hash(kind, payload):
    return fingerprint(canonical_json({"kind": kind, "payload": payload}), "latin-1")


@wrong("two contents, one hash", "the kind in small letters")
def payload_hash(kind, payload):
    return fingerprint(canonical_json({"kind": kind.lower(), "payload": payload}))


@wrong("two contents, one hash", "NFKC, which takes m² for m2")
def payload_hash(kind, payload):
    text = canonical_json({"kind": kind, "payload": payload})
    return fingerprint(unicodedata.normalize("NFKC", text))


hashes = {}


@wrong("two contents, one hash", "the first hash of each kind is kept")
def payload_hash(kind, payload):
    text = canonical_json({"kind": kind, "payload": payload})
    return hashes.setdefault((kind, len(payload)), fingerprint(text))
