-- The history says which code took a run up.

INSERT INTO schema_version (version, applied_at) VALUES (7, unixepoch() * 1000000);

DROP VIEW history;

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
         WHEN 38 THEN 'WorkflowTakenUp'
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
