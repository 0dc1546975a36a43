-- The whole life of a workflow: runs that are undone, children, workflows that go on with a new run,
-- attributes to find runs by, and old runs that are deleted.

INSERT INTO schema_version (version, applied_at) VALUES (3, unixepoch() * 1000000);

DROP VIEW history;

-- 1 when its code has ended and it is undone; it is RUNNING or BLOCKED meanwhile.
ALTER TABLE runs ADD COLUMN compensating INTEGER NOT NULL DEFAULT 0;

-- The workflow id of the parent.
ALTER TABLE runs ADD COLUMN parent TEXT;

-- What it can be found by, a JSON object.
ALTER TABLE runs ADD COLUMN attributes TEXT;

-- The runs of a workflow id ahead of the one that it stands for.
CREATE INDEX runs_continued ON runs (workflow_id, run_key) WHERE status = 'CONTINUED';

-- What is old enough to be deleted, oldest first. Runs close in about this order, so that new
-- entries go to the end of the index.
CREATE INDEX runs_closed ON runs (closed_at) WHERE closed_at IS NOT NULL;

-- No run gets a number below this one: numbers of deleted runs are not used again.
CREATE TABLE run_keys (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  next     INTEGER NOT NULL
) STRICT;

INSERT INTO run_keys (only_row, next) VALUES (1, 1);

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
