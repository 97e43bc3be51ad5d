-- +goose Up
-- The number of announcements of each kind of change, by which an appliance detects a missed notification.
CREATE TABLE change_counts (kind text COLLATE "C" PRIMARY KEY, n bigint NOT NULL);
