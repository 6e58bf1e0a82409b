import { $, flash, icon, video } from "./page.js";
import { options } from "./options.js";

export function startSound() {
  video.muted = options.muted;
  $("mute").addEventListener("click", toggleMuted);
  $("volume").addEventListener("input", ({ target }) => setVolume(target.value / 100));
  video.addEventListener("volumechange", draw);
  draw();
}

// setVolume takes 0 to 1. To make it louder is to want to hear it.
export function setVolume(volume) {
  if (!Number.isFinite(volume)) return;
  video.volume = Math.min(Math.max(volume, 0), 1);
  video.muted = video.volume === 0;
}

export function toggleMuted() {
  if (video.muted && video.volume === 0) video.volume = 0.5;
  video.muted = !video.muted;
}

export function stepVolume(by) {
  setVolume(Math.round((video.volume + by) * 100) / 100);
  flash(`Volume ${Math.round(video.volume * 100)} %`);
}

function draw() {
  const silent = video.muted || video.volume === 0;
  icon($("mute"), silent ? "muted" : "sound", silent ? "Unmute" : "Mute");
  $("volume").value = silent ? 0 : Math.round(video.volume * 100);
  $("volume").setAttribute("aria-valuetext", silent ? "muted" : `${Math.round(video.volume * 100)} percent`);
}
