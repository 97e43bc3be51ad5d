-- +goose Up
-- The settings of inbound calls, the owners of their routes' numbers, and the direction of calls.
CREATE TABLE inbound_settings (org text COLLATE "C" PRIMARY KEY, record bytea NOT NULL);
CREATE TABLE inbound_routes (number text COLLATE "C" PRIMARY KEY, record bytea NOT NULL);
ALTER TABLE calls ADD COLUMN direction text COLLATE "C" NOT NULL DEFAULT 'outbound';
CREATE INDEX calls_inbound ON calls (org, made, id) WHERE direction = 'inbound';
