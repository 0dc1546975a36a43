-- The row of a node also says of which role the connection is that writes for it. All roles see that of each
-- other's connections. After a restart of the server, or on another one, the process id may be that of a
-- connection of another application.

INSERT INTO schema_version (version) VALUES (10);

-- Null if the connection was there before this was applied. Then the process id decides, as it did.
ALTER TABLE nodes ADD COLUMN writer_role oid;

-- A role sees when its own backends began, and those of roles that it is a member of. Of others the process
-- id and the role decide: rather a connection too many is ended, or the node is not fenced, than that two write.
CREATE FUNCTION reprise_is_connected(of_pid integer, since timestamptz, of_role oid) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_stat_clear_snapshot(); -- what this transaction has seen earlier does not count
  RETURN EXISTS (
    SELECT 1 FROM pg_stat_activity
     WHERE pid = of_pid AND datname = current_database()
       AND (of_role IS NULL OR usesysid = of_role)
       AND (since IS NULL OR backend_start IS NULL OR backend_start = since));
END $$;

-- Ends the connection that writes for a node, and waits until it has gone: what it was about to commit is
-- committed then, or never will be.
CREATE FUNCTION reprise_end_writer(of_pid integer, since timestamptz, of_role oid, pen integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF of_pid IS NULL THEN -- it has the lock of schema version 6 and 7
    IF NOT pg_try_advisory_xact_lock(1383097710, pen) THEN
      PERFORM reprise_end_writer(pen);
      PERFORM pg_advisory_xact_lock(1383097710, pen);
    END IF;
  ELSIF of_pid NOT IN (0, pg_backend_pid()) AND reprise_is_connected(of_pid, since, of_role) THEN
    PERFORM pg_terminate_backend(of_pid, 1000);
    IF reprise_is_connected(of_pid, since, of_role) THEN
      RAISE EXCEPTION 'the connection with process id %, which writes for a node, does not end', of_pid
        USING ERRCODE = 'lock_not_available';
    END IF;
  END IF;
END $$;

-- Makes this connection the one that writes for the node, and ends the one before, whose answer was lost.
-- False if the node is fenced, or if another connection was faster.
CREATE OR REPLACE FUNCTION reprise_take_pen(of_node integer, id uuid) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  before record;
BEGIN
  SELECT writer_pid, writer_since, writer_role, lock_id INTO before
    FROM nodes
   WHERE node_key = of_node AND node = id AND NOT fenced;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  -- Before the row is locked, which that connection may have locked itself.
  PERFORM reprise_end_writer(before.writer_pid, before.writer_since, before.writer_role, before.lock_id);
  -- Waits for a fence under way, and sees it.
  UPDATE nodes
     SET writer_pid = pg_backend_pid(),
         (writer_since, writer_role) =
           (SELECT backend_start, usesysid FROM pg_stat_activity WHERE pid = pg_backend_pid())
   WHERE node_key = of_node AND node = id AND NOT fenced
     AND writer_pid IS NOT DISTINCT FROM before.writer_pid
     AND writer_since IS NOT DISTINCT FROM before.writer_since;
  RETURN FOUND;
END $$;

-- Has the lock of the row. So no other connection begins to write for the node before this is committed.
CREATE OR REPLACE FUNCTION reprise_fencing() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM reprise_end_writer(OLD.writer_pid, OLD.writer_since, OLD.writer_role, OLD.lock_id);
  RETURN coalesce(NEW, OLD);
END $$;

DROP FUNCTION reprise_end_writer(integer, timestamptz, integer);
DROP FUNCTION reprise_is_connected(integer, timestamptz);
