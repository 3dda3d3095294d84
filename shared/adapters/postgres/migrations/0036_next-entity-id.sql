-- RDS Proxy keeps a connection for a statement that names nextval itself; a default, or a function, it does not look into.
CREATE FUNCTION next_entity_id() RETURNS integer LANGUAGE sql AS $$ SELECT nextval('entities_id_seq')::integer $$;
