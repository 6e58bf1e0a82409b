// A live stream: what it does, and what the page says when nothing plays. The server
// is asked only then: a broadcast that plays says enough by itself.
import { $, data, on, say, tell, video } from "./page.js";
import { again, source } from "./source.js";
import { pause, play } from "./play.js";
import { lookAgain } from "./verdict.js";

const pace = 2500; // ms between two questions
const patience = 1500; // ms that a picture may stand still
const slowly = 10_000; // ms, when the broadcast is over
const tries = 5; // that fail in a row

let lost = 0; // how often nothing could be loaded, since something played
let over = false; // all of the broadcast was shown
let still; // the timer of a picture that stands still
let watching = false;

// onAir tells whether there is a live edge to go to.
export const onAir = () => data.live && (source.attached ? source.growing : !data.ended);

// ask is what the stream does: {state, broadcast} with the states waiting, live, away
// (its publisher has gone, maybe for a moment) and ended. Undefined: there is no answer.
export async function ask() {
  try {
    const response = await fetch(data.air, { cache: "no-store", credentials: "same-origin" });
    if (response.status === 404) return { state: "gone" };
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}

// begun returns when the stream is on air.
export async function begun() {
  for (;;) {
    const air = await ask();
    if (air?.broadcast) {
      data.broadcast = air.broadcast;
      return;
    }
    if (air?.state === "gone") lookAgain();
    await rest(pace);
  }
}

export function startLive() {
  if (!data.live) return;
  video.addEventListener("waiting", () => { still ??= setTimeout(watch, patience); });
  video.addEventListener("playing", goesOn);
  video.addEventListener("ended", () => {
    over = true;
    watch();
  });
  on("lost", () => {
    if (++lost > tries) return void tell("trouble", 2);
    watch();
  });
  if (data.ended) {
    over = true;
    notice("This broadcast has ended. You can watch it again.");
    watch();
  }
}

function goesOn() {
  clearTimeout(still);
  still = undefined;
  lost = 0;
  over = false;
  notice();
}

const needed = () => over || lost > 0 || (still !== undefined && !video.paused);

// watch asks again and again until something plays.
async function watch() {
  if (watching) return;
  watching = true;
  while (needed()) {
    const air = await ask();
    if (needed()) answer(air);
    await rest(over ? slowly : pace);
  }
  watching = false;
}

function answer(air) {
  switch (air?.state) {
    case "live":
      if (lost || air.broadcast !== data.broadcast) restart(air);
      break;
    case "away":
      notice("The broadcaster is away. It goes on here by itself.");
      break;
    case "ended":
      if (lost) restart(air);
      else if (over && !data.ended) notice("The broadcast has ended.");
      break;
    case "waiting":
    case "gone":
      if (!over) pause();
      over = true;
      notice("The broadcast has ended.");
      break;
    default:
      if (lost) notice("The connection is lost. Trying again …");
  }
}

// restart plays what is on air now.
function restart(air) {
  data.broadcast = air.broadcast;
  data.ended = air.state === "ended";
  over = false;
  notice();
  again();
  play();
}

let shown = "";
function notice(text = "") {
  if (text === shown) return;
  shown = text;
  $("notice").textContent = text;
  $("notice").hidden = !text;
  $("live")?.classList.toggle("quiet", Boolean(text)); // nothing comes, so nothing is live
  if (text) say(text);
}

const rest = (ms) => new Promise((go) => setTimeout(go, ms));
