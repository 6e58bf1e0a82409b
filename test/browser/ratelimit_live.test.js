// The live page in a real browser, fed by a real service.
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { fitsSideways, violations } from "./accessible.js";
import { hostileRule, keepAsking, startService } from "./ratelimit_service.js";
import { launch, number, openPage } from "./watched_page.js";

const artefacts = path.join(import.meta.dirname, "artefacts");
const hostileKey = `<img src=x onerror="window.hostile='key'">`;
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };
const desktop = { viewport: { width: 1280, height: 800 } };

describe("live page", { timeout: 120_000 }, () => {
  let service, browser;
  const open = (options) => openPage(browser, service.live, options);
  // traffic runs while f does; the user u1 is soon over the limit.
  const withTraffic = async (f) => {
    const stop = keepAsking(service, [
      { path: "/api", user: "u1" }, { path: "/api" }, { path: "/api", user: hostileKey }, { trial: "x" },
      { path: "/api", user: "a-user-with-a-rather-long-name-as-they-come-from-tokens-0123456789" },
    ]);
    try {
      await f();
    } finally {
      await stop();
    }
  };

  before(async () => {
    await mkdir(artefacts, { recursive: true });
    service = await startService();
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  test("numbers, keys and rules move with the traffic", async () => {
    const page = await open();
    await page.getByText("live", { exact: true }).waitFor();
    await page.getByText("no hits in the last second").waitFor();
    await withTraffic(async () => {
      await page.waitForFunction(() => Number(document.querySelector("#hits").textContent) > 0);
      await page.waitForFunction(() => Number(document.querySelector("#refused").textContent) > 0);
      const key = page.locator("#keys tr", { hasText: "shop_path_/api_user_u1_" }).first(); // of two, when the minute turns
      await key.waitFor();
      assert.match(await key.textContent(), /3 per minute/);
      const rule = page.locator("#rules tr").filter({ has: page.getByText("shop.path_/api*.user", { exact: true }) });
      await page.waitForFunction((row) => Number(row.cells[3].textContent) > 0, await rule.elementHandle());
      assert.ok((await page.getAttribute("#line-hits", "points")).length > 0);
      assert.ok((await number(page, "#peak")) > 0);
    });
    await page.getByText("no hits in the last second").waitFor();
    assert.equal(await number(page, "#hits"), 0);
    await page.clean();
  });

  test("callers' text stays text", async () => {
    const page = await open();
    await withTraffic(async () => {
      await page.locator("#keys").getByText(hostileKey).first().waitFor();
      await page.locator("#rules").getByText(hostileRule).waitFor();
    });
    assert.equal(await page.locator("main img, main script").count(), 0);
    await page.clean();
  });

  test("pause and resume by keyboard", async () => {
    const page = await open();
    await page.getByText("live", { exact: true }).waitFor();
    await withTraffic(async () => {
      await page.waitForFunction(() => Number(document.querySelector("#hits").textContent) > 0);
      await page.keyboard.press("Tab");
      const button = page.getByRole("button", { name: "Pause" });
      assert.ok(await button.evaluate((el) => el === document.activeElement && el.matches(":focus-visible")));
      await page.keyboard.press("Space");
      await page.getByText("paused", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Resume" }).waitFor();
    });
    const frozen = await page.textContent("main");
    await page.waitForTimeout(2500);
    assert.equal(await page.textContent("main"), frozen);
    await page.keyboard.press("Enter");
    await page.getByText("live", { exact: true }).waitFor();
    await page.getByText("no hits in the last second").waitFor();
    for (const name of ["Top keys now", "Rules"]) { // tables that scroll can be reached
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate(() => document.getElementById(document.activeElement.getAttribute("aria-labelledby"))?.textContent), name);
    }
    await page.clean();
  });

  test("without script the rules are there", async () => {
    const page = await openPage(browser, service.live, { javaScriptEnabled: false });
    assert.ok(await page.locator("noscript .note").isVisible());
    assert.ok(await page.getByText("shop.path_/api*.user", { exact: true }).isVisible());
    assert.ok(await page.getByText("2 per 5 minutes").isVisible());
    for (const part of ["#state", "#pause", "#chart", "#keys"]) assert.ok(!(await page.locator(part).isVisible()), part);
    await page.screenshot({ path: path.join(artefacts, "without-script.png"), fullPage: true });
  });

  test("a service that ends is noticed, and one that comes back too", async () => {
    const first = await startService();
    const page = await openPage(browser, first.live);
    await page.getByText("live", { exact: true }).waitFor();
    await first.stop();
    await page.getByText("connection lost, trying again…").waitFor();
    const second = await startService({ debugPort: first.debugPort });
    try {
      await page.getByText("live", { exact: true }).waitFor();
    } finally {
      await second.stop();
    }
  });

  for (const colorScheme of ["light", "dark"]) {
    for (const [device, options] of Object.entries({ phone, desktop })) {
      test(`accessible and in bounds: ${device}, ${colorScheme}`, async () => {
        const page = await open({ ...options, colorScheme });
        await withTraffic(async () => {
          await page.locator("#keys").getByText("shop_path_/api_user_u1_").first().waitFor(); // of two, when the minute turns
          await page.waitForTimeout(4000); // for the chart to have a line
          await page.screenshot({ path: path.join(artefacts, `${device}-${colorScheme}.png`), fullPage: true });
          assert.deepEqual(await violations(page), []);
          for (const table of ["#keys", "#rules"]) { // their rows come and go with the traffic
            const right = await page.locator(`${table} tr td:last-child`).first().evaluate((cell) => cell.getBoundingClientRect().right);
            assert.ok(right <= options.viewport.width, `the numbers of ${table} are out of sight`);
          }
        });
        await fitsSideways(page);
        await page.clean();
      });
    }
  }
});
