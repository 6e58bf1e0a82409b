// Videos that were uploaded and encoded play in a real browser, and what is watched is
// counted.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { violations } from "./accessible.js";
import { startHost } from "./host_page.js";
import { startedPlaying, video } from "./player_service.js";
import { until } from "./until.js";
import { startVideo } from "./video_service.js";
import { launch, openPage, watchedPage } from "./watched_page.js";

const desktop = { viewport: { width: 960, height: 540 } };
const seconds = 20;
const cues = (...all) => Buffer.from(`WEBVTT\n\n${all.map(([from, to, text]) => `00:00:${from}.000 --> 00:00:${to}.000\n${text}\n`).join("\n")}`);

describe("player of an encoded video", { timeout: 600_000 }, () => {
  let service, client, browser, film, secret;

  before(async () => {
    service = await startVideo();
    client = service.client;
    const file = await service.source("film.mp4", { seconds });
    film = await client.videos.create({ title: "A film & more", mp4Support: true });
    secret = await client.videos.create({ title: "Secret", _public: false, mp4Support: false });
    await client.captions.upload(film.videoId, "en", cues(["00", seconds, "Words in English"]));
    await client.captions.upload(film.videoId, "fr", cues(["00", seconds, "Mots en français"]));
    await client.captions.upload(secret.videoId, "en", cues(["00", seconds, "A secret"]));
    await client.chapters.upload(film.videoId, "en", cues(["00", "08", "Beginning"], ["08", "14", "Middle"], ["14", seconds, "End"]));
    for (const { videoId } of [film, secret]) await client.videos.upload(videoId, file);
    for (const { videoId } of [film, secret]) await service.encoded(videoId);
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  // playing plays the film over and over; the pointer on the bar keeps the controls there.
  const playing = async () => {
    const page = await openPage(browser, `${film.assets.player}#loop`, desktop);
    await page.click("#big");
    await startedPlaying(page);
    await page.mouse.move(480, 515);
    return page;
  };
  const shown = (page) => page.$$eval("#video", ([v]) => [...v.textTracks].filter((t) => t.mode === "showing").map((t) => `${t.language}: ${t.activeCues?.[0]?.text ?? ""}`).join());

  test("plays, and time goes on", async () => {
    const page = await playing();
    const at = await video(page, (v) => v.currentTime);
    await page.waitForFunction((t) => document.querySelector("#video").currentTime > t + 1, at);
    assert.match(await page.textContent("#clock"), /^0:\d\d \/ 0:20$/);
    assert.ok(Math.abs(await video(page, (v) => v.duration) - seconds) < 0.1);
    await page.clean();
    await page.close();
  });

  test("switches quality", async () => {
    const page = await playing();
    for (const [name, height] of [["240p", 240], ["360p", 360]]) {
      await page.mouse.move(480, 500); // the controls go while one waits for the other quality
      await page.mouse.move(480, 515);
      await page.click("#more");
      await page.getByRole("menuitem", { name: /Quality/ }).click();
      await page.getByRole("menuitemradio", { name, exact: true }).click();
      await page.waitForFunction((h) => document.querySelector("#video").videoHeight === h, height);
    }
    await page.clean();
    await page.close();
  });

  test("shows captions in the language that is chosen", async () => {
    const page = await playing();
    await page.click("#captions");
    await page.getByRole("menuitemradio", { name: "Français" }).click();
    await until("French captions", async () => (await shown(page)) === "fr: Mots en français");
    await page.click("#captions");
    await page.getByRole("menuitemradio", { name: "English" }).click();
    await until("English captions", async () => (await shown(page)) === "en: Words in English");
    await page.clean();
    await page.close();
  });

  test("goes to a chapter, and previews a place", async () => {
    const page = await playing();
    await page.click("#chapters");
    assert.deepEqual(await page.getByRole("menuitemradio").allTextContents(), ["Beginning0:00", "Middle0:08", "End0:14"]);
    await page.getByRole("menuitemradio", { name: "End" }).click();
    await page.waitForFunction(() => document.querySelector("#video").currentTime >= 14);
    const bar = await page.locator("#progress").boundingBox();
    await page.mouse.move(bar.x + bar.width * 0.6, bar.y + bar.height / 2);
    await page.waitForFunction(() => /storyboard\/.*\.jpg/.test(document.querySelector(".still").style.backgroundImage));
    assert.match(await page.textContent("#preview .time"), /^0:1[12]$/);
    await page.clean();
    await page.close();
  });

  test("axe finds nothing", async () => {
    const page = await openPage(browser, film.assets.player, desktop);
    await page.waitForSelector("[data-ready]", { state: "attached" });
    assert.deepEqual(await violations(page), []);
    await page.clean();
    await page.close();
  });

  test("a private video plays in a frame of another site, without cookies, once", async () => {
    const { assets } = await client.videos.get(secret.videoId);
    const host = await startHost(service.origin);
    host.show(assets.iframe);
    const page = await watchedPage(await browser.newContext(desktop), host.origin, service.origin);
    await page.goto(host.url);
    const frame = await (await page.waitForSelector("iframe")).contentFrame();
    await frame.click("#big");
    await startedPlaying(frame);
    await frame.press("body", "c");
    await until("captions", async () => (await shown(frame)) === "en: A secret");
    assert.deepEqual(await page.context().cookies(), []);
    await page.clean();
    await page.close();
    await host.stop();
    for (const address of [assets.player, `${service.origin}/vod/${secret.videoId}`]) { // another viewer, and one without a token
      const response = await fetch(address);
      const text = await response.text();
      assert.doesNotMatch(text, /m3u8|avh=/);
      assert.match(text, /private/i);
    }
  });

  for (const framed of [false, true]) {
    test(`who waits for a video that fails is told so${framed ? ", in a frame without cookies too" : ""}`, async (t) => {
      const broken = path.join(service.folder, "broken.mp4");
      await writeFile(broken, "this is no video");
      const { videoId, assets } = await client.videos.create({ title: "Broken", _public: !framed });
      const host = await startHost(service.origin);
      t.after(() => host.stop());
      host.show(assets.iframe);
      const page = await watchedPage(await browser.newContext(desktop), host.origin, service.origin);
      await page.goto(framed ? host.url : assets.player);
      const shown = framed ? page.frameLocator("iframe") : page;
      await shown.getByText("Almost ready").waitFor();
      await client.videos.upload(videoId, broken);
      await shown.getByText("This video cannot be played").waitFor({ timeout: 60_000 });
      await page.clean();
      await page.close();
    });
  }

  test("who waits for a video that is deleted is told so", async () => {
    const { videoId, assets } = await client.videos.create({ title: "Not for long" });
    const page = await openPage(browser, assets.player, desktop);
    await page.getByText("Almost ready").waitFor();
    await client.videos.delete(videoId);
    await page.getByText("There is no video here").waitFor();
    await page.clean(/404/);
    await page.close();
  });

  test("counts what was watched", async () => {
    const filterBy = { mediaId: [film.videoId] };
    const plays = async () => (await client.analytics.getAggregatedMetrics({ metric: "play", aggregation: "count", filterBy })).data;
    const before = await plays();
    const page = await playing();
    await page.waitForFunction(() => document.querySelector("#video").currentTime > 2);
    await page.close();
    await until("one more play", async () => (await plays()) === before + 1);
    const impressions = await client.analytics.getAggregatedMetrics({ metric: "impression", aggregation: "count", filterBy });
    assert.ok(impressions.data >= before + 1);
    const { data } = await client.analytics.getMetricsBreakdown({ metric: "play", breakdown: "media-id" });
    assert.equal(data.find((d) => d.dimensionValue === film.videoId)?.metricValue, before + 1);
    const browsers = await client.analytics.getMetricsBreakdown({ metric: "play", breakdown: "browser", filterBy });
    assert.deepEqual(browsers.data.map((d) => d.dimensionValue), ["chrome"]);
    const watched = await client.analytics.getAggregatedMetrics({ metric: "watch-time", aggregation: "sum", filterBy });
    assert.ok(watched.data > 1, `${watched.data} s watched`);
    const over = await client.analytics.getMetricsOverTime({ metric: "play", interval: "hour", filterBy });
    assert.equal(over.data.reduce((sum, d) => sum + d.metricValue, 0), before + 1);
  });
});
