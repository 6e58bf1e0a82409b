-- +goose Up

-- Moments are microseconds since 1970 by our clock, -1 for "not yet". An hour is
-- the number of hours since 1970, a day that of days.

-- analytics_keys turn an address and a user agent into a viewer. Each is thrown
-- away with its day, and after that nobody can find a person in the rows.
CREATE TABLE analytics_keys (
    day BIGINT PRIMARY KEY,
    key {{bytes}} NOT NULL
);

-- analytics_audiences are who watches, as far as it is kept. The id is a hash of
-- the rest. used_on is a day.
CREATE TABLE analytics_audiences (
    id        BIGINT PRIMARY KEY,
    continent TEXT NOT NULL,
    country   TEXT NOT NULL,
    device    TEXT NOT NULL,
    system    TEXT NOT NULL,
    browser   TEXT NOT NULL,
    referrer  TEXT NOT NULL,
    used_on   BIGINT NOT NULL
);

-- analytics_playbacks are loadings of a media in a page. anchor_at is the first
-- play, or the first event when none has come: what was watched counts there.
-- state is what later events are joined to.
CREATE TABLE analytics_playbacks (
    id            {{bytes}} PRIMARY KEY,
    project       TEXT NOT NULL,
    media         TEXT NOT NULL,
    live          BOOLEAN NOT NULL,
    audience      BIGINT NOT NULL,
    session       BIGINT NOT NULL,
    viewer        BIGINT NOT NULL,
    first_at      BIGINT NOT NULL,
    last_at       BIGINT NOT NULL,
    impression_at BIGINT NOT NULL,
    play_at       BIGINT NOT NULL,
    end_at        BIGINT NOT NULL,
    anchor_at     BIGINT NOT NULL,
    waited_ms     BIGINT NOT NULL,
    watched_ms    BIGINT NOT NULL,
    state         {{bytes}} NOT NULL
);
CREATE INDEX analytics_playbacks_by_impression ON analytics_playbacks (project, impression_at);
CREATE INDEX analytics_playbacks_by_anchor ON analytics_playbacks (project, anchor_at);
CREATE INDEX analytics_playbacks_by_end ON analytics_playbacks (project, end_at);
CREATE INDEX analytics_playbacks_by_last ON analytics_playbacks (last_at);

-- analytics_hours and analytics_days are the sums of the playbacks.
CREATE TABLE analytics_hours (
    project     TEXT NOT NULL,
    hour        BIGINT NOT NULL,
    media       TEXT NOT NULL,
    audience    BIGINT NOT NULL,
    live        BOOLEAN NOT NULL,
    impressions BIGINT NOT NULL,
    plays       BIGINT NOT NULL,
    ends        BIGINT NOT NULL,
    waits       BIGINT NOT NULL,
    wait_ms     BIGINT NOT NULL,
    watch_ms    BIGINT NOT NULL,
    views_3     BIGINT NOT NULL,
    views_5     BIGINT NOT NULL,
    views_10    BIGINT NOT NULL,
    views_30    BIGINT NOT NULL,
    PRIMARY KEY (project, hour, media, audience)
){{without_rowid}};
CREATE INDEX analytics_hours_of_media ON analytics_hours (project, media, hour);
CREATE INDEX analytics_hours_by_hour ON analytics_hours (hour);

CREATE TABLE analytics_days (
    project     TEXT NOT NULL,
    day         BIGINT NOT NULL,
    media       TEXT NOT NULL,
    audience    BIGINT NOT NULL,
    live        BOOLEAN NOT NULL,
    impressions BIGINT NOT NULL,
    plays       BIGINT NOT NULL,
    ends        BIGINT NOT NULL,
    waits       BIGINT NOT NULL,
    wait_ms     BIGINT NOT NULL,
    watch_ms    BIGINT NOT NULL,
    views_3     BIGINT NOT NULL,
    views_5     BIGINT NOT NULL,
    views_10    BIGINT NOT NULL,
    views_30    BIGINT NOT NULL,
    PRIMARY KEY (project, day, media, audience)
){{without_rowid}};
CREATE INDEX analytics_days_of_media ON analytics_days (project, media, day);
CREATE INDEX analytics_days_by_day ON analytics_days (day);

-- analytics_stretches say when a session was there. One never crosses the border
-- of an hour, so that those of a time are found by when they began.
CREATE TABLE analytics_stretches (
    project  TEXT NOT NULL,
    began_at BIGINT NOT NULL,
    playback {{bytes}} NOT NULL,
    ended_at BIGINT NOT NULL,
    media    TEXT NOT NULL,
    live     BOOLEAN NOT NULL,
    audience BIGINT NOT NULL,
    session  BIGINT NOT NULL,
    viewer   BIGINT NOT NULL,
    PRIMARY KEY (project, began_at, playback)
){{without_rowid}};
CREATE INDEX analytics_stretches_by_begin ON analytics_stretches (began_at);

-- analytics_totals are the plays of all times. Every media that was ever loaded
-- has a row.
CREATE TABLE analytics_totals (
    project TEXT NOT NULL,
    media   TEXT NOT NULL,
    live    BOOLEAN NOT NULL,
    plays   BIGINT NOT NULL,
    PRIMARY KEY (project, media)
){{without_rowid}};
