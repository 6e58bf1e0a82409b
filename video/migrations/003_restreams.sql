-- +goose Up

-- How it stands with the restreams of a live stream, number being the place in its list.
-- target says what the row is about: the list may have changed since. It holds while
-- somebody publishes.
CREATE TABLE live_restreams (
    live_stream_id TEXT NOT NULL REFERENCES live_streams (id) ON DELETE CASCADE,
    number         INTEGER NOT NULL,
    target         TEXT NOT NULL,
    phase          TEXT NOT NULL,
    message        TEXT NOT NULL,
    lost           BIGINT NOT NULL,
    changed_at     BIGINT NOT NULL,
    PRIMARY KEY (live_stream_id, number)
);
