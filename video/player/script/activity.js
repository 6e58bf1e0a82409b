// Who looks on does not want controls in the way: they go when nothing is done
// for a while. Also what clicks and taps on the picture mean.
import { $, on, player, tell, video } from "./page.js";
import { options } from "./options.js";
import { fetchEngine } from "./source.js";
import { menuOpen } from "./menu.js";
import { toggle } from "./play.js";
import { seekBy } from "./seek.js";
import { toggleFullscreen } from "./screen.js";

const patience = 3000; // ms
const hovers = matchMedia("(hover: hover)"); // a finger that is gone still hovers
let timer;

export function startActivity() {
  for (const event of ["pointermove", "pointerdown", "keydown", "focusin"]) player.addEventListener(event, (e) => {
    if (e.pointerType !== "touch" || $("controls").contains(e.target)) wake();
  });
  for (const event of ["play", "pause", "seeking"]) video.addEventListener(event, wake);
  on("menu", wake);
  player.addEventListener("pointerenter", () => tell("mouseenter"));
  player.addEventListener("pointerleave", () => {
    tell("mouseleave");
    rest();
  });
  for (const event of ["pointerenter", "pointerdown", "focusin"]) player.addEventListener(event, () => tell("intent"), { once: true });
  on("intent", () => fetchEngine()?.catch(() => {}));
  watchClicks();
  wake();
}

export function wake() {
  if (player.classList.contains("idle")) {
    player.classList.remove("idle");
    tell("useractive");
  }
  clearTimeout(timer);
  timer = setTimeout(rest, patience);
}

// rest hides the controls, unless they are in use: whoever goes by keyboard must
// see where the focus is.
function rest() {
  clearTimeout(timer);
  const used = player.querySelector(`.controls :focus-visible${hovers.matches ? ", .controls:hover, .head a:hover" : ""}`);
  if (video.paused || menuOpen() || (used && !player.matches(".no-controls"))) {
    timer = setTimeout(rest, patience);
    return;
  }
  if (player.classList.contains("idle")) return;
  player.classList.add("idle");
  tell("userinactive");
}

// watchClicks: a click plays and pauses, a second one makes it full screen. A tap
// shows and hides the controls, a second one at a side goes back or forward.
function watchClicks() {
  let tapped = 0;
  $("stage").addEventListener("click", (event) => {
    if (options.chromeless || event.defaultPrevented) return;
    if (event.pointerType !== "touch") return void toggle();
    const again = event.timeStamp - tapped < 350;
    tapped = event.timeStamp;
    if (again && video.readyState) return seekBySide(event);
    if (player.classList.contains("idle")) wake();
    else if (!video.paused) {
      player.classList.add("idle");
      tell("userinactive");
    }
  });
  $("stage").addEventListener("dblclick", (event) => {
    if (!options.chromeless && (event.pointerType ?? "mouse") === "mouse") toggleFullscreen();
  });
}

function seekBySide({ clientX }) {
  const { left, width } = player.getBoundingClientRect();
  const part = (clientX - left) / width;
  if (part < 0.4) seekBy(-10);
  if (part > 0.6) seekBy(10);
}
