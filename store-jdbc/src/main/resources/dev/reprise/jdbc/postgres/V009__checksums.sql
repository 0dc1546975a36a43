-- Damage is noticed: a checksum of each event, of each input that waits, and of the first event of a run
-- that waits on a queue. Null in rows of earlier releases, and in rows that were changed by hand and
-- are to count as they are.

INSERT INTO schema_version (version) VALUES (9);

ALTER TABLE events ADD COLUMN checksum integer;
ALTER TABLE inbox ADD COLUMN checksum integer;
ALTER TABLE tasks ADD COLUMN start_checksum integer;
