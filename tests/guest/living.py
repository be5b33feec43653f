"""Lives of a function ``f`` in a nursery."""

import ast
from typing import Any

from lab.exercises.bench import Player
from lab.grading.lives import Answer, Nursery
from lab.guest.walls import Rules
from lab.guest.written import Asked, Source

RULES = Rules(cpu_s=1)


def written(nursery: Nursery, code: str, seed: int = 5) -> Answer:
    """Return what somebody wrote, a function ``f``, as an answer of which lives can begin."""
    body = ast.parse(code).body
    made = [one for one in body if isinstance(one, ast.FunctionDef) and one.name == "f"]
    takes = tuple(one.arg for function in made for one in function.args.args)
    return Answer(nursery, Asked(("f",), takes), [Source(1, code, range(len(body)))], seed)


def tried(nursery: Nursery, code: str, seed: int = 5) -> Answer:
    """Return an answer that can be let into the world."""
    answer = written(nursery, code, seed)
    try:
        answer.tried()
    except BaseException:
        answer.close()
        raise
    return answer


def call(nursery: Nursery, code: str, *values: Any) -> Any:
    """Define ``f`` in a new life, and call it."""
    return Player(tried(nursery, code)).call("f", *values)
