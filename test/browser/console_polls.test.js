// The polls in the console: find, hide, delete, publishers with their teams, statistics.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { shoot, startConsole } from "./console_service.js";
import { fillPolls } from "./polls_filled.js";
import { launch } from "./watched_page.js";

const refused = /40[349]/; // the browser says aloud what the page deals with

describe("polls in the console", { timeout: 180_000 }, () => {
  let service, browser, filled, page;

  before(async () => {
    service = await startConsole();
    browser = await launch();
    page = await service.open(browser, "/console/polls");
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  const path = (poll) => `/console/polls/${poll.pollID}`;
  const heading = (name) => page.getByRole("heading", { level: 1, name }).waitFor();
  const row = (name) => page.getByRole("row").filter({ hasText: name });
  const pictures = () => page.waitForFunction(() => [...document.images].every((image) => image.complete && image.naturalWidth > 0));
  const visible = async (poll) => (await fetch(`${service.origin}/api/v4/polls/${poll.pollID}`)).status;

  test("says what polls are while there are none", async () => {
    await page.getByRole("heading", { name: "No polls yet" }).waitFor();
    await shoot(page, "polls", "none");
    await service.goto(page, "/console/polls/publishers");
    await page.getByRole("heading", { name: "No publishers yet" }).waitFor();
    await shoot(page, "polls", "publishers-none");
    await page.clean();
    filled = await fillPolls(service.polls);
  });

  test("finds polls by their words, their creator and their state", async () => {
    await service.goto(page, "/console/polls");
    await row("Which pie for Sunday?").waitFor();
    await pictures();
    await shoot(page, "polls", "list");
    await page.getByRole("searchbox", { name: "Words or number" }).fill("CHERRY");
    await row("Tabs or spaces?").waitFor({ state: "detached" });
    assert.equal(await page.getByRole("row").count(), 2, "the head, and the one with cherries");
    assert.match(page.url(), /text=CHERRY/);
    await service.goto(page, "/console/polls?creator=bo");
    await row("Tabs or spaces?").waitFor();
    assert.equal(await row("Which pie for Sunday?").count(), 0);
    await page.getByRole("combobox", { name: "State" }).selectOption("hidden");
    await page.getByRole("heading", { name: "No poll is like that" }).waitFor();
    await shoot(page, "polls", "not-found");
    await page.getByRole("button", { name: "Show all polls" }).click();
    await row("Which pie for Sunday?").waitFor();
    await page.clean();
  });

  test("hides a poll at once, and shows it again", async () => {
    const { pie } = filled.polls;
    await service.goto(page, path(pie));
    await heading("Which pie for Sunday?");
    await page.getByText("Apple, with a lot of cinnamon.").waitFor();
    await page.getByText("front-page").waitFor();
    await page.getByRole("img", { name: "Votes over time" }).locator("canvas").waitFor();
    await pictures();
    await shoot(page, "polls", "poll");
    await page.getByRole("button", { name: "Hide", exact: true }).click();
    await page.getByText("Hidden by olga").waitFor();
    assert.equal(await visible(pie), 404);
    await pictures();
    await shoot(page, "polls", "hidden");
    await page.getByRole("button", { name: "Show again" }).click();
    await page.getByText("Hidden by olga").waitFor({ state: "detached" });
    assert.equal(await visible(pie), 200);
    await page.clean();
  });

  test("deletes a comment, and a poll after asking", async () => {
    await page.getByRole("button", { name: "Delete the comment of Bo" }).last().click();
    await page.getByRole("button", { name: "Delete comment" }).click();
    await page.locator("p", { hasText: "Apple, with a lot of cinnamon." }).waitFor({ state: "detached" });
    await service.goto(page, path(filled.polls.long));
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    const question = page.getByRole("dialog", { name: "Delete this poll?" });
    await question.getByText("A question that goes on").waitFor();
    await shoot(page, "polls", "delete");
    await question.getByRole("button", { name: "Delete for ever" }).click();
    await page.getByText("Its picture is gone").waitFor();
    assert.equal(await visible(filled.polls.long), 404);
    await page.clean();
  });

  test("changes the team of a publisher", async () => {
    await service.goto(page, "/console/polls/publishers");
    await row("The Gazette").waitFor();
    await shoot(page, "polls", "publishers");
    await page.getByRole("link", { name: "The Gazette" }).click();
    await heading("The Gazette");
    await page.getByText("For the weekend").first().waitFor();
    await page.getByRole("img", { name: "Votes by day" }).locator("canvas").waitFor();
    await shoot(page, "polls", "publisher");
    await page.getByRole("textbox", { name: "Add an account" }).fill("nobody-like-that");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("There is no such user.").waitFor();
    await page.getByRole("textbox", { name: "Add an account" }).fill("cy");
    await page.keyboard.press("Enter");
    await page.getByText("cy is in the team.").waitFor();
    await page.getByRole("button", { name: "Remove cy from the team" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("cy is not in the team any more.").waitFor();
    await page.clean(refused);
  });

  test("makes a publisher for an account", async () => {
    await service.goto(page, "/console/polls/publishers");
    await page.getByRole("button", { name: "New publisher" }).click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("The Herald");
    await page.getByRole("textbox", { name: "Name in addresses" }).fill("herald");
    await page.getByRole("textbox", { name: "Owner" }).fill("cy");
    await shoot(page, "polls", "publisher-new");
    await page.keyboard.press("Enter");
    await heading("The Herald");
    await page.getByText("None yet. The team makes them").waitFor();
    await page.clean();
  });

  test("draws what happened by day", async () => {
    await service.goto(page, "/console/polls/statistics?days=7");
    await page.getByRole("img", { name: "Accounts by day" }).locator("canvas").waitFor();
    await shoot(page, "polls", "statistics");
    await page.getByText("As a table: Votes by day").click();
    assert.ok((await page.getByRole("table").first().getByRole("row").count()) === 8, "a head and seven days");
    await page.clean();
  });

  test("a poll that is not there is told", async () => {
    await service.goto(page, "/console/polls/4711");
    await page.getByText("There is no poll 4711.").waitFor();
    await page.clean(refused);
  });
});
