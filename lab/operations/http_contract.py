"""What the two sides of the HTTP boundary agree on: names, sizes, and what HTTP adds to a contract.

The header with the key, 409 and 422 are as in draft-ietf-httpapi-idempotency-key-header.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from typing import Any

from lab.gateway import CONTRACTS, ProviderContract

PATH = "/actions"
API_VERSION = "2026-07-01"  # compared exactly: another version may mean something else
SCOPE = "messages:create"  # one resource type: create it, and read back what was created

VERSION_HEADER = "Api-Version"
KEY_HEADER = "Idempotency-Key"
REQUEST_HEADER = "X-Request-Id"  # our name for the request, the one in the ledger's events
ANSWER_HEADER = "Request-Id"  # the provider's name for it
READBACK = "readback"  # in our name for a question, where an attempt has its number

HERE = "127.0.0.1"  # no other machine can reach it
LARGEST_BYTES = 65_536  # of a whole request or answer; a receipt takes less than a hundred

Address = tuple[str, int]
"""Host and port."""


@dataclass(frozen=True)
class HttpContract(ProviderContract):
    """A contract, and what the provider documents about its statuses; by itself it promises none.

    ``withdrawn`` holds what the self-test took out of the contract, a sentence each.
    """

    validates_first: bool = False  # 400, 401, 403, 404, 422 are said before anything is done
    busy_first: bool = False  # so is 503
    stores_errors: bool = False  # the first result under a key is said again, also a 500
    withdrawn: tuple[str, ...] = ()


def over_http(contract: ProviderContract, **facts: Any) -> HttpContract:
    """Return a contract with facts about HTTP, for instance ``validates_first=True``.

    Raises:
        TypeError: there is no such fact.
    """
    if isinstance(contract, HttpContract):
        return replace(contract, **facts)
    known = {field.name: getattr(contract, field.name) for field in fields(contract)}
    return HttpContract(**{**known, **facts})


def whole_number(text: str) -> int | None:
    """Return the number that nine digits at most of ASCII write; None where a text is none."""
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else None


HTTP_CONTRACTS = {name: over_http(one, validates_first=True) for name, one in CONTRACTS.items()}
"""The four contracts, as `HttpProvider` keeps them: it validates before it acts."""
