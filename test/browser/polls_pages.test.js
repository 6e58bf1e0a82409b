// Every page of the polls: accessible, in bounds, silent and self-contained, in
// both themes; with a picture of each to look at.
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { fitsSideways, violations } from "./accessible.js";
import { startConsole } from "./console_service.js";
import { picture } from "./picture.js";
import { fillPolls } from "./polls_filled.js";
import { password, startPolls } from "./polls_service.js";
import { launch, watchedPage } from "./watched_page.js";

const artefacts = path.join(import.meta.dirname, "artefacts", "polls");
const desktop = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };
const narrow = { width: 320, height: 640 };

// What is looked at: an address, who looks (a stranger unless said otherwise), and
// what is done first.
const pages = {
  start: { at: () => "/" },
  feed: { at: () => "/", as: "bo" },
  "feed-tag": { at: () => "/?tag=food" },
  "feed-empty": { at: () => "/?tag=nobodyasked" },
  poll: { at: ({ polls }) => `/${polls.pie.pollID}` },
  "poll-voted": { at: ({ polls }) => `/${polls.pie.pollID}`, as: "ann", act: (page) => page.getByRole("radio", { name: "Cherry" }).check() },
  "poll-rtl": { at: ({ polls }) => `/${polls.arabic.pollID}?results=1` },
  "poll-long": { at: ({ polls }) => `/${polls.long.pollID}?results=1`, as: "bo" },
  profile: { at: () => "/users/ann", as: "bo" },
  join: { at: () => "/join" },
  "join-refused": { at: () => "/join", act: refusedJoin, expected: /status of 409/ },
  login: { at: () => "/login" },
  logout: { at: () => "/logout", as: "ann" },
  settings: { at: () => "/settings", as: "ann" },
  new: { at: () => "/new", as: "cy" },
  "new-composed": { at: () => "/new", as: "ann", act: compose },
  "publisher-new": { at: () => "/publishers/new", as: "cy" },
  publisher: { at: () => "/publishers/gazette", as: "ann", act: openAll },
  set: { at: ({ set }) => `/publishers/gazette/poll_sets/${set.id}`, as: "ann", act: openAll },
  "set-new": { at: () => "/publishers/gazette/poll_sets/new", as: "ann" },
  statistics: { at: () => "/publishers/gazette/statistics", as: "ann" },
  docs: { at: () => "/docs", fullPage: false }, // too long for one picture
  missing: { at: () => "/no-such-page", expected: /status of 404/ },
  embed: { at: ({ frame, polls }) => frame({ poll_id: polls.pie.pollID }) },
  "embed-voted": { at: ({ frame, polls }) => frame({ poll_id: polls.pie.pollID }), act: voteInEmbed },
  "embed-set": { at: ({ frame, set }) => frame({ pollset_id: set.name }) },
  "embed-rtl": { at: ({ frame, polls }) => frame({ poll_id: polls.arabic.pollID, lang: "ar" }), act: voteInEmbed },
  "embed-missing": { at: ({ frame }) => frame({ poll_id: 4711 }), expected: /status of 404/ },
};

describe("every page of the polls", { timeout: 180_000 }, () => {
  let service, browser, filled;
  const contexts = {};

  before(async () => {
    await mkdir(artefacts, { recursive: true });
    service = await startPolls({ limits: "off" });
    filled = await fillPolls(service);
    browser = await launch();
    for (const who of ["stranger", "ann", "bo", "cy"]) {
      contexts[who] = await browser.newContext({ viewport: desktop, reducedMotion: "reduce" });
      if (who !== "stranger") await service.logIn(contexts[who], who);
    }
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  for (const [name, { at, as = "stranger", act, expected, fullPage = true }] of Object.entries(pages)) {
    test(`${name} is accessible, in bounds and clean`, async () => {
      const page = await watchedPage(contexts[as], service.origin);
      await page.goto(new URL(at(filled), service.origin).href);
      await act?.(page);
      await drawn(page);
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        for (const [device, size] of Object.entries({ phone, desktop })) {
          await page.setViewportSize(size);
          await page.screenshot({ path: path.join(artefacts, `${name}-${device}-${colorScheme}.png`), fullPage });
        }
        assert.deepEqual(await violations(page), [], `in ${colorScheme} colours`);
      }
      await page.setViewportSize(narrow);
      await fitsSideways(page);
      await page.clean(expected);
      await page.close();
    });
  }
});

describe("texts without a space, and large numbers", { timeout: 120_000 }, () => {
  const long = (letter, length) => letter.repeat(length);
  let server, browser, context, poll, set;

  before(async () => {
    server = await startConsole({ services: ["polls"], wanted: [] });
    const service = server.polls;
    const { authToken: auth_token } = await service.call("POST", "/users/authenticate", { email_or_username: "olga", password });
    await service.call("PATCH", "/users/me", {
      auth_token, name: long("N", 80), location: long("L", 100), website: `https://${long("w", 50)}.example/${long("p", 150)}`, about: long("A", 300),
    });
    poll = await service.poll(auth_token, [long("C", 200), long("X", 80), long("Y", 80)], { tags: long("t", 40) });
    await service.call("POST", `/polls/${poll.pollID}/votes`, { auth_token, option: 1 });
    await service.call("POST", `/polls/${poll.pollID}/comments`, { auth_token, body: long("B", 200) });
    await service.call("POST", "/publishers", { auth_token, name: "gazette", display_name: "Der Verlag mit dem ausgesprochen langen Namen und Co. KG" });
    set = await service.call("POST", "/publishers/gazette/poll_sets", { auth_token, name: "s", display_name: long("S", 100), poll_ids: [poll.pollID] });
    await service.call("POST", "/publishers/gazette/embeds", { auth_token, embed_name: long("e", 60), poll_set_id: set.id });
    browser = await launch();
    context = await browser.newContext({ reducedMotion: "reduce" });
    await server.logIn(context);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  for (const [name, address] of Object.entries({
    feed: () => "/", poll: () => `/${poll.pollID}`, profile: () => "/users/olga", settings: () => "/settings", publisher: () => "/publishers/gazette",
    set: () => `/publishers/gazette/poll_sets/${set.id}`, statistics: () => "/publishers/gazette/statistics", missing: () => "/no-such-page",
  })) {
    test(`${name} stays in bounds`, async () => {
      const page = await context.newPage();
      await page.goto(server.origin + address());
      await openAll(page);
      for (const width of [320, 390, 660, 820, 1280]) {
        await page.setViewportSize({ width, height: 844 });
        await page.screenshot({ path: path.join(artefacts, `${name}-hostile-${width}.png`), fullPage: true });
        await fitsSideways(page);
      }
      await page.close();
    });
  }

  test("a name that takes several lines covers nothing", async () => {
    const page = await context.newPage();
    await page.setViewportSize(phone);
    await page.goto(`${server.origin}/${poll.pollID}`);
    assert.deepEqual(await page.evaluate(() => {
      const boxes = [...document.querySelectorAll(".byline, .who, .voters li > span")].map((line) => {
        return [...line.querySelectorAll("bdi, time, button")].map(({ firstChild: text }) => {
          const range = document.createRange();
          range.selectNodeContents(text);
          return [line.className, text.textContent.slice(0, 9), range.getBoundingClientRect()];
        });
      });
      return boxes.flatMap((line) => line.flatMap(([where, text, a], i) => line.slice(i + 1)
        .filter(([, , b]) => a.left < b.right && b.left < a.right && a.top < b.bottom - 1 && b.top < a.bottom - 1)
        .map(([, other]) => `${where}: ${text} and ${other}`)));
    }), []);
    await page.close();
  });

  test("a large number stays in its tile", async () => {
    const page = await context.newPage();
    await page.goto(`${server.origin}/publishers/gazette/statistics`);
    await page.locator(".totals dd").evaluateAll((all) => all.forEach((number) => { number.textContent = "123,456,789"; }));
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await fitsSideways(page);
      assert.deepEqual(await page.locator(".totals dd").evaluateAll((all) => all.filter((number) => number.scrollWidth > number.clientWidth).length), 0);
    }
    await page.close();
  });
});

// drawn waits for all pictures, also those out of sight.
async function drawn(page) {
  await page.evaluate(() => Promise.all([...document.images].map((image) => {
    image.loading = "eager";
    return image.decode().catch(() => {});
  })));
}

async function refusedJoin(page) {
  await page.getByLabel("Username").fill("ann");
  await page.getByLabel("E-mail").fill("another@example.com");
  await page.getByLabel("Password").fill("correct horse battery");
  await page.getByRole("button", { name: "Create my account" }).click();
  await page.locator("#username-error:not(:empty)").waitFor();
}

async function compose(page) {
  await page.getByText("Two pictures").click();
  for (const [label, colours] of [["Left picture", [[190, 70, 50], [225, 205, 170]]], ["Right picture", [[232, 176, 75], [70, 110, 140]]]]) {
    await page.getByLabel(label).first().setInputFiles({ name: "picture.png", mimeType: "image/png", buffer: picture(colours) });
    await page.locator("#live", { hasText: "The picture is in place." }).waitFor({ state: "attached" });
    await page.locator("#live").evaluate((live) => { live.textContent = ""; });
  }
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByLabel("Question").fill("Which dish?");
}

async function openAll(page) {
  await page.locator("details").evaluateAll((all) => all.forEach((details) => { details.open = true; }));
}

async function voteInEmbed(page) {
  await page.locator(".choice").first().click();
  await page.locator("#result:not(:empty)").waitFor({ state: "attached" });
}
