"""What the database does and refuses by itself, whatever program writes to it."""

from __future__ import annotations

from lab.gateway.states import STATES, TRANSITIONS

_LEGAL = " OR ".join(
    f"OLD.state = '{source}' AND NEW.state = '{target}'"
    for source, _, target in TRANSITIONS
    if source
)
_ADD = ", ".join(f"{state} = {state} + (NEW.state = '{state}')" for state in STATES)
_MOVE = ", ".join(
    f"{state} = {state} + (NEW.state = '{state}') - (OLD.state = '{state}')" for state in STATES
)

GUARDS = f"""
    CREATE TABLE events (
        action INTEGER NOT NULL, sequence INTEGER NOT NULL, attempt INTEGER NOT NULL,
        source TEXT, target TEXT NOT NULL, actor TEXT NOT NULL, at INTEGER NOT NULL,
        evidence TEXT NOT NULL, request_id TEXT, PRIMARY KEY (action, sequence)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX one_owner ON actions (provider, receipt) WHERE receipt IS NOT NULL;
    CREATE INDEX open_actions ON actions (state) WHERE state <> 'SETTLED';
    CREATE INDEX risky_actions ON actions (payload_hash) WHERE risks_accepted > 0;
    CREATE TABLE tally ({", ".join(f"{state} INTEGER NOT NULL" for state in STATES)}) STRICT;
    INSERT INTO tally VALUES ({", ".join("0" for _ in STATES)});

    CREATE TRIGGER new_action AFTER INSERT ON actions
    BEGIN
        SELECT RAISE(ABORT, 'an action begins as PREPARED, or with its first attempt')
        WHERE NEW.attempts <> (NEW.state = 'UNKNOWN') OR NEW.version <> NEW.attempts + 1
            OR NEW.state NOT IN ('PREPARED', 'UNKNOWN');
        INSERT INTO events VALUES
            (NEW.number, 1, 0, NULL, 'PREPARED', NEW.actor, NEW.updated_at, 'prepared', NULL);
        UPDATE tally SET {_ADD};
    END;
    CREATE TRIGGER begun_action AFTER INSERT ON actions WHEN NEW.state = 'UNKNOWN'
    BEGIN
        INSERT INTO events VALUES (NEW.number, 2, 1, 'PREPARED', 'UNKNOWN', NEW.actor,
            NEW.updated_at, NEW.evidence, NEW.key || '#1');
    END;
    CREATE TRIGGER changed_action AFTER UPDATE ON actions
    BEGIN
        SELECT RAISE(ABORT, 'not a legal move, not the next version, or another identity')
        WHERE NEW.version <> OLD.version + 1 OR NEW.number <> OLD.number
            OR NEW.key <> OLD.key OR NEW.kind <> OLD.kind
            OR NEW.payload_hash <> OLD.payload_hash OR NEW.receipt <> OLD.receipt
            OR NEW.attempts <> OLD.attempts + (OLD.state = 'PREPARED' AND NEW.state = 'UNKNOWN')
            OR OLD.state <> NEW.state AND NOT ({_LEGAL});
        INSERT INTO events VALUES (NEW.number, NEW.version, NEW.about, OLD.state, NEW.state,
            NEW.actor, NEW.updated_at, NEW.evidence,
            CASE WHEN NEW.about > 0 THEN NEW.key || '#' || NEW.about END);
        UPDATE tally SET {_MOVE};
    END;
    CREATE TRIGGER keep_actions BEFORE DELETE ON actions
    BEGIN SELECT RAISE(ABORT, 'actions are never deleted'); END;
    CREATE TRIGGER keep_events BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
    CREATE TRIGGER freeze_events BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
"""
"""The events, one a change; indexes; the tally that makes counting cheap; the legal moves."""
