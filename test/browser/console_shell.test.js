// The frame of the console: who gets in, how one moves in it, its colours, its overview.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { violations } from "./accessible.js";
import { shoot, startConsole } from "./console_service.js";
import { password } from "./polls_service.js";
import { launch, watchedPage } from "./watched_page.js";

const staging = "web of staging";
const refused = /40[134]/; // the browser says aloud what the page deals with

describe("console", { timeout: 180_000 }, () => {
  let service, browser;

  before(async () => {
    service = await startConsole({ wanted: ["video", "web of staging", "video of staging"], env: { STOA_SECOND_LISTEN: "127.0.0.1:0", STOA_SECOND_VIDEO_LISTEN: "127.0.0.1:0" } });
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  test("leads through the login, and back to where one wanted to go", async () => {
    const page = await watchedPage(await browser.newContext(), service.origin, service.videoOrigin);
    await page.goto(`${service.origin}/console/system?from=mail`);
    await page.waitForURL("**/login?next=*");
    await page.fill("[name=email_or_username]", "olga");
    await page.fill("[name=password]", password);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/console/system?from=mail");
    await page.getByRole("heading", { level: 1, name: "System" }).waitFor();
    await page.clean(refused);
    await page.close();
  });

  test("tells an ordinary account that it may not come in, and leads out", async () => {
    await service.run(["user", "create", "ann", "--email", "ann@example.com", "--password-stdin"], password);
    const context = await browser.newContext({ reducedMotion: "reduce" });
    await service.logIn(context, "ann");
    const page = await watchedPage(context, service.origin);
    await page.goto(`${service.origin}/console/polls`);
    await page.getByRole("heading", { name: "This account is not an operator's" }).waitFor();
    await shoot(page, "shell", "refused");
    await page.getByRole("button", { name: "Log in as somebody else" }).click();
    await page.waitForURL(`**/login?next=${encodeURIComponent("/console/polls")}`);
    await page.clean(refused);
    await page.close();
  });

  test("an address that means nothing is told so", async () => {
    const page = await service.open(browser, "/console/nowhere/at-all?x=1");
    assert.equal(await page.textContent("h1"), "Not here");
    assert.equal(await page.title(), "Not here · Stoa console");
    await shoot(page, "shell", "not-here");
    await page.getByRole("link", { name: "To the overview" }).click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Not here" }).waitFor();
    await page.clean(refused);
    await page.close();
  });

  test("goes by keyboard from view to view, and the focus comes along", async () => {
    const page = await service.open(browser, "/console");
    await page.keyboard.press("Tab");
    assert.equal(await focused(page), "Skip to the page");
    for (let i = 0; i < 20 && (await focused(page)) !== "Rate limits"; i++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement.tagName === "H1" && document.activeElement.textContent === "Rate limits");
    assert.equal(await page.title(), "Rate limits · Stoa console");
    assert.equal(await page.getAttribute("nav [aria-current=page]", "href"), "/console/limits");
    await page.clean(refused);
    await page.close();
  });

  test("keeps the colours that were chosen, before anything is painted", async () => {
    const page = await service.open(browser, "/console", { colorScheme: "light" });
    await page.getByRole("button", { name: "Colours" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("End"); // Dark
    await page.keyboard.press("Enter");
    assert.equal(await focused(page), "Colours", "the menu took the focus along");
    assert.ok(await isDark(page));
    await page.route("**/console.js", () => {}); // which never comes
    await page.goto(`${service.origin}/console/polls`, { waitUntil: "commit" });
    await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
    await page.unrouteAll();
    await service.goto(page, "/console/polls");
    assert.ok(await isDark(page));
    await page.clean(refused);
    await page.close();
  });

  test("the second environment wears a banner", async () => {
    await service.addOperator("--environment", "staging");
    const origin = `http://${service.addresses[staging]}`;
    const context = await browser.newContext({ reducedMotion: "reduce" });
    await service.logIn(context, "olga", origin);
    const page = await watchedPage(context, origin, `http://${service.addresses["video of staging"]}`);
    await page.goto(`${origin}/console`);
    await page.getByText("staging – for trying things out").waitFor();
    await page.getByText("No polls yet").waitFor();
    await page.getByText("No videos yet").waitFor();
    await shoot(page, "shell", "staging");
    await page.clean(refused);
    await page.close();
  });

  test("overview shows what is new", async () => {
    const bo = await service.polls.signUp("bo", { name: "Bo" });
    for (const texts of [["Tea or coffee?", "Tea", "Coffee"], ["Cats or dogs?", "Cats", "Dogs"]]) await service.polls.poll(bo, texts);
    const page = await service.open(browser, "/console");
    const videos = await page.evaluate(makeVideos, ["A walk through the old town, from the harbour to the hill", "Second film"]);
    assert.deepEqual(videos, [201, 201]);
    await page.reload();
    await page.getByRole("link", { name: "Cats or dogs?" }).waitFor();
    await page.getByRole("link", { name: "Second film" }).waitFor();
    await page.waitForFunction(() => [...document.images].every((image) => image.complete && image.naturalWidth > 0));
    await shoot(page, "shell", "overview");
    await page.clean(refused);
    await page.close();
  });

  test("overview says what needs attention", async () => {
    const page = await service.open(browser, "/console/limits");
    const parts = [{ room: "polls", name: "database", state: "ok" }, { room: "video", name: "files", state: "down", reason: "the bucket does not answer" }];
    await page.route("**/api/operator/system", (route) => route.fulfill({ json: { state: "down", parts } }));
    await page.route("**/api/operator/system/jobs?*", (route) => route.fulfill({ json: { jobs: [], counts: [{ kind: "video.chunk", running: 2, waiting: 5, givenUp: 1 }] } }));
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByText("Video files: the bucket does not answer").waitFor();
    await page.getByText("1 job failed too often.").waitFor();
    await page.getByText("2 jobs running, 5 waiting").waitFor();
    await shoot(page, "shell", "attention");
    await page.clean(refused);
    await page.close();
  });

  test("on a phone the navigation is behind a button", async () => {
    const page = await service.open(browser, "/console", { viewport: { width: 360, height: 780 } });
    const navigation = page.getByRole("navigation", { name: "Main" });
    assert.equal(await navigation.isVisible(), false);
    await page.getByRole("button", { name: "Menu" }).click();
    await navigation.waitFor();
    assert.deepEqual(await violations(page), []);
    await page.screenshot({ path: new URL("artefacts/console/shell/navigation-phone-light.png", import.meta.url).pathname });
    await navigation.getByRole("link", { name: "Cluster" }).click();
    await page.getByRole("heading", { level: 1, name: "Cluster" }).waitFor();
    assert.equal(await navigation.isVisible(), false, "it stays open over the new view");
    await page.close();
  });

  test("says when the server is gone, and goes on when it is back", async () => {
    const page = await service.open(browser, "/console/system");
    await page.route("**/api/v4/polls*", (route) => route.abort());
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByText("The server does not answer.").waitFor();
    assert.deepEqual(await violations(page), []);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("link", { name: "Cats or dogs?" }).waitFor();
    await page.close();
  });
});

// makeVideos is run in the page: it may do what the console does.
async function makeVideos(titles) {
  const ask = async (address, body, headers) => fetch(address, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json", ...headers } });
  const { videoUrl, projects } = await (await fetch("/api/operator/session")).json();
  const { token } = await (await ask("/api/operator/video/access", { project: projects[0] })).json();
  const answers = [];
  for (const title of titles) answers.push((await ask(`${videoUrl}/videos`, { title }, { Authorization: `Bearer ${token}` })).status);
  return answers;
}

function focused(page) {
  return page.evaluate(() => document.activeElement.ariaLabel || document.activeElement.textContent.replace(/\s+/g, " ").trim());
}

function isDark(page) {
  return page.evaluate(() => getComputedStyle(document.body).backgroundColor === "rgb(23, 19, 16)");
}
