// What a page tells somebody when a thing goes wrong, twice, or backwards.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { chromium } from "playwright-core";
import { picture } from "./picture.js";
import { password, startPolls } from "./polls_service.js";
import { until } from "./until.js";
import { launch, watchedPage } from "./watched_page.js";

describe("what a page tells", { timeout: 180_000 }, () => {
  let service, browser, remembering, token, poll, set;

  before(async () => {
    service = await startPolls({ limits: "off" });
    token = await service.signUp("ann");
    await service.signUp("bo");
    poll = await service.poll(token, ["Tea or coffee?", "Tea", "Coffee"]);
    await service.call("POST", "/publishers", { auth_token: token, name: "gazette", display_name: "The Gazette" });
    set = await service.call("POST", "/publishers/gazette/poll_sets", { auth_token: token, name: "weekend", display_name: "For the weekend", poll_ids: [poll.pollID] });
    browser = await launch();
    remembering = await chromium.launch({
      executablePath: "/usr/bin/chromium", args: ["--headless", "--no-sandbox", "--disable-gpu"], ignoreDefaultArgs: ["--disable-back-forward-cache"],
    });
  });
  after(async () => {
    await browser?.close();
    await remembering?.close();
    await service?.stop();
  });

  const open = async (username, path, options = {}) => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...options });
    if (username) await service.logIn(context, username);
    const page = await watchedPage(context, service.origin);
    page.setDefaultTimeout(10_000);
    await page.goto(service.origin + path);
    return page;
  };
  // openRemembered is open in a browser that keeps the pages that were left, as people's
  // browsers do; those of other tests do not.
  const openRemembered = async (username, path) => {
    const page = await (await remembering.newContext()).newPage();
    page.setDefaultTimeout(10_000);
    await service.logIn(page.context(), username);
    await page.goto(service.origin + path);
    return page;
  };
  const expire = (page) => page.context().clearCookies({ name: "stoa_session" });
  const logInAgain = async (page, username) => {
    await page.getByLabel("Username or e-mail").fill(username);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("main").getByRole("button", { name: "Log in" }).click();
  };

  test("a comment outlives the login that ran out", async () => {
    const page = await open("bo", `/${poll.pollID}`);
    await page.getByLabel("Your comment").fill("Tea, with milk.");
    await expire(page);
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await page.getByText("You are logged out.").waitFor();
    await page.locator("#comments").getByRole("link", { name: "Log in" }).click();
    await logInAgain(page, "bo");
    await page.waitForURL(new RegExp(`/${poll.pollID}`));
    await until("the comment is back", async () => await page.getByLabel("Your comment").inputValue() === "Tea, with milk.");
    await page.reload();
    assert.equal(await page.getByLabel("Your comment").inputValue(), "Tea, with milk.", "a second look lost it");
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await page.locator(".comment .body", { hasText: "Tea, with milk." }).waitFor();
    await page.reload();
    assert.equal(await page.getByLabel("Your comment").inputValue(), "", "it was sent, and is still there");
    await page.clean(/status of 401/);
  });

  test("a comment that somebody else began is not shown", async () => {
    const page = await open("bo", `/${poll.pollID}`);
    await page.getByLabel("Your comment").fill("A secret of Bo.");
    await expire(page);
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await page.locator("#comments").getByRole("link", { name: "Log in" }).click();
    await logInAgain(page, "ann");
    await page.getByLabel("Your comment").waitFor();
    assert.equal(await page.getByLabel("Your comment").inputValue(), "");
  });

  test("a new poll outlives the login that ran out", async () => {
    const page = await open("bo", "/new");
    await compose(page, "Will it stay?");
    await expire(page);
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByText("You are logged out.").waitFor();
    await page.getByRole("main").getByRole("link", { name: "Log in" }).click();
    await logInAgain(page, "bo");
    await until("the draft is back", async () => await page.getByLabel("Question").inputValue() === "Will it stay?");
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByRole("heading", { level: 1, name: "Will it stay?" }).waitFor();
  });

  test("publishing that fails leaves the focus at its button", async () => {
    const page = await open("bo", "/new");
    await compose(page, "Will it go?");
    await page.route("**/api/v4/polls", (route) => route.abort());
    await page.getByRole("button", { name: "Publish" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("No connection.").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Try again");
  });

  test("a draft is for its account only", async () => {
    const page = await open("bo", "/new");
    await compose(page, "A secret of Bo?");
    await page.getByRole("button", { name: "Log out" }).click();
    await page.waitForURL(`${service.origin}/`);
    await service.logIn(page.context(), "ann");
    await page.goto(`${service.origin}/new`);
    await page.getByLabel("Question").fill("x"); // after the draft had its turn
    assert.equal(await page.getByLabel("First choice").inputValue(), "");
    assert.ok(await page.locator("[data-stage]").isHidden());
  });

  test("Back after publishing is a form that works", async () => {
    const page = await openRemembered("bo", "/new");
    await compose(page, "Once more?");
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByRole("heading", { level: 1, name: "Once more?" }).waitFor();
    await back(page);
    await page.getByRole("button", { name: "Publish" }).waitFor();
    await until("the form works", () => page.getByRole("button", { name: "Publish" }).isEnabled());
    assert.ok(await page.locator("[data-sending]").isHidden());
    assert.ok(await page.locator("[data-stage]").isHidden());
  });

  test("Back after logging out shows no settings", async () => {
    const page = await openRemembered("bo", "/settings");
    assert.equal(await page.locator("#email").inputValue(), "bo@example.com");
    await page.getByRole("button", { name: "Log out" }).click();
    await page.waitForURL(`${service.origin}/`);
    await back(page);
    await page.getByRole("heading", { name: "Welcome back" }).waitFor();
  });

  for (const javaScriptEnabled of [true, false]) {
    test(`a refused password is told where it was typed, ${javaScriptEnabled ? "with" : "without"} script`, async () => {
      const page = await open("bo", "/settings", { javaScriptEnabled });
      await page.getByLabel("New password").fill("another good one");
      await page.getByLabel("Present password").fill("wrong");
      await page.getByRole("button", { name: "Change password" }).click();
      const told = page.getByText("This is not your present password.");
      await told.waitFor();
      await until("the field has the focus", () => page.locator("#current_password:focus").count());
      assert.ok(await inView(told), "it is told out of sight");
      assert.match(await page.locator("main > .notice, .notice.bad").first().textContent(), /not saved/);
    });
  }

  test("a refused placement is told where it was typed", async () => {
    const page = await open("ann", "/publishers/gazette");
    await page.getByText("Set a placement").click();
    await page.getByLabel("Name of the slot").fill("sidebar");
    await page.locator("#placement-poll").fill("4711");
    await page.getByRole("button", { name: "Show it there" }).click();
    await page.locator("#placement-poll:focus").waitFor();
    assert.ok(await inView(page.locator("#placement-poll-error")));
  });

  test("Share says that the link is copied, and then Share again", async () => {
    const page = await open(undefined, `/${poll.pollID}`, { permissions: ["clipboard-write"] });
    const button = page.locator("[data-share]");
    await button.click();
    await page.getByText("Link copied").first().waitFor();
    await button.click();
    await page.waitForTimeout(3000); // longer than both messages stay
    assert.equal((await button.textContent()).trim(), "Share");
  });

  test("where nothing can be copied the link is there to be taken", async () => {
    const page = await open(undefined, `/${poll.pollID}`);
    await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
    const button = page.locator("[data-share]");
    await button.click();
    const address = await button.getAttribute("data-share");
    await until("the address is selected", async () => await page.evaluate(() => {
      const { value, selectionStart, selectionEnd } = document.activeElement;
      return value?.slice(selectionStart, selectionEnd);
    }) === address);
    assert.equal((await button.textContent()).trim(), "Share");
    await button.click();
    assert.equal(await page.locator(".deeds input[readonly]").count(), 1);
  });

  test("a favorite that fails says so", async () => {
    const page = await open("bo", `/${poll.pollID}`);
    const button = page.getByRole("button", { name: "Favorite" });
    await page.route("**/favorite", (route) => route.abort());
    await button.click();
    await page.getByText("No connection.").first().waitFor();
    assert.ok(await page.locator(".deeds .error").isVisible());
    assert.equal(await button.getAttribute("aria-pressed"), "false");
    await page.unroute("**/favorite");
    await button.click();
    await until("it is a favorite", async () => (await button.textContent()).includes("1"));
    assert.ok(await page.locator(".deeds .error").isHidden());
    await expire(page);
    await button.click();
    await page.locator(".deeds").getByText("You are logged out.").waitFor();
    assert.equal(await page.locator(".deeds .error a").getAttribute("href"), `/login?next=${encodeURIComponent(new URL(page.url()).pathname)}`);
  });

  test("two quick presses end where the second one wanted", async () => {
    const page = await open("ann", `/${poll.pollID}`);
    const button = page.getByRole("button", { name: "Favorite" });
    const answered = [];
    await page.route("**/favorite", async (route) => {
      await new Promise((go) => setTimeout(go, route.request().method() === "POST" ? 500 : 0));
      const response = await route.fetch();
      answered.push(route.request().method());
      await route.fulfill({ response });
    });
    await button.click();
    await button.click();
    await until("both are answered", () => answered.length === 2);
    assert.deepEqual(answered, ["POST", "DELETE"]);
    await page.reload();
    assert.equal(await button.getAttribute("aria-pressed"), "false");
  });

  test("who follows somebody reads so", async () => {
    const page = await open("bo", "/users/ann");
    await page.getByRole("button", { name: "Follow ann" }).click();
    await page.getByRole("button", { name: "Following ann" }).waitFor();
    await until("it is counted", async () => await page.locator("[data-followers]").textContent() === "1");
    await page.reload();
    await page.getByRole("button", { name: "Following ann" }).click();
    await page.getByRole("button", { name: "Follow ann" }).waitFor();
  });

  test("the last comment that is deleted leaves the focus and a sentence", async () => {
    const quiet = await service.poll(token, ["Cat or dog?", "Cat", "Dog"]);
    await service.call("POST", `/polls/${quiet.pollID}/comments`, { auth_token: token, body: "Both." });
    const page = await open("ann", `/${quiet.pollID}`);
    const button = page.getByRole("button", { name: /delete comment of/i });
    await button.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.getByText("Nobody has said anything yet.").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.id), "body");
    await page.getByLabel("Your comment").fill("Neither.");
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await page.locator(".comment .body", { hasText: "Neither." }).waitFor();
    assert.ok(await page.getByText("Nobody has said anything yet.").isHidden());
  });

  test("a set says what is in it, and does not let changes go without a word", async () => {
    const other = await service.poll(token, ["Bread or rice?", "Bread", "Rice"]);
    const page = await open("ann", `/publishers/gazette/poll_sets/${set.id}`);
    const dialogs = [];
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.type());
      dialog.dismiss();
    });
    await page.getByText("Add from your own polls").click();
    await page.getByRole("button", { name: "Add Bread or rice?" }).click();
    await page.getByRole("button", { name: "In the set Bread or rice?" }).waitFor();
    await page.locator("#add").fill(String(other.pollID));
    await page.keyboard.press("Enter");
    await page.getByText(`Poll ${other.pollID} is already in the set.`).waitFor();
    assert.equal(await page.locator("[data-order] > li").count(), 2);
    await page.getByRole("button", { name: "Remove: Bread or rice?" }).click();
    await page.getByRole("button", { name: "Add Bread or rice?" }).click();
    await page.getByRole("button", { name: "In the set Bread or rice?" }).waitFor();
    await page.getByRole("link", { name: "Statistics" }).click();
    await until("the browser asks", () => dialogs.length === 1);
    assert.deepEqual(dialogs, ["beforeunload"]);
    await page.getByRole("button", { name: "Save poll set" }).click();
    await page.waitForURL(/\/publishers\/gazette$|done=/);
    assert.equal(dialogs.length, 1, "it asked although everything was saved");
  });
});

async function compose(page, caption) {
  await page.getByLabel("Choose a picture").first().setInputFiles({ name: "picture.png", mimeType: "image/png", buffer: picture([[190, 70, 50], [225, 205, 170]]) });
  await page.locator("#live", { hasText: "The picture is in place." }).waitFor({ state: "attached" });
  await page.getByLabel("Question").fill(caption);
  await page.getByLabel("First choice").fill("Yes");
  await page.getByLabel("Second choice").fill("No");
}

// back does not wait for a page to load: one that was kept does not.
function back(page) {
  return page.evaluate(() => setTimeout(() => history.back()));
}

function inView(locator) {
  return locator.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
}
