// The official player SDK, in the window that frames this page, speaks by messages.
// It is heard only when the address names its player id and its origin.
import { data, on, player, video } from "./page.js";
import { lines, options } from "./options.js";
import { load } from "./source.js";
import { limitLevels } from "./levels.js";
import { pause, play } from "./play.js";
import { bounds, currentTime, seekBy, seekTo } from "./seek.js";
import { toggleCaptions } from "./captions.js";
import { setRate } from "./settings.js";
import { setVolume } from "./sound.js";
import { setLoop } from "./range.js";
import { setControls, setStyle, setTheme } from "./controls.js";
import { exitFullscreen, exitPip, isFullscreen, requestFullscreen, requestPip } from "./screen.js";

const commands = {
  play,
  pause,
  mute: () => { video.muted = true; },
  unmute: () => { video.muted = false; },
  seek: ({ seek }) => { if (Number.isFinite(seek)) seekBy(seek); },
  setCurrentTime: ({ currentTime }) => { if (Number.isFinite(currentTime)) seekTo(currentTime); },
  setVolume: ({ volume }) => setVolume(volume),
  setAutoplay: ({ autoplay }) => {
    options.autoplay = Boolean(autoplay);
    if (options.autoplay && !player.classList.contains("started")) play();
  },
  setLoop: ({ loop }) => setLoop(Boolean(loop)),
  setChromeless: ({ chromeless }) => {
    options.chromeless = Boolean(chromeless);
    player.classList.toggle("chromeless", options.chromeless);
  },
  setPlaybackRate: ({ rate }) => setRate(rate),
  setTheme: ({ theme }) => setTheme(theme),
  loadConfig: ({ url }) => loadConfig(url),
  hideControls: ({ controls }) => setControls(false, controls),
  showControls: ({ controls }) => setControls(true, controls),
  hideSubtitles: () => toggleCaptions(false),
  showSubtitles: () => toggleCaptions(true),
  hideTitle: () => { player.classList.add("no-title"); },
  showTitle: () => { player.classList.remove("no-title"); },
  hidePoster: () => { player.classList.add("no-poster"); },
  showPoster: () => { player.classList.remove("no-poster"); },
  requestFullscreen,
  exitFullscreen,
  requestPictureInPicture: requestPip,
  exitPictureInPicture: exitPip,
  setMinimalQuality: ({ quality }) => { options.minQuality = lines(quality); limitLevels(); },
  setMaximalQuality: ({ quality }) => { options.maxQuality = lines(quality); limitLevels(); },
  setStyleProperty: ({ query, property, value }) => setStyle(query, property, value),
  destroy: pause,
};

const questions = {
  getPaused: () => video.paused,
  getMuted: () => video.muted,
  getPlaying: () => !video.paused && !video.ended,
  getDuration: () => bounds().to,
  getCurrentTime: currentTime,
  getPlaybackRate: () => video.playbackRate,
  getVolume: () => video.volume,
  getLoop: () => options.loop,
  getVideoSize: () => ({ width: video.videoWidth, height: video.videoHeight }),
  getMp4Url: () => (data.mp4 ? new URL(data.mp4, location.href).href : undefined),
  isLiveStream: () => data.live,
};

// startSdk says that it listens. The video is loaded at once: what the site around
// asks first is often its duration and size.
export function startSdk() {
  const { sdkPlayerId, sdkOrigin } = options;
  if (!sdkPlayerId || !sdkOrigin || !data.theme.api || window.parent === window) return;
  const send = (message) => window.parent.postMessage({ sdkPlayerId, ...message }, sdkOrigin);
  window.addEventListener("message", ({ source, origin, data: message }) => {
    if (source !== window.parent || origin !== sdkOrigin || String(message?.sdkPlayerId) !== sdkPlayerId) return;
    answer(message, send);
  });
  forward(send);
  send({ type: "sdkSync" });
  if (!data.waiting) load();
}

function answer({ message, callbackId, ...rest }, send) {
  let arg;
  if (Object.hasOwn(questions, message)) arg = questions[message]();
  else if (Object.hasOwn(commands, message)) commands[message](rest);
  else return;
  if (callbackId) send({ callbackId, arg });
}

// forward tells the site what happens here.
function forward(send) {
  const plain = ["play", "pause", "ended", "seeking", "ratechange", "resize"];
  for (const type of plain) video.addEventListener(type, () => send({ type }));
  for (const type of ["mouseenter", "mouseleave", "useractive", "userinactive", "controlsenabled", "controlsdisabled"]) on(type, () => send({ type }));
  video.addEventListener("loadedmetadata", () => send({ type: "ready" }), { once: true });
  video.addEventListener("play", () => send({ type: "firstplay" }), { once: true });
  video.addEventListener("timeupdate", () => send({ type: "timeupdate", currentTime: video.currentTime }));
  video.addEventListener("volumechange", () => send({ type: "volumechange", volume: video.volume }));
  on("level", ({ detail }) => send({ type: "qualitychange", resolution: detail }));
  on("trouble", () => send({ type: "error" }));
  document.addEventListener("fullscreenchange", () => send({ type: "fullscreenchange", isFullScreen: isFullscreen() }));
  new ResizeObserver(() => send({ type: "playerresize" })).observe(player);
  video.addEventListener("webkitcurrentplaybacktargetiswirelesschanged", () => {
    send({ type: video.webkitCurrentPlaybackTargetIsWireless ? "airplayConnected" : "airplayDisconnected" });
  });
}

// loadConfig shows another video, or this one with other options: another address
// of a player page here. Only the fragment may differ, and that alone loads nothing.
function loadConfig(address) {
  const next = URL.canParse(address, location.href) && new URL(address, location.href);
  if (next.origin !== location.origin) return;
  const same = next.pathname === location.pathname && next.search === location.search;
  location.replace(next);
  if (same) location.reload();
}
