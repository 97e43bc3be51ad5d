-- +goose Up
-- The erasures of people that are in progress.
CREATE TABLE erasures (
  org text COLLATE "C", number text COLLATE "C", record bytea NOT NULL, PRIMARY KEY (org, number)
);
