// Full screen and picture in picture, where the browser and the iframe allow them.
import { $, data, icon, on, player, video } from "./page.js";

const fullscreenElement = () => document.fullscreenElement ?? document.webkitFullscreenElement;
export const isFullscreen = () => Boolean(fullscreenElement());

export function startScreen() {
  const button = $("fullscreen");
  button.hidden = !(document.fullscreenEnabled || document.webkitFullscreenEnabled || video.webkitSupportsFullscreen);
  button.addEventListener("click", toggleFullscreen);
  for (const event of ["fullscreenchange", "webkitfullscreenchange"]) document.addEventListener(event, draw);
  const pip = $("pip");
  pip.hidden = !document.pictureInPictureEnabled || data.panoramic;
  pip.addEventListener("click", () => (document.pictureInPictureElement ? exitPip() : requestPip()));
  on("attached", () => { video.disablePictureInPicture = data.panoramic; });
  draw();
}

function draw() {
  icon($("fullscreen"), isFullscreen() ? "window" : "fullscreen", isFullscreen() ? "Leave full screen" : "Full screen");
  icon($("pip"), "pip", "Picture in picture");
}

export const toggleFullscreen = () => (isFullscreen() ? exitFullscreen() : requestFullscreen());

// requestFullscreen does nothing when the browser refuses, as it does without a
// click. A phone that cannot show a page so shows the video alone.
export async function requestFullscreen() {
  try {
    if (player.requestFullscreen) await player.requestFullscreen();
    else if (player.webkitRequestFullscreen) player.webkitRequestFullscreen();
    else video.webkitEnterFullscreen?.();
  } catch { /* refused */ }
}

export async function exitFullscreen() {
  if (!isFullscreen()) return;
  try {
    await (document.exitFullscreen ?? document.webkitExitFullscreen).call(document);
  } catch { /* it ended meanwhile */ }
}

export async function requestPip() {
  try {
    await video.requestPictureInPicture();
  } catch { /* refused, or there is no picture yet */ }
}

export async function exitPip() {
  if (!document.pictureInPictureElement) return;
  try {
    await document.exitPictureInPicture();
  } catch { /* it ended meanwhile */ }
}
