-- +goose Up
-- The replays of each organization (pending: one of them runs), and their results.
CREATE TABLE replays (org text COLLATE "C" PRIMARY KEY, pending boolean NOT NULL, record bytea NOT NULL);
CREATE INDEX replays_pending ON replays (org) WHERE pending;
CREATE TABLE replay_results (
    org text COLLATE "C", replay text COLLATE "C", call text COLLATE "C", state text COLLATE "C" NOT NULL,
    record bytea NOT NULL, PRIMARY KEY (org, replay, call)
);
