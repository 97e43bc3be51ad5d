-- As the superuser, once. Then set the password with \password munadi.
CREATE ROLE munadi LOGIN;
CREATE DATABASE munadi OWNER munadi ENCODING 'UTF8' TEMPLATE template0;
-- Two appliances use up to 17 connections each; leave room for psql and backups.
ALTER SYSTEM SET max_connections = 60;
-- Acknowledged writes survive a power cut. This is the default; leave it on.
ALTER SYSTEM SET synchronous_commit = on;
