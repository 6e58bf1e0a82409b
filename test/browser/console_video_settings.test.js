// What goes with videos in the console: themes with a live preview, watermarks, upload
// tokens, webhooks with their log.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import ApiVideoClient from "@api.video/nodejs-client";
import { shoot, startConsole } from "./console_service.js";
import { picture } from "./picture.js";
import { until } from "./until.js";
import { launch } from "./watched_page.js";

const png = (name, width, height) => ({ name, mimeType: "image/png", buffer: picture([[232, 176, 75], [40, 60, 90]], width, height) });

describe("console: what goes with videos", { timeout: 300_000 }, () => {
  let service, browser, client, receiver;

  before(async () => {
    service = await startConsole({ env: { STOA_EGRESS_ALLOW: "127.0.0.1/32" } });
    const apiKey = await service.run(["apikey", "create", "tests"]);
    client = new ApiVideoClient({ baseUri: service.videoOrigin, apiKey });
    receiver = await startReceiver();
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    receiver?.close();
    await service?.stop();
  });

  test("nothing is there yet, and every view says what to do", async () => {
    const page = await service.open(browser, "/console/video/themes");
    for (const [tab, what] of [["Player themes", "No themes yet"], ["Watermarks", "No watermarks yet"], ["Upload tokens", "No upload tokens"], ["Webhooks", "No webhooks yet"]]) {
      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: tab }).click();
      await page.getByRole("heading", { name: what }).waitFor();
    }
    await page.clean();
    await page.close();
  });

  test("a webhook is made, and is told when a video is encoded", async () => {
    const page = await service.open(browser, "/console/video/webhooks");
    await page.getByRole("button", { name: "New webhook" }).first().click();
    await page.getByLabel("Address").fill(receiver.address);
    await page.getByLabel("A broadcast has ended").uncheck();
    await page.getByRole("button", { name: "Make the webhook" }).click();
    await page.getByRole("heading", { name: "Nothing was sent yet" }).waitFor();
    const [hook] = (await client.webhooks.list()).data;
    assert.deepEqual(hook.events, ["live-stream.broadcast.started", "video.encoding.quality.completed", "video.source.recorded"]);
    await page.getByRole("button", { name: "Show signature secret" }).click();
    assert.ok(await page.getByText(hook.signatureSecret).isVisible());

    const file = path.join(service.folder, "film.mp4");
    await promisify(execFile)("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=426x240:rate=12:duration=3", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", file]);
    const { videoId } = await client.videos.create({ title: "A short film" });
    await client.videos.upload(videoId, file);
    await until("two deliveries", () => receiver.got.length >= 2, 120_000); // HLS, which is refused, and MP4
    await page.clean();
    await page.close();
  });

  test("a theme is seen on a video while it is edited, and saved", async () => {
    const page = await service.open(browser, "/console/video/themes");
    await page.getByRole("button", { name: "New theme" }).first().click();
    await page.getByRole("textbox", { name: "Name" }).fill("House colours");
    await page.getByRole("button", { name: "Make the theme" }).click();
    await page.getByRole("heading", { name: "House colours" }).waitFor();
    const frame = await (await page.waitForSelector("iframe")).contentFrame();
    await frame.waitForSelector("#played", { state: "attached" });
    const played = () => frame.$eval("#played", (e) => getComputedStyle(e).backgroundColor);

    await page.getByLabel("Played", { exact: true }).fill("#0a8f3c");
    await until("the colour in the preview", async () => /^rgba?\(10, 143, 60/.test(await played()));
    await page.getByLabel("Hide the title").check();
    await until("no title", () => frame.$eval("#player", (e) => e.classList.contains("no-title")));
    await page.getByLabel("Picture").setInputFiles(png("logo.png", 120, 40));
    await page.getByLabel("Address that it leads to").fill("https://example.com/");
    await page.getByRole("button", { name: "Store the logo" }).click();
    await until("the logo in the preview", () => frame.evaluate(() => document.querySelector("img.logo")?.naturalWidth === 120));
    const [before] = (await client.playerThemes.list()).data;
    assert.equal(before.hideTitle, false, "before it is saved");
    assert.equal(before.assets.link, "https://example.com/");
    await page.evaluate(() => scrollTo(0, 0));
    await shoot(page, "video", "theme");
    await page.clean(/'postMessage' on 'DOMWindow'/); // axe asks the frame too, which is of another origin

    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("All saved").waitFor();
    const [saved] = (await client.playerThemes.list()).data;
    assert.equal(saved.hideTitle, true);
    assert.equal(saved.trackPlayed, "rgba(10, 143, 60, 0.95)");
    await page.getByRole("main").getByRole("link", { name: "Player themes" }).click();
    await page.getByRole("link", { name: /House colours/ }).waitFor();
    await shoot(page, "video", "themes");
    await page.clean();
    await page.close();
  });

  test("a watermark is uploaded, shown and deleted; what is none is refused", async () => {
    const page = await service.open(browser, "/console/video/watermarks");
    const upload = async (file) => {
      const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Upload a watermark" }).first().click()]);
      await chooser.setFiles(file);
    };
    await upload({ name: "mark.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
    await page.getByText("Not uploaded").waitFor();
    await page.clean(/400 \(Bad Request\)/);
    await upload(png("mark.png", 90, 60));
    const image = page.getByRole("img", { name: /^Watermark watermark_/ });
    await until("its picture", () => image.evaluate((e) => e.naturalWidth === 90));
    await shoot(page, "video", "watermarks");
    await page.getByRole("button", { name: /^Delete watermark/ }).click();
    await page.getByRole("button", { name: "Delete watermark", exact: true }).click();
    await page.getByRole("heading", { name: "No watermarks yet" }).waitFor();
    await page.clean();
    await page.close();
  });

  test("an upload token is made, with a page that uses it, and deleted", async () => {
    const page = await service.open(browser, "/console/video/tokens");
    await page.getByRole("button", { name: "New token" }).first().click();
    await page.getByLabel("Good for").selectOption("A week");
    await page.getByRole("button", { name: "Make the token" }).click();
    const code = await page.getByRole("region", { name: "HTML of a page" }).textContent();
    const [token] = (await client.uploadTokens.list()).data;
    assert.equal(token.ttl, 7 * 24 * 3600);
    assert.ok(code.includes(`${service.videoOrigin}/upload?token=${token.token}`));
    await shoot(page, "video", "token-use");
    await page.keyboard.press("Escape");
    await page.getByRole("cell", { name: /in 7 days|in 1 week|next week/ }).waitFor();
    await shoot(page, "video", "tokens");
    await page.getByRole("button", { name: /^Delete token/ }).click();
    await page.getByRole("button", { name: "Delete token", exact: true }).click();
    await page.getByRole("heading", { name: "No upload tokens" }).waitFor();
    await page.clean();
    await page.close();
  });

  test("what a webhook was told is seen, and sent again", async () => {
    const page = await service.open(browser, "/console/video/webhooks");
    await page.getByRole("link", { name: receiver.address }).waitFor();
    await shoot(page, "video", "webhooks");
    await page.getByRole("link", { name: receiver.address }).click();
    await page.getByRole("row", { name: /Failed Status 410 .* 4 / }).waitFor({ timeout: 60_000 }); // after its four tries
    await page.getByRole("row", { name: /Delivered Status 204/ }).waitFor();
    await shoot(page, "video", "webhook");
    await page.getByLabel("Which deliveries").selectOption("Failed");
    await until("only one", async () => (await page.getByRole("row").count()) === 2);
    await page.getByRole("button", { name: "Details" }).click();
    await page.getByRole("dialog").getByText("The answer was 410 Gone").waitFor();
    await shoot(page, "video", "delivery");

    receiver.patient = true;
    const before = receiver.got.length;
    await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click();
    await until("it once more", () => receiver.got.length > before);
    await page.getByLabel("Which deliveries").selectOption("All");
    await page.getByRole("row", { name: /sent again .*Delivered Status 204/ }).waitFor();
    const [first, last] = [receiver.got.find(({ body }) => body.includes("hls")), receiver.got.at(-1)];
    assert.equal(last.body, first.body);
    const [{ signatureSecret }] = (await client.webhooks.list()).data;
    assert.equal(last.signature, createHmac("sha256", signatureSecret).update(last.body).digest("hex"));
    const { data } = await client.analytics.getAggregatedMetrics({ metric: "impression", aggregation: "count" });
    assert.equal(data, 0, "players that were opened as a preview");
    await page.clean();
    await page.close();
  });
});

// startReceiver is a program that is told: it has no use for HLS, until it is patient.
async function startReceiver() {
  const receiver = { got: [], patient: false, close: () => server.close() };
  const server = http.createServer(async (request, response) => {
    const body = (await request.toArray()).join("");
    receiver.got.push({ body, signature: request.headers["x-api-video-signature"] });
    response.writeHead(receiver.patient || !body.includes("hls") ? 204 : 410).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  receiver.address = `http://127.0.0.1:${server.address().port}/hook`;
  return receiver;
}
