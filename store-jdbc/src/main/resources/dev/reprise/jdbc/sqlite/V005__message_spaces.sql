-- The sender's id of an input counts among inputs of one kind and name: a signal and an update, or two
-- signals of different names, may have the same id.

INSERT INTO schema_version (version, applied_at) VALUES (5, unixepoch() * 1000000);

DROP INDEX inbox_by_message;
CREATE UNIQUE INDEX inbox_by_message ON inbox (run_key, message, kind, name);
