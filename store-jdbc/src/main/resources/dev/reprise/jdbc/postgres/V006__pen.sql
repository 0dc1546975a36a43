-- The pen of a node: an advisory lock, on the node's lock_id, that the connection has which writes for
-- the node, as long as that connection lives. Who holds it, and has seen that the node is not fenced,
-- may write without another look at the row of the node. Who fences the node takes the pen away first.

INSERT INTO schema_version (version) VALUES (6);

-- Ends the connection that writes with the pen. Not one that has it only to fence the node. What the
-- connection was about to commit is committed or not when it has gone; the lock is free only then.
CREATE FUNCTION reprise_end_writer(pen integer) RETURNS bigint
LANGUAGE sql AS $$
  SELECT count(*) FILTER (WHERE pg_terminate_backend(pid))
    FROM pg_locks
    JOIN pg_stat_activity USING (pid)
   WHERE locktype = 'advisory' AND classid::bigint = 1383097710 AND objid::bigint = pen
     AND objsubid = 2 AND granted AND application_name = 'reprise-journal'
     AND database = datid AND datname = current_database() AND pid <> pg_backend_pid()
$$;

-- Takes the pen for this connection, away from the one before, whose answer was lost: then nothing
-- of that one comes through any more. Whether the node may write.
CREATE FUNCTION reprise_take_pen(of_node integer, pen integer) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  IF NOT pg_try_advisory_lock(1383097710, pen) THEN
    PERFORM reprise_end_writer(pen);
    PERFORM pg_advisory_lock(1383097710, pen);
  END IF;
  -- A statement of its own, and so it sees a fence for which the lock was waited.
  RETURN EXISTS (SELECT 1 FROM nodes WHERE node_key = of_node AND lock_id = pen AND NOT fenced);
END $$;

-- Whoever fences or forgets a node, and by whatever statement, has its pen when that counts.
CREATE FUNCTION reprise_fencing() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(1383097710, OLD.lock_id) THEN
    PERFORM reprise_end_writer(OLD.lock_id);
    PERFORM pg_advisory_xact_lock(1383097710, OLD.lock_id);
  END IF;
  RETURN coalesce(NEW, OLD);
END $$;

CREATE TRIGGER nodes_fencing
BEFORE UPDATE OF fenced ON nodes
FOR EACH ROW WHEN (NEW.fenced AND NOT OLD.fenced)
EXECUTE FUNCTION reprise_fencing();

CREATE TRIGGER nodes_forgetting
BEFORE DELETE ON nodes
FOR EACH ROW WHEN (NOT OLD.fenced)
EXECUTE FUNCTION reprise_fencing();
