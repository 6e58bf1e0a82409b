-- +goose Up

-- When an operator hid a poll that is in state 3, and which account it was.
ALTER TABLE polls ADD COLUMN hidden_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE polls ADD COLUMN hidden_by BIGINT NOT NULL DEFAULT 0;

-- What was made on each day.
CREATE INDEX polls_by_creation ON polls (created_at);
CREATE INDEX users_by_creation ON users (created_at);
