// The console for a test: a server on free ports with a database of its own, and an
// operator who is signed in.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fitsSideways, violations } from "./accessible.js";
import { password, Polls } from "./polls_service.js";
import { runStoa, startStoa } from "./stoa.js";
import { watchedPage } from "./watched_page.js";

const operator = "olga";
const sizes = { phone: { width: 360, height: 780 }, desktop: { width: 1280, height: 860 } };

// startConsole serves the named services, and waits for the pages and the listeners that are
// named. env is further settings; prepare fills the folder before anything starts.
export async function startConsole({ services = ["polls", "video"], wanted = ["video"], env = {}, prepare = async () => {} } = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), "stoa-browser-"));
  await prepare(folder);
  const all = {
    PATH: process.env.PATH, STOA_DATA: path.join(folder, "data"), STOA_LISTEN: "127.0.0.1:0", STOA_SECOND_LISTEN: "off",
    STOA_VIDEO_LISTEN: "127.0.0.1:0", STOA_RTMP_LISTEN: "off", STOA_SRT_LISTEN: "off", STOA_WHIP_LISTEN: "off", STOA_LIMITS: "off",
    DEBUG_HOST: "127.0.0.1", DEBUG_PORT: "0", DISABLE_STATS: "true", ...env,
  };
  const { addresses, stop } = await startStoa(services, folder, all, "web", ...wanted);
  const console = new Console(addresses, folder, all, async () => {
    await stop();
    await rm(folder, { recursive: true });
  });
  await console.addOperator();
  return console;
}

class Console {
  constructor(addresses, folder, env, stop) {
    const { web, video } = addresses;
    Object.assign(this, { addresses, folder, env, stop, origin: `http://${web}`, videoOrigin: video && `http://${video}`, polls: new Polls(`http://${web}`) });
  }

  // run is a command of stoa beside the server.
  run(args, input) {
    const { web, video } = this.addresses;
    return runStoa(args, this.folder, { ...this.env, STOA_LISTEN: web, ...(video && { STOA_VIDEO_LISTEN: video }) }, input);
  }

  addOperator(...flags) {
    return this.run(["user", "create", operator, "--email", "olga@example.com", "--password-stdin", "--operator", ...flags], password);
  }

  // logIn makes a browser's context that of an account.
  async logIn(context, username = operator, origin = this.origin) {
    await context.request.post(`${origin}/login`, { form: { email_or_username: username, password }, headers: { Origin: origin }, maxRedirects: 0 });
  }

  // context is a browser's context of the operator.
  async context(browser, options = {}) {
    const context = await browser.newContext({ viewport: sizes.desktop, reducedMotion: "reduce", ...options });
    await this.logIn(context);
    return context;
  }

  // open is a page of the operator at a path of the console, when its heading is there.
  async open(browser, address, options) {
    const page = await watchedPage(await this.context(browser, options), this.origin, this.videoOrigin);
    await this.goto(page, address);
    return page;
  }

  async goto(page, address) {
    await page.goto(this.origin + address);
    await page.locator("main h1[tabindex]").waitFor();
  }
}

// shoot makes pictures of a page on a phone and a desktop in both colours, and asks
// whether it is accessible and in bounds. It leaves the page in light colours on a desktop.
export async function shoot(page, area, name) {
  const folder = path.join(import.meta.dirname, "artefacts", "console", area);
  await mkdir(folder, { recursive: true });
  await page.evaluate(() => scrollTo(0, 0)); // the head stands where the page is
  for (const colorScheme of ["dark", "light"]) {
    await page.emulateMedia({ colorScheme });
    for (const [device, size] of Object.entries(sizes)) {
      await page.setViewportSize(size);
      await page.screenshot({ path: path.join(folder, `${name}-${device}-${colorScheme}.png`), fullPage: true });
      await fitsSideways(page);
    }
    assert.deepEqual(await violations(page), [], `${name} in ${colorScheme} colours`);
  }
}
