-- Runs, their histories, and what waits for them.
--
-- Times are microseconds since 1970-01-01 00:00:00 UTC:
--   SELECT datetime(started_at / 1000000, 'unixepoch') FROM runs;
-- For reading by hand there is the view "history":
--   SELECT * FROM history WHERE workflow_id = 'order-7';

-- Says whose file this is ("Rprs"), for the engine and for file(1).
PRAGMA application_id = 0x52707273;

-- The files of this folder that were applied. Each writes its row itself, so that applying it by
-- hand is as good.
CREATE TABLE schema_version (
  version    INTEGER PRIMARY KEY,
  applied_at INTEGER NOT NULL
) STRICT;

INSERT INTO schema_version (version, applied_at) VALUES (1, unixepoch() * 1000000);

-- The engine processes that have or had this file. At most one is not fenced, and only that one
-- commits: each of its transactions looks here first. A fenced node stays here as long as
-- runs name it as their owner.
CREATE TABLE nodes (
  node_key   INTEGER PRIMARY KEY,
  node       TEXT    NOT NULL UNIQUE,
  host       TEXT    NOT NULL,
  joined_at  INTEGER NOT NULL,
  fenced     INTEGER NOT NULL DEFAULT 0 CHECK (fenced IN (0, 1))
) STRICT;

-- Which run a workflow id stands for. Rows are never changed.
CREATE TABLE workflows (
  workflow_id TEXT    NOT NULL PRIMARY KEY,
  run_key     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- One row for each run, written when a run opens, is put aside or closes: not for each step. Its
-- input and its result are the first and the last event of its history.
CREATE TABLE runs (
  run_key     INTEGER PRIMARY KEY,
  run_id      TEXT    NOT NULL,
  workflow_id TEXT    NOT NULL,
  workflow    TEXT    NOT NULL,
  status      TEXT    NOT NULL CHECK (status IN ('RUNNING', 'BLOCKED', 'COMPLETED', 'FAILED')),
  owner       INTEGER,            -- nodes.node_key; nobody's if null or if that node is fenced
  wake_at     INTEGER,            -- when it is due; null if only an input can wake it
  started_at  INTEGER NOT NULL,
  closed_at   INTEGER,
  blocked_by  TEXT
) STRICT;

-- What is due and not in anybody's memory.
CREATE INDEX runs_due ON runs (owner, wake_at) WHERE status = 'RUNNING';

-- Lists of what is open or failed, newest first. Nearly all runs complete, and are found without it.
CREATE INDEX runs_by_status ON runs (status, run_key) WHERE status <> 'COMPLETED';

-- The histories: append-only, indexes from 1 without gaps. Type codes never change their meaning;
-- the view below names them. Rows are kept in the order of writing and found by the primary key:
-- many runs write at once, so keeping each history together would rewrite a page for each event.
CREATE TABLE events (
  run_key    INTEGER NOT NULL,
  idx        INTEGER NOT NULL,
  type       INTEGER NOT NULL,
  at         INTEGER NOT NULL,
  site       TEXT,                -- the line of workflow code that caused it
  attributes BLOB    NOT NULL,    -- JSON
  value      BLOB,                -- the user's input, result or signal as the codec wrote it
  PRIMARY KEY (run_key, idx)
) STRICT;

-- Inputs that were accepted and are not in a history yet. Ids are never used twice.
CREATE TABLE inbox (
  input_id    INTEGER PRIMARY KEY AUTOINCREMENT,
  run_key     INTEGER NOT NULL,
  signal      TEXT    NOT NULL,
  value       BLOB    NOT NULL,
  accepted_at INTEGER NOT NULL
) STRICT;

CREATE INDEX inbox_by_run ON inbox (run_key);

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
