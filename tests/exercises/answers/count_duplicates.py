"""Answers to lesson 01's exercise."""

import itertools
from collections import Counter

from tests.exercises.answering import right, unforeseen, wrong


@right("a loop that crosses off")
def count_duplicates(keys_of_effects, approved):
    open_ones = set(approved)
    extra = 0
    for key in keys_of_effects:
        if key in open_ones:
            open_ones.remove(key)
        else:
            extra += 1
    return extra


@right("a Counter")
def count_duplicates(keys_of_effects, approved):
    wanted = set(approved)
    return sum(n - (key in wanted) for key, n in Counter(keys_of_effects).items())


right("a lambda")(lambda effects, wanted: len(effects) - len({*effects} & {*wanted}))


def seen_before(keys, position):
    return keys[position] in keys[:position]


@right("a helper of its own, and a print")
def count_duplicates(keys_of_effects, approved):
    keys = list(keys_of_effects)
    extra = [k for i, k in enumerate(keys) if seen_before(keys, i) or k not in set(approved)]
    print("too many:", extra)
    return len(extra)


@right("exceptions; what it was given is used up")
def count_duplicates(effects, allowed):
    extra = 0
    while effects:
        try:
            allowed.remove(effects.pop())
        except ValueError:
            extra += 1
    return extra


@right("counted with a dictionary, key by key")
def count_duplicates(keys_of_effects, approved):
    counts = {}
    for key in keys_of_effects:
        counts[key] = counts.get(key, 0) + 1
    doubled = sum(max(0, counts.get(key, 0) - 1) for key in approved)
    strangers = sum(n for key, n in counts.items() if key not in approved)
    return doubled + strangers


@wrong("missing makes up")
def count_duplicates(keys_of_effects, approved):
    return max(0, len(keys_of_effects) - len(approved))


@wrong("missing makes up", "the same, below nought too")
def count_duplicates(keys_of_effects, approved):
    return len(keys_of_effects) - len(approved)


@wrong("missing makes up", "key by key, and what is missing is less than none")
def count_duplicates(keys_of_effects, approved):
    return sum(keys_of_effects.count(key) - 1 for key in approved)


@wrong("strangers count as wanted")
def count_duplicates(keys_of_effects, approved):
    return len(keys_of_effects) - len(set(keys_of_effects))


@wrong("strangers count as wanted", "only the approved are looked at")
def count_duplicates(keys_of_effects, approved):
    return sum(max(0, keys_of_effects.count(key) - 1) for key in approved)


@wrong("only strangers")
def count_duplicates(keys_of_effects, approved):
    return len([key for key in keys_of_effects if key not in approved])


@wrong("keys instead of effects")
def count_duplicates(keys_of_effects, approved):
    counts = Counter(keys_of_effects)
    return sum(1 for key in counts if counts[key] > 1 or key not in approved)


@wrong("keys instead of effects", "one if any, else nought")
def count_duplicates(keys_of_effects, approved):
    for key in keys_of_effects:
        if key not in approved or keys_of_effects.count(key) > 1:
            return 1
    return 0


@wrong("only neighbours")
def count_duplicates(keys_of_effects, approved):
    alike = sum(one == other for one, other in itertools.pairwise(keys_of_effects))
    return alike + len(set(keys_of_effects) - set(approved))


@wrong("all effects of a doubled key")
def count_duplicates(keys_of_effects, approved):
    counts = Counter(keys_of_effects)
    return sum(n for key, n in counts.items() if n > 1 or key not in approved)


@wrong("never nought")
def count_duplicates(keys_of_effects, approved):
    return len(keys_of_effects)


@wrong("never nought", "how many leads were written to")
def count_duplicates(keys_of_effects, approved):
    return len(set(keys_of_effects))


@wrong("never nought", "one less than all")
def count_duplicates(keys_of_effects, approved):
    return max(0, len(keys_of_effects) - 1)


@wrong("never nought", "seven, whatever happened")
def count_duplicates(keys_of_effects, approved):
    return 7 if keys_of_effects else 0


@wrong("missing counted")
def count_duplicates(keys_of_effects, approved):
    return sum(abs(keys_of_effects.count(key) - 1) for key in approved)


@wrong("missing counted", "one, whatever happened")
def count_duplicates(keys_of_effects, approved):
    return 1


@wrong("no return")
def count_duplicates(keys_of_effects, approved):
    len(keys_of_effects) - len(set(keys_of_effects) & set(approved))


@wrong("no return", "printed")
def count_duplicates(keys_of_effects, approved):
    print(len(keys_of_effects) - len(set(keys_of_effects) & set(approved)))


@wrong("keys instead of effects", "half of those that have company, and no stranger")
def count_duplicates(keys_of_effects, approved):
    return sum(keys_of_effects.count(key) > 1 for key in keys_of_effects) // 2


@wrong("no number", "which ones")
def count_duplicates(keys_of_effects, approved):
    return [key for key in set(keys_of_effects) if keys_of_effects.count(key) > 1]


@wrong("no number", "whether there are any")
def count_duplicates(keys_of_effects, approved):
    return len(keys_of_effects) != len(set(keys_of_effects) & set(approved))


@wrong("no number", "how many of each")
def count_duplicates(keys_of_effects, approved):
    return Counter(keys_of_effects) - Counter(approved)


@unforeseen("nought, whatever happened")
def count_duplicates(keys_of_effects, approved):
    return 0


@unforeseen("an empty record stops it")
def count_duplicates(keys_of_effects, approved):
    most = max(Counter(keys_of_effects).values())
    return most and len(keys_of_effects) - len(set(keys_of_effects) & set(approved))


@unforeseen("a name that is not there")
def count_duplicates(keys_of_effects, approved):
    return len(effects) - len(set(keys_of_effects) & set(approved))  # noqa: F821


@unforeseen("one part was left as it was")
def count_duplicates(keys_of_effects, approved):
    wanted = set(keys_of_effects) & set(approved)
    if wanted:
        return len(keys_of_effects) - len(wanted)
    raise NotImplementedError()


@wrong("first stranger is free", "each stranger counts once")
def count_duplicates(keys_of_effects, approved):
    doubled = sum(max(0, keys_of_effects.count(key) - 1) for key in approved)
    return doubled + len(set(keys_of_effects) - set(approved))


@wrong("first stranger is free", "nobody approved is taken for all approved")
def count_duplicates(keys_of_effects, approved):
    wanted = approved or keys_of_effects
    return len(keys_of_effects) - len(set(keys_of_effects) & set(wanted))


@wrong("references that begin alike", "looked for in one text")
def count_duplicates(keys_of_effects, approved):
    allowed, before, extra = ", ".join(approved), set(), 0
    for key in keys_of_effects:
        extra += key in before or key not in allowed
        before.add(key)
    return extra


@wrong("references that begin alike", "counted in one text")
def count_duplicates(keys_of_effects, approved):
    record = " ".join(keys_of_effects)
    doubled = sum(max(0, record.count(key) - 1) for key in approved)
    return doubled + sum(key not in approved for key in keys_of_effects)


@wrong("remembers", "a set that is made once")
def count_duplicates(keys_of_effects, approved, before=set()):  # noqa: B006
    extra = 0
    for key in keys_of_effects:
        extra += key in before or key not in approved
        before.add(key)
    return extra


@wrong("no number", "a text that shows one")
def count_duplicates(keys_of_effects, approved):
    return str(len(keys_of_effects) - len(set(keys_of_effects) & set(approved)))
