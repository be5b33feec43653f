"""``python -m lab.authoring release`` stores both editions; ``check`` says what is out of step.

``check-texts`` runs no lesson, and leaves the outputs to the tests.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from lab.authoring import release, step

COMMANDS: dict[str, Callable[[], list[str]]] = {
    "release": release.release,
    "check": release.stale,
    "check-texts": lambda: release.stale(run=False),
}


def main(arguments: list[str]) -> int:
    """Run one of the commands; return 0 when nothing is wrong."""
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"  # this environment's kernel, not the user's
    if len(arguments) != 1 or arguments[0] not in COMMANDS:
        print(" or: ".join(f"python -m lab.authoring {name}" for name in COMMANDS))
        return 2
    problems = COMMANDS[arguments[0]]() + step.out_of_step()
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(problems)} things to mend" if problems else "notebooks and lab are in step")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
