-- +goose Up
-- The heads of each organization's chains of audit entries. They change with every entry: room for updates in place.
CREATE TABLE audit_heads (
  org text COLLATE "C", lane text COLLATE "C", record bytea NOT NULL, PRIMARY KEY (org, lane)
) WITH (fillfactor = 50);
