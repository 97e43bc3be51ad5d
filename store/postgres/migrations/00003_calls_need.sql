-- +goose Up
-- Calls that a person must follow up.
ALTER TABLE calls ADD COLUMN need boolean NOT NULL DEFAULT false;
CREATE INDEX calls_need ON calls (org, due, made, id) WHERE need;
