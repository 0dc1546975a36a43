-- What came with several engine processes on one database: inputs of more kinds than signals, each
-- with the sender's own id; cancelled runs; runs that are held when they keep crashing their engine.

INSERT INTO schema_version (version, applied_at) VALUES (2, unixepoch() * 1000000);

DROP VIEW history;

-- The same table with two columns more, and without a list of the statuses that there can be.
CREATE TABLE runs_2 (
  run_key      INTEGER PRIMARY KEY,
  run_id       TEXT    NOT NULL,
  workflow_id  TEXT    NOT NULL,
  workflow     TEXT    NOT NULL,
  status       TEXT    NOT NULL,
  owner        INTEGER,            -- nodes.node_key; nobody's if null or if that node is fenced
  wake_at      INTEGER,            -- when it is due; null if only an input can wake it
  started_at   INTEGER NOT NULL,
  closed_at    INTEGER,
  blocked_by   TEXT,
  crashes      INTEGER NOT NULL DEFAULT 0, -- owners that died one after the other without progress
  claimed_size INTEGER NOT NULL DEFAULT 0  -- events it had when it was last taken over
) STRICT;

INSERT INTO runs_2 (run_key, run_id, workflow_id, workflow, status, owner, wake_at, started_at,
                    closed_at, blocked_by)
SELECT run_key, run_id, workflow_id, workflow, status, owner, wake_at, started_at,
       closed_at, blocked_by
  FROM runs;

DROP TABLE runs;
ALTER TABLE runs_2 RENAME TO runs;

-- What is due and not in anybody's memory: an application asks for its own workflows only.
CREATE INDEX runs_due ON runs (owner, workflow, wake_at) WHERE status = 'RUNNING';

-- Lists of what is open or failed, newest first. Nearly all runs complete, and are found without it.
CREATE INDEX runs_by_status ON runs (status, run_key) WHERE status <> 'COMPLETED';

-- The same for the inputs. Ids are never used twice.
CREATE TABLE inbox_2 (
  input_id    INTEGER PRIMARY KEY AUTOINCREMENT,
  run_key     INTEGER NOT NULL,
  kind        TEXT    NOT NULL,    -- SIGNAL or CANCEL
  name        TEXT    NOT NULL,    -- of the signal; of a cancel, who asked for it
  message     TEXT    NOT NULL,    -- the sender's own id; of two with the same, a run takes in one
  value       BLOB    NOT NULL,
  accepted_at INTEGER NOT NULL
) STRICT;

INSERT INTO inbox_2 (input_id, run_key, kind, name, message, value, accepted_at)
SELECT input_id, run_key, 'SIGNAL', signal, 'input ' || input_id, value, accepted_at
  FROM inbox;

UPDATE sqlite_sequence
   SET seq = max(seq, (SELECT seq FROM sqlite_sequence WHERE name = 'inbox'))
 WHERE name = 'inbox_2';

DROP TABLE inbox;
ALTER TABLE inbox_2 RENAME TO inbox;

CREATE INDEX inbox_by_run ON inbox (run_key);
CREATE UNIQUE INDEX inbox_by_message ON inbox (run_key, message);

CREATE VIEW history AS
SELECT runs.workflow_id,
       events.run_key,
       events.idx,
       CASE events.type
         WHEN 1 THEN 'WorkflowStarted'
         WHEN 2 THEN 'ActivityCompleted'
         WHEN 3 THEN 'ActivityFailed'
         WHEN 4 THEN 'ActivityRetryScheduled'
         WHEN 5 THEN 'TimerScheduled'
         WHEN 6 THEN 'TimerFired'
         WHEN 7 THEN 'TimerCancelled'
         WHEN 8 THEN 'SignalReceived'
         WHEN 9 THEN 'WaitTimedOut'
         WHEN 10 THEN 'PatchMarked'
         WHEN 11 THEN 'WorkflowCompleted'
         WHEN 12 THEN 'WorkflowFailed'
         WHEN 13 THEN 'WorkflowCancelRequested'
         WHEN 14 THEN 'WorkflowCancelled'
         ELSE 'type ' || events.type
       END AS type,
       strftime('%Y-%m-%dT%H:%M:%S', events.at / 1000000, 'unixepoch')
         || printf('.%06dZ', events.at % 1000000) AS recorded_at,
       events.site,
       CAST(events.attributes AS TEXT) AS attributes,
       CAST(events.value AS TEXT) AS value
  FROM runs
  JOIN events ON events.run_key = runs.run_key
 ORDER BY events.run_key, events.idx;
