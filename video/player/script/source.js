// Where picture and sound come from: hls.js, the browser's own HLS (Safari), or
// the MP4 when there is neither.
import { data, tell, video } from "./page.js";
import { options } from "./options.js";
import { startLevels } from "./levels.js";

export const source = {
  attached: false,
  growing: false, // more is being encoded, or it is live
  oldest: 0, // of a live stream: where what can be seen again begins, in seconds
  from: options.start, // where playing begins, in seconds
  hls: undefined,
};

const ownHLS = video.canPlayType("application/vnd.apple.mpegurl") !== "";
const apple = navigator.vendor.startsWith("Apple"); // elsewhere the quality list would be lost
let loading;

// load returns when the video has its source, and does its work once. Where the
// browser plays HLS itself it is done before it returns: Safari lets a click
// start a video only at once.
export function load() {
  if (!loading) {
    if (video.currentSrc) leave();
    loading = attach();
  }
  return loading;
}

// again throws away what there is and goes on from the same place.
export function again() {
  source.attached = false;
  loading = undefined;
  return load();
}

// leave throws away what failed. That is not done when it fails: the video would forget
// where it is and that it was paused, before others are told.
function leave() {
  source.from = data.live ? 0 : video.currentTime || source.from;
  source.hls?.destroy();
  source.hls = undefined;
}

// fetchEngine brings hls.js before it is needed.
let engine;
export function fetchEngine() {
  if (!data.engine || (ownHLS && apple)) return undefined;
  return engine ??= import(data.engine).then((module) => module.default);
}

function attach() {
  if (ownHLS && (apple || !data.engine)) return attachPlain(data.hls);
  return attachEngine();
}

async function attachEngine() {
  let Hls;
  try {
    Hls = await fetchEngine();
  } catch {
    engine = undefined;
    fail(2);
    return;
  }
  if (Hls?.isSupported()) return attachHls(Hls);
  if (ownHLS) return attachPlain(data.hls);
  if (data.mp4) return attachPlain(data.mp4);
  fail(4);
}

function attachPlain(address) {
  video.src = address;
  if (source.from) video.addEventListener("loadedmetadata", () => { video.currentTime = source.from; }, { once: true });
  video.preload = "auto";
  video.addEventListener("error", () => {
    if (address === data.hls && data.mp4) attachPlain(data.mp4);
    else if (data.live) lose();
    else fail(video.error?.code ?? 4);
  }, { once: true });
  const look = () => { source.growing = !Number.isFinite(video.duration); };
  video.addEventListener("durationchange", look);
  finish(address === data.hls);
}

// liveSettings: whoever falls behind a little catches up without hearing it. A publisher
// who is away keeps lists waiting, for a minute and a half at most.
const again15 = { maxNumRetry: 15, retryDelayMs: 500, maxRetryDelayMs: 2000 };
const liveSettings = {
  maxLiveSyncPlaybackRate: 1.06,
  liveSyncOnStallIncrease: 0.5,
  playlistLoadPolicy: { default: { maxTimeToFirstByteMs: 15_000, maxLoadTimeMs: 20_000, timeoutRetry: again15, errorRetry: again15 } },
};

function attachHls(Hls) {
  const hls = new Hls({
    startPosition: data.live && !source.from ? -1 : source.from, // a growing playlist would begin near its end
    capLevelToPlayerSize: !options.maxQuality,
    enableWorker: false, // segments are fragmented MP4: there is nothing to convert
    backBufferLength: 60,
    // The page has the captions as tracks of its own: twice would be too much.
    subtitleStreamController: undefined,
    subtitleTrackController: undefined,
    timelineController: undefined,
    ...(data.live ? liveSettings : {}),
  });
  source.hls = hls;
  let mended = 0;
  hls.on(Hls.Events.ERROR, (_, trouble) => {
    if (!trouble.fatal) return;
    if (trouble.type === Hls.ErrorTypes.MEDIA_ERROR && mended++ < 2) return void hls.recoverMediaError();
    hls.stopLoad();
    if (trouble.type !== Hls.ErrorTypes.NETWORK_ERROR) fail(3);
    else if (data.live) lose();
    else fail(2);
  });
  hls.on(Hls.Events.LEVEL_UPDATED, (_, { details }) => {
    source.growing = details.live;
    source.oldest = details.fragmentStart;
    tell("grown");
  });
  startLevels(hls, Hls);
  hls.loadSource(data.hls);
  hls.attachMedia(video);
  finish(false);
}

function finish(native) {
  source.attached = true;
  source.growing ||= data.live && !data.ended;
  tell("attached", { native });
}

// lose is what live.js looks after.
function lose() {
  loading = undefined;
  source.attached = false;
  tell("lost");
}

function fail(code) {
  loading = undefined;
  source.attached = false;
  tell("trouble", code);
}
