// embed.js in pages that are built in other ways than by one quick answer.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { frameOf, startHost } from "./host_page.js";
import { startPolls } from "./polls_service.js";
import { until } from "./until.js";
import { launch, watchedPage } from "./watched_page.js";

describe("the script of an embed", { timeout: 120_000 }, () => {
  let service, host, browser, polls;
  const tag = (poll, kind = "async") =>
    `<script ${kind} src="${service.origin}/assets/embed.js" data-publisher="gazette" data-poll-id="${poll.pollID}"></script>`;
  const open = async (markup, later) => {
    host.show(markup, later);
    const page = await watchedPage(await browser.newContext(), service.origin, host.origin);
    await page.goto(host.url, { waitUntil: "commit" });
    return page;
  };

  before(async () => {
    service = await startPolls();
    host = await startHost(service.origin);
    browser = await launch();
    const token = await service.signUp("ann");
    polls = [await service.poll(token, ["Tea or coffee?", "Tea", "Coffee"]), await service.poll(token, ["Milk?", "Yes", "No"])];
    await service.call("POST", "/publishers", { auth_token: token, name: "gazette", display_name: "The Gazette" });
  });
  after(async () => {
    await browser?.close();
    await host?.stop();
    await service?.stop();
  });

  test("a module that is there before the whole page serves its later tags too", async () => {
    let goOn;
    const page = await open(tag(polls[0], `async type="module"`), new Promise((done) => { goOn = done; }));
    await frameOf(page);
    goOn(tag(polls[1], `async type="module"`));
    await until("the second poll", async () => await page.locator("iframe").count() === 2);
    await page.waitForLoadState("load");
    assert.equal(await page.locator("iframe").count(), 2);
    await page.clean();
  });

  // Single-page apps keep the body of a page that is left, and run its scripts again
  // when somebody comes back.
  test("a page that is put back has its poll once, of the right height", async () => {
    const page = await open(`<div>${tag(polls[0])}</div>`);
    await frameOf(page);
    await page.evaluate(() => {
      const policy = trustedTypes.createPolicy("app", { createScriptURL: (url) => url });
      const kept = document.querySelector("div").cloneNode(true);
      const [old, script] = [kept.querySelector("script"), document.createElement("script")];
      Object.assign(script.dataset, old.dataset);
      script.src = policy.createScriptURL(old.src);
      kept.querySelector("iframe").style.height = "1px";
      old.replaceWith(script);
      document.querySelector("div").replaceWith(kept);
    });
    await until("an iframe that has its height", () =>
      page.evaluate(() => [...document.querySelectorAll("iframe")].some(({ style }) => !["1px", "480px"].includes(style.height))));
    assert.equal(await page.locator("iframe").count(), 1);
    await (await frameOf(page)).getByText("Tea", { exact: true }).click();
    await page.clean();
  });
});
