// What is not there yet: ask until it is, for the manifest of a video or what a live
// stream does, then show the player in place of the message.
import { $, data, player, say } from "./page.js";
import { begun } from "./live.js";

const first = 2000; // ms
const longest = 15000;

// ready returns when there is something to play, at once if there was all along.
export async function ready() {
  if (!data.waiting) return;
  await (data.live ? begun() : encoded());
  data.waiting = false;
  $("message").remove();
  player.hidden = false;
  say(data.live ? "The broadcast has begun" : "The video is ready");
}

async function encoded() {
  for (let pause = first; !(await isThere()); pause = Math.min(pause * 1.25, longest)) {
    await new Promise((go) => setTimeout(go, pause));
  }
}

// isThere: 202 and an empty answer mean not yet.
async function isThere() {
  try {
    const response = await fetch(data.hls, { cache: "no-store", credentials: "same-origin" });
    return response.status === 200 && (await response.text()).startsWith("#EXTM3U");
  } catch {
    return false;
  }
}
