"""The predictions of all lessons: each question with its right choice and a reply to each choice.

One file a lesson. A wrong choice is answered with why someone would think so, and what the run
will show.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

Replies = dict[str, str]

QUESTIONS: dict[str, tuple[str, Replies]] = {}
for _module in sorted(found.name for found in pkgutil.iter_modules(__path__)):
    QUESTIONS |= import_module(f"{__name__}.{_module}").QUESTIONS
