-- +goose Up
-- Of calls that decide for a person of their campaign: the group of people to which they count the person.
ALTER TABLE calls ADD COLUMN person text COLLATE "C" NOT NULL DEFAULT '';
