// The official uploader for browsers, which speaks HTTPS only, on a site of somebody else.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { startedPlaying } from "./player_service.js";
import { startVideo } from "./video_service.js";
import { launch, watchedPage } from "./watched_page.js";

const script = await readFile(createRequire(import.meta.url).resolve("@api.video/video-uploader"), "utf8");
const part = 5 * 1024 * 1024;

describe("official browser uploader", { timeout: 600_000 }, () => {
  let service, browser, site, page, file;

  before(async () => {
    service = await startVideo({ tls: true });
    file = await service.source("holiday.mp4", { large: true });
    browser = await launch();
    site = createServer((request, response) => {
      const asked = request.url === "/uploader.js";
      response.writeHead(200, { "Content-Type": asked ? "text/javascript" : "text/html; charset=utf-8" });
      response.end(asked ? script : `<!doctype html><html lang="en"><title>The Gazette</title><link rel="icon" href="data:,"><input type="file"><script src="/uploader.js"></script>`);
    });
    site.listen(0, "127.0.0.1");
    await once(site, "listening");
    const origin = `http://localhost:${site.address().port}`;
    page = await watchedPage(await browser.newContext({ ignoreHTTPSErrors: true }), origin, service.origin);
    await page.goto(origin);
    await page.setInputFiles("input", file);
  });
  after(async () => {
    await browser?.close();
    site?.closeAllConnections();
    site?.close();
    await service?.stop();
  });

  // send uploads the chosen file, and answers when the uploader says that it plays.
  const send = (options) => page.evaluate(async (given) => {
    const uploader = new window.VideoUploader({ file: document.querySelector("input").files[0], ...given });
    const progress = [];
    uploader.onProgress((p) => progress.push(p));
    const playable = new Promise((done) => uploader.onPlayable(done));
    const sent = await uploader.upload();
    const { videoId } = await playable;
    return { sent, videoId, progress };
  }, { apiHost: service.host, chunkSize: part, retries: 1, ...options });

  test("sends a file in chunks with an upload token, and waits until it plays", async () => {
    const { token } = await service.client.uploadTokens.createToken();
    const { sent, videoId, progress } = await send({ uploadToken: token, origin: { application: { name: "gazette", version: "1.2.3" } } });
    assert.equal(videoId, sent.videoId);
    assert.equal(sent.title, "holiday.mp4");
    assert.equal(progress.at(-1).chunksCount, 2);
    assert.ok(progress.at(-1).uploadedBytes >= progress.at(-1).totalBytes, "all is sent, and the form around it");
    assert.equal((await service.client.videos.getStatus(videoId)).encoding.playable, true);
    await page.clean();
    const player = await watchedPage(await browser.newContext({ ignoreHTTPSErrors: true }), service.origin);
    await player.goto(sent.assets.player);
    await player.click("#big");
    await startedPlaying(player);
    await player.clean();
    await player.close();
  });

  test("sends to a video with an access token that has to be refreshed", async () => {
    const { videoId } = await service.client.videos.create({ title: "Refreshed", mp4Support: false });
    const { refreshToken } = await service.client.getAccessToken();
    const { sent } = await send({ accessToken: "expired", refreshToken, videoId });
    assert.equal(sent.videoId, videoId);
    await page.clean(/401/);
  });

  test("sends parts of unknown number with an API key", async () => {
    const { videoId } = await service.client.videos.create({ title: "Progressive", mp4Support: false });
    const done = await page.evaluate(async ({ size, ...given }) => {
      const uploader = new window.ProgressiveUploader(given);
      const playable = new Promise((done) => uploader.onPlayable(done));
      const [file] = document.querySelector("input").files;
      await uploader.uploadPart(file.slice(0, size));
      await uploader.uploadLastPart(file.slice(size));
      return (await playable).videoId;
    }, { apiHost: service.host, apiKey: service.key, videoId, size: part });
    assert.equal(done, videoId);
    await page.clean();
  });

  test("is told why it is refused", async () => {
    const refused = await page.evaluate((given) => new window.VideoUploader({ file: document.querySelector("input").files[0], ...given }).upload().then(() => null, (e) => e),
      { apiHost: service.host, uploadToken: "toNone" });
    assert.deepEqual([refused.status, refused.type.split("/").at(-1)], [401, "authentication-invalid-upload-token"]);
    await page.clean(/401/);
  });
});
