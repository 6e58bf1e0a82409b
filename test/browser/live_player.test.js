// Live streams in a real browser: what ffmpeg pushes is seen soon after, and the page
// follows when the publisher goes, comes back, and ends.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { fitsSideways, violations } from "./accessible.js";
import { startedPlaying, video } from "./player_service.js";
import { until } from "./until.js";
import { startVideo } from "./video_service.js";
import { launch, openPage } from "./watched_page.js";

const artefacts = path.join(import.meta.dirname, "artefacts");
const desktop = { viewport: { width: 960, height: 540 } };
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };
const noise = /console: Failed to load resource.*(404|503)/; // lists of a publisher who is away

describe("player of a live stream", { timeout: 300_000 }, () => {
  let service, client, browser, stream, page;
  const publishers = [];

  before(async () => {
    await mkdir(artefacts, { recursive: true });
    service = await startVideo({ settings: { STOA_RTMP_LISTEN: "127.0.0.1:0" } });
    await until("the port of RTMP", () => service.addresses.rtmp);
    client = service.client;
    stream = await client.liveStreams.create({ name: "Bread, live & fresh" });
    browser = await launch();
  });
  after(async () => {
    for (const publisher of publishers) publisher.kill("SIGKILL");
    await browser?.close();
    await service?.stop();
  });

  const shoot = (of, name) => of.screenshot({ path: path.join(artefacts, `live-${name}.png`) });
  const notice = (text) => page.locator("#notice", { hasText: text }).waitFor();
  const behind = (of) => video(of, (v) => v.seekable.end(v.seekable.length - 1) - v.currentTime);

  // publish pushes a small moving picture with a tone, until it is stopped.
  const publish = ({ streamKey }) => {
    const child = spawn("ffmpeg", ["-v", "error", "-re", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=15", "-f", "lavfi", "-i", "sine=frequency=440",
      "-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-pix_fmt", "yuv420p", "-g", "30", "-c:a", "aac", "-f", "flv",
      `rtmp://${service.addresses.rtmp}/s/${streamKey}`], { stdio: "ignore" });
    publishers.push(child);
    return {
      async stop() {
        child.kill("SIGINT");
        await once(child, "close");
      },
    };
  };

  test("waits, and begins by itself", async () => {
    page = await openPage(browser, `${stream.assets.player}?muted=true`, desktop);
    await page.getByText("Not live yet").waitFor();
    assert.deepEqual(await violations(page), []);
    await shoot(page, "waiting");
    stream.publisher = publish(stream);
    await startedPlaying(page);
    const at = await video(page, (v) => v.currentTime);
    await page.waitForFunction((t) => document.querySelector("#video").currentTime > t + 2, at);
    await until("near the live edge", async () => (await behind(page)) < 6);
    assert.ok(await page.locator("#live:not(.behind)").isVisible());
    assert.ok(!(await page.getByText("Not live yet").isVisible()));
    await page.clean();
  });

  test("the API and the thumbnail tell that it is on air", async () => {
    await until("broadcasting", async () => (await client.liveStreams.get(stream.liveStreamId)).broadcasting);
    const thumbnail = await fetch(stream.assets.thumbnail);
    assert.equal(thumbnail.status, 200);
    assert.equal(thumbnail.headers.get("Content-Type"), "image/jpeg");
  });

  test("looks right on a desktop and a phone", async () => {
    await page.mouse.move(480, 500);
    assert.deepEqual(await violations(page), []);
    await shoot(page, "desktop");
    const small = await openPage(browser, `${stream.assets.player}?muted=true#autoplay`, phone);
    await startedPlaying(small);
    await small.touchscreen.tap(195, 300);
    assert.deepEqual(await violations(small), []);
    await fitsSideways(small);
    await shoot(small, "phone");
    await small.clean();
    await small.close();
  });

  test("goes back, and to where it is live again", async () => {
    await page.waitForFunction(() => document.querySelector("#video").seekable.end(0) > 14);
    await page.keyboard.press("Home");
    await page.locator("#live.behind").waitFor();
    assert.match(await page.textContent("#now"), /^−0:\d\d$/);
    await startedPlaying(page);
    await page.mouse.move(480, 510);
    await shoot(page, "behind");
    await page.click("#live");
    await page.locator("#live:not(.behind)").waitFor();
    await until("near the live edge", async () => (await behind(page)) < 6);
    await page.clean(noise);
  });

  test("counts its viewers", async () => {
    const filterBy = { mediaId: [stream.liveStreamId] };
    const live = async () => (await client.analytics.getAggregatedMetrics({ metric: "ccv", aggregation: "live", filterBy })).data;
    await until("a viewer", async () => (await live()) >= 1);
    const { data } = await client.analytics.getMetricsBreakdown({ metric: "play", breakdown: "media-type" });
    assert.ok(data.find((d) => d.dimensionValue === "live-stream")?.metricValue >= 1);
  });

  test("says that the publisher is away, and goes on when he is back", async () => {
    await stream.publisher.stop();
    await notice("is away");
    assert.ok(await page.locator("#live.quiet").count(), "the badge says that it is live");
    await shoot(page, "away");
    assert.deepEqual(await violations(page), []);
    const at = await video(page, (v) => v.currentTime);
    stream.publisher = publish(stream);
    await page.waitForFunction((t) => document.querySelector("#video").currentTime > t + 3, at);
    await page.locator("#notice").waitFor({ state: "hidden" });
    assert.equal(await page.locator("#live.quiet").count(), 0);
    await until("near the live edge", async () => (await behind(page)) < 8);
    await page.clean(noise);
  });

  test("says that it has ended, and can be seen again", async () => {
    await client.liveStreams.complete(stream.liveStreamId);
    await notice("The broadcast has ended.");
    await shoot(page, "ended");
    assert.deepEqual(await violations(page), []);
    await page.close();
    page = await openPage(browser, `${stream.assets.player}?muted=true`, desktop);
    await notice("You can watch it again.");
    await shoot(page, "again");
    assert.deepEqual(await violations(page), []);
    await page.click("#big");
    await startedPlaying(page);
    assert.ok((await video(page, (v) => v.currentTime)) < 10, "it did not begin at its beginning");
    assert.ok(await page.locator("#clock").isVisible());
    assert.ok(!(await page.locator("#live").isVisible()));
    await page.clean();
    await page.close();
    await stream.publisher.stop();
  });

  test("the recording plays", async () => {
    let recording;
    await until("a recording", async () => {
      const { data } = await client.videos.list({ liveStreamId: stream.liveStreamId });
      [recording] = data;
      return data.length > 0;
    });
    const recorded = await openPage(browser, `${recording.assets.player}?muted=true`, desktop);
    await recorded.click("#big");
    await startedPlaying(recorded);
    await recorded.clean();
    await recorded.close();
  });

  test("a private one plays with its link", async () => {
    const secret = await client.liveStreams.create({ name: "Secret", _public: false });
    const shut = await fetch(`${service.origin}/live/${secret.liveStreamId}`);
    assert.equal(shut.status, 404);
    assert.match(await shut.text(), /private/);
    const guest = await openPage(browser, `${secret.assets.player}&muted=true`, desktop);
    await guest.getByText("Not live yet").waitFor();
    const publisher = publish(secret);
    await startedPlaying(guest);
    await guest.clean();
    await guest.close();
    await publisher.stop();
  });
});
