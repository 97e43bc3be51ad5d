-- +goose Up
-- The alerts of each organization, and the queue of their e-mails.
CREATE TABLE alerts (org text COLLATE "C" PRIMARY KEY, record bytea NOT NULL);
