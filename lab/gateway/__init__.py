"""The gateway that the course builds. Standard library only: copy this folder and own it."""

from lab.gateway.actions import Action, action_key, canonical_json, check_key, payload_hash
from lab.gateway.demo import DemoProvider, Fault
from lab.gateway.dispatch import (
    VERDICTS,
    Handler,
    Outcome,
    attempt,
    execute,
    hold,
    no_attempt_left,
    on_absent,
    on_doubt,
    on_found,
    on_proved_not_executed,
    on_unavailable,
    read_back,
)
from lab.gateway.errors import (
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
from lab.gateway.ledger import Ledger, Row, is_receipt, request_id, system_clock
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
from lab.gateway.states import LEGAL, PREPARED, REVIEW, SETTLED, TRANSITIONS, UNKNOWN, State
from lab.gateway.store import Store
