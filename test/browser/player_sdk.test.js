// The official player SDK, on a site of somebody else, drives the page.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { startPlayer } from "./player_service.js";
import { until } from "./until.js";
import { launch, watchedPage } from "./watched_page.js";

const sdk = await readFile(createRequire(import.meta.url).resolve("@api.video/player-sdk"), "utf8");

describe("player SDK", { timeout: 300_000 }, () => {
  let service, browser, host, page, frame;
  const ask = (question) => page.evaluate((name) => window.player[name](), question);
  const call = (name, ...args) => page.evaluate(([n, a]) => { window.player[n](...a); }, [name, args]);
  const heard = (name) => page.evaluate((n) => window.heard.filter(([type]) => type === n).map(([, value]) => value), name);
  const inFrame = (f, arg) => frame.evaluate(f, arg);

  before(async () => {
    service = await startPlayer();
    browser = await launch();
    host = createServer((request, response) => {
      const script = request.url === "/sdk.js";
      response.writeHead(200, { "Content-Type": script ? "text/javascript" : "text/html; charset=utf-8" });
      response.end(script ? sdk : `<!doctype html><html lang="en"><title>The Gazette</title><link rel="icon" href="data:,"><div id="target" style="width: 800px; height: 450px"></div><script src="/sdk.js"></script>`);
    });
    host.listen(0, "127.0.0.1");
    await once(host, "listening");
    const site = `http://localhost:${host.address().port}`; // another site than 127.0.0.1
    page = await watchedPage(await browser.newContext({ viewport: { width: 900, height: 600 } }), site, service.origin);
    await page.goto(site);
  });
  after(async () => {
    await browser?.close();
    host?.closeAllConnections();
    host?.close();
    await service?.stop();
  });

  test("makes the iframe, and hears that it is ready", async () => {
    await page.evaluate((origin) => {
      window.heard = [];
      window.player = new window.PlayerSdk("#target", { id: "viSdk", iframeUrl: `${origin}/\${type}/\${id}`, muted: true, hideTitle: true, metadata: { user: "ann" } });
      const events = ["ready", "play", "firstplay", "pause", "ended", "seeking", "timeupdate", "volumechange", "ratechange", "qualitychange", "resize", "playerresize", "controlsenabled", "controlsdisabled", "fullscreenchange", "error"];
      for (const event of events) window.player.addEventListener(event, (value) => window.heard.push([event, value]));
    }, service.origin);
    await until("ready", async () => (await heard("ready")).length === 1);
    frame = page.frames().find((f) => f.url().includes("viSdk"));
    assert.equal(Math.round(await ask("getDuration")), 24);
    assert.ok((await ask("getVideoSize")).width > 0);
    assert.equal(await ask("getPaused"), true);
    assert.equal(await ask("getMuted"), true);
    assert.equal(await ask("getPlaying"), false);
    assert.equal(await ask("isLiveStream"), false);
    assert.equal(await ask("getLoop"), false);
    assert.equal(await ask("getPlaybackRate"), 1);
    assert.ok(await inFrame(() => document.querySelector("#player").classList.contains("no-title")));
  });

  test("plays, seeks and pauses", async () => {
    await call("play");
    await until("time to go on", async () => (await heard("timeupdate")).some(({ currentTime }) => currentTime > 0.5));
    assert.equal(await ask("getPlaying"), true);
    assert.equal((await heard("firstplay")).length, 1);
    await call("setCurrentTime", 10);
    await until("the place that was asked for", async () => (await ask("getCurrentTime")) >= 10);
    await call("seek", 5);
    await until("5 s later", async () => (await ask("getCurrentTime")) >= 15);
    await call("pause");
    await until("a pause", () => ask("getPaused"));
    for (const event of ["seeking", "pause", "play", "qualitychange", "playerresize"]) assert.ok((await heard(event)).length > 0, `${event} was not told`);
    const [quality] = await heard("qualitychange");
    assert.ok(quality.resolution.width > 0 && quality.resolution.height > 0);
  });

  test("sets sound, speed and loop", async () => {
    await call("unmute");
    await call("setVolume", 0.4);
    await until("the volume", async () => (await ask("getVolume")) === 0.4);
    assert.ok((await heard("volumechange")).some(({ volume }) => volume === 0.4));
    await call("mute");
    await until("silence", () => ask("getMuted"));
    await call("setPlaybackRate", 2);
    await until("double speed", async () => (await ask("getPlaybackRate")) === 2);
    await call("setLoop", true);
    await until("a loop", () => ask("getLoop"));
  });

  test("shows and hides parts, and sets colours", async () => {
    await call("hideControls", ["volume", "download", "chromecast"]);
    await until("no volume", () => inFrame(() => !document.querySelector(".sound").checkVisibility()));
    assert.ok(await inFrame(() => document.querySelector("#play").checkVisibility()));
    await call("showControls", ["volume"]);
    await until("the volume again", () => inFrame(() => document.querySelector(".sound").checkVisibility()));
    await call("hideControls");
    await until("controlsdisabled", async () => (await heard("controlsdisabled")).length === 1);
    await call("showControls");
    await until("controlsenabled", async () => (await heard("controlsenabled")).length === 1);
    await call("showTitle");
    await call("showSubtitles");
    await until("subtitles", () => inFrame(() => [...document.querySelector("#video").textTracks].some((t) => t.mode === "showing")));
    await call("hideSubtitles");
    await call("setTheme", { trackPlayed: "rgb(1, 2, 3)", link: "red; background: url(https://a.example)" });
    await until("a colour", () => inFrame(() => getComputedStyle(document.querySelector("#played")).backgroundColor === "rgb(1, 2, 3)"));
    await call("setVideoStyleObjectFit", "cover");
    await until("a picture that fills", () => inFrame(() => document.querySelector("#video").style.objectFit === "cover"));
    await call("setChromeless", true);
    await until("no chrome", () => inFrame(() => document.querySelector("#player").classList.contains("chromeless")));
    await call("setChromeless", false);
    await call("setMaximalQuality", 180);
    await call("setMinimalQuality", 180);
    assert.equal(await ask("getPaused"), true); // and all of these were taken
    await page.clean();
  });

  test("loads another video into the same frame", async () => {
    await page.evaluate(() => { window.heard.length = 0; window.player.loadConfig({ id: "viOther" }); });
    await until("the other to be ready", async () => (await heard("ready")).length === 1);
    await until("its address", () => page.frames().some((f) => f.url().includes("/vod/viOther")));
    await call("play");
    await until("the other to play", async () => (await heard("timeupdate")).some(({ currentTime }) => currentTime > 0.3));
    await page.clean();
  });

  test("listens to nobody else", async () => {
    const stranger = await watchedPage(await browser.newContext(), service.origin, `http://localhost:${host.address().port}`);
    await stranger.goto(`http://localhost:${host.address().port}/`);
    const other = btoa("https://elsewhere.example");
    await stranger.setContent(`<iframe src="${service.origin}/vod/viDeaf?muted=true#sdkPlayerId:1;sdkOrigin:${other};api"></iframe>`);
    await until("the page", async () => stranger.frames().some((f) => f.url().includes("viDeaf")));
    const deaf = stranger.frames().find((f) => f.url().includes("viDeaf"));
    await deaf.waitForSelector("[data-ready]", { state: "attached" });
    const came = deaf.evaluate(() => new Promise((go) => {
      window.addEventListener("message", () => go(document.querySelector("#player").classList.contains("waiting")));
      document.documentElement.dataset.listening = "";
    }));
    await deaf.waitForSelector("[data-listening]");
    await stranger.evaluate(() => window.frames[0].postMessage({ message: "play", sdkPlayerId: 1, callbackId: "x" }, "*"));
    assert.equal(await came, false, "a message of another origin began to play");
  });
});
