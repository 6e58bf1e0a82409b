// What is at another place of the video: a still of the storyboard, the chapter
// and the time, above the seek bar.
import { $, data, on, player } from "./page.js";
import { chapterAt } from "./chapters.js";
import { formatTime } from "./time.js";
import { cueAt, fetchCues } from "./vtt.js";

const preview = $("preview");
const still = preview.querySelector(".still");
let stills = [];
let fetching;
let last = []; // what is shown, to be drawn again when stills or chapters have come
on("chapters", () => showPreview(...last));

// showPreview takes a part of the bar, 0 to 1, and the time there; without them
// it hides the preview.
export function showPreview(part, time) {
  preview.hidden = part === undefined;
  last = [part, time];
  if (preview.hidden) return;
  if (data.storyboard) fetching ??= fetchStills().then(() => showPreview(...last));
  preview.querySelector(".time").textContent = data.live ? "" : formatTime(time);
  preview.querySelector(".caption").textContent = chapterAt(time)?.text ?? "";
  drawStill(time);
  place(part);
}

// fetchStills reads cues such as "sheet.jpg#xywh=160,90,160,90". Addresses are
// relative to the file they are in.
async function fetchStills() {
  stills = (await fetchCues(data.storyboard)).flatMap(({ from, text }) => {
    const [, file, ...box] = /^(\S+)#xywh=(\d+),(\d+),(\d+),(\d+)$/.exec(text) ?? [];
    const [x, y, width, height] = box.map(Number);
    return width && height ? [{ from, address: new URL(file, new URL(data.storyboard, location.href)), x, y, width, height }] : [];
  });
}

function drawStill(time) {
  const shown = cueAt(stills, time);
  if (!shown) return still.removeAttribute("style");
  const wide = Math.min(180, player.clientWidth * 0.34, (player.clientHeight * 0.45 * shown.width) / shown.height);
  still.style.width = `${shown.width}px`;
  still.style.height = `${shown.height}px`;
  still.style.zoom = wide / shown.width;
  still.style.backgroundImage = `url("${shown.address.href}")`;
  still.style.backgroundPosition = `-${shown.x}px -${shown.y}px`;
}

function place(part) {
  const bar = $("progress").getBoundingClientRect();
  const { width } = preview.getBoundingClientRect();
  const left = Math.min(Math.max(bar.left + part * bar.width - width / 2, bar.left), bar.right - width);
  preview.style.insetInlineStart = `${left - $("controls").getBoundingClientRect().left}px`;
}
