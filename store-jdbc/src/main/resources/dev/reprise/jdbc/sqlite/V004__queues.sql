-- Work that waits on queues: activities that any worker may run, and workflows that wait to begin.

INSERT INTO schema_version (version, applied_at) VALUES (4, unixepoch() * 1000000);

DROP VIEW history;

-- One row for each activity on a queue, and for each run that waits on one, or has begun and has its
-- place there until it closes. Rows go when their work is done. What is done to one counts only for
-- the attempt that was handed out last.
CREATE TABLE tasks (
  run_key          INTEGER NOT NULL,
  idx              INTEGER NOT NULL,           -- of the event that asked for it; 0 for the run itself
  queue            TEXT    NOT NULL,           -- empty for a run that only waits for its time
  name             TEXT    NOT NULL,           -- of the activity or the workflow
  key              TEXT    NOT NULL,           -- for whom it is; empty if nobody said
  priority         INTEGER NOT NULL,           -- lower numbers first
  state            TEXT    NOT NULL,           -- DELAYED, READY, LEASED, EXTERNAL or OPEN
  attempt          INTEGER NOT NULL DEFAULT 0, -- how often it was handed out
  visible_at       INTEGER NOT NULL,           -- not handed out before
  scheduled_at     INTEGER NOT NULL,
  lease            INTEGER NOT NULL,           -- how long a worker may be silent, in microseconds
  attempt_limit    INTEGER,                    -- how long an attempt may take, in microseconds
  wait_until       INTEGER,                    -- must have been handed out by then
  until            INTEGER,                    -- must have ended by then
  deadline         INTEGER,                    -- when this attempt must have ended
  lease_until      INTEGER,                    -- when it is handed out again if nothing is heard
  hand             TEXT,                       -- the call that took it
  worker           TEXT,                       -- who has it, or had it last
  retry            TEXT,                       -- what its worker says about retries, JSON
  heartbeat        BLOB,                       -- how far it has come, as the codec wrote it
  heartbeat_at     INTEGER,
  cancelled        INTEGER NOT NULL DEFAULT 0, -- 1 if nobody wants it any more
  unique_key       TEXT,                       -- of two runs of a queue with the same there is one
  debounced        INTEGER NOT NULL DEFAULT 0, -- 1 if that counts only until it begins
  start_at         INTEGER,                    -- of a run that has not begun: its first event
  start_type       INTEGER,
  start_site       TEXT,
  start_attributes BLOB,
  start_value      BLOB,

  -- When somebody has to look at it: its lease, its time or its patience is over, or nobody wants it
  -- and no worker has it, which is at once.
  due_at INTEGER AS (
    nullif(
      CASE state
        WHEN 'OPEN' THEN 9223372036854775807
        WHEN 'LEASED' THEN min(lease_until, coalesce(deadline, 9223372036854775807),
                               coalesce(until, 9223372036854775807))
        ELSE CASE
          WHEN cancelled = 1 THEN 0
          WHEN state = 'EXTERNAL' THEN min(coalesce(deadline, 9223372036854775807),
                                           coalesce(until, 9223372036854775807))
          WHEN attempt = 0 THEN min(coalesce(wait_until, 9223372036854775807),
                                    coalesce(until, 9223372036854775807))
          ELSE coalesce(until, 9223372036854775807)
        END
      END, 9223372036854775807)) VIRTUAL,

  PRIMARY KEY (run_key, idx)
) STRICT;

-- What is ready, in the order of handing out; and how much there is of each state.
CREATE INDEX tasks_by_queue ON tasks (queue, state, priority, visible_at, run_key, idx);

-- The same for keys that take turns.
CREATE INDEX tasks_by_key ON tasks (queue, priority, key, visible_at, run_key, idx)
 WHERE state = 'READY';

-- Whose time comes next.
CREATE INDEX tasks_delayed ON tasks (queue, visible_at) WHERE state = 'DELAYED';

-- What counts for the limits of a queue.
CREATE INDEX tasks_running ON tasks (queue, key) WHERE state IN ('LEASED', 'OPEN');

CREATE INDEX tasks_due ON tasks (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX tasks_by_hand ON tasks (hand) WHERE hand IS NOT NULL;
CREATE UNIQUE INDEX tasks_unique ON tasks (queue, unique_key) WHERE unique_key IS NOT NULL;

-- Queues that have or had limits. Others have no row.
CREATE TABLE queues (
  queue  TEXT NOT NULL PRIMARY KEY,
  limits TEXT NOT NULL,            -- JSON
  flow   TEXT                      -- what was handed out, as far as the limits go by it, JSON
) STRICT, WITHOUT ROWID;

-- Who serves queues, and was heard of lately.
CREATE TABLE workers (
  worker      TEXT    NOT NULL PRIMARY KEY,
  queue       TEXT    NOT NULL,
  host        TEXT    NOT NULL,
  concurrency INTEGER NOT NULL,
  names       TEXT    NOT NULL,    -- of the activities and workflows that it has, a JSON array
  seen_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX workers_seen ON workers (seen_at);

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
         WHEN 15 THEN 'ActivityCancelled'
         WHEN 16 THEN 'CompensationRegistered'
         WHEN 17 THEN 'CompensationsStarted'
         WHEN 18 THEN 'CompensationCompleted'
         WHEN 19 THEN 'CompensationFailed'
         WHEN 20 THEN 'ChildStarted'
         WHEN 21 THEN 'ChildCompleted'
         WHEN 22 THEN 'ChildFailed'
         WHEN 23 THEN 'MessageSent'
         WHEN 24 THEN 'UpdateReceived'
         WHEN 25 THEN 'UpdateCompleted'
         WHEN 26 THEN 'UpdateFailed'
         WHEN 27 THEN 'UpdateRefused'
         WHEN 28 THEN 'ValuePublished'
         WHEN 29 THEN 'AttributeChanged'
         WHEN 30 THEN 'LoopSnapshot'
         WHEN 31 THEN 'TimeLimitReached'
         WHEN 32 THEN 'WorkflowResumed'
         WHEN 33 THEN 'WorkflowTimedOut'
         WHEN 34 THEN 'WorkflowTerminated'
         WHEN 35 THEN 'WorkflowContinuedAsNew'
         WHEN 36 THEN 'ActivityScheduled'
         WHEN 37 THEN 'ActivityCancelRequested'
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
