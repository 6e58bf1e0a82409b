// Tells the collector what is watched, as the official analytics do (version 2):
// batches of at most 20 events, at least 5 s apart, and the rest when the page is
// left. Neighbours of one kind are one event, the later: time updates are sparse.
import { data, on, player, video } from "./page.js";
import { options } from "./options.js";

const kinds = { loaded: 1, play: 2, pause: 3, time: 4, error: 5, end: 6, seek: 7, source: 8 };
const pace = 5000; // ms between two batches
const most = 20; // events in a batch

const playback = uuid();
let queue = [];
let timer;
let sent = -Infinity; // when, in ms of performance.now()
let position = 0; // the last one that was played to, not seeked to
let playing = false;

export function startWatch() {
  if (!data.collector || options.uncounted) return;
  note("loaded");
  // What counts as loading begins when somebody wants to play: a page that only
  // lies there is not slow.
  on("intent", () => { if (player.classList.contains("waiting")) noteSource(); });
  video.addEventListener("play", noteSource);
  video.addEventListener("playing", () => {
    if (!playing) note("play");
    playing = true;
  });
  video.addEventListener("pause", () => {
    playing = false;
    note("pause");
  });
  video.addEventListener("timeupdate", () => {
    if (video.seeking || !playing) return;
    position = video.currentTime;
    note("time");
  });
  video.addEventListener("seeking", () => {
    if (playing && queue.at(-1)?.typ !== kinds.seek) note("time", { vti: round(position) }); // up to here it was watched
    note("seek");
    position = video.currentTime;
  });
  video.addEventListener("ended", () => {
    playing = false;
    note("end");
  });
  on("trouble", ({ detail }) => note("error", { eco: detail }));
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") leave(); });
  window.addEventListener("pagehide", leave);
}

let sourced = false;
function noteSource() {
  if (!sourced) note("source");
  sourced = true;
}

function note(kind, more) {
  const event = {
    eat: Date.now(), typ: kinds[kind], vti: round(video.currentTime), vwi: video.videoWidth, vhe: video.videoHeight, pau: video.paused, eco: 0, ...more,
  };
  const last = queue.at(-1);
  if (last && last.typ === event.typ && last.pau === event.pau) queue.pop();
  queue.push(event);
  timer ??= setTimeout(flush, Math.max(0, sent + pace - performance.now()));
}

const round = (seconds) => Math.round(seconds * 1000) / 1000;

function flush() {
  timer = undefined;
  if (queue.length === 0) return;
  sent = performance.now();
  const body = batch();
  fetch(`${data.collector}/watch`, { method: "POST", body, keepalive: true, credentials: "omit", headers: { "Content-Type": "text/plain" } }).catch(() => {});
  if (queue.length) timer = setTimeout(flush, pace);
}

function leave() {
  clearTimeout(timer);
  timer = undefined;
  while (queue.length) navigator.sendBeacon(`${data.collector}/watch`, batch());
  sent = performance.now();
}

function batch() {
  return JSON.stringify({ sat: Date.now(), sid: session(), mid: data.id, pid: playback, ref: document.referrer, ver: "0.1.0", eve: queue.splice(0, most) });
}

// session is one per tab. A browser that keeps nothing for frames of other sites
// gives one per page.
let ownSession;
function session() {
  try {
    ownSession ??= sessionStorage.getItem("stoa-session") ?? uuid();
    sessionStorage.setItem("stoa-session", ownSession);
  } catch {
    ownSession ??= uuid();
  }
  return ownSession;
}

// uuid also works where the page came without TLS, which randomUUID does not.
function uuid() {
  const b = crypto.getRandomValues(new Uint8Array(16));
  b[6] = (b[6] & 0x0f) | 0x40;
  b[8] = (b[8] & 0x3f) | 0x80;
  return [...b].map((n) => n.toString(16).padStart(2, "0")).join("").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
