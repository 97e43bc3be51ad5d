-- +goose Up
-- The SIP ladders and the media quality of calls.
CREATE TABLE call_traces (org text COLLATE "C", call text COLLATE "C", record bytea NOT NULL, PRIMARY KEY (org, call));
