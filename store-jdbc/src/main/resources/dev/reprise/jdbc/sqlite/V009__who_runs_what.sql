-- Which workflows an engine can run, so that a workflow that no engine has is noticed; and which engines
-- have left in good order, as opposed to those that the next one found.

INSERT INTO schema_version (version, applied_at) VALUES (9, unixepoch() * 1000000);

-- A JSON array, written once, when the node joins. Null if the node is of an engine of an earlier schema version.
ALTER TABLE nodes ADD COLUMN workflows TEXT;

ALTER TABLE nodes ADD COLUMN left_at INTEGER;
