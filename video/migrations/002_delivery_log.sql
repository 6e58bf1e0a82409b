-- +goose Up

-- took is how long the last try was, in microseconds. again: an operator had an event
-- sent once more.
ALTER TABLE video_deliveries ADD COLUMN took BIGINT NOT NULL DEFAULT 0;
ALTER TABLE video_deliveries ADD COLUMN again BOOLEAN NOT NULL DEFAULT FALSE;
