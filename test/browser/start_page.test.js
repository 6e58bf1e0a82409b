// The start page of a server that the demo filled: its video plays, its polls can be
// voted on.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { fitsSideways, violations } from "./accessible.js";
import { startedPlaying } from "./player_service.js";
import { runStoa, startStoa } from "./stoa.js";
import { launch, watchedPage } from "./watched_page.js";

const artefacts = path.join(import.meta.dirname, "artefacts", "start");
const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } };

describe("start page", { timeout: 180_000 }, () => {
  let folder, service, browser, origins;

  before(async () => {
    await mkdir(artefacts, { recursive: true });
    folder = await mkdtemp(path.join(tmpdir(), "stoa-browser-"));
    const env = {
      PATH: process.env.PATH, STOA_DATA: path.join(folder, "data"), STOA_SECOND_LISTEN: "off",
      STOA_LISTEN: "127.0.0.1:0", STOA_VIDEO_LISTEN: "127.0.0.1:0", STOA_RTMP_LISTEN: "off", STOA_SRT_LISTEN: "off", STOA_WHIP_LISTEN: "off", DEBUG_HOST: "127.0.0.1", DEBUG_PORT: "0", DISABLE_STATS: "true",
    };
    service = await startStoa(["polls", "video"], folder, env, "video");
    const { web, video } = service.addresses;
    origins = [`http://${web}`, `http://${video}`];
    await runStoa(["demo", "--demo-polls", "3", "--demo-voters", "5", "--demo-films", "1", "--demo-seconds", "4"], folder, { ...env, STOA_LISTEN: web, STOA_VIDEO_LISTEN: video });
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
    await rm(folder, { recursive: true });
  });

  test("its video plays", async () => {
    const page = await watchedPage(await browser.newContext({ viewport: sizes.desktop }), ...origins);
    await page.goto(origins[0]);
    const frame = await (await page.waitForSelector(".hero-video iframe")).contentFrame();
    await frame.click("#big");
    await startedPlaying(frame);
    await page.clean();
    await page.close();
  });

  test("people vote on it, with and without script", async () => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await watchedPage(await browser.newContext({ javaScriptEnabled }), ...origins);
      await page.goto(origins[0]);
      const card = page.locator(".poll", { hasText: "Cats or dogs?" });
      await card.getByRole("radio", { name: "Dogs" }).check();
      if (!javaScriptEnabled) await card.getByRole("button", { name: "Vote" }).click();
      await page.locator(".poll[data-vote='2']", { hasText: "Cats or dogs?" }).waitFor();
      await page.clean();
      await page.close();
    }
  });

  test("is accessible and in bounds in both themes", async () => {
    const page = await watchedPage(await browser.newContext({ reducedMotion: "reduce" }), ...origins);
    await page.goto(origins[0]);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      for (const [device, size] of Object.entries(sizes)) {
        await page.setViewportSize(size);
        await page.screenshot({ path: path.join(artefacts, `start-${device}-${colorScheme}.png`), fullPage: true });
        await fitsSideways(page);
      }
      assert.deepEqual(await violations(page), [], `in ${colorScheme} colours`);
    }
    await page.close();
  });
});
