// From joining to the numbers of an embed, as a publisher goes it.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { frameOf, startHost } from "./host_page.js";
import { picture } from "./picture.js";
import { password, startPolls } from "./polls_service.js";
import { until } from "./until.js";
import { launch, watchedPage } from "./watched_page.js";

const red = picture([[200, 30, 30], [200, 30, 30]], 600, 800);
const blue = picture([[30, 30, 200], [30, 30, 200]], 900, 500);
const file = (name, buffer) => ({ name, mimeType: "image/png", buffer });

describe("sign up to statistics", { timeout: 180_000 }, () => {
  let service, browser, host, context, page;

  before(async () => {
    service = await startPolls();
    host = await startHost(service.origin);
    browser = await launch();
    context = await browser.newContext({ viewport: { width: 1280, height: 900 }, permissions: ["clipboard-read", "clipboard-write"] });
    page = await watchedPage(context, service.origin);
  });
  after(async () => {
    await browser?.close();
    await host?.stop();
    await service?.stop();
  });

  test("somebody joins", async () => {
    await page.goto(service.origin);
    await page.getByText("Nobody has asked anything here yet.").waitFor();
    await page.getByRole("link", { name: "Join" }).click();
    await page.getByLabel("Username").fill("ann");
    await page.getByLabel("E-mail").fill("ann@example.com");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Create my account" }).click();
    await page.getByText("Welcome! Your account is ready.").waitFor();
    await page.clean();
  });

  test("makes a poll of two pictures", async () => {
    await page.getByRole("link", { name: "New poll" }).click();
    await page.getByText("Two pictures").click();
    await page.getByLabel("Left picture").first().setInputFiles(file("red.png", red));
    await page.getByLabel("Right picture").first().setInputFiles(file("blue.png", blue));
    await page.locator("[data-pane='1']").waitFor();
    await page.getByRole("button", { name: "Swap left and right" }).click();
    await page.getByLabel("Question").fill("Which colour?");
    await page.getByLabel("First choice").fill("Blue");
    await page.getByLabel("Second choice").fill("Red");
    const steps = await watchProgress(page);
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByRole("heading", { level: 1, name: "Which colour?" }).waitFor();
    assert.ok(steps.includes("Sending the picture 100"), `got ${steps} want the upload's progress`);
    const [left, right] = await halves(page);
    assert.ok(left.blue > 150 && left.red < 80, `got ${JSON.stringify(left)} want the blue picture on the left`);
    assert.ok(right.red > 150 && right.blue < 80, `got ${JSON.stringify(right)} want the red picture on the right`);
    await page.clean();
  });

  test("votes on it", async () => {
    await page.getByRole("radio", { name: "Blue" }).check();
    await page.locator(".choice.one .count", { hasText: "1 vote" }).waitFor();
    await page.getByText("You voted for Blue.").waitFor({ state: "attached" });
    await page.reload();
    assert.ok(await page.getByRole("radio", { name: "Blue" }).isChecked());
    await page.clean();
  });

  test("becomes a publisher and orders a poll set by keyboard", async () => {
    const { authToken } = await service.call("POST", "/users/authenticate", { email_or_username: "ann", password });
    for (const words of [["Tea or coffee?", "Tea", "Coffee"], ["North or south?", "North", "South"]]) await service.poll(authToken, words);
    await page.getByRole("link", { name: "For publishers" }).click();
    await page.getByLabel("Name of your organisation").fill("The Gazette");
    await page.getByLabel("Short name").fill("gazette");
    await page.getByRole("button", { name: "Create publisher" }).click();
    await page.getByRole("link", { name: "New poll set" }).first().click();
    await page.getByText("Add from your own polls").click();
    for (const caption of ["Tea or coffee?", "Which colour?"]) await page.getByRole("button", { name: `Add ${caption}` }).click();
    await page.getByRole("button", { name: "Move up: Which colour?" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("Which colour?, now 1 of 2.").waitFor({ state: "attached" });
    assert.deepEqual(await page.locator("[data-order] .set-caption").allTextContents(), ["Which colour?", "Tea or coffee?"]);
    await page.getByLabel("Title").fill("Both");
    await page.getByLabel("Short name").fill("both");
    await page.getByRole("button", { name: "Save poll set" }).click();
    await page.getByText("The poll set is saved.").waitFor();
    const [set] = await service.call("GET", "/publishers/gazette/poll_sets");
    assert.deepEqual(set.poll_ids, [1, 2]);
    await page.clean();
  });

  test("embeds the set on another site, where somebody votes", async () => {
    await page.goto(`${service.origin}/publishers/gazette`);
    await page.getByLabel("Name", { exact: true }).fill("front-page");
    await page.locator("#embeds-title ~ details").getByLabel("Poll set").first().check();
    await page.getByRole("button", { name: "Create embed" }).click();
    await page.getByText("The embed is ready. Its code is below.").waitFor();
    await page.getByText("Code to paste").click();
    await page.getByRole("button", { name: "Copy script for front-page" }).click();
    host.show(await page.evaluate(() => navigator.clipboard.readText()));
    await page.clean();

    const reader = await watchedPage(await browser.newContext(), service.origin, host.origin);
    await reader.goto(host.url);
    const frame = await frameOf(reader);
    await frame.getByText("Which colour?", { exact: true }).waitFor();
    await frame.getByText("Red", { exact: true }).click();
    await frame.getByText("You voted for Red.").waitFor({ state: "attached" });
    await frame.getByText("Tea or coffee?", { exact: true }).waitFor(); // goes on by itself
    await frame.getByText("Tea", { exact: true }).click();
    await frame.getByText("You voted for Tea.").waitFor({ state: "attached" });
    await reader.clean();
  });

  test("reads its numbers", async () => {
    const cell = page.locator("tbody tr", { hasText: "front-page" }).locator("td");
    await until("one view, one voter, two votes", async () => {
      await page.goto(`${service.origin}/publishers/gazette/statistics`);
      const [views, viewers, voters, percent, votes] = await cell.allTextContents();
      return `${[views, viewers, voters, percent, votes]}` === "1,1,1,100.0%,2";
    });
    await page.getByRole("img", { name: "front-page: 1 view, 1 viewer, 1 voter" }).waitFor();
    await page.clean();
  });
});

// watchProgress is what the bar of an upload shows, in a list that grows.
async function watchProgress(page) {
  const steps = [];
  await page.exposeFunction("tellStep", (step) => steps.push(step));
  await page.evaluate(() => {
    const bar = document.querySelector("progress");
    new MutationObserver(() => window.tellStep(`${bar.labels[0].textContent} ${bar.value}`)).observe(bar, { attributes: true });
  });
  return steps;
}

// halves are the colours in the middle of each half of the poll's picture.
function halves(page) {
  return page.locator(".picture img").evaluate(async (image) => {
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const paint = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d", { willReadFrequently: true });
    paint.drawImage(image, 0, 0);
    return [0.25, 0.75].map((x) => {
      const [red, , blue] = paint.getImageData(Math.round(x * width), Math.round(height / 4), 1, 1).data;
      return { red, blue };
    });
  });
}
