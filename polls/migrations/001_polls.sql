-- +goose Up

-- Moments are microseconds since 1970. Names that are looked up without case are
-- kept twice: as typed, and folded in a column that ends in _key.

-- marks are raised by changes that many cached answers depend on: `people` when
-- a name, a portrait or a suspension changes, `feed` when a poll enters or leaves
-- the recent list.
CREATE TABLE marks (
    name  TEXT PRIMARY KEY,
    value BIGINT NOT NULL
);
INSERT INTO marks (name, value) VALUES ('people', 1), ('feed', 1);

-- secrets are sealed with the key of the installation, which `check` proves.
CREATE TABLE secrets (
    purpose TEXT NOT NULL,
    number  INTEGER NOT NULL,
    sealed  {{bytes}} NOT NULL,
    retired BOOLEAN NOT NULL,
    PRIMARY KEY (purpose, number)
);

{{sequence "user_ids"}};
CREATE TABLE users (
    id              {{id}} PRIMARY KEY,
    username        TEXT NOT NULL,
    username_key    TEXT NOT NULL UNIQUE,
    email           TEXT NOT NULL,
    email_key       TEXT NOT NULL UNIQUE,
    password        TEXT NOT NULL,
    name            TEXT NOT NULL,
    location        TEXT NOT NULL,
    website         TEXT NOT NULL,
    about           TEXT NOT NULL,
    social_username TEXT NOT NULL,
    operator        BOOLEAN NOT NULL,
    confirmed       BOOLEAN NOT NULL,
    suspended       BOOLEAN NOT NULL,
    created_at      BIGINT NOT NULL
);

CREATE TABLE tokens (
    hash       {{bytes}} PRIMARY KEY,
    user_id    BIGINT NOT NULL REFERENCES users (id),
    created_at BIGINT NOT NULL,
    used_at    BIGINT NOT NULL
);
CREATE INDEX tokens_of_user ON tokens (user_id, used_at);
CREATE INDEX tokens_by_use ON tokens (used_at);

CREATE TABLE follows (
    follower_id BIGINT NOT NULL REFERENCES users (id),
    followed_id BIGINT NOT NULL REFERENCES users (id),
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (follower_id, followed_id)
);
CREATE INDEX followers ON follows (followed_id);

-- state: 0 without image, 1 ready, 2 deleted, 3 hidden by an operator. version is raised by every change.
-- peak_votes is the most standing votes that the poll ever had.
-- upload_key and upload_type are what the form that was handed out last allows;
-- upload_file is where the uploaded original is kept, empty until there is one.
-- picture is the unguessable part of the thumbnails' names, empty until ready.
-- cleared says what a deleted poll has lost for good: 0 nothing, 1 its files, 2 its
-- votes, comments and favorites too.
{{sequence "poll_ids"}};
{{sequence "image_ids"}};
CREATE TABLE polls (
    id                   {{id}} PRIMARY KEY,
    version              BIGINT NOT NULL,
    state                SMALLINT NOT NULL,
    creator_id           BIGINT NOT NULL REFERENCES users (id),
    caption              TEXT NOT NULL,
    choice1              TEXT NOT NULL,
    choice2              TEXT NOT NULL,
    private              BOOLEAN NOT NULL,
    first_votes          BIGINT NOT NULL,
    second_votes         BIGINT NOT NULL,
    peak_votes           BIGINT NOT NULL,
    favorite_count       BIGINT NOT NULL,
    comment_count        BIGINT NOT NULL,
    image_id             BIGINT NOT NULL UNIQUE,
    upload_key           TEXT NOT NULL,
    upload_type          TEXT NOT NULL,
    upload_file          TEXT NOT NULL DEFAULT '',
    picture              TEXT NOT NULL,
    picture_type         TEXT NOT NULL,
    medium_width         INTEGER NOT NULL,
    medium_height        INTEGER NOT NULL,
    large_width          INTEGER NOT NULL,
    large_height         INTEGER NOT NULL,
    first_full_url       TEXT NOT NULL,
    first_context_url    TEXT NOT NULL,
    first_public_domain  BOOLEAN,
    second_full_url      TEXT NOT NULL,
    second_context_url   TEXT NOT NULL,
    second_public_domain BOOLEAN,
    created_at           BIGINT NOT NULL,
    ready_at             BIGINT NOT NULL,
    deleted_at           BIGINT NOT NULL,
    cleared              SMALLINT NOT NULL DEFAULT 0
);
CREATE INDEX polls_in_feed ON polls (id) WHERE state = 1 AND NOT private;
CREATE INDEX polls_of_creator ON polls (creator_id, id);
CREATE INDEX polls_waiting ON polls (created_at) WHERE state = 0;
CREATE INDEX polls_by_upload ON polls (upload_key) WHERE state = 0;
CREATE INDEX polls_to_clear ON polls (cleared, deleted_at) WHERE state = 2 AND cleared < 2;

{{sequence "tag_ids"}};
CREATE TABLE tags (
    id   {{id}} PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);
CREATE TABLE poll_tags (
    tag_id  BIGINT NOT NULL REFERENCES tags (id),
    poll_id BIGINT NOT NULL REFERENCES polls (id),
    PRIMARY KEY (tag_id, poll_id)
);
CREATE INDEX tags_of_poll ON poll_tags (poll_id);

-- voter is what stands for a person here: u and an account's number, or a and a
-- keyed hash of an anonymous id, which itself is a credential and not stored.
{{sequence "vote_ids"}};
CREATE TABLE votes (
    poll_id    BIGINT {{not_null}},
    voter      TEXT {{not_null}},
    id         BIGINT {{not_null}},
    user_id    BIGINT,
    choice     SMALLINT {{not_null}},
    cast_at    BIGINT {{not_null}},
    changed_at BIGINT {{not_null}},
    embed_id   BIGINT,
    view_id    TEXT,
    voting_ms  BIGINT {{not_null}},
    PRIMARY KEY (poll_id, voter)
){{without_rowid}};
CREATE INDEX votes_recent ON votes (poll_id, changed_at, id);
CREATE INDEX votes_of_user ON votes (user_id) WHERE user_id IS NOT NULL;
-- It has all that statistics ask of a vote.
CREATE INDEX votes_of_embed ON votes (embed_id, poll_id, voter, cast_at, voting_ms) WHERE embed_id IS NOT NULL;

{{sequence "comment_ids"}};
CREATE TABLE comments (
    id         {{id}} PRIMARY KEY,
    poll_id    BIGINT NOT NULL REFERENCES polls (id),
    user_id    BIGINT NOT NULL REFERENCES users (id),
    body       TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX comments_of_poll ON comments (poll_id, id);
CREATE INDEX comments_of_user ON comments (user_id);

CREATE TABLE favorites (
    user_id    BIGINT NOT NULL REFERENCES users (id),
    poll_id    BIGINT NOT NULL REFERENCES polls (id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, poll_id)
);
CREATE INDEX favorites_of_poll ON favorites (poll_id);

{{sequence "publisher_ids"}};
CREATE TABLE publishers (
    id           {{id}} PRIMARY KEY,
    name         TEXT NOT NULL UNIQUE,
    display_name TEXT NOT NULL,
    viewers      BIGINT NOT NULL DEFAULT 0,
    created_at   BIGINT NOT NULL
);
-- A user is in at most one team.
CREATE TABLE members (
    user_id      {{id}} PRIMARY KEY REFERENCES users (id),
    publisher_id BIGINT NOT NULL REFERENCES publishers (id),
    owner        BOOLEAN NOT NULL,
    created_at   BIGINT NOT NULL
);
CREATE INDEX members_of_publisher ON members (publisher_id);

{{sequence "poll_set_ids"}};
CREATE TABLE poll_sets (
    id           {{id}} PRIMARY KEY,
    publisher_id BIGINT NOT NULL REFERENCES publishers (id),
    name         TEXT NOT NULL,
    display_name TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL,
    UNIQUE (publisher_id, name)
);
CREATE TABLE poll_set_polls (
    poll_set_id BIGINT NOT NULL REFERENCES poll_sets (id),
    position    INTEGER NOT NULL,
    poll_id     BIGINT NOT NULL REFERENCES polls (id),
    PRIMARY KEY (poll_set_id, position)
);
CREATE INDEX sets_of_poll ON poll_set_polls (poll_id);

-- kind: poll, set or tag; target_id is the id of that thing. views and viewers
-- are how many rows embed_views and embed_viewers have; likewise the viewers of
-- publishers.
{{sequence "embed_ids"}};
CREATE TABLE embeds (
    id           {{id}} PRIMARY KEY,
    publisher_id BIGINT NOT NULL REFERENCES publishers (id),
    name         TEXT NOT NULL,
    kind         TEXT NOT NULL,
    target_id    BIGINT NOT NULL,
    views        BIGINT NOT NULL DEFAULT 0,
    viewers      BIGINT NOT NULL DEFAULT 0,
    created_at   BIGINT NOT NULL,
    UNIQUE (publisher_id, name, kind, target_id)
);
-- viewer is as in the votes: of the first who came with the view.
CREATE TABLE embed_views (
    embed_id BIGINT NOT NULL REFERENCES embeds (id),
    view_id  TEXT NOT NULL,
    viewer   TEXT NOT NULL,
    seen_at  BIGINT NOT NULL,
    PRIMARY KEY (embed_id, view_id)
){{without_rowid}};
CREATE TABLE embed_viewers (
    embed_id BIGINT NOT NULL REFERENCES embeds (id),
    viewer   TEXT NOT NULL,
    PRIMARY KEY (embed_id, viewer)
){{without_rowid}};
CREATE TABLE publisher_viewers (
    publisher_id BIGINT NOT NULL REFERENCES publishers (id),
    viewer       TEXT NOT NULL,
    PRIMARY KEY (publisher_id, viewer)
){{without_rowid}};
CREATE TABLE placements (
    publisher_id BIGINT NOT NULL REFERENCES publishers (id),
    name         TEXT NOT NULL,
    kind         TEXT NOT NULL,
    target_id    BIGINT NOT NULL,
    PRIMARY KEY (publisher_id, name)
);

-- What a request with an Idempotency-Key was answered.
CREATE TABLE answers (
    caller       TEXT NOT NULL,
    key          TEXT NOT NULL,
    request_hash {{bytes}} NOT NULL,
    status       INTEGER NOT NULL,
    body         {{bytes}} NOT NULL,
    location     TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    PRIMARY KEY (caller, key)
);
CREATE INDEX answers_by_age ON answers (created_at);

-- leases let one process at a time do something. Whoever finds a lease that is over
-- takes it.
CREATE TABLE leases (
    name   TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    until  BIGINT NOT NULL
);
