-- +goose Up
-- How often each kind of change was announced: an appliance that missed a notification sees here that it did.
CREATE TABLE change_counts (kind text COLLATE "C" PRIMARY KEY, n bigint NOT NULL);
