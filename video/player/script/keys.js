// Keys: space and k play, arrows and j/l seek, up and down are for the volume, m
// mutes, f is full screen, c captions, digits go to tenths, < and > change speed.
import { data, flash, video } from "./page.js";
import { options } from "./options.js";
import { closeMenu, menuOpen } from "./menu.js";
import { toggle } from "./play.js";
import { bounds, currentTime, seekBy, seekTo } from "./seek.js";
import { toggleCaptions } from "./captions.js";
import { stepRate } from "./settings.js";
import { stepVolume, toggleMuted } from "./sound.js";
import { exitFullscreen, toggleFullscreen } from "./screen.js";
import { formatTime } from "./time.js";

const seek = (seconds) => () => {
  seekBy(seconds);
  if (!data.live) flash(formatTime(currentTime()));
};

const keys = {
  " ": toggle, k: toggle,
  ArrowLeft: seek(-5), ArrowRight: seek(5), j: seek(-10), l: seek(10),
  ArrowUp: () => stepVolume(0.05), ArrowDown: () => stepVolume(-0.05),
  m: () => { toggleMuted(); flash(video.muted ? "Muted" : "Sound on"); },
  f: toggleFullscreen,
  c: () => toggleCaptions(),
  "<": () => stepRate(-1), ">": () => stepRate(1),
  Home: () => seekTo(bounds().from), End: () => seekTo(bounds().to),
  Escape: () => (menuOpen() ? closeMenu() : exitFullscreen()),
};
for (let n = 0; n < 10; n++) {
  keys[n] = () => {
    const { from, to } = bounds();
    seekTo(from + (n / 10) * (to - from));
  };
}

// along the seek bar, as along any other, up is forward.
const along = { ArrowUp: "ArrowRight", ArrowDown: "ArrowLeft" };

export function startKeys() {
  document.addEventListener("keydown", (event) => {
    if (!options.hotkeys || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const { target, key } = event;
    const action = keys[(target.id === "seek" && along[key]) || (key.length === 1 ? key.toLowerCase() : key)];
    if (!action || (key === " " && target.closest("button, a"))) return; // that one is pressed
    if (target.id === "volume" && /^Arrow|^Home|^End/.test(key)) return;
    event.preventDefault();
    action();
  });
}
