-- Work that waits on queues: activities, and runs that have not begun.

INSERT INTO schema_version (version) VALUES (4);

-- One row for each activity or run on a queue, from the event that asks for it until it is done.
-- What is done to a task counts only for the attempt that was handed out last.
--
-- Each index has the tasks of some states only: a task that moves on is in few of them at a time.
CREATE TABLE tasks (
  run_key       bigint      NOT NULL,
  idx           integer     NOT NULL,  -- of the event that asked for it; 0 for the run itself
  queue         text        COLLATE "C" NOT NULL,
  name          text        COLLATE "C" NOT NULL,  -- of the activity or the workflow
  key           text        COLLATE "C" NOT NULL,  -- for whom it is; empty if nobody said
  priority      integer     NOT NULL,              -- lower numbers first
  state         text        COLLATE "C" NOT NULL,  -- DELAYED, READY, LEASED, EXTERNAL or OPEN
  attempt       integer     NOT NULL DEFAULT 0,    -- how often it was handed out
  cancelled     boolean     NOT NULL DEFAULT false,
  scheduled_at  timestamptz NOT NULL,
  visible_at    timestamptz NOT NULL,  -- not handed out before
  lease         interval    NOT NULL,  -- how long a worker may be silent
  attempt_limit interval,
  wait_until    timestamptz,           -- must have been handed out by then
  until         timestamptz,           -- must have ended by then
  unique_key    text        COLLATE "C",
  debounced     boolean     NOT NULL DEFAULT false,  -- the unique key counts until it is handed out
  hand          uuid,                  -- the call that took it, so that it may be made again
  lease_until   timestamptz,
  deadline      timestamptz,           -- of the attempt
  worker        text,
  retry         text,                  -- what the worker said about retries, as JSON
  heartbeat     bytea,
  heartbeat_at  timestamptz,

  -- the first event of a run that has not begun
  start_at         timestamptz,
  start_type       smallint,
  start_site       text,
  start_attributes bytea,
  start_value      bytea,

  -- when somebody has to look at it
  due_at timestamptz GENERATED ALWAYS AS (
    CASE state
      WHEN 'LEASED' THEN least(lease_until, deadline, until)
      WHEN 'EXTERNAL' THEN
        CASE WHEN cancelled THEN timestamptz 'epoch' ELSE least(deadline, until) END
      WHEN 'OPEN' THEN NULL
      ELSE
        CASE WHEN cancelled THEN timestamptz 'epoch'
             WHEN attempt = 0 THEN least(wait_until, until)
             ELSE until END
    END) STORED,

  PRIMARY KEY (run_key, idx)
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);

-- In the order in which they are handed out.
CREATE INDEX tasks_ready ON tasks (queue, priority, visible_at, run_key, idx) WHERE state = 'READY';

-- The same where keys take turns.
CREATE INDEX tasks_ready_by_key ON tasks (queue, priority, key, visible_at, run_key, idx)
 WHERE state = 'READY';

CREATE INDEX tasks_waiting ON tasks (queue, state, visible_at) WHERE state IN ('DELAYED', 'EXTERNAL');

-- What counts for the limits of a queue, and what a call took whose answer was lost.
CREATE INDEX tasks_held ON tasks (queue, hand) WHERE state IN ('LEASED', 'OPEN');

CREATE INDEX tasks_due ON tasks (due_at) WHERE due_at IS NOT NULL;

CREATE UNIQUE INDEX tasks_unique ON tasks (queue, unique_key) WHERE unique_key IS NOT NULL;

-- Queues with limits. Who takes from one under limits locks its row.
CREATE TABLE queues (
  queue      text    COLLATE "C" PRIMARY KEY,
  limits     text    NOT NULL,  -- JSON
  per_worker integer,           -- of the limits, the only one that needs no lock
  counted    boolean NOT NULL,  -- whether there are others
  flow       text               -- what was handed out, as far as it matters for what is next; JSON
) WITH (fillfactor = 50);

-- Who serves queues, and when it was last heard of.
CREATE TABLE workers (
  worker      uuid        PRIMARY KEY,
  queue       text        COLLATE "C" NOT NULL,
  host        text        NOT NULL,
  concurrency integer     NOT NULL,
  names       text[]      NOT NULL,  -- of the activities and workflows that it has
  seen_at     timestamptz NOT NULL
) WITH (fillfactor = 50);

CREATE INDEX workers_seen ON workers (seen_at);

-- Whether the run has begun on a queue, and has a place there until it closes; null for all others.
ALTER TABLE runs ADD COLUMN placed boolean;

CREATE OR REPLACE VIEW history AS
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
       events.at AS recorded_at,
       events.site,
       convert_from(events.attributes, 'UTF8') AS attributes,
       convert_from(events.value, 'UTF8') AS value
  FROM runs
  JOIN events ON events.run_key = runs.run_key
 ORDER BY events.run_key, events.idx;
