// Pages that remember everything that must not happen.
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

export function launch() {
  return chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: [
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
    ],
  });
}

// openPage opens a url in a fresh context. Its clean() fails when there was an
// error, a violation of the content policy or a request to another host.
export async function openPage(browser, url, options = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const faults = [];
  page.on("console", (m) => {
    if (m.type() === "error" || m.type() === "warning") faults.push(`console: ${m.text()}`);
  });
  page.on("pageerror", (e) => faults.push(`script: ${e}`));
  page.on("request", (r) => {
    const to = new URL(r.url());
    if (to.protocol !== "data:" && to.origin !== new URL(url).origin) faults.push(`request to ${r.url()}`);
  });
  await page.addInitScript(() => {
    window.violations = [];
    document.addEventListener("securitypolicyviolation", (e) => window.violations.push(`${e.violatedDirective} ${e.blockedURI}`));
  });
  await page.goto(url);
  page.clean = async () => {
    assert.deepEqual(faults, []);
    assert.deepEqual(await page.evaluate(() => window.violations), []);
    assert.equal(await page.evaluate(() => window.hostile), undefined);
  };
  return page;
}

// number is what an element shows, without thousands separators.
export async function number(page, selector) {
  return Number((await page.textContent(selector)).replace(/\D/g, ""));
}
