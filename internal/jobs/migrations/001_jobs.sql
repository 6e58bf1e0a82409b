-- +goose Up

-- Moments are microseconds since 1970.

-- A job is `waiting` (it may begin when it is due), `running`, or `given_up`: then
-- due is when that was, and the row is kept for a while to be looked at. One that
-- is done has no row.
{{sequence "job_ids"}};
CREATE TABLE jobs (
    id       BIGINT PRIMARY KEY,
    kind     TEXT NOT NULL,
    lane     TEXT NOT NULL,
    args     TEXT NOT NULL,    -- JSON
    once     TEXT,             -- the key that no second job of the kind may have
    priority BIGINT NOT NULL,  -- small numbers first
    state    TEXT NOT NULL,
    due      BIGINT NOT NULL,
    failures BIGINT NOT NULL,  -- tries that returned an error
    deaths   BIGINT NOT NULL,  -- tries that ended with their process
    lease    BIGINT NOT NULL,  -- raised when it is taken and when it is taken away
    worker   TEXT,             -- who runs it
    ending   BOOLEAN NOT NULL, -- it is not tried any more, but that was not told yet
    error    TEXT NOT NULL,    -- the last one
    trace    TEXT NOT NULL,    -- traceparent of who has added it, empty for none
    UNIQUE (kind, once)
);
CREATE INDEX jobs_waiting ON jobs (lane, priority, due, id) WHERE state = 'waiting';
CREATE INDEX jobs_worker ON jobs (worker) WHERE worker IS NOT NULL;
CREATE INDEX jobs_given_up ON jobs (due) WHERE state = 'given_up';

-- A worker raises its beat as long as it runs jobs. When the beat stands still its
-- jobs are taken away.
CREATE TABLE job_workers (
    id   TEXT PRIMARY KEY,
    beat BIGINT NOT NULL
);

-- When a job that comes again and again was last added.
CREATE TABLE job_turns (
    kind TEXT PRIMARY KEY,
    last BIGINT NOT NULL
);
