// Everything by keyboard: from one thing to the next with Tab, as people without a
// mouse go.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { password, startPolls } from "./polls_service.js";
import { launch, openPage } from "./watched_page.js";

describe("keyboard only", { timeout: 120_000 }, () => {
  let service, browser, page, poll;

  before(async () => {
    service = await startPolls();
    poll = await service.poll(await service.signUp("ann"), ["Tea or coffee?", "Tea", "Coffee"]);
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  test("skip the header", async () => {
    page = await openPage(browser, service.origin);
    await page.keyboard.press("Tab");
    assert.equal(await focused(page), "Skip to the page");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab"); // the caption, past the header
    assert.ok(await page.evaluate(() => document.activeElement.closest("main")), `${await focused(page)} is not in the page's main part`);
  });

  test("join", async () => {
    await page.goto(`${service.origin}/${poll.pollID}`);
    await tabTo(page, "Join");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/join?*");
    for (const [field, text] of [["username", "bo"], ["email", "bo@example.com"], ["password", password]]) {
      await tabTo(page, field);
      await page.keyboard.type(text);
    }
    await page.keyboard.press("Enter");
    await page.getByText("Welcome! Your account is ready.").waitFor();
  });

  test("vote, switch and take back", async () => {
    await tabTo(page, "option");
    await page.keyboard.press("Space");
    await page.getByText("You voted for Tea.").waitFor({ state: "attached" });
    assert.equal(await focused(page), "option", "the vote moved the focus");
    await page.keyboard.press("ArrowDown");
    await page.getByText("You voted for Coffee.").waitFor({ state: "attached" });
    await tabTo(page, "Undo my vote: Tea or coffee?");
    await page.keyboard.press("Enter");
    await page.getByText("Your vote is taken back.").waitFor({ state: "attached" });
    assert.equal(await focused(page), "option", "the button went and took the focus along");
  });

  test("comment, and delete the comment", async () => {
    await tabTo(page, "body");
    await page.keyboard.type("Coffee, of course.");
    await tabTo(page, "Comment");
    await page.keyboard.press("Enter");
    await page.locator(".comment .body", { hasText: "Coffee, of course." }).waitFor();
    await tabTo(page, /^Delete comment of/, "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter"); // asks once more
    await page.locator(".comment").waitFor({ state: "detached" });
    await page.clean();
  });
});

// focused is the name of the element that has the focus: that of a field, or the
// words of a link or button.
function focused(page) {
  return page.evaluate(() => {
    const { tagName, name, textContent, ariaLabel } = document.activeElement;
    return ariaLabel || (tagName !== "BUTTON" && name) || textContent.replace(/\s+/g, " ").trim();
  });
}

// tabTo goes on until the focus is where it is wanted, and can be seen there.
async function tabTo(page, wanted, key = "Tab") {
  const passed = [];
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press(key);
    passed.push(await focused(page));
    if (wanted instanceof RegExp ? wanted.test(passed.at(-1)) : wanted === passed.at(-1)) {
      assert.ok(await page.evaluate(() => {
        const element = document.activeElement.closest(".choice") ?? document.activeElement;
        return getComputedStyle(element).outlineStyle !== "none";
      }), `${wanted} has the focus, but it cannot be seen`);
      return;
    }
  }
  assert.fail(`tabbed past ${passed} and never came to ${wanted}`);
}
