// Watches a live stream in Chromium and reads the clock that is in its picture: 20 bits
// of the milliseconds since 1970, cells from left to right. Prints how far behind the
// picture was, again and again for some seconds.
//
//	node bench/video/latency.mjs http://127.0.0.1:8010/live/li…#autoplay 20
import { createRequire } from "node:module";

const require = createRequire(new URL("../../test/browser/package.json", import.meta.url));
const { chromium } = require("playwright-core");

const [address, seconds] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--autoplay-policy=no-user-gesture-required"],
});
const page = await browser.newPage({ viewport: { width: 640, height: 360 } });
await page.goto(address);
await page.waitForFunction(() => document.querySelector("video")?.currentTime > 0 && document.querySelector("video").readyState > 2, undefined, { timeout: 60_000 });
await page.waitForTimeout(5000); // who joins catches up at first
const seen = await page.evaluate(async (length) => {
  const bits = 20;
  const video = document.querySelector("video");
  const canvas = new OffscreenCanvas(bits * 16, 48);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  let stalls = 0;
  video.addEventListener("waiting", () => stalls++);
  const latencies = [];
  for (const end = performance.now() + length * 1000; performance.now() < end;) {
    await new Promise((go) => setTimeout(go, 200));
    context.drawImage(video, 0, 0, canvas.width, canvas.height);
    const now = Date.now();
    let shown = 0;
    for (let bit = 0; bit < bits; bit++) shown = shown * 2 + (context.getImageData(bit * 16 + 8, 24, 1, 1).data[0] > 128 ? 1 : 0);
    const behind = ((now % 2 ** bits) - shown + 2 ** bits) % 2 ** bits;
    if (behind < 60_000) latencies.push(behind); // else it was misread
  }
  return { latencies, stalls, height: video.videoHeight };
}, Number(seconds));
await browser.close();
console.log(JSON.stringify(seen));
