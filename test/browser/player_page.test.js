// The player page in a real browser, with a real video.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startPlayer, startedPlaying, video } from "./player_service.js";
import { until } from "./until.js";
import { launch } from "./watched_page.js";

const desktop = { viewport: { width: 960, height: 540 } };

describe("player", { timeout: 300_000 }, () => {
  let service, browser;
  let made = 0;
  // open shows a video of its own for each test, ready to be played.
  const open = async (options = {}) => {
    const page = await service.open(browser, options.id ?? `viPage${made++}`, { ...desktop, ...options });
    await page.waitForSelector("[data-ready]", { state: "attached" });
    return page;
  };
  // playing plays one over and over, however slow the test is. The pointer on the
  // bar keeps the controls there.
  const playing = async () => {
    const page = await open({ fragment: "loop" });
    await page.click("#big");
    await startedPlaying(page);
    await page.mouse.move(480, 515);
    return page;
  };

  before(async () => {
    service = await startPlayer();
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  test("plays on a click, and fetches what that takes only then", async () => {
    const context = await browser.newContext(desktop);
    const page = await context.newPage();
    const asked = [];
    page.on("request", (r) => asked.push(new URL(r.url()).pathname));
    await page.goto(`${service.origin}/vod/viLight`);
    await page.waitForSelector("[data-ready]");
    assert.ok(!asked.some((path) => /hls\.js|\.m3u8|\.m4s|\.vtt/.test(path)), `asked for ${asked} before anybody wanted to play`);
    await page.click("#big");
    await startedPlaying(page);
    const at = await video(page, (v) => v.currentTime);
    await page.waitForFunction((t) => document.querySelector("#video").currentTime > t + 1, at);
    assert.ok(await page.$eval("#player", (p) => p.classList.contains("started") && !p.classList.contains("paused")));
    assert.equal(await page.getAttribute("#play", "aria-label"), "Pause");
    assert.match(await page.textContent("#clock"), /^0:0\d \/ 0:24$/);
    assert.ok(!asked.some((path) => path.endsWith("en.vtt")), "captions were fetched though they are off");
    await context.close();
  });

  test("switches quality", async () => {
    const page = await playing();
    const choose = async (name) => {
      await page.click("#more");
      await page.getByRole("menuitem", { name: /Quality/ }).click();
      await page.getByRole("menuitemradio", { name, exact: true }).click();
    };
    await choose("180p");
    await page.waitForFunction(() => document.querySelector("#video").videoWidth === 320);
    await choose("360p");
    await page.waitForFunction(() => document.querySelector("#video").videoWidth === 640);
    await page.click("#more");
    assert.match(await page.getByRole("menuitem", { name: /Quality/ }).textContent(), /360p/);
    await page.clean();
    await page.close();
  });

  test("shows captions, each once", async () => {
    const page = await playing();
    await page.keyboard.press("c");
    const shown = () => page.$$eval("#video", ([v]) => [...v.textTracks].filter((t) => t.mode === "showing").map((t) => `${t.language}: ${t.activeCues?.[0]?.text ?? ""}`));
    await until("English captions", async () => /^en: [A-Z][a-z]+ .+$/.test(await shown()));
    await page.click("#captions");
    await page.getByRole("menuitemradio", { name: "العربية" }).click();
    await until("Arabic captions", async () => /^ar: \p{Script=Arabic}.+$/u.test(await shown()));
    assert.equal(await video(page, (v) => v.textTracks.length), 2);
    await page.keyboard.press("c");
    assert.deepEqual(await shown(), []);
    await page.clean();
    await page.close();
  });

  test("previews the place under the pointer, and that under the focus", async () => {
    const page = await open();
    const bar = await page.locator("#progress").boundingBox();
    await page.mouse.move(bar.x + bar.width * 0.5, bar.y + bar.height / 2);
    await page.waitForFunction(() => document.querySelector(".still").style.backgroundImage.includes("sheet.jpg"));
    assert.match(await page.textContent("#preview .time"), /^0:1[12]$/);
    await page.waitForFunction(() => document.querySelector("#preview .caption").textContent === "The middle & more");
    await page.mouse.move(bar.x + 50, 50);
    await page.locator("#preview").waitFor({ state: "hidden" });
    await page.keyboard.press("Tab"); // to the big button
    await page.focus("#seek");
    await page.locator("#preview").waitFor();
    await page.clean();
    await page.close();
  });

  test("goes to a chapter", async () => {
    const page = await playing();
    await page.click("#chapters");
    assert.deepEqual(await page.getByRole("menuitemradio").allTextContents(), ["Beginning0:00", "The middle & more0:08", "End0:16"]);
    await page.getByRole("menuitemradio", { name: "End" }).click();
    await page.waitForFunction(() => document.querySelector("#video").currentTime >= 16);
    await page.waitForFunction(() => document.querySelector("#chapter").textContent === "End");
    assert.equal(await page.locator("#marks i").count(), 2);
    await page.clean();
    await page.close();
  });

  test("does everything by keyboard", async () => {
    const page = await playing();
    const press = (key) => page.keyboard.press(key);
    await page.evaluate(() => document.activeElement.blur());
    await press("k");
    assert.ok(await video(page, (v) => v.paused));
    const time = () => video(page, (v) => v.currentTime);
    await press("0");
    for (const [key, want] of [["5", 12], ["l", 22], ["j", 12], ["ArrowRight", 17], ["ArrowLeft", 12], ["Home", 0]]) {
      await press(key);
      assert.ok(Math.abs((await time()) - want) < 0.1, `${key}: at ${await time()}, want ${want}`);
    }
    await press("m");
    assert.ok(await video(page, (v) => v.muted));
    await press("m");
    await press("ArrowDown");
    assert.equal(await video(page, (v) => v.volume), 0.95);
    await press(">");
    assert.equal(await video(page, (v) => v.playbackRate), 1.25);
    await press("<");
    await press("<");
    assert.equal(await video(page, (v) => v.playbackRate), 0.75);
    await press("f");
    await page.waitForFunction(() => document.fullscreenElement?.id === "player");
    await press("f");
    await page.waitForFunction(() => !document.fullscreenElement);
    await page.focus("#seek");
    await press("ArrowUp"); // along the bar, not the volume
    assert.ok(Math.abs((await time()) - 5) < 0.1);
    await page.evaluate(() => document.activeElement.blur());
    await press("Space");
    await page.waitForFunction(() => !document.querySelector("#video").paused);
    await page.clean();
    await page.close();
  });

  test("has menus that keep the focus", async () => {
    const page = await playing();
    await page.focus("#more");
    await page.keyboard.press("Enter");
    await page.locator("#menu").waitFor();
    assert.match(await page.evaluate(() => document.activeElement.textContent), /Quality/);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement.textContent === "Normal");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.locator("#menu").waitFor({ state: "hidden" });
    assert.equal(await video(page, (v) => v.playbackRate), 1.25);
    assert.equal(await page.evaluate(() => document.activeElement.id), "more");
    await page.keyboard.press("Enter");
    await page.locator("#menu").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("#menu").waitFor({ state: "hidden" });
    assert.equal(await page.getAttribute("#more", "aria-expanded"), "false");
    await page.clean();
    await page.close();
  });

  test("controls go when nothing is done, and come back", async () => {
    const page = await playing();
    await page.mouse.move(300, 200);
    await page.waitForFunction(() => document.querySelector("#player").classList.contains("idle"));
    await page.mouse.move(310, 210);
    await page.waitForFunction(() => !document.querySelector("#player").classList.contains("idle"));
    await page.mouse.click(320, 220);
    await page.waitForFunction(() => document.querySelector("#video").paused);
    await page.close();
  });

  test("a finger shows and hides the controls, and does not pause", async () => {
    const page = await open({ viewport: { width: 844, height: 390 }, isMobile: true, hasTouch: true });
    await page.tap("#big");
    await startedPlaying(page);
    const idle = (wanted) => page.waitForFunction((w) => document.querySelector("#player").classList.contains("idle") === w, wanted);
    await idle(true); // by itself, though the finger was on a button
    await page.touchscreen.tap(300, 150);
    await idle(false);
    assert.ok(!(await video(page, (v) => v.paused)));
    await page.clean();
    await page.close();
  });

  test("offers the MP4 for download", async () => {
    const page = await open({ id: "viMp4", query: "mp4" });
    await page.click("#more");
    assert.equal(await page.getByRole("menuitem", { name: "Download" }).getAttribute("href"), `${service.origin}/vod/viMp4/source.mp4?dl=1`);
    await page.close();
  });

  test("plays without hls.js too, from what the browser can", async () => {
    const page = await browser.newPage(desktop);
    await page.route("**/vod/viNoEngine?*", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace(/"engine":"[^"]*"/, '"engine":""') });
    });
    await page.goto(`${service.origin}/vod/viNoEngine?mp4&muted=true`);
    await page.click("#big");
    await startedPlaying(page);
    assert.doesNotMatch(await video(page, (v) => v.currentSrc), /^blob:/);
    await page.close();
  });

  test("says what went wrong, and tries again", async () => {
    const page = await open();
    await page.route("**/manifest.m3u8", (route) => route.abort());
    await page.click("#big");
    await page.locator("#trouble").getByText("The connection may be lost").waitFor({ timeout: 60_000 });
    await page.unroute("**/manifest.m3u8");
    await page.getByRole("button", { name: "Try again" }).click();
    await startedPlaying(page);
    await page.clean(/ERR_FAILED/);
    await page.close();
  });

  // broken plays one whose later segments are not there.
  const broken = async () => {
    const page = await open({ query: "muted=true" });
    await page.route(/[3-9]\.m4s/, (route) => route.fulfill({ status: 404 }));
    await page.click("#big");
    await page.locator("#trouble").waitFor({ timeout: 60_000 });
    return page;
  };

  test("goes on in the open when a key plays after trouble", async () => {
    const page = await broken();
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Try again");
    const modules = await page.$$eval("link[rel=modulepreload]", (all) => all.map((link) => link.href));
    await page.evaluate(async (address) => {
      window.source = (await import(address)).source;
      window.failed = window.source.hls;
    }, modules.find((address) => address.endsWith("/source.js")));
    const at = await video(page, (v) => (v.currentTime = 3));
    await page.unroute(/[3-9]\.m4s/);
    await page.keyboard.press("k");
    await page.waitForFunction((t) => document.querySelector("#video").currentTime > t + 0.3, at);
    await page.locator("#trouble").waitFor({ state: "hidden" });
    assert.ok((await video(page, (v) => v.currentTime)) < 10, "it did not go on from the same place");
    assert.ok(await page.evaluate(() => window.source.hls !== window.failed && !window.failed.media), "what failed is still attached");
    await page.clean(/404/);
    await page.close();
  });

  test("goes on when the system's own button plays after trouble", async () => {
    const page = await broken();
    await page.unroute(/[3-9]\.m4s/);
    await video(page, (v) => { v.play().catch(() => {}); });
    await page.waitForFunction(() => document.querySelector("#video").currentTime > 12);
    assert.ok(!(await page.locator("#trouble").isVisible()));
    await page.clean(/404/);
    await page.close();
  });

  test("says what became of a video that was taken away", async () => {
    const page = await open({ id: "viTaken", query: "muted=true" });
    await page.route(/m4s|m3u8/, (route) => route.fulfill({ status: 403 }));
    await page.route("**/vod/viTaken?*", (route) => route.continue({ url: `${service.origin}/vod/viTaken?state=private` }));
    await page.click("#big");
    await page.getByText("This video is private").waitFor();
    await page.clean(/403/);
    await page.close();
  });
});
