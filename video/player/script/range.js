// A part of the video, t=from,to, and playing over and over.
import { video } from "./page.js";
import { options } from "./options.js";

let last = 0;

export function startRange() {
  setLoop(options.loop);
  video.addEventListener("timeupdate", () => {
    const now = video.currentTime;
    const crossed = options.end !== undefined && last < options.end && now >= options.end;
    last = now; // who seeks past the end may look at what is there
    if (!crossed || video.paused) return;
    if (options.loop) {
      video.currentTime = options.start;
    } else {
      video.pause();
    }
  });
  video.addEventListener("seeking", () => { last = video.currentTime; });
  video.addEventListener("ended", () => {
    if (!options.loop) return;
    video.currentTime = options.start;
    video.play().catch(() => {});
  });
}

// setLoop leaves the looping of a whole video to the browser, which does it
// without a gap.
export function setLoop(loop) {
  options.loop = loop;
  video.loop = loop && !options.start && options.end === undefined;
}
