-- Runs, their histories, and what waits for them. For PostgreSQL 14 and newer.
--
-- Everything is created in the current schema, the first one of search_path that exists.
-- For reading by hand there is the view "history":
--   SELECT * FROM history WHERE workflow_id = 'order-7';

-- The files of this folder that were applied. Each writes its row itself, so that applying it by
-- hand is as good.
CREATE TABLE schema_version (
  version    integer     PRIMARY KEY,
  applied_at timestamptz NOT NULL DEFAULT now()
);

INSERT INTO schema_version (version) VALUES (1);

-- The engine processes and clients that have or had this database. Each batch of a node begins with
-- an update of its own row, which is its fence, its lease and the receipt of the batch. Free space
-- on the pages keeps that cheap. A fenced node stays here as long as runs name it as their owner.
CREATE TABLE nodes (
  node_key    integer     GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  node        uuid        NOT NULL UNIQUE,
  host        text        NOT NULL,
  client      boolean     NOT NULL,
  lock_id     integer     NOT NULL,  -- of the advisory lock that its process holds while it lives
  joined_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  lease       interval    NOT NULL,
  lease_until timestamptz NOT NULL,
  commit_seq  bigint      NOT NULL DEFAULT 0,
  batch       uuid,                  -- the last one that was committed
  fenced      boolean     NOT NULL DEFAULT false
) WITH (fillfactor = 50);

-- Which run a workflow id stands for. Narrow, and written only when a run opens or closes: this is
-- the row that senders of inputs lock, and nobody else may have to wait for them. Each row is written
-- once more, when its run closes: half of a page is kept free for that, so that it stays on its page
-- and needs no new entry in the index.
CREATE TABLE workflows (
  workflow_id text COLLATE "C" PRIMARY KEY,
  run_key     bigint  NOT NULL,
  open        boolean NOT NULL
) WITH (fillfactor = 50);

-- One row for each run, written when a run opens, is put aside or closes: not for each step. Its
-- input and its result are the first and the last event of its history. Here too there is room for
-- the last version of each row beside the first.
CREATE TABLE runs (
  run_key      bigint      PRIMARY KEY,
  run_id       uuid        NOT NULL,
  workflow_id  text        COLLATE "C" NOT NULL,
  workflow     text        COLLATE "C" NOT NULL,
  status       text        COLLATE "C" NOT NULL,
  owner        integer     NOT NULL DEFAULT 0,  -- nodes.node_key; nobody's if 0 or if that node is fenced
  wake_at      timestamptz,                     -- when it is due; null if only an input can wake it
  started_at   timestamptz NOT NULL,
  closed_at    timestamptz,
  blocked_by   text,
  crashes      integer     NOT NULL DEFAULT 0,  -- owners that died one after the other without progress
  claimed_size integer     NOT NULL DEFAULT 0   -- events it had when it was last taken over
) WITH (fillfactor = 50);

-- What is due and not in anybody's memory: an application asks for its own workflows only.
CREATE INDEX runs_due ON runs (owner, workflow, wake_at) WHERE status = 'RUNNING';

-- Lists of what is open or failed, newest first. Nearly all runs complete, and are found without it.
CREATE INDEX runs_by_status ON runs (status, run_key) WHERE status <> 'COMPLETED';

-- The next number for a run. Handed out in blocks.
CREATE TABLE run_keys (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  next     bigint  NOT NULL
);

INSERT INTO run_keys (next) VALUES (1);

-- The histories: append-only, indexes from 1 without gaps. Type codes never change their meaning;
-- the view below names them. The primary key is the only index: each other would cost as much as
-- the row. It is also the last fence, should two nodes ever write to one history.
CREATE TABLE events (
  run_key    bigint      NOT NULL,
  idx        integer     NOT NULL,
  type       smallint    NOT NULL,
  at         timestamptz NOT NULL,
  site       text,                -- the line of workflow code that caused it
  attributes bytea       NOT NULL, -- JSON
  value      bytea,               -- the user's input, result or signal as the codec wrote it
  PRIMARY KEY (run_key, idx)
);

-- Inputs that were accepted and are not in a history yet. Ids are never used twice.
CREATE TABLE inbox (
  input_id    bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_key     bigint      NOT NULL,
  workflow    text        COLLATE "C" NOT NULL, -- as the run has it, to find the inputs of an application
  kind        text        NOT NULL,             -- SIGNAL or CANCEL
  name        text        NOT NULL,             -- of the signal; of a cancel, who asked for it
  message     text        COLLATE "C" NOT NULL, -- the sender's own id; of two with the same, a run takes in one
  value       bytea       NOT NULL,
  accepted_at timestamptz NOT NULL,
  UNIQUE (run_key, message)
);

CREATE INDEX inbox_by_workflow ON inbox (workflow, run_key);

-- The first statement of each batch: nothing more is written by a node that was fenced, or that
-- does not know its last batch. Gives the time, for those who keep a clock by it.
CREATE FUNCTION reprise_fence(of_node integer, expected bigint, new_batch uuid) RETURNS timestamptz
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE nodes
     SET commit_seq = commit_seq + 1, batch = new_batch, lease_until = clock_timestamp() + lease
   WHERE node_key = of_node AND commit_seq = expected AND NOT fenced;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'node % may not commit a batch after %', of_node, expected
          USING ERRCODE = 'RP001';
  END IF;
  RETURN clock_timestamp();
END $$;

-- Refuses a batch that takes in inputs which do not wait.
CREATE FUNCTION reprise_expect(waiting bigint, expected bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
BEGIN
  IF waiting <> expected THEN
    RAISE EXCEPTION 'of % inputs only % wait', expected, waiting USING ERRCODE = 'RP002';
  END IF;
  RETURN waiting;
END $$;

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
       events.at AS recorded_at,
       events.site,
       convert_from(events.attributes, 'UTF8') AS attributes,
       convert_from(events.value, 'UTF8') AS value
  FROM runs
  JOIN events ON events.run_key = runs.run_key
 ORDER BY events.run_key, events.idx;
