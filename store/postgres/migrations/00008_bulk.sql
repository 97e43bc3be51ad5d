-- +goose Up
-- The bulk changes of each organization; pending: one of them waits or runs.
CREATE TABLE bulk_changes (
    org text COLLATE "C" PRIMARY KEY, pending boolean NOT NULL, record bytea NOT NULL
);
CREATE INDEX bulk_changes_pending ON bulk_changes (org) WHERE pending;
