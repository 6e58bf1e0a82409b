// Pages that remember everything that must not happen.
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

// launch starts a browser that blocks third-party cookies, as people's do.
export function launch() {
  return chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: [
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync", "--test-third-party-cookie-phaseout",
      "--disable-features=Translate", // instead of Playwright's list, which takes the partitioned storage of iframes away
    ],
  });
}

// openPage opens a url in a fresh context.
export async function openPage(browser, url, options = {}) {
  const page = await watchedPage(await browser.newContext(options), new URL(url).origin);
  await page.goto(url);
  return page;
}

// watchedPage is a new page of a context. Its clean() fails when, since the last
// time, there was an error, a violation of a content policy or a request to a host
// that is not named. What is expected, as a pattern, is no fault.
export async function watchedPage(context, ...origins) {
  const page = await context.newPage();
  const faults = [];
  page.on("console", (m) => {
    if (m.type() === "error" || m.type() === "warning") faults.push(`console: ${m.text()}`);
  });
  page.on("pageerror", (e) => faults.push(`script: ${e}`));
  page.on("request", (r) => {
    const to = new URL(r.url());
    if (to.protocol !== "data:" && !origins.includes(to.origin)) faults.push(`request to ${r.url()}`);
  });
  await page.exposeFunction("tellViolation", (violation) => faults.push(`policy: ${violation}`));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (e) => window.tellViolation(`${e.violatedDirective} ${e.blockedURI}`));
  });
  page.clean = async (expected) => {
    assert.deepEqual(faults.splice(0).filter((fault) => !expected?.test(fault)), []);
    assert.equal(await page.evaluate(() => window.hostile), undefined);
  };
  return page;
}

// number is what an element shows, without thousands separators.
export async function number(page, selector) {
  return Number((await page.textContent(selector)).replace(/\D/g, ""));
}
