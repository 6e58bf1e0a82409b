// A video that is not there yet: ask for its manifest until it is, then show the
// player in place of the message.
import { $, data, player, say } from "./page.js";

const first = 2000; // ms
const longest = 15000;

// ready returns when there is something to play, at once if there was all along.
export async function ready() {
  if (!data.waiting) return;
  for (let pause = first; !(await isThere()); pause = Math.min(pause * 1.25, longest)) {
    await new Promise((go) => setTimeout(go, pause));
  }
  data.waiting = false;
  $("message").remove();
  player.hidden = false;
  say("The video is ready");
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
