-- +goose Up
-- The SIP ladders and the media quality of calls.
CREATE TABLE call_traces (org text COLLATE "C", call text COLLATE "C", record bytea NOT NULL, PRIMARY KEY (org, call));

-- The SIP trunks that were set in the console.
CREATE TABLE trunk_settings (org text COLLATE "C" PRIMARY KEY, record bytea NOT NULL);
