"""Answers to lesson 02's first exercise."""

import re
import string

from lab.gateway import UnsafeKey, check_key, holds_card_number
from tests.exercises.answering import right, wrong

ALLOWED = set(string.ascii_letters + string.digits + "._-")


@right("the parts one by one, with a set of signs")
def action_key(*parts):
    for part in parts:
        if not isinstance(part, str) or not part or set(part) - ALLOWED:
            raise UnsafeKey(f"{part!r} is no part of a key")
    return check_key(":".join(parts))


@right("a comprehension; a colon and an empty part, and check_key for the rest")
def action_key(*names):
    bad = [name for name in names if type(name) is not str or ":" in name or name == ""]
    if bad:
        print("refused:", bad)
        raise UnsafeKey(str(bad))
    return check_key(":".join(names))


def checked(part):
    if ":" in check_key(part):
        raise UnsafeKey("a colon joins the parts, and stands in none")
    return part


right("a helper and a lambda")(lambda *parts: check_key(":".join(map(checked, parts))))


class NoPart(UnsafeKey):
    """An error of one's own."""


@right("an error of one's own, of the asked kind; exceptions in place of conditions")
def action_key(*parts):
    try:
        joined = ":".join(parts)
        if any(re.search(r"[^A-Za-z0-9._-]|^$", part) for part in parts):
            raise NoPart("unsafe part")
    except TypeError as error:
        raise NoPart("no text") from error
    return check_key(joined)


@right("without check_key, all of it by hand")
def action_key(first="", *others):
    parts = (first, *others)
    if not all(isinstance(p, str) and re.fullmatch(r"[-\w.]+", p, re.ASCII) for p in parts):
        raise UnsafeKey("parts are letters, digits and . _ -")
    key = ":".join(parts)
    if len(key) > 200 or holds_card_number(key):
        raise UnsafeKey("not this one")
    return key


@right("a word character may be of any alphabet, and check_key refuses it then")
def action_key(*parts):
    for part in parts:
        if not (isinstance(part, str) and re.match(r"^[\w.-]+$", part)):
            raise UnsafeKey(part)
    return check_key(":".join(parts))


@wrong("nothing refused")
def action_key(*parts):
    return ":".join(parts)


@wrong("nothing refused", "as text, whatever it is")
def action_key(*parts):
    return ":".join(str(part) for part in parts)


@wrong("nothing refused", "the beginning of each part is looked at")
def action_key(*parts):
    for part in parts:
        if not re.match(r"[A-Za-z0-9._-]+", part):
            raise UnsafeKey(part)
    return ":".join(parts)


@wrong("checked after joining")
def action_key(*parts):
    return check_key(":".join(parts))


@wrong("checked after joining", "with a text made of each part")
def action_key(*parts):
    return check_key(":".join(map(str, parts)))


@wrong("colon in a part")
def action_key(*parts):
    for part in parts:
        check_key(part)
    return check_key(":".join(parts))


@wrong("colon in a part", "match without an end")
def action_key(*parts):
    for part in parts:
        if not isinstance(part, str) or not re.match(r"[A-Za-z0-9._-]+", part):
            raise UnsafeKey(part)
    return check_key(":".join(parts))


@wrong("empty part")
def action_key(*parts):
    for part in parts:
        if not isinstance(part, str) or not re.fullmatch(r"[A-Za-z0-9._-]*", part):
            raise UnsafeKey(part)
    return check_key(":".join(parts))


@wrong("empty part", "the colon alone is looked for")
def action_key(*parts):
    if any(":" in part for part in parts):
        raise UnsafeKey("a colon")
    return check_key(":".join(parts))


@wrong("a missing part is dropped")
def action_key(*parts):
    kept = [part for part in parts if part]
    for part in kept:
        if not isinstance(part, str) or not re.fullmatch(r"[A-Za-z0-9._-]+", part):
            raise UnsafeKey(part)
    return check_key(":".join(kept))


@wrong("no part")
def action_key(*parts):
    for part in parts:
        if not isinstance(part, str) or not re.fullmatch(r"[A-Za-z0-9._-]+", part):
            raise UnsafeKey(part)
    return ":".join(parts)


@wrong("stops at what is not text")
def action_key(*parts):
    for part in parts:
        if not re.fullmatch(r"[A-Za-z0-9._-]+", part):
            raise UnsafeKey(part)
    return check_key(":".join(parts))


@wrong("stops at what is not text", "a method of texts")
def action_key(*parts):
    for part in parts:
        if not part.isascii() or not part or ":" in part:
            raise UnsafeKey(part)
    return check_key(":".join(parts))


@wrong("text made of anything")
def action_key(*parts):
    texts = [f"{part}" for part in parts]
    for text in texts:
        if not re.fullmatch(r"[A-Za-z0-9._-]+", text):
            raise UnsafeKey(text)
    return check_key(":".join(texts))


@wrong("any alphabet")
def action_key(*parts):
    for part in parts:
        if not isinstance(part, str) or not re.fullmatch(r"[\w.-]+", part):
            raise UnsafeKey(part)
    key = ":".join(parts)
    if not 0 < len(key) <= 200 or holds_card_number(key):
        raise UnsafeKey(key)
    return key


@wrong("any alphabet", "isalnum, sign by sign")
def action_key(*parts):
    if not parts:
        raise UnsafeKey("no part")
    for part in parts:
        if type(part) is not str or not part or not all(c.isalnum() or c in "._-" for c in part):
            raise UnsafeKey(part)
    return ":".join(parts)


@wrong("end of a line")
def action_key(*parts):
    for part in parts:
        if not isinstance(part, str) or not re.match(r"^[A-Za-z0-9._-]+$", part):
            raise UnsafeKey(part)
    if not parts:
        raise UnsafeKey("no part")
    return ":".join(parts)


@wrong("other signs")
def action_key(*parts):
    for part in parts:
        if not isinstance(part, str) or not part or ":" in part:
            raise UnsafeKey(part)
    if not parts:
        raise UnsafeKey("no part")
    return ":".join(parts)


@wrong("card number")
def action_key(*parts):
    for part in parts:
        if not isinstance(part, str) or not re.fullmatch(r"[A-Za-z0-9._-]+", part):
            raise UnsafeKey(part)
    if not parts or len(":".join(parts)) > 200:
        raise UnsafeKey("none, or too long")
    return ":".join(parts)
