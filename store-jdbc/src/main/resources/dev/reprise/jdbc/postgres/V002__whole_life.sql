-- The whole life of a workflow: runs that are undone, children, workflows that go on with a new run,
-- attributes to find runs by, and old runs that are deleted.

INSERT INTO schema_version (version) VALUES (2);

ALTER TABLE runs
  ADD COLUMN compensating boolean NOT NULL DEFAULT false, -- its code has ended; RUNNING or BLOCKED while it is undone
  ADD COLUMN parent       text COLLATE "C",               -- workflow id of the parent
  ADD COLUMN attributes   text;                           -- what it can be found by, a JSON object

-- The runs of a workflow id ahead of the one that it stands for.
CREATE INDEX runs_continued ON runs (workflow_id, run_key) WHERE status = 'CONTINUED';

-- What is old enough to be deleted, oldest first. Runs close in about this order, so that new
-- entries go to the end of the index.
CREATE INDEX runs_closed ON runs (closed_at) WHERE closed_at IS NOT NULL;

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
         ELSE 'type ' || events.type
       END AS type,
       events.at AS recorded_at,
       events.site,
       convert_from(events.attributes, 'UTF8') AS attributes,
       convert_from(events.value, 'UTF8') AS value
  FROM runs
  JOIN events ON events.run_key = runs.run_key
 ORDER BY events.run_key, events.idx;
