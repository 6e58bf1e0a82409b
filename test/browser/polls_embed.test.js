// A poll in an iframe of another site.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { frameOf, startHost } from "./host_page.js";
import { startPolls } from "./polls_service.js";
import { until } from "./until.js";
import { launch, openPage, watchedPage } from "./watched_page.js";

describe("embed on another site", { timeout: 120_000 }, () => {
  let service, host, browser, token, poll;
  const script = (attributes) => `<script async src="${service.origin}/assets/embed.js" data-publisher="gazette" ${attributes}></script>`;
  const open = async (snippet, context) => {
    host.show(snippet);
    const page = await watchedPage(context ?? await browser.newContext(), service.origin, host.origin);
    await page.goto(host.url);
    return page;
  };
  const voted = (frame, name) => frame.getByText(`You voted for ${name}.`).waitFor({ state: "attached" });
  const own = (frame) => frame.locator(".choice", { has: frame.locator(".own:not([hidden])") }).locator(".name bdi").first();

  before(async () => {
    service = await startPolls();
    host = await startHost(service.origin);
    browser = await launch();
    token = await service.signUp("ann");
    poll = await service.poll(token, ["Tea or coffee?", "Tea", "Coffee"]);
    await service.call("POST", "/publishers", { auth_token: token, name: "gazette", display_name: "The Gazette" });
  });
  after(async () => {
    await browser?.close();
    await host?.stop();
    await service?.stop();
  });

  test("with third-party cookies blocked it votes, remembers, switches and takes back", async () => {
    const context = await browser.newContext();
    const page = await open(script(`data-poll-id="${poll.pollID}"`), context);
    let frame = await frameOf(page);
    assert.equal(await frame.evaluate(() => document.hasStorageAccess()), false, "third-party cookies are not blocked");
    await frame.getByText("Coffee", { exact: true }).click();
    await voted(frame, "Coffee");
    await page.reload();
    frame = await frameOf(page);
    await own(frame).waitFor();
    assert.equal(await own(frame).textContent(), "Coffee");
    await frame.getByText("Tea", { exact: true }).click();
    await voted(frame, "Tea");
    const { votes, voteCount } = await service.call("GET", `/polls/${poll.pollID}`);
    assert.deepEqual([voteCount, votes[0].choice], [1, 1]);
    await frame.getByRole("button", { name: "Undo" }).click();
    await until("no vote", async () => (await service.call("GET", `/polls/${poll.pollID}`)).voteCount === 0);
    assert.deepEqual(await context.cookies(), []);
    await page.clean();
  });

  test("it is as high as what it shows, and is named by its question", async () => {
    const page = await open(script(`data-poll-id="${poll.pollID}" data-theme="dark" data-lang="de"`));
    const frame = await frameOf(page);
    const iframe = page.locator("iframe");
    const fits = async () => {
      const inside = await frame.evaluate(() => document.querySelector("main").getBoundingClientRect().height);
      return (await iframe.boundingBox()).height === Math.ceil(inside);
    };
    await until("the iframe fits", fits);
    await page.setViewportSize({ width: 320, height: 600 });
    await until("the iframe fits a small view", fits);
    assert.ok(await frame.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    assert.equal(await iframe.getAttribute("title"), "Tea or coffee?");
    assert.equal(await frame.evaluate(() => getComputedStyle(document.documentElement).colorScheme), "dark");
    assert.equal(await frame.getAttribute("html", "lang"), "de");
    await page.clean();
  });

  test("it is one light document that asks nobody else and sets no cookie", async () => {
    const context = await browser.newContext();
    const page = await watchedPage(context, service.origin, host.origin);
    const requests = [];
    page.on("requestfinished", (request) => requests.push(request));
    host.show(script(`data-poll-id="${poll.pollID}"`));
    await page.goto(host.url);
    const frame = await frameOf(page);
    await frame.evaluate(() => document.querySelector("img").decode());
    const ofPolls = requests.filter((request) => request.url().startsWith(service.origin));
    assert.deepEqual(ofPolls.map((request) => request.resourceType()).sort(), ["document", "image", "script"]);
    for (const request of ofPolls) {
      const response = await request.response();
      assert.equal(await response.headerValue("Set-Cookie"), null);
      if (request.resourceType() !== "document") continue;
      const { length } = gzipSync(await response.body());
      assert.ok(length <= 30 * 1024, `got ${length} bytes compressed want at most 30 KiB`);
    }
    await page.clean();
  });

  test("with storage blocked it still votes and switches", async () => {
    const page = await open(`<iframe sandbox="allow-scripts" src="${service.frame("gazette", { poll_id: poll.pollID })}" width="400" height="700"></iframe>`);
    const frame = await frameOf(page);
    assert.equal(await frame.evaluate(() => { try { return Boolean(localStorage); } catch (e) { return e.name; } }), "SecurityError");
    await frame.getByText("Tea", { exact: true }).click();
    await voted(frame, "Tea");
    await frame.getByText("Coffee", { exact: true }).click();
    await voted(frame, "Coffee");
    await page.clean();
  });

  test("by keyboard: 1 and 2 vote, arrows walk, Enter votes", async () => {
    const page = await openPage(browser, service.frame("gazette", { poll_id: poll.pollID }));
    await page.keyboard.press("2");
    await voted(page, "Coffee");
    await page.keyboard.press("1");
    await voted(page, "Tea");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.value), "1");
    const before = await page.locator("#total").textContent();
    await page.keyboard.press("ArrowDown");
    await page.locator("#hint").waitFor();
    assert.equal(await own(page).textContent(), "Tea"); // walking is not voting
    await page.keyboard.press("Enter");
    await voted(page, "Coffee");
    assert.equal(await page.locator("#total").textContent(), before);
    await page.clean();
  });

  test("it moves nothing for those who want no motion", async () => {
    const page = await openPage(browser, service.frame("gazette", { poll_id: poll.pollID }), { reducedMotion: "reduce" });
    await page.keyboard.press("1");
    await voted(page, "Tea");
    assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
    assert.ok(await page.evaluate(() => [...document.querySelectorAll("*")].every((element) => getComputedStyle(element).transitionDuration === "0s")));
    await page.clean();
  });

  test("words without a space and large numbers are not cut off", async () => {
    const long = await service.poll(token, [`Gesetz: ${"Rindfleischetikettierung".repeat(4)}?`, "X".repeat(80), "Gut"]);
    await service.call("POST", "/publishers/gazette/poll_sets", { auth_token: token, name: "long", display_name: "Long", poll_ids: [long.pollID, poll.pollID] });
    const page = await openPage(browser, service.frame("gazette", { pollset_id: "long", lang: "de" }));
    const cut = () => page.evaluate(() => [...document.querySelectorAll("bdi, legend")].filter((element) => (
      element.checkVisibility() && element.getBoundingClientRect().right > element.closest(".choice, .body").getBoundingClientRect().right - 10
    )).map((element) => element.textContent));
    await page.getByRole("button", { name: "Ergebnis" }).click();
    for (const width of [280, 390, 640]) {
      await page.setViewportSize({ width, height: 700 });
      assert.deepEqual(await cut(), [], `at ${width}`);
    }
    await page.setViewportSize({ width: 280, height: 700 });
    await page.locator(".choice").first().evaluate((choice) => choice.classList.add("winning"));
    for (const [figure, text] of [[".percent", "100 %"], [".count", "1.234.567.890 Stimmen"]]) {
      await page.locator(figure).evaluateAll((all, text) => all.forEach((place) => { place.textContent = text; }), text);
    }
    assert.deepEqual(await cut(), [], "ten digits");
    await page.locator("#next").click();
    await page.locator("#position", { hasText: "2" }).waitFor();
    await page.locator("#next").click();
    await page.locator("#summary").waitFor();
    assert.deepEqual(await cut(), [], "the summary");
  });

  test("from the summary the focus goes back to the question", async () => {
    const other = await service.poll(token, ["Cat or dog?", "Cat", "Dog"]);
    await service.call("POST", "/publishers/gazette/poll_sets", { auth_token: token, name: "two", display_name: "Two", poll_ids: [poll.pollID, other.pollID] });
    const page = await openPage(browser, service.frame("gazette", { pollset_id: "two" }));
    const toSummary = async () => {
      while (await page.locator("#summary").isHidden()) {
        const before = await page.locator("#position").textContent();
        await page.locator("#next").click();
        await until("the next one", async () => await page.locator("#summary").isVisible() || await page.locator("#position").textContent() !== before);
      }
    };
    for (const press of ["#again", ".answers button >> nth=1"]) {
      await toSummary();
      await page.locator(press).focus();
      await page.keyboard.press("Enter");
      await page.locator("#summary").waitFor({ state: "hidden" });
      assert.equal(await page.evaluate(() => document.activeElement.type), "radio", press);
    }
    await page.clean();
  });

  test("the time that a question was visible goes on when somebody comes back to it", async () => {
    const other = await service.poll(token, ["Milk?", "Yes", "No"]);
    const set = await service.call("POST", "/publishers/gazette/poll_sets", {
      auth_token: token, name: "breaks", display_name: "Breaks", poll_ids: [poll.pollID, other.pollID],
    });
    const page = await open(script(`data-poll-set="${set.id}"`));
    const frame = await frameOf(page);
    const press = (name) => frame.getByRole("button", { name }).click();
    const voteOn = async (name) => {
      const [request] = await Promise.all([page.waitForRequest(/\/votes$/), frame.getByText(name, { exact: true }).click()]);
      return Number(new URLSearchParams(request.postData()).get("voting_ms"));
    };
    await page.waitForTimeout(2500);
    const begin = Date.now();
    await press("Next");
    await frame.getByRole("heading", { name: "Milk?" }).waitFor();
    await press("Finish");
    await frame.locator("#summary").waitFor();
    await page.waitForTimeout(2000);
    await press("Milk?");
    assert.ok(await voteOn("Yes") <= Date.now() - begin - 2000, "the summary is no question");
    await press("Back");
    assert.ok(await voteOn("Tea") >= 1500, "the time before Next is lost");
    await page.clean();
  });

  test("a page that is opened from disk shows it", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "stoa-page-"));
    await writeFile(path.join(folder, "page.html"), `<!doctype html><title>The Gazette</title><h1>News</h1>${script(`data-poll-id="${poll.pollID}"`)}`);
    const page = await browser.newPage();
    await page.goto(pathToFileURL(path.join(folder, "page.html")).href);
    const frame = await frameOf(page);
    await frame.getByText("Tea", { exact: true }).click();
    await voted(frame, "Tea");
    await rm(folder, { recursive: true });
  });

  test("a tag that is not right is told to the site's author, and shows nothing", async () => {
    const page = await open(script(`data-poll-id="1" data-tag="food"`));
    await page.waitForLoadState("load");
    assert.equal(await page.locator("iframe").count(), 0);
    await assert.rejects(page.clean(), /exactly one of data-poll-id/);
  });
});
