-- +goose Up
-- One table per kind of record, with the columns that queries need and the record in the embedded database's form:
-- JSON, as bytes. Times are Unix times in nanoseconds.
CREATE SEQUENCE ranks;

CREATE TABLE settings (name text PRIMARY KEY, record bytea NOT NULL);

CREATE TABLE organizations (id text COLLATE "C" PRIMARY KEY, record bytea NOT NULL);

CREATE TABLE api_keys (
  org text COLLATE "C", id text COLLATE "C", hash bytea NOT NULL UNIQUE, made bigint NOT NULL, record bytea NOT NULL,
  PRIMARY KEY (org, id), UNIQUE (id)
);

CREATE TABLE restaurant_sessions (
  org text COLLATE "C", id text COLLATE "C", touched bigint NOT NULL, record bytea NOT NULL, PRIMARY KEY (org, id)
);
CREATE INDEX restaurant_sessions_idle ON restaurant_sessions (touched);

CREATE TABLE phrases (org text COLLATE "C" PRIMARY KEY, record bytea NOT NULL);

CREATE TABLE jobs (
  org text COLLATE "C", id text COLLATE "C", status text NOT NULL, made bigint NOT NULL, queued bigint NOT NULL,
  ended bigint, callback bigint, owner text NOT NULL, record bytea NOT NULL, PRIMARY KEY (org, id)
);
CREATE INDEX jobs_made ON jobs (org, made, id);
CREATE INDEX jobs_queue ON jobs (queued, org, id) WHERE status = 'queued';
CREATE INDEX jobs_running ON jobs (owner) WHERE status = 'running';
CREATE INDEX jobs_ended ON jobs (ended) WHERE ended IS NOT NULL;
CREATE INDEX jobs_callback ON jobs (callback, org, id) WHERE callback IS NOT NULL;

-- When an organization's last job was started, for the round robin of organizations.
CREATE TABLE job_turns (org text COLLATE "C" PRIMARY KEY, served bigint NOT NULL);
CREATE TABLE job_results (org text COLLATE "C", job text COLLATE "C", record bytea NOT NULL, PRIMARY KEY (org, job));

CREATE TABLE calls (
  org text COLLATE "C", id text COLLATE "C", status text NOT NULL, number text COLLATE "C" NOT NULL,
  scenario text NOT NULL, campaign text COLLATE "C" NOT NULL, ended_by text NOT NULL, made bigint NOT NULL,
  due bigint NOT NULL, released bigint, ended bigint, sound boolean NOT NULL, worded boolean NOT NULL,
  erase boolean NOT NULL, answers text[] NOT NULL, owner text NOT NULL, record bytea NOT NULL, PRIMARY KEY (org, id)
);
CREATE INDEX calls_made ON calls (org, made, id);
CREATE INDEX calls_when ON calls (org, due, made, id);
CREATE INDEX calls_status ON calls (org, status, made, id);
CREATE INDEX calls_number ON calls (org, number, made, id);
CREATE INDEX calls_tail ON calls (org, reverse(number));
CREATE INDEX calls_answers ON calls USING gin (answers) WHERE answers <> '{}';
CREATE INDEX calls_scenario ON calls (org, scenario, made, id);
CREATE INDEX calls_campaign ON calls (org, campaign, made, id) WHERE campaign <> '';
CREATE INDEX calls_queue ON calls (org, campaign, due, made, id) WHERE status = 'scheduled';
CREATE INDEX calls_running ON calls (org, id) WHERE status IN ('dialing', 'in_progress');
CREATE INDEX calls_dialled ON calls (org, number, released) WHERE released IS NOT NULL;
CREATE INDEX calls_sound ON calls (org, ended, id) WHERE sound AND ended IS NOT NULL;
CREATE INDEX calls_worded ON calls (org, ended, id) WHERE worded AND ended IS NOT NULL;

CREATE TABLE call_words (org text COLLATE "C", call text COLLATE "C", record bytea NOT NULL, PRIMARY KEY (org, call));
CREATE TABLE call_lines (
  org text COLLATE "C", call text COLLATE "C", rank bigint, record bytea NOT NULL, PRIMARY KEY (org, call, rank)
);
CREATE TABLE removed_recordings (
  org text COLLATE "C", call text COLLATE "C", record bytea NOT NULL, PRIMARY KEY (org, call)
);


-- Counters of calls by dial time and scenario: a change inserts rows, which are summed up periodically.
CREATE TABLE call_tallies (
  org text COLLATE "C" NOT NULL, at bigint NOT NULL, scenario text COLLATE "C" NOT NULL, what text NOT NULL,
  name text NOT NULL, value text NOT NULL, n bigint NOT NULL, fresh boolean NOT NULL
);
CREATE INDEX call_tallies_at ON call_tallies (org, at, scenario);
CREATE INDEX call_tallies_fresh ON call_tallies (org, at, scenario) WHERE fresh;

CREATE TABLE receipts (
  org text COLLATE "C", name text COLLATE "C", made bigint, record bytea NOT NULL, PRIMARY KEY (org, name, made)
);
CREATE INDEX receipts_made ON receipts (made);

CREATE TABLE campaigns (
  org text COLLATE "C", id text COLLATE "C", status text NOT NULL, loading boolean NOT NULL, made bigint NOT NULL,
  owner text NOT NULL, record bytea NOT NULL, PRIMARY KEY (org, id)
);
CREATE INDEX campaigns_made ON campaigns (org, made, id);
CREATE INDEX campaigns_running ON campaigns (org, id) WHERE status = 'running';
CREATE TABLE campaign_tallies (
  org text COLLATE "C", campaign text COLLATE "C", record bytea NOT NULL, PRIMARY KEY (org, campaign)
);
CREATE TABLE campaign_skipped (
  org text COLLATE "C", campaign text COLLATE "C", record bytea NOT NULL, PRIMARY KEY (org, campaign)
);

CREATE TABLE import_memory (org text COLLATE "C" PRIMARY KEY, record bytea NOT NULL);
CREATE TABLE scenarios (org text COLLATE "C", id text COLLATE "C", record bytea NOT NULL, PRIMARY KEY (org, id));
CREATE TABLE rules (org text COLLATE "C" PRIMARY KEY, record bytea NOT NULL);
CREATE TABLE suppressions (
  org text COLLATE "C", number text COLLATE "C", record bytea NOT NULL, PRIMARY KEY (org, number)
);
CREATE TABLE webhooks (org text COLLATE "C" PRIMARY KEY, record bytea NOT NULL);

CREATE TABLE deliveries (
  org text COLLATE "C", id text COLLATE "C", call text COLLATE "C" NOT NULL, kind text NOT NULL, state text NOT NULL,
  rank bigint NOT NULL, lane text COLLATE "C" NOT NULL, place bigint NOT NULL, next_at bigint NOT NULL,
  owner text NOT NULL, record bytea NOT NULL, PRIMARY KEY (org, id)
);
CREATE INDEX deliveries_rank ON deliveries (org, rank);
CREATE INDEX deliveries_state ON deliveries (org, state, rank);
CREATE INDEX deliveries_call ON deliveries (org, call) WHERE kind = 'call';
CREATE INDEX deliveries_queue ON deliveries (org, lane, next_at, place, id) WHERE state = 'pending';

CREATE TABLE audit (org text COLLATE "C", rank bigint, record bytea NOT NULL, PRIMARY KEY (org, rank));

CREATE TABLE users (
  id text COLLATE "C" PRIMARY KEY, org text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL UNIQUE,
  record bytea NOT NULL
);
CREATE INDEX users_org ON users (org, name);
CREATE TABLE web_sessions (
  hash text COLLATE "C" PRIMARY KEY, user_id text COLLATE "C" NOT NULL, expires bigint NOT NULL, record bytea NOT NULL
);
CREATE INDEX web_sessions_user ON web_sessions (user_id);
CREATE INDEX web_sessions_expires ON web_sessions (expires);

CREATE TABLE live_sessions (
  org text COLLATE "C", id text COLLATE "C", ended bigint, owner text NOT NULL, record bytea NOT NULL,
  PRIMARY KEY (org, id)
);
CREATE INDEX live_sessions_running ON live_sessions (org, id) WHERE ended IS NULL;
CREATE TABLE live_words (
  org text COLLATE "C", session text COLLATE "C", rank bigint, record bytea NOT NULL, PRIMARY KEY (org, session, rank)
);

-- The leases of the appliances that share the database. An appliance owns the calls on its lines, its jobs and the
-- deliveries of its calls; after its deadline others take them over.
CREATE TABLE appliances (
  id text COLLATE "C" PRIMARY KEY, since timestamptz NOT NULL, deadline timestamptz NOT NULL, record bytea NOT NULL
);

-- The ids of recent transactions: an appliance that lost the answer to a commit looks its id up here.
CREATE TABLE commits (id uuid PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());
CREATE INDEX commits_at ON commits (at);
