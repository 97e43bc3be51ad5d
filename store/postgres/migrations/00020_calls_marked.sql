-- +goose Up
-- The time since when a person must follow a call up, and who took it. Older versions do not write them: the store
-- does at its start.
ALTER TABLE calls ADD COLUMN marked bigint NOT NULL DEFAULT 0;
ALTER TABLE calls ADD COLUMN taker text COLLATE "C" NOT NULL DEFAULT '';
CREATE INDEX calls_marked ON calls (org, marked, made, id) INCLUDE (taker) WHERE need;
