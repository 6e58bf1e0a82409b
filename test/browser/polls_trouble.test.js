// Voting on slow, broken and lost lines, in several tabs and after Back: a vote counts
// once, and the page says what is true.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { chromium } from "playwright-core";
import { startPolls } from "./polls_service.js";
import { until } from "./until.js";
import { launch, openPage, watchedPage } from "./watched_page.js";

const votingModule = /\/assets\/.*\/poll\.js$/;
const lost = /ERR_FAILED|ERR_INTERNET_DISCONNECTED|status of 503/;

describe("trouble", { timeout: 180_000 }, () => {
  let service, browser, token;
  const newPoll = () => service.poll(token, ["Tabs or spaces?", "Tabs", "Spaces"]);
  const address = (poll, query = "") => `${service.origin}/${poll.pollID}${query}`;
  const read = (poll) => service.call("GET", `/polls/${poll.pollID}`);
  const tabs = (page) => page.getByRole("radio", { name: "Tabs" });
  const spaces = (page) => page.getByRole("radio", { name: "Spaces" });
  const voted = (page) => page.locator("#live", { hasText: "You voted for Tabs." }).waitFor({ state: "attached" });
  const problem = (page, text) => page.locator(".poll-problem", { hasText: text }).waitFor();
  const card = (page, poll) => page.locator(`.poll[data-poll="${poll.pollID}"]`);
  const ownVote = (page, poll) => card(page, poll).locator(".choice.one input:checked").waitFor();
  const lookAgain = (page) => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  const newTab = async (context) => watchedPage(context ?? await browser.newContext(), service.origin);

  before(async () => {
    service = await startPolls({ limits: "off" });
    token = await service.signUp("ann");
    await service.signUp("bo");
    browser = await launch();
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close(); // an address may have few streams
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  test("a tap before the module arrives counts", async () => {
    const poll = await newPoll();
    const page = await newTab();
    let arrive;
    const arriving = new Promise((go) => { arrive = go; });
    await page.route(votingModule, async (route) => {
      await arriving;
      await route.continue();
    });
    await page.goto(address(poll), { waitUntil: "commit" });
    await page.getByText("Tabs", { exact: true }).click();
    arrive();
    await voted(page);
    assert.equal((await read(poll)).firstChoiceVoteCount, 1);
    assert.ok(await page.getByRole("button", { name: "Vote", exact: true }).isHidden());
    await page.clean();
  });

  test("where the module never arrives, a button votes", async () => {
    const poll = await newPoll();
    const page = await newTab();
    await page.route(votingModule, (route) => route.abort());
    await page.goto(address(poll));
    await page.getByText("Tabs", { exact: true }).click();
    await page.getByRole("button", { name: "Vote", exact: true }).click();
    await page.locator(".choice.one .count", { hasText: "1 vote" }).waitFor();
    await page.clean(lost);
  });

  // Chromium runs no module any more when a form has been sent, other browsers may: so
  // the form only says that it was.
  test("a vote that a form has sent is not sent again by a module that arrives meanwhile", async () => {
    const poll = await newPoll();
    const page = await newTab();
    let arriving;
    await page.route(votingModule, (route) => { arriving = route; });
    await page.goto(address(poll), { waitUntil: "commit" });
    await page.getByText("Tabs", { exact: true }).click();
    await page.locator("form.vote").evaluate((form) => form.dispatchEvent(new Event("submit", { bubbles: true })));
    await until("the module is asked for", () => arriving);
    await arriving.continue();
    await page.locator(".vote.ready").waitFor();
    await page.waitForTimeout(300);
    assert.equal((await read(poll)).voteCount, 0);
    await page.clean();
  });

  test("what a browser fills in again is no vote", async () => {
    const poll = await newPoll();
    const page = await newTab();
    await page.route(votingModule, (route) => route.abort());
    await page.goto(address(poll));
    await page.getByText("Tabs", { exact: true }).click();
    await page.waitForTimeout(1500); // a browser notes now and then what it will fill in
    await page.goto(`${service.origin}/login`);
    await page.unroute(votingModule);
    await page.goBack();
    await page.locator(".vote.ready").waitFor();
    await page.waitForTimeout(500);
    assert.equal(await page.locator("input:checked").count(), 0);
    assert.equal((await read(poll)).voteCount, 0);
    await page.clean(lost);
  });

  test("a first tap without connection leaves one voter", async () => {
    const poll = await newPoll();
    const page = await openPage(browser, address(poll));
    await page.context().setOffline(true);
    await page.getByText("Tabs", { exact: true }).click();
    await problem(page, "Your vote may not have been counted. No connection.");
    await page.context().setOffline(false);
    await page.getByText("Tabs", { exact: true }).click();
    await voted(page);
    assert.equal(await page.locator(".poll-problem").textContent(), "");
    await page.reload();
    assert.ok(await tabs(page).isChecked());
    await spaces(page).check();
    await page.locator("#live", { hasText: "You voted for Spaces." }).waitFor({ state: "attached" });
    assert.equal((await read(poll)).voteCount, 1);
    await page.clean(lost);
  });

  test("a browser that takes no cookies still votes, and once", async () => {
    const poll = await newPoll();
    const page = await newTab();
    await page.route("**/viewer", (route) => route.fulfill({ status: 204 }));
    await page.goto(address(poll));
    await page.getByText("Tabs", { exact: true }).click();
    await voted(page);
    await lookAgain(page);
    await page.waitForTimeout(300);
    assert.ok(await tabs(page).isChecked());
    await page.getByText("Spaces", { exact: true }).click();
    await page.locator("#live", { hasText: "You voted for Spaces." }).waitFor({ state: "attached" });
    assert.equal((await read(poll)).voteCount, 1);
    await page.clean(/status of 401/);
  });

  test("an own vote is there after Back", async () => {
    const poll = await newPoll();
    const page = await openPage(browser, service.origin);
    await voteAndComeBack(page, poll);
    await page.clean();
  });

  test("an own vote is there after Back to a page that was kept whole", async () => {
    const poll = await newPoll();
    const keeping = await chromium.launch({
      executablePath: "/usr/bin/chromium", args: ["--headless", "--no-sandbox", "--disable-gpu"],
      ignoreDefaultArgs: ["--disable-back-forward-cache", "--disable-features"],
    });
    try {
      const page = await keeping.newPage();
      await page.addInitScript(() => addEventListener("pageshow", (event) => { window.kept = event.persisted; }));
      await page.goto(service.origin);
      await voteAndComeBack(page, poll);
      assert.ok(await page.evaluate(() => window.kept), "the page was made anew");
    } finally {
      await keeping.close();
    }
  });

  async function voteAndComeBack(page, poll) {
    await card(page, poll).locator(".caption a").click();
    await page.locator(".poll-page").waitFor();
    await page.getByText("Tabs", { exact: true }).click();
    await voted(page);
    await page.goBack({ waitUntil: "commit" });
    await page.locator(".feed").waitFor();
    await ownVote(page, poll);
    assert.ok(await card(page, poll).getByRole("button", { name: "Undo" }).isVisible());
  }

  test("two tabs know one vote", async () => {
    const poll = await newPoll();
    const context = await browser.newContext();
    const [feed, page] = [await newTab(context), await newTab(context)];
    await feed.goto(service.origin);
    await page.goto(address(poll));
    await page.getByText("Tabs", { exact: true }).click();
    await ownVote(feed, poll);
    await card(feed, poll).getByRole("button", { name: "Undo" }).click();
    await page.locator(".choice input:checked").waitFor({ state: "detached" });
    assert.ok(await page.getByRole("button", { name: "Undo" }).isHidden());
    for (const tab of [feed, page]) await tab.clean();
  });

  test("a page that is looked at again knows what its viewer voted elsewhere", async () => {
    const polls = [];
    for (let i = 0; i < 12; i++) polls.push(await newPoll());
    const [oldest] = polls;
    const context = await browser.newContext();
    await service.logIn(context, "bo");
    const [feed, page] = [await newTab(context), await newTab(context)];
    await feed.goto(service.origin);
    await feed.getByRole("link", { name: "More polls" }).click();
    await card(feed, oldest).waitFor();
    await page.goto(address(oldest));
    const { authToken } = await service.call("POST", "/users/authenticate", { email_or_username: "bo", password: "correct horse battery" });
    await service.call("POST", `/polls/${oldest.pollID}/votes`, { option: 1, auth_token: authToken });
    for (const tab of [feed, page]) {
      await lookAgain(tab);
      await card(tab, oldest).scrollIntoViewIfNeeded();
      await ownVote(tab, oldest);
      await tab.clean();
    }
  });

  test("a vote whose answer is lost is told as counted", async () => {
    const poll = await newPoll();
    const page = await openPage(browser, address(poll));
    await page.route("**/votes", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByText("Tabs", { exact: true }).click();
    await voted(page);
    assert.equal(await page.locator(".poll-problem").textContent(), "");
    assert.ok(await tabs(page).isChecked());
    await page.clean(lost);
  });

  test("what others vote while a vote is refused is shown", async () => {
    const poll = await newPoll();
    const [page, other] = [await openPage(browser, address(poll, "?results=1")), await openPage(browser, address(poll, "?results=1"))];
    let asked;
    await page.route("**/votes", (route) => { asked = route; });
    await page.getByText("Tabs", { exact: true }).click();
    await until("the vote is sent", () => asked);
    await service.vote(poll.pollID, 2);
    await other.locator(".choice.two .count", { hasText: "1 vote" }).waitFor();
    await page.waitForTimeout(300);
    await asked.fulfill({ status: 503, json: { success: false, error: { code: "unavailable", message: "try again in a moment" } } });
    await problem(page, "Your vote was not counted.");
    assert.deepEqual(await page.locator(".choice .count").allTextContents(), ["0 votes", "1 vote"]);
    await page.clean(lost);
  });

  test("a vote that hangs ends, and what became of it is told", async () => {
    const [counted, missed] = [await newPoll(), await newPoll()];
    const [lucky, unlucky] = [await openPage(browser, address(counted)), await openPage(browser, address(missed))];
    await lucky.route("**/votes", (route) => void route.fetch());
    await unlucky.route("**/votes", () => {});
    for (const page of [lucky, unlucky]) await page.getByText("Tabs", { exact: true }).click();
    await Promise.all([voted(lucky), problem(unlucky, "Your vote was not counted. No connection.")]);
    assert.ok(await tabs(lucky).isChecked());
    assert.ok(!await tabs(unlucky).isChecked());
    for (const page of [lucky, unlucky]) await page.clean();
  });

  test("a tap while a lost vote is looked for is sent after it", async () => {
    const poll = await newPoll();
    const page = await openPage(browser, address(poll));
    let asked;
    await page.route("**/votes", (route) => {
      if (asked) return route.continue();
      asked = route;
    });
    await page.getByText("Tabs", { exact: true }).click();
    await until("the vote is sent", () => asked);
    await page.getByText("Spaces", { exact: true }).click();
    await asked.abort();
    await page.locator("#live", { hasText: "You voted for Spaces." }).waitFor({ state: "attached" });
    assert.equal((await read(poll)).secondChoiceVoteCount, 1);
    await page.clean(lost);
  });

  test("an Undo that fails says that the vote is still there", async () => {
    const poll = await newPoll();
    const page = await openPage(browser, address(poll));
    await page.getByText("Tabs", { exact: true }).click();
    await voted(page);
    await page.route("**/votes/remove", (route) => route.abort());
    await page.getByRole("button", { name: "Undo" }).click();
    await problem(page, "Your vote is still there.");
    assert.ok(await tabs(page).isChecked());
    assert.ok(await page.getByRole("button", { name: "Undo" }).isVisible());
    await page.clean(lost);
  });

  test("there is no Undo on a deleted poll", async () => {
    const [watched, listed] = [await newPoll(), await newPoll()];
    const page = await openPage(browser, address(watched));
    await page.getByText("Tabs", { exact: true }).click();
    await voted(page);
    const feed = await newTab(page.context());
    await feed.goto(service.origin);
    await card(feed, listed).getByText("Tabs", { exact: true }).click();
    await voted(feed);
    for (const { pollID } of [watched, listed]) await service.call("DELETE", `/polls/${pollID}`, { auth_token: token });
    await problem(page, "This poll has been deleted.");
    assert.ok(await page.getByRole("button", { name: "Undo" }).isHidden());
    await card(feed, listed).getByRole("button", { name: "Undo" }).click();
    await problem(card(feed, listed), "This poll has been deleted.");
    assert.ok(await card(feed, listed).getByRole("button", { name: "Undo" }).isHidden());
    await page.clean();
    await feed.clean(/status of 404/);
  });

  test("more polls that take their time say so", async () => {
    for (let i = 0; i < 8; i++) await newPoll();
    const page = await openPage(browser, service.origin);
    let asked;
    await page.route("**/?before_poll_id=*", (route) => { asked = route; });
    const more = page.locator("[data-more]");
    assert.equal(await more.textContent(), "More polls");
    await more.click();
    await until("the page is asked for", () => asked);
    assert.equal(await more.textContent(), "Loading…");
    const before = await page.locator(".feed > li").count();
    await asked.continue();
    await until("more polls", async () => await page.locator(".feed > li").count() > before);
    await page.clean();
  });
});
