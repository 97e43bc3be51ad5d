-- +goose Up
CREATE TABLE scenario_versions (
  org text COLLATE "C", scenario text COLLATE "C", rank bigint, record bytea NOT NULL, PRIMARY KEY (org, scenario, rank)
);
