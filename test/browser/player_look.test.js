// How the player looks, on each kind of screen, and whether everybody can use it.
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { fitsSideways, violations } from "./accessible.js";
import { startPlayer, startedPlaying } from "./player_service.js";
import { launch } from "./watched_page.js";

const artefacts = path.join(import.meta.dirname, "artefacts");
const screens = {
  desktop: { viewport: { width: 1280, height: 720 } },
  small: { viewport: { width: 400, height: 225 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
};

describe("look of the player", { timeout: 300_000 }, () => {
  let service, browser;
  const shoot = (page, name) => page.screenshot({ path: path.join(artefacts, `player-${name}.png`) });

  before(async () => {
    await mkdir(artefacts, { recursive: true });
    service = await startPlayer();
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  for (const [screen, options] of Object.entries(screens)) {
    test(`accessible and in bounds: ${screen}`, async () => {
      const page = await service.open(browser, `viLook-${screen}`, { ...options, query: "mp4&muted=true" });
      await page.waitForSelector("[data-ready]");
      await shoot(page, `${screen}-poster`);
      assert.deepEqual(await violations(page), []);
      await page.click("#big");
      await startedPlaying(page);
      await page.$eval("#video", (v) => v.pause()); // the controls stay
      await page.click("#captions");
      await page.locator("#menu").waitFor();
      await shoot(page, `${screen}-captions`);
      assert.deepEqual(await violations(page), []);
      await page.getByRole("menuitemradio", { name: "العربية" }).click();
      await page.click("#more");
      await page.locator("#menu").waitFor();
      await page.waitForFunction(() => document.querySelector("#video").textTracks[1].activeCues?.length);
      await shoot(page, `${screen}-settings`);
      assert.deepEqual(await violations(page), []);
      await fitsSideways(page);
      for (const control of await page.locator(".control:visible, #seek").all()) {
        const { x, y, width, height } = await control.boundingBox();
        assert.ok(x >= 0 && y >= 0 && x + width <= options.viewport.width && y + height <= options.viewport.height, `${await control.getAttribute("id")} is out of sight`);
      }
      await page.clean();
      await page.close();
    });
  }

  test("with the colours and the logo of a theme", async () => {
    const page = await service.open(browser, "viTheme", { ...screens.desktop, query: `muted=true&theme=${encodeURIComponent("rgba(255, 180, 60, 1)")}&title=${encodeURIComponent("مرحبا بالعالم، كيف الحال؟")}` });
    await page.waitForSelector("[data-ready]");
    await shoot(page, "theme-poster");
    assert.equal(await page.$eval("#played", (e) => getComputedStyle(e).backgroundColor), "rgb(255, 180, 60)");
    assert.equal(await page.locator("a.logo").getAttribute("href"), "https://publisher.example/");
    assert.deepEqual(await violations(page), []);
    await page.click("#big");
    await startedPlaying(page);
    const bar = await page.locator("#progress").boundingBox();
    await page.mouse.move(bar.x + bar.width * 0.6, bar.y + 10);
    await page.waitForFunction(() => document.querySelector(".still").style.backgroundImage);
    await shoot(page, "theme-preview");
    await page.clean();
    await page.close();
  });

  test("a preview in a tiny frame is not cut off", async () => {
    const page = await service.open(browser, "viTiny", { viewport: { width: 280, height: 158 } });
    await page.waitForSelector("[data-ready]");
    const bar = await page.locator("#progress").boundingBox();
    await page.mouse.move(bar.x + bar.width * 0.5, bar.y + 10);
    await page.waitForFunction(() => document.querySelector(".still").style.backgroundImage && document.querySelector("#preview .caption").textContent);
    await shoot(page, "tiny-preview");
    const { x, y, width } = await page.locator("#preview").boundingBox();
    assert.ok(x >= 0 && y >= 0 && x + width <= 280, `it is at ${x}, ${y}`);
    await page.clean();
    await page.close();
  });

  for (const state of ["waiting", "private", "failed", "gone"]) {
    for (const colorScheme of ["light", "dark"]) {
      test(`says that it is ${state}: ${colorScheme}`, async () => {
        if (state === "waiting") await service.setSegments("viState", 0);
        const page = await service.open(browser, "viState", { viewport: { width: 640, height: 360 }, colorScheme, query: `state=${state}` });
        await page.locator("#message h1").waitFor();
        await shoot(page, `${state}-${colorScheme}`);
        assert.deepEqual(await violations(page), []);
        await fitsSideways(page);
        await page.clean();
        await page.close();
      });
    }
  }

  test("without script the browser's own player is there", async () => {
    const page = await service.open(browser, "viPlain", { ...screens.desktop, javaScriptEnabled: false, query: "mp4" });
    const plain = page.locator("video.plain");
    await plain.waitFor();
    assert.deepEqual(await plain.locator("source").evaluateAll((all) => all.map((s) => s.type)), ["application/vnd.apple.mpegurl", "video/mp4"]);
    await page.close();
  });
});
