-- The sender's id of an input counts among inputs of one kind and name: a signal and an update, or two
-- signals of different names, may have the same id.

INSERT INTO schema_version (version) VALUES (7);

ALTER TABLE inbox ALTER COLUMN kind TYPE text COLLATE "C";
ALTER TABLE inbox ALTER COLUMN name TYPE text COLLATE "C";
ALTER TABLE inbox DROP CONSTRAINT inbox_run_key_message_key;
ALTER TABLE inbox ADD CONSTRAINT inbox_by_message UNIQUE (run_key, message, kind, name);
