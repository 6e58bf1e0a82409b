// Play and pause, the big button, and what is shown while nothing moves.
import { $, data, icon, on, player, say, tell, video } from "./page.js";
import { options } from "./options.js";
import { again, load, source } from "./source.js";
import { lookAgain, verdict } from "./verdict.js";

let wanted = false; // to play, as soon as it can

export async function play() {
  wanted = true;
  player.classList.add("waiting");
  tell("intent");
  const loading = load();
  if (!source.attached) await loading;
  if (!source.attached || !wanted) return stopWaiting();
  try {
    await video.play();
  } catch (refusal) {
    if (refusal.name === "NotAllowedError") await playMuted();
  }
  stopWaiting();
}

export function pause() {
  wanted = false;
  video.pause();
  stopWaiting();
}

export const toggle = () => (video.paused && !player.classList.contains("waiting") ? play() : pause());

// playMuted is what browsers allow without a click. The viewer is told where the
// sound is.
async function playMuted() {
  if (video.muted) {
    wanted = false;
    return;
  }
  video.muted = true;
  try {
    await video.play();
    $("unmute").hidden = false;
  } catch {
    video.muted = options.muted;
    wanted = false;
  }
}

function stopWaiting() {
  if (!wanted || !video.paused) player.classList.remove("waiting");
}

export function startPlay() {
  for (const id of ["play", "big"]) $(id).addEventListener("click", toggle);
  $("unmute").addEventListener("click", () => { video.muted = false; });
  video.addEventListener("volumechange", () => { if (!video.muted) $("unmute").hidden = true; });
  for (const event of ["play", "pause", "ended"]) video.addEventListener(event, draw);
  video.addEventListener("playing", () => player.classList.add("started"), { once: true });
  video.addEventListener("play", () => { if (!source.attached) play(); }); // the system's own button, after trouble
  watchStalls();
  watchTrouble();
  draw();
}

function draw() {
  player.classList.toggle("paused", video.paused);
  icon($("play"), video.ended ? "again" : video.paused ? "play" : "pause", video.ended ? "Play again" : video.paused ? "Play" : "Pause");
  $("big").querySelector("use").setAttribute("href", video.ended ? "#i-again" : "#i-play");
}

// watchStalls shows the spinner only after a moment: short waits would flicker.
function watchStalls() {
  let timer;
  const show = () => {
    clearTimeout(timer);
    timer = setTimeout(() => { $("spinner").hidden = false; }, 350);
  };
  const hide = () => {
    clearTimeout(timer);
    $("spinner").hidden = true;
  };
  video.addEventListener("waiting", show);
  for (const event of ["playing", "pause", "canplay", "seeked", "ended", "error"]) video.addEventListener(event, hide);
  on("intent", () => { if (!source.attached) show(); });
  on("trouble", hide);
}

const troubles = {
  2: "The video could not be loaded. The connection may be lost.",
  3: "The video could not be decoded by this browser.",
};

function watchTrouble() {
  const box = $("trouble");
  const button = box.querySelector("button");
  let before; // had the focus
  const hide = () => {
    if (box.contains(document.activeElement)) before?.focus();
    box.hidden = true;
  };
  on("trouble", async ({ detail }) => {
    const lost = data.engine ? "This browser cannot play this video." : "This page lacks the part that plays HLS in this browser.";
    pause();
    box.querySelector("p").textContent = troubles[detail] ?? lost;
    if (box.hidden) before = document.activeElement;
    box.hidden = false;
    if (document.hasFocus()) button.focus(); // a frame takes it from nobody else
    if (!data.live && (await verdict()) === "over") lookAgain();
  });
  video.addEventListener("playing", hide);
  button.addEventListener("click", () => {
    hide();
    say("Loading");
    again();
    play();
  });
}
