-- +goose Up
-- shared: the upload of a job is in a bucket, so that any appliance may run it.
ALTER TABLE jobs ADD COLUMN shared boolean NOT NULL DEFAULT false;
