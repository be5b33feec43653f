"""Command lines of ``review`` that are refused: by the evidence, or because they make no sense.

They are about three actions: one SETTLED, one UNKNOWN, one in REVIEW. ``{json}`` is the file of
the last.
"""

KEYS = ("welcome:lead-201:v1", "welcome:lead-202:v1", "welcome:lead-203:v1")
SETTLED_KEY, UNKNOWN_KEY, REVIEW_KEY = KEYS
ADA = ("--actor", "ada", "--because", "seen in the list")

REFUSED = {
    "not in review": (UNKNOWN_KEY, "--close", *ADA),
    "settled": (SETTLED_KEY, "--receipt", "x", *ADA),
    "another's receipt": (REVIEW_KEY, "--receipt", "readable-1", *ADA),
    "no receipt": (REVIEW_KEY, "--receipt", "", *ADA),
    "no actor": (REVIEW_KEY, "--close", "--actor", " ", "--because", "x"),
    "no grounds": (REVIEW_KEY, "--close", "--actor", "ada", "--because", " "),
    "no note": (REVIEW_KEY, "--note", " ", "--actor", "ada"),
    "minutes below 0": (REVIEW_KEY, "--minutes", "-1", "--actor", "ada"),
    "minutes without end": (REVIEW_KEY, "--minutes", "Infinity", "--actor", "ada"),
    "minutes that are none": (REVIEW_KEY, "--minutes", "nan", "--actor", "ada"),
    "an unknown key": ("welcome:nobody", "--close", *ADA),
    "another provider": (REVIEW_KEY, "--approve", *ADA, "--seen-at", "now", "--contract", "keyed"),
}

WRONG_USE = {
    "two decisions": (REVIEW_KEY, "--close", "--approve", *ADA, "--seen-at", "now"),
    "no actor": (REVIEW_KEY, "--close", "--because", "x"),
    "no grounds": (REVIEW_KEY, "--receipt", "x", "--actor", "ada"),
    "nobody looked": (REVIEW_KEY, "--approve", *ADA),
    "nobody to ask": (REVIEW_KEY, "--recheck", "action.json", "--actor", "ada"),
    "no decision": (REVIEW_KEY, *ADA),
    "of another decision": (REVIEW_KEY, "--close", *ADA, "--accept-risk"),
    "an incident without minutes": (REVIEW_KEY, "--close", *ADA, "--incident"),
    "no time": (REVIEW_KEY, "--approve", *ADA, "--seen-at", "yesterday"),
    "a time without a zone": (REVIEW_KEY, "--approve", *ADA, "--seen-at", "2026-09-01T12:00:00"),
    "no number": (REVIEW_KEY, "--minutes", "four", "--actor", "ada"),
    "no such contract": (REVIEW_KEY, "--approve", *ADA, "--seen-at", "now", "--contract", "x"),
    "no file": (REVIEW_KEY, "--recheck", "no.json", "--provider", "p", "--actor", "ada"),
    "no address": (
        REVIEW_KEY,
        "--recheck",
        "{json}",
        "--provider",
        "http://127.0.0.1:y",
        "--actor",
        "a",
    ),
    "another machine": (REVIEW_KEY, "--recheck", "{json}", "--provider", "http://x", *ADA[:2]),
    "no http": (REVIEW_KEY, "--recheck", "{json}", "--provider", "ftp://x", "--actor", "ada"),
    "no provider": (REVIEW_KEY, "--recheck", "{json}", "--provider", "no.db", "--actor", "ada"),
    "no ledger's key": (UNKNOWN_KEY, "--recheck", "{json}", "--provider", "no.db", "--actor", "a"),
}
