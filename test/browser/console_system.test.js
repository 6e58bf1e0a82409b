// The system in the console: health, storage, settings, jobs, API keys, accounts.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { shoot, startConsole } from "./console_service.js";
import { until } from "./until.js";
import { launch } from "./watched_page.js";

const refused = /40[0149]|422/; // the browser says aloud what the page deals with

describe("console: system", { timeout: 180_000 }, () => {
  let service, browser, key;

  before(async () => {
    service = await startConsole({
      env: { STOA_SRT_PASSPHRASE: "hush-hush-hush" },
      prepare: (folder) => writeFile(path.join(folder, "stoa.yaml"), "# ours\npolls_streams: 77\n"),
    });
    browser = await launch();
    key = await service.run(["apikey", "create", "my-site"]);
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  // A source in a private network is refused at once.
  async function failedVideo(title) {
    const call = async (address, headers, body) => {
      const response = await fetch(service.videoOrigin + address, {
        method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body),
      });
      return response.json();
    };
    const { access_token: token } = await call("/auth/api-key", {}, { apiKey: key });
    return (await call("/videos", { Authorization: `Bearer ${token}` }, { title, source: "http://127.0.0.1:9/film.mp4" })).videoId;
  }

  test("tells how everything is, what it takes, and its versions", async () => {
    const page = await service.open(browser, "/console/system");
    await page.getByRole("listitem").filter({ hasText: "Polls database" }).getByText("Well").waitFor();
    await page.getByText(/^SQLite \d/).waitFor();
    await page.getByText("free of").waitFor();
    await shoot(page, "system", "system");
    await page.clean();
    await page.close();
  });

  test("tells where each setting comes from, and shows no secret", async () => {
    const page = await service.open(browser, "/console/system/settings");
    const row = (name) => page.getByRole("row").filter({ has: page.locator("td:first-child code").getByText(name, { exact: true }) });
    assert.match(await row("polls_streams").innerText(), /77\s+File\s*stoa\.yaml:2/);
    assert.match(await row("video_listen").innerText(), /Variable\s*STOA_VIDEO_LISTEN/);
    assert.match(await row("video_keep_views").innerText(), /Default/);
    assert.match(await row("DEBUG_PORT").innerText(), /Variable/);
    assert.ok(!(await page.content()).includes("hush-hush"), "got the passphrase in the page");
    await page.getByLabel("Which settings").selectOption("set"); // the rest looks the same
    await until("no default", async () => (await page.getByText("Default", { exact: true }).count()) === 0);
    await shoot(page, "system", "settings");
    await page.getByRole("searchbox").fill("no such thing");
    await page.getByRole("heading", { name: "No such setting" }).waitFor();
    await page.clean();
    await page.close();
  });

  test("shows failed jobs, and has them tried again or forgotten", async () => {
    const videos = [await failedVideo("one"), await failedVideo("two")];
    const page = await service.open(browser, "/console/system/jobs?state=given_up");
    const failed = page.getByRole("link", { name: "Fetch a source" });
    await until("both jobs failed", async () => (await failed.count()) === 2);
    await shoot(page, "system", "jobs");

    await failed.first().click();
    await page.getByRole("heading", { name: "The last error" }).waitFor();
    await page.getByText("public network").first().waitFor();
    await page.getByText(videos[1]).waitFor(); // the newest is the first
    await shoot(page, "system", "job");
    const again = page.waitForResponse((r) => r.url().endsWith("/retry") && r.status() === 204);
    await page.getByRole("button", { name: "Retry" }).click();
    await again;
    await page.getByText("begins again").waitFor();
    await page.locator("h1 ~ .badge, .badge").getByText("Failed").waitFor(); // it cannot be fetched this time either
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("button", { name: "Discard job" }).click();
    await page.waitForURL("**/console/system/jobs");

    await page.getByRole("button", { name: "Retry 1 failed job" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Retry 1 job" }).click();
    await page.getByText("1 job will be tried again").waitFor();
    await page.goto(`${service.origin}/console/system/jobs/999999`);
    await page.getByRole("heading", { name: "This job is not there any more" }).waitFor();
    await shoot(page, "system", "job-gone");
    await page.clean(refused);
    await page.close();
  });

  test("makes an API key that works, suspends it, and deletes it", async () => {
    const page = await service.open(browser, "/console/system/keys");
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Name").fill("the app");
    await page.getByLabel("Limits of its own").check();
    await page.getByRole("button", { name: "Make key" }).click();
    await page.getByText(/names of API keys/i).waitFor();
    await shoot(page, "system", "new-key");
    await page.getByLabel("Name").fill("the-app");
    await page.getByRole("button", { name: "Make key" }).click();
    const text = await page.getByRole("dialog").locator("code").innerText();
    const enter = async () => (await fetch(`${service.videoOrigin}/auth/api-key`, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ apiKey: text }),
    })).status;
    assert.equal(await enter(), 200);
    await page.getByRole("button", { name: "Done" }).click();

    const act = async (what) => {
      await page.getByRole("button", { name: "Actions for the-app" }).click();
      await page.getByRole("menuitem", { name: what }).click();
    };
    await act("Suspend");
    await page.getByText("Suspended", { exact: true }).waitFor();
    assert.notEqual(await enter(), 200);
    await shoot(page, "system", "keys");
    await act("Delete");
    await page.getByRole("button", { name: "Delete key" }).click();
    await page.getByText("the-app is deleted").waitFor();
    await page.clean(refused);
    await page.close();
  });

  test("makes an account, gives and takes rights, ends its logins, deletes it", async () => {
    const page = await service.open(browser, "/console/system/accounts");
    await page.getByRole("link", { name: "olga" }).waitFor();
    await page.getByRole("button", { name: "New account" }).click();
    await page.getByLabel("Username").fill("zoe");
    await page.getByLabel("E-mail address").fill("zoe@example.com");
    await page.getByRole("button", { name: "Make account" }).click();
    const password = await page.getByRole("dialog").locator("code").innerText();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("searchbox").fill("ZOE@");
    await until("zoe alone", async () => (await page.locator("tbody tr").count()) === 1);
    await shoot(page, "system", "accounts");

    const zoe = await browser.newContext();
    const login = await zoe.request.post(`${service.origin}/api/v4/users/authenticate`, { data: { email_or_username: "zoe", password } });
    const { authToken } = await login.json();
    await page.getByRole("link", { name: "zoe" }).click();
    await page.getByRole("button", { name: "Make operator" }).click();
    await page.getByText("zoe is an operator", { exact: true }).waitFor();
    await shoot(page, "system", "account");
    await page.getByRole("button", { name: /^End login/ }).click();
    await page.getByText("Nobody is logged in").waitFor();
    const me = await zoe.request.get(`${service.origin}/api/v4/users/me`, { headers: { Authorization: `Bearer ${authToken}` } });
    assert.equal(me.status(), 401);

    await page.getByRole("button", { name: "Delete account" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Delete account" }).click();
    await dialog.getByText("Type zoe first").waitFor();
    await dialog.getByRole("textbox").fill("zoe");
    await dialog.getByRole("button", { name: "Delete account" }).click();
    await page.waitForURL("**/console/system/accounts");
    await service.goto(page, "/console/system/accounts/olga");
    await page.getByText("This is your own account").waitFor();
    assert.equal(await page.getByRole("button", { name: "Delete account" }).count(), 0);
    await zoe.close();
    await page.clean(refused);
    await page.close();
  });
});
