// Without script: forms that do the same.
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { picture } from "./picture.js";
import { password, startPolls } from "./polls_service.js";
import { launch, openPage } from "./watched_page.js";

const artefacts = path.join(import.meta.dirname, "artefacts", "polls");

describe("without script", { timeout: 120_000 }, () => {
  let service, browser, page, token;
  const keep = (name) => page.screenshot({ path: path.join(artefacts, `${name}-without-script.png`), fullPage: true });

  before(async () => {
    await mkdir(artefacts, { recursive: true });
    service = await startPolls();
    token = await service.signUp("ann");
    browser = await launch();
    page = await openPage(browser, `${service.origin}/join`, { javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  test("join", async () => {
    await page.getByLabel("Username").fill("ann");
    await page.getByLabel("E-mail").fill("bo@example.com");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Create my account" }).click();
    await page.locator("#username-error", { hasText: "taken" }).waitFor();
    assert.equal(await page.getByLabel("E-mail").inputValue(), "bo@example.com");
    await page.getByLabel("Username").fill("bo");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Create my account" }).click();
    await page.getByText("Welcome! Your account is ready.").waitFor();
    await page.clean(/status of 409/);
  });

  test("make a poll by the plain form", async () => {
    await page.getByRole("link", { name: "New" }).click();
    await page.getByLabel("Choose a picture").setInputFiles({ name: "p.png", mimeType: "image/png", buffer: picture([[240, 200, 80], [60, 90, 120]]) });
    await page.getByLabel("Question").fill("Tea or coffee?");
    await page.getByLabel("First choice").fill("Tea");
    await page.getByLabel("Second choice").fill("Coffee");
    await keep("new");
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByRole("heading", { level: 1, name: "Tea or coffee?" }).waitFor();
    assert.ok(await page.locator(".picture img").evaluate((image) => image.decode().then(() => image.naturalWidth > 0)));
  });

  test("vote, change the vote and take it back", async () => {
    await page.getByRole("radio", { name: "Tea" }).check();
    await page.getByRole("button", { name: "Vote" }).click();
    await page.locator(".choice.one .count", { hasText: "1 vote" }).waitFor();
    await page.getByRole("radio", { name: "Coffee" }).check();
    await page.getByRole("button", { name: "Change my vote" }).click();
    await page.locator(".choice.two .count", { hasText: "1 vote" }).waitFor();
    await keep("poll");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.locator(".total", { hasText: "0 votes" }).waitFor();
    assert.equal(await page.locator(".poll[data-shown]").count(), 0);
  });

  test("comment", async () => {
    await page.getByLabel("Your comment").fill("Coffee, of course.");
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await page.locator(".comment .body", { hasText: "Coffee, of course." }).waitFor();
    await page.getByRole("button", { name: /^Delete comment/ }).click();
    await page.getByText("Nobody has said anything yet.").waitFor();
  });

  test("vote as a stranger, who is known again", async () => {
    const poll = await service.poll(token, ["North or south?", "North", "South"]);
    const stranger = await openPage(browser, `${service.origin}/${poll.pollID}`, { javaScriptEnabled: false });
    await stranger.getByRole("radio", { name: "South" }).check();
    await stranger.getByRole("button", { name: "Vote" }).click();
    await stranger.goto(service.origin);
    const card = stranger.locator(`.poll[data-poll="${poll.pollID}"]`);
    assert.ok(await card.getByRole("radio", { name: "South" }).isChecked());
  });

  test("the embed is a form that votes and goes through a set", async () => {
    const polls = [await service.poll(token, ["Cats or dogs?", "Cats", "Dogs"]), await service.poll(token, ["Sea or hills?", "Sea", "Hills"])];
    await service.call("POST", "/publishers", { auth_token: token, name: "gazette", display_name: "The Gazette" });
    await service.call("POST", "/publishers/gazette/poll_sets", { auth_token: token, name: "pets", display_name: "Pets", poll_ids: polls.map((poll) => poll.pollID) });
    await page.goto(service.frame("gazette", { pollset_id: "pets" }));
    await page.getByRole("radio", { name: "Dogs" }).check();
    await page.getByRole("button", { name: "Vote" }).click();
    await page.locator(".choice.two .count", { hasText: "1 vote" }).waitFor();
    await page.locator(".two .own", { hasText: "Your vote" }).waitFor();
    await keep("embed");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.locator("#total", { hasText: "0 votes" }).waitFor();
    await page.getByRole("button", { name: "See results" }).click();
    await page.locator(".poll[data-shown]").waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("heading", { name: "Sea or hills?" }).waitFor();
    await page.clean();
  });
});
