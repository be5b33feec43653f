"""What the database does and refuses by itself, whatever program writes to it."""

from __future__ import annotations

from lab.gateway.states import STATES, TRANSITIONS, UNKNOWN

_LEGAL = " OR ".join(
    f"OLD.state = '{source}' AND NEW.state = '{target}'"
    for source, _, target in TRANSITIONS
    if source
)
# Only what is not UNKNOWN is counted, for nearly every action passes through that state: the rest
# of the rows are UNKNOWN, and as none is deleted, there are as many as the last one's number.
_COUNTED = [state for state in STATES if state != UNKNOWN]
_MOVE = ", ".join(
    f"{state} = {state} + (NEW.state = '{state}') - (OLD.state = '{state}')" for state in _COUNTED
)
_EVENT_BITS = 20  # an event's place is its action's number, and in so many bits its own

GUARDS = f"""
    CREATE TABLE events (
        place INTEGER PRIMARY KEY, sequence INTEGER NOT NULL, attempt INTEGER NOT NULL,
        source TEXT, target TEXT NOT NULL, actor TEXT NOT NULL, at INTEGER NOT NULL,
        evidence TEXT NOT NULL, request_id TEXT
    ) STRICT;
    CREATE VIEW history AS SELECT key, events.* FROM actions JOIN events
        ON place > number << {_EVENT_BITS} AND place < number + 1 << {_EVENT_BITS};
    CREATE UNIQUE INDEX one_owner ON actions (provider, receipt) WHERE receipt IS NOT NULL;
    CREATE INDEX open_actions ON actions (state) WHERE state <> 'SETTLED';
    CREATE INDEX risky_actions ON actions (payload_hash) WHERE risks_accepted > 0;
    CREATE TABLE tally (row INTEGER PRIMARY KEY,
        {", ".join(f"{state} INTEGER NOT NULL DEFAULT 0" for state in _COUNTED)}) STRICT;
    INSERT INTO tally (row) VALUES (1);
    CREATE VIEW counts AS SELECT PREPARED, coalesce((SELECT max(number) FROM actions), 0)
        - {" - ".join(_COUNTED)} AS UNKNOWN, SETTLED, REVIEW FROM tally;

    CREATE TRIGGER new_action AFTER INSERT ON actions
    BEGIN
        SELECT RAISE(ABORT, 'an action begins as PREPARED, or with its first attempt')
        WHERE NEW.attempts <> (NEW.state = 'UNKNOWN') OR NEW.version <> NEW.attempts + 1
            OR NEW.state NOT IN ('PREPARED', 'UNKNOWN');
        SELECT RAISE(ABORT, 'actions are numbered without a gap') WHERE NEW.number <> 1
            AND NOT EXISTS (SELECT 1 FROM actions WHERE number = NEW.number - 1);
        INSERT INTO events VALUES (NEW.number << {_EVENT_BITS} | 1, 1, 0, NULL, 'PREPARED',
            NEW.actor, NEW.updated_at, 'prepared', NULL);
        UPDATE tally SET PREPARED = PREPARED + 1 WHERE NEW.state = 'PREPARED';
    END;
    -- Apart from new_action: there it would cost every action more. Which comes first, SQLite says.
    CREATE TRIGGER begun_action AFTER INSERT ON actions
    WHEN NEW.state = 'UNKNOWN' AND NEW.version = 2
    BEGIN
        INSERT INTO events VALUES (NEW.number << {_EVENT_BITS} | 2, 2, 1, 'PREPARED', 'UNKNOWN',
            NEW.actor, NEW.updated_at, NEW.evidence, NEW.key || '#1');
    END;
    CREATE TRIGGER changed_action AFTER UPDATE ON actions
    BEGIN
        SELECT RAISE(ABORT, 'not a legal move, not the next version, or another identity')
        WHERE NEW.version <> OLD.version + 1 OR NEW.number <> OLD.number
            OR NEW.key <> OLD.key OR NEW.kind <> OLD.kind
            OR NEW.payload_hash <> OLD.payload_hash OR NEW.receipt <> OLD.receipt
            OR OLD.state <> 'PREPARED' AND NEW.provider IS NOT OLD.provider
            OR NEW.attempts <> OLD.attempts + (OLD.state = 'PREPARED' AND NEW.state = 'UNKNOWN')
            OR OLD.state <> NEW.state AND NOT ({_LEGAL}) OR NEW.version >> {_EVENT_BITS};
        INSERT INTO events VALUES (NEW.number << {_EVENT_BITS} | NEW.version, NEW.version,
            NEW.about, OLD.state, NEW.state, NEW.actor, NEW.updated_at, NEW.evidence,
            CASE WHEN NEW.about > 0 THEN NEW.key || '#' || NEW.about END);
        UPDATE tally SET {_MOVE} WHERE NEW.state <> OLD.state;
    END;
    -- OR REPLACE deletes what is in its way, asks no trigger on DELETE, and in a trigger overrules
    -- OR IGNORE: so it alone comes to write the tally's one row again, and may not.
    CREATE TRIGGER keep_keys BEFORE INSERT ON actions
    WHEN EXISTS (SELECT 1 FROM actions WHERE key = NEW.key)
    BEGIN INSERT OR IGNORE INTO tally (row) VALUES (1); END;
    CREATE TRIGGER one_tally AFTER INSERT ON tally
    BEGIN SELECT RAISE(ABORT, 'an action is never replaced'); END;
    CREATE TRIGGER keep_tally BEFORE DELETE ON tally
    BEGIN SELECT RAISE(ABORT, 'the tally is never deleted'); END;
    CREATE TRIGGER keep_receipts BEFORE UPDATE OF receipt ON actions
    WHEN EXISTS (SELECT 1 FROM actions WHERE provider = NEW.provider AND receipt = NEW.receipt
        AND number <> NEW.number)
    BEGIN SELECT RAISE(ABORT, 'a receipt has one owner'); END;
    CREATE TRIGGER add_events BEFORE INSERT ON events
    WHEN EXISTS (SELECT 1 FROM events WHERE place = NEW.place)
        OR NOT EXISTS (SELECT 1 FROM actions WHERE number = NEW.place >> {_EVENT_BITS}
            AND NEW.place = number << {_EVENT_BITS} | NEW.sequence
            AND NEW.sequence BETWEEN 1 AND version)
    BEGIN SELECT RAISE(ABORT, 'a change writes its one event'); END;
    CREATE TRIGGER keep_actions BEFORE DELETE ON actions
    BEGIN SELECT RAISE(ABORT, 'actions are never deleted'); END;
    CREATE TRIGGER keep_events BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
    CREATE TRIGGER freeze_events BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
"""
"""The events, one a change; indexes; the tally that makes counting cheap; the legal moves."""
