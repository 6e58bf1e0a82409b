// Live streams in the console: made, published to by a real encoder, watched, sent on,
// completed.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { after, before, describe, test } from "node:test";
import { shoot, startConsole } from "./console_service.js";
import { launch } from "./watched_page.js";

// Pictures and lists of a stream that is off air; axe, which cannot talk to frames of other origins.
const noise = /Failed to load resource.*(404|503)|Failed to execute 'postMessage'/;

describe("live streams in the console", { timeout: 180_000 }, () => {
  let service, browser, page, port, encoder;

  before(async () => {
    port = await freePort();
    service = await startConsole({ env: { STOA_RTMP_LISTEN: `127.0.0.1:${port}`, STOA_SRT_LISTEN: `127.0.0.1:${await freePort()}` } });
    browser = await launch();
    page = await service.open(browser, "/console/live");
  });
  after(async () => {
    encoder?.kill("SIGKILL");
    await browser?.close();
    await service?.stop();
  });

  const heading = (name) => page.getByRole("heading", { level: 1, name }).waitFor();

  test("says what live streams are while there are none, and makes one", async () => {
    await page.getByRole("heading", { name: "No live streams yet" }).waitFor();
    await shoot(page, "live", "none");
    await page.getByRole("link", { name: "Make the first live stream" }).click();
    await heading("New live stream");
    await page.getByRole("textbox", { name: "Name" }).fill("Town hall, every Tuesday");
    await page.getByRole("button", { name: "Add a server" }).click();
    await page.getByRole("textbox", { name: "Name" }).nth(1).fill("Our other channel");
    await page.getByRole("textbox", { name: "Server" }).fill("http://live.example.com/app");
    await page.getByLabel("Stream key").fill("a-key-there");
    await page.getByRole("button", { name: "Make live stream" }).click();
    await page.getByText("Give an address that begins with rtmp").waitFor();
    await shoot(page, "live", "new");
    await page.getByRole("textbox", { name: "Server" }).fill("rtmp://127.0.0.1:1/app");
    await page.getByRole("button", { name: "Make live stream" }).click();
    await heading("Town hall, every Tuesday");
    await page.clean(/40[04]/);
  });

  test("shows the key when asked, and what to type where", async () => {
    const key = page.locator("dd", { has: page.getByRole("button", { name: "Copy stream key", exact: true }) });
    const shown = () => key.locator("code").textContent();
    assert.match(await shown(), /^•+$/);
    await page.getByRole("button", { name: "Show stream key", exact: true }).click();
    assert.match(await shown(), /^[0-9a-f-]{36}$/);
    await page.getByText(`rtmp://127.0.0.1:${port}/s`, { exact: true }).waitFor();
    await page.getByText("idle").waitFor();
    await page.getByText("None yet. A video is made").waitFor();
    await page.frameLocator("iframe").getByText("Not live yet").waitFor();
    await page.getByRole("button", { name: "Hide stream key", exact: true }).click();
    await shoot(page, "live", "off-air");
    encoder = publish(`rtmp://127.0.0.1:${port}/s/${await copied()}`);
  });

  test("sees by itself that it is live, and how the restream stands", async () => {
    await page.locator("h1 + .badge", { hasText: "live" }).waitFor();
    await page.getByText("failed, tries again").waitFor();
    await page.getByText("not in a public network").waitFor();
    await page.frameLocator("iframe").locator("#video").evaluate((v) => new Promise((done) => (v.currentTime > 0 ? done() : v.addEventListener("timeupdate", done, { once: true }))));
    await shoot(page, "live", "on-air");
    await service.goto(page, "/console/live");
    await page.getByRole("row").filter({ hasText: "Town hall" }).getByText("live", { exact: true }).waitFor();
    await shoot(page, "live", "list");
    await page.clean(noise);
  });

  test("completes the broadcast, and has its recording", async () => {
    await page.getByRole("link", { name: "Town hall" }).click();
    await page.getByRole("button", { name: "Complete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Complete" }).click();
    await page.locator("h1 + .badge", { hasText: "off air" }).waitFor();
    encoder.kill("SIGKILL");
    await page.getByRole("listitem").getByRole("link", { name: "Town hall, every Tuesday" }).waitFor();
    await page.clean(noise);
  });

  test("changes settings and restreams, and deletes the stream after asking", async () => {
    await page.getByRole("button", { name: "Remove Our other channel" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("What is broadcast can go to other servers too").waitFor();
    await page.getByRole("checkbox", { name: "Everybody may watch" }).uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    await page.frameLocator("iframe").getByText("Not live yet").or(page.frameLocator("iframe").locator("#video")).first().waitFor();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await shoot(page, "live", "delete");
    await page.getByRole("dialog").getByRole("button", { name: "Delete live stream" }).click();
    await page.getByRole("heading", { name: "No live streams yet" }).waitFor();
    await page.clean(noise);
  });

  // copied is the stream key as the API has it: headless browsers have no clipboard.
  const copied = () =>
    page.evaluate(async () => {
      const { videoUrl } = await (await fetch("/api/operator/session")).json();
      const access = await fetch("/api/operator/video/access", { method: "POST", body: JSON.stringify({ project: "default" }), headers: { "Content-Type": "application/json" } });
      const { token } = await access.json();
      const { data } = await (await fetch(`${videoUrl}/live-streams`, { headers: { Authorization: `Bearer ${token}` } })).json();
      return data[0].streamKey;
    });
});

// publish pushes a small moving picture, until it is killed.
function publish(address) {
  return spawn("ffmpeg", ["-v", "error", "-re", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=15", "-c:v", "libx264", "-preset", "ultrafast",
    "-tune", "zerolatency", "-pix_fmt", "yuv420p", "-g", "15", "-f", "flv", address], { stdio: "ignore" });
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}
