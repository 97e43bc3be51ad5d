-- +goose Up
-- How far the audit trail of each organization was forwarded to the syslog server.
CREATE TABLE audit_forwardings (org text COLLATE "C" PRIMARY KEY, record bytea NOT NULL);
