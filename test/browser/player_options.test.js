// What the address of the player page may ask for, videos that are not ready yet,
// and what the page tells of the viewing.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startPlayer, startedPlaying, video } from "./player_service.js";
import { until } from "./until.js";
import { launch } from "./watched_page.js";

const desktop = { viewport: { width: 960, height: 540 } };

describe("player by its address", { timeout: 300_000 }, () => {
  let service, browser;
  const open = (id, options) => service.open(browser, id, { ...desktop, ...options });

  before(async () => {
    service = await startPlayer();
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  test("plays by itself, silently where the browser wants that", async () => {
    const page = await open("viAuto", { fragment: "autoplay" });
    await startedPlaying(page);
    assert.equal(await page.locator("#unmute").isVisible(), await video(page, (v) => v.muted));
    await page.clean();
    await page.close();
  });

  test("plays a part, and stops at its end", async () => {
    const page = await open("viPart", { fragment: "t=0:05,00:00:07;autoplay", query: "muted=true" });
    await startedPlaying(page);
    assert.ok((await video(page, (v) => v.currentTime)) >= 5);
    await page.waitForFunction(() => document.querySelector("#video").paused);
    const at = await video(page, (v) => v.currentTime);
    assert.ok(at >= 7 && at < 20, `stopped at ${at}, want 7`);
    await page.close();
  });

  test("plays a part over and over", async () => {
    const page = await open("viLoop", { fragment: "t=5,6;loop;autoplay", query: "muted=1" });
    await page.evaluate(() => {
      window.backs = 0;
      document.querySelector("#video").addEventListener("seeking", (e) => { if (e.target.currentTime < 5.5) window.backs++; });
    });
    await page.waitForFunction(() => window.backs >= 2);
    assert.ok(!(await video(page, (v) => v.paused)));
    await page.close();
  });

  test("hides what is not wanted", async () => {
    const page = await open("viHide", { fragment: "hide-title;hide-controls;hide-poster" });
    await page.waitForSelector("[data-ready]");
    const visible = (selector) => page.$eval(selector, (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }));
    await until("nothing but the button to be seen", async () => !(await visible(".title")) && !(await visible("#controls")) && !(await visible("#poster")));
    assert.ok(await visible("#big"));
    await page.close();
    const bare = await open("viBare", { fragment: "chromeless" });
    await bare.waitForSelector("[data-ready]");
    assert.ok(!(await bare.locator("#big").isVisible()));
    await bare.mouse.click(400, 200);
    assert.ok(await video(bare, (v) => v.paused), "a click played a video without controls");
    await bare.close();
  });

  test("leaves the keys alone when asked to", async () => {
    const page = await open("viKeys", { fragment: "hotkeys:false" });
    await page.waitForSelector("[data-ready]");
    await page.keyboard.press("m");
    assert.ok(!(await video(page, (v) => v.muted)));
    await page.close();
  });

  test("keeps to the quality that is allowed, with captions", async () => {
    const page = await open("viMax", { fragment: "max-quality:180;show-subtitles;autoplay", query: "muted=true" });
    await startedPlaying(page);
    await page.waitForFunction(() => document.querySelector("#video").textTracks[0]?.mode === "showing");
    await page.waitForFunction(() => document.querySelector("#video").currentTime > 4);
    await video(page, (v) => v.pause()); // the controls stay
    assert.equal(await video(page, (v) => v.videoWidth), 320);
    await page.click("#more");
    await page.getByRole("menuitem", { name: /Quality/ }).click();
    assert.deepEqual(await page.getByRole("menuitemradio").locator("bdi").allTextContents(), ["Automatic", "180p"]);
    await page.close();
  });

  test("waits for a video, starts it without a reload, and follows it as it grows", async () => {
    await service.setSegments("viGrow", 0);
    const page = await open("viGrow", { query: "state=waiting&muted=true" });
    await page.evaluate(() => {
      document.querySelector("#video").addEventListener("playing", (e) => { window.first = e.target.currentTime; }, { once: true });
    });
    await page.getByText("Almost ready").waitFor();
    await service.setSegments("viGrow", 8);
    await startedPlaying(page);
    const first = await page.evaluate(() => window.first); // gone after a reload
    assert.ok(first < 0.5, `a growing video began at ${first}, want 0`);
    assert.equal(await page.textContent("#length"), "0:24");
    assert.ok(!(await page.getByText("Almost ready").isVisible()));
    await service.setSegments("viGrow", 12);
    await page.waitForFunction(() => document.querySelector("#video").duration > 20);
    await page.waitForFunction(() => document.querySelector("#video").currentTime > 7);
    await page.clean();
    await page.close();
  });

  for (const [what, query] of [["video", "state=waiting"], ["live stream", "state=waiting&live"]]) {
    test(`looks once what became of a ${what} that it waits for`, async () => {
      const id = `viAway-${what.length}`;
      await service.setSegments(id, 0);
      const page = await open(id, { query });
      await page.waitForSelector("#message");
      let loads = 0;
      page.on("load", () => loads++);
      let asked = 0;
      await page.route(/manifest\.m3u8|air$/, (route) => {
        asked++;
        return route.fulfill({ status: 404 });
      });
      await until("questions after the page was loaded again", () => asked > 3);
      assert.equal(loads, 1);
      await page.clean(/404/);
      await page.close();
    });
  }

  test("joins a live stream where it is, and goes back to that place", async () => {
    await service.setSegments("liAir", 0);
    const page = await open("liAir", { query: "state=waiting&live&muted=true&bare" });
    await page.getByText("Not live yet").waitFor();
    await service.setSegments("liAir", 11);
    await startedPlaying(page);
    assert.ok((await video(page, (v) => v.currentTime)) > 10, "a live stream began at its beginning");
    await video(page, (v) => v.pause());
    await page.keyboard.press("Home");
    await page.waitForFunction(() => document.querySelector("#video").currentTime < 1);
    await page.waitForFunction(() => document.querySelector("#live").classList.contains("behind"));
    await page.getByRole("button", { name: "Live", exact: true }).click();
    await page.waitForFunction(() => document.querySelector("#video").currentTime > 15);
    assert.ok(!(await page.locator("#clock").isVisible()));
    await page.clean();
    await page.close();
  });

  test("tells what is watched", async () => {
    const page = await open("viWatch", { query: "muted=true" });
    await page.waitForSelector("[data-ready]");
    await page.click("#big");
    await page.waitForFunction(() => document.querySelector("#video").currentTime > 1);
    await page.keyboard.press("6"); // 14.4 s
    await page.waitForFunction(() => {
      const v = document.querySelector("#video");
      if (v.currentTime > 15) v.pause();
      return v.paused;
    });
    await until("a pause to be told", async () => (await service.events("viWatch")).some(({ typ }) => typ === 3));
    const batches = await service.batches("viWatch");
    for (const { contentType, body } of batches) {
      assert.match(contentType, /^text\/plain/);
      assert.equal(body.mid, "viWatch");
      assert.equal(body.ver, "0.1.0");
      assert.match(body.sid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      assert.equal(body.pid, batches[0].body.pid);
      assert.ok(body.eve.length <= 20);
    }
    const sent = batches.map(({ body }) => body.sat);
    for (let i = 1; i < sent.length; i++) assert.ok(sent[i] - sent[i - 1] > 4500, `two batches ${sent[i] - sent[i - 1]} ms apart`);
    const events = await service.events("viWatch");
    const kinds = events.map(({ typ }) => typ).join("");
    assert.match(kinds, /^182(4)+7(2|4)*3$/, "want loaded, source, play, time, seek, time, pause");
    const seek = events.find(({ typ }) => typ === 7);
    assert.equal(Math.round(seek.vti * 10), 144);
    assert.ok(events.slice(0, events.indexOf(seek)).every(({ vti }) => vti < 14), "a place that was jumped over counts as watched");
    const last = events.at(-1);
    assert.ok(last.pau && last.vti > 15 && last.vwi > 0 && last.vhe > 0 && last.eco === 0);
    await page.keyboard.press("8");
    await page.keyboard.press("k");
    await page.waitForFunction(() => document.querySelector("#video").currentTime > 19.3); // on from 19.2 s
    await page.goto("about:blank");
    await until("the rest to be told on leaving", async () => (await service.events("viWatch")).filter(({ typ }) => typ === 7).length >= 2);
    await page.close();
  });

  test("tells of the end", async () => {
    const page = await open("viEnd", { fragment: "t=21;autoplay", query: "muted=true" });
    await startedPlaying(page);
    await page.waitForFunction(() => document.querySelector("#video").ended);
    assert.equal(await page.getAttribute("#play", "aria-label"), "Play again");
    await until("the end to be told", async () => (await service.events("viEnd")).some(({ typ }) => typ === 6));
    await page.close();
  });

  test("looks around in a panorama", async () => {
    const page = await open("viRound", { query: "panoramic&muted=true", fragment: "autoplay" });
    await startedPlaying(page);
    const canvas = page.locator(".panorama");
    await canvas.waitFor();
    await page.mouse.move(500, 250);
    await page.mouse.down();
    await page.mouse.move(300, 200, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(() => document.querySelector("#player").dataset.look);
    const [right] = (await page.getAttribute("#player", "data-look")).split(",").map(Number);
    assert.ok(right > 0.1, `turned by ${right}`);
    await page.keyboard.press("Shift+ArrowUp");
    assert.notEqual((await page.getAttribute("#player", "data-look")).split(",")[1], "0.00");
    assert.ok(!(await video(page, (v) => v.paused)), "a drag paused the video");
    await page.clean(/GPU stall|GL Driver|WebGL/);
    await page.close();
  });
});
