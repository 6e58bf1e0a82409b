// Rate limits in the console: what comes of rules, why a request is refused, and a rule
// file from broken to live.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { shoot, startConsole } from "./console_service.js";
import { until } from "./until.js";
import { launch } from "./watched_page.js";

const shop = "domain: shop\ndescriptors:\n  - key: path\n    value: /api/*\n    rate_limit: {unit: minute, requests_per_unit: 100}\n    descriptors:\n      - {key: user, rate_limit: {unit: hour, requests_per_unit: 20}, shadow_mode: true}\n";
const unread = /40[349]|422/; // the browser says aloud what the page deals with

describe("rate limits", { timeout: 180_000 }, () => {
  let service, browser;

  before(async () => {
    service = await startConsole({
      services: ["ratelimit", "polls", "video"], wanted: ["video"],
      env: { STOA_LIMITS: "on", HOST: "127.0.0.1", GRPC_HOST: "127.0.0.1", PORT: "0", GRPC_PORT: "0" },
    });
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  const read = async () => (await fetch(`${service.origin}/api/v4/polls/1`)).status;
  const row = (page, rule) => page.locator(`tr[data-path="${rule}"]`);
  const hits = async (page, rule) => Number((await row(page, rule).locator("td.n").first().textContent()).replaceAll(",", ""));

  test("rules are a tree, and their hits are counted as they come", async () => {
    const page = await service.open(browser, "/console/limits");
    await row(page, "polls.route_read.address").waitFor();
    await page.getByRole("heading", { name: "No rules yet" }).waitFor(); // of the rate limit service
    const before = await hits(page, "polls.route_read.address");
    assert.equal(await read(), 404);
    await until("the read is counted", async () => (await hits(page, "polls.route_read.address")) > before);
    await shoot(page, "limits", "rules");
    await page.clean();
    await page.close();
  });

  test("a request is explained by its rule", async () => {
    const page = await service.open(browser, "/console/limits/explain");
    await page.getByText("What would this request be answered?").waitFor();
    await shoot(page, "limits", "explain-empty");
    await page.getByLabel("Domain").selectOption("polls");
    await page.getByLabel("Descriptors").fill("route=read,address=127.0.0.1\nroute=nothing");
    await page.getByRole("button", { name: "Explain" }).click();
    await page.getByText("The request would pass").waitFor();
    await page.getByText(/is within 1200 per minute/).waitFor();
    assert.match(page.url(), /domain=polls&ask=/);
    await shoot(page, "limits", "explain");
    await page.getByRole("link", { name: /^polls\.yaml:\d+$/ }).first().click();
    await page.getByLabel("Text of polls.yaml").waitFor();
    await page.clean();
    await page.close();
  });

  test("a broken rule file says where, and a mended one holds when it is put live", async () => {
    const page = await service.open(browser, "/console/limits/files/polls.yaml");
    const text = page.getByLabel("Text of polls.yaml");
    const live = page.getByRole("button", { name: "Put it live" });
    await page.getByText("Nothing: this is what holds now.").waitFor();
    const shipped = await text.inputValue();
    const line = shipped.split("\n").findIndex((l) => l.includes("requests_per_unit: 1200")) + 1;

    await text.fill(shipped.replace("unit: minute, requests_per_unit: 1200", "unit: fortnight, requests_per_unit: 1200"));
    await page.getByRole("button", { name: new RegExp(`^Line ${line}, column`) }).click();
    await page.getByText("invalid rate limit unit 'fortnight'").waitFor();
    assert.ok(await live.isDisabled(), "what has faults can be put live");
    await page.evaluate(() => scrollTo(0, 0));
    await shoot(page, "limits", "file-broken");

    await text.fill(shipped.replace("requests_per_unit: 1200", "requests_per_unit: 0"));
    await page.getByText("1200 per minute").waitFor();
    await page.getByText("0 per minute", { exact: true }).waitFor();
    await page.evaluate(() => scrollTo(0, 0));
    await shoot(page, "limits", "file-changed");
    assert.equal(await read(), 404);
    await live.click();
    await page.getByText("polls.yaml is live").waitFor();
    assert.equal(await read(), 429);
    assert.match(await readFile(path.join(service.folder, "data/rules/polls.yaml"), "utf8"), /requests_per_unit: 0}/);

    await page.getByRole("link", { name: "Rate limits" }).first().click();
    await until("the refusal is counted", async () => /0 per minute.*[1-9]\s*$/s.test(await row(page, "polls.route_read.address").textContent()));
    await page.clean();
    await page.close();
  });

  test("the rate limit service gets its first rule file", async () => {
    const page = await service.open(browser, "/console/limits");
    await page.getByRole("button", { name: "New rule file" }).click();
    await page.getByLabel("Name of the file").fill("shop");
    await page.getByRole("button", { name: "Begin" }).click();
    await page.getByText("shop.user").waitFor(); // of the text to begin with
    await page.getByLabel("Text of ratelimit/shop.yaml").fill(shop);
    await page.getByText("shop.path_/api/*.user").waitFor();
    await page.getByRole("button", { name: "Put it live" }).click();
    await page.getByText("ratelimit/shop.yaml is live").waitFor();
    await page.getByRole("link", { name: "Rate limits" }).first().click();
    await row(page, "shop.path_/api/*.user").waitFor();
    assert.match(await row(page, "shop.path_/api/*.user").textContent(), /user.*20 per hour, shadow mode/s);
    await page.clean();
    await page.close();
  });

  test("a file that somebody else changed is not overwritten", async () => {
    const file = path.join(service.folder, "data/ratelimit/config/shop.yaml");
    const page = await service.open(browser, `/console/limits/files/${encodeURIComponent("ratelimit/shop.yaml")}`);
    const text = page.getByLabel("Text of ratelimit/shop.yaml");
    await text.fill(shop.replace("100", "200"));
    await page.getByText("200 per minute").waitFor();
    await writeFile(file, shop.replace("100", "300"));
    await page.getByRole("button", { name: "Put it live" }).click();
    await page.getByText("Somebody else changed the file").waitFor();
    await page.evaluate(() => scrollTo(0, 0));
    await shoot(page, "limits", "file-conflict");
    await page.getByRole("button", { name: "Read it again" }).click();
    await until("it is read again", async () => (await text.inputValue()).includes("300"));
    assert.match(await readFile(file, "utf8"), /300/);

    await writeFile(file, shop.replace("minute", "fortnight"));
    await service.goto(page, "/console/limits");
    const fault = page.getByRole("link", { name: /^ratelimit\/shop\.yaml:5:/ });
    await fault.waitFor();
    await shoot(page, "limits", "rules-broken");
    await fault.click();
    await page.getByText("What is wrong").waitFor();
    await page.clean(unread);
    await page.close();
  });
});
