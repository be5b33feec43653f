"""Answers to lesson 02's first exercise, continued."""

import re
import unicodedata
from uuid import uuid4

from lab.gateway import UnsafeKey, check_key, holds_card_number
from tests.exercises.answering import unforeseen, wrong


def checked(part):
    if ":" in check_key(part):
        raise UnsafeKey("a colon joins the parts, and stands in none")
    return part


@wrong("card number in the joined key")
def action_key(*parts):
    for part in parts:
        if not isinstance(part, str) or ":" in part:
            raise UnsafeKey(part)
        check_key(part)
    if not parts:
        raise UnsafeKey("no part")
    return ":".join(parts)


@wrong("too long")
def action_key(*parts):
    for part in parts:
        if not isinstance(part, str) or not re.fullmatch(r"[A-Za-z0-9._-]+", part):
            raise UnsafeKey(part)
    key = ":".join(parts)
    if not key or holds_card_number(key):
        raise UnsafeKey(key)
    return key


@wrong("mended")
def action_key(*parts):
    return check_key(":".join(re.sub(r"[^A-Za-z0-9._-]", "-", part) for part in parts))


@wrong("mended", "the colon is dropped")
def action_key(*parts):
    return check_key(":".join(part.replace(":", "") for part in parts))


@wrong("mended", "taken apart")
def action_key(*parts):
    return check_key(":".join(part.split(":")[0].strip() for part in parts))


@wrong("refused without an error")
def action_key(*parts):
    for part in parts:
        if not isinstance(part, str) or not re.fullmatch(r"[A-Za-z0-9._-]+", part):
            return None
    return check_key(":".join(parts))


@wrong("refused without an error", "printed")
def action_key(*parts):
    for part in parts:
        if not isinstance(part, str) or not re.fullmatch(r"[A-Za-z0-9._-]+", part):
            print("unsafe:", part)
            return ""
    return check_key(":".join(parts))


@wrong("refused without an error", "the error is returned, not raised... as False")
def action_key(*parts):
    try:
        return check_key(":".join(parts)) if all(map(checked, parts)) else False
    except UnsafeKey:
        return False


@wrong("another error")
def action_key(*parts):
    for part in parts:
        if not isinstance(part, str) or not re.fullmatch(r"[A-Za-z0-9._-]+", part):
            raise ValueError(f"unsafe part: {part}")
    return check_key(":".join(parts))


@wrong("another error", "whichever error")
def action_key(*parts):
    if not parts or not all(re.fullmatch(r"[A-Za-z0-9._-]+", str(part)) for part in parts):
        raise Exception("unsafe")
    return check_key(":".join(parts))


@wrong("another form")
def action_key(*parts):
    for part in parts:
        checked(part)
    return check_key("-".join(parts))


@wrong("another form", "a list of the parts")
def action_key(*parts):
    return check_key("_".join(checked(part) for part in parts))


@wrong("another form", "a colon at the end as well")
def action_key(*parts):
    key = ""
    for part in parts:
        key += checked(part) + ":"
    return check_key(key)


@wrong("another key each time")
def action_key(*parts):
    return check_key(":".join([*map(checked, parts), uuid4().hex[:6]]))


@wrong("three parts only")
def action_key(what, whom, version):
    return check_key(":".join(checked(part) for part in (what, whom, version)))


@wrong("refuses what is safe")
def action_key(*parts):
    for part in parts:
        if not isinstance(part, str) or not part.isalnum():
            raise UnsafeKey(part)
    return check_key(":".join(parts))


@wrong("refuses what is safe", "the pattern fits one sign")
def action_key(*parts):
    for part in parts:
        if not isinstance(part, str) or not re.fullmatch(r"[A-Za-z0-9._-]", part):
            raise UnsafeKey(part)
    return check_key(":".join(parts))


@wrong("written otherwise", "in small letters")
def action_key(*parts):
    return check_key(":".join(checked(part).lower() for part in parts))


@wrong("another form", "in order of the alphabet")
def action_key(*parts):
    return check_key(":".join(sorted(map(checked, parts))))


@wrong("written otherwise", "the version goes last")
def action_key(*parts):
    names = [part for part in map(checked, parts) if part != "v1"]
    return check_key(":".join([*names, *(part for part in parts if part == "v1")]))


@wrong("written otherwise", "each part once")
def action_key(*parts):
    return check_key(":".join(dict.fromkeys(map(checked, parts))))


@wrong("no return")
def action_key(*parts):
    for part in parts:
        checked(part)
    check_key(":".join(parts))


@wrong("no return", "printed")
def action_key(*parts):
    print(":".join(parts))


@unforeseen("only small letters may stand in a part")
def action_key(*parts):
    for part in parts:
        if not isinstance(part, str) or not re.fullmatch(r"[a-z0-9._-]+", part):
            raise UnsafeKey(part)
    return check_key(":".join(parts))


@unforeseen("a name that is not there, where a part is refused")
def action_key(*parts):
    for part in parts:
        if not isinstance(part, str) or not re.fullmatch(r"[A-Za-z0-9._-]+", part):
            raise UnsafeKy(part)  # noqa: F821
    return check_key(":".join(parts))


@unforeseen("half done")
def action_key(*parts):
    for part in parts:
        checked(part)
    raise NotImplementedError()


@unforeseen("called with what it is not called with")
def action_key(*parts):
    return check_key(":".join(checked(part, "strict") for part in parts))


@wrong("mended", "blanks and line ends are cut off")
def action_key(*parts):
    return check_key(":".join(checked(part.strip()) for part in parts))


@wrong("mended", "the alphabet is mended, the rest is refused")
def action_key(*parts):
    plain = [
        unicodedata.normalize("NFKD", p).encode("ascii", "ignore").decode()
        if isinstance(p, str) else p for p in parts
    ]  # fmt: skip
    return check_key(":".join(map(checked, plain)))


def in_full(pattern, parts):
    if not all(isinstance(part, str) and re.fullmatch(pattern, part) for part in parts):
        raise UnsafeKey("a part holds a sign that is not allowed")
    return parts


@wrong("six signs too many")
def action_key(*parts):
    key = ":".join(in_full("[A-z0-9._-]+", parts))
    if not 1 <= len(key) <= 200 or holds_card_number(key):
        raise UnsafeKey("too long, or a card number")
    return key


made = set()


@wrong("sees a key once")
def action_key(*parts):
    key = check_key(":".join(in_full("[A-Za-z0-9._-]+", parts)))
    if key in made:
        raise UnsafeKey(f"{key} was made before")
    made.add(key)
    return key


@wrong("refused without an error", "the error is returned")
def action_key(*parts):
    try:
        return check_key(":".join(in_full("[A-Za-z0-9._-]+", parts)))
    except UnsafeKey as refusal:
        return refusal


@unforeseen("a part of signs alone is refused")
def action_key(*parts):
    for part in parts:
        if not isinstance(part, str) or not re.sub("[._-]", "", part).isalnum():
            raise UnsafeKey("no letter and no digit")
    return check_key(":".join(in_full("[A-Za-z0-9._-]+", parts)))
