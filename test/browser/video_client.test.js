// The official Node client makes, reads, changes and removes everything that needs no
// encoded video.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { picture } from "./picture.js";
import { startVideo } from "./video_service.js";

const vtt = (text) => Buffer.from(`WEBVTT\n\n00:00:00.000 --> 00:00:04.000\n${text}\n`);
const png = (width = 64, height = 48) => picture([[200, 40, 40], [20, 60, 120]], width, height);

// refusal is what the client throws: an answer in the error shape of the API.
const refusal = (status, name) => (error) => {
  assert.equal(error.code, status, String(error));
  assert.equal(error.problemDetails?.status, status);
  if (name) assert.equal(error.problemDetails.name, name);
  return true;
};

describe("official Node client", { timeout: 300_000 }, () => {
  let service, client;

  before(async () => {
    service = await startVideo({ settings: { STOA_VIDEO_RESTORE: "true" } });
    client = service.client;
  });
  after(() => service?.stop());

  test("exchanges its key for an access token, and a wrong key is refused", async () => {
    const token = await client.getAccessToken();
    assert.equal(token.tokenType, "Bearer");
    assert.equal(token.expiresIn, 3600);
    assert.ok(token.accessToken && token.refreshToken);
    await assert.rejects(service.clientWith({ apiKey: "not a key" }).videos.list(), refusal(401));
  });

  test("makes, changes, finds and deletes videos", async () => {
    const { body: made, headers } = await client.videos.createWithResponseHeaders({
      title: "Maths & physics", description: "numbers", _public: false, panoramic: true, mp4Support: false, tags: ["maths", "string theory"],
      metadata: [{ key: "Author", value: "Ann" }], clip: { startTimecode: "00:00:01", endTimecode: "10" }, language: "fr",
    });
    assert.equal(headers["content-type"], "application/json");
    assert.equal(headers["x-ratelimit-limit"], "100000");
    assert.match(made.videoId, /^vi[A-Za-z0-9]{22}$/);
    const got = await client.videos.get(made.videoId);
    assert.equal(got.title, "Maths & physics");
    assert.equal(got._public, false);
    assert.equal(got.panoramic, true);
    assert.equal(got.mp4Support, false);
    assert.deepEqual(got.tags, ["maths", "string theory"]);
    assert.deepEqual(got.metadata.map(({ key, value }) => [key, value]), [["Author", "Ann"]]);
    assert.ok(got.createdAt instanceof Date && !Number.isNaN(got.createdAt.getTime()));
    assert.match(got.assets.hls, new RegExp(`^${service.origin}/vod/${made.videoId}/token/[0-9a-f-]{36}/hls/manifest.m3u8$`));
    assert.equal(got.assets.mp4, undefined);
    const changed = await client.videos.update(made.videoId, { title: "Physics", _public: true, tags: ["string theory"], metadata: [] });
    assert.deepEqual([changed.title, changed._public, changed.tags, changed.metadata, changed.description], ["Physics", true, ["string theory"], [], "numbers"]);
    await client.videos.create({ title: "Other", metadata: [{ key: "Author", value: "Bob" }] });
    for (const filter of [{ title: "phys" }, { tags: ["string theory"] }, { description: "numbers" }]) {
      const { data, pagination } = await client.videos.list({ ...filter, sortBy: "title", sortOrder: "asc", currentPage: 1, pageSize: 10 });
      assert.deepEqual(data.map((v) => v.title), ["Physics"], JSON.stringify(filter));
      assert.equal(pagination.itemsTotal, 1);
    }
    const { data } = await client.videos.list({ metadata: { Author: "Bob" } });
    assert.deepEqual(data.map((v) => v.title), ["Other"]);
    const paged = await client.videos.list({ sortBy: "title", sortOrder: "desc", currentPage: 2, pageSize: 1 });
    assert.deepEqual(paged.data.map((v) => v.title), ["Other"]);
    assert.deepEqual(paged.pagination.links.map((l) => l.rel).sort(), ["first", "last", "previous", "self"]);
    const status = await client.videos.getStatus(made.videoId);
    assert.deepEqual([status.encoding.playable, status.encoding.qualities], [false, []]);
    await assert.rejects(client.videos.create({ title: "" }), refusal(400, "title"));
    await assert.rejects(client.videos.get("viNone"), refusal(404, "videoId"));
  });

  test("discards a video and brings it back", async () => {
    const { videoId } = await client.videos.create({ title: "Thrown away" });
    await client.videos.delete(videoId);
    await assert.rejects(client.videos.get(videoId), refusal(404, "videoId"));
    const { data } = await client.videos.listDiscarded({ title: "thrown" });
    assert.deepEqual(data.map((v) => v.videoId), [videoId]);
    const discarded = await client.videos.getDiscarded(videoId);
    assert.equal(discarded.discarded, true);
    assert.ok(discarded.discardedAt < discarded.deletesAt);
    const back = await client.videos.updateDiscarded(videoId, { discarded: false });
    assert.equal(back.discarded, false);
    assert.equal((await client.videos.get(videoId)).title, "Thrown away");
  });

  test("lists tags", async () => {
    for (const tags of [["Café", "tea"], ["tea"]]) await client.videos.create({ title: "Drinks", tags });
    const { data } = await client.tags.list({ sortBy: "videoCount", sortOrder: "desc" });
    assert.deepEqual(data.filter((t) => ["Café", "tea"].includes(t.value)).map((t) => [t.value, t.videoCount]), [["tea", 2], ["Café", 1]]);
    assert.deepEqual((await client.tags.list({ value: "cafe" })).data.map((t) => t.value), ["Café"]);
  });

  test("captions and chapters", async () => {
    const { videoId } = await client.videos.create({ title: "Spoken" });
    const english = await client.captions.upload(videoId, "en", vtt("Hello"));
    assert.deepEqual([english.uri, english.src, english.srclang, english.languageName, english._default],
      [`/videos/${videoId}/captions/en`, `${service.origin}/vod/${videoId}/captions/en.vtt`, "en", "English", false]);
    await client.captions.upload(videoId, "fr", vtt("Bonjour"));
    assert.equal((await client.captions.update(videoId, "fr", { _default: true }))._default, true);
    assert.equal((await client.captions.get(videoId, "fr"))._default, true);
    const list = await client.captions.list({ videoId });
    assert.deepEqual(list.data.map((c) => [c.srclang, c._default]).sort(), [["en", false], ["fr", true]]);
    await client.captions.delete(videoId, "fr");
    await assert.rejects(client.captions.get(videoId, "fr"), refusal(404));
    await assert.rejects(client.captions.upload(videoId, "klingon!", vtt("nuqneH")), refusal(400, "language"));

    const chapter = await client.chapters.upload(videoId, "en", vtt("Beginning"));
    assert.deepEqual([chapter.uri, chapter.src, chapter.language], [`/videos/${videoId}/chapters/en`, `${service.origin}/vod/${videoId}/chapters/en.vtt`, "en"]);
    assert.equal((await client.chapters.get(videoId, "en")).language, "en");
    assert.equal((await client.chapters.list({ videoId })).data.length, 1);
    await client.chapters.delete(videoId, "en");
    assert.deepEqual((await client.chapters.list({ videoId })).data, []);

    const response = await fetch(english.src);
    assert.equal(response.status, 200);
    assert.match(response.headers.get("content-type"), /^text\/vtt/);
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
    assert.equal(Buffer.compare(Buffer.from(await response.arrayBuffer()), vtt("Hello")), 0);
  });

  test("a thumbnail, before there is a source", async () => {
    const { videoId } = await client.videos.create({ title: "Poster" });
    const { assets } = await client.videos.uploadThumbnail(videoId, png(320, 180));
    assert.equal(assets.thumbnail, `${service.origin}/vod/${videoId}/thumbnail.jpg`);
    const response = await fetch(assets.thumbnail);
    assert.deepEqual([response.status, response.headers.get("content-type")], [200, "image/jpeg"]);
    await response.arrayBuffer();
    assert.equal((await client.videos.pickThumbnail(videoId, { timecode: "00:00:01" })).videoId, videoId);
    await assert.rejects(client.videos.uploadThumbnail(videoId, Buffer.from("no picture")), refusal(400));
  });

  test("watermarks", async () => {
    const { watermarkId } = await client.watermarks.upload(png());
    assert.match(watermarkId, /^watermark_[A-Za-z0-9]{22}$/);
    assert.deepEqual((await client.watermarks.list({ sortBy: "createdAt", sortOrder: "desc" })).data.map((w) => w.watermarkId), [watermarkId]);
    await client.videos.create({ title: "Marked", watermark: { id: watermarkId, top: "10px", left: "5%", width: "10%", opacity: "70%" } });
    await assert.rejects(client.videos.create({ title: "Marked", watermark: { id: "watermark_none", top: "0px" } }), refusal(400));
    await client.watermarks.delete(watermarkId);
    assert.deepEqual((await client.watermarks.list({})).data, []);
  });

  test("player themes and their logos", async () => {
    const made = await client.playerThemes.create({ name: "Red", text: "rgba(255, 0, 0, 1)", forceLoop: true });
    assert.deepEqual([made.name, made.text, made.link, made.enableApi, made.forceLoop], ["Red", "rgba(255, 0, 0, 1)", "rgba(255, 255, 255, 1)", true, true]);
    assert.equal((await client.playerThemes.update(made.playerId, { name: "Crimson" })).name, "Crimson");
    const { assets } = await client.playerThemes.uploadLogo(made.playerId, png(100, 50), "https://example.com/");
    assert.equal(assets.link, "https://example.com/");
    const logo = await fetch(assets.logo);
    assert.deepEqual([logo.status, logo.headers.get("content-type")], [200, "image/png"]);
    await logo.arrayBuffer();
    await client.playerThemes.deleteLogo(made.playerId);
    assert.equal((await client.playerThemes.get(made.playerId)).assets?.logo, undefined);
    const { data } = await client.playerThemes.list({ sortBy: "name", sortOrder: "asc" });
    assert.deepEqual(data.map((p) => p.name), ["Crimson"]);
    const { videoId } = await client.videos.create({ title: "Themed", playerId: made.playerId });
    assert.equal((await client.videos.get(videoId)).playerId, made.playerId);
    await client.playerThemes.delete(made.playerId);
    await assert.rejects(client.playerThemes.get(made.playerId), refusal(404, "playerId"));
  });

  test("upload tokens", async () => {
    const made = await client.uploadTokens.createToken({ ttl: 3600 });
    assert.match(made.token, /^to[A-Za-z0-9]{22}$/);
    assert.equal(made.ttl, 3600);
    assert.ok(made.expiresAt > made.createdAt);
    const forever = await client.uploadTokens.createToken({});
    assert.equal(forever.ttl, 0);
    assert.equal(forever.expiresAt ?? null, null);
    assert.equal((await client.uploadTokens.getToken(made.token)).token, made.token);
    assert.equal((await client.uploadTokens.list({ sortBy: "ttl", sortOrder: "asc" })).data[0].token, forever.token);
    await client.uploadTokens.deleteToken(made.token);
    await assert.rejects(client.uploadTokens.getToken(made.token), refusal(404));
  });

  test("webhooks", async () => {
    const made = await client.webhooks.create({ url: "https://example.com/hook", events: ["video.encoding.quality.completed"] });
    assert.match(made.webhookId, /^webhook_[A-Za-z0-9]{22}$/);
    assert.match(made.signatureSecret, /^sig_sec_/);
    assert.equal((await client.webhooks.get(made.webhookId)).url, "https://example.com/hook");
    assert.equal((await client.webhooks.list({ events: "video.encoding.quality.completed" })).data.length, 1);
    assert.equal((await client.webhooks.list({ events: "video.source.recorded" })).data.length, 0);
    await assert.rejects(client.webhooks.create({ url: "https://example.com", events: ["video.exploded"] }), refusal(400));
    await client.webhooks.delete(made.webhookId);
    await assert.rejects(client.webhooks.get(made.webhookId), refusal(404, "webhookId"));
  });

  test("summaries", async () => {
    const { videoId } = await client.videos.create({ title: "Long talk" });
    const made = await client.summaries.create({ videoId });
    assert.deepEqual([made.videoId, made.origin, made.sourceStatus], [videoId, "api", "missing"]);
    await assert.rejects(client.summaries.create({ videoId }), refusal(409, "videoId"));
    const source = await client.summaries.update(made.summaryId, { _abstract: "In short", takeaways: ["one", "two"] });
    assert.deepEqual([source._abstract, source.takeaways], ["In short", ["one", "two"]]);
    assert.equal((await client.summaries.getSummarySource(made.summaryId))._abstract, "In short");
    const { data } = await client.summaries.list({ videoId, sourceStatus: "completed" });
    assert.deepEqual(data.map((s) => s.summaryId), [made.summaryId]);
    await client.summaries.delete(made.summaryId);
    await assert.rejects(client.summaries.getSummarySource(made.summaryId), refusal(404, "summaryId"));
  });

  test("live streams", async () => {
    const elsewhere = { name: "Elsewhere", serverUrl: "rtmp://live.example.com/app", streamKey: "key-there" };
    const made = await client.liveStreams.create({ name: "Evening show", _public: false, restreams: [elsewhere] });
    const { liveStreamId, streamKey } = made;
    assert.match(liveStreamId, /^li[A-Za-z0-9]{22}$/);
    assert.match(streamKey, /^[0-9a-f-]{36}$/);
    assert.deepEqual([made.name, made._public, made.broadcasting], ["Evening show", false, false]);
    assert.deepEqual(made.restreams.map(({ name, serverUrl, streamKey }) => ({ name, serverUrl, streamKey })), [elsewhere]);
    const got = await client.liveStreams.get(liveStreamId);
    assert.match(got.assets.hls, new RegExp(`^${service.origin}/live/private/[0-9a-f-]{36}/${liveStreamId}.m3u8$`));
    assert.notEqual(got.assets.hls, made.assets.hls);
    assert.ok(got.createdAt instanceof Date && !Number.isNaN(got.createdAt.getTime()));
    await client.liveStreams.create({ name: "Morning show" });
    for (const filter of [{ name: "EVENING" }, { streamKey }, { sortBy: "name", sortOrder: "asc", pageSize: 1 }]) {
      assert.deepEqual((await client.liveStreams.list(filter)).data.map((l) => l.liveStreamId), [liveStreamId], JSON.stringify(filter));
    }
    const changed = await client.liveStreams.update(liveStreamId, { name: "Late show", _public: true, restreams: [] });
    assert.deepEqual([changed.name, changed._public, changed.restreams], ["Late show", true, []]);
    assert.equal(changed.assets.hls, `${service.origin}/live/${liveStreamId}.m3u8`);
    assert.equal((await client.liveStreams.uploadThumbnail(liveStreamId, png(320, 180))).liveStreamId, liveStreamId);
    assert.equal((await client.liveStreams.deleteThumbnail(liveStreamId)).liveStreamId, liveStreamId);
    await client.liveStreams.complete(liveStreamId);
    await client.liveStreams.delete(liveStreamId);
    await assert.rejects(client.liveStreams.get(liveStreamId), refusal(404, "liveStreamId"));
    await assert.rejects(client.liveStreams.create({ name: "x", restreams: [{ ...elsewhere, serverUrl: "https://example.com" }] }), refusal(400, "restreams[0][serverUrl]"));
  });

  test("analytics of what nobody has watched", async () => {
    const total = await client.analytics.getAggregatedMetrics({ metric: "play", aggregation: "count" });
    assert.deepEqual([total.context.metric, total.context.aggregation, total.data], ["play", "count", 0]);
    const filterBy = { mediaId: ["viNone"], country: ["FR", "DE"], mediaType: "video" };
    const by = await client.analytics.getMetricsBreakdown({ metric: "view", breakdown: "country", unique: true, viewDuration: "10s", filterBy });
    assert.deepEqual(by.data, []);
    const over = await client.analytics.getMetricsOverTime({ metric: "play", interval: "hour", filterBy });
    assert.ok(Array.isArray(over.data));
    await assert.rejects(client.analytics.getMetricsOverTime({ metric: "play", interval: "year" }), refusal(400, "interval"));
  });
});
