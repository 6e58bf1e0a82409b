// The official Node client uploads in every way it knows, and what it sent plays.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { open, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { until } from "./until.js";
import { startVideo } from "./video_service.js";

const part = 5 * 1024 * 1024;

describe("uploads of the official Node client", { timeout: 600_000 }, () => {
  let service, client, small, large, receiver;
  const heard = [];

  before(async () => {
    service = await startVideo();
    client = service.client;
    [small, large] = [await service.source("small.mp4"), await service.source("large.mp4", { large: true })];
    assert.ok((await stat(large)).size > part, "the large source is too small to be sent in chunks");
    receiver = createServer(async (request, response) => {
      if (request.method === "GET") return response.end(await readFile(small));
      const body = Buffer.concat(await request.toArray());
      heard.push({ headers: request.headers, body });
      response.writeHead(204).end();
    });
    receiver.listen(0, "127.0.0.1");
    await once(receiver, "listening");
  });
  after(async () => {
    receiver?.closeAllConnections();
    receiver?.close();
    await service?.stop();
  });
  const receiverAddress = () => `http://127.0.0.1:${receiver.address().port}/`;

  // pieces are files with the parts of the large source.
  const pieces = async () => {
    const file = await open(large);
    const all = [];
    try {
      for (;;) {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(part), 0, part);
        if (bytesRead === 0) return all;
        const name = path.join(service.folder, `part${all.length + 1}.mp4`);
        await writeFile(name, buffer.subarray(0, bytesRead));
        all.push(name);
      }
    } finally {
      await file.close();
    }
  };

  test("a whole file, and the webhook of each quality", async () => {
    const { webhookId, signatureSecret } = await client.webhooks.create({ url: receiverAddress(), events: ["video.encoding.quality.completed"] });
    const { videoId } = await client.videos.create({ title: "Whole", mp4Support: true });
    const progress = [];
    const sent = await client.videos.upload(videoId, small, (p) => progress.push(p));
    assert.equal(sent.videoId, videoId);
    assert.ok(progress.length > 0);
    await assert.rejects(client.videos.upload(videoId, small), (e) => e.code === 400 && e.problemDetails.type.endsWith("/video-source-already-uploaded"));
    const { ingest, encoding } = await service.encoded(videoId);
    assert.equal(ingest.status, "uploaded");
    assert.equal(ingest.filesize, (await stat(small)).size);
    assert.equal(encoding.playable, true);
    assert.deepEqual(encoding.qualities.map((q) => `${q.type} ${q.quality}`).sort(), ["hls 240p", "hls 360p", "mp4 360p"]);
    const { metadata } = encoding;
    assert.deepEqual([metadata.width, metadata.height, metadata.duration, metadata.framerate, metadata.videoCodec, metadata.audioCodec], [640, 360, 12, 24, "h264", "aac"]);

    await until("a webhook for each quality", () => heard.length >= 3);
    await client.webhooks.delete(webhookId);
    const events = heard.map(({ headers, body }) => {
      assert.equal(headers["x-api-video-webhookid"], webhookId);
      assert.equal(headers["x-api-video-signature"], createHmac("sha256", signatureSecret).update(body).digest("hex"));
      return JSON.parse(body);
    });
    for (const event of events) assert.deepEqual([event.type, event.videoId], ["video.encoding.quality.completed", videoId]);
    assert.deepEqual(events.map((e) => `${e.encoding} ${e.quality}`).sort(), ["hls 240p", "hls 360p", "mp4 360p"]);
  });

  test("a large file in chunks", async () => {
    const { videoId } = await client.videos.create({ title: "Chunks", mp4Support: false });
    const progress = [];
    await client.videos.upload(videoId, large, (p) => progress.push(p));
    assert.equal(progress.at(-1).chunksCount, 2);
    const { ingest, encoding } = await service.encoded(videoId);
    assert.equal(ingest.filesize, (await stat(large)).size);
    assert.deepEqual([ingest.receivedParts.parts, ingest.receivedParts.total], [[1, 2], 2]);
    assert.deepEqual(encoding.qualities.map((q) => q.type), ["hls", "hls"]);
  });

  test("progressive parts, whose number nobody knows", async () => {
    const { videoId } = await client.videos.create({ title: "Progressive", mp4Support: false });
    const session = client.videos.createUploadProgressiveSession(videoId);
    const [first, last] = await pieces();
    await session.uploadPart(first);
    const halfway = await client.videos.getStatus(videoId);
    assert.deepEqual([halfway.ingest.status, halfway.ingest.receivedParts.parts], ["uploading", [1]]);
    await session.uploadLastPart(last);
    assert.equal((await service.encoded(videoId)).ingest.status, "uploaded");
  });

  test("with an upload token: whole, in chunks, and progressive", async () => {
    const { token } = await client.uploadTokens.createToken();
    const stranger = service.clientWith({ apiKey: undefined });
    const whole = await stranger.videos.uploadWithUploadToken(token, small);
    assert.equal(whole.title, "small.mp4");
    const chunks = await stranger.videos.uploadWithUploadToken(token, large);
    assert.equal(chunks.title, "large.mp4");
    const session = stranger.videos.createUploadWithUploadTokenProgressiveSession(token);
    const [first, last] = await pieces();
    const begun = await session.uploadPart(first);
    assert.equal((await session.uploadLastPart(last)).videoId, begun.videoId);
    for (const { videoId } of [whole, chunks, begun]) assert.equal((await service.encoded(videoId)).encoding.playable, true);
    assert.equal((await client.videos.list({ title: "large.mp4" })).data.length, 1);
    await client.uploadTokens.deleteToken(token);
    await assert.rejects(stranger.videos.uploadWithUploadToken(token, small), (e) => e.code === 401);
  });

  test("from an address, and a copy of that", async () => {
    const made = await client.videos.create({ title: "Fetched", source: receiverAddress(), mp4Support: false });
    const fetched = await service.encoded(made.videoId);
    assert.equal(fetched.ingest.status, "ingested");
    const copy = await client.videos.create({ title: "Copied", source: made.videoId, mp4Support: false, clip: { startTimecode: "00:00:02", endTimecode: "00:00:06" } });
    await client.videos.delete(made.videoId);
    assert.equal((await service.encoded(copy.videoId)).encoding.metadata.duration, 4);
  });

  test("what is no video fails, and says so", async () => {
    const file = path.join(service.folder, "text.mp4");
    await writeFile(file, "not a video at all\n".repeat(100));
    const { videoId } = await client.videos.create({ title: "Text" });
    await client.videos.upload(videoId, file);
    await until("a failed quality", async () => (await client.videos.getStatus(videoId)).encoding.qualities.some((q) => q.status === "failed"), 120_000);
    assert.equal((await client.videos.getStatus(videoId)).encoding.playable, false);
  });
});
