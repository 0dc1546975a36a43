-- Which connection writes for a node is in the row of the node: the process id of its backend, and when
-- that began. It was an advisory lock before, and any role that may connect can take one of those.

INSERT INTO schema_version (version) VALUES (8);

-- 0 if there is none. Null if the node is of an engine of an earlier schema version that has not connected since.
ALTER TABLE nodes
  ADD COLUMN writer_pid integer,
  ADD COLUMN writer_since timestamptz;

-- A role does not see when the backends of other roles began. Then the process id decides alone: rather a
-- connection too many is ended, or the node is not fenced, than that two write.
CREATE FUNCTION reprise_is_connected(of_pid integer, since timestamptz) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_stat_clear_snapshot(); -- what this transaction has seen earlier does not count
  RETURN EXISTS (
    SELECT 1 FROM pg_stat_activity
     WHERE pid = of_pid AND datname = current_database()
       AND (since IS NULL OR backend_start IS NULL OR backend_start = since));
END $$;

-- Ends the connection that writes for a node, and waits until it has gone: what it was about to commit is
-- committed then, or never will be.
CREATE FUNCTION reprise_end_writer(of_pid integer, since timestamptz, pen integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF of_pid IS NULL THEN -- it has the lock of schema version 6 and 7
    IF NOT pg_try_advisory_xact_lock(1383097710, pen) THEN
      PERFORM reprise_end_writer(pen);
      PERFORM pg_advisory_xact_lock(1383097710, pen);
    END IF;
  ELSIF of_pid NOT IN (0, pg_backend_pid()) AND reprise_is_connected(of_pid, since) THEN
    PERFORM pg_terminate_backend(of_pid, 1000);
    IF reprise_is_connected(of_pid, since) THEN
      RAISE EXCEPTION 'the connection with process id %, which writes for a node, does not end', of_pid
        USING ERRCODE = 'lock_not_available';
    END IF;
  END IF;
END $$;

-- Makes this connection the one that writes for the node, and ends the one before, whose answer was lost.
-- False if the node is fenced, or if another connection was faster.
CREATE FUNCTION reprise_take_pen(of_node integer, id uuid) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  before record;
BEGIN
  SELECT writer_pid, writer_since, lock_id INTO before
    FROM nodes
   WHERE node_key = of_node AND node = id AND NOT fenced;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  -- Before the row is locked, which that connection may have locked itself.
  PERFORM reprise_end_writer(before.writer_pid, before.writer_since, before.lock_id);
  -- Waits for a fence under way, and sees it.
  UPDATE nodes
     SET writer_pid = pg_backend_pid(),
         writer_since = (SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid())
   WHERE node_key = of_node AND node = id AND NOT fenced
     AND writer_pid IS NOT DISTINCT FROM before.writer_pid
     AND writer_since IS NOT DISTINCT FROM before.writer_since;
  RETURN FOUND;
END $$;

-- For engines of schema version 6 or 7 that were running when this was applied.
CREATE OR REPLACE FUNCTION reprise_take_pen(of_node integer, pen integer) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  RETURN coalesce(
    (SELECT reprise_take_pen(of_node, node) FROM nodes WHERE node_key = of_node AND lock_id = pen), false);
END $$;

-- Has the lock of the row. So no other connection begins to write for the node before this is committed.
CREATE OR REPLACE FUNCTION reprise_fencing() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM reprise_end_writer(OLD.writer_pid, OLD.writer_since, OLD.lock_id);
  RETURN coalesce(NEW, OLD);
END $$;
