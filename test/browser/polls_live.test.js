// People on one poll's page see what the others do.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startPolls } from "./polls_service.js";
import { until } from "./until.js";
import { launch, openPage } from "./watched_page.js";

describe("live poll page", { timeout: 120_000 }, () => {
  let service, browser, token;
  const newPoll = () => service.poll(token, ["Tabs or spaces?", "Tabs", "Spaces"]);
  const open = (poll, query = "", options = {}) => openPage(browser, `${service.origin}/${poll.pollID}${query}`, options);
  const shows = (page, tabs, spaces) => page.waitForFunction((want) => {
    const counts = [...document.querySelectorAll(".choice .count")].map((count) => count.textContent);
    return counts.join() === want;
  }, [tabs, spaces].map((n) => `${n} ${n === 1 ? "vote" : "votes"}`).join());

  before(async () => {
    service = await startPolls();
    token = await service.signUp("ann");
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  test("two browsers see each other vote, switch and undo", async () => {
    const poll = await newPoll();
    const [a, b] = [await open(poll, "?results=1"), await open(poll, "?results=1")];
    await a.getByRole("radio", { name: "Tabs" }).check();
    for (const page of [a, b]) await shows(page, 1, 0);
    await b.getByRole("radio", { name: "Spaces" }).check();
    for (const page of [a, b]) await shows(page, 1, 1);
    await a.getByRole("radio", { name: "Spaces" }).check();
    for (const page of [a, b]) await shows(page, 0, 2);
    assert.equal(await b.locator(".choice.two .percent").textContent(), "100%");
    await b.getByRole("button", { name: "Undo" }).click();
    for (const page of [a, b]) await shows(page, 0, 1);
    assert.equal(await b.locator("input:checked").count(), 0);
    assert.ok(await a.getByRole("radio", { name: "Spaces" }).isChecked());
    for (const page of [a, b]) await page.clean();
  });

  test("a vote shows at once, and is taken back when it is refused", async () => {
    const poll = await newPoll();
    const page = await open(poll);
    let asked;
    await page.route("**/votes", (route) => { asked = route; });
    await page.getByText("Tabs", { exact: true }).click();
    await shows(page, 1, 0); // before any answer
    await until("the vote is sent", () => asked);
    await asked.fulfill({ status: 503, json: { success: false, error: { code: "unavailable", message: "try again in a moment" } } });
    await page.getByText("Your vote was not counted. Try again in a moment.").waitFor();
    await shows(page, 0, 0);
    assert.equal(await page.locator("input:checked").count(), 0);
    await page.clean(/status of 503/);
  });

  test("a deleted poll says so", async () => {
    const poll = await newPoll();
    const page = await open(poll);
    await service.vote(poll.pollID, 1);
    await shows(page, 1, 0); // so it is listening
    await service.call("DELETE", `/polls/${poll.pollID}`, { auth_token: token });
    await page.locator(".poll-problem", { hasText: "This poll has been deleted." }).waitFor();
    assert.ok(await page.getByRole("radio", { name: "Tabs" }).isDisabled());
    await page.clean();
  });

  test("bars grow in place, and do not move for those who want no motion", async () => {
    const poll = await newPoll();
    for (const [reducedMotion, moves] of [["no-preference", true], ["reduce", false]]) {
      const page = await open(poll, "", { reducedMotion, viewport: { width: 1280, height: 1600 } }); // all in sight
      const box = await page.locator(".choice.one").boundingBox();
      await page.getByRole("radio", { name: "Tabs" }).check();
      await page.locator(".poll[data-shown]").waitFor();
      const { durations, running } = await page.evaluate(() => ({
        durations: [...document.querySelectorAll("*")].flatMap((element) => getComputedStyle(element).transitionDuration.split(", ")),
        running: document.getAnimations().length,
      }));
      assert.equal(durations.some((duration) => duration !== "0s"), moves);
      if (!moves) assert.equal(running, 0);
      const after = await page.locator(".choice.one").boundingBox();
      assert.deepEqual([after.x, after.y, after.width], [box.x, box.y, box.width]);
      await page.clean();
    }
  });

  test("a caption from right to left starts on the right, and so do its bars", async () => {
    const poll = await service.poll(token, ["أيهما أفضل؟", "القهوة", "الشاي"]);
    await service.vote(poll.pollID, 1);
    await service.vote(poll.pollID, 2);
    const page = await open(poll, "?results=1", { reducedMotion: "reduce" });
    const sides = await page.evaluate(() => {
      const middle = (element) => { const box = element.getBoundingClientRect(); return box.left + box.width / 2; };
      const choice = document.querySelector(".choice");
      return {
        direction: getComputedStyle(document.querySelector(".caption bdi")).direction,
        radio: middle(choice.querySelector("input")) > middle(choice),
        figures: middle(choice.querySelector(".percent")) < middle(choice),
        bar: middle(choice.querySelector("rect")) > middle(choice),
        page: document.documentElement.dir || "ltr",
      };
    });
    assert.deepEqual(sides, { direction: "rtl", radio: true, figures: true, bar: true, page: "ltr" });
    await page.clean();
  });
});
