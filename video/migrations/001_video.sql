-- +goose Up

-- Moments are microseconds since 1970. What is looked up without case is kept
-- twice: as typed, and folded in a column that ends in _key.

-- video_secrets are sealed with the key of the installation, which `check` proves.
CREATE TABLE video_secrets (
    purpose TEXT PRIMARY KEY,
    sealed  {{bytes}} NOT NULL
);

-- An API key belongs to a project, and so does everything that is made with it.
-- uploads, writes and reads are its limits a minute; 0 is the environment's own figure.
CREATE TABLE video_keys (
    name       TEXT PRIMARY KEY,
    project    TEXT NOT NULL,
    hash       {{bytes}} NOT NULL UNIQUE,
    uploads    INTEGER NOT NULL,
    writes     INTEGER NOT NULL,
    reads      INTEGER NOT NULL,
    suspended  BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL
);

-- Tokens that stand for a key: for an hour, or to get another pair.
CREATE TABLE video_access (
    hash       {{bytes}} PRIMARY KEY,
    key_name   TEXT NOT NULL REFERENCES video_keys (name) ON DELETE CASCADE,
    refresh    BOOLEAN NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX video_access_by_end ON video_access (expires_at);
CREATE INDEX video_access_of_key ON video_access (key_name);

-- state: 0 there, 1 discarded, 2 deleted: its rows and files are being removed.
-- source_type: '' none yet, upload, url, copy, liveStream.
-- ingest: 0 nothing or parts of a source, 1 uploaded, 2 ingesting, 3 ingested.
-- upload_form: '' none, whole, part, bytes; upload_total: parts or bytes, 0 not known.
-- upload_token and upload_name find an upload whose later pieces name no video.
-- clip and watermark are JSON as asked for at creation, '' none.
-- thumbnail names the file of the poster, '' none; thumbnail_at is the asked timecode.
-- title_order is the beginning of title_key as bytes, whose order no locale changes.
-- version is raised by every change that an answer or a page shows.
CREATE TABLE videos (
    id              TEXT PRIMARY KEY,
    project         TEXT NOT NULL,
    state           SMALLINT NOT NULL,
    version         BIGINT NOT NULL,
    title           TEXT NOT NULL,
    title_key       TEXT NOT NULL,
    title_order     {{bytes}} NOT NULL,
    description     TEXT NOT NULL,
    description_key TEXT NOT NULL,
    public          BOOLEAN NOT NULL,
    panoramic       BOOLEAN NOT NULL,
    mp4_support     BOOLEAN NOT NULL,
    player_id       TEXT NOT NULL,
    language        TEXT NOT NULL,
    live_stream_id  TEXT NOT NULL,
    clip            TEXT NOT NULL,
    watermark       TEXT NOT NULL,
    thumbnail       TEXT NOT NULL,
    thumbnail_at    TEXT NOT NULL,
    source_type     TEXT NOT NULL,
    source_from     TEXT NOT NULL,
    ingest          SMALLINT NOT NULL,
    upload_form     TEXT NOT NULL,
    upload_total    BIGINT NOT NULL,
    upload_token    TEXT NOT NULL,
    upload_name     TEXT NOT NULL,
    source_size     BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    published_at    BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    discarded_at    BIGINT NOT NULL,
    deletes_at      BIGINT NOT NULL
);
CREATE INDEX videos_by_creation ON videos (project, state, created_at, id);
CREATE INDEX videos_by_update ON videos (project, state, updated_at, id);
CREATE INDEX videos_by_publication ON videos (project, state, published_at, id);
CREATE INDEX videos_by_title ON videos (project, state, title_order, id);
CREATE INDEX videos_of_live_stream ON videos (live_stream_id, id);
CREATE INDEX videos_of_player ON videos (player_id);
CREATE INDEX videos_of_upload_token ON videos (upload_token, upload_name);
CREATE INDEX videos_by_end ON videos (state, deletes_at);
CREATE INDEX videos_without_source ON videos (created_at) WHERE ingest IN (0, 2);
CREATE INDEX videos_of_original ON videos (source_from) WHERE source_type = 'copy';

-- How many videos a project has in a state, so that no list has to count them.
CREATE TABLE video_counts (
    project TEXT NOT NULL,
    state   SMALLINT NOT NULL,
    videos  BIGINT NOT NULL,
    PRIMARY KEY (project, state)
);

-- tag_key is without accents too.
CREATE TABLE video_tags (
    video_id TEXT NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    tag      TEXT NOT NULL,
    tag_key  TEXT NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (video_id, tag)
);
CREATE INDEX videos_of_tag ON video_tags (tag, video_id);

CREATE TABLE video_metadata (
    video_id TEXT NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    key      TEXT NOT NULL,
    value    TEXT NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (video_id, key)
);

-- The parts of a source that were received, in the order of number: that of the part,
-- or the first byte. blob is the key of the bytes.
CREATE TABLE video_parts (
    video_id TEXT NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    number   BIGINT NOT NULL,
    size     BIGINT NOT NULL,
    blob     TEXT NOT NULL,
    PRIMARY KEY (video_id, number)
);

-- A file of a source that is being stored, and that is no video's yet. Its row comes
-- before its bytes and goes with the commit that gives them to a video, so what a
-- process leaves behind when it dies is found. dropped: nobody may have it any more.
CREATE TABLE video_arrivals (
    blob     TEXT PRIMARY KEY,
    dropped  BOOLEAN NOT NULL,
    begun_at BIGINT NOT NULL
);
CREATE INDEX video_arrivals_by_age ON video_arrivals (begun_at);

-- The encoding of a source. state: 0 waiting, 1 encoding, 2 encoded, 3 failed.
-- media is what the source is, plan what is made of it, storyboard its small pictures,
-- all JSON; problem is a sentence for people.
CREATE TABLE video_encodings (
    video_id   TEXT PRIMARY KEY REFERENCES videos (id) ON DELETE CASCADE,
    state      SMALLINT NOT NULL,
    playable   BOOLEAN NOT NULL,
    media      TEXT NOT NULL,
    plan       TEXT NOT NULL,
    problem    TEXT NOT NULL,
    storyboard TEXT NOT NULL,
    mp4_size   BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

-- type: hls or mp4; status: waiting, encoding, encoded, failed.
CREATE TABLE video_qualities (
    video_id TEXT NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    type     TEXT NOT NULL,
    height   INTEGER NOT NULL,
    status   TEXT NOT NULL,
    PRIMARY KEY (video_id, type, height)
);

-- A chunk is encoded in one go, number -1 is the sound of the whole. run counts who
-- began to: only the last one may go on. kept is how many segments of every track are
-- stored, segments what is known of them, as JSON. done: these are all.
CREATE TABLE video_chunks (
    video_id TEXT NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    number   INTEGER NOT NULL,
    run      INTEGER NOT NULL,
    kept     INTEGER NOT NULL,
    done     BOOLEAN NOT NULL,
    segments TEXT NOT NULL,
    PRIMARY KEY (video_id, number)
);

-- WebVTT files that go with a video. kind: captions, chapters. blob is the key of the
-- file, a new one for every version.
CREATE TABLE video_tracks (
    video_id   TEXT NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
    kind       TEXT NOT NULL,
    language   TEXT NOT NULL,
    is_default BOOLEAN NOT NULL,
    blob       TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (video_id, kind, language)
);

-- takeaways is a JSON list. written: somebody has, so the summary is complete.
CREATE TABLE video_summaries (
    id         TEXT PRIMARY KEY,
    project    TEXT NOT NULL,
    video_id   TEXT NOT NULL UNIQUE REFERENCES videos (id) ON DELETE CASCADE,
    origin     TEXT NOT NULL,
    status     TEXT NOT NULL,
    abstract   TEXT NOT NULL,
    takeaways  TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX video_summaries_of_project ON video_summaries (project, created_at);

-- An upload token is shown again in lists, so it is kept as it is. expires_at 0: never.
CREATE TABLE video_upload_tokens (
    token      TEXT PRIMARY KEY,
    project    TEXT NOT NULL,
    ttl        BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX video_upload_tokens_of_project ON video_upload_tokens (project, created_at);

-- deleted_at 0: it is not. A deleted one is kept for videos that are still to be made
-- with it.
CREATE TABLE video_watermarks (
    id         TEXT PRIMARY KEY,
    project    TEXT NOT NULL,
    blob       TEXT NOT NULL,
    width      INTEGER NOT NULL,
    height     INTEGER NOT NULL,
    created_at BIGINT NOT NULL,
    deleted_at BIGINT NOT NULL
);
CREATE INDEX video_watermarks_of_project ON video_watermarks (project, created_at);

-- look is JSON: colours and switches. name_key is bytes, whose order no locale changes.
-- logo names the file, '' none; link is where it leads.
CREATE TABLE video_players (
    id         TEXT PRIMARY KEY,
    project    TEXT NOT NULL,
    name       TEXT NOT NULL,
    name_key   {{bytes}} NOT NULL,
    look       TEXT NOT NULL,
    logo       TEXT NOT NULL,
    link       TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX video_players_of_project ON video_players (project, created_at);

-- events is a JSON list of names.
CREATE TABLE video_webhooks (
    id         TEXT PRIMARY KEY,
    project    TEXT NOT NULL,
    url        TEXT NOT NULL,
    events     TEXT NOT NULL,
    sealed     {{bytes}} NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX video_webhooks_of_project ON video_webhooks (project, created_at);

-- What was sent to webhooks. status is that of the last answer, 0 none; problem says why.
CREATE TABLE video_deliveries (
    id         TEXT PRIMARY KEY,
    webhook_id TEXT NOT NULL REFERENCES video_webhooks (id) ON DELETE CASCADE,
    event      TEXT NOT NULL,
    body       TEXT NOT NULL,
    tries      INTEGER NOT NULL,
    status     INTEGER NOT NULL,
    problem    TEXT NOT NULL,
    done       BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX video_deliveries_of_webhook ON video_deliveries (webhook_id, created_at);
CREATE INDEX video_deliveries_by_age ON video_deliveries (created_at);

-- A private token that was used, and when the session that it opened ends.
CREATE TABLE video_sessions (
    token      {{bytes}} PRIMARY KEY,
    expires_at BIGINT NOT NULL
);
CREATE INDEX video_sessions_by_end ON video_sessions (expires_at);

-- A live stream is what broadcasts are sent to, by whoever has its key, which is shown
-- again in lists, so it is kept as it is. restreams is a JSON list. thumbnail names the
-- file that was sent, '' none. name_order is the beginning of name_key as bytes.
-- version is raised by every change that an answer or a page shows.
CREATE TABLE live_streams (
    id         TEXT PRIMARY KEY,
    project    TEXT NOT NULL,
    version    BIGINT NOT NULL,
    name       TEXT NOT NULL,
    name_key   TEXT NOT NULL,
    name_order {{bytes}} NOT NULL,
    stream_key TEXT NOT NULL UNIQUE,
    public     BOOLEAN NOT NULL,
    player_id  TEXT NOT NULL,
    restreams  TEXT NOT NULL,
    thumbnail  TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX live_streams_by_creation ON live_streams (project, created_at, id);
CREATE INDEX live_streams_by_update ON live_streams (project, updated_at, id);
CREATE INDEX live_streams_by_name ON live_streams (project, name_order, id);
CREATE INDEX live_streams_of_player ON live_streams (player_id);

-- A broadcast goes on while its publisher is there, and for a minute after he has left.
-- run counts those who published: only the last may write. on_air: frames come, the last
-- one at about seen_at, which tells of a process that has died. started_at 0: none has
-- come yet; left_at 0: the publisher is there.
-- ended: another one may begin, and what was cut last of this one may still be stored;
-- recorded: nothing is, and its recording, video_id, is there if there was anything. It
-- is made of files that are there already. The stream may be deleted by then, so title,
-- public and player_id are kept with the end.
CREATE TABLE live_broadcasts (
    id             TEXT PRIMARY KEY,
    live_stream_id TEXT NOT NULL,
    project        TEXT NOT NULL,
    video_id       TEXT NOT NULL,
    run            INTEGER NOT NULL,
    on_air         BOOLEAN NOT NULL,
    ended          BOOLEAN NOT NULL,
    recorded       BOOLEAN NOT NULL,
    version        BIGINT NOT NULL,
    title          TEXT NOT NULL,
    public         BOOLEAN NOT NULL,
    player_id      TEXT NOT NULL,
    started_at     BIGINT NOT NULL,
    seen_at        BIGINT NOT NULL,
    left_at        BIGINT NOT NULL,
    ended_at       BIGINT NOT NULL
);
CREATE UNIQUE INDEX live_broadcast_open ON live_broadcasts (live_stream_id) WHERE NOT ended;
CREATE INDEX live_broadcasts_unrecorded ON live_broadcasts (seen_at) WHERE NOT recorded;
CREATE INDEX live_broadcasts_of_stream ON live_broadcasts (live_stream_id, started_at);

-- The heads of a broadcast's tracks: what players need before segments.
CREATE TABLE live_heads (
    broadcast_id TEXT NOT NULL REFERENCES live_broadcasts (id) ON DELETE CASCADE,
    track        TEXT NOT NULL,
    number       INTEGER NOT NULL,
    codec        TEXT NOT NULL,
    clock        BIGINT NOT NULL,
    width        INTEGER NOT NULL,
    height       INTEGER NOT NULL,
    PRIMARY KEY (broadcast_id, track, number)
);

-- The segments that are stored, with times in units of their track's clock. broken: it
-- does not go on from the one before. at is when its first frame came.
CREATE TABLE live_segments (
    broadcast_id TEXT NOT NULL REFERENCES live_broadcasts (id) ON DELETE CASCADE,
    track        TEXT NOT NULL,
    number       INTEGER NOT NULL,
    head         INTEGER NOT NULL,
    broken       BOOLEAN NOT NULL,
    start        BIGINT NOT NULL,
    duration     BIGINT NOT NULL,
    at           BIGINT NOT NULL,
    parts        INTEGER NOT NULL,
    frames       INTEGER NOT NULL,
    size         BIGINT NOT NULL,
    first_frame  BIGINT NOT NULL,
    PRIMARY KEY (broadcast_id, track, number)
);

-- The newest parts, where other processes serve viewers too.
CREATE TABLE live_parts (
    broadcast_id TEXT NOT NULL REFERENCES live_broadcasts (id) ON DELETE CASCADE,
    track        TEXT NOT NULL,
    segment      INTEGER NOT NULL,
    number       INTEGER NOT NULL,
    duration     BIGINT NOT NULL,
    independent  BOOLEAN NOT NULL,
    PRIMARY KEY (broadcast_id, track, segment, number)
);
