"""Answers to lesson 03's exercise."""

import hashlib
import json
import unicodedata
from hashlib import sha256

from lab.gateway import UncanonicalPayload, canonical, canonical_json
from tests.exercises.answering import right, unforeseen, wrong


@right("update, in several lines")
def payload_hash(kind, payload):
    both = {"payload": payload}
    both["kind"] = kind
    machine = hashlib.sha256()
    machine.update(canonical_json(both).encode("utf-8"))
    return machine.hexdigest()


right("a lambda")(
    lambda kind, content: sha256(
        canonical_json({"payload": content, "kind": kind}).encode()
    ).hexdigest()
)


@right("from the plain data, written by hand, and a print")
def payload_hash(kind, payload):
    plain = canonical({"kind": kind, "payload": payload})
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    print("hashed:", text)
    return hashlib.new("sha256", text.encode()).hexdigest()


@right("bytes made into hex")
def payload_hash(kind, payload, *, algorithm=sha256):
    text = canonical_json({"kind": kind, "payload": payload})
    return algorithm(bytes(text, "utf-8")).digest().hex()


def fingerprint(text):
    return "".join(f"{byte:02x}" for byte in sha256(text.encode()).digest())


@right("a helper, and the error passed on by hand")
def payload_hash(what, held):
    try:
        text = canonical_json({"kind": what, "payload": held})
    except UncanonicalPayload as error:
        raise UncanonicalPayload(f"{what}: {error}") from error
    return fingerprint(text)


@right("the two parts are written by themselves, and put together as JSON does")
def payload_hash(kind, payload):
    text = '{"kind":' + canonical_json(kind) + ',"payload":' + canonical_json(payload) + "}"
    return fingerprint(text)


@wrong("kind left out")
def payload_hash(kind, payload):
    return sha256(canonical_json(payload).encode()).hexdigest()


@wrong("kind left out", "json.dumps of the payload")
def payload_hash(kind, payload):
    return sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()


@wrong("kind left out", "the word, not what it stands for")
def payload_hash(kind, payload):
    return sha256(canonical_json({"kind": "kind", "payload": payload}).encode()).hexdigest()


@wrong("order of the names")
def payload_hash(kind, payload):
    return sha256(json.dumps({"kind": kind, "payload": payload}).encode()).hexdigest()


@wrong("order of the names", "Python's own writing")
def payload_hash(kind, payload):
    return sha256(str({"kind": kind, "payload": payload}).encode()).hexdigest()


@wrong("order of the names", "the outer ones are sorted")
def payload_hash(kind, payload):
    both = {"kind": kind, "payload": dict(sorted(payload.items(), key=str))}
    text = json.dumps(both, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode()).hexdigest()


@wrong("Python's own writing")
def payload_hash(kind, payload):
    return sha256(str(canonical({"kind": kind, "payload": in_order(payload)})).encode()).hexdigest()


def in_order(value):
    if isinstance(value, dict):
        return {name: in_order(value[name]) for name in sorted(value, key=str)}
    return [in_order(item) for item in value] if isinstance(value, list) else value


@wrong("a text inside")
def payload_hash(kind, payload):
    written = canonical_json(payload)
    return sha256(canonical_json({"kind": kind, "payload": written}).encode()).hexdigest()


@wrong("glued")
def payload_hash(kind, payload):
    return sha256((kind + canonical_json(payload)).encode()).hexdigest()


@wrong("glued", "joined by a sign")
def payload_hash(kind, payload):
    return sha256(f"{kind}:{canonical_json(payload)}".encode()).hexdigest()


@wrong("glued", "one after the other")
def payload_hash(kind, payload):
    machine = sha256(kind.encode())
    machine.update(canonical_json(payload).encode())
    return machine.hexdigest()


@wrong("glued", "a list")
def payload_hash(kind, payload):
    return fingerprint(canonical_json((kind, payload)))


@wrong("glued", "mixed")
def payload_hash(kind, payload):
    return fingerprint(canonical_json({**payload, "kind": kind}))


@wrong("another algorithm")
def payload_hash(kind, payload):
    text = canonical_json({"kind": kind, "payload": payload})
    return hashlib.sha1(text.encode()).hexdigest()


@wrong("another algorithm", "MD5")
def payload_hash(kind, payload):
    return hashlib.md5(canonical_json({"kind": kind, "payload": payload}).encode()).hexdigest()


@wrong("another algorithm", "SHA-512")
def payload_hash(kind, payload):
    return hashlib.sha512(canonical_json({"kind": kind, "payload": payload}).encode()).hexdigest()


@wrong("another algorithm", "cut off")
def payload_hash(kind, payload):
    return fingerprint(canonical_json({"kind": kind, "payload": payload}))[:12]


@wrong("another algorithm", "in capitals")
def payload_hash(kind, payload):
    return fingerprint(canonical_json({"kind": kind, "payload": payload})).upper()


@wrong("another hash each time")
def payload_hash(kind, payload):
    return f"{hash(canonical_json({'kind': kind, 'payload': payload})):064x}"


@wrong("no text", "an object")
def payload_hash(kind, payload):
    return sha256(canonical_json({"kind": kind, "payload": payload}).encode())


@wrong("no text", "bytes")
def payload_hash(kind, payload):
    return sha256(canonical_json({"kind": kind, "payload": payload}).encode()).digest()


@wrong("no text", "a number")
def payload_hash(kind, payload):
    return int(fingerprint(canonical_json({"kind": kind, "payload": payload})), 16)


@wrong("not normalised")
def payload_hash(kind, payload):
    text = json.dumps(
        {"kind": kind, "payload": payload}, sort_keys=True, separators=(",", ":"),
        ensure_ascii=False,
    )  # fmt: skip
    return fingerprint(text)


@wrong("not normalised", "default spelling")
def payload_hash(kind, payload):
    return fingerprint(json.dumps({"kind": kind, "payload": payload}, sort_keys=True))


def dumped(value, **style):
    return json.dumps(
        value, **{"sort_keys": True, "separators": (",", ":"), "ensure_ascii": False, **style}
    )


@wrong("floats hashed")
def payload_hash(kind, payload):
    text = dumped({"kind": kind, "payload": payload})
    return fingerprint(unicodedata.normalize("NFC", text))


def amounts_as_text(value):
    if isinstance(value, dict):
        return {name: amounts_as_text(item) for name, item in value.items()}
    if isinstance(value, list):
        return [amounts_as_text(item) for item in value]
    return str(value) if isinstance(value, float) else value


@wrong("floats hashed", "as text")
def payload_hash(kind, payload):
    return fingerprint(canonical_json({"kind": kind, "payload": amounts_as_text(payload)}))


@wrong("half a character")
def payload_hash(kind, payload):
    def clean(value):
        if isinstance(value, dict):
            return {name: clean(item) for name, item in value.items()}
        return value.encode(errors="ignore").decode() if isinstance(value, str) else value

    return fingerprint(canonical_json({"kind": kind, "payload": clean(payload)}))


@wrong("names made into text")
def payload_hash(kind, payload):
    payload = {str(name): value for name, value in payload.items()}
    return fingerprint(canonical_json({"kind": kind, "payload": payload}))


@wrong("names made into text", "normalised before")
def payload_hash(kind, payload):
    nfc = {
        unicodedata.normalize("NFC", name) if isinstance(name, str) else name: value
        for name, value in payload.items()
    }
    return fingerprint(canonical_json({"kind": kind, "payload": nfc}))


@wrong("anything hashed")
def payload_hash(kind, payload):
    payload = {n: list(v) if isinstance(v, (set, frozenset)) else v for n, v in payload.items()}
    return fingerprint(canonical_json({"kind": kind, "payload": payload}))


@wrong("anything hashed", "bytes read as text")
def payload_hash(kind, payload):
    payload = {n: v.decode() if isinstance(v, bytes) else v for n, v in payload.items()}
    return fingerprint(canonical_json({"kind": kind, "payload": payload}))


@wrong("another error")
def payload_hash(kind, payload):
    try:
        text = canonical_json({"kind": kind, "payload": payload})
    except UncanonicalPayload as error:
        raise RuntimeError("bad payload") from error
    return fingerprint(text)


@wrong("another error", "ValueError")
def payload_hash(kind, payload):
    try:
        return fingerprint(canonical_json({"kind": kind, "payload": payload}))
    except UncanonicalPayload as error:
        raise ValueError(str(error)) from None


@wrong("refused without an error")
def payload_hash(kind, payload):
    try:
        return fingerprint(canonical_json({"kind": kind, "payload": payload}))
    except UncanonicalPayload:
        return None


@wrong("refused without an error", "an empty text")
def payload_hash(kind, payload):
    try:
        text = canonical_json({"kind": kind, "payload": payload})
    except ValueError as error:
        print(error)
        return ""
    return fingerprint(text)


@wrong("floats hashed", "where it cannot be written, Python's own writing")
def payload_hash(kind, payload):
    try:
        return fingerprint(canonical_json({"kind": kind, "payload": payload}))
    except UncanonicalPayload:
        return fingerprint(repr(payload))


@wrong("another spelling")
def payload_hash(kind, payload):
    return fingerprint(json.dumps(canonical({"kind": kind, "payload": payload}), sort_keys=True))


@wrong("another spelling", "other signs for letters")
def payload_hash(kind, payload):
    plain = canonical({"kind": kind, "payload": payload})
    return fingerprint(dumped(plain, ensure_ascii=True))


@wrong("another spelling", "blanks")
def payload_hash(kind, payload):
    plain = canonical({"kind": kind, "payload": payload})
    return fingerprint(dumped(plain, separators=(", ", ": ")))


def sorted_lists(value):
    if isinstance(value, dict):
        return {name: sorted_lists(item) for name, item in value.items()}
    return sorted(value, key=str) if isinstance(value, list) else value


@wrong("two contents, one hash", "lists are sorted")
def payload_hash(kind, payload):
    return fingerprint(canonical_json({"kind": kind, "payload": sorted_lists(payload)}))


@wrong("two contents, one hash", "in small letters")
def payload_hash(kind, payload):
    text = canonical_json({"kind": kind, "payload": payload})
    return fingerprint(text.replace("Hello", "hello"))


@wrong("two contents, one hash", "empty ones are dropped")
def payload_hash(kind, payload):
    kept = {name: value for name, value in payload.items() if value is not None}
    return fingerprint(canonical_json({"kind": kind, "payload": kept}))


@wrong("two contents, one hash", "the names alone")
def payload_hash(kind, payload):
    canonical_json(payload)
    return fingerprint(canonical_json({"kind": kind, "payload": sorted(payload)}))


@wrong("no return")
def payload_hash(kind, payload):
    text = canonical_json({"kind": kind, "payload": payload})
    hashlib.sha256(text.encode()).hexdigest()


@wrong("no return", "printed")
def payload_hash(kind, payload):
    print(fingerprint(canonical_json({"kind": kind, "payload": payload})))


@wrong("another object", "other names")
def payload_hash(kind, payload):
    return fingerprint(canonical_json({"type": kind, "data": payload}))


@wrong("another object", "the text itself")
def payload_hash(kind, payload):
    return canonical_json({"kind": kind, "payload": payload})


@unforeseen("a text is no bytes")
def payload_hash(kind, payload):
    return hashlib.sha256(canonical_json({"kind": kind, "payload": payload})).hexdigest()


@unforeseen("a set of names and values")
def payload_hash(kind, payload):
    return fingerprint(canonical_json({kind, payload}))


@wrong("another object", "hashed twice")
def payload_hash(kind, payload):
    return fingerprint(fingerprint(canonical_json({"kind": kind, "payload": payload})))
