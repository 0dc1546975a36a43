-- A workflow id may be used again after a run of it that did not complete: the runs before the latest are
-- those that were continued, and those that ended so.

INSERT INTO schema_version (version) VALUES (12);

CREATE INDEX runs_before ON runs (workflow_id, run_key)
 WHERE status IN ('CONTINUED', 'FAILED', 'CANCELLED', 'TIMED_OUT', 'TERMINATED');
DROP INDEX runs_continued;
