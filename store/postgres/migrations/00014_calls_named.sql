-- +goose Up
-- The folded words of the person's name, by whose beginnings calls are found.
ALTER TABLE calls ADD COLUMN names text[] NOT NULL DEFAULT '{}';
CREATE INDEX calls_names ON calls USING gin (array_to_tsvector(names)) WHERE names <> '{}';
