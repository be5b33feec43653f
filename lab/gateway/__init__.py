"""The gateway that the course builds. Standard library only: copy this folder and own it."""

from lab.gateway.actions import (
    Action,
    action_key,
    canonical,
    canonical_json,
    check_key,
    frozen,
    holds_card_number,
    payload_hash,
    why_not_canonical,
)
from lab.gateway.demo import DemoProvider, Fault
from lab.gateway.dispatch import (
    VERDICTS,
    Handler,
    Outcome,
    attempt,
    execute,
    no_attempt_left,
    on_absent,
    on_doubt,
    on_found,
    on_proved_not_executed,
    on_unavailable,
    read_back,
)
from lab.gateway.errors import (
    BrokenContract,
    DecisionRefused,
    IllegalTransition,
    KeyReused,
    NewerStore,
    NotExecuted,
    ReadbackUnavailable,
    ResponseLost,
    StoreCorrupt,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreReadOnly,
    StoreUnreachable,
    UncanonicalPayload,
    UnsafeKey,
    VersionConflict,
    WrongProvider,
    WrongStore,
)
from lab.gateway.ledger import Ledger, Row, check_receipt, request_id, system_clock, writable
from lab.gateway.provider import (
    BLIND,
    CONTRACTS,
    KEYED,
    READABLE,
    SEARCHABLE,
    Provider,
    ProviderContract,
    Readback,
    Reading,
    Verdict,
    count_duplicates,
    verdict_of,
)
from lab.gateway.review import ReviewDesk
from lab.gateway.states import (
    LEGAL,
    PREPARED,
    REVIEW,
    SETTLED,
    STATES,
    TRANSITIONS,
    UNKNOWN,
)
from lab.gateway.store import Store
