-- +goose Up
-- The mail server that was set in the console.
CREATE TABLE mail_settings (org text COLLATE "C" PRIMARY KEY, record bytea NOT NULL);
