"""``python -m lab.authoring release`` stores both editions; ``check`` says what is out of step."""

from __future__ import annotations

import os
import sys

from lab.authoring import release, step


def main(arguments: list[str]) -> int:
    """Run one of the two commands; return 0 when nothing is wrong."""
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"  # this environment's kernel, not the user's
    if arguments == ["release"]:
        problems = release.release()
    elif arguments == ["check"]:
        problems = release.stale()
    else:
        print("Use: python -m lab.authoring release, or: python -m lab.authoring check")
        return 2
    problems += step.out_of_step()
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(problems)} things to mend" if problems else "notebooks and lab are in step")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
