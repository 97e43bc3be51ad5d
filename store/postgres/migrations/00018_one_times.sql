-- +goose Up
-- What is accepted once until it expires: challenges of passkeys, ids of logout tokens.
CREATE TABLE one_times (hash text COLLATE "C" PRIMARY KEY, expires bigint NOT NULL, record bytea NOT NULL);
CREATE INDEX one_times_expires ON one_times (expires);
