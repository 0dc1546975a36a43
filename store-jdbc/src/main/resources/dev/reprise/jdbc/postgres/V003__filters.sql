-- What filters need that look into the attributes and the inputs of runs.

INSERT INTO schema_version (version) VALUES (3);

-- The JSON of a text; null if it is none, or none that PostgreSQL can keep.
CREATE FUNCTION reprise_json(stored text) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  RETURN stored::jsonb;
EXCEPTION
  WHEN data_exception OR program_limit_exceeded THEN
    RETURN NULL;
END $$;

-- The same for bytes as a codec wrote them, which need not be a text.
CREATE FUNCTION reprise_json(stored bytea) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  RETURN convert_from(stored, 'UTF8')::jsonb;
EXCEPTION
  WHEN data_exception OR program_limit_exceeded THEN
    RETURN NULL;
END $$;
