"""Whether this machine can contain what it grades; tests that need it say so where it cannot."""

import pytest

from lab.grading.main import Refused, containment


def can_contain() -> bool:
    """Try it."""
    try:
        return containment(allow_weak=False)
    except Refused:
        return False


CAN_CONTAIN = can_contain()
NOT_HERE = "this machine has no user namespaces to contain submissions in"
contained = pytest.mark.skipif(not CAN_CONTAIN, reason=NOT_HERE)
WAYS = [pytest.param(True, marks=contained, id="contained"), pytest.param(False, id="weak")]
