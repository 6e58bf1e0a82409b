// The library of videos in the console: a film is uploaded, becomes playable and plays; an
// interrupted upload goes on; captions, chapters, thumbnail and words are changed.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { shoot, startConsole } from "./console_service.js";
import { picture } from "./picture.js";
import { startedPlaying } from "./player_service.js";
import { until } from "./until.js";
import { launch } from "./watched_page.js";

const piece = 8 * 1024 * 1024; // as the console sends them

describe("console: video", { timeout: 300_000 }, () => {
  let service, browser, film, long, filmAddress;

  before(async () => {
    service = await startConsole({ env: { STOA_VIDEO_RESTORE: "true", STOA_EGRESS_ALLOW: "127.0.0.1/32" } });
    browser = await launch();
    film = path.join(service.folder, "Sea_at dawn.mp4");
    await promisify(execFile)("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=426x240:rate=12:duration=6", "-f", "lavfi", "-i", "sine=frequency=440:duration=6",
      "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", film]);
    long = path.join(service.folder, "Long film.mp4");
    await writeFile(long, padded(await readFile(film), piece + 1024 * 1024));
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  const choose = async (page, ...files) => {
    await page.getByRole("button", { name: "Upload", exact: true }).click();
    await page.getByLabel("Files to upload").setInputFiles(files);
  };
  const start = (page) => page.getByRole("dialog").getByRole("button", { name: "Upload", exact: true }).click();
  const card = (page, title) => page.locator("article", { hasText: title });

  test("an empty library says what to do", async () => {
    const page = await service.open(browser, "/console/video");
    await page.getByRole("heading", { name: "No videos yet" }).waitFor();
    await shoot(page, "video", "empty");
    await page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["x"], "dropped.mp4"));
      for (const type of ["dragover", "drop"]) document.querySelector("h1").dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
    });
    await page.getByRole("button", { name: "Leave out dropped.mp4" }).click();
    await page.getByText("Options: who may watch").click();
    await page.getByLabel("Files to upload").setInputFiles([film, long]);
    await page.getByRole("button", { name: "Upload 2 files" }).waitFor();
    await shoot(page, "video", "dialog");
    await page.clean();
    await page.close();
  });

  test("an uploaded film becomes playable by itself, and plays", async () => {
    const page = await service.open(browser, "/console/video");
    await choose(page, film);
    await start(page);
    await card(page, "Sea at dawn").waitFor();
    await card(page, "Sea at dawn").getByText("0:06").waitFor({ timeout: 120_000 });
    await card(page, "Sea at dawn").locator("img").waitFor({ timeout: 120_000 });
    await card(page, "Sea at dawn").getByRole("link").click();
    const frame = await (await page.waitForSelector("iframe")).contentFrame();
    await frame.click("#big");
    await startedPlaying(frame);
    filmAddress = new URL(page.url()).pathname;
    await page.clean();
    await page.close();
  });

  test("an interrupted upload goes on: after a lost connection, a pause and a reload", async () => {
    const page = await service.open(browser, "/console/video");
    page.on("dialog", (dialog) => dialog.accept()); // that leaving interrupts the upload
    const ranges = [];
    page.on("request", (r) => {
      if (r.url().endsWith("/source") && r.method() === "POST") ranges.push(r.headers()["content-range"]);
    });
    let lost = 0;
    const second = (url, range) => url.pathname.endsWith("/source") && range?.startsWith(`bytes ${piece}-`);
    await page.route((url) => url.pathname.endsWith("/source"), (route) => {
      if (route.request().method() !== "POST" || !second(new URL(route.request().url()), route.request().headers()["content-range"])) return route.continue();
      if (lost++ === 0) return route.abort("connectionreset");
      // later ones never arrive
    });
    await choose(page, long);
    await start(page);
    await until("a second try of the second piece", () => lost >= 2);
    await page.getByRole("button", { name: "Pause Long film" }).click();
    await page.getByRole("list", { name: "Uploads" }).getByText("Paused").waitFor();
    await shoot(page, "video", "uploading");
    await page.getByRole("button", { name: "Resume Long film" }).click();
    await until("a third try", () => lost >= 3);
    await page.clean(/ERR_CONNECTION_RESET/);

    await page.reload();
    await page.unrouteAll(); // now, as what is held back would arrive after all
    await page.getByText("1 upload not finished").waitFor();
    const size = (await readFile(long)).length;
    await page.getByText(`${Math.round((100 * piece) / size)} % of`).waitFor();
    ranges.length = 0;
    await page.getByLabel("Choose Long film.mp4 again").setInputFiles(film); // another file
    await page.getByText("That is another file").waitFor();
    await choose(page, long);
    await page.getByText("it goes on where it stopped").waitFor();
    await start(page);
    await page.getByRole("list", { name: "Uploads" }).getByText("Uploaded").waitFor();
    assert.deepEqual(ranges, [`bytes ${piece}-${size - 1}/${size}`]);
    await card(page, "Long film").getByText("0:06").waitFor({ timeout: 120_000 });
    assert.equal(await page.getByText("not finished").count(), 0);
    await page.clean();
    await page.close();
  });

  test("words, captions, chapters and the thumbnail are changed", async () => {
    const page = await service.open(browser, filmAddress);
    await page.getByLabel("Title", { exact: true }).fill("The sea at dawn");
    await page.getByLabel("Tags").fill("sea,");
    await page.getByLabel("Tags").fill("morning");
    await page.getByLabel("Tags").press("Enter");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved", { exact: true }).first().waitFor();
    await page.getByRole("heading", { name: "The sea at dawn", level: 1 }).waitFor();

    await page.getByRole("button", { name: "Add captions" }).click();
    await page.getByLabel("Language").last().fill("en");
    await page.getByLabel("Captions file").setInputFiles({ name: "bad.srt", mimeType: "text/plain", buffer: Buffer.from("1\n00:00 --> 00:01\nHi") });
    await page.getByText("is not WebVTT").waitFor();
    await page.getByLabel("Captions file").setInputFiles({ name: "en.vtt", mimeType: "text/vtt", buffer: Buffer.from("WEBVTT\n\n00:00.000 --> 00:05.000\nHere is the sea.\n") });
    const captions = page.getByRole("list", { name: "Captions" });
    await captions.getByText("English").first().waitFor();
    await captions.getByLabel("By default").check();
    await page.getByText("Shown by default").waitFor();

    await page.getByRole("button", { name: "Add chapters" }).click();
    await page.getByLabel("Language").last().fill("en");
    await page.getByRole("button", { name: "Write them" }).click();
    await page.getByLabel("Title of chapter 1").fill("Calm & quiet");
    await page.getByRole("button", { name: "Add one at" }).click();
    await page.getByLabel("Chapter 2 begins at").fill("0:03");
    await page.getByLabel("Title of chapter 2").fill("Waves");
    await page.getByRole("button", { name: "Save chapters" }).click();
    await page.getByRole("button", { name: "Edit the chapters in English" }).click();
    assert.equal(await page.getByLabel("Title of chapter 1").inputValue(), "Calm & quiet");
    assert.equal(await page.getByLabel("Chapter 2 begins at").inputValue(), "0:03");
    await page.getByRole("button", { name: "Cancel" }).click();

    const poster = page.locator(".now img");
    const before = await poster.getAttribute("src");
    await page.getByLabel("Place as a timecode").fill("0:05");
    await page.getByLabel("Place as a timecode").press("Enter");
    await page.getByRole("button", { name: "Use this picture" }).click();
    await until("another picture", async () => (await poster.getAttribute("src")) !== before, 60_000);
    const picked = await poster.getAttribute("src");
    await page.getByLabel("Picture for the thumbnail").setInputFiles({ name: "sea.png", mimeType: "image/png", buffer: picture([[250, 220, 90], [20, 90, 140]]) });
    await until("the uploaded picture", async () => (await poster.getAttribute("src")) !== picked, 60_000);
    const frame = await (await page.waitForSelector("iframe")).contentFrame();
    await frame.waitForSelector("[data-ready]");
    await page.clean();
    await page.evaluate(() => scrollTo(0, 0));
    await shoot(page, "video", "detail");
    await page.clean(/postMessage/); // axe asks the frame, which does not have it
    await page.close();
  });

  test("a private video is shown with a token", async () => {
    const page = await service.open(browser, filmAddress);
    await page.getByLabel("Private").check();
    await page.getByText("These addresses have a token").waitFor();
    await page.evaluate(() => scrollTo(0, 0));
    const frame = () => page.waitForSelector("iframe[src*='token=']").then((e) => e.contentFrame());
    await (await frame()).click("#big");
    await startedPlaying(await frame());
    await page.getByRole("link", { name: "Video", exact: true }).last().click();
    await card(page, "The sea at dawn").getByText("Private").waitFor();
    await card(page, "The sea at dawn").locator("img").waitFor();
    await shoot(page, "video", "library");
    await page.clean();
    await page.close();
  });

  test("is found by title and tag, discarded and brought back", async () => {
    const page = await service.open(browser, "/console/video");
    await page.getByRole("searchbox", { name: "Search titles" }).fill("LONG");
    await until("one video", async () => (await page.locator("article").count()) === 1);
    await page.getByRole("searchbox", { name: "Search titles" }).fill("");
    await page.getByLabel("Tag").selectOption("sea");
    await until("the other", async () => (await page.locator("article").count()) === 1 && (await card(page, "The sea at dawn").count()) === 1);
    await page.getByRole("searchbox", { name: "Search titles" }).fill("nothing");
    await page.getByRole("heading", { name: "No video is like that" }).waitFor();
    await page.getByRole("button", { name: "Show all videos" }).click();
    await card(page, "Long film").getByRole("link").click();
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("button", { name: "Discard video" }).click();
    await page.getByRole("link", { name: "Discarded" }).click();
    await page.getByRole("button", { name: "Bring back Long film" }).waitFor();
    await shoot(page, "video", "discarded");
    await page.getByRole("button", { name: "Bring back Long film" }).click();
    await page.getByRole("heading", { name: "Nothing was discarded" }).waitFor();
    await page.clean();
    await page.close();
  });

  test("is fetched from an address", async () => {
    const page = await service.open(browser, "/console/video");
    await page.getByRole("button", { name: "Upload", exact: true }).click();
    await page.getByLabel("An address on the web").check();
    await page.getByLabel("Address", { exact: true }).fill("nonsense");
    await page.getByRole("button", { name: "Fetch" }).click();
    await page.getByText("That is not an address").waitFor();
    await page.getByLabel("Address", { exact: true }).fill(`${service.videoOrigin}/vod/viNone/Far%20away.mp4`);
    await page.getByRole("button", { name: "Fetch" }).click();
    await card(page, "Far away").getByText("Failed").waitFor({ timeout: 120_000 });
    await page.clean();
    await page.close();
  });

  test("what is no video fails, and says what to do", async () => {
    const page = await service.open(browser, "/console/video");
    await page.getByRole("button", { name: "Upload", exact: true }).click();
    await page.getByLabel("Files to upload").setInputFiles({ name: "notes.mp4", mimeType: "video/mp4", buffer: Buffer.from("no film at all\n".repeat(50)) });
    await start(page);
    await card(page, "notes").getByText("Failed").waitFor({ timeout: 120_000 });
    await card(page, "notes").getByRole("link").click();
    await page.getByText("It could not be encoded").waitFor();
    await page.clean();
    await page.close();
  });
});

// padded is an MP4 with so many bytes more, which players pass over.
function padded(film, bytes) {
  const head = Buffer.from("....free", "latin1");
  head.writeUInt32BE(8 + bytes);
  return Buffer.concat([film, head, Buffer.alloc(bytes)]);
}
