-- +goose Up
-- The dialling rules under which calls were dialled, by their hash.
CREATE TABLE rules_kept (
  org text COLLATE "C", sum text COLLATE "C", record bytea NOT NULL, PRIMARY KEY (org, sum)
);
