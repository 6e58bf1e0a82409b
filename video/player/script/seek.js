// The seek bar, the clock, and going to another place.
import { $, data, on, player, tell, video } from "./page.js";
import { load, source } from "./source.js";
import { onAir } from "./live.js";
import { play } from "./play.js";
import { formatTime, spokenTime } from "./time.js";
import { showPreview } from "./preview.js";

const bar = $("seek");
let dragging = false;

const leastWindow = 10; // seconds that can be seen again, for a bar to be of use

// bounds are the ends of the seek bar, in seconds. Of a video that still grows
// they are those of the whole, of a live stream those of what can be seen again: to
// where viewers are who see it live.
export function bounds() {
  if (data.live) {
    const { seekable } = video;
    if (!seekable.length) return { from: 0, to: 0 };
    const end = seekable.end(seekable.length - 1);
    return { from: Math.max(seekable.start(0), source.oldest), to: (onAir() && source.hls?.liveSyncPosition) || end };
  }
  const own = Number.isFinite(video.duration) ? video.duration : 0;
  return { from: 0, to: source.growing || !own ? Math.max(own, data.duration) : own };
}

export const currentTime = () => (video.readyState ? video.currentTime : source.from);

// seekTo stays within what is there already.
export function seekTo(time) {
  const { from, to } = bounds();
  const { seekable } = video;
  const last = source.growing && seekable.length ? seekable.end(seekable.length - 1) : to;
  const wanted = Math.min(Math.max(time, from), Math.max(last, from) || time);
  if (video.readyState) {
    video.currentTime = wanted;
  } else {
    source.from = wanted;
    video.addEventListener("loadedmetadata", () => { if (Math.abs(video.currentTime - wanted) > 1) video.currentTime = wanted; }, { once: true });
  }
  draw();
}

export const seekBy = (seconds) => seekTo(currentTime() + seconds);
const behind = () => bounds().to - video.currentTime;
const atLiveEdge = () => behind() < (source.hls ? 4 : 15); // browsers' own players stay farther away

export function startSeek() {
  for (const event of ["timeupdate", "seeking", "seeked", "durationchange", "loadedmetadata"]) video.addEventListener(event, draw);
  video.addEventListener("progress", drawBuffered);
  bar.addEventListener("input", () => {
    const { from, to } = bounds();
    seekTo(from + (bar.value / 1000) * (to - from));
    tell("intent");
  });
  bar.addEventListener("change", () => { if (!source.attached) load(); });
  bar.addEventListener("pointerdown", () => drag(true));
  for (const event of ["pointerup", "pointercancel", "blur"]) bar.addEventListener(event, () => drag(false));
  watchPointer();
  $("backward").addEventListener("click", () => seekBy(-10));
  $("forward").addEventListener("click", () => seekBy(10));
  $("live")?.addEventListener("click", () => {
    seekTo(bounds().to);
    if (video.paused) play();
  });
  for (const event of ["attached", "grown"]) on(event, draw);
  draw();
}

function drag(is) {
  dragging = is;
  $("progress").classList.toggle("dragging", is);
}

// watchPointer shows what is at the place under the pointer, or, for those who
// go by keyboard, at the place where the video is.
function watchPointer() {
  const progress = $("progress");
  progress.addEventListener("pointermove", ({ clientX }) => {
    const { left, width } = progress.getBoundingClientRect();
    const part = Math.min(Math.max((clientX - left) / width, 0), 1);
    const { from, to } = bounds();
    showPreview(to > from ? part : undefined, from + part * (to - from));
  });
  progress.addEventListener("pointerleave", () => showPreview());
  bar.addEventListener("pointerup", ({ pointerType }) => { if (pointerType === "touch") showPreview(); });
  bar.addEventListener("focus", () => { if (bar.matches(":focus-visible")) previewHere(); });
  bar.addEventListener("blur", () => showPreview());
}

function previewHere() {
  const { from, to } = bounds();
  if (to > from) showPreview((currentTime() - from) / (to - from), currentTime());
}

function draw() {
  const { from, to } = bounds();
  const now = currentTime();
  const part = to > from ? Math.min(Math.max((now - from) / (to - from), 0), 1) : 0;
  $("played").style.width = `${part * 100}%`;
  if (!dragging) bar.value = part * 1000;
  if (onAir()) drawLive(from, to);
  else drawClock(now - (data.live ? from : 0), to - (data.live ? from : 0));
  if (document.activeElement === bar && !$("preview").hidden && bar.matches(":focus-visible")) previewHere();
  drawBuffered();
}

function drawClock(now, length) {
  bar.setAttribute("aria-valuetext", `${spokenTime(now)} of ${spokenTime(length)}`);
  $("now").textContent = formatTime(now);
  $("length").textContent = formatTime(length);
  if (!data.live) return;
  $("live").hidden = true;
  $("progress").classList.remove("short");
  $("clock").hidden = false;
  $("length").parentElement.hidden = false;
}

// drawLive: at the live edge there is no time to show, behind it is how far.
function drawLive(from, to) {
  const live = !player.classList.contains("started") || atLiveEdge();
  bar.setAttribute("aria-valuetext", live ? "Live" : `${spokenTime(behind())} behind`);
  $("now").textContent = `\u2212${formatTime(behind())}`;
  $("length").parentElement.hidden = true;
  $("clock").hidden = live;
  $("live").hidden = false;
  $("live").classList.toggle("behind", !live);
  $("live").title = live ? "" : "Go to where it is live";
  $("progress").classList.toggle("short", to - from < leastWindow);
}

function drawBuffered() {
  const { from, to } = bounds();
  let end = 0;
  for (let i = 0; i < video.buffered.length; i++) {
    if (video.buffered.start(i) <= video.currentTime + 0.3) end = video.buffered.end(i);
  }
  $("buffered").style.width = to > from ? `${Math.min(Math.max((end - from) / (to - from), 0), 1) * 100}%` : "0";
}
