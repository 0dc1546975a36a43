-- Which workflows an engine can run, so that a workflow that no engine has is noticed; and which engines
-- have left in good order, as opposed to those that others have fenced.

INSERT INTO schema_version (version) VALUES (13);

-- Written once, when the node joins. Null if the node is of an engine of an earlier schema version.
ALTER TABLE nodes
  ADD COLUMN workflows text[],
  ADD COLUMN left_at   timestamptz;
