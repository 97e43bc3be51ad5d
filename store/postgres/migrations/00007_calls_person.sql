-- +goose Up
-- person: for the deciding call of a campaign's person, the group in which the person is counted; else empty.
ALTER TABLE calls ADD COLUMN person text COLLATE "C" NOT NULL DEFAULT '';
