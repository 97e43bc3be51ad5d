-- +goose Up
-- The destinations of events, the deliveries of events to them, and the bodies that were sent.
CREATE TABLE destinations (org text COLLATE "C" PRIMARY KEY, record bytea NOT NULL);

CREATE TABLE event_deliveries (
  org text COLLATE "C", destination text COLLATE "C", id text COLLATE "C", subject text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL, made bigint NOT NULL, next_at bigint NOT NULL, ended bigint, owner text NOT NULL,
  record bytea NOT NULL, PRIMARY KEY (org, destination, id)
);
CREATE INDEX event_deliveries_made ON event_deliveries (org, destination, made, id);
CREATE INDEX event_deliveries_state ON event_deliveries (org, destination, state, made, id);
CREATE INDEX event_deliveries_subject ON event_deliveries (org, subject, destination, id);
CREATE INDEX event_deliveries_ended ON event_deliveries (ended, org, destination, id) WHERE ended IS NOT NULL;
CREATE INDEX event_deliveries_queue ON event_deliveries (org, destination, next_at, made, id) WHERE state = 'pending';

CREATE TABLE event_bodies (
  org text COLLATE "C", destination text COLLATE "C", id text COLLATE "C", record bytea NOT NULL,
  PRIMARY KEY (org, destination, id)
);
