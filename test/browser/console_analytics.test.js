// Analytics in the console: what players send to the collector, in numbers and charts.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import ApiVideoClient from "@api.video/nodejs-client";
import { shoot, startConsole } from "./console_service.js";
import { until } from "./until.js";
import { launch } from "./watched_page.js";

const agents = {
  chrome: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
  firefox: "Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0",
  phone: "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36",
};

describe("console: analytics", { timeout: 180_000 }, () => {
  let service, browser, client, film, formula;

  before(async () => {
    service = await startConsole();
    client = new ApiVideoClient({ baseUri: service.videoOrigin, apiKey: await service.run(["apikey", "create", "tests"]) });
    film = await client.videos.create({ title: "The long way home" });
    formula = await client.videos.create({ title: "=1+1, a \"formula\"" });
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  // watch sends what a player sends of somebody who watches some seconds.
  const watch = async (media, agent, seconds, ref = "") => {
    const now = Date.now();
    const at = (ago) => now - 1000 * ago;
    const body = JSON.stringify({
      sat: now, sid: randomUUID(), pid: randomUUID(), mid: media.videoId, ref, ver: "0.1.0",
      eve: [{ eat: at(seconds + 1), typ: 1, vti: 0 }, { eat: at(seconds), typ: 2, vti: 0 }, { eat: now, typ: 4, vti: seconds, pau: false }],
    });
    const response = await fetch(`${service.videoOrigin}/watch`, { method: "POST", body, headers: { "User-Agent": agent } });
    assert.equal(response.status, 204);
  };
  // stat is a number of the summary.
  const stat = (page, label) => page.locator(".stat", { hasText: label }).locator(".value").first().textContent();

  test("says what comes here while nobody has watched", async () => {
    const page = await service.open(browser, "/console/analytics");
    await page.getByRole("heading", { name: "Nobody watched in this time" }).waitFor();
    await shoot(page, "analytics", "empty");
    await page.clean();
    await page.close();
  });

  test("counts what players send, over time and by viewer", async () => {
    for (let i = 0; i < 3; i++) await watch(film, agents.chrome, 40, "https://news.example/");
    await watch(film, agents.firefox, 20);
    await watch(film, agents.phone, 10);
    await watch(formula, agents.phone, 7);
    const page = await service.open(browser, "/console/analytics?range=24h");
    await until("all plays", async () => (await stat(page, "Plays")) === "6");
    assert.ok(Number(await stat(page, "Viewers")) >= 3); // by browser and address, and day: it may be midnight
    assert.equal(await stat(page, "Watch time"), "2 min 37 s");
    await page.getByRole("row", { name: /The long way home 5 83 %/ }).waitFor();
    for (const row of [/Computer 4 /, /Phone 2 /, /Chrome 5 /, /Firefox 1 /, /Unknown 6 100 %/, /https:\/\/news.example\/ 3 50 %/]) await page.getByRole("row", { name: row }).waitFor();
    await page.getByText("As a table: Plays and viewers").click();
    assert.equal(await page.getByRole("region", { name: "Plays and viewers" }).getByRole("row").count(), 1 + 24);
    await page.getByText("As a table: Plays and viewers").click();
    assert.ok((await page.locator("canvas").count()) >= 2);
    await shoot(page, "analytics", "filled");

    await page.getByRole("button", { name: "30 days", exact: true }).click();
    await page.waitForURL(/range=30d/);
    await page.getByText("Counted by day, of UTC.").waitFor();
    assert.equal(await stat(page, "Plays"), "6");
    await page.clean();
    await page.close();
  });

  test("is about one video, and downloaded", async () => {
    const page = await service.open(browser, "/console/analytics");
    await page.getByRole("button", { name: "=1+1" }).click();
    await until("its plays", async () => (await stat(page, "Plays")) === "1");
    assert.match(page.url(), new RegExp(`media=${formula.videoId}`));
    await page.reload();
    await until("its plays again", async () => (await page.locator(".stat").count()) > 0 && (await stat(page, "Plays")) === "1");
    const saved = async (button) => {
      const [file] = await Promise.all([page.waitForEvent("download"), button.click()]);
      return readFile(await file.path(), "utf8");
    };
    const rows = (await saved(page.getByRole("button", { name: "Download CSV" }))).trim().split("\r\n");
    assert.equal(rows[0], "begins_at,plays,viewers,watch_time_seconds");
    assert.equal(rows.length, 1 + 7);
    const sum = (column) => rows.slice(1).reduce((all, row) => all + Number(row.split(",")[column]), 0);
    assert.deepEqual([sum(1), sum(2), sum(3)], [1, 1, 7]);
    const titles = await saved(page.getByRole("button", { name: "Download Plays by video and live stream as CSV" }));
    assert.equal(titles, `Title,Id,Plays\r\n"'=1+1, a ""formula""",${formula.videoId},1\r\n`);
    await page.getByLabel("Which videos and live streams").selectOption("All live streams");
    await page.getByRole("heading", { name: "Nobody watched in this time" }).waitFor();
    await page.clean();
    await page.close();
  });
});
