-- Batches that are stored in the expectation that no workflow exists and no input waits.

INSERT INTO schema_version (version) VALUES (5);

-- Refuses a batch in which a run is to end that cannot. It is tried again with more care, and the
-- run goes on. Never returns.
CREATE FUNCTION reprise_not_now(of_run bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'run % does not end at once: an input waits, or somebody sends one', of_run
        USING ERRCODE = 'RP003';
END $$;
